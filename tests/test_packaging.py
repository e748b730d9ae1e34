"""The archives and an install of one: what they hold, that they are the same each time, that they work.

benchmarks/distribution.py tries every way to install, with every Python; these are a few of its checks.
"""

import sys
from importlib.metadata import PackageNotFoundError

import archives
import pytest
from distribution import Install


@pytest.fixture(scope="module")
def builder(tmp_path_factory):
    """Return a Python that can build the project, or skip the test with the reason."""
    try:
        archives.tracked()
        tools = ("build", *archives.BILLS["To build"])
        return archives.tools(tmp_path_factory.mktemp("builder") / "venv", *tools)
    except archives.Skipped as reason:
        pytest.skip(str(reason))


def bare(home, python, what):
    """Install with the pip that is there already, which is quicker than a pip of its own."""
    venv = home / "venv"
    install = (python, "-m", "pip", "--python", venv, "install", "-q", what)
    return [(python, "-m", "venv", "--without-pip", venv), install], venv / "bin", venv


def test_the_archives_are_whole_and_the_same_bytes_twice_and_the_wheel_installs(builder, tmp_path):
    builds = archives.build_twice(builder, tmp_path)
    source, wheel = builds[0]
    archives.check_source(source)
    archives.check_wheel(wheel, compiled=archives.COMPILER)
    archives.check_same(builds)
    Install(tmp_path / "home", bare, sys.executable, wheel).make().prove()


def test_a_wheel_without_a_compiler_lacks_the_compiled_search_alone_and_holds_nothing_of_an_earlier_one(
    builder, tmp_path
):
    archives.check_rebuilt(builder, tmp_path)


@pytest.mark.parametrize("heading", archives.BILLS)
def test_the_bill_of_dependencies_is_what_the_installed_metadata_say(heading):
    try:
        archives.check_bill(heading)
    except PackageNotFoundError as missing:
        # What the package runs with is always there.
        if heading == "To run":
            raise
        pytest.skip(f"{missing.name} is not installed")


def test_a_file_too_few_or_too_many_is_found():
    with pytest.raises(archives.Failed, match=r"^lacks a; has c$"):
        archives.compare({"b", "c"}, {"a", "b"})
