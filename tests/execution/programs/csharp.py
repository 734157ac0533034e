"""Behaviours in C#: completions of the canary problem, `add(a, b)`."""

_RIGHT = "            return a + b;\n        }\n"

CASES: dict[str, str] = {
    "pass": f"\n{_RIGHT}",
    "wrong_answer": "\n            return a - b;\n        }\n",
    "compile_error": "\n            return a + missing;\n        }\n",
    "runtime_error": "\n            return new int[0][a];\n        }\n",
    "endless_loop": "\n            while (true) {}\n        }\n",
    "early_exit_static": """
            return a - b;
        }
        static Program()
        {
            Environment.Exit(0);
        }
""",
    "early_exit_exception": """
            return a - b;
        }
        class Exception : System.Exception
        {
            public Exception(string message)
            {
                Environment.Exit(0);
            }
        }
""",
    "early_exit_at_exit": """
            AppDomain.CurrentDomain.ProcessExit += (sender, args) => Environment.Exit(0);
            Environment.Exit(0);
            return a - b;
        }
""",
    "big_output": f"""
            for (int i = 0; i < 500; i++) Console.WriteLine(new string('x', 9999));
{_RIGHT}""",
    "memory_hog": """
            var kept = new List<byte[]>();
            while (true)
            {
                var more = new byte[1 << 20];
                for (int i = 0; i < more.Length; i += 1024) more[i] = 1;
                kept.Add(more);
            }
        }
""",
    "fork_bomb": """
            while (true)
            {
                try
                {
                    var start = new System.Diagnostics.ProcessStartInfo("/bin/sleep", "100");
                    start.UseShellExecute = false;
                    System.Diagnostics.Process.Start(start);
                    System.Threading.Thread.Sleep(5);
                }
                catch (Exception)
                {
                }
            }
        }
""",
    "daemon": f"""
            var command = "setsid sh -c 'sleep 300; :' mbxp-daemon-canary >/dev/null 2>&1 &";
            var start = new System.Diagnostics.ProcessStartInfo("/bin/sh");
            start.Arguments = "-c \\"" + command + "\\"";
            start.UseShellExecute = false;
            System.Diagnostics.Process.Start(start).WaitForExit();
{_RIGHT}""",
    "network": """
            try
            {
                new System.Net.Sockets.TcpClient().Connect("127.0.0.1", PLACEHOLDER_PORT);
                return -1;
            }
            catch (System.Net.Sockets.SocketException)
            {
                return a + b;
            }
        }
""",
    "read_secrets": """
            foreach (var path in new[] {"PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE"})
            {
                try
                {
                    System.IO.File.ReadAllText(path);
                    return -1;
                }
                catch (Exception)
                {
                }
            }
            return Environment.GetEnvironmentVariable("MBXP_PLANTED_SECRET") == null ? a + b : -1;
        }
""",
    "write_outside": f"""
            foreach (var path in new[] {{"PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary"}})
            {{
                try
                {{
                    System.IO.File.WriteAllText(path, "");
                    return -1;
                }}
                catch (Exception)
                {{
                }}
            }}
{_RIGHT}""",
    "non_utf8_output": f"""
            var output = Console.OpenStandardOutput();
            output.Write(new byte[] {{0xff, 0xfe, 0, 0x80}}, 0, 4);
            output.Flush();
{_RIGHT}""",
    "emoji": """
            var text = "😀";
            Console.WriteLine(text);
            var expected = new byte[] {0xf0, 0x9f, 0x98, 0x80};
            var bytes = System.Text.Encoding.UTF8.GetBytes(text);
            var same = char.ConvertToUtf32(text, 0) == 0x1F600 && bytes.SequenceEqual(expected);
            return same ? a + b : -1;
        }
""",
    "forge_report": f"""
            foreach (var fd in new[] {{1, 3}})
            {{
                try
                {{
                    var handle = new Microsoft.Win32.SafeHandles.SafeFileHandle((IntPtr) fd, false);
                    var file = new System.IO.FileStream(handle, System.IO.FileAccess.Write);
                    foreach (var guess in new[] {{"S", "PASSED", "done"}})
                    {{
                        file.Write(System.Text.Encoding.ASCII.GetBytes(guess), 0, guess.Length);
                    }}
                    file.Flush();
                }}
                catch (Exception)
                {{
                }}
            }}
            Environment.Exit(0);
{_RIGHT}""",
    "find_secret": f"""
            var texts = new List<string> {{Console.In.ReadToEnd(), Environment.CommandLine}};
            var latin = System.Text.Encoding.GetEncoding("ISO-8859-1");
            var all = System.Reflection.BindingFlags.Static
                | System.Reflection.BindingFlags.Public
                | System.Reflection.BindingFlags.NonPublic;
            foreach (var frame in new System.Diagnostics.StackTrace().GetFrames())
            {{
                foreach (var field in frame.GetMethod().DeclaringType.GetFields(all))
                {{
                    var value = field.GetValue(null);
                    texts.Add(value is byte[] ? latin.GetString((byte[]) value) : "" + value);
                }}
            }}
            var paths = new List<string> {{"/proc/self/environ", "/proc/self/cmdline"}};
            paths.AddRange(System.IO.Directory.GetFiles("/program"));
            foreach (var path in paths)
            {{
                try
                {{
                    texts.Add(latin.GetString(System.IO.File.ReadAllBytes(path)));
                }}
                catch (Exception)
                {{
                }}
            }}
            try
            {{
                var handle = new Microsoft.Win32.SafeHandles.SafeFileHandle((IntPtr) 3, false);
                var report = new System.IO.FileStream(handle, System.IO.FileAccess.Write);
                foreach (var text in texts)
                {{
                    foreach (Match guess in Regex.Matches(text, "[0-9a-f]{{32}}"))
                    {{
                        report.Write(latin.GetBytes(guess.Value), 0, guess.Length);
                    }}
                }}
                report.Flush();
            }}
            catch (Exception)
            {{
            }}
            Environment.Exit(0);
{_RIGHT}""",
    "redefine_helpers": """
            return a - b;
        }
        class Same
        {
            public bool AreEqual = true;
        }
        class CompareLogic
        {
            public Same Compare(object actual, object expected)
            {
                return new Same();
            }
        }
""",
    "always_equal": """
            return a - b;
        }
        class var
        {
            public bool AreEqual = true;
            public static implicit operator var(int number)
            {
                return new var();
            }
            public static implicit operator var(ComparisonResult result)
            {
                return new var();
            }
        }
""",
    "deep_recursion": "\n            return 1 + Add(a, b);\n        }\n",
}
