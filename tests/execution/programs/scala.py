"""Behaviours in Scala: completions of the canary problem, `add(a, b)`."""

_RIGHT = "        a + b\n    }\n"

CASES: dict[str, str] = {
    "pass": _RIGHT,
    "wrong_answer": "        a - b\n    }\n",
    "compile_error": "        a + missing\n    }\n",
    "runtime_error": "        List[Int]()(a)\n    }\n",
    "endless_loop": f"        while (true) {{}}\n{_RIGHT}",
    "early_exit_halt": f"        Runtime.getRuntime.halt(0)\n{_RIGHT}",
    "early_exit_static": """        a - b
    }
    sys.exit(0)
""",
    "early_exit_other_object": """        a - b
    }
}
object Unused {
    def add(a : Int, b : Int) : Int = a - b
""",
    "early_exit_own_main": """        a - b
    }
    override def main(args : Array[String]) : Unit = {}
""",
    "early_exit_at_exit": """        sys.addShutdownHook(Runtime.getRuntime.halt(0))
        sys.exit(1)
    }
""",
    "big_output": f"""        for (_ <- 1 to 500) println("x" * 9999)
{_RIGHT}""",
    "memory_hog": f"""        val kept = scala.collection.mutable.ListBuffer[Array[Byte]]()
        while (true) kept += new Array[Byte](1 << 20)
{_RIGHT}""",
    "fork_bomb": f"""        while (true) {{
            try {{
                new ProcessBuilder("sh", "-c", "sleep 100").start()
                Thread.sleep(5)
            }} catch {{
                case ignored : Throwable =>
            }}
        }}
{_RIGHT}""",
    "daemon": f"""        val discard = ProcessBuilder.Redirect.to(new java.io.File("/dev/null"))
        new ProcessBuilder("setsid", "sh", "-c", "sleep 300; :", "mbxp-daemon-canary")
            .redirectOutput(discard)
            .redirectError(discard)
            .start()
{_RIGHT}""",
    "network": """        try {
            val address = new java.net.InetSocketAddress("127.0.0.1", PLACEHOLDER_PORT)
            new java.net.Socket().connect(address, 2000)
            -1
        } catch {
            case refused : java.io.IOException => a + b
        }
    }
""",
    "read_secrets": """        def readable(path : String) : Boolean = try {
            new java.io.FileInputStream(path).close()
            true
        } catch {
            case refused : java.io.IOException => false
        }
        val found = List("PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE").exists(readable)
        if (found || System.getenv("MBXP_PLANTED_SECRET") != null) -1 else a + b
    }
""",
    "write_outside": """        def writable(path : String) : Boolean = try {
            new java.io.FileOutputStream(path).close()
            true
        } catch {
            case refused : java.io.IOException => false
        }
        if (List("PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary").exists(writable)) -1 else a + b
    }
""",
    "non_utf8_output": f"""        val bytes = Array(0xff, 0xfe, 0, 0x80).map(_.toByte)
        System.out.write(bytes, 0, 4)
        System.out.flush()
{_RIGHT}""",
    "emoji": """        val text = "😀"
        println(text)
        val expected = List(0xf0, 0x9f, 0x98, 0x80).map(_.toByte)
        val same = text.codePointAt(0) == 0x1F600 && text.getBytes("UTF-8").toList == expected
        if (same) a + b else -1
    }
""",
    "forge_report": f"""        for (path <- List("/proc/self/fd/1", "/proc/self/fd/3")) {{
            try {{
                val file = new java.io.FileOutputStream(path)
                for (guess <- List("S", "PASSED", "done")) file.write(guess.getBytes)
            }} catch {{
                case ignored : java.io.IOException =>
            }}
        }}
        sys.exit(0)
{_RIGHT}""",
    "find_secret": """        val texts = new StringBuilder
        texts.append(System.getenv.toString).append(System.getProperties.toString)
        for (frame <- new Throwable().getStackTrace) {
            try {
                for (field <- Class.forName(frame.getClassName).getDeclaredFields) {
                    field.setAccessible(true)
                    field.get(null) match {
                        case bytes : Array[Byte] => texts.append(new String(bytes))
                        case value => texts.append(String.valueOf(value))
                    }
                }
            } catch {
                case ignored : Exception =>
            }
        }
        def below(file : java.io.File) : List[java.io.File] =
            file :: Option(file.listFiles).toList.flatten.flatMap(below)
        def slurp(path : String, ready : java.io.FileInputStream => Int) : Unit = try {
            val file = new java.io.FileInputStream(path)
            texts.append(new String(file.readNBytes(ready(file)), "ISO-8859-1"))
        } catch {
            case ignored : java.io.IOException =>
        }
        val files = below(new java.io.File("/program")).map(_.getPath)
        val facts = List("/proc/self/environ", "/proc/self/cmdline")
        for (path <- facts ::: files) slurp(path, _ => 1 << 20)
        for (n <- 0 to 15) slurp("/proc/self/fd/" + n, file => file.available min (1 << 20))
        try {
            val report = new java.io.FileOutputStream("/proc/self/fd/3")
            texts.append(new String(System.in.readAllBytes, "ISO-8859-1"))
            for (guess <- "[0-9a-f]{32}".r.findAllIn(texts)) report.write(guess.getBytes)
        } catch {
            case ignored : java.io.IOException =>
        }
        sys.exit(0)
    }
""",
    "redefine_helpers": """        a - b
    }
    def assert(right : Boolean, message : => Any) : Unit = {}
""",
    "redefine_helpers_by_value": """        a - b
    }
    val assert : (Boolean, Any) => Unit = (right, message) => ()
""",
    "always_equal": """        a
    }
    class Equal {
        override def equals(other : Any) : Boolean = true
    }
    type Int = Equal
    implicit def equal(number : scala.Int) : Equal = new Equal
""",
    "deep_recursion": "        1 + add(a, b)\n    }\n",
}
