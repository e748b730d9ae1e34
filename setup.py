"""What pyproject.toml can't say: the compiled search, and archives that are the same bytes each time they are made.

The compiled search is optional: without a compiler the package installs and searches in plain Python.
"""

import gzip
import os
import platform
import shutil
import tarfile

from setuptools import Extension, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

# Counting bits is one instruction on every x86-64 of the last fifteen years, but must be asked for.
BITS = ["-mpopcnt"] if platform.machine() in ("x86_64", "AMD64") else []
# The time of every file in an archive: 2020 began, unless told otherwise. The wheel reads it from there.
EPOCH = int(os.environ.setdefault("SOURCE_DATE_EPOCH", "1577836800"))
# What is made on the way gets the same permissions whoever builds.
os.umask(0o022)


def plain(member):
    """Return `member` of an archive without what depends on who makes it, and when."""
    member.mtime, member.uid, member.gid, member.uname, member.gname = EPOCH, 0, 0, "", ""
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


class SourceArchive(sdist):
    """The source archive, which setuptools would fill with the times and the owner of the files."""

    def make_archive(self, base_name, *_, base_dir, **__):
        """Write the folder `base_dir` as a tar.gz, the one format of source archives; return its path."""
        path = f"{base_name}.tar.gz"
        with (
            gzip.GzipFile(path, "wb", mtime=EPOCH) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            archive.add(base_dir, filter=plain)
        return path


class Modules(build_py):
    """The package without what an earlier build left in the tree, which setuptools would take along."""

    def run(self):
        """Begin with an empty folder; building the compiled search comes after this."""
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


setup(
    cmdclass={"build_py": Modules, "sdist": SourceArchive},
    ext_modules=[
        Extension(
            "canfield_cli.solver._search",
            ["canfield_cli/solver/_search.pyx"],
            # Facts for a debugger hold the path of the folder that it is built in.
            extra_compile_args=["-O3", "-g0", *BITS],
            optional=True,
        )
    ],
)
