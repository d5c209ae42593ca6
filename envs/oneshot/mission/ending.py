"""How a mission ended, in words: whether it succeeded, by what, and who came back."""

from __future__ import annotations

from ...core.abi import STOPPED
from ...core.game import Position
from ...core.texts import ending_lines
from .. import state as st
from ..params import SCENARIOS
from ..text import pick
from .text import CONDITIONS_DE, SCENARIOS_DE


def result_lines(position: Position, lang: str) -> list[str]:
    """Success or failure with the tasks done and not done, the conditions broken, who lives, and the payoffs."""
    return ending_lines(position, lang, "" if position.status == STOPPED else _reason(position, lang))


def _reason(position: Position, lang: str) -> str:
    s, p = position.record, position.game.params
    tasks, conditions = (SCENARIOS_DE, CONDITIONS_DE) if lang == "de" else (SCENARIOS, st.CONDITIONS)
    asked = [int(task) for task in s.scenarios[: int(s.n_scenarios)]]
    broken = [conditions[int(s.cond_kind[i])].replace("_", " ") for i in range(int(s.n_cond)) if s.cond_failed[i]]
    alive = sum(int(s.standing[i]) in st.ALIVE for i in range(int(p.party)))
    lists = (
        (pick(lang, "done", "erledigt"), [tasks[task] for task in asked if s.met[task]]),
        (pick(lang, "not done", "nicht erledigt"), [tasks[task] for task in asked if not s.met[task]]),
        (pick(lang, "failed", "gescheitert"), broken),
    )
    told = [f"{word}: {', '.join(names)}" for word, names in lists if names]
    told.append(f"{pick(lang, 'alive', 'am Leben')} {alive}/{int(p.party)}")
    succeeded = pick(lang, "the mission has succeeded", "die Mission ist gelungen")
    verdict = succeeded if s.success else pick(lang, "the mission has failed", "die Mission ist gescheitert")
    return f"{verdict}: {'; '.join(told)}"


__all__ = ["result_lines"]
