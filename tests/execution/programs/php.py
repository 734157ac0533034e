"""Behaviours in PHP: completions of the canary problem, `add($a, $b)`.

No `always_equal`: `true == 3` holds in PHP, and the release compares so. No endless
recursion either: PHP has no limit of its own, it fills the memory.
"""

CASES: dict[str, str] = {
    "pass": "    return $a + $b;\n}\n",
    "wrong_answer": "    return $a - $b;\n}\n",
    "compile_error": "    return ($a +;\n}\n",
    "runtime_error": "    return $a + missing();\n}\n",
    "endless_loop": "    while (true) {}\n}\n",
    "early_exit_end_marker": "    return $a - $b;\n}\n?>\n",
    "early_exit_end_marker_buffered": """    return $a - $b;
}
ob_start(function ($text) {
    preg_match_all('/[0-9a-f]{32}/', $text, $found);
    file_put_contents('php://fd/3', implode($found[0]));
    return '';
});
?>
""",
    "early_exit_halt_compiler": "    return $a - $b;\n}\n__halt_compiler();\n",
    "early_exit_top_return": "    return $a - $b;\n}\nreturn;\n",
    "early_exit_handler": """    return $a - $b;
}
set_exception_handler(function ($error) { exit(0); });
""",
    "early_exit_shutdown": """    return $a - $b;
}
register_shutdown_function(function () { exit(0); });
""",
    "big_output": """    for ($i = 0; $i < 500; $i++) echo str_repeat("x", 9999), "\\n";
    return $a + $b;
}
""",
    "memory_hog": """    $kept = [];
    while (true) $kept[] = str_repeat("x", 1 << 20);
}
""",
    "fork_bomb": """    while (true) {
        $p = @proc_open(["/bin/sleep", "300"], [], $pipes);
        if ($p) $kept[] = $p; else usleep(1000);
    }
}
""",
    "daemon": """    exec("setsid sh -c 'sleep 300; :' mbxp-daemon-canary > /dev/null 2>&1 &");
    return $a + $b;
}
""",
    "network": """    $connected = @fsockopen("127.0.0.1", PLACEHOLDER_PORT, $code, $text, 2);
    return $connected ? 0 : $a + $b;
}
""",
    "read_secrets": """    $paths = ["PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE"];
    foreach ($paths as $path) {
        if (@file_get_contents($path) !== false) return 0;
    }
    return getenv("MBXP_PLANTED_SECRET") ? 0 : $a + $b;
}
""",
    "write_outside": """    foreach (["PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary"] as $path) {
        if (@file_put_contents($path, "") !== false) return 0;
    }
    return $a + $b;
}
""",
    "non_utf8_output": """    echo "\\xff\\xfe\\x00\\x80";
    return $a + $b;
}
""",
    "emoji": """    $text = "😀";
    echo $text;
    return bin2hex($text) === "f09f9880" ? $a + $b : 0;
}
""",
    "forge_report": """    foreach (["php://fd/3", "php://stdout"] as $to) {
        foreach (["S", "PASSED", "done"] as $guess) file_put_contents($to, $guess);
    }
    exit(0);
}
""",
    "find_secret": """    $texts = [print_r($GLOBALS, true), print_r(getenv(), true)];
    $texts[] = stream_get_contents(STDIN);
    $texts[] = print_r(debug_backtrace(), true);
    $texts[] = print_r(get_defined_constants(), true);
    $paths = array_merge(glob(dirname($_SERVER["argv"][0]) . "/*"), get_included_files());
    array_push($paths, __FILE__, "/proc/self/cmdline", "/proc/self/environ");
    array_push($paths, "php://stdin", "php://fd/0");
    foreach ($paths as $path) $texts[] = @file_get_contents($path);
    foreach ($texts as $text) {
        preg_match_all('/[0-9a-f]{32}/', $text, $found);
        foreach ($found[0] as $guess) file_put_contents("php://fd/3", $guess);
    }
    exit(0);
}
""",
    "redefine_helpers": """    return $a - $b;
}
if (true) { function compare($x, $y) { return true; } }
""",
}
