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

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Status and report pipe to where the rest expects them: the latter as number 3. */
static void arrange_descriptors(struct options *options)
{
    /* Out of the way first: either may be number 3. */
    status_fd = fcntl(options->status_fd, F_DUPFD_CLOEXEC, 10);
    int report_fd = fcntl(options->report_fd, F_DUPFD_CLOEXEC, 10);
    if (status_fd < 0 || report_fd < 0 || dup2(report_fd, 3) < 0)
        _exit(70);
    close(report_fd);
    if (options->status_fd > 3)
        close(options->status_fd);
    if (options->report_fd > 3)
        close(options->report_fd);
    if (options->uid && fchown(3, options->uid, options->uid) < 0 && errno != EPERM)
        fault("report pipe"); /* so that a program may open it by its /proc name */
}

/* As init: starts an interpreter that becomes a fork server and so keeps its privileges. */
static int start_interpreter(struct options *options)
{
    static char requests[32];
    snprintf(requests, sizeof requests, "MBXP_SERVE=%d", options->serve_fd);
    options->env[options->n_env] = requests;
    pid_t interpreter = fork();
    if (interpreter < 0)
        fault("fork");
    if (interpreter == 0) {
        struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
        struct __user_cap_data_struct held[2];
        setsid();
        personality(ADDR_NO_RANDOMIZE);
        if (syscall(SYS_capget, &header, held) < 0)
            fault("capget");
        held[0].inheritable = held[0].permitted;
        held[1].inheritable = held[1].permitted;
        if (syscall(SYS_capset, &header, held) < 0)
            fault("capset");
        for (unsigned long capability = 0; capability < 64; capability++)
            prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0);
        if (chdir(options->cwd) < 0)
            fault(options->cwd);
        if (syscall(SYS_close_range, 3u, ~0u, 4u /* close on exec */) < 0
            || fcntl(options->serve_fd, F_SETFD, 0) < 0
            || dup2(2, 3) < 0) /* or the interpreter takes 3, the report pipe, for itself */
            fault("descriptors");
        execve(options->command[0], options->command, options->env);
        fault(options->command[0]);
    }
    close(options->serve_fd);
    int status;
    pid_t ended;
    while ((ended = waitpid(-1, &status, 0)) != interpreter)
        if (ended < 0 && errno != EINTR)
            return 70;
    return 0;
}

int main(int argc, char **argv)
{
    struct options options = {.status_fd = -1, .report_fd = -1, .serve_fd = -1};
    int ready[2];
    const char *wrong = parse(argc, argv, &options);
    if (!wrong && !options.directory)
        wrong = "no program directory";
    if (!wrong && options.serve_fd < 0
        && (!options.command || options.status_fd < 3 || options.report_fd < 3))
        wrong = "not all of --status, --report and a command";
    if (wrong) {
        fprintf(stderr, "mbxp-launcher: %s\n", wrong);
        return 64;
    }
    if (options.serve_fd < 0)
        arrange_descriptors(&options);
    else if ((options.serve_fd = fcntl(options.serve_fd, F_DUPFD_CLOEXEC, 10)) < 0)
        return 70;
    die_with_parent(0);
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
        if (options.strong)
            build_root(&options);
        else if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
            fault("subreaper");
        if (options.serve_fd < 0)
            return supervise(&options);
        return options.command ? start_interpreter(&options) : serve(options.serve_fd, NULL);
    }
    close(ready[0]);
    for (int fd = 0; fd <= 3 && options.serve_fd < 0; fd++)
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
