/*
 * Linked into a program with --wrap=main: reports on descriptor 3 that main has returned 0.
 * It makes its system calls itself, since a program may bring a `read` of its own.
 */
static char secret[64];
static long length;

int __real_main(int argc, char **argv, char **environment);

#if defined(__x86_64__)
enum { READ = 0, WRITE = 1, FCNTL = 72 };

static long call(long number, long a, const void *b, long c)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
enum { READ = 63, WRITE = 64, FCNTL = 25 };

static long call(long number, long a, const void *b, long c)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register const void *x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}
#endif

/* Before every constructor of the program and of its libraries. */
static void begin(void)
{
    long n;
    while ((n = call(READ, 0, secret + length, (long)sizeof secret - length)) > 0)
        length += n;
    call(FCNTL, 3, (void *)2 /* F_SETFD */, 1 /* FD_CLOEXEC */);
    call(WRITE, 3, "R", 1);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = begin;

int __wrap_main(int argc, char **argv, char **environment)
{
    int status = __real_main(argc, argv, environment);
    if (status == 0 && call(WRITE, 3, secret, length) != length)
        return 70;
    return status;
}
