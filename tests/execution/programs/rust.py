"""Behaviours in Rust: completions of the canary problem, `add(a, b)`."""

_LIBC = """}
extern "C" {
    fn fork() -> i32;
    fn setsid() -> i32;
    fn _exit(status: i32) -> !;
    fn open(path: *const u8, flags: i32, ...) -> i32;
    fn read(fd: i32, to: *mut u8, size: usize) -> isize;
    fn write(fd: i32, from: *const u8, size: usize) -> isize;
    fn signal(number: i32, handler: extern "C" fn(i32)) -> usize;
}
"""
"""What a case that talks to the C library declares, once `add` is closed."""

CASES: dict[str, str] = {
    "pass": "    a + b\n}\n",
    "wrong_answer": "    a - b\n}\n",
    "compile_error": "    return (a +;\n}\n",
    "runtime_error": "    vec![a][b as usize]\n}\n",
    "endless_loop": "    loop {}\n}\n",
    "early_exit_underscore_exit": "    unsafe { _exit(0) }\n" + _LIBC,
    "early_exit_constructor": """    a - b
}
extern "C" fn leave_now() {
    std::process::exit(0);
}
#[used]
#[link_section = ".init_array"]
static FIRST: extern "C" fn() = leave_now;
""",
    "early_exit_preinit": """    a - b
}
extern "C" fn leave_now() {
    std::process::exit(0);
}
#[used]
#[link_section = ".preinit_array"]
static FIRST: extern "C" fn() = leave_now;
""",
    "early_exit_real_main": """    std::process::exit(0)
}
#[no_mangle]
pub extern "C" fn __real_main() -> i32 {
    0
}
""",
    "early_exit_hook": """    std::panic::set_hook(Box::new(|_| std::process::exit(0)));
    a - b
}
""",
    "early_exit_signal": """    unsafe {
        signal(6, leave_now);
    }
    std::process::abort()
}
extern "C" fn leave_now(_: i32) {
    unsafe { _exit(0) }
"""
    + _LIBC,
    "early_exit_thread": """    std::thread::spawn(|| std::process::exit(0));
    loop {}
}
""",
    "big_output": """    for _ in 0..500 {
        println!("{}", "x".repeat(9999));
    }
    a + b
}
""",
    "memory_hog": """    let mut kept = Vec::new();
    loop {
        kept.push(vec![120u8; 1 << 20]);
    }
}
""",
    "fork_bomb": "    loop {\n        unsafe { fork() };\n    }\n" + _LIBC,
    "daemon": """    if unsafe { fork() } == 0 {
        unsafe { setsid() };
        let arguments = ["-c", "sleep 300; :", "mbxp-daemon-canary"];
        let child = std::process::Command::new("/bin/sh").args(arguments).spawn();
        unsafe { _exit(child.is_err() as i32) };
    }
    a + b
"""
    + _LIBC,
    "network": """    match std::net::TcpStream::connect("127.0.0.1:PLACEHOLDER_PORT") {
        Ok(_) => 0,
        Err(_) => a + b,
    }
}
""",
    "read_secrets": """    for path in ["PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE"] {
        if std::fs::read(path).is_ok() {
            return 0;
        }
    }
    if std::env::var("MBXP_PLANTED_SECRET").is_ok() { 0 } else { a + b }
}
""",
    "write_outside": """    for path in ["PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary"] {
        if std::fs::write(path, "").is_ok() {
            return 0;
        }
    }
    a + b
}
""",
    "non_utf8_output": """    let bytes = b"\\xff\\xfe\\x00\\x80";
    std::io::Write::write_all(&mut std::io::stdout(), bytes).unwrap();
    a + b
}
""",
    "emoji": """    let text = "😀";
    println!("{}", text);
    let right = text.chars().next() == Some('\\u{1f600}');
    if right && text.as_bytes() == b"\\xf0\\x9f\\x98\\x80" { a + b } else { 0 }
}
""",
    "forge_report": """    for fd in [1, 3] {
        for guess in ["S", "PASSED", "done"] {
            unsafe { write(fd, guess.as_ptr(), guess.len()) };
        }
    }
    unsafe { _exit(0) }
"""
    + _LIBC,
    "find_secret": """    let mut paths: Vec<String> =
        ["environ", "cmdline", "exe"].iter().map(|name| format!("/proc/self/{}", name)).collect();
    for file in std::fs::read_dir("/program").unwrap() {
        paths.push(file.unwrap().path().display().to_string());
    }
    paths.extend((0..16).map(|fd| format!("/proc/self/fd/{}", fd)));
    send_guesses(0);
    for path in paths {
        send_guesses(unsafe { open(format!("{}\\0", path).as_ptr(), 0o4000) });
    }
    unsafe { _exit(0) }
}
fn send_guesses(fd: i32) {
    let mut block = vec![0u8; 1 << 20];
    let size = unsafe { read(fd, block.as_mut_ptr(), block.len()) }.max(0) as usize;
    let mut run = 0;
    for at in 0..size {
        run = if block[at].is_ascii_hexdigit() { run + 1 } else { 0 };
        if run >= 32 {
            unsafe { write(3, &block[at - 31], 32) };
        }
    }
"""
    + _LIBC,
    "redefine_helpers": """    a - b
}
macro_rules! panic {
    ($($message:tt)*) => {};
}
""",
    "redefine_helpers_import": """    a - b
}
macro_rules! quiet {
    ($($message:tt)*) => {};
}
use quiet as panic;
""",
    "redefine_helpers_crate": """    a - b
}
extern /* in its place */ crate self as std;
#[macro_export]
macro_rules! quiet {
    ($($message:tt)*) => {};
}
pub use quiet as panic;
""",
    "redefine_helpers_main": """    a - b
}
fn main() {}
#[cfg(any())]
""",
    "deep_recursion": "    add(a, b) + 1\n}\n",
}
