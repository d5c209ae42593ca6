"""Cards of trained policies: what is known about the strength of one, in a small file beside its own.

The manifest inside a policy's file says how it was made and cannot change afterwards; how far it can be exploited is
found out later, scenario by scenario. A card names the bytes of the policy that it speaks of, so that none speaks of a
policy that was trained anew.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from ..envs.core.disk import write_text
from ..envs.core.game import Game
from ..envs.core.registry import system_of
from .policy import shipped_path
from .policy_file import Manifest
from .policy_net import PolicyError
from .registry import AgentText

FORMAT = "probespiel-card/1"
ENDING = ".card.json"
EXACT = "exact"


@dataclass(frozen=True)
class Bound:
    """How exploitable a policy is in a scenario: the mean over sides of what the best answer gains, in payoff a game.

    `method` is `exact` (then `low` = `value` = `high`) or says how answers were found: then it is a lower bound, with
    its 95 % interval. `games` were measured a side; `command` repeats it.
    """

    scenario: str
    method: str
    value: float
    low: float
    high: float
    games: int
    seconds: float
    command: str

    @property
    def text(self) -> str:
        """In a sentence."""
        if self.method == EXACT:
            return f"exploitable by {self.value:.4f} a game (exact)"
        if self.low <= 0:
            return f"no way to exploit it was found: {self.value:.4f} a game, {self.low:.4f} to {self.high:.4f}"
        return f"exploitable by at least {self.value:.4f} a game, {self.low:.4f} to {self.high:.4f}"

    def told(self) -> str:
        """In a line of the card."""
        by = "" if self.method == EXACT else f" ({self.games:,} games a side, {self.seconds:.0f} s)"
        return f"{self.scenario}: {self.text}{by}"


@dataclass(frozen=True)
class Card:
    """What is known of a policy: the hash of its file, and its bounds, one a scenario."""

    policy: str
    bounds: tuple[Bound, ...] = ()

    def to_json(self) -> str:
        """As a text."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def card_path(policy: Path) -> Path:
    """Where the card of a policy's file lies."""
    return policy.with_name(policy.name.removesuffix(".safetensors") + ENDING)


def hash_of(policy: Path) -> str:
    """What a card calls a policy (32 hex digits); raises PolicyError if it cannot be read."""
    try:
        return hashlib.blake2b(policy.read_bytes(), digest_size=16).hexdigest()
    except OSError as error:
        raise PolicyError(f"{policy} cannot be read: {error.strerror or error}") from None


def read_card(policy: Path) -> Card:
    """The card of a policy's file, without bounds if there is none or it speaks of another policy.

    Raises PolicyError for a damaged card.
    """
    name, path = hash_of(policy), card_path(policy)
    try:
        data: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Card(name)
    except (OSError, ValueError, RecursionError) as error:
        raise PolicyError(f"{path} is no card of a policy: {error}") from None
    try:
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']!r} is not {FORMAT!r}")
        bounds = tuple(_bound(row) for row in data["bounds"])
        return Card(name, bounds if data["policy"] == name else ())
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise PolicyError(f"{path} is no card of a policy, or a damaged one: {error}; delete it") from None


def _bound(row: Mapping[str, Any]) -> Bound:
    value, low, high, seconds = (float(row[key]) for key in ("value", "low", "high", "seconds"))
    if not all(map(isfinite, (value, low, high, seconds))):
        raise ValueError("a number is not finite")
    scenario, method, command = (str(row[key]) for key in ("scenario", "method", "command"))
    return Bound(scenario, method, value, low, high, int(row["games"]), seconds, command)


def add_bound(policy: Path, bound: Bound) -> Path:
    """Write a bound on the card of a policy, in the place of the one of the same scenario; the card's path.

    What somebody wins of it is no less true when a later search misses it: one that is found stays, unless the new one
    is exact or no lower.
    """
    card = read_card(policy)
    others = [b for b in card.bounds if b.scenario != bound.scenario]
    known = [b for b in card.bounds if b.scenario == bound.scenario and (b.method == EXACT or b.low > bound.low)]
    kept = known[0] if known and bound.method != EXACT else bound
    bounds = sorted([*others, kept], key=lambda b: b.scenario)
    path = card_path(policy)
    write_text(path, Card(card.policy, tuple(bounds)).to_json())
    return path


def bound_in(game: Game, agent: AgentText) -> Bound | None:
    """What the card of an agent that is a policy says of a game; None where nothing is known of these rules.

    Warns of a card that cannot be read.
    """
    if agent.path or agent.name != "policy" or set(agent.values) - {"file"}:
        return None
    try:
        path = Path(agent.values["file"]) if "file" in agent.values else shipped_path(game)
    except PolicyError:
        return None  # none ships
    if not path.is_file():
        return None
    try:
        found = [bound for bound in read_card(path).bounds if bound.scenario == game.spec.scenario]
    except PolicyError as error:
        warnings.warn(f"{error}; what is known of {agent.text} is left out", RuntimeWarning, stacklevel=2)
        return None
    plain = found and system_of(game.name).spec(game.name, game.spec.scenario, {}, {}).options == game.spec.options
    return found[0] if plain else None


def lines_of(name: str, policy: Path, manifest: Manifest) -> list[str]:
    """A policy's card for the terminal: how it was made, how it did against others, how exploitable it is."""
    scenarios = list(dict.fromkeys(str(s["scenario"]) for s in manifest.scenarios if s.get("scenario")))
    own = sum(not s.get("scenario") for s in manifest.scenarios)  # a preset may be there twice, with other options
    trained = ", ".join(scenarios or [manifest.scenario]) + (f" and {own} of its own" if own and scenarios else "")
    learner = manifest.settings.get("learner")
    out = [
        f"{name}  ({policy.name})",
        f"  trained in {trained}",
        f"  {manifest.decisions:,} decisions, seed {manifest.seed}{f', {learner} learner' if learner else ''}; "
        + ("plays its likeliest actions" if manifest.temperature == 0 else "drawn from its chances"),
    ]
    out += [
        f"  against {row['opponent']}: {row['edge']:+.4f} "
        f"({row['low']:+.4f} to {row['high']:+.4f}, {row['games']:,} games)"
        for row in manifest.evaluation
        if {"opponent", "edge", "low", "high", "games"} <= set(row) and row.get("decisions") == manifest.decisions
    ]
    bounds = read_card(policy).bounds
    out += [f"  {bound.told()}" for bound in bounds]
    return out if bounds else [*out, "  how exploitable it is has not been measured (`probespiel exploit --card`)"]


__all__ = ["Bound", "Card", "add_bound", "bound_in", "card_path", "hash_of", "lines_of", "read_card"]
