/* The processes of a sample: their memory, and their end. */
#define _GNU_SOURCE
#include "launcher.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_PROCESSES 4096

/* Numbers of all processes of the sample but init itself. */
static int list(const struct options *options, pid_t *found)
{
    static pid_t all[MAX_PROCESSES * 8], parent[MAX_PROCESSES * 8];
    int n_all = 0, n = 0;
    pid_t init = getpid();
    DIR *proc = opendir("/proc");
    if (!proc)
        return 0;
    for (struct dirent *entry; (entry = readdir(proc)) && n_all < MAX_PROCESSES * 8;) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid == init)
            continue;
        all[n_all] = pid;
        if (!options->strong) {
            char path[64], text[512];
            snprintf(path, sizeof path, "/proc/%d/stat", pid);
            FILE *file = fopen(path, "re");
            size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
            if (file)
                fclose(file);
            text[length] = 0;
            char *end = strrchr(text, ')');
            parent[n_all] = end ? (pid_t)atoi(end + 4) : 0;
        }
        n_all++;
    }
    closedir(proc);
    if (options->strong) { /* everything in our /proc is the sample's */
        n = n_all < MAX_PROCESSES ? n_all : MAX_PROCESSES;
        memcpy(found, all, (size_t)n * sizeof *found);
        return n;
    }
    for (int from = -1; from < n && n < MAX_PROCESSES; from++) {
        pid_t ancestor = from < 0 ? init : found[from];
        for (int i = 0; i < n_all && n < MAX_PROCESSES; i++)
            if (parent[i] == ancestor)
                found[n++] = all[i];
    }
    return n;
}

static unsigned long long resident(pid_t pid)
{
    char path[64];
    unsigned long long size, pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    if (fscanf(file, "%llu %llu", &size, &pages) != 2)
        pages = 0;
    fclose(file);
    return pages * (unsigned long long)sysconf(_SC_PAGESIZE);
}

/* Pages shared after a fork count once here; slower, so asked only in doubt. */
static unsigned long long proportional(pid_t pid)
{
    char path[64], line[256];
    unsigned long long kilobytes = 0;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "Pss: %llu kB", &kilobytes) == 1)
            break;
    fclose(file);
    return kilobytes << 10;
}

unsigned long long resident_bytes(const struct options *options)
{
    static pid_t found[MAX_PROCESSES];
    int n = list(options, found);
    unsigned long long sum = 0, exact = 0;
    for (int i = 0; i < n; i++)
        sum += resident(found[i]);
    if (n < 2 || sum <= (unsigned long long)options->memory_mb << 20)
        return sum;
    for (int i = 0; i < n; i++)
        exact += proportional(found[i]);
    return exact ? exact : sum;
}

int count_threads(const struct options *options)
{
    static pid_t found[MAX_PROCESSES];
    int n = list(options, found), threads = 0;
    for (int i = 0; i < n; i++) {
        char path[64], line[256];
        int of_this = 0;
        snprintf(path, sizeof path, "/proc/%d/status", found[i]);
        FILE *file = fopen(path, "re");
        if (!file)
            continue;
        while (fgets(line, sizeof line, file))
            if (sscanf(line, "Threads: %d", &of_this) == 1)
                break;
        fclose(file);
        threads += of_this;
    }
    return threads;
}

void kill_all(const struct options *options)
{
    static pid_t found[MAX_PROCESSES];
    for (int round = 0; round < 1000; round++) {
        int n = list(options, found);
        /* Stop all before killing any, or a fork bomb outruns us. */
        for (int i = 0; i < n; i++)
            kill(found[i], SIGSTOP);
        for (int i = 0; i < n; i++)
            kill(found[i], SIGKILL);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (n == 0)
            return;
        usleep(1000);
    }
}
