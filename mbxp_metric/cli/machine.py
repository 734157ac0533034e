"""`mbxp doctor` and `mbxp demo`: what works on this machine."""

from __future__ import annotations

import json

import typer

from mbxp_metric.cli.common import (
    DEFAULTS,
    DONE,
    NOT_SCORED,
    Allow,
    AsJson,
    Isolation,
    Languages,
    Timeout,
    Workers,
    checked_settings,
    err,
    languages,
    one_line_errors,
    out,
)
from mbxp_metric.console import Monitor, plain, print_demo, print_diagnosis, print_report, progress
from mbxp_metric.demo import Demonstration
from mbxp_metric.doctor import diagnose
from mbxp_metric.execution import require_consent
from mbxp_metric.scoring import open_executor


def doctor(
    language: Languages = None,
    isolation: Isolation = DEFAULTS.isolation,
    workers: Workers = DEFAULTS.workers,
    as_json: AsJson = False,
) -> None:
    """Show which languages work here, and how well programs are shut in.

    Each language runs three small programs of our own: a right one must pass, a wrong one must
    fail, and one that exits before the end of its tests must be found out.
    """
    with one_line_errors():
        names = languages(language)
        found = diagnose(names, checked_settings(isolation=isolation, workers=workers))
    if as_json:
        print(json.dumps(found.to_json(), indent=1))
    else:
        print_diagnosis(out, found)
    raise typer.Exit(DONE if found.healthy else NOT_SCORED)


def demo(
    language: Languages = None,
    workers: Workers = DEFAULTS.workers,
    timeout: Timeout = DEFAULTS.timeout,
    isolation: Isolation = DEFAULTS.isolation,
    allow: Allow = False,
) -> None:
    """Show the whole corridor, in every language, with what must pass and what must not.

    In Python, HumanEval's own solutions are scored, and some deliberate failures. In each
    language HumanEval is converted, some of it is compiled with a stub for a solution, and
    problems of our own are solved, rightly and wrongly. A language without its tools is named.
    """
    with one_line_errors():
        require_consent(allow)
        settings = checked_settings(isolation=isolation, workers=workers, timeout=timeout)
        names = languages(language)
        with open_executor(settings) as executor:
            with err.status("converting HumanEval and looking for compilers"):
                show = Demonstration(executor, names)
            monitor = Monitor(show.total)
            with progress(err, monitor) as finished:
                result = show.run(monitor.started, finished)
            level = f"{executor.isolation.name} ({executor.isolation.summary})"
    print_report(out, {"scores": [result.scores], "isolation": level})
    out.print()
    print_demo(out, result)
    for line in result.notes:
        plain(err, line)
    raise typer.Exit(DONE if result.as_expected else NOT_SCORED)
