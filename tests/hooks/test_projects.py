"""Which project a folder belongs to."""

import subprocess
from pathlib import Path

import pytest

from commonplace.places import book_name


def git(folder: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words],
        cwd=folder,
        check=True,
        capture_output=True,
    )


def repository(folder: Path, origin: str = "") -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Begin")
    if origin:
        git(folder, "remote", "add", "origin", origin)
    return folder


@pytest.mark.req("NS-2")
def test_worktrees_clones_and_folders_within_are_one_project(tmp_path: Path) -> None:
    original = repository(tmp_path / "work/app")
    (original / "src/deep").mkdir(parents=True)
    git(original, "worktree", "add", "-q", str(tmp_path / "tree"))
    git(tmp_path, "clone", "-q", str(original), str(tmp_path / "copy"))
    git(tmp_path, "clone", "-q", str(tmp_path / "copy"), str(tmp_path / "copy of a copy"))
    places = [original, original / "src/deep", tmp_path / "tree", tmp_path / "copy", tmp_path / "copy of a copy"]
    assert len({book_name(place) for place in places}) == 1


@pytest.mark.req("NS-2")
def test_an_address_is_one_project_however_it_is_written(tmp_path: Path) -> None:
    addresses = (
        "git@example.org:team/app.git",
        "https://example.org/team/app",
        "ssh://git@example.org:22/team/app.git",
        "https://me:word@Example.org/team/app.git/",
    )
    places = [repository(tmp_path / str(number), address) for number, address in enumerate(addresses)]
    assert len({book_name(place) for place in places}) == 1
    assert book_name(places[0]).startswith("app-")
    other = repository(tmp_path / "other", "git@example.org:team/other.git")
    assert book_name(other) != book_name(places[0])


@pytest.mark.req("NS-2")
def test_projects_of_the_same_name_are_two(tmp_path: Path) -> None:
    one, two = repository(tmp_path / "a/app"), repository(tmp_path / "b/app")
    (tmp_path / "plain").mkdir()
    assert len({book_name(one), book_name(two), book_name(tmp_path / "plain"), book_name(tmp_path)}) == 4
