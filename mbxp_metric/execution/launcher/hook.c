/*
 * Loaded into an interpreter before its own libraries: the first time that it asks for its parent's
 * number it becomes a fork server, and every sample is a fork that gets the answer and goes on. The
 * interpreter's driver asks when it has loaded what programs need and has not yet read any of them.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static int requests = -1;
static bool is_sample;

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("MBXP_SERVE");
    if (!number)
        return;
    requests = atoi(number);
    fcntl(requests, F_SETFD, FD_CLOEXEC);
    unsetenv("MBXP_SERVE");
    unsetenv("LD_PRELOAD");
}

/* V8 keeps its heap out of forks. */
static void share_all_memory(void)
{
    unsigned long from, to;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx", &from, &to) == 2)
            madvise((void *)from, to - from, MADV_DOFORK);
    if (maps)
        fclose(maps);
}

/* A fork does not have its parent's timers: Ruby has one, which is made again for it. */
static struct {
    clockid_t clock;
    struct sigevent event;
    timer_t *id;
} timer;

static int (*real_timer_create(void))(clockid_t, struct sigevent *, timer_t *)
{
    return (int (*)(clockid_t, struct sigevent *, timer_t *))dlsym(RTLD_NEXT, "timer_create");
}

__attribute__((visibility("default"))) int timer_create(clockid_t clock, struct sigevent *event,
                                                        timer_t *id)
{
    if (event && requests >= 0) {
        timer.clock = clock;
        timer.event = *event;
        timer.id = id;
    }
    return real_timer_create()(clock, event, id);
}

/* Nor its parent's other threads, which Node would wait for at its end. */
enum { MOST_THREADS = 64 };
static pthread_t threads[MOST_THREADS];
static int n_threads, n_own_threads;

__attribute__((visibility("default"))) int pthread_create(
    pthread_t *id, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
        = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
            dlsym(RTLD_NEXT, "pthread_create");
    int error = real(id, attributes, body, argument);
    if (!error && is_sample)
        n_own_threads++;
    else if (!error && n_threads < MOST_THREADS)
        threads[n_threads++] = *id;
    return error;
}

__attribute__((visibility("default"))) int pthread_join(pthread_t id, void **result)
{
    for (int i = 0; is_sample && i < n_threads; i++)
        if (threads[i] == id)
            return 0;
    return ((int (*)(pthread_t, void **))dlsym(RTLD_NEXT, "pthread_join"))(id, result);
}

/*
 * Nobody is left to end a wait of the only thread, as Node's for its workers: such a program says so
 * on the report pipe, and is executed anew without a server.
 */
