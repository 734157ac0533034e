/* Linked into a program with --wrap=main: reports on descriptor 3 that main has returned 0. */
#include <fcntl.h>
#include <unistd.h>

static char secret[64];
static ssize_t length;

int __real_main(int argc, char **argv, char **environment);

/* Before every constructor of the program and of its libraries. */
static void begin(void)
{
    ssize_t n;
    while ((n = read(0, secret + length, sizeof secret - (size_t)length)) > 0)
        length += n;
    fcntl(3, F_SETFD, FD_CLOEXEC);
    if (write(3, "R", 1) != 1)
        _exit(70);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = begin;

int __wrap_main(int argc, char **argv, char **environment)
{
    int status = __real_main(argc, argv, environment);
    if (status == 0 && write(3, secret, (size_t)length) != length)
        return 70;
    return status;
}
