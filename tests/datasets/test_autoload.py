import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from mbxp_datasets import BENCHMARKS, Config, _autoload

LOAD = """
from datasets import load_dataset
print(load_dataset("mbxp", "kotlin", split="test").num_rows)
"""
FACTORIES = """
import sys, types
for name in ("mbxp_metric", "mbxp_metric.mbxp_exec"):
    sys.modules[name] = types.ModuleType(name)
import {first}
import {second}
import datasets.inspect, evaluate.evaluation_suite
for module in (datasets.load, datasets.inspect):
    print(module.dataset_module_factory("mathqa-x").module_path)
for module in (evaluate.loading, evaluate.evaluation_suite):
    print(module.evaluation_module_factory("mbxp_exec").module_path)
"""
Run = Callable[..., str]


def _start_up_file_is_installed() -> bool:
    return (Path(sysconfig.get_path("purelib")) / "mbxp_autoload.pth").is_file()


needs_start_up_file = pytest.mark.skipif(
    not _start_up_file_is_installed(), reason="the package is not installed in this environment"
)


def test_registered_names_are_the_catalogs() -> None:
    names = {*BENCHMARKS, *(name.replace("_", "-") for name in BENCHMARKS)}
    assert set(_autoload.BUILDERS) == names
    assert set(_autoload.BUILDERS.values()) == set(BENCHMARKS)


@needs_start_up_file
def test_names_resolve_without_an_import_of_ours(run_python: Run, data_dir: Path) -> None:
    assert run_python(LOAD, MBXP_DATA_DIR=str(data_dir)) == "5"


@pytest.mark.parametrize(
    "program", ["import mbxp_datasets" + LOAD, LOAD.replace("print", "import mbxp_datasets\nprint")]
)
def test_import_of_ours_registers_where_the_start_up_file_is_off(
    run_python: Run, data_dir: Path, program: str
) -> None:
    assert run_python(program, MBXP_DATA_DIR=str(data_dir), MBXP_NO_AUTOLOAD="1") == "5"


def test_opt_out_leaves_the_libraries_alone(run_python: Run) -> None:
    program = """
import sys, datasets.load
wrapped = hasattr(datasets.load.dataset_module_factory, "wrapped_by_mbxp")
print("mbxp_datasets" in sys.modules, wrapped)
"""
    assert run_python(program, MBXP_NO_AUTOLOAD="1") == "False False"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("mbxp_datasets", "datasets.inspect, evaluate.evaluation_suite"),
        ("datasets.inspect, evaluate.evaluation_suite", "mbxp_datasets"),
        ("evaluate", "mbxp_datasets"),
    ],
)
def test_every_copy_of_the_resolvers_is_wrapped_in_any_import_order(
    run_python: Run, first: str, second: str
) -> None:
    program = FACTORIES.format(first=first, second=second)
    printed = run_python(program, MBXP_NO_AUTOLOAD="1").split()
    assert printed == ["builder_scripts.mathqa_x"] * 2 + ["mbxp_metric.mbxp_exec"] * 2


def test_importing_ours_imports_neither_library_nor_our_own_modules(run_python: Run) -> None:
    program = """
import sys
before = set(sys.modules)
import mbxp_datasets
print(sorted(set(sys.modules) - before))
"""
    printed = run_python(program, MBXP_NO_AUTOLOAD="1")
    assert printed == "['mbxp_datasets', 'mbxp_datasets._autoload']"


def test_installing_twice_adds_one_finder(run_python: Run) -> None:
    program = """
import sys, mbxp_datasets
from mbxp_datasets import _autoload
_autoload.install(); _autoload.install()
print(sum(type(finder).__module__ == _autoload.__name__ for finder in sys.meta_path))
"""
    assert run_python(program) == "1"


def test_a_library_without_the_resolver_is_told_not_broken(run_python: Run, tmp_path: Path) -> None:
    package = tmp_path / "empty" / "datasets"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from datasets import load\n")
    (package / "load.py").write_text("")
    program = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import mbxp_datasets, datasets
print(caught[0].message)
"""
    assert "no usable datasets.load.dataset_module_factory" in run_python(program)


def test_a_user_directory_of_the_same_name_needs_a_path(
    run_python: Run, tmp_path: Path, data_dir: Path, kotlin: Config
) -> None:
    own = tmp_path / "empty" / "mbxp"
    own.mkdir(parents=True)
    (own / "test.jsonl").write_text('{"a": 1}\n')
    program = """
import mbxp_datasets
from datasets import load_dataset
for name in (("mbxp", "mbkp"), ("./mbxp",)):
    print(load_dataset(*name, split="test").num_rows)
"""
    assert run_python(program, MBXP_DATA_DIR=str(data_dir)) == "5\n1"