__attribute__((visibility("default"))) int pthread_cond_wait(pthread_cond_t *condition,
                                                             pthread_mutex_t *mutex)
{
    if (is_sample && n_threads && !n_own_threads && write(3, "D", 1) == 1)
        _exit(0);
    return ((int (*)(pthread_cond_t *, pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_cond_wait"))(
        condition, mutex);
}

/* They may have held these or waited for them, which then are never free. */
__attribute__((visibility("default"))) int pthread_cond_destroy(pthread_cond_t *condition)
{
    if (is_sample && n_threads)
        return 0;
    return ((int (*)(pthread_cond_t *))dlsym(RTLD_NEXT, "pthread_cond_destroy"))(condition);
}

__attribute__((visibility("default"))) int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    if (is_sample && n_threads)
        return 0;
    return ((int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_destroy"))(mutex);
}

/* What an interpreter does itself after a fork of its own. */
static void tell_interpreter(void)
{
    void (*python)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "PyOS_AfterFork_Child");
    int (*node)(void *) = (int (*)(void *))dlsym(RTLD_DEFAULT, "uv_loop_fork");
    void *(*loop)(void) = (void *(*)(void))dlsym(RTLD_DEFAULT, "uv_default_loop");
    if (timer.id)
        real_timer_create()(timer.clock, &timer.event, timer.id);
    if (python)
        python();
    if (node && loop)
        node(loop());
}

enum { FIRST_FD = 4, MOST_FDS = 256, MOST_PIPES = 32, MOST_NAME = 64 };

static struct {
    char name[MOST_NAME];
    int ends[2];
} pipes[MOST_PIPES];
static int n_pipes;
static char of_server[MOST_FDS][MOST_NAME]; /* what its descriptors are, as /proc names them */

static void name_descriptor(int fd, char name[MOST_NAME])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(path, name, MOST_NAME - 1);
    name[length < 0 ? 0 : length] = 0;
}

static void note_descriptors(void)
{
    for (int fd = FIRST_FD; fd < MOST_FDS; fd++)
        name_descriptor(fd, of_server[fd]);
}

/* A new thing of the same kind in the place of one that the server has too. -1: keep it. */
static int own_kind(const char link[MOST_NAME], int flags)
{
    int mode = flags & (O_NONBLOCK | O_ACCMODE), i = 0;
    if (!strcmp(link, "anon_inode:[eventfd]"))
        return eventfd(0, EFD_CLOEXEC | (mode & O_NONBLOCK ? EFD_NONBLOCK : 0));
    if (!strcmp(link, "anon_inode:[eventpoll]"))
        return epoll_create1(EPOLL_CLOEXEC);
    if (strncmp(link, "pipe:", 5))
        return -1;
    while (i < n_pipes && strcmp(pipes[i].name, link))
        i++;
    if (i == MOST_PIPES)
        return open("/dev/null", O_RDWR | O_CLOEXEC);
    if (i == n_pipes) {
        if (pipe2(pipes[i].ends, O_CLOEXEC | (mode & O_NONBLOCK)) < 0)
            return -1;
        memcpy(pipes[n_pipes++].name, link, MOST_NAME);
    }
    return fcntl(pipes[i].ends[(mode & O_ACCMODE) != O_RDONLY], F_DUPFD_CLOEXEC, FIRST_FD);
}

/*
 * Gives every descriptor a life of its own: what an interpreter talks to itself by (pipes and their
 * like) is made anew, and a program that it has opened already, as perl does, is opened again.
 */
static void part_from_server(void)
{
    char link[MOST_NAME];
    for (int fd = FIRST_FD; fd < MOST_FDS; fd++) {
        if (!*of_server[fd])
            continue;
        int flags = fcntl(fd, F_GETFL), on_exec = fcntl(fd, F_GETFD), again;
        name_descriptor(fd, link);
        bool program = !strncmp(link, "/program/", 9);
        if (!*link || (!program && strcmp(link, of_server[fd]))) /* its own: made after the fork */
            continue;
        if (program) {
            char *deleted = strstr(link, " (deleted)");
            if (deleted)
                *deleted = 0;
            if ((again = open(link, O_RDONLY | O_CLOEXEC)) < 0)
                _exit(70); /* rather than run another's */
        } else {
            again = own_kind(link, flags);
        }
        if (again >= 0) {
            dup3(again, fd, on_exec & FD_CLOEXEC ? O_CLOEXEC : 0);
            close(again);
        }
    }
    for (int i = 0; i < n_pipes; i++) {
        close(pipes[i].ends[0]);
        close(pipes[i].ends[1]);
    }
}

static void take_over(void)
{
    int socket = requests;
    requests = -1;
    if (socket < 0)
        return;
    note_descriptors();
    if (!serve(socket, dlsym(RTLD_DEFAULT, "uv_loop_fork") ? share_all_memory : NULL))
        return;
    is_sample = true;
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* else its own /proc would be closed to it */
    part_from_server();
    tell_interpreter();
}

__attribute__((visibility("default"))) pid_t getppid(void)
{
    take_over();
    return (pid_t)syscall(SYS_getppid);
}

/* For PHP, whose extensions, getppid's among them, are bound to libc itself. */
__attribute__((visibility("default"))) int gethostname(char *name, size_t size)
{
    struct utsname found;
    take_over();
    if (uname(&found) < 0)
        return -1;
    snprintf(name, size, "%s", found.nodename);
    return 0;
}
