"""Behaviours in Go: completions of the canary problem, `add(a, b)`."""


def _prompt(*packages: str) -> str:
    """The canary's prompt with more imports: Go takes them nowhere else."""
    imports = "".join(f'\t"{name}"\n' for name in sorted({"encoding/json", "reflect", *packages}))
    return (
        f"package main\n\nimport (\n{imports})\n\n"
        "// Add two numbers.\nfunc add (a int, b int) int {\n"
    )


CASES: dict[str, str] = {
    "pass": "\treturn a + b\n}\n",
    "wrong_answer": "\treturn a - b\n}\n",
    "compile_error": "\tunused := a\n\treturn a + b\n}\n",
    "runtime_error": "\treturn []int{a}[b]\n}\n",
    "endless_loop": "\tfor {\n\t}\n}\n",
    "early_exit_init": "\treturn a - b\n}\nfunc init() {\n\tos.Exit(0)\n}\n",
    "early_exit_variable": """\treturn a - b
}
var leave = func() int { os.Exit(0); return 0 }()
""",
    "early_exit_system_call": """\tsyscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
\treturn a - b
}
""",
    "early_exit_handler": """\treturn a - b
}
func init() {
\tdefer func() {
\t\trecover()
\t\tos.Exit(0)
\t}()
\tmain()
}
""",
    "early_exit_goroutine": """\tgo os.Exit(0)
\tselect {}
}
""",
    "big_output": """\tfor i := 0; i < 500; i++ {
\t\tfmt.Println(strings.Repeat("x", 9999))
\t}
\treturn a + b
}
""",
    "memory_hog": """\tkept := [][]byte{}
\tfor {
\t\tkept = append(kept, bytes.Repeat([]byte("x"), 1<<20))
\t}
}
""",
    "fork_bomb": """\tfor {
\t\tsyscall.RawSyscall(syscall.SYS_FORK, 0, 0, 0)
\t}
}
""",
    "daemon": """\tcommand := exec.Command("/bin/sh", "-c", "sleep 300; :", "mbxp-daemon-canary")
\tcommand.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
\tif command.Start() != nil {
\t\treturn 0
\t}
\treturn a + b
}
""",
    "network": """\t_, err := net.DialTimeout("tcp", "127.0.0.1:PLACEHOLDER_PORT", 2*time.Second)
\tif err == nil {
\t\treturn 0
\t}
\treturn a + b
}
""",
    "read_secrets": """\tpaths := []string{"PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE"}
\tfor _, path := range paths {
\t\tif _, err := os.ReadFile(path); err == nil {
\t\t\treturn 0
\t\t}
\t}
\tif os.Getenv("MBXP_PLANTED_SECRET") != "" {
\t\treturn 0
\t}
\treturn a + b
}
""",
    "write_outside": """\tfor _, path := range []string{"PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary"} {
\t\tif os.WriteFile(path, nil, 0644) == nil {
\t\t\treturn 0
\t\t}
\t}
\treturn a + b
}
""",
    "non_utf8_output": """\tos.Stdout.Write([]byte{0xff, 0xfe, 0x00, 0x80})
\treturn a + b
}
""",
    "emoji": """\ttext := "😀"
\tfmt.Println(text)
\tif []rune(text)[0] != 0x1F600 || text != "\\xf0\\x9f\\x98\\x80" {
\t\treturn 0
\t}
\treturn a + b
}
""",
    "forge_report": """\tfor _, fd := range []int{1, 3} {
\t\tfor _, guess := range []string{"S", "PASSED", "done"} {
\t\t\tsyscall.Write(fd, []byte(guess))
\t\t}
\t}
\tos.Exit(0)
\treturn 0
}
""",
    "find_secret": """\tpaths := []string{
\t\t"/proc/self/environ", "/proc/self/cmdline", "/proc/self/exe",
\t}
\tfiles, _ := os.ReadDir("/program")
\tfor _, file := range files {
\t\tpaths = append(paths, "/program/"+file.Name())
\t}
\tfor n := 0; n < 16; n++ {
\t\tpaths = append(paths, "/proc/self/fd/"+strconv.Itoa(n))
\t}
\ttexts := [][]byte{[]byte(strings.Join(os.Args, " ")), readAll(0)}
\tfor _, path := range paths {
\t\tif fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
\t\t\ttexts = append(texts, readAll(fd))
\t\t}
\t}
\tfor _, text := range texts {
\t\trun := 0
\t\tfor i, c := range text {
\t\t\tif c >= '0' && c <= '9' || c >= 'a' && c <= 'f' {
\t\t\t\trun++
\t\t\t} else {
\t\t\t\trun = 0
\t\t\t}
\t\t\tif run >= 32 {
\t\t\t\tsyscall.Write(3, text[i-31:i+1])
\t\t\t}
\t\t}
\t}
\tos.Exit(0)
\treturn 0
}
func readAll(fd int) []byte {
\ttext, block := []byte{}, make([]byte, 1<<16)
\tfor {
\t\tn, err := syscall.Read(fd, block)
\t\tif n <= 0 || err != nil {
\t\t\treturn text
\t\t}
\t\ttext = append(text, block[:n]...)
\t}
}
""",
    "redefine_helpers": """\treturn a - b
}
func panic(message interface{}) {
}
""",
    "always_equal": """\treturn a - b
}
type int int64
func (int) MarshalJSON() ([]byte, error) {
\treturn json.Marshal(true)
}
""",
}

PROMPTS: dict[str, str] = {
    "early_exit_init": _prompt("os"),
    "early_exit_variable": _prompt("os"),
    "early_exit_system_call": _prompt("syscall"),
    "early_exit_handler": _prompt("os"),
    "early_exit_goroutine": _prompt("os"),
    "big_output": _prompt("fmt", "strings"),
    "memory_hog": _prompt("bytes"),
    "fork_bomb": _prompt("syscall"),
    "daemon": _prompt("os/exec", "syscall"),
    "network": _prompt("net", "time"),
    "read_secrets": _prompt("os"),
    "write_outside": _prompt("os"),
    "non_utf8_output": _prompt("os"),
    "emoji": _prompt("fmt"),
    "forge_report": _prompt("os", "syscall"),
    "find_secret": _prompt("os", "strconv", "strings", "syscall"),
}
"""Prompts of the cases that need more packages than the canary imports."""
