"""What the files of results may hold, as JSON Schemas: `probespiel report --schema KIND`, docs/schemas/."""

from __future__ import annotations

import json
from typing import Any

from ..envs.core.errors import ProbespielError
from ..evaluation.report.schema import GAMES, TEXTS, Records, fields_of, file_schema
from .results import KINDS

COMMANDS = {"tournament": "summary", "match": "summary", "stress": "stress-report", "train": "training",
            "combine": "combinations", "compare": "comparison"}  # fmt: skip
_NUMBER = {"type": "number"}
_SHOWN = {
    "type": "object",
    "description": "games that show each of the sentences, and the command that opens one",
    "properties": {"command": {"type": "string"}, "answer": GAMES, "other ratings": GAMES, "decision": GAMES["items"]},
    "required": ["command", "answer", "other ratings"],
    "additionalProperties": False,
}
_FORFEITS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"game": {"type": "integer"}, "seat": {"type": "integer"}, "message": {"type": "string"}},
        "required": ["game", "seat", "message"],
        "additionalProperties": False,
    },
}


def _parts(name: str, records: Records) -> dict[str, Any]:
    """What stands in a file of a kind beside its format."""
    # Each reads its own records: the libraries of the others are not loaded.
    if name == "summary":
        from ..evaluation.tournament.report import RunInfo
        from ..evaluation.tournament.summary import Summary

        return {"answer": TEXTS, "other ratings": TEXTS, "shown by": _SHOWN,
                "tournament": records.record(RunInfo, {"forfeit_messages": _FORFEITS}),
                "summary": records.of(Summary)}  # fmt: skip
    if name == "stress-report":
        from ..evaluation.stress.findings import Findings

        verdicts = records.fields(Findings, "verdict", "game_verdict")
        return {"verdict": verdicts["verdict"], "game_verdict?": verdicts["game_verdict"],
                "answers": {"type": "object", "additionalProperties": TEXTS},
                "thresholds": {}, "game_thresholds": {},
                "findings": records.record(Findings, dict.fromkeys(verdicts))}  # fmt: skip
    if name == "exploit":
        from ..evaluation.exploit.records import Exploited

        return fields_of(Exploited, records)
    if name == "combinations":
        from ..evaluation.stress.combine import Combinations as Kept
    elif name == "comparison":
        from ..evaluation.stress.compare import Comparison as Kept
    elif name == "balance":
        from ..evaluation.balance.records import Balance as Kept
    elif name == "training":
        from ..evaluation.report.trained import Trained as Kept
    else:
        from ..evaluation.tournament.ladder_page import Standing as Kept
    return {**({"level": _NUMBER} if name == "comparison" else {}), name: records.of(Kept)}


def schema_of(name: str) -> dict[str, Any]:
    """The schema of a kind of result, by the name of its format or of its command; raises ProbespielError for none."""
    kind = COMMANDS.get(name, name)
    if kind not in KINDS:
        raise ProbespielError(f"there are no results of the kind {name!r}: one of {', '.join(KINDS)}")
    records = Records()
    parts = _parts(kind, records)
    return file_schema(kind, KINDS[kind].version, f"probespiel: {KINDS[kind].title}", parts, records)


def schema_text(name: str) -> str:
    """The same as the text of a file."""
    return json.dumps(schema_of(name), indent=1, ensure_ascii=False) + "\n"


__all__ = ["schema_of", "schema_text"]
