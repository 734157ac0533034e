/* Init: starts the sample, owns its clock, adds up its memory and reports what became of it. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int status_fd = -1;

static void report(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void report(const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0 && write(status_fd < 0 ? 2 : status_fd, line, (size_t)length) < 0)
        _exit(71);
}

void fault(const char *what)
{
    char text[400];
    snprintf(text, sizeof text, "%s: %s", what, strerror(errno));
    for (char *c = text; *c; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < 32)
            *c = ' ';
    report("{\"error\": \"%s\"}\n", text);
    _exit(70);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* How often the kernel has killed a process of this machine for want of memory. */
static long host_oom_kills(void)
{
    char line[128];
    long kills = 0;
    FILE *file = fopen("/proc/vmstat", "re");
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "oom_kill %ld", &kills) == 1)
            break;
    fclose(file);
    return kills;
}

void die_with_parent(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
        fault("prctl");
    if (parent && getppid() != parent)
        _exit(70);
}

/* Returns only where there is no command: in the process that is the sample. */
static void become_sample(const struct options *options, int failed)
{
    static char *no_environment[] = {NULL};
    sigset_t none;
    setsid();
    if (options->command) /* Same addresses in every run: an error message may show one. */
        personality(ADDR_NO_RANDOMIZE);
    drop_privileges(options);
    if (chdir(options->cwd) < 0)
        fault(options->cwd);
    if (!options->command) {
        close(failed);
        close(status_fd);
        return;
    }
    for (int signal_number = 1; signal_number < 32; signal_number++)
        signal(signal_number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(options->command[0], options->command,
           options->n_env ? (char **)options->env : no_environment);
    int reason = errno;
    if (write(failed, &reason, sizeof reason) < 0)
        _exit(71);
    _exit(127);
}

int supervise(const struct options *options)
{
    sigset_t child;
    int failed[2];
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    long kills_before = host_oom_kills();
    if (pipe2(failed, O_CLOEXEC) < 0)
        fault("pipe");
    pid_t init = getpid();
    pid_t main_child = fork();
    if (main_child < 0)
        fault("fork");
    if (main_child == 0) {
        close(failed[0]);
        if (!options->strong)
            die_with_parent(init);
        become_sample(options, failed[1]);
        return 1;
    }
    close(failed[1]);
    for (int fd = 0; fd <= 3; fd++)
        close(fd);
    int reason;
    if (read(failed[0], &reason, sizeof reason) == sizeof reason) {
        errno = reason;
        fault(options->command[0]);
    }
    double start = now();

    bool ended = false, timed_out = false, out_of_memory = false;
    int status = 0;
    unsigned long long peak = 0, ceiling = (unsigned long long)options->memory_mb << 20;
    while (!ended && !timed_out && !out_of_memory) {
        double left = start + options->wall_seconds - now();
        if (left < 0)
            left = 0;
        double nap = left < 0.01 ? left : 0.01;
        struct timespec wait_for = {0, (long)(nap * 1e9) + 1000};
        sigtimedwait(&child, NULL, &wait_for);
        pid_t pid;
        int this_status;
        while ((pid = waitpid(-1, &this_status, WNOHANG)) > 0)
            if (pid == main_child) {
                ended = true;
                status = this_status;
            }
        if (ended)
            break;
        unsigned long long resident = resident_bytes(options);
        if (resident > peak)
            peak = resident;
        out_of_memory = resident > ceiling;
        timed_out = !out_of_memory && now() - start >= options->wall_seconds;
    }
    double wall = now() - start;
    int threads = ended ? 0 : count_threads(options);
    if (!ended)
        kill(main_child, SIGKILL);
    if (!options->strong)
        kill_all(options);
    else if (!ended)
        waitpid(main_child, NULL, 0);
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    double cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec)
        + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    if ((unsigned long long)used.ru_maxrss << 10 > peak)
        peak = (unsigned long long)used.ru_maxrss << 10;
    int signal_number = ended && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    bool host_oom = signal_number == SIGKILL && host_oom_kills() > kills_before;
    report("{\"exit\": %d, \"signal\": %d, \"timed_out\": %s, \"out_of_memory\": %s, "
           "\"host_oom\": %s, \"wall\": %.6f, \"cpu\": %.6f, \"threads\": %d, "
           "\"peak_mb\": %llu}\n",
           ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1, signal_number,
           timed_out ? "true" : "false", out_of_memory ? "true" : "false",
           host_oom ? "true" : "false", wall, cpu, threads,
           peak >> 20);
    return 0;
}

