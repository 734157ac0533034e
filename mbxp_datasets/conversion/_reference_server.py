"""The child of `reference`: forks for each program that comes in, answers with its reports."""
# ruff: noqa: E402

import sys

# Python looks for modules beside this file first, where `types` is ours and hides its own.
del sys.path[0]

import json
import os
import random
import resource
import signal

SECONDS, MEMORY = int(sys.argv[1]), int(sys.argv[2])


def plain(value: object) -> object:
    """The value with subclasses of the containers, such as Counter, as the containers."""
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    for container in (list, tuple, set, frozenset):
        if isinstance(value, container):
            return container(plain(item) for item in value)
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise TypeError(f"a {type(value).__name__} is no supported value")


def run(source: str, out: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY << 20, MEMORY << 20))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(SECONDS)
    answer: dict[str, object]
    reports = []

    def emit(*values: object) -> None:
        reports.append(repr([plain(value) for value in values]))

    random.seed(0)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)
    try:
        exec(compile(source, "<reference>", "exec"), {"__name__": "reference", "mbxp__emit": emit})
        answer = {"reports": reports}
    except BaseException as error:
        answer = {"failed": type(error).__name__ + ": " + str(error)[:200]}
    data = json.dumps(answer).encode()
    while data:
        data = data[os.write(out, data) :]


for line in sys.stdin.buffer:
    source = json.loads(line)
    get, put = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(get)
        try:
            run(source, put)
        finally:
            os._exit(0)
    os.close(put)
    with os.fdopen(get, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    sys.stdout.buffer.write(answer.replace(b"\n", b" ") + b"\n")
    sys.stdout.buffer.flush()
