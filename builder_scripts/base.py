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
from mbxp_datasets.catalog import REVISION, Benchmark, Config
from mbxp_datasets.conversion import UnconvertibleError
from mbxp_datasets.converted import (
    DEFAULT_STYLE,
    SOURCES,
    check_conversion,
    converted_problems,
    converted_revision,
    python_file,
)
from mbxp_datasets.problem import Problem, content_sha256, features, read_problems
from mbxp_datasets.release import local_file, release_file
from mbxp_datasets.sources.files import python_problems
from mbxp_datasets.variants import (
    VARIANTS,
    Row,
    Translation,
    Variant,
    make_variant,
    option_names,
    resolve_variant,
    variant_configs,
)

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
    """The `datasets` configs of a benchmark: one a language, then those of each variant."""
    found = [
        (config.name, config, f"{benchmark.title} in {config.language}")
        for config in benchmark.configs.values()
    ]
    for variant in VARIANTS.values():
        found += [
            (
                f"{variant.letter}-{config.name}",
                config,
                f"{benchmark.title} in {config.language}: {variant.title}",
            )
            for config in variant_configs(benchmark, variant)
        ]
    return [
        datasets.BuilderConfig(
            name=name, version=datasets.Version(config.version), description=description
        )
        for name, config, description in found
    ]


class ProblemsBuilder(datasets.GeneratorBasedBuilder):
    """Rows of one config from the release, a local copy of it or a user's own files.

    With `source="convert"` those are Python problems, and the rows are made from them in the
    `style` "release" (the default) or "strict". A variant's config makes its rows of these,
    and takes the variant's options.

    Raises:
        UnknownConfigError: the config name is unknown.
        ReleaseError: the release's file cannot be had.
        ValueError: `data_files` names several splits, there is no such source or style, or an
            option is not the variant's.
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
        options = {name: kwargs.pop(name) for name in option_names() if name in kwargs}
        self._variant: Variant | None = None
        if config_name is not None:
            variant, self._release = resolve_variant(self.BENCHMARK, config_name)
            config_name = self._release.name
            if variant is not None:
                config_name = f"{variant.letter}-{config_name}"
                self._variant = make_variant(variant, config_name, options)
        if options and self._variant is None:
            what = f"{config_name or self.BENCHMARK.name}, which is no variant's config"
            raise ValueError(f"{next(iter(options))}= is no option of {what}")
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
        self._source, self._source_files = self._translated(data_dir)
        super().__init__(
            config_name=config_name,
            data_files=data_files,
            base_path=base_path,
            hash=self._key(),
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
        check_conversion(self._release.language, style)
        return style

    def _translated(self, data_dir: str | None) -> tuple[Config | None, list[str] | None]:
        """The config that a translation is from, and its files; no files are the release's."""
        if not isinstance(self._variant, Translation) or self._release is None:
            return None, None
        source = self._variant.source(self._release)
        if self._style is not None:
            return source, self._files
        local = local_file(source, data_dir)
        return source, [str(local)] if local else None

    def _key(self) -> str:
        key = _cache_key(self._files, self._style)
        if self._variant is None:
            return key
        files = [*(self._source_files or []), *self._variant.files_read]
        local = [file for file in files if not _remote(file)]
        code = content_sha256(_sources_below("variants"))
        parts = [key, code, repr(self._variant), repr(self._source), content_sha256(local)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

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
        whole = self._variant is None or not self._variant.needs_solutions
        if self._files is None and self._release is not None and whole:
            # Known without a download, so that the split names can be asked for offline.
            splits = datasets.SplitDict()
            for name in self._splits:
                splits.add(datasets.SplitInfo(name=name, num_examples=self._release.rows))
        description = f"{self.BENCHMARK.title}: function-level code generation with unit tests"
        if self._variant is not None:
            description += f", as {self._variant.title} ({self._variant})"
        if self._style is not None and self._files is not None:
            local = [file for file in self._files if not _remote(file)]
            revision = converted_revision(local, self._style)
            description += f", made from Python problems ({revision})"
        return datasets.DatasetInfo(
            description=description,
            features=self._variant.features if self._variant else features(),
            homepage=HOMEPAGE,
            citation=CITATION,
            license=self.BENCHMARK.licence,
            splits=splits,
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        paths = self._paths(dl_manager, self._files, self._release)
        self._read_through(paths, self._release)
        gen_kwargs: dict[str, Any] = {"paths": paths}
        if self._source is not None:
            sources = self._paths(dl_manager, self._source_files, self._source)
            self._read_through(sources, self._source)
            gen_kwargs["sources"] = sources
        if self._variant is not None and not any(
            self._rows([], split=self._splits[0], **gen_kwargs)
        ):
            raise ValueError(
                f"{self.config.name} of {self.BENCHMARK.name}: none of these problems makes a row; "
                "they need a canonical_solution that does not fail"
            )
        return [
            datasets.SplitGenerator(name=name, gen_kwargs={**gen_kwargs, "split": name})
            for name in self._splits
        ]

    @property
    def _splits(self) -> tuple[str, ...]:
        return self._variant.splits if self._variant else ("test",)

    def _read_through(self, paths: list[str], config: Config | None) -> None:
        """Meet now what would go wrong while generating, where another error hides it."""
        for path in paths:
            language = config.language if config else None
            for _ in python_problems(path) if self._style else read_problems(path, language):
                pass

    def _paths(self, dl_manager: Any, files: list[str] | None, config: Config | None) -> list[str]:
        if files is None:
            assert config is not None
            return [str(release_file(config))]
        # Streaming has its own manager, which does not fetch; our files are small enough to.
        manager = datasets.DownloadManager(download_config=dl_manager.download_config)
        return [manager.download(file) if _remote(file) else file for file in files]

    def _generate_examples(
        self, paths: list[str], split: str = "test", sources: list[str] | None = None
    ) -> Iterator[tuple[str, Problem | Row]]:
        rejected: list[UnconvertibleError] = []
        for number, row in enumerate(self._rows(rejected, paths, split, sources)):
            yield f"{number}", row
        if rejected:
            assert self._release is not None
            warnings.warn(
                f"{self.BENCHMARK.name}/{self._release.name}: {len(rejected)} problem(s) cannot be "
                f"converted to {self._release.language} and are left out, the first is "
                f"{rejected[0]}",
                stacklevel=2,
            )

    def _rows(
        self,
        rejected: list[UnconvertibleError],
        paths: list[str],
        split: str,
        sources: list[str] | None = None,
    ) -> Iterator[Problem | Row]:
        problems = self._problems(paths, self._release, rejected)
        if isinstance(self._variant, Translation) and sources is not None:
            yield from self._variant.rows(problems, self._problems(sources, self._source, []))
        elif self._variant is not None:
            yield from self._variant.split_rows(problems, split)
        else:
            yield from problems

    def _problems(
        self, paths: list[str], config: Config | None, rejected: list[UnconvertibleError]
    ) -> Iterator[Problem]:
        if self._style is not None:
            assert config is not None
            return converted_problems(config, paths, self._style, rejected.append)
        return (problem for path in paths for problem in read_problems(path))


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
