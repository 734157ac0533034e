"""The builder behind every benchmark: finds the files, keys the cache by their content."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import datasets
from datasets.data_files import DataFilesDict, sanitize_patterns

import mbxp_datasets.problem
from mbxp_datasets.catalog import REVISION, Benchmark, Config, resolve_config
from mbxp_datasets.conversion import UnconvertibleError, target
from mbxp_datasets.converted import (
    DEFAULT_STYLE,
    SOURCES,
    converted_problems,
    converted_revision,
    python_file,
)
from mbxp_datasets.problem import Problem, content_sha256, features, read_problems
from mbxp_datasets.release import local_file, release_file
from mbxp_datasets.sources.files import python_problems

HOMEPAGE = "https://github.com/amazon-science/mxeval"
CITATION = """\
@inproceedings{athiwaratkun2023multilingual,
  title = {Multi-lingual Evaluation of Code Generation Models},
  author = {Ben Athiwaratkun and others},
  booktitle = {International Conference on Learning Representations},
  year = {2023},
  url = {https://openreview.net/forum?id=Bo7eeXm6An8}
}"""


def builder_configs(benchmark: Benchmark) -> list[datasets.BuilderConfig]:
    """The `datasets` configs of a benchmark, one a language."""
    return [
        datasets.BuilderConfig(
            name=config.name,
            version=datasets.Version(config.version),
            description=f"{benchmark.title} in {config.language}",
        )
        for config in benchmark.configs.values()
    ]


class ProblemsBuilder(datasets.GeneratorBasedBuilder):
    """Rows of one config from the release, a local copy of it or a user's own files.

    With `source="convert"` those are Python problems, and the rows are made from them in the
    `style` "release" (the default) or "strict".

    Raises:
        UnknownConfigError: the config name is unknown.
        ReleaseError: the release's file cannot be had.
        ValueError: `data_files` names several splits, or there is no such source or style.
    """

    BENCHMARK: ClassVar[Benchmark]
    VERSION = datasets.Version("1.0.0")

    def __init__(
        self,
        *,
        config_name: str | None = None,
        data_dir: str | None = None,
        data_files: Any = None,
        base_path: str | None = None,
        hash: str | None = None,  # ours below replaces it: it must follow the data
        source: str = "release",
        style: str | None = None,
        **kwargs: Any,
    ) -> None:
        self._release: Config | None = None
        if config_name is not None:
            self._release = resolve_config(self.BENCHMARK.name, config_name)
            config_name = self._release.name
        self._style = self._checked_style(source, style)
        self._files: list[str] | None = None
        if data_files is not None:
            base_path = os.path.abspath(os.path.expanduser(data_dir)) if data_dir else base_path
            data_files = self._one_split(data_files, base_path)
            self._files = [str(file) for files in data_files.values() for file in files]
        elif self._style is not None and self._release is not None:
            self._files = [str(python_file(self._release, data_dir))]
        elif self._release is not None:
            local = local_file(self._release, data_dir)
            self._files = [str(local)] if local else None
        super().__init__(
            config_name=config_name,
            data_files=data_files,
            base_path=base_path,
            hash=_cache_key(self._files, self._style),
            **kwargs,
        )

    def _checked_style(self, source: str, style: str | None) -> str | None:
        """The style to convert in; None where nothing is converted."""
        if source not in SOURCES:
            raise ValueError(f"source={source!r} is unknown; there are {' and '.join(SOURCES)}")
        if source == "release":
            if style is not None:
                raise ValueError(f'style={style!r} has a meaning only with source="convert"')
            return None
        if self._release is None:
            names = ", ".join(self.BENCHMARK.configs)
            raise ValueError(f'source="convert" needs a config, to know the language: {names}')
        style = DEFAULT_STYLE if style is None else style
        target(self._release.language, style)
        return style

    def _one_split(self, data_files: Any, base_path: str | None) -> DataFilesDict:
        patterns = data_files
        if not isinstance(data_files, DataFilesDict):
            patterns = sanitize_patterns(data_files)
        if len(patterns) != 1:
            raise ValueError(
                f"{self.BENCHMARK.name} has one split, test, but data_files names "
                f"{', '.join(map(str, patterns)) or 'none'}; give one at a time"
            )
        if isinstance(patterns, DataFilesDict):
            return patterns
        return DataFilesDict.from_patterns(patterns, base_path=base_path)

    def _info(self) -> datasets.DatasetInfo:
        splits = None
        if self._files is None and self._release is not None:
            # Known without a download, so that the split names can be asked for offline.
            splits = datasets.SplitDict()
            splits.add(datasets.SplitInfo(name="test", num_examples=self._release.rows))
        description = f"{self.BENCHMARK.title}: function-level code generation with unit tests"
        if self._style is not None and self._files is not None:
            local = [file for file in self._files if not _remote(file)]
            revision = converted_revision(local, self._style)
            description += f", made from Python problems ({revision})"
        return datasets.DatasetInfo(
            description=description,
            features=features(),
            homepage=HOMEPAGE,
            citation=CITATION,
            license=self.BENCHMARK.licence,
            splits=splits,
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        language = self._release.language if self._release else None
        paths = self._paths(dl_manager)
        for path in paths:
            # Read through now: what goes wrong while generating is hidden in another error.
            for _ in python_problems(path) if self._style else read_problems(path, language):
                pass
        return [datasets.SplitGenerator(name="test", gen_kwargs={"paths": paths})]

    def _paths(self, dl_manager: Any) -> list[str]:
        if self._files is None:
            assert self._release is not None
            return [str(release_file(self._release))]
        # Streaming has its own manager, which does not fetch; our files are small enough to.
        manager = datasets.DownloadManager(download_config=dl_manager.download_config)
        return [manager.download(file) if _remote(file) else file for file in self._files]

    def _generate_examples(self, paths: list[str]) -> Iterator[tuple[str, Problem]]:
        if self._style is not None:
            yield from self._converted_examples(paths, self._style)
            return
        for path in paths:
            for number, problem in enumerate(read_problems(path)):
                yield f"{path}:{number}", problem

    def _converted_examples(self, paths: list[str], style: str) -> Iterator[tuple[str, Problem]]:
        assert self._release is not None
        rejected: list[UnconvertibleError] = []
        problems = converted_problems(self._release, paths, style, rejected.append)
        for number, problem in enumerate(problems):
            yield f"{number}", problem
        if rejected:
            warnings.warn(
                f"{self.BENCHMARK.name}/{self._release.name}: {len(rejected)} problem(s) cannot be "
                f"converted to {self._release.language} and are left out, the first is "
                f"{rejected[0]}",
                stacklevel=2,
            )


def _remote(file: str) -> bool:
    return "://" in file


def _cache_key(files: list[str] | None, style: str | None) -> str:
    """Names the code that makes the rows and the data read: neither may change under a table."""
    modules = [mbxp_datasets.problem.__file__, __file__]
    if style is not None:
        modules += _sources_below("conversion", "sources", "errata")
    data = [REVISION]
    if files is not None:
        data = [content_sha256([]) if _remote(file) else content_sha256([file]) for file in files]
        data += [file for file in files if _remote(file)]
    parts = [content_sha256(modules), *data, *([f"convert:{style}"] if style else [])]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _sources_below(*packages: str) -> list[str]:
    root = Path(mbxp_datasets.__file__).parent
    found = (path for package in packages for path in (root / package).rglob("*"))
    return sorted(str(path) for path in found if path.suffix in (".py", ".jsonl"))
