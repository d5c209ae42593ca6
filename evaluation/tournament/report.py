"""The tournament report: one self-contained HTML file and `summary.json`.

The page has no scripts and loads nothing; its content policy forbids both, and every name is escaped. The same summary
and run information give the same bytes: a time appears only if one is passed in.
"""

import dataclasses
import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from ...envs.core.disk import write_text
from ..report.pages import render_page
from ..report.phrases import Phrasebook
from ..report.rating_words import TEXTS, cycle_claims, rating_claims, say
from ..report.records import record
from ..report.showing import decision_wishes, dominance_wishes
from ..report.wording import (
    Claim,
    claims,
    clean_name,
    dominance_sentence,
    mixture_text,
    payoff_digits,
    record_text,
    signed,
    span,
)
from .joint_words import joint_section
from .loadouts import anchor_of
from .ratings import PRIOR_DRAWS
from .results import FORFEITS
from .summary import Example, Interval, JointRatings, Summary, Verdict, Wish, plain
from .texts import words

_LISTED_FORFEITS = 50
FIELD = (
    "What the first of a pair earns more than the second in a deal, at least and at most: the mean over their "
    "opponents. All of it holds at once, however often one looked."
)
MEETING = (
    "What the first of a pair wins from the second in a game, at least and at most. All of it holds at once, however "
    "often one looked."
)
ALONE = (
    "What the first of a pair gets more than the second in a deal, at least and at most. All of it holds at once, "
    "however often one looked."
)
NAME, VERSION = "summary", 1  # of the file
_MATRICES = (
    "matrix", "matrix_error", "matrix_low", "matrix_high", "joint_low", "joint_high", "scores", "meetings",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What the report says about how the tournament was played.

    `title` heads the page; `parameters` and `versions` are shown as tables; `payoff_unit` follows payoffs in sentences;
    `focus` names strategies that the answer must speak about; `descriptions` explains agents by name, `bounds`
    says how exploitable they are;
    `forfeit_messages` gives the message of a forfeit by (game, seat); `timestamp` is printed as it is, if given.
    `german` are the German names of the seats, and what the descriptions are in German.
    `examples` are games that show claims; `trust` says that to play one again runs files (bots, rule modules).
    `joint` are the ratings of whole tables, if those were played.
    """

    title: str
    game: str
    command: str
    ruleset_hash: str
    scenario: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    payoff_unit: str = ""
    focus: Sequence[str] = ()
    descriptions: Mapping[str, str] = field(default_factory=dict)
    bounds: Mapping[str, str] = field(default_factory=dict)
    forfeit_messages: Mapping[tuple[int, int], str] = field(default_factory=dict)
    seat_names: Sequence[str] = ()
    german: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    timestamp: str | None = None
    examples: Sequence[Example] = ()
    trust: bool = False
    joint: JointRatings | None = None


def _name(name: str) -> Markup:
    """A name as HTML: cleaned, escaped, marked."""
    return Markup('<b class="name">{}</b>').format(clean_name(name))


def _breakable(name: str, longest: int = 60) -> Markup:
    """A name as HTML that may break into lines after punctuation."""
    parts = re.findall(r"[^_:=,./ -]*[_:=,./ -]?", clean_name(name, longest))
    return Markup("<wbr/>").join(part for part in parts if part)


def _namer(name: str) -> str:
    return str(_name(name))


def _sentence(text: str) -> Markup:
    # Sentences are fixed text and numbers around names that _namer has escaped.
    return Markup(text)


def _plus_minus(interval: Interval | None, digits: int) -> str:
    return "" if interval is None else f"±{interval.half_width:.{digits}f}"


def _tint(value: float | None, largest: float) -> Markup:
    """A background for a heat-map cell: one hue for gains, one for losses, stronger with size; none for None."""
    if value is None or largest <= 0:
        return Markup("")
    strength = round(min(abs(value) / largest, 1.0) ** 0.7 * 0.62, 3)
    return Markup('style="background:rgba(var(--{}),{})"').format("gain" if value > 0 else "loss", strength)


def _cells(summary: Summary, digits: int) -> list[dict[str, Any]]:
    """The head-to-head matrix, rows and columns in order of rank."""
    order = [row.agent for row in summary.leaderboard]
    largest = max((abs(v) for line in summary.matrix for v in line if v is not None), default=0.0)
    lines: list[dict[str, Any]] = []
    for i in order:
        cells: list[dict[str, Any]] = []
        for j in order:
            value = summary.matrix[i][j]
            low = summary.matrix_low[i][j] if summary.matrix_low else None
            high = summary.matrix_high[i][j] if summary.matrix_high else None
            interval = None if low is None or high is None else Interval(low, high)
            least = summary.joint_low[i][j] if summary.joint_low else None
            most = summary.joint_high[i][j] if summary.joint_high else None
            score, met = summary.scores[i][j], summary.meetings[i][j]
            about = f"{clean_name(summary.names[i])} against {clean_name(summary.names[j])}: {signed(value, digits)}"
            about += f" ({span(interval, digits)})" if interval else ""
            about += f", {score:.1%} of the points in {met:g} games" if score is not None and met is not None else ""
            cells.append(
                {
                    "self": i == j,
                    "text": signed(value, 2 if digits == 3 else digits) if i != j else "",
                    "tint": _tint(value, largest),
                    "sure": (least is not None and least > 0) or (most is not None and most < 0),
                    "about": about,
                }
            )
        lines.append({"agent": i, "cells": cells})
    return lines


def _status(v: Verdict) -> tuple[str, str]:
    """The word for a verdict on dominance and its colour."""
    if v.dominated is None:
        return ("perhaps" if v.seems_dominated else "not shown"), ""
    return ("dominated", "bad") if v.dominated else ("no", "good")


def _verdict_rows(summary: Summary, info: RunInfo, digits: int, unit: str, t: Phrasebook) -> list[dict[str, Any]]:
    if summary.metagame is None:
        return []
    rows: list[dict[str, Any]] = []
    for line in summary.leaderboard:
        v = summary.metagame.verdicts[line.agent]
        status, tone = _status(v)
        if v.dominator is not None:
            by = _name(summary.names[v.dominator])
        else:
            by = Markup(t.mixture(mixture_text(v.mixture or (), [_namer(n) for n in summary.names])))
        rows.append(
            {
                "agent": line.agent,
                "dominated": v.dominated,
                "status": status,
                "tone": tone,
                "by": by,
                "margin": signed(v.margin, digits) if v.dominated else "",
                "worst": None if v.worst_opponent is None else summary.names[v.worst_opponent],
                "worst_payoff": signed(v.worst_payoff, digits),
                "worst_span": span(v.worst_interval, digits),
                "exploitability": f"{v.exploitability:.{digits}f}",
                "most": "–" if v.most_exploitability is None else f"{v.most_exploitability:.{digits}f}",
                "cross": "–" if v.cross_exploitability is None else f"{v.cross_exploitability:.{digits}f}",
                "beats": len(v.beats),
                "beaten_by": [summary.names[j] for j in v.beaten_by],
                "unbeaten": v.unbeaten,
                "sentence": t(_sentence(dominance_sentence(summary, line.agent, _namer, unit))),
                "games": _at(games_for(Claim("", "", dominance_wishes(summary, line.agent)), info)),
            }
        )
    return rows


def _other_rows(summary: Summary, digits: int) -> list[dict[str, Any]]:
    """The table of other ways to rate, in order of rank."""
    if summary.metagame is None or len(summary.names) < 2:
        return []
    found = summary.metagame.ratings
    rows: list[dict[str, Any]] = []
    for row in summary.leaderboard:
        cells = [signed(row.rating, digits), record_text(row), signed(found.nash_average[row.agent], digits)]
        if found.deviation is not None:
            cells.append(signed(found.deviation[row.agent], digits))
        rows.append({"agent": row.agent, "cells": [*cells, f"{found.alpha_rank[row.agent]:.1%}"]})
    return rows


def replay_command(folder: str, game: int | str, info: RunInfo) -> str:
    """The command that plays a game of the tournament in a folder again and shows it."""
    return f"probespiel replay {shlex.quote(folder)} --game {game}{' --trust-files' if info.trust else ''}"


def games_for(claim: Claim, info: RunInfo) -> list[int]:
    """The numbers of the games that show a claim, in the order of its wishes."""
    found = {Wish(e.kind, e.first, e.second): e.game for e in info.examples}
    return list(dict.fromkeys(found[wish] for wish in claim.wishes if wish in found))


def _at(games: Sequence[int]) -> list[str]:
    """The anchors of games on the page."""
    return [f"game-{game}" for game in games]


def decision_games(summary: Summary, info: RunInfo) -> list[int]:
    """The numbers of the games that show what a tournament that stops by itself has found."""
    return [] if summary.decision is None else games_for(Claim("", "", decision_wishes(summary.decision)), info)


def _decided(summary: Summary, digits: int) -> dict[str, Any]:
    """What is known of each pair of a tournament that stops by itself; empty for others."""
    found = summary.decision
    if found is None:
        return {}
    intro = FIELD if found.goal in ("ranking", "best") else ALONE if summary.lone else MEETING
    ends = zip(found.pairs, found.low, found.high, found.deals, strict=True)
    return {
        "intro": intro,
        "rows": [
            {"who": [summary.names[i] for i in pair], "low": signed(low, digits + 1), "high": signed(high, digits + 1),
             "deals": deals}
            for pair, low, high, deals in ends
        ],
    }  # fmt: skip


def _note_links(note: str, summary: Summary, info: RunInfo) -> tuple[str, list[str]] | None:
    """Where the numbers of a note stand, and the games that show it; None for one that tells how it was played."""
    if summary.decision is not None and note == summary.decision.text:
        return "decision", _at(decision_games(summary, info))
    anchor = anchor_of(note)
    return None if anchor is None else (anchor, ["games"] if info.examples else [])


def _example_rows(summary: Summary, info: RunInfo, digits: int, t: Phrasebook) -> list[dict[str, Any]]:
    """The games that show claims, each once, in the order of the claims."""
    return [
        {
            "game": e.game,
            "who": [summary.names[e.first], summary.names[e.second]],
            "payoffs": [signed(value, digits) for value in e.payoffs],
            "why": t(example_reason(e)),
            "command": replay_command(".", e.game, info),
        }
        for e in _each_game(info.examples)
    ]


def _each_game(examples: Sequence[Example]) -> list[Example]:
    """The examples without those whose game stands there already."""
    first: dict[int, Example] = {}
    for example in examples:
        first.setdefault(example.game, example)
    return list(first.values())


def example_reason(example: Example) -> str:
    """Why a game was chosen."""
    if example.kind == "ahead":
        return (
            f"the middle result of the {example.among} among their first {example.looked} games in which the first "
            "got more"
        )
    return f"the middle result of their first {example.looked} games"


def _forfeit_rows(summary: Summary, info: RunInfo) -> list[dict[str, Any]]:
    return [
        {
            "game": f.game,
            "seat": f.seat,
            "agent": summary.names[f.agent],
            "kind": FORFEITS[f.kind],
            "message": clean_name(info.forfeit_messages.get((f.game, f.seat), ""), 400),
        }
        for f in summary.forfeits[:_LISTED_FORFEITS]
    ]


def _value_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False, default=str)


def _described(text: str, info: RunInfo, t: Phrasebook) -> str:
    """What a strategy is, in the language of the page; empty where nobody has said it in that."""
    return text if t.english else info.german.get(text) or t.told(text) or ""


def _ranks(interval: tuple[int, int] | None) -> str:
    if interval is None:
        return "–"
    return str(interval[0]) if interval[0] == interval[1] else f"{interval[0]}–{interval[1]}"


def payoffs_differ(summary: Summary) -> bool:
    """Whether mean payoffs tell more than ratings by payoff, as in games that are not zero-sum."""
    scale = max((abs(row.payoff) for row in summary.leaderboard if row.payoff is not None), default=0.0)
    return any(row.payoff is None or abs(row.payoff - row.rating) > 1e-9 * scale for row in summary.leaderboard)


def _seat_name(info: RunInfo, seat: int) -> str:
    return info.seat_names[seat] if seat < len(info.seat_names) else f"seat {seat}"


def _ladder(summary: Summary, lang: str) -> str:
    """The ladder as SVG, of three strategies at least: two have no wheel beside it."""
    from ..report.plots import ladder_plot

    return ladder_plot(summary, say("ladder_label", lang), say("height", lang)) if len(summary.names) > 2 else ""


def render_html(summary: Summary, info: RunInfo, lang: str = "en") -> str:
    """The report as one HTML page (also well-formed XML), inline CSS and SVG, no scripts, no outside references.

    `lang`: `en` or `de`. Numbers have the digits that `summary.json` keeps: the same page can be made from it alone.
    """
    kept, told = read_summary(json.loads(summary_json(summary, info)))
    return render_in(kept, told, words(lang))


def render_in(summary: Summary, info: RunInfo, t: Phrasebook) -> str:
    """The same in the language of a phrasebook."""
    # Who draws takes as long to load as all the rest, and whoever plays need not wait for it.
    from ..report.plots import nash_plot, ratings_plot, wheel_plot

    digits = payoff_digits(summary)
    filters: dict[str, Any] = dict(
        name=_name,
        clean=clean_name,
        breakable=_breakable,
        signed=lambda v: t.number(signed(v, digits)),
        thousands=lambda v: t.number(f"{v:,.0f}"),
        percent=lambda v: f"{v * 100:.0f}",
        value=_value_text,
        tint=_tint,
        t=t,
        word=t.word,
        seat=lambda name: name if t.english else info.german.get(name) or t.word(name),
        num=t.number,
    )
    seat_payoffs = [abs(t.payoff) for row in summary.leaderboard for t in row.seats if t.payoff is not None]
    unit = str(escape(clean_name(info.payoff_unit)))
    found = claims(summary, info.focus, _namer, unit)
    sentences = [dataclasses.replace(claim, text=t(_sentence(claim.text))) for claim in found]
    content = dict(
        s=summary,
        info=info,
        digits=digits,
        unit=t.word(f" {clean_name(info.payoff_unit)}").strip(),
        lang=t.lang,
        lead=sentences[0],
        sentences=sentences[1:],
        rows=summary.leaderboard,
        seat_scale=max(seat_payoffs, default=0.0),
        seat_names=[_seat_name(info, seat.seat) for seat in summary.seats],
        matrix=_cells(summary, digits),
        verdicts=_verdict_rows(summary, info, digits, unit, t),
        forfeits=_forfeit_rows(summary, info),
        ratings_svg=Markup(ratings_plot(summary, t)),
        nash_svg=Markup(nash_plot(summary, t)),
        plus_minus=lambda interval, digits: t.number(_plus_minus(interval, digits)),
        words={key: say(key, t.lang) for key in TEXTS if "{" not in TEXTS[key][0]},
        other_rows=_other_rows(summary, digits),
        rating_claims=rating_claims(summary, t.lang, _namer, unit),
        cycle_claims=cycle_claims(summary, t.lang, _namer),
        joint=joint_section(summary, info.joint, t.lang, _namer, unit, info.trust),
        safe=_sentence,
        games_for=lambda claim: _at(games_for(claim, info)),
        note_links=lambda note: _note_links(note, summary, info),
        decided=_decided(summary, digits),
        examples=_example_rows(summary, info, digits, t),
        ladder_svg=Markup(_ladder(summary, t.lang)),
        wheel_svg=Markup(wheel_plot(summary, say("wheel_label", t.lang))),
        ranks=_ranks,
        level=f"{summary.level * 100:g}%",
        prior_draws=PRIOR_DRAWS,
        payoffs_differ=payoffs_differ(summary),
        record=lambda row: t.number(t.word(record_text(row))),
        described=lambda name: _described(info.descriptions.get(name, ""), info, t),
        bounded=lambda name: t(info.bounds.get(name, "")),
        warnings=t.all(clean_name(w, 10_000) for w in summary.warnings),
    )
    return render_page("report.html.j2", filters, content)


def summary_json(summary: Summary, info: RunInfo) -> str:
    """`summary.json`: the answer in words, how it was played, and every number of the summary."""
    told = dataclasses.asdict(info)
    told["forfeit_messages"] = [
        {"game": g, "seat": s, "message": m} for (g, s), m in sorted(info.forfeit_messages.items())
    ]
    for name in ("timestamp", "joint"):
        if told[name] is None:
            del told[name]
    told_first = claims(summary, info.focus, unit=info.payoff_unit)
    others = [*rating_claims(summary, unit=info.payoff_unit), *cycle_claims(summary)]
    content = {
        "format": f"probespiel-{NAME}/{VERSION}",
        "answer": [claim.text for claim in told_first],
        "other ratings": [claim.text for claim in others],
        "shown by": {
            "command": replay_command("FOLDER", "GAME", info),
            "answer": [games_for(claim, info) for claim in told_first],
            "other ratings": [games_for(claim, info) for claim in others],
            **({} if summary.decision is None else {"decision": decision_games(summary, info)}),
        },
        "tournament": plain(told),
        "summary": summary.to_dict(),
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def read_summary(content: Mapping[str, Any]) -> tuple[Summary, RunInfo]:
    """What a `summary.json` holds, from its JSON; raises KeyError, TypeError or ValueError if it is damaged."""
    told = dict(content["tournament"])
    messages = {(int(m["game"]), int(m["seat"])): str(m["message"]) for m in told.pop("forfeit_messages")}
    info = dataclasses.replace(record(RunInfo, told), forfeit_messages=messages)
    summary = record(Summary, content["summary"])
    _check(summary, info.examples)
    if info.joint is not None and sorted(row.name for row in info.joint.rows) != sorted(summary.names):
        raise ValueError("the whole tables have other strategies than the tournament")
    return summary, info


def _check(summary: Summary, examples: Sequence[Example]) -> None:
    """Raise ValueError for a summary whose parts do not go together."""
    n = len(summary.names)
    if n == 0 or sorted(row.agent for row in summary.leaderboard) != list(range(n)):
        raise ValueError("the leaderboard has other strategies than names")
    game = summary.metagame
    matrices = [getattr(summary, name) for name in _MATRICES]
    if any(m is not None and (len(m) != n or any(len(row) != n for row in m)) for m in matrices):
        raise ValueError("a matrix has not as many rows and columns as there are strategies")
    vectors = [] if game is None else [game.nash, game.nash_low, game.nash_high, game.verdicts]
    vectors += [] if game is None else [part for v in game.verdicts for part in (v.mixture, v.best_answer_to)]
    if any(vector is not None and len(vector) != n for vector in vectors):
        raise ValueError("the metagame has not as many strategies as there are names")
    named = list(summary.tied_with_best) + [f.agent for f in summary.forfeits]
    for v in () if game is None else game.verdicts:
        named += [v.agent, *v.beats, *v.beaten_by]
        named += [i for i in (v.worst_opponent, v.dominator, v.seems_dominator) if i is not None]
    if any(not 0 <= i < n for i in named) or any(not 0 <= f.kind < len(FORFEITS) for f in summary.forfeits):
        raise ValueError("a strategy or a forfeit has a number that does not exist")
    if any(not 0 <= i < n for e in examples for i in (e.first, e.second)):
        raise ValueError("a game that shows something has strategies that do not exist")
    if any(not 0 <= f.seat < len(summary.seats) for f in summary.forfeits):
        raise ValueError("a forfeit has a seat that does not exist")


def write_report(folder: Path, summary: Summary, info: RunInfo) -> tuple[Path, Path]:
    """Write ``report.html`` and ``summary.json`` into `folder` (made if missing), atomically; returns their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    page, numbers = folder / "report.html", folder / "summary.json"
    write_text(page, render_html(summary, info))
    write_text(numbers, summary_json(summary, info))
    return page, numbers
