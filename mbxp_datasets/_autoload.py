"""Names our benchmarks and metrics to `datasets` and `evaluate`, which have no plug-in hook.

A finder on `sys.meta_path` wraps the function that resolves a name, in each library, right
after the library's module is imported; it imports neither itself. This module runs at
interpreter start, so it imports nothing that the start has not imported already.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

BUILDERS = {
    "mbxp": "mbxp",
    "multi-humaneval": "multi_humaneval",
    "multi_humaneval": "multi_humaneval",
    "mathqa-x": "mathqa_x",
    "mathqa_x": "mathqa_x",
}
"""Names that `load_dataset` takes, and the module of `builder_scripts` behind each."""

METRICS = {
    "mbxp_exec": "mbxp_metric.mbxp_exec",
    "mbxp_bleu": "mbxp_metric.mbxp_bleu",
}
"""Names that `evaluate.load` takes, and the module behind each."""

_RESOLVERS = {
    "datasets.load": "dataset_module_factory",
    "evaluate.loading": "evaluation_module_factory",
}


def install() -> None:
    """Register the names, now or when the libraries are imported; again does nothing."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    for name in _RESOLVERS:
        module = sys.modules.get(name)
        if module is not None and not getattr(module.__spec__, "_initializing", False):
            _patch(module)


class _Finder:
    """Finds nothing of its own: it adds a step after the import of the modules to patch."""

    def find_spec(
        self, name: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in _RESOLVERS:
            return None
        for finder in sys.meta_path:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find(name, path, target) if find else None
            if spec is not None:
                _patch_after_import(spec)
                return spec
        return None


def _patch_after_import(spec: ModuleSpec) -> None:
    loader: Any = spec.loader
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        _patch(module)

    loader.exec_module = exec_module


def _patch(module: ModuleType) -> None:
    """Wrap the module's resolver, and every copy of it that its library took by name."""
    function = _RESOLVERS[module.__name__]
    original = getattr(module, function, None)
    if getattr(original, "wrapped_by_mbxp", False):
        return
    if not callable(original) or not _has_answer_type(module):
        import warnings

        warnings.warn(
            f"mbxp: this version of {module.__name__.partition('.')[0]} has no usable "
            f"{module.__name__}.{function}, so our names do not resolve; see the README for "
            "the versions that work",
            stacklevel=2,
        )
        return
    wrap = _wrap_datasets if module.__name__ == "datasets.load" else _wrap_evaluate
    wrapped = wrap(original, module)
    wrapped.wrapped_by_mbxp = True  # type: ignore[attr-defined]
    library = module.__name__.partition(".")[0]
    for name, other in list(sys.modules.items()):
        same_library = name == library or name.startswith(library + ".")
        if same_library and getattr(other, "__dict__", {}).get(function) is original:
            setattr(other, function, wrapped)


def _has_answer_type(module: ModuleType) -> bool:
    name = "DatasetModule" if module.__name__ == "datasets.load" else "ImportableModule"
    return hasattr(module, name)


def _wrap_datasets(original: Callable[..., Any], module: Any) -> Callable[..., Any]:
    import functools

    @functools.wraps(original)
    def dataset_module_factory(path: Any, revision: Any = None, *args: Any, **kwargs: Any) -> Any:
        builder = BUILDERS.get(path) if isinstance(path, str) else None
        if builder is None:
            return original(path, revision, *args, **kwargs)
        if revision is not None:
            from mbxp_datasets.catalog import REVISION

            raise ValueError(
                f"{path}: revision={str(revision)!r} is refused, since this package's data are "
                f"revision {REVISION} of the release; for others pass data_dir= or data_files="
            )
        # The hash that keys the cache is the builder's own: it knows which data it reads.
        return module.DatasetModule(f"builder_scripts.{builder}", "mbxp", {"dataset_name": builder})

    return dataset_module_factory


def _wrap_evaluate(original: Callable[..., Any], module: Any) -> Callable[..., Any]:
    import functools

    @functools.wraps(original)
    def evaluation_module_factory(path: Any, *args: Any, **kwargs: Any) -> Any:
        found = METRICS.get(path) if isinstance(path, str) else None
        if found is None:
            return original(path, *args, **kwargs)
        from mbxp_datasets import __version__

        return module.ImportableModule(found, __version__)

    return evaluation_module_factory
