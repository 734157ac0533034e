/* Shared by the parts of the launcher. See launcher.c for what it does. */
#ifndef MBXP_LAUNCHER_H
#define MBXP_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MAX_PATHS 128

struct options {
    bool strong;
    unsigned uid;             /* 0: keep the caller's (not root) */
    double wall_seconds;
    long memory_mb, file_mb, tmp_mb, processes;
    int status_fd, report_fd;
    int serve_fd;             /* where a fork server gets its requests; -1: run one command */
    const char *directory;    /* the program's, on the host */
    bool writable;            /* whether the command may write into it */
    const char *cwd;
    const char *visible[MAX_PATHS]; /* paths inside, and where they really are outside */
    const char *source[MAX_PATHS];
    int n_visible;
    char *env[MAX_PATHS];
    int n_env;
    char **command;           /* NULL: the process itself becomes the sample */
};

/* Where fault() and supervise() report; -1: on standard error. */
extern int status_fd;

/* Reports a fault of ours on the status pipe and ends this process. */
void fault(const char *what) __attribute__((noreturn));

/* Reads options as a command line has them; returns what is wrong, or NULL. */
const char *parse(int argc, char **argv, struct options *options);

/* Ends this process with its parent. `parent`: its number, 0 where it is not known. */
void die_with_parent(pid_t parent);

/* As init of a sample: starts it, waits for its end and reports. Returns 0 when all is done;
   without a command, 1 in the process that has become the sample. Calls fault(). */
int supervise(const struct options *options);

/* Answers requests on a socket until it is closed, each by a sample of its own. Returns like
   supervise(). `before_fork` may be NULL. */
int serve(int socket, void (*before_fork)(void));

/* Builds the private root and makes it "/". Calls fault(). */
void build_root(const struct options *options);

/* Gives a sample of a fork server its own mounts, with a new /tmp and /proc. Calls fault(). */
void renew_root(const struct options *options);

/* Gives up all privileges and installs the limits and the system call filter. Calls fault(). */
void drop_privileges(const struct options *options);

/* Resident bytes of all processes of the sample; 0 where it can't be read. */
unsigned long long resident_bytes(const struct options *options);

/* Threads of all processes of the sample. */
int count_threads(const struct options *options);

/* Ends every process of the sample (not needed where a pid namespace does it). */
void kill_all(const struct options *options);

#endif
