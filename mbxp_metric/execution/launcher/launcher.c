/*
 * Runs one command inside a sandbox and says what became of it.
 *
 *   mbxp-launcher OPTIONS -- COMMAND ARGUMENTS...
 *
 * The command gets our descriptors 0 to 3 and nothing else. Between it and us stands an
 * init process: at the level "strong" it is number 1 of a pid namespace of its own, so
 * whatever the command left behind dies with it; at "limited" it is a subreaper that
 * kills its descendants one by one. Init owns the clock, which starts when the command
 * does, and adds up the memory. The outcome is one JSON line on the status descriptor,
 * which the command never sees; no line at all means that we were killed.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int status_fd = -1;

static void report(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void report(const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0 && write(status_fd, line, (size_t)length) < 0)
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

static void die_with_parent(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
        fault("prctl");
    if (parent && getppid() != parent)
        _exit(70);
}

static void run_command(const struct options *options, int failed)
{
    static char *no_environment[] = {NULL};
    sigset_t none;
    setsid();
    /* Same addresses in every run: an error message that shows one can be compared. */
    personality(ADDR_NO_RANDOMIZE);
    drop_privileges(options);
    if (chdir(options->cwd) < 0)
        fault(options->cwd);
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

static int supervise(const struct options *options)
{
    sigset_t child;
    int failed[2];
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    if (options->strong)
        build_root(options);
    else if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
        fault("subreaper");
    long kills_before = host_oom_kills();
    if (pipe2(failed, O_CLOEXEC) < 0)
        fault("pipe");
    pid_t init = getpid();
    pid_t main_child = fork();
    if (main_child < 0)
        fault("fork");
    if (main_child == 0) {
        if (!options->strong)
            die_with_parent(init);
        run_command(options, failed[1]);
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

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        fault(path);
    close(fd);
}

/* The child of a new user namespace has no identity until its maps are written. */
static void map_user(pid_t child, uid_t uid, gid_t gid)
{
    char path[64], line[64];
    snprintf(path, sizeof path, "/proc/%d/setgroups", child);
    write_file(path, "deny");
    snprintf(path, sizeof path, "/proc/%d/uid_map", child);
    snprintf(line, sizeof line, "65534 %u 1\n", uid);
    write_file(path, line);
    snprintf(path, sizeof path, "/proc/%d/gid_map", child);
    snprintf(line, sizeof line, "65534 %u 1\n", gid);
    write_file(path, line);
}

static const char *value(int argc, char **argv, int *i)
{
    if (*i + 1 >= argc) {
        fprintf(stderr, "mbxp-launcher: %s needs a value\n", argv[*i]);
        exit(64);
    }
    return argv[++*i];
}

static void parse(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (!strcmp(name, "--")) {
            o->command = argv + i + 1;
            break;
        }
        const char *text = value(argc, argv, &i);
        if (!strcmp(name, "--level"))
            o->strong = !strcmp(text, "strong");
        else if (!strcmp(name, "--uid"))
            o->uid = (unsigned)strtoul(text, NULL, 10);
        else if (!strcmp(name, "--wall"))
            o->wall_seconds = strtod(text, NULL);
        else if (!strcmp(name, "--memory"))
            o->memory_mb = atol(text);
        else if (!strcmp(name, "--file"))
            o->file_mb = atol(text);
        else if (!strcmp(name, "--tmp"))
            o->tmp_mb = atol(text);
        else if (!strcmp(name, "--processes"))
            o->processes = atol(text);
        else if (!strcmp(name, "--status"))
            o->status_fd = atoi(text);
        else if (!strcmp(name, "--report"))
            o->report_fd = atoi(text);
        else if (!strcmp(name, "--read-only-program") || !strcmp(name, "--writable-program")) {
            o->directory = text;
            o->writable = name[2] == 'w';
        } else if (!strcmp(name, "--cwd"))
            o->cwd = text;
        else if (!strcmp(name, "--source") && o->n_visible < MAX_PATHS)
            o->source[o->n_visible] = text;
        else if (!strcmp(name, "--visible") && o->n_visible < MAX_PATHS) {
            if (!o->source[o->n_visible])
                o->source[o->n_visible] = text;
            o->visible[o->n_visible++] = text;
        }
        else if (!strcmp(name, "--env") && o->n_env < MAX_PATHS - 1)
            o->env[o->n_env++] = (char *)text;
        else {
            fprintf(stderr, "mbxp-launcher: cannot take %s\n", name);
            exit(64);
        }
    }
    if (!o->command || !o->command[0] || !o->directory || !o->cwd || o->status_fd < 3
        || o->report_fd < 3) {
        fprintf(stderr, "mbxp-launcher: needs --status, --report, a program directory, --cwd and a command\n");
        exit(64);
    }
}

int main(int argc, char **argv)
{
    struct options options = {.wall_seconds = 10, .memory_mb = 2048, .file_mb = 64,
                              .tmp_mb = 64, .processes = 256, .status_fd = -1,
                              .report_fd = -1};
    int ready[2];
    parse(argc, argv, &options);
    /* Out of the way first: either may be number 3, which is to be the report pipe. */
    status_fd = fcntl(options.status_fd, F_DUPFD_CLOEXEC, 10);
    int report_fd = fcntl(options.report_fd, F_DUPFD_CLOEXEC, 10);
    if (status_fd < 0 || report_fd < 0 || dup2(report_fd, 3) < 0)
        return 70;
    close(report_fd);
    if (options.status_fd > 3)
        close(options.status_fd);
    if (options.report_fd > 3)
        close(options.report_fd);
    die_with_parent(0);
    if (options.uid && fchown(3, options.uid, options.uid) < 0 && errno != EPERM)
        fault("report pipe"); /* so that a program may open it by its /proc name */
    if (pipe2(ready, O_CLOEXEC) < 0)
        fault("pipe");

    uid_t uid = geteuid();
    gid_t gid = getegid();
    unsigned long flags = SIGCHLD;
    if (options.strong) {
        flags |= CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
        if (uid != 0)
            flags |= CLONE_NEWUSER;
    }
    pid_t parent = getpid();
    pid_t init = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
    if (init < 0)
        fault(options.strong ? "namespaces" : "fork");
    if (init == 0) {
        char byte;
        close(ready[1]);
        /* Inside a pid namespace the parent has no number. */
        die_with_parent(options.strong ? 0 : parent);
        if (read(ready[0], &byte, 1) != 1)
            _exit(70);
        close(ready[0]);
        return supervise(&options);
    }
    close(ready[0]);
    for (int fd = 0; fd <= 3; fd++)
        close(fd);
    if (flags & CLONE_NEWUSER)
        map_user(init, uid, gid);
    if (write(ready[1], "r", 1) != 1)
        fault("init");
    int status;
    while (waitpid(init, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 70;
}
