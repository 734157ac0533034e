"""The sandbox itself, with small shell programs, at every level."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mbxp_metric.execution import IsolationUnavailable
from mbxp_metric.execution.launching import Outcome, SandboxError, build_launcher, run_options
from mbxp_metric.execution.runtimes.base import Limits
from mbxp_metric.execution.sandbox import Sandbox


@pytest.fixture(scope="module", params=["strong", "limited"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    with Sandbox(request.param) as made:
        yield made


@pytest.fixture(scope="module")
def strong() -> Iterator[Sandbox]:
    with Sandbox("strong") as made:
        yield made


def shell(sandbox: Sandbox, script: str, **more: object) -> Outcome:
    arguments = {"limits": Limits(5, 256), "writable": False, **more}
    with sandbox.directory() as directory:
        return sandbox.run(["/bin/sh", "-c", script], directory=directory, **arguments)  # type: ignore[arg-type]


def alive(word: str) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in path.read_bytes():
                return True
        except (FileNotFoundError, ProcessLookupError):
            continue
    return False


def test_exit_codes_and_signals_are_told_apart(sandbox: Sandbox) -> None:
    assert shell(sandbox, "exit 3").exit_code == 3
    assert shell(sandbox, "kill -SEGV $$").signal == 11


def test_the_secret_comes_by_standard_input_and_the_report_by_descriptor_3(
    sandbox: Sandbox,
) -> None:
    outcome = shell(sandbox, "cat >&3; cat", secret=b"abc")
    assert outcome.report == b"abc"
    assert outcome.stdout.data == b""


def test_output_before_a_timeout_is_kept(sandbox: Sandbox) -> None:
    outcome = shell(sandbox, "echo before; sleep 60", limits=Limits(0.5, 256))
    assert outcome.timed_out
    assert outcome.stdout.text == "before\n"


def test_a_flood_of_output_is_drained(sandbox: Sandbox) -> None:
    outcome = shell(sandbox, "head -c 20000000 /dev/zero; head -c 20000000 /dev/zero >&2")
    assert outcome.exit_code == 0
    assert outcome.stdout.truncated
    assert outcome.stderr.truncated


def test_a_daemon_dies_with_its_program(sandbox: Sandbox) -> None:
    outcome = shell(sandbox, "setsid sh -c 'exec sleep 301.25' & sleep 0.2; exit 0")
    assert outcome.exit_code == 0
    assert not alive("301.25")


def test_a_timeout_ends_every_process(sandbox: Sandbox) -> None:
    script = "for i in 1 2 3; do (trap '' TERM; setsid sleep 302.25) & done; wait"
    assert shell(sandbox, script, limits=Limits(0.5, 256)).timed_out
    assert not alive("302.25")


def test_the_callers_environment_is_not_passed_on(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MBXP_PLANTED_SECRET", "planted")
    assert "planted" not in shell(sandbox, "env").stdout.text


def test_descriptors_of_the_caller_are_closed(sandbox: Sandbox, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("planted")
    with open(secret) as file:
        os.set_inheritable(file.fileno(), True)
        outcome = shell(sandbox, "ls -l /proc/self/fd; cat <&9; cat <&5; cat <&4", writable=True)
    assert "planted" not in outcome.stdout.text
    assert "secret" not in outcome.stdout.text


def test_more_memory_than_the_limit_ends_the_program(sandbox: Sandbox) -> None:
    perl = shutil.which("perl") or "perl"
    hog = f"exec {perl} -e 'push @a, \"x\" x 1000000 while 1'"
    assert shell(sandbox, hog, limits=Limits(20, 200)).out_of_memory


def test_memory_is_counted_over_all_processes(sandbox: Sandbox) -> None:
    one = "perl -e '$x = \"x\" x 60000000; sleep 20'"
    outcome = shell(sandbox, " & ".join([one] * 4) + " & wait", limits=Limits(20, 200))
    assert outcome.out_of_memory


def test_pages_shared_by_a_fork_count_once(sandbox: Sandbox) -> None:
    script = "perl -e '$x = \"x\" x 80000000; fork && fork && fork; sleep 1'"
    outcome = shell(sandbox, script, limits=Limits(20, 400))
    assert not outcome.out_of_memory
    assert outcome.exit_code == 0


def test_a_file_cannot_outgrow_its_limit(sandbox: Sandbox) -> None:
    outcome = shell(
        sandbox, "head -c 50000000 /dev/zero > f; wc -c < f", limits=Limits(5, 256, file_mb=1)
    )
    size = int(outcome.stdout.text.split()[-1])
    assert size <= 1 << 20


def test_the_number_of_processes_is_limited(sandbox: Sandbox) -> None:
    script = "for i in $(seq 60); do sleep 5 & done; jobs -p | wc -l"
    outcome = shell(sandbox, script, limits=Limits(3, 256, processes=20))
    assert "fork" in outcome.stderr.text


def test_there_is_no_network(sandbox: Sandbox) -> None:
    script = (
        "perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0) or exit 7; "
        'connect(S, sockaddr_in(9, inet_aton("127.0.0.1"))) or exit 7; exit 0\''
    )
    assert shell(sandbox, script).exit_code == 7


def test_no_new_privileges_and_no_capabilities(sandbox: Sandbox) -> None:
    status = shell(sandbox, "cat /proc/self/status").stdout.text
    assert "NoNewPrivs:\t1" in status
    assert "Seccomp:\t2" in status
    assert "CapEff:\t0000000000000000" in status
    assert "CapBnd:\t0000000000000000" in status or os.geteuid() != 0


def test_namespaces_cannot_be_made(sandbox: Sandbox) -> None:
    assert shell(sandbox, "unshare -U true").exit_code != 0


def test_a_missing_command_is_a_fault_of_ours(sandbox: Sandbox) -> None:
    with sandbox.directory() as directory, pytest.raises(SandboxError, match="No such file"):
        sandbox.run(["/bin/nope"], directory=directory, writable=False, limits=Limits(5, 256))


def test_the_clock_starts_with_the_program(sandbox: Sandbox) -> None:
    outcome = shell(sandbox, "sleep 0.3")
    assert 0.29 <= outcome.wall_s < 5


def test_a_hundred_programs_that_flood_and_end_leave_nothing(sandbox: Sandbox) -> None:
    for _ in range(100):
        assert shell(sandbox, "head -c 100000 /dev/zero").exit_code == 0
    assert [path.name for path in sandbox.root.iterdir()] == ["lock"]


def test_strong_shows_no_file_of_the_machine(strong: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "planted").write_text("planted")
    script = f"cat {tmp_path}/planted; ls -A /root /home /etc/shadow /work /var; ls -A / /tmp/home"
    outcome = shell(strong, script)
    assert "planted" not in outcome.stdout.text
    assert set(outcome.stdout.text.split()) <= {
        *("bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "program", "sbin"),
        *("tmp", "usr", "/:", "/tmp/home:", ""),
    }


def test_strong_lets_nothing_outside_the_scratch_directory_be_written(strong: Sandbox) -> None:
    script = "for d in / /usr /etc /program /dev /proc; do touch $d/x && echo $d; done; touch ok"
    outcome = shell(strong, script)
    assert outcome.stdout.text == ""
    assert outcome.exit_code == 0


def test_strong_bounds_what_is_written_in_all(strong: Sandbox) -> None:
    script = "for i in 1 2 3 4 5; do head -c 30000000 /dev/zero > $i; done; df /tmp | tail -1"
    outcome = shell(strong, script)
    assert "100%" in outcome.stdout.text


def test_strong_hides_other_processes(strong: Sandbox) -> None:
    assert shell(strong, "ls /proc").stdout.text.split().count(str(os.getpid())) == 0
    assert shell(strong, f"kill -0 {os.getpid()}").exit_code != 0


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(IsolationUnavailable, match="one of strong, limited"):
        Sandbox("none")


def test_a_level_that_does_not_work_is_never_replaced_by_a_weaker_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object, **__: object) -> Outcome:
        raise SandboxError("namespaces: Operation not permitted")

    monkeypatch.setattr(Sandbox, "run", broken)
    with pytest.raises(IsolationUnavailable, match=r"namespaces.*--isolation limited is weaker"):
        Sandbox("strong")


def test_nothing_survives_when_the_harness_is_killed(tmp_path: Path) -> None:
    script = (
        "from mbxp_metric.execution.sandbox import Sandbox\n"
        "from mbxp_metric.execution.runtimes.base import Limits\n"
        "s = Sandbox('strong')\n"
        "print(s.root, flush=True)\n"
        "s.run(['/bin/sleep', '303.25'], directory=s.directory().name, writable=False,"
        " limits=Limits(300, 100))\n"
    )
    harness = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert harness.stdout
    root = Path(harness.stdout.readline().strip())
    wait_until(lambda: alive("303.25"))
    harness.kill()
    harness.wait()
    harness.stdout.close()
    wait_until(lambda: not alive("303.25"))
    assert root.exists()
    with Sandbox("strong"):
        assert not root.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_strong_needs_no_root(strong: Sandbox) -> None:
    """The same launcher, started by a user without any privilege."""
    place = Path(tempfile.mkdtemp(dir="/var/tmp"))
    try:
        place.chmod(0o755)
        launcher = shutil.copy(build_launcher().program, place / "launcher")
        status, status_end = os.pipe()
        script = "id -u; ls -A /root /var; touch /program/x"
        done = subprocess.run(
            [
                launcher,
                *("--level", "strong", "--status", str(status_end), "--report", str(status_end)),
                *("--read-only-program", str(place)),
                *run_options(0, Limits(5, 256), "/tmp/work", {}, ["/bin/sh", "-c", script]),
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            pass_fds=(status_end,),
            user=65534,
            group=65534,
            extra_groups=[],
            cwd="/",
            env={},
        )
        os.close(status_end)
        said = os.read(status, 4096).decode()
        os.close(status)
    finally:
        shutil.rmtree(place)
    if '"error": "namespaces' in said:
        pytest.skip("user namespaces are closed to unprivileged users here")
    assert done.stdout == "65534\n", said
    assert "Read-only file system" in done.stderr


def wait_until(condition: object, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.05)
