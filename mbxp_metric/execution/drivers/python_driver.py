"""Runs one program as `__main__` and reports on descriptor 3 that its tests have ended.

Arguments: the program, the libraries' folder (or nothing). Beside the program lies
`main.json` with the first line of the test, the entry point and the name of the test's
function. Standard input holds the secret.
"""

from __future__ import annotations

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

REPORT_FD = 3
COMPARISONS = [
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__sub__",
    "__rsub__",
    "__abs__",
    "__float__",
    "__round__",
]
ONLY_AST = 0x400
FUTURE_FLAGS = 0x1FF0000
MOST_ELEMENTS = 10_000
PRELOAD = "preload"
PRELOADED = """
abc bisect cmath collections collections.abc copy datetime decimal fractions functools heapq
itertools json math operator os random re statistics string typing
"""
WRONG_ANSWER = "mbxp: an assertion of the test failed"


def read_all(fd: int) -> bytes:
    data = b""
    while chunk := posix.read(fd, 1 << 20):
        data += chunk
    return data


def read_file(path: str) -> str:
    fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        return read_all(fd).decode("utf-8", "replace")
    finally:
        posix.close(fd)


def own_comparison(
    value: Any, kind: Any = type, modules: Any = sys.modules, subclass: Any = issubclass
) -> bool:
    """Whether comparing a value would run a method that the program defined."""
    todo, seen = [value], 0
    while todo and seen < MOST_ELEMENTS:
        value = todo.pop()
        seen += 1
        of = kind(value)
        for base in kind.mro(of) if of is not kind else ():
            if base.__flags__ & (1 << 9) and any(name in base.__dict__ for name in COMPARISONS):
                home = modules.get(base.__module__)
                known = base.__module__ != "__main__" and getattr(home, base.__qualname__, None)
                if known is not base:
                    return True
        room = MOST_ELEMENTS - len(todo)
        if subclass(of, dict):
            todo.extend(list(dict.keys(value))[:room])
            todo.extend(list(dict.values(value))[:room])
        else:
            for sequence in (list, tuple, set, frozenset):
                if subclass(of, sequence):
                    todo.extend(
                        [
                            item
                            for item, _ in zip(sequence.__iter__(value), range(room), strict=False)
                        ]
                    )
    return False


def guarded(function: Any) -> Any:
    """The entry point; a result whose comparison is not Python's own is a wrong answer."""
    if not callable(function):
        return function

    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if own_comparison(result):
            raise AssertionError("returned value overrides equality")
        return result

    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        if hasattr(function, name):
            setattr(call, name, getattr(function, name))
    call.__dict__.update(getattr(function, "__dict__", {}), __wrapped__=function)
    return call


def main(path: str, libraries: str) -> tuple[int, Any]:
    """Compile, report the start, run; returning means that the tests have ended."""
    facts = json_facts(read_file(path.rpartition("/")[0] + "/main.json"))
    first, entry, check_name = facts["first_test_line"], facts["entry_point"], facts["check"]
    source = read_file(path)
    tree = compile(source, path, "exec", ONLY_AST, True)
    body = tree.body
    split = 0
    while split < len(body) and body[split].lineno < first:
        split += 1
    test = body[split:]
    whole = compile(tree, path, "exec", 0, True)
    flags = whole.co_flags & FUTURE_FLAGS
    named = any(entry in line for line in source.split("\n")[first - 1 :])
    parts = [whole]
    if named and test:
        del body[split:]
        parts = [compile(tree, path, "exec", flags, True)]
        body[:] = test
        parts.append(compile(tree, path, "exec", flags, True))
    del tree, body, test, source
    module = type(sys)("__main__")
    module.__file__, module.__cached__ = path, None
    space = module.__dict__
    space["__annotations__"] = {}
    sys.modules["__main__"] = module
    sys.argv[:] = [path]
    sys.path[0:1] = []
    if libraries:
        sys.path.append(libraries)
    import _sitebuiltins
    import builtins

    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D (i.e. EOF)")
    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D (i.e. EOF)")
    builtins.help = _sitebuiltins._Helper()
    posix.write(REPORT_FD, b"S")

    def run() -> None:
        exec(parts[0], space)
        if len(parts) > 1:
            plain = space.get(entry)
            space[entry] = guard = guarded(plain)
            exec(parts[1], space)
            if space.get(entry) is guard:
                space[entry] = plain
        for name in (check_name, entry):
            if name not in space:
                raise NameError(f"name {name!r} is not defined")
        check = space[check_name]
        code = getattr(check, "__code__", None)
        if code is None or code.co_filename != path or code.co_firstlineno < first:
            raise NameError(f"name {check_name!r} is not the test's")
        check(guarded(space[entry]))

    return first, run


def json_facts(text: str) -> dict[str, Any]:
    """The object in `main.json`, without importing a parser: it is a Python literal too."""
    return eval(compile(text, "main.json", "eval"), {"__builtins__": {}})


def fail(error: BaseException, path: str, first: int) -> NoReturn:
    """Print an uncaught exception as Python does; say so if the test's assertion raised it."""
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename != path:
        trace = trace.tb_next
    last = trace
    while last and last.tb_next:
        last = last.tb_next
    wrong = (
        isinstance(error, AssertionError)
        and last
        and first
        and (
            (last.tb_frame.f_code.co_filename == path and last.tb_lineno >= first)
            or last.tb_frame.f_code is guarded_code
        )
    )
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
        sys.excepthook(type(error), error.with_traceback(trace), trace)
    finally:
        if wrong:
            posix.write(2, b"\n" + WRONG_ANSWER.encode() + b"\n")
    raise SystemExit(1)


guarded_code = next(
    constant for constant in guarded.__code__.co_consts if hasattr(constant, "co_code")
)


def preload() -> None:
    """What programs import most, for a fork server: its forks have it already."""
    for name in PRELOADED.split():
        __import__(name)
    # The interpreter makes the types of a syntax tree when it first needs them.
    compile(compile("pass", "", "exec", ONLY_AST), "", "exec")
    import gc

    gc.collect()
    gc.freeze()  # or every collection in a fork would copy all of it


def step(item: Any) -> int:
    """Run the program when given it; report when given the secret, which comes second."""
    if isinstance(item, bytes):
        posix.write(REPORT_FD, item)
    else:
        item()
    return 0


def leave() -> None:
    """End a fork as the interpreter would, but without taking itself down first."""
    import atexit

    threading = sys.modules.get("threading")
    if threading:
        threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    status = 0
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except BaseException:
            status = 120  # as the interpreter's own
    posix._exit(status)


def start() -> None:
    forked = sys.argv[-1] == PRELOAD
    if forked:
        del sys.argv[-1]
        preload()
    posix.getppid()  # a fork server takes over here, and every program starts here
    posix.set_inheritable(REPORT_FD, False)
    posix.write(REPORT_FD, b"R")
    path = sys.argv[1]
    libraries = sys.argv[2] if len(sys.argv) > 2 else ""
    first = 0
    job: list[Any] = []

    def program() -> None:
        nonlocal first
        try:
            job.pop()()
        except SystemExit:
            raise
        except BaseException as error:
            fail(error, path, first)

    def prepared() -> Any:
        nonlocal first
        try:
            first, run = main(path, libraries)
        except BaseException as error:
            fail(error, path, 0)
        job.append(run)
        return program

    # While a list is sorted its elements are out of reach of frames and of the collector:
    # the secret waits there as long as the first key, the program's run, is computed.
    [prepared(), read_all(0)].sort(key=step)
    if forked:
        leave()


start()
