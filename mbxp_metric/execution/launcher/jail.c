/* The walls: a private root, lost privileges, limits and the system call filter. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OLD "/old"
#define NEW "/new"

static void make_directories(const char *path, mode_t mode)
{
    char part[4096];
    snprintf(part, sizeof part, "%s", path);
    for (char *c = part + 1; *c; c++)
        if (*c == '/') {
            *c = 0;
            mkdir(part, 0755);
            *c = '/';
        }
    if (mkdir(part, mode) < 0 && errno != EEXIST)
        fault(path);
    chmod(part, mode);
}

static void make_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        fault(path);
    close(fd);
}

/* Adds flags to a mount (and all below) and keeps those that are locked. */
static void restrict_mount(const char *path, bool read_only)
{
    struct { unsigned long long set, clear, propagation, userns; } attributes = {
        .set = 2 /* nosuid */ | 4 /* nodev */ | (read_only ? 1u : 0u)};
    if (syscall(442 /* mount_setattr */, AT_FDCWD, path, 0x8000 /* recursive */, &attributes,
                sizeof attributes) == 0)
        return;
    struct statvfs now;
    if (statvfs(path, &now) < 0)
        fault(path);
    unsigned long flags = MS_REMOUNT | MS_BIND | MS_NOSUID | MS_NODEV | (read_only ? MS_RDONLY : 0);
    flags |= (now.f_flag & ST_NOEXEC ? MS_NOEXEC : 0) | (now.f_flag & ST_NOATIME ? MS_NOATIME : 0)
        | (now.f_flag & ST_RELATIME ? MS_RELATIME : 0);
    if (mount(NULL, path, NULL, flags, NULL) < 0)
        fault(path);
}

static void show(const char *host_path, const char *inside, bool read_only)
{
    char from[4096], to[4096];
    struct stat found;
    snprintf(from, sizeof from, OLD "%s", host_path);
    snprintf(to, sizeof to, NEW "%s", inside);
    if (stat(from, &found) < 0)
        fault(host_path);
    if (S_ISDIR(found.st_mode)) {
        make_directories(to, 0755);
    } else {
        char *slash = strrchr(to, '/');
        *slash = 0;
        make_directories(to, 0755);
        *slash = '/';
        make_file(to, "");
    }
    if (mount(from, to, NULL, MS_BIND, NULL) < 0
        && mount(from, to, NULL, MS_BIND | MS_REC, NULL) < 0)
        fault(host_path);
    restrict_mount(to, read_only);
}

/* /bin, /lib and their like: symbolic links on a merged system, directories elsewhere. */
static void system_directory(const char *path)
{
    char from[64], to[64], target[256];
    struct stat found;
    snprintf(from, sizeof from, OLD "%s", path);
    snprintf(to, sizeof to, NEW "%s", path);
    if (lstat(from, &found) < 0)
        return;
    if (!S_ISLNK(found.st_mode)) {
        show(path, path, true);
        return;
    }
    ssize_t length = readlink(from, target, sizeof target - 1);
    if (length < 0)
        fault(path);
    target[length] = 0;
    if (symlink(target, to) < 0)
        fault(path);
}

static void temporary(const char *path, long megabytes)
{
    char how[96];
    snprintf(how, sizeof how, "size=%ldm,nr_inodes=16384,mode=1777", megabytes);
    make_directories(path, 0755);
    if (mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, how) < 0)
        fault(path);
}

/* What a program may write to; `root` is where it will be "/". */
static void program_tmp(const char *root, long megabytes)
{
    static const char *directories[] = {"/tmp/home", "/tmp/work", "/tmp/shm"};
    char path[64];
    snprintf(path, sizeof path, "%s/tmp", root);
    temporary(path, megabytes);
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
        snprintf(path, sizeof path, "%s%s", root, directories[i]);
        make_directories(path, 01777);
    }
}

void build_root(const struct options *options)
{
    static const char *devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                    "/dev/urandom"};
    static const char *system[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
    umask(022);
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        fault("private mounts");
    if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m") < 0)
        fault("tmpfs");
    if (mkdir("/tmp" OLD, 0755) < 0 || mkdir("/tmp" NEW, 0755) < 0)
        fault("root");
    if (syscall(SYS_pivot_root, "/tmp", "/tmp" OLD) < 0 || chdir("/") < 0)
        fault("pivot_root");
    if (mount(NEW, NEW, NULL, MS_BIND, NULL) < 0)
        fault("root");

    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        system_directory(system[i]);
    /* Before what is shown, some of which may lie in the machine's own /tmp. */
    program_tmp(NEW, options->tmp_mb);
    for (int i = 0; i < options->n_visible; i++)
        show(options->source[i], options->visible[i], true);
    show(options->directory, "/program", !options->writable);

    make_directories(NEW "/etc", 0755);
    make_file(NEW "/etc/passwd", "root:x:0:0::/:/bin/sh\nsandbox:x:65534:65534::/tmp/home:/bin/sh\n");
    make_file(NEW "/etc/group", "root:x:0:\nsandbox:x:65534:\n");
    make_file(NEW "/etc/hosts", "127.0.0.1 localhost\n");
    make_directories(NEW "/dev", 0755);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        char from[64], to[64];
        snprintf(to, sizeof to, NEW "%s", devices[i]);
        make_file(to, "");
        snprintf(from, sizeof from, OLD "%s", devices[i]);
        if (mount(from, to, NULL, MS_BIND, NULL) < 0)
            fault(devices[i]);
    }
    if (symlink("/proc/self/fd", NEW "/dev/fd") < 0)
        fault("/dev/fd");
    make_directories(NEW "/dev/shm", 0755);
    if (mount(NEW "/tmp/shm", NEW "/dev/shm", NULL, MS_BIND, NULL) < 0)
        fault("/dev/shm");
    /* While the old root is still there: a kernel refuses a fresh /proc without an old one. */
    make_directories(NEW "/proc", 0555);
    if (mount("proc", NEW "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
        fault("/proc");

    if (umount2(OLD, MNT_DETACH) < 0 || chdir(NEW) < 0)
        fault("old root");
    if (syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
        fault("pivot_root");
    if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) < 0)
        fault("read-only root");
    if (sethostname("mbxp", 4) < 0)
        fault("hostname");
}

