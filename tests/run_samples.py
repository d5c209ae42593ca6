"""Run the fenced code samples of Markdown files, each in a fresh process with warnings as errors.

Usage: run_samples.py FILE.md ...

Blocks marked ``python``, ``sh`` or ``bash`` run in order. The blocks of one file share a temporary folder, so that a
later one may read what an earlier one wrote; the checkout's ``examples`` and ``docs`` stand in it as links. A block
below the comment ``<!-- not run: reason -->`` is listed and left out. The first block that fails ends the run with its
output.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINKED = ("examples", "docs")
OPENING = re.compile(r"^(?P<indent>\s*)(?P<fence>`{3,}|~{3,})\s*(?P<language>[A-Za-z0-9_+-]*)")
NOT_RUN = re.compile(r"^\s*<!--\s*not run:\s*(?P<reason>.*?)\s*-->\s*$")
# Third parties' deprecations that a sample cannot avoid, in the syntax of PYTHONWARNINGS (message prefix, category).
WARNINGS = (
    "error",
    # pettingzoo.test imports its classic games in the way that pettingzoo itself deprecates
    "ignore:The old environment creation API has been deprecated:DeprecationWarning",
)


@dataclasses.dataclass(frozen=True)
class Sample:
    """One fenced block: where it stands, what it is and why it is left out, if it is."""

    path: pathlib.Path
    line: int
    language: str
    code: str
    reason: str | None

    @property
    def place(self) -> str:
        """``file:line`` of the opening fence."""
        return f"{self.path}:{self.line}"


def samples_of(path: pathlib.Path) -> list[Sample]:
    """Read the runnable samples of one Markdown file, in order."""
    samples = []
    reason = None
    lines = iter(enumerate(path.read_text(encoding="utf-8").splitlines(), start=1))
    for number, line in lines:
        comment = NOT_RUN.match(line)
        opening = OPENING.match(line)
        if comment:
            if not comment["reason"]:
                raise ValueError(f"{path}:{number}: 'not run' needs a reason")
            reason = comment["reason"]
        elif opening:
            body = []
            closing = re.compile(rf"^\s*{re.escape(opening['fence'])}+\s*$")
            for _, inner in lines:
                if closing.match(inner):
                    break
                body.append(inner)
            else:
                raise ValueError(f"{path}:{number}: the fence is never closed")
            language = opening["language"].lower()
            if language in {"python", "sh", "bash"}:
                samples.append(Sample(path, number, language, textwrap.dedent("\n".join(body)) + "\n", reason))
            elif reason is not None:
                raise ValueError(f"{path}:{number}: 'not run' above a block that would not run anyway")
            reason = None
        elif line.strip():
            if reason is not None:
                raise ValueError(f"{path}:{number}: 'not run' must stand right above its block")
    if reason is not None:
        raise ValueError(f"{path}: 'not run' without a block below it")
    return samples


def run(sample: Sample, folder: pathlib.Path, timeout: float) -> tuple[int, str]:
    """Run one sample in ``folder``; return its exit status and all its output."""
    script = folder / f".sample_{sample.line}.{'py' if sample.language == 'python' else 'sh'}"
    script.write_text(sample.code, encoding="utf-8")
    if sample.language == "python":
        command = [sys.executable, str(script)]
    else:
        command = ["bash", "-euo", "pipefail", str(script)]
    # sys.executable's own folder, unresolved: in a virtual environment it is a link to the base interpreter
    environment = os.environ | {
        "PATH": os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "PYTHONWARNINGS": ",".join(WARNINGS),
        "PYTHONUTF8": "1",
        "MPLBACKEND": "Agg",
    }
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        output = late.output or b""
        text = output.decode("utf-8", "replace") if isinstance(output, bytes) else output
        return 124, f"{text}\nstopped after {timeout:g} s"
    return done.returncode, done.stdout


def main(arguments: list[str] | None = None) -> int:
    """Run the samples of the files named on the command line; 0 if none failed."""
    parser = argparse.ArgumentParser(description="Run the code samples of Markdown files, warnings as errors.")
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE.md")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for one sample (default: 600)")
    options = parser.parse_args(arguments)
    ran = skipped = 0
    for path in options.files:
        try:
            samples = samples_of(path)
        except (OSError, ValueError) as error:
            print(f"FAILED {error}")
            return 1
        with tempfile.TemporaryDirectory(prefix="samples-") as name:
            folder = pathlib.Path(name)
            for linked in LINKED:
                if (ROOT / linked).is_dir():
                    (folder / linked).symlink_to(ROOT / linked)
            for sample in samples:
                if sample.reason is not None:
                    skipped += 1
                    print(f"not run {sample.place} ({sample.language}): {sample.reason}", flush=True)
                    continue
                start = time.perf_counter()
                status, output = run(sample, folder, options.timeout)
                seconds = time.perf_counter() - start
                if status != 0:
                    print(f"FAILED  {sample.place} ({sample.language}) {seconds:.1f} s, exit status {status}")
                    print(textwrap.indent(output.rstrip() or "(no output)", "    "))
                    return 1
                ran += 1
                print(f"ok      {sample.place} ({sample.language}) {seconds:.1f} s", flush=True)
    print(f"{ran} samples ran, {skipped} were left out, in {len(options.files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
