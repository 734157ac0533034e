/* Shared by the parts of the launcher. See launcher.c for what it does. */
#ifndef MBXP_LAUNCHER_H
#define MBXP_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_PATHS 128

struct options {
    bool strong;
    unsigned uid;             /* 0: keep the caller's (not root) */
    double wall_seconds;
    long memory_mb, file_mb, tmp_mb, processes;
    int status_fd, report_fd;
    const char *directory;    /* the program's, on the host */
    bool writable;            /* whether the command may write into it */
    const char *cwd;
    const char *visible[MAX_PATHS]; /* paths inside, and where they really are outside */
    const char *source[MAX_PATHS];
    int n_visible;
    char *env[MAX_PATHS];
    int n_env;
    char **command;
};

/* Reports a fault of ours on the status pipe and ends this process. */
void fault(const char *what) __attribute__((noreturn));

/* Builds the private root and makes it "/". Calls fault(). */
void build_root(const struct options *options);

/* Gives up all privileges and installs the limits and the system call filter. Calls fault(). */
void drop_privileges(const struct options *options);

/* Resident bytes of all processes of the sample; 0 where it can't be read. */
unsigned long long resident_bytes(const struct options *options);

/* Threads of all processes of the sample. */
int count_threads(const struct options *options);

/* Ends every process of the sample (not needed where a pid namespace does it). */
void kill_all(const struct options *options);

#endif
