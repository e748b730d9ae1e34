"""The archives and an install of one: what they hold, that they are the same each time, that they work.

benchmarks/distribution.py tries every way to install, with every Python; these are a few of its checks.
"""

import sys

import distribution
import pytest


@pytest.fixture(scope="module")
def builder(tmp_path_factory):
    """Return a Python that can build the project, or skip the test with the reason."""
    try:
        distribution.tracked()
        return distribution.builder(tmp_path_factory.mktemp("builder") / "venv")
    except distribution.Skipped as reason:
        pytest.skip(str(reason))


def bare(home, python, what):
    """Install with the pip that is there already, which is quicker than a pip of its own."""
    venv = home / "venv"
    install = (python, "-m", "pip", "--python", venv, "install", "-q", what)
    return [(python, "-m", "venv", "--without-pip", venv), install], venv / "bin", venv


def test_the_archives_are_whole_and_the_same_bytes_twice_and_the_wheel_installs(builder, tmp_path):
    builds = distribution.build_twice(builder, tmp_path)
    source, wheel = builds[0]
    distribution.check_source(source)
    distribution.check_wheel(wheel, compiled=distribution.COMPILER)
    distribution.check_same(builds)
    distribution.Install(tmp_path / "home", bare, sys.executable, wheel).make().prove()


def test_without_a_compiler_the_wheel_lacks_the_compiled_search_alone(builder, tmp_path):
    wheel = distribution.archives(builder, distribution.copy(tmp_path), **distribution.NO_COMPILER)[1]
    distribution.check_wheel(wheel, compiled=False)


def test_the_bill_of_dependencies_is_what_the_installed_metadata_say():
    assert distribution.billed("To run") == distribution.needed()
    assert {"typer", "prompt-toolkit"} <= set(distribution.billed("To run"))


def test_a_file_too_few_or_too_many_is_found():
    with pytest.raises(distribution.Failed, match=r"^lacks a; has c$"):
        distribution.compare({"b", "c"}, {"a", "b"})
