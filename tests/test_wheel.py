"""The built wheel holds exactly the modules and the data of the checkout."""

import pathlib
import shutil
import subprocess
import sys
import tomllib
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
SUFFIXES = {
    ".py", ".json", ".html", ".css", ".js", ".txt", ".j2", ".npz", ".safetensors", ".svg", ".md", ".toml",
}  # fmt: skip


def expected_names() -> set[str]:
    """The files of the packages, under the names that they have when installed."""
    names = set()
    for package, folder in PYPROJECT["package-dir"].items():
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in SUFFIXES or path.name == "py.typed":
                names.add("/".join([*package.split("."), *path.relative_to(ROOT / folder).parts]))
    return names


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> pathlib.Path:
    """A wheel built from a copy, where no build folder of an earlier version can add to it."""
    source = tmp_path_factory.mktemp("source")
    for name in ["pyproject.toml", "LICENSE", "README.md"]:
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, source)
    for folder in PYPROJECT["package-dir"].values():
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    target = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(target), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = target.glob("probespiel-*.whl")
    return built


@pytest.mark.slow
def test_wheel_holds_what_the_checkout_holds(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == expected_names()


@pytest.mark.slow
def test_wheel_has_the_command_and_the_licence(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (entry_points,) = [name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt")]
        assert "probespiel = probespiel.app.start:main" in archive.read(entry_points).decode()
        assert any(name.endswith("/LICENSE") for name in archive.namelist())
