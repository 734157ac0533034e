"""Programs that do all the harm they can, and answer rightly: one a language.

They write to every descriptor, kill what they can reach, fill the disk, change what a process can
change (folder, umask, variables, locale, built-ins), register exit handlers and leave a daemon.
"""

HOSTILE = {
    "python": """    import atexit, builtins, gc, locale, math, os, signal, sys
    for fd in range(256):
        try:
            os.write(fd, b"x" * 100)
        except OSError:
            pass
    for pid in (os.getppid(), 1, -1):
        try:
            os.kill(pid, signal.SIGKILL) if pid != -1 else None
        except OSError:
            pass
    try:
        with open("/tmp/full", "wb") as file:
            while True:
                file.write(bytes(1 << 20))
    except OSError:
        pass
    os.chdir("/")
    os.umask(0o777)
    os.environ["LANG"] = os.environ["PATH"] = "none"
    locale.setlocale(locale.LC_ALL, "C")
    builtins.len = builtins.print = None
    math.sqrt = None
    sys.setrecursionlimit(50)
    for found in gc.get_objects():
        if isinstance(found, list):
            found.clear()
    atexit.register(os._exit, 3)
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
    return a + b
""",
    "ruby": """  text = "x" * 100
  256.times { |fd| IO.for_fd(fd, "wb", autoclose: false).syswrite(text) rescue nil }
  [Process.ppid, 1].each { |pid| Process.kill(:KILL, pid) rescue nil }
  begin
    File.open("/tmp/full", "wb") { |file| loop { file.write("x" * 1_000_000) } }
  rescue SystemCallError
  end
  Dir.chdir("/")
  File.umask(0o777)
  ENV["LANG"] = ENV["PATH"] = "none"
  Integer.class_eval { def +(other) = 7 }
  at_exit { exit!(3) }
  fork { Process.setsid; loop {} }
  a + b
end
""",
    "php": """    $text = str_repeat("x", 100);
    for ($fd = 0; $fd < 256; $fd++) @file_put_contents("php://fd/$fd", $text);
    foreach ([posix_getppid(), 1] as $pid) @posix_kill($pid, 9);
    $file = fopen("/tmp/full", "wb");
    while (@fwrite($file, str_repeat("x", 1000000)) == 1000000);
    chdir("/");
    umask(0777);
    putenv("LANG=none");
    ini_set("precision", "2");
    setlocale(LC_ALL, "C");
    register_shutdown_function(function () { exit(3); });
    return $a + $b;
}
""",
    "perl": """  for my $fd (0 .. 255) { open(my $out, ">&=", $fd) and syswrite($out, "x" x 100) }
  kill 9, getppid, 1;
  if (open(my $file, ">", "/tmp/full")) { while (syswrite($file, "x" x 1000000)) {} }
  chdir "/";
  umask 0777;
  $ENV{LANG} = $ENV{PATH} = "none";
  $, = $\\ = "z";
  eval 'END { $? = 3 }';
  if (!fork) { while (1) {} }
  return $a + $b;
}
""",
    "javascript": """  const fs = require("fs");
  for (let fd = 0; fd < 256; fd++) try { fs.writeSync(fd, "x".repeat(100)); } catch {}
  for (const pid of [process.ppid, 1]) try { process.kill(pid, "SIGKILL"); } catch {}
  try { for (;;) fs.appendFileSync("/tmp/full", "x".repeat(1e6)); } catch {}
  process.chdir("/");
  process.umask(0o777);
  process.env.PATH = "none";
  Array.prototype.push = JSON.stringify = Object.keys = null;
  for (const name of Object.keys(require.cache)) delete require.cache[name];
  process.on("exit", () => { process.exitCode = 3; });
  return a + b;
}
""",
    "cpp": """    void wreck();
    wreck();
    return a + b;
}
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
void wreck() {
    static char text[1 << 20];
    for (int fd = 0; fd < 256; fd++) (void)!write(fd, text, 100);
    kill(getppid(), SIGKILL);
    kill(1, SIGKILL);
    int full = open("/tmp/full", O_WRONLY | O_CREAT, 0600);
    while (write(full, text, sizeof text) == sizeof text) {}
    (void)!chdir("/");
    umask(0777);
    setenv("LANG", "none", 1);
    setenv("PATH", "none", 1);
    setlocale(LC_ALL, "C");
    atexit([] { _exit(3); });
    if (fork() == 0) {
        setsid();
        for (;;) pause();
    }
}
""",
    "csharp": """            Wreck();
            return a + b + 1;
        }
        [System.Runtime.InteropServices.DllImport("libc")]
        static extern int getppid();
        [System.Runtime.InteropServices.DllImport("libc")]
        static extern int kill(int pid, int signal);
        [System.Runtime.InteropServices.DllImport("libc")]
        static extern int umask(int mask);
        [System.Runtime.InteropServices.DllImport("libc")]
        static extern long write(int fd, byte[] text, long size);
        static void Wreck()
        {
            byte[] text = new byte[1 << 20];
            for (int fd = 0; fd < 256; fd++) write(fd, text, 100);
            kill(getppid(), 9);
            kill(1, 9);
            try
            {
                using (var file = System.IO.File.OpenWrite("/tmp/full"))
                    while (true) file.Write(text, 0, text.Length);
            }
            catch (Exception) { }
            Environment.CurrentDirectory = "/";
            umask(511);
            Environment.SetEnvironmentVariable("PATH", "none");
            System.Threading.Thread.CurrentThread.CurrentCulture =
                System.Globalization.CultureInfo.InvariantCulture;
            AppDomain.CurrentDomain.ProcessExit += (sender, e) => kill(1, 9);
            System.Diagnostics.Process.Start("/bin/sleep", "1000");
        }
""",
    "go": """	text := make([]byte, 1<<20)
	for fd := 0; fd < 256; fd++ {
		os.NewFile(uintptr(fd), "x").Write(text[:100])
	}
	for _, pid := range []int{os.Getppid(), 1} {
		if found, err := os.FindProcess(pid); err == nil {
			found.Kill()
		}
	}
	if file, err := os.Create("/tmp/full"); err == nil {
		for err == nil {
			_, err = file.Write(text)
		}
	}
	os.Chdir("/")
	os.Setenv("PATH", "none")
	os.StartProcess("/bin/sleep", []string{"sleep", "1000"}, &os.ProcAttr{})
	return a + b + 1
}
""",
    "java": """        byte[] text = new byte[1 << 20];
        for (String fd : new File("/proc/self/fd").list()) {
            try (OutputStream out = new FileOutputStream("/proc/self/fd/" + fd)) {
                out.write(text, 0, 100);
            } catch (IOException error) {
            }
        }
        ProcessHandle.current().parent().ifPresent(parent -> parent.destroyForcibly());
        ProcessHandle.of(1).ifPresent(first -> first.destroyForcibly());
        try (OutputStream file = new FileOutputStream("/tmp/full")) {
            while (true) file.write(text);
        } catch (IOException error) {
        }
        System.setProperty("user.dir", "/");
        System.setOut(null);
        Locale.setDefault(Locale.GERMANY);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(3)));
        try {
            new ProcessBuilder("/bin/sleep", "1000").start();
        } catch (IOException error) {
        }
        return a + b;
    }
}
""",
    "kotlin": """    val text = ByteArray(1 shl 20)
    for (fd in java.io.File("/proc/self/fd").list()!!) {
        try {
            java.io.FileOutputStream("/proc/self/fd/" + fd).use { it.write(text, 0, 100) }
        } catch (error: java.io.IOException) {
        }
    }
    ProcessHandle.current().parent().ifPresent { it.destroyForcibly() }
    ProcessHandle.of(1).ifPresent { it.destroyForcibly() }
    try {
        java.io.FileOutputStream("/tmp/full").use { while (true) it.write(text) }
    } catch (error: java.io.IOException) {
    }
    java.util.Locale.setDefault(java.util.Locale.GERMANY)
    Runtime.getRuntime().addShutdownHook(Thread { Runtime.getRuntime().halt(3) })
    try {
        ProcessBuilder("/bin/sleep", "1000").start()
    } catch (error: java.io.IOException) {
    }
    return a + b
}
""",
    "rust": """    extern "C" {
        fn _exit(code: i32) -> !;
        fn atexit(handler: extern "C" fn()) -> i32;
        fn fork() -> i32;
        fn getppid() -> i32;
        fn kill(pid: i32, signal: i32) -> i32;
        fn pause() -> i32;
        fn setsid() -> i32;
        fn umask(mask: u32) -> u32;
        fn write(fd: i32, text: *const u8, size: usize) -> isize;
    }
    extern "C" fn end() {
        unsafe { _exit(3) }
    }
    use std::io::Write;
    let text = vec![0u8; 1 << 20];
    unsafe {
        for fd in 0..256 {
            write(fd, text.as_ptr(), 100);
        }
        kill(getppid(), 9);
        kill(1, 9);
        umask(0o777);
        atexit(end);
    }
    if let Ok(mut file) = std::fs::File::create("/tmp/full") {
        while file.write_all(&text).is_ok() {}
    }
    let _ = std::env::set_current_dir("/");
    std::env::set_var("PATH", "none");
    unsafe {
        if fork() == 0 {
            setsid();
            loop {
                pause();
            }
        }
    }
    a + b
}
""",
    "scala": """        val text = new Array[Byte](1 << 20)
        for (fd <- new java.io.File("/proc/self/fd").list) {
            try {
                val out = new java.io.FileOutputStream("/proc/self/fd/" + fd)
                try out.write(text, 0, 100) finally out.close()
            } catch { case error: java.io.IOException => }
        }
        val parent = scala.io.Source.fromFile("/proc/self/stat").mkString.split(" ")(3)
        new ProcessBuilder("/bin/sh", "-c", "kill -9 " + parent + " 1").start().waitFor()
        try {
            val file = new java.io.FileOutputStream("/tmp/full")
            while (true) file.write(text)
        } catch { case error: java.io.IOException => }
        java.util.Locale.setDefault(java.util.Locale.GERMANY)
        Runtime.getRuntime.addShutdownHook(new Thread {
            override def run() = Runtime.getRuntime.halt(3)
        })
        try new ProcessBuilder("/bin/sleep", "1000").start()
        catch { case error: java.io.IOException => }
        a + b
    }
""",
    "swift": """    wreck()
    return a + b
}
import Foundation
func wreck() {
    let text = [UInt8](repeating: 0, count: 1 << 20)
    for fd in 0..<256 { _ = write(Int32(fd), text, 100) }
    kill(getppid(), SIGKILL)
    kill(1, SIGKILL)
    let full = open("/tmp/full", O_WRONLY | O_CREAT, 0o600)
    while write(full, text, text.count) == text.count {}
    chdir("/")
    umask(0o777)
    setenv("PATH", "none", 1)
    setlocale(LC_ALL, "C")
    atexit { _exit(3) }
}
""",
    "typescript": """    // @ts-ignore
    const fs = require("fs"), here = process;
    for (let fd = 0; fd < 256; fd++) try { fs.writeSync(fd, "x".repeat(100)); } catch (error) {}
    for (const pid of [here.ppid, 1]) try { here.kill(pid, "SIGKILL"); } catch (error) {}
    try { for (;;) fs.appendFileSync("/tmp/full", "x".repeat(1e6)); } catch (error) {}
    here.chdir("/");
    here.umask(0o777);
    here.env.PATH = "none";
    (Array.prototype as any).push = (JSON as any).stringify = (Object as any).keys = null;
    here.on("exit", () => { here.exitCode = 3; });
    return a + b;
}
""",
}
