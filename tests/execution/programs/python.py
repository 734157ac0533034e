"""Behaviours in Python: completions of the canary problem, `add(a, b)`."""

_RIGHT = "    return a + b\n"

CASES: dict[str, str] = {
    "pass": _RIGHT,
    "wrong_answer": "    return a - b\n",
    "compile_error": "    return (a +\n",
    "runtime_error": "    return a + missing\n",
    "endless_loop": "    while True:\n        pass\n",
    "early_exit_os_exit": "    import os\n    os._exit(0)\n",
    "early_exit_system_exit": "    raise SystemExit\n",
    "early_exit_handler": """    import os, sys
    sys.excepthook = lambda *error: os._exit(0)
    return a - b
""",
    "early_exit_at_exit": """    import atexit, os
    atexit.register(os._exit, 0)
    return a - b
""",
    "big_output": """    for _ in range(500):
        print("x" * 9999)
    return a + b
""",
    "memory_hog": """    kept = []
    while True:
        kept.append(bytearray(b"x" * (1 << 20)))
""",
    "fork_bomb": """    import os
    while True:
        try:
            os.fork()
        except OSError:
            pass
""",
    "daemon": """    import subprocess
    subprocess.Popen(
        ["sh", "-c", "sleep 300; :", "mbxp-daemon-canary"],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return a + b
""",
    "network": """    import socket
    try:
        socket.create_connection(("127.0.0.1", PLACEHOLDER_PORT), 2)
    except OSError:
        return a + b
""",
    "read_secrets": """    import os
    for path in ("PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE"):
        try:
            open(path).read()
            return None
        except OSError:
            pass
    return None if os.environ.get("MBXP_PLANTED_SECRET") else a + b
""",
    "write_outside": """    for path in ("PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary"):
        try:
            open(path, "w").close()
            return None
        except OSError:
            pass
    return a + b
""",
    "non_utf8_output": """    import sys
    sys.stdout.buffer.write(b"\\xff\\xfe\\x00\\x80")
    return a + b
""",
    "emoji": """    text = "😀"
    print(text)
    if [ord(c) for c in text] == [0x1F600] and text.encode() == b"\\xf0\\x9f\\x98\\x80":
        return a + b
""",
    "forge_report": """    import os
    for fd in (1, 3):
        for guess in (b"S", b"PASSED", b"done"):
            os.write(fd, guess)
    os._exit(0)
""",
    "find_secret": """    import gc, glob, os, re, sys
    texts = [repr(sys.argv), repr(dict(os.environ)), sys.stdin.read(), repr(gc.get_objects())]
    frame = sys._getframe()
    while frame:
        texts += [repr(frame.f_locals), repr(frame.f_globals), repr(frame.f_code.co_consts)]
        texts.append(repr(gc.get_referents(frame)))
        frame = frame.f_back
    paths = ["/proc/self/cmdline", "/proc/self/environ", __file__]
    paths += glob.glob(os.path.dirname(__file__) + "/*")
    paths += ["/proc/self/fd/%d" % n for n in range(16)]
    for path in paths:
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            texts.append(os.read(fd, 1 << 20).decode("latin1"))
        except OSError:
            pass
    for text in texts:
        for guess in re.findall("[0-9a-f]{32}", text):
            os.write(3, guess.encode())
    os._exit(0)
""",
    "redefine_helpers": """    global check
    check = lambda candidate: None
    import builtins
    for frame in (sys_frame() for sys_frame in (__import__("sys")._getframe,)):
        while frame:
            frame.f_globals["check"] = check
            frame = frame.f_back
    return a - b
def check(candidate):
    pass
""",
    "always_equal": """    class Equal(int):
        def __eq__(self, other):
            return True
    return Equal()
""",
    "deep_recursion": "    return add(a, b)\n",
}
