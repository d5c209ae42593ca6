"""What others may be expected to do after an action: what a short search would do in their places, in several deals."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ...agents.base import Agent, View
from ...agents.human import Speech
from ...envs.core.actions import LANGUAGES
from ...envs.core.game import Game
from ...envs.core.rng import rng_array

DEALS = 8  # ways in which what the seat cannot know is dealt anew
AGENT = "search:sims=100,seconds=0.1"  # who answers in each of them
_MOST = 20  # forced moves in between
_TEXT = (
    "Expected next: {seat}: {action} (in {times} of {deals} cases tried).",
    "Danach zu erwarten: {seat}: {action} (in {times} von {deals} durchgespielten Fällen).",
)


@dataclass(frozen=True)
class Reply:
    """The likeliest next decision of somebody else: whose, what it is in English and German, and in how many deals."""

    seat: int
    texts: tuple[str, str]
    times: int
    deals: int

    def told(self, game: Game, lang: str) -> str:
        """The reply as a sentence."""
        values = {"seat": game.seats[self.seat].called(lang), "action": self.texts[lang == "de"]}
        return _TEXT[lang == "de"].format(times=self.times, deals=self.deals, **values)


def reply_to(game: Game, view: View, action: int, agent: Agent) -> Reply | None:
    """What follows an action of `view.seat`, as far as the seat can know; `agent` is prepared and answers for others.

    None where others choose at the same time, where the seat itself goes on or the game is over in most deals, and
    where nothing is done in half of them. Raises AgentError.
    """
    found: Counter[tuple[int, tuple[str, str]] | None] = Counter()
    for deal in range(DEALS):
        found[_next(game, view, action, agent, deal)] += 1
    likeliest, times = found.most_common(1)[0]
    return None if likeliest is None or 2 * times < DEALS else Reply(*likeliest, times, DEALS)


def _next(game: Game, view: View, action: int, agent: Agent, deal: int) -> tuple[int, tuple[str, str]] | None:
    """Seat and words of the next real decision of somebody else in one deal; None if there is none."""
    world, dice = view.world(), rng_array(view.seed, "reply", deal)
    world.roll(dice)
    if len(world.to_act()) > 1:  # sealed: what the others choose is no answer to it
        return None
    world.apply(view.seat, action)
    for _ in range(_MOST):
        world.roll(dice)
        seats = () if world.over else world.to_act()
        if not seats or view.seat in seats:
            return None
        seat, legal = seats[0], world.legal(seats[0])
        if len(legal) > 1:
            answer = agent.act(View.of(world, seat, view.seed, table_seed=deal))
            speech = Speech(game, world, seat)
            return seat, (speech.text(answer, LANGUAGES[0]), speech.text(answer, LANGUAGES[1]))
        world.apply(seat, legal[0])
    return None


__all__ = ["AGENT", "DEALS", "Reply", "reply_to"]
