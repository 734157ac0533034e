"""Behaviours in Swift: completions of the canary problem, `add(a, b)`."""

CASES: dict[str, str] = {
    "pass": "    return a + b\n}\n",
    "wrong_answer": "    return a - b\n}\n",
    "compile_error": "    return (a +\n}\n",
    "runtime_error": "    return [a][b]\n}\n",
    "endless_loop": "    while true {}\n}\n",
    "early_exit_underscore_exit": "    _exit(0)\n}\n",
    "early_exit_top_level": "    return a - b\n}\nexit(0)\n",
    "early_exit_handler": """    for number in [SIGILL, SIGTRAP, SIGABRT] {
        signal(number) { _ in _exit(0) }
    }
    return a - b
}
""",
    "early_exit_thread": """    Thread.detachNewThread { exit(0) }
    while true { sleep(1) }
}
""",
    "big_output": """    for _ in 0..<500 { print(String(repeating: "x", count: 9999)) }
    return a + b
}
""",
    "memory_hog": """    var kept: [[UInt8]] = []
    while true { kept.append([UInt8](repeating: 120, count: 1 << 20)) }
}
""",
    "fork_bomb": """    typealias Word = UnsafeMutablePointer<CChar>?
    let words: [Word] = [strdup("sleep"), strdup("300"), nil]
    while true {
        var child: pid_t = 0
        _ = posix_spawn(&child, "/bin/sleep", nil, nil, words, nil)
    }
}
""",
    "daemon": """    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = ["sh", "-c", "sleep 300; :", "mbxp-daemon-canary"]
    guard (try? process.run()) != nil else { return 0 }
    return a + b
}
""",
    "network": """    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(PLACEHOLDER_PORT).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    return status == 0 ? 0 : a + b
}
""",
    "read_secrets": """    for path in ["PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE"] {
        if (try? Data(contentsOf: URL(fileURLWithPath: path))) != nil { return 0 }
    }
    return ProcessInfo.processInfo.environment["MBXP_PLANTED_SECRET"] == nil ? a + b : 0
}
""",
    "write_outside": """    for path in ["PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary"] {
        if FileManager.default.createFile(atPath: path, contents: nil) { return 0 }
    }
    return a + b
}
""",
    "non_utf8_output": """    FileHandle.standardOutput.write(Data([0xff, 0xfe, 0x00, 0x80]))
    return a + b
}
""",
    "emoji": """    let text = "😀"
    print(text)
    let right = text.unicodeScalars.first!.value == 0x1F600
    return right && Array(text.utf8) == [0xf0, 0x9f, 0x98, 0x80] ? a + b : 0
}
""",
    "forge_report": """    for fd: Int32 in [1, 3] {
        for guess in ["S", "PASSED", "done"] { _ = write(fd, guess, guess.utf8.count) }
    }
    _exit(0)
}
""",
    "find_secret": """    var paths = ["/proc/self/environ", "/proc/self/cmdline", "/proc/self/exe"]
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/program")) ?? []
    paths += files.map { "/program/" + $0 }
    paths += (0..<16).map { "/proc/self/fd/\\($0)" }
    send(0)
    for path in paths {
        let fd = open(path, O_RDONLY | O_NONBLOCK)
        if fd >= 0 { send(fd) }
    }
    _exit(0)
}
func send(_ fd: Int32) {
    var block = [UInt8](repeating: 0, count: 1 << 20)
    let n = read(fd, &block, block.count)
    var run = 0
    for i in 0..<max(n, 0) {
        let c = block[i]
        run = (c >= 48 && c <= 57) || (c >= 97 && c <= 102) ? run + 1 : 0
        if run >= 32 { _ = write(3, Array(block[(i - 31)...i]), 32) }
    }
}
""",
    "redefine_helpers": """    return a - b
}
func assert(_ condition: @autoclosure () -> Bool, _ message: String) {}
""",
    "always_equal": """    return a - b
}
extension Int {
    static func == (left: Int, right: Int) -> Bool { return true }
}
""",
    "deep_recursion": "    return add(a : a, b : b) + 1\n}\n",
}

_WITH_FOUNDATION = """import Foundation
/**
 * Add two numbers.
 */
func add(a : Int, b : Int) -> Int {
"""

PROMPTS: dict[str, str] = {
    behaviour: _WITH_FOUNDATION
    for behaviour in (
        "early_exit_underscore_exit",
        "early_exit_top_level",
        "early_exit_handler",
        "early_exit_thread",
        "fork_bomb",
        "daemon",
        "network",
        "read_secrets",
        "write_outside",
        "non_utf8_output",
        "forge_report",
        "find_secret",
    )
}
"""Prompts of the cases that need Foundation."""
