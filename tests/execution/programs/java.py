"""Behaviours in Java: completions of the canary problem, `add(a, b)`."""

_END = "    }\n}"
_RIGHT = f"        return a + b;\n{_END}"

CASES: dict[str, str] = {
    "pass": _RIGHT,
    "wrong_answer": f"        return a - b;\n{_END}",
    "compile_error": f"        return a + missing;\n{_END}",
    "runtime_error": f"        int[] none = {{}};\n        return none[a];\n{_END}",
    "endless_loop": f"        while (true) {{}}\n{_END}",
    "early_exit_halt": f"        Runtime.getRuntime().halt(0);\n{_RIGHT}",
    "early_exit_static": """        return a - b;
    }
    static {
        System.exit(0);
    }
}""",
    "early_exit_exception": """        return a - b;
    }
}
class java {
    static class lang {
        static class Exception extends RuntimeException {
            Exception(String message) {
                System.exit(0);
            }
        }
    }
}""",
    "early_exit_at_exit": """\
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
        System.exit(1);
        return a - b;
    }
}""",
    "big_output": f"""        for (int i = 0; i < 500; i++) System.out.println("x".repeat(9999));
{_RIGHT}""",
    "memory_hog": f"""        List<byte[]> kept = new ArrayList<>();
        while (true) kept.add(new byte[1 << 20]);
{_END}""",
    "fork_bomb": f"""        while (true) {{
            try {{
                new ProcessBuilder("sh", "-c", "sleep 100").start();
                Thread.sleep(5);
            }} catch (Throwable ignored) {{
            }}
        }}
{_END}""",
    "daemon": f"""        try {{
            new ProcessBuilder("setsid", "sh", "-c", "sleep 300; :", "mbxp-daemon-canary")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        }} catch (IOException error) {{
            return -1;
        }}
{_RIGHT}""",
    "network": """        try (java.net.Socket socket = new java.net.Socket()) {
            socket.connect(new java.net.InetSocketAddress("127.0.0.1", PLACEHOLDER_PORT), 2000);
            return -1;
        } catch (IOException refused) {
            return a + b;
        }
    }
}""",
    "read_secrets": """\
        for (String path : new String[] {"PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE"}) {
            try (FileInputStream file = new FileInputStream(path)) {
                return -1;
            } catch (IOException refused) {
            }
        }
        return System.getenv("MBXP_PLANTED_SECRET") == null ? a + b : -1;
    }
}""",
    "write_outside": f"""\
        for (String path : new String[] {{"PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary"}}) {{
            try (FileOutputStream file = new FileOutputStream(path)) {{
                return -1;
            }} catch (IOException refused) {{
            }}
        }}
{_RIGHT}""",
    "non_utf8_output": f"""\
        System.out.write(new byte[] {{(byte) 0xff, (byte) 0xfe, 0, (byte) 0x80}}, 0, 4);
        System.out.flush();
{_RIGHT}""",
    "emoji": """        String text = "😀";
        System.out.println(text);
        byte[] expected = {(byte) 0xf0, (byte) 0x9f, (byte) 0x98, (byte) 0x80};
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        return text.codePointAt(0) == 0x1F600 && Arrays.equals(bytes, expected) ? a + b : -1;
    }
}""",
    "forge_report": f"""\
        for (String path : new String[] {{"/proc/self/fd/1", "/proc/self/fd/3"}}) {{
            try (FileOutputStream file = new FileOutputStream(path)) {{
                for (String guess : new String[] {{"S", "PASSED", "done"}}) {{
                    file.write(guess.getBytes());
                }}
            }} catch (IOException ignored) {{
            }}
        }}
        System.exit(0);
{_RIGHT}""",
    "find_secret": """        StringBuilder texts = new StringBuilder();
        texts.append(System.getenv()).append(System.getProperties());
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            try {
                Class<?> caller = Class.forName(frame.getClassName());
                for (java.lang.reflect.Field field : caller.getDeclaredFields()) {
                    field.setAccessible(true);
                    Object value = field.get(null);
                    texts.append(value instanceof byte[] ? new String((byte[]) value) : value);
                }
            } catch (Exception ignored) {
            }
        }
        List<String> paths = new ArrayList<>();
        paths.add("/proc/self/environ");
        paths.add("/proc/self/cmdline");
        try (var files = java.nio.file.Files.walk(java.nio.file.Path.of("/program"))) {
            files.forEach(file -> paths.add(file.toString()));
        } catch (IOException ignored) {
        }
        for (String path : paths) {
            try (FileInputStream file = new FileInputStream(path)) {
                texts.append(new String(file.readAllBytes(), "ISO-8859-1"));
            } catch (IOException ignored) {
            }
        }
        for (int n = 0; n < 16; n++) {
            try (FileInputStream file = new FileInputStream("/proc/self/fd/" + n)) {
                int ready = Math.min(file.available(), 1 << 20);
                texts.append(new String(file.readNBytes(ready), "ISO-8859-1"));
            } catch (IOException ignored) {
            }
        }
        try (FileOutputStream report = new FileOutputStream("/proc/self/fd/3")) {
            texts.append(new String(System.in.readAllBytes(), "ISO-8859-1"));
            var guesses = java.util.regex.Pattern.compile("[0-9a-f]{32}").matcher(texts);
            while (guesses.find()) report.write(guesses.group().getBytes());
        } catch (IOException ignored) {
        }
        System.exit(0);
        return a + b;
    }
}""",
    "redefine_helpers": """        try {
            java.lang.reflect.Field value = Integer.class.getDeclaredField("value");
            value.setAccessible(true);
            value.set(a - b, a + b);
        } catch (Exception refused) {
        }
        return a - b;
    }
}""",
    "always_equal": """        return a - b;
    }
}
class Object {
    public boolean equals(Object other) {
        return true;
    }
}""",
    "deep_recursion": f"        return 1 + add(a, b);\n{_END}",
}
