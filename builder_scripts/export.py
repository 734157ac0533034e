"""A benchmark as a folder for the Hub: parquet, card and eval.yaml; loading needs none of ours."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
import yaml

from builder_scripts import base, mathqa_x, mbxp, multi_humaneval
from builder_scripts.errors import ExportError
from hub_cards import SOURCES, render, require_templates
from mbxp_datasets import __version__, resolve_benchmark
from mbxp_datasets.catalog import REVISION, Benchmark
from mbxp_datasets.variants import VARIANTS, option_names, resolve_variant, variant_configs

BUILDERS: Mapping[str, type[base.ProblemsBuilder]] = {
    builder.BENCHMARK.name: builder
    for builder in (mbxp.Mbxp, multi_humaneval.MultiHumaneval, mathqa_x.MathqaX)
}


@dataclass(frozen=True)
class Exported:
    """One config that has been written."""

    name: str
    language: str
    splits: Mapping[str, tuple[int, int]]
    """Bytes in memory and rows of each split."""
    features: list[dict[str, str]]
    download_size: int
    release_rows: int
    """Rows of the whole release file that its problems are from."""

    @property
    def partial(self) -> bool:
        """Whether rows of the release are lacking, as they do in a copy of a part of it."""
        plain = "-" not in self.name
        return plain and self.splits["test"][1] != self.release_rows

    def to_yaml(self) -> dict[str, Any]:
        """Its entry below `dataset_info`: all that `datasets` asks for."""
        return {
            "config_name": self.name,
            "features": self.features,
            "splits": [
                {"name": name, "num_bytes": size, "num_examples": rows}
                for name, (size, rows) in self.splits.items()
            ],
            "download_size": self.download_size,
            "dataset_size": sum(size for size, _ in self.splits.values()),
        }


def config_names(benchmark: Benchmark, variants: str = "") -> list[str]:
    """The configs that the release has rows for, then those of the variants by letter.

    Raises:
        ExportError: a letter is no variant's.
    """
    names = [config.name for config in benchmark.configs.values() if config.file]
    for letter in dict.fromkeys(variants.replace(",", "").replace("-", "").lower()):
        if letter not in VARIANTS:
            raise ExportError(f"no variant {letter!r}; there are {', '.join(VARIANTS)}")
        configs = variant_configs(benchmark, VARIANTS[letter])
        names += [f"{letter}-{config.name}" for config in configs if config.file]
    return names


def export_benchmark(
    benchmark_name: str,
    directory: str | os.PathLike[str],
    *,
    configs: Sequence[str] = (),
    variants: str = "",
    data_dir: str | os.PathLike[str] | None = None,
    done: Callable[[Exported], None] = lambda exported: None,
    **options: Any,
) -> list[Exported]:
    """Write a benchmark as a dataset repository: `DIRECTORY/CONFIG/SPLIT.parquet` and the card.

    Args:
        benchmark_name: `mbxp`, `multi-humaneval` or `mathqa-x`.
        directory: a new or empty folder, or one that an export made before.
        configs: only these; by default all, and those of `variants`.
        variants: letters of variants, as in `ti`.
        data_dir: a local copy of the release.
        done: called after each config.
        options: of the variants.

    Raises:
        ExportError: the folder holds something else, or a name is unknown.
        UnknownConfigError, ReleaseError, OSError, ValueError: as the builders raise.
        MissingExtraError: Jinja2 is not installed.
    """
    benchmark = resolve_benchmark(benchmark_name)
    require_templates()
    names = [_full_name(benchmark, name) for name in configs] or config_names(benchmark, variants)
    target = Path(directory)
    if target.exists():
        exported_files(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    exported = []
    # Beside the target, so that the folder appears whole or not at all.
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as scratch:
        new = Path(scratch) / "new"
        for name in names:
            exported.append(_export_config(benchmark, name, new, data_dir, options))
            done(exported[-1])
        (new / "README.md").write_text(_card(benchmark, exported), encoding="utf-8")
        (new / "eval.yaml").write_text(_eval_yaml(benchmark, exported), encoding="utf-8")
        if target.exists():
            shutil.move(target, Path(scratch) / "old")
        shutil.move(new, target)
    return exported


def exported_files(directory: Path) -> list[Path]:
    """The files of an export, relative to its folder.

    Raises:
        ExportError: the folder holds something else, which must be neither lost nor sent.
        OSError: there is no such folder.
    """
    if not directory.is_dir():
        raise NotADirectoryError(errno.ENOENT, "is no folder", os.fspath(directory))
    found = sorted(path for path in directory.rglob("*") if path.is_file())
    for path in found:
        relative = path.relative_to(directory)
        data = len(relative.parts) == 2 and path.suffix == ".parquet"
        if not data and str(relative) not in ("README.md", "eval.yaml"):
            raise ExportError(f"{path}: is no file of an export; name a new or empty folder")
    return [path.relative_to(directory) for path in found]


def _full_name(benchmark: Benchmark, name: str) -> str:
    variant, config = resolve_variant(benchmark, name)
    return f"{variant.letter}-{config.name}" if variant else config.name


def _export_config(
    benchmark: Benchmark,
    name: str,
    target: Path,
    data_dir: str | os.PathLike[str] | None,
    options: Mapping[str, Any],
) -> Exported:
    kind, config = resolve_variant(benchmark, name)
    taken = option_names(kind) if kind else []
    with tempfile.TemporaryDirectory() as cache:
        builder = BUILDERS[benchmark.name](
            config_name=name,
            data_dir=os.fspath(data_dir) if data_dir is not None else None,
            cache_dir=cache,
            **{option: value for option, value in options.items() if option in taken},
        )
        builder.download_and_prepare()
        tables = builder.as_dataset()
        (target / name).mkdir(parents=True)
        download, splits = 0, {}
        for split, table in tables.items():
            path = target / name / f"{split}.parquet"
            table.to_parquet(path)
            download += path.stat().st_size
            splits[str(split)] = builder.info.splits[split].num_bytes, table.num_rows
    columns = next(iter(tables.values())).features
    features = [{"name": column, "dtype": value.dtype} for column, value in columns.items()]
    return Exported(name, config.language, splits, features, download, config.rows)


def _card(benchmark: Benchmark, exported: Sequence[Exported]) -> str:
    metadata = {
        "pretty_name": benchmark.title,
        "license": benchmark.licence.lower(),
        "language": ["en"],
        "annotations_creators": ["machine-generated"],
        "source_datasets": ["extended"],
        "task_categories": ["text-generation"],
        "tags": ["code", "code-generation", "pass@k", *sorted({e.language for e in exported})],
        "size_categories": [_size_category(sum(n for e in exported for _, n in e.splits.values()))],
        "configs": [
            {
                "config_name": each.name,
                "data_files": [
                    {"split": split, "path": f"{each.name}/{split}.parquet"}
                    for split in each.splits
                ],
            }
            for each in exported
        ],
        "dataset_info": [each.to_yaml() for each in exported],
    }
    return render(
        "dataset/README.md.jinja",
        metadata=metadata,
        benchmark=benchmark,
        exported=exported,
        sources=SOURCES[benchmark.name],
        citation=base.CITATION,
        homepage=base.HOMEPAGE,
        revision=REVISION,
        version=__version__,
        datasets_version=datasets.__version__,
    )


def _size_category(rows: int) -> str:
    for limit, name in ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K")):
        if rows < limit:
            return name
    return "100K<n<1M"


def _eval_yaml(benchmark: Benchmark, exported: Sequence[Exported]) -> str:
    tasks = [e for e in exported if e.name in benchmark.configs]
    document = {
        "name": benchmark.title,
        "description": f"{benchmark.title}: function-level code generation, judged by executing "
        "the tests. Values are pass@1 in percent.",
        "evaluation_framework": "mbxp",
        "tasks": [{"id": e.name, "config": e.name, "split": "test"} for e in tasks],
    }
    return yaml.safe_dump(document, sort_keys=False)
