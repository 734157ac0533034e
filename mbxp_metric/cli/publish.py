"""`mbxp export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mbxp_metric.cli.common import DONE, DataDir, err, one_line_errors, out
from mbxp_metric.console import plain


def export(
    benchmark: Annotated[str, typer.Argument(help="mbxp, multi-humaneval or mathqa-x.")],
    directory: Annotated[Path, typer.Option("--out", "-o", help="A new or empty folder.")],
    configs: Annotated[
        list[str] | None, typer.Option("--config", "-c", help="Only these; repeatable.")
    ] = None,
    variants: Annotated[
        str, typer.Option(help="Letters of variants to add, as in t,r,i,s.", show_default=False)
    ] = "",
    data_dir: DataDir = None,
) -> None:
    """Write a benchmark as a dataset repository: parquet, README card and eval.yaml.

    `load_dataset(FOLDER, CONFIG)` reads it with the datasets library alone.
    """
    with one_line_errors():
        # Imports datasets, which takes a second that the other commands do not have to wait.
        import datasets

        from builder_scripts.export import Exported, export_benchmark

        datasets.disable_progress_bars()

        def show(each: Exported) -> None:
            rows = ", ".join(f"{name} {size[1]}" for name, size in each.splits.items())
            plain(out, f"{each.name}: {rows}")
            if each.partial:
                plain(err, f"{each.name}: the release has {each.release_rows} rows; this copy less")

        export_benchmark(
            benchmark,
            directory,
            configs=configs or (),
            variants=variants,
            data_dir=data_dir,
            done=show,
        )
        plain(out, f"dataset repository in {directory}")
    raise typer.Exit(DONE)
