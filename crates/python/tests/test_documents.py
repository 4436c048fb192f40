"""The samples in the documents are what the package prints."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import wurfel
from wurfel.speed import plies_per_second

PAGE = Path(__file__).parents[3] / "docs" / "python.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the package is tested outside the repository")
def test_the_samples_of_the_page_run() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert (found.failed, found.attempted > 15) == (0, True)


def test_the_package_says_what_is_there() -> None:
    said = subprocess.run([sys.executable, "-m", "wurfel"], check=True, capture_output=True, text=True).stdout
    assert said.startswith(f"wurfel {wurfel.__version__}\n")
    for game in wurfel.games():
        assert f"environment {game.name}-v1" in said
    assert all(name in said for name, _ in wurfel.agents())


@pytest.mark.skipif(sys.platform == "win32", reason="pipes as on Unix")
def test_who_reads_the_first_line_only_sees_no_trace() -> None:
    # The reader of the pipe goes before anything is written.
    with subprocess.Popen([sys.executable, "-m", "wurfel"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as said:
        assert said.stdout is not None and said.stderr is not None
        said.stdout.close()
        assert (said.stderr.read(), said.wait()) == ("", 0)


def test_every_name_of_the_package_is_documented() -> None:
    public = [getattr(wurfel, name) for name in wurfel.__all__ if not name.startswith("__")]
    assert all(of.__doc__ for of in public)
    methods = [
        (of.__name__, name)
        for of in public
        if isinstance(of, type) and of.__module__ == "wurfel"
        for name, member in vars(of).items()
        if not name.startswith("_") and not member.__doc__
    ]
    assert methods == []


def test_the_environment_can_be_timed() -> None:
    assert plies_per_second("einstein", 16, 0.05) > 0
