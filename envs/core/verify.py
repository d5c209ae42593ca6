"""Worked examples: files of cases in an engine-neutral script, checked against the rules (`probespiel verify`).

A file is `{"system", "schema", "title", "cases": [...]}`; a case has `id`, `kind`, `setup`, `expect` and, for kind
`play`, `steps`. Each system runs its own kinds, those of the file `verify.py` in its package (see `script` for what is
played); further kinds (exact analysis) are passed in by the caller.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ProbespielError
from .registry import package_of

CaseRunner = Callable[[dict[str, Any]], list[str]]


@dataclass(frozen=True)
class CaseResult:
    """One case: its id, and what did not match (nothing: it passed)."""

    id: str
    kind: str
    problems: tuple[str, ...]


def load_cases(path: str | Path) -> tuple[str, list[dict[str, Any]]]:
    """System name and cases of a file; raises ProbespielError naming what is wrong with it."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ProbespielError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:  # no UTF-8, no JSON, or an integer of too many digits
        raise ProbespielError(f"{path}: is not JSON: {error}") from None
    if not isinstance(data, dict) or not isinstance(data.get("cases"), list):
        raise ProbespielError(f"{path}: must be an object with system, schema, title and a list of cases")
    if data.get("schema", 1) != 1:
        raise ProbespielError(f"{path}: schema {data.get('schema')!r} is unknown: 1")
    for index, case in enumerate(data["cases"]):
        if not isinstance(case, dict) or not isinstance(case.get("id"), str) or not isinstance(case.get("kind"), str):
            raise ProbespielError(f"{path}: case {index} must be an object with the texts id and kind")
    name = data.get("system")
    if not isinstance(name, str):
        raise ProbespielError(f"{path}: system {name!r} must be a text")
    return name, data["cases"]


def case_runners(name: str, compiled: bool) -> dict[str, CaseRunner]:
    """Kinds of worked examples of a system, each with the function that checks a case and returns its problems."""
    module = f"{package_of(name)}.verify"
    if importlib.util.find_spec(module) is None:
        return {}
    return importlib.import_module(module).case_runners(compiled)


def verify_file(
    path: str | Path,
    extra: Mapping[str, CaseRunner] | None = None,
    compiled: bool = False,
    only: str | None = None,
    modules: Mapping[str, Any] | None = None,
) -> list[CaseResult]:
    """Run the cases of a file; `extra` adds kinds, `only` picks one id, `compiled` builds every rule set natively.

    `modules` are added to the setup of every case of kind `play`. Rule modules that a case names by path lie where
    the path says, seen from the working folder or from the folder of the file. A case that breaks the runner counts
    as failed, with the message. Raises ProbespielError for a bad file.
    """
    name, cases = load_cases(path)
    runners: dict[str, CaseRunner] = dict(extra or {})
    runners.update(case_runners(name, compiled))
    results = []
    for case in cases:
        if only is not None and case["id"] != only:
            continue
        runner = runners.get(case["kind"])
        if runner is None:
            known = ", ".join(sorted(runners)) or "none"
            problems = [f"kind {case['kind']!r} is unknown for {name}: {known}"]
        else:
            problems = run_guarded(runner, with_modules(case, modules or {}, Path(path).parent))
        results.append(CaseResult(case["id"], case["kind"], tuple(problems)))
    if only is not None and not results:
        raise ProbespielError(f"{path}: no case has the id {only!r}")
    return results


def with_modules(case: dict[str, Any], modules: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """A case of kind `play` with further modules; paths of its own modules are looked up in `folder` as well."""
    setup = case.get("setup")
    if case["kind"] != "play" or not isinstance(setup, dict):
        return case
    own = {} if setup.get("modules") is None else setup["modules"]
    if not isinstance(own, dict) or not (own or modules):
        return case
    found = {_found(name, folder): values for name, values in own.items()}
    return {**case, "setup": {**setup, "modules": {**found, **modules}}}


def _found(name: Any, folder: Path) -> Any:
    beside = isinstance(name, str) and name.endswith(".py") and not Path(name).is_file() and (folder / name).is_file()
    return str(folder / name) if beside else name


def run_guarded(runner: CaseRunner, case: dict[str, Any]) -> list[str]:
    """Run a case; a malformed case fails with its message instead of stopping the others."""
    try:
        return runner(case)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        place = f" (field {error})" if isinstance(error, KeyError) else ""
        return [f"{type(error).__name__}: {error}{place}"]
