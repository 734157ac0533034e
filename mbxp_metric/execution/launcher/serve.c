/*
 * A fork server: its root and its network are made once, and each sample is a fork of it in
 * namespaces of its own. A request is one message: the options as a command line has them, each
 * ended by a NUL, and the descriptors that become 0 to 3 and the status descriptor. Without a
 * command the fork itself becomes the sample, which is how an interpreter that has started and
 * loaded its libraries is used again (hook.c).
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_FDS = 5, MOST_BYTES = 1 << 17, MOST_ARGUMENTS = 512 };

static int receive(int socket, char *text, int fds[N_FDS])
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(N_FDS * sizeof(int))];
    } control;
    struct iovec whole = {text, MOST_BYTES};
    struct msghdr message = {.msg_iov = &whole, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t length;
    do
        length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (length < 0 && errno == EINTR);
    struct cmsghdr *header = length > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_len != CMSG_LEN(N_FDS * sizeof(int)))
        return 0;
    memcpy(fds, CMSG_DATA(header), N_FDS * sizeof(int));
    return (int)length;
}

/* In init of the sample, which is number 1 of its pid namespace. */
static int start(int socket, char *text, int length, int fds[N_FDS])
{
    static char *arguments[MOST_ARGUMENTS];
    struct options options = {.strong = true, .status_fd = -1, .report_fd = -1, .serve_fd = -1};
    sigset_t all;
    int n = 1; /* the first is the name of the program in a command line */
    die_with_parent(0);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    status_fd = fds[N_FDS - 1];
    for (int i = 0; i < N_FDS - 1; i++)
        if (dup2(fds[i], i) < 0)
            fault("descriptors");
    close(socket);
    for (int i = 0; i < N_FDS - 1; i++)
        close(fds[i]);
    for (char *word = text; word < text + length && n < MOST_ARGUMENTS - 1; n++) {
        arguments[n] = word;
        word += strlen(word) + 1;
    }
    const char *wrong = parse(n, arguments, &options);
    if (wrong) {
        errno = EINVAL;
        fault(wrong);
    }
    if (options.uid && fchown(3, options.uid, options.uid) < 0 && errno != EPERM)
        fault("report pipe");
    renew_root(&options);
    return supervise(&options);
}

int serve(int socket, void (*before_fork)(void))
{
    static char text[MOST_BYTES];
    int fds[N_FDS], length, status;
    sigset_t mask;
    int own = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
    /* A free number: what a sample gets as 0 to 3 must not be a descriptor that we need. */
    int requests = fcntl(socket, F_DUPFD_CLOEXEC, 10);
    if (own < 0 || requests < 0)
        fault("fork server");
    close(socket);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    while ((length = receive(requests, text, fds)) > 0) {
        /* Each sample has a pid namespace of its own; the next needs to start from ours. */
        pid_t init = -1;
        if (unshare(CLONE_NEWPID) == 0) {
            if (before_fork)
                before_fork();
            /* Init uses this memory while we wait for its end, and so the pages of an interpreter
               are copied for the sample alone. */
            init = vfork();
            if (init < 0)
                init = fork();
        }
        if (init == 0) {
            close(own);
            if (!start(requests, text, length, fds))
                _exit(0);
            sigprocmask(SIG_SETMASK, &mask, NULL);
            return 1;
        }
        for (int i = 0; i < N_FDS; i++)
            close(fds[i]);
        if (setns(own, CLONE_NEWPID) < 0 || init < 0)
            break;
        while (waitpid(init, &status, 0) < 0 && errno == EINTR)
            ;
    }
    _exit(0);
}