void renew_root(const struct options *options)
{
    int kept[MAX_PATHS];
    struct stat found;
    char path[64];
    umask(022);
    if (unshare(CLONE_NEWNS | CLONE_NEWIPC) < 0)
        fault("namespaces");
    /* Part of what is shown may lie in /tmp: it is shown again on top of the new one. */
    for (int i = 0; i < options->n_visible; i++)
        if ((kept[i] = open(options->visible[i], O_PATH | O_CLOEXEC)) < 0)
            fault(options->visible[i]);
    program_tmp("", options->tmp_mb);
    for (int i = 0; i < options->n_visible; i++) {
        char folder[4096];
        snprintf(folder, sizeof folder, "%s", options->visible[i]);
        if (fstat(kept[i], &found) < 0)
            fault(folder);
        if (!S_ISDIR(found.st_mode))
            *strrchr(folder, '/') = 0;
        make_directories(folder, 0755);
        if (!S_ISDIR(found.st_mode))
            make_file(options->visible[i], "");
        snprintf(path, sizeof path, "/proc/self/fd/%d", kept[i]);
        if (mount(path, options->visible[i], NULL, MS_BIND, NULL) < 0)
            fault(options->visible[i]);
        close(kept[i]);
    }
    if (mount("/tmp/shm", "/dev/shm", NULL, MS_BIND, NULL) < 0)
        fault("/dev/shm");
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
        fault("/proc");
}

static void limit(int resource, rlim_t amount)
{
    struct rlimit both = {amount, amount};
    if (setrlimit(resource, &both) < 0)
        fault("setrlimit");
}

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#error "the system call filter knows x86_64 and aarch64 only"
#endif

#define FAIL(number, error) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define LOAD(what) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, what))

static void filter_system_calls(bool strong)
{
    enum { NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC
               | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET };
    /* Where a network namespace closes the network, any family is harmless. */
    unsigned checked = strong ? ~0u : (unsigned)SYS_socket;
    struct sock_filter rules[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
#ifdef __x86_64__
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), /* the x32 numbers */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
#endif
        FAIL(SYS_mount, EPERM), FAIL(SYS_umount2, EPERM), FAIL(SYS_pivot_root, EPERM),
        FAIL(SYS_chroot, EPERM), FAIL(SYS_setns, EPERM), FAIL(SYS_unshare, EPERM),
        FAIL(428 /* open_tree */, EPERM), FAIL(429 /* move_mount */, EPERM),
        FAIL(430 /* fsopen */, EPERM), FAIL(432 /* fsmount */, EPERM),
        FAIL(442 /* mount_setattr */, EPERM),
        FAIL(SYS_ptrace, EPERM), FAIL(SYS_process_vm_readv, EPERM),
        FAIL(SYS_process_vm_writev, EPERM), FAIL(438 /* pidfd_getfd */, EPERM),
        FAIL(SYS_keyctl, EPERM), FAIL(SYS_add_key, EPERM), FAIL(SYS_request_key, EPERM),
        FAIL(SYS_bpf, EPERM), FAIL(SYS_perf_event_open, EPERM), FAIL(SYS_userfaultfd, EPERM),
        FAIL(425 /* io_uring_setup */, ENOSYS), FAIL(SYS_init_module, EPERM),
        FAIL(SYS_finit_module, EPERM), FAIL(SYS_kexec_load, EPERM), FAIL(SYS_reboot, EPERM),
        FAIL(SYS_swapon, EPERM), FAIL(SYS_open_by_handle_at, EPERM),
        FAIL(435 /* clone3: its flags can't be read here; libc falls back to clone */, ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, checked, 0, 3),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
        fault("seccomp");
}

void drop_privileges(const struct options *options)
{
    struct rlimit stack = {8u << 20, 8u << 20};
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, (rlim_t)options->file_mb << 20);
    limit(RLIMIT_NOFILE, 1024);
    limit(RLIMIT_CPU, (rlim_t)(options->wall_seconds * (double)sysconf(_SC_NPROCESSORS_ONLN)) + 5);
    getrlimit(RLIMIT_STACK, &stack);
    stack.rlim_cur = 8u << 20;
    setrlimit(RLIMIT_STACK, &stack);
    FILE *score = fopen("/proc/self/oom_score_adj", "we");
    if (score) { /* if the machine runs out of memory, the sample goes first */
        fputs("1000", score);
        fclose(score);
    }
    if (syscall(SYS_close_range, 4u, ~0u, 4u /* close on exec */) < 0)
        for (int fd = 4; fd < 1024; fd++)
            fcntl(fd, F_SETFD, FD_CLOEXEC);
    for (unsigned long capability = 0; capability < 64; capability++)
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    if (options->uid) {
        if (setgroups(0, NULL) < 0 || setresgid(options->uid, options->uid, options->uid) < 0
            || setresuid(options->uid, options->uid, options->uid) < 0)
            fault("setresuid");
    }
    limit(RLIMIT_NPROC, (rlim_t)options->processes);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    if (syscall(SYS_capset, &header, none) < 0)
        fault("capset");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        fault("no_new_privs");
    filter_system_calls(options->strong);
}
