"""What the problems are: MBXP, multi-HumanEval and MathQA-X.

Importing it lets `load_dataset("mbxp", …)` and `evaluate.load("mbxp_exec")` resolve; it
imports neither library, and its own modules only when a name is used.
"""

from __future__ import annotations

from mbxp_datasets import _autoload

# Not from `typing`: this module is imported at interpreter start, where that import costs.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from mbxp_datasets.catalog import (
        BENCHMARKS,
        REVISION,
        Benchmark,
        Config,
        UnknownConfigError,
        config_of_task,
        resolve_benchmark,
        resolve_config,
    )
    from mbxp_datasets.conversion import PythonProblem, UnconvertibleError, convert, convert_all
    from mbxp_datasets.converted import converted_problems, converted_revision, python_file
    from mbxp_datasets.download import ChecksumError, ReleaseError, ReleaseUnreachableError
    from mbxp_datasets.problem import (
        FIELDS,
        Problem,
        ProblemFormatError,
        features,
        file_revision,
        read_problems,
        write_problems,
    )
    from mbxp_datasets.release import (
        ReleaseFileNotFoundError,
        data_revision,
        load_problems,
        release_file,
    )
    from mbxp_datasets.sources.files import python_problems
    from mbxp_datasets.sources.humaneval import human_eval_file, human_eval_problems

__version__ = "0.1.0"

__all__ = [
    "BENCHMARKS",
    "FIELDS",
    "REVISION",
    "Benchmark",
    "ChecksumError",
    "Config",
    "Problem",
    "ProblemFormatError",
    "PythonProblem",
    "ReleaseError",
    "ReleaseFileNotFoundError",
    "ReleaseUnreachableError",
    "UnconvertibleError",
    "UnknownConfigError",
    "config_of_task",
    "convert",
    "convert_all",
    "converted_problems",
    "converted_revision",
    "data_revision",
    "features",
    "file_revision",
    "human_eval_file",
    "human_eval_problems",
    "load_problems",
    "python_file",
    "python_problems",
    "read_problems",
    "release_file",
    "resolve_benchmark",
    "resolve_config",
    "write_problems",
]

_MODULES = (
    "catalog",
    "problem",
    "download",
    "release",
    "sources.humaneval",
    "sources.files",
    "conversion",
    "converted",
)


def __getattr__(name: str) -> object:
    if name in __all__:
        import importlib

        for module in _MODULES:
            found = vars(importlib.import_module(f"mbxp_datasets.{module}"))
            if name in found:
                return found[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_autoload.install()
