"""Build step that puts the start-up files into site-packages; runs in setuptools only."""

from __future__ import annotations

import os

from setuptools.command.build_py import build_py as _build_py

START_UP_FILES = {
    # One line, since only a line that begins with `import` is executed. A failure must never
    # stop an interpreter from starting.
    "mbxp_autoload.pth": (
        'import sys; exec("try:\\n from builder_scripts._startup import start; start()'
        '\\nexcept Exception: pass")\n'
    ),
    # Python 3.15 and later read this one and ignore the other of the same stem.
    "mbxp_autoload.start": "builder_scripts._startup:start\n",
}


class build_py(_build_py):
    """The standard step, then the start-up files beside the packages."""

    def run(self) -> None:
        super().run()
        folder = self.build_lib
        if self.editable_mode:
            folder = self.distribution.get_command_obj("install").install_purelib
        os.makedirs(folder, exist_ok=True)
        for name, content in START_UP_FILES.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(content)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """The standard step's files and, except in an editable install, ours."""
        outputs: list[str] = super().get_outputs(include_bytecode)
        if not self.editable_mode:
            outputs += [os.path.join(self.build_lib, name) for name in START_UP_FILES]
        return outputs
