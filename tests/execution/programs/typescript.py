"""Behaviours in TypeScript: completions of the canary problem, `add(a, b)`."""

CASES: dict[str, str] = {
    "pass": "    return a + b;\n}\n",
    "wrong_answer": "    return a - b;\n}\n",
    "compile_error": "    return a + 08n ?? || b;\n}\n",
    "runtime_error": "    return a + missing;\n}\n",
    "endless_loop": "    while (true) {}\n}\n",
    "early_exit_top_return": "    return a - b;\n}\nreturn;\n",
    "early_exit_handler": """    return a - b;
}
process.on("uncaughtException", () => {});
""",
    "early_exit_swallowed": "    return (a - b).\n",
    "big_output": """    for (let i = 0; i < 500; i++) console.log(new Array(10000).join("x"));
    return a + b;
}
""",
    "memory_hog": """    const kept: any[] = [];
    for (;;) {
        const more: number[] = [];
        for (let i = 0; i < 100000; i++) more.push(i + 0.5);
        kept.push(more);
    }
}
""",
    "fork_bomb": """    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (;;) {
        try {
            const options = { stdio: "ignore" };
            require("child_process").spawn("/bin/sleep", ["300"], options).on("error", () => {});
        } catch (error) {}
        Atomics.wait(pause, 0, 0, 5);
    }
}
""",
    "daemon": """    const options = { stdio: "ignore", detached: true };
    const command = ["-c", "sleep 300; :", "mbxp-daemon-canary"];
    require("child_process").spawn("/bin/sh", command, options).unref();
    return a + b;
}
""",
    "network": """    const program = `
    const socket = require("net").connect(PLACEHOLDER_PORT, "127.0.0.1");
    socket.on("connect", () => process.exit(0)).on("error", () => process.exit(7));
    setTimeout(() => process.exit(7), 2000);`;
    const done = require("child_process").spawnSync(process.execPath, ["-e", program]);
    return done.status === 7 ? a + b : -1;
}
""",
    "read_secrets": """    const paths = ["PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE"];
    for (const path of paths) {
        try {
            require("fs").readFileSync(path);
            return -1;
        } catch (error) {}
    }
    return process.env.MBXP_PLANTED_SECRET ? -1 : a + b;
}
""",
    "write_outside": """    for (const path of ["PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary"]) {
        try {
            require("fs").writeFileSync(path, "");
            return -1;
        } catch (error) {}
    }
    return a + b;
}
""",
    "non_utf8_output": """    require("fs").writeSync(1, Buffer.from([0xff, 0xfe, 0x00, 0x80]));
    return a + b;
}
""",
    "emoji": """    const text: string = "😀";
    console.log(text);
    return Buffer.from(text).toString("hex") === "f09f9880" ? a + b : -1;
}
""",
    "forge_report": """    for (const fd of [1, 3]) {
        for (const guess of ["S", "PASSED", "done"]) require("fs").writeSync(fd, guess);
    }
    process.exit(0);
}
""",
    "find_secret": """    const fs = require("fs");
    const texts: string[] = [process.argv.join(), JSON.stringify(process.env)];
    const paths: string[] = [__filename, "/proc/self/cmdline", "/proc/self/environ"];
    for (const name of fs.readdirSync(__dirname)) paths.push(__dirname + "/" + name);
    for (let n = 0; n < 16; n++) paths.push("/proc/self/fd/" + n);
    for (const path of paths) {
        try {
            const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
            const found = Buffer.alloc(1 << 20);
            texts.push(found.toString("latin1", 0, fs.readSync(fd, found)));
        } catch (error) {}
    }
    for (const text of texts) {
        for (const guess of text.match(/[0-9a-f]{32}/g) || []) fs.writeSync(3, guess);
    }
    process.exit(0);
}
""",
    "redefine_helpers": """    assert = { deepEqual: () => {} };
    return a - b;
}
""",
    "deep_recursion": "    return add(a, b);\n}\n",
}
