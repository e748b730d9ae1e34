"""The compiled search, which is optional: without a compiler the package installs and searches in plain Python."""

import platform

from setuptools import Extension, setup

# Counting bits is one instruction on every x86-64 of the last fifteen years, but must be asked for.
BITS = ["-mpopcnt"] if platform.machine() in ("x86_64", "AMD64") else []

setup(
    ext_modules=[
        Extension(
            "canfield_cli.solver._search",
            ["canfield_cli/solver/_search.pyx"],
            extra_compile_args=["-O3", *BITS],
            optional=True,
        )
    ]
)
