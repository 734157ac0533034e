import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("mbxp_datasets", "mbxp_metric", "builder_scripts", "hub_cards")
SOURCES = (*PACKAGES, "setup.cfg", "pyproject.toml", "LICENSE", "README.md")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    pytest.importorskip("setuptools")
    copy = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, copy / name, ignore=ignored)
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, copy / name)
    out = tmp_path_factory.mktemp("wheel")
    command = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", out, copy]
    subprocess.run([sys.executable, "-m", *command], check=True, timeout=200)
    return zipfile.ZipFile(next(out.glob("mbxp-*.whl")))


def test_wheel_holds_every_file_of_the_packages(wheel: zipfile.ZipFile) -> None:
    files = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files - set(wheel.namelist()) == set()


def test_wheel_holds_and_records_the_start_up_files(wheel: zipfile.ZipFile) -> None:
    record = next(name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
    recorded = wheel.read(record).decode()
    for name in ("mbxp_autoload.pth", "mbxp_autoload.start"):
        assert name in wheel.namelist()
        assert f"\n{name}," in f"\n{recorded}"


def test_start_up_line_is_one_import_line_that_never_fails(wheel: zipfile.ZipFile) -> None:
    (line,) = wheel.read("mbxp_autoload.pth").decode().splitlines()
    assert line.startswith("import ")
    broken = "import sys; sys.path[:] = []; sys.modules['builder_scripts'] = None\n"
    subprocess.run([sys.executable, "-I", "-c", broken + line], check=True)


def test_wheel_has_the_licence_and_the_command(wheel: zipfile.ZipFile) -> None:
    assert any(name.endswith("LICENSE") for name in wheel.namelist())
    entry_points = next(name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "mbxp = mbxp_metric.cli:main" in wheel.read(entry_points).decode()
