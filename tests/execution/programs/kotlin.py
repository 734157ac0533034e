"""Behaviours in Kotlin: completions of the canary problem, `add(a, b)`."""

_RIGHT = "    return a + b\n}\n"

CASES: dict[str, str] = {
    "pass": _RIGHT,
    "wrong_answer": "    return a - b\n}\n",
    "compile_error": "    return a + missing\n}\n",
    "runtime_error": "    return listOf<Int>()[a]\n}\n",
    "endless_loop": "    while (true) {}\n}\n",
    "early_exit_halt": f"    Runtime.getRuntime().halt(0)\n{_RIGHT}",
    "early_exit_static": """    return a - b
}
val exited: Int = kotlin.system.exitProcess(0)
""",
    "early_exit_exception": """    return a - b
}
fun Exception(message: String): Throwable {
    kotlin.system.exitProcess(0)
}
""",
    "early_exit_at_exit": """\
    Runtime.getRuntime().addShutdownHook(Thread { Runtime.getRuntime().halt(0) })
    kotlin.system.exitProcess(1)
}
""",
    "big_output": f"""    repeat(500) {{ println("x".repeat(9999)) }}
{_RIGHT}""",
    "memory_hog": """    val kept = mutableListOf<ByteArray>()
    while (true) kept.add(ByteArray(1 shl 20))
}
""",
    "fork_bomb": """    while (true) {
        try {
            ProcessBuilder("sh", "-c", "sleep 100").start()
            Thread.sleep(5)
        } catch (ignored: Throwable) {
        }
    }
}
""",
    "daemon": f"""    ProcessBuilder("setsid", "sh", "-c", "sleep 300; :", "mbxp-daemon-canary")
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
{_RIGHT}""",
    "network": """    try {
        val address = java.net.InetSocketAddress("127.0.0.1", PLACEHOLDER_PORT)
        java.net.Socket().connect(address, 2000)
        return -1
    } catch (refused: java.io.IOException) {
        return a + b
    }
}
""",
    "read_secrets": """\
    for (path in listOf("PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE")) {
        try {
            java.io.File(path).readText()
            return -1
        } catch (refused: java.io.IOException) {
        }
    }
    return if (System.getenv("MBXP_PLANTED_SECRET") == null) a + b else -1
}
""",
    "write_outside": f"""    for (path in listOf("PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary")) {{
        try {{
            java.io.File(path).writeText("")
            return -1
        }} catch (refused: java.io.IOException) {{
        }}
    }}
{_RIGHT}""",
    "non_utf8_output": f"""\
    val bytes = byteArrayOf(0xff.toByte(), 0xfe.toByte(), 0, 0x80.toByte())
    System.out.write(bytes, 0, 4)
    System.out.flush()
{_RIGHT}""",
    "emoji": """    val text = "😀"
    println(text)
    val expected = listOf(0xf0, 0x9f, 0x98, 0x80).map { it.toByte() }
    val same = text.codePointAt(0) == 0x1F600 && text.toByteArray().toList() == expected
    return if (same) a + b else -1
}
""",
    "forge_report": f"""    for (path in listOf("/proc/self/fd/1", "/proc/self/fd/3")) {{
        try {{
            java.io.FileOutputStream(path).use {{ file ->
                for (guess in listOf("S", "PASSED", "done")) file.write(guess.toByteArray())
            }}
        }} catch (ignored: java.io.IOException) {{
        }}
    }}
    System.exit(0)
{_RIGHT}""",
    "find_secret": """    val texts = StringBuilder()
    texts.append(System.getenv()).append(System.getProperties())
    for (frame in Throwable().stackTrace) {
        try {
            for (field in Class.forName(frame.className).declaredFields) {
                field.isAccessible = true
                val value = field.get(null)
                texts.append(if (value is ByteArray) String(value) else value)
            }
        } catch (ignored: Exception) {
        }
    }
    val paths = mutableListOf("/proc/self/environ", "/proc/self/cmdline")
    java.io.File("/program").walk().forEach { paths.add(it.path) }
    for (path in paths) {
        try {
            texts.append(java.io.FileInputStream(path).readBytes().toString(Charsets.ISO_8859_1))
        } catch (ignored: java.io.IOException) {
        }
    }
    for (n in 0..15) {
        try {
            val file = java.io.FileInputStream("/proc/self/fd/" + n)
            val ready = minOf(file.available(), 1 shl 20)
            texts.append(file.readNBytes(ready).toString(Charsets.ISO_8859_1))
        } catch (ignored: java.io.IOException) {
        }
    }
    try {
        val report = java.io.FileOutputStream("/proc/self/fd/3")
        texts.append(System.`in`.readBytes().toString(Charsets.ISO_8859_1))
        for (guess in Regex("[0-9a-f]{32}").findAll(texts)) {
            report.write(guess.value.toByteArray())
        }
    } catch (ignored: java.io.IOException) {
    }
    kotlin.system.exitProcess(0)
}
""",
    "redefine_helpers": """    return a - b
}
fun main(args: Array<String>) {
}
""",
    "deep_recursion": "    return 1 + add(a, b)\n}\n",
}
