"""Settings of a training, checked, with defaults for every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..envs.core.errors import ProbespielError


class ScenarioConfig(BaseModel):
    """One scenario of the game: preset, rule modules, options on top of it, its share of the tables, who reviews it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    scenario: str | None = None
    modules: dict[str, Any] = Field(default_factory=dict)
    options: dict[str, Any] = Field(default_factory=dict)
    weight: float = Field(default=1.0, gt=0, le=1000)
    reviewer: str | None = Field(default=None, description="an agent that the policy imitates here after the training")


class TrainConfig(BaseModel):
    """Everything that determines a training (but `minutes`, which ends it by the clock)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: str
    scenarios: tuple[ScenarioConfig, ...] = Field((ScenarioConfig(),), min_length=1, max_length=256)
    seed: int = Field(0, ge=0, lt=1 << 63)
    decisions: int = Field(1_000_000, ge=1, le=10**12, description="the learner's, over all tables")
    minutes: float | None = Field(None, gt=0, le=10**6, description="instead of `decisions`: time of the training")

    tables: int = Field(1024, ge=2, le=1 << 17, description="games played at the same time")
    steps: int = Field(8, ge=1, le=4096, description="decisions at every table between two updates")
    batch: int = Field(2048, ge=2, le=1 << 20, description="decisions of a gradient step")
    epochs: int = Field(2, ge=1, le=100, description="passes over the decisions of an update")
    hidden: int = Field(64, ge=4, le=4096, description="width of the dense layers")
    groups: bool = Field(True, description="read cards and seats one by one; without, a plain MLP")
    advisers: tuple[str, ...] = Field((), max_length=16, description="baselines whose answers the policy hears")
    whole_side: bool = Field(False, description="learn from the decisions of all seats of a side, not of one")

    learning_rate: float = Field(1e-3, gt=0, le=1)
    learning_rate_end: float = Field(1e-4, gt=0, le=1)
    clip: float = Field(0.05, gt=0, lt=1)
    entropy: float = Field(0.1, ge=0, le=10)
    entropy_end: float = Field(0.02, ge=0, le=10)
    even: float = Field(0.0, ge=0, le=10, description="reward of even chances: as entropy, but it spares bad actions")
    even_end: float = Field(0.0, ge=0, le=10, description="what `even` falls to")
    hold: float = Field(0.3, ge=0, le=1, description="share of the training before these and the learning rate fall")
    anchor: float = Field(0.0, ge=0, le=10, description="penalty for leaving the average policy (KL)")
    average: float = Field(0.02, gt=0, le=1, description="weight of the newest policy in the average")
    value_weight: float = Field(0.5, ge=0, le=100)
    discount: float = Field(1.0, gt=0, le=1)
    trace: float = Field(0.95, ge=0, le=1, description="lambda of generalised advantage estimation")
    gradient_limit: float = Field(0.5, gt=0, le=1000)
    normalize: bool = Field(True, description="advantages to unit variance in every batch")

    opponents: dict[str, float] = Field(default_factory=lambda: {"self": 0.7, "past": 0.3}, min_length=1)
    places: int = Field(8, ge=1, le=256, description="past policies kept")
    offer_every: int = Field(10, ge=1, le=10**6, description="updates between two of them")

    teacher: str | None = Field(None, description="an agent that the policy imitates before the training")
    lessons: int = Field(500_000, ge=1, le=10**12, description="decisions in which it does, if there is a teacher")
    review: int = Field(
        0, ge=0, le=10**12, description="decisions after it in which it imitates the reviewers; itself where is none"
    )
    settle: int = Field(20, ge=0, le=10**6, description="first updates after lessons or with advice, of values only")

    temperature: float = Field(1.0, ge=0, le=100, description="of play, where nobody asks for another one")
    evaluate_against: tuple[str, ...] = ("random",)
    evaluate_every: int = Field(0, ge=0, le=10**9, description="updates between two evaluations; 0: at the end only")
    evaluate_games: int = Field(4000, ge=2, le=10**9)

    @field_validator("opponents")
    @classmethod
    def _weights(cls, value: dict[str, float]) -> dict[str, float]:
        if any(not 0 <= w < float("inf") for w in value.values()) or not sum(value.values()) > 0:
            raise ValueError("weights of at least 0, not all 0")
        return value

    @property
    def per_update(self) -> int:
        """Decisions between two updates."""
        return self.tables * self.steps


# Found for the duel, measured by `duel_gap`: even chances keep equally good cards equally likely, the anchor (the
# average policy) stops the cycles, and both may grow weak as the learning rate falls.
_MIXED = {
    "learning_rate": 2e-3, "learning_rate_end": 5e-5, "entropy_end": 1e-3, "even": 0.15, "even_end": 0.03,
    "anchor": 0.1, "hold": 0.2,
}  # fmt: skip

DEFAULTS: dict[str, dict[str, Any]] = {
    "kuhn": {"decisions": 1_500_000, "anchor": 0.1, "entropy_end": 0.01},
    "einblatt-duel": {**_MIXED, "decisions": 6_000_000},
    "einblatt-melee": {
        **_MIXED, "decisions": 6_000_000,
        "opponents": {"self": 0.5, "past": 0.2, "highest_first": 0.1, "lowest_first": 0.1, "best3_shuffled": 0.1},
        "evaluate_against": ("random", "highest_first", "lowest_first", "hunter"),
    },
    # Uniform play is unbeatable and wins nothing: what is to be learnt is to read the history of those who are not.
    "ews_rps": {
        "decisions": 3_000_000, "learning_rate": 2e-3, "entropy": 0.02, "entropy_end": 0.005,
        "opponents": {
            "self": 0.3, "past": 0.1, "biased": 0.1, "constant": 0.05, "cycle": 0.05, "winstay_loseshift": 0.15,
            "frequency": 0.15, "markov": 0.1,
        },
        "evaluate_against": ("uniform", "biased", "winstay_loseshift", "frequency", "markov", "cycle"),
    },
    # Everything is public: one best action is enough, and the heuristics show early what pays.
    "scorekeeper-duel": {
        "decisions": 2_000_000, "tables": 512, "steps": 64, "batch": 4096, "learning_rate": 6e-4, "entropy": 0.0005,
        "entropy_end": 0.00003, "clip": 0.15, "trace": 0.95, "groups": False, "settle": 4,
        "advisers": ("aggressor", "marksman", "duellist", "kiter", "guardian", "one_ply"),
        "opponents": {"self": 0.15, "past": 0.05, "aggressor": 0.6, "one_ply": 0.1, "duellist": 0.05, "guardian": 0.05},
        "temperature": 0.0,
        "evaluate_against": ("random", "aggressor", "marksman", "duellist", "kiter", "guardian", "one_ply"),
    },
    "konfrontation-clash": {"decisions": 2_000_000, "evaluate_against": ("random", "matrix", "all_in", "zero_bid")},
    # `lookahead` is predictable, and the advisers show early what it does: half of the games are against it.
    "konfrontation-campaign": {
        "decisions": 2_500_000, "tables": 512, "steps": 64, "batch": 4096, "learning_rate": 1.2e-3,
        "learning_rate_end": 5e-5, "entropy": 0.02, "entropy_end": 0.0005, "clip": 0.15, "hold": 0.4, "hidden": 128,
        "groups": False, "settle": 3, "advisers": ("lookahead", "rush", "matrix", "builder"),
        "opponents": {"self": 0.2, "past": 0.05, "lookahead": 0.5, "rush": 0.1, "matrix": 0.05, "builder": 0.05,
                      "raider": 0.05},
        "temperature": 0.0, "evaluate_games": 1000,
        "evaluate_against": ("random", "builder", "rush", "matrix", "lookahead", "raider", "all_in"),
    },
    # Long games with one payoff at their end: the heuristics as opponents show what a win is, as advisers how to walk.
    "oneshot-skirmish": {
        "decisions": 2_000_000, "tables": 512, "steps": 32, "batch": 4096, "learning_rate": 1e-3, "entropy": 0.002,
        "entropy_end": 0.0005, "clip": 0.15, "groups": False, "settle": 4, "whole_side": True,
        "advisers": ("brute", "focus", "kiter", "diplomat", "spoiler"),
        "opponents": {"self": 0.3, "past": 0.1, "brute": 0.15, "kiter": 0.2, "focus": 0.1, "diplomat": 0.05,
                      "spoiler": 0.1},
        "temperature": 0.0, "evaluate_against": ("random", "brute", "focus", "kiter", "diplomat", "spoiler"),
    },
    "oneshot-parley": {
        "decisions": 1_000_000, "learning_rate": 2e-3, "entropy": 0.02, "entropy_end": 0.003, "groups": False,
        "settle": 4, "advisers": ("best_odds", "warm_up", "cautious", "dp"),
        "opponents": {"self": 0.4, "past": 0.2, "best_odds": 0.2, "cautious": 0.2},
        "evaluate_against": ("random", "best_odds", "warm_up", "cautious", "dp"),
    },
    "oneshot-build": {
        "decisions": 1_000_000, "learning_rate": 2e-3, "entropy": 0.03, "entropy_end": 0.002,
        "opponents": {"self": 0.25, "past": 0.1, "uniform": 0.05, "greedy": 0.25, "build_equilibrium": 0.35},
        "temperature": 0.0, "evaluate_against": ("random", "uniform", "greedy", "build_equilibrium"),
    },
    # Random play never completes a mission: the party begins with what the heuristics know.
    "oneshot-mission": {
        "decisions": 2_000_000, "tables": 512, "steps": 64, "batch": 4096, "learning_rate": 6e-4, "entropy": 0.0003,
        "entropy_end": 0.00003, "clip": 0.15, "hold": 0.4, "trace": 0.9, "hidden": 128, "groups": False, "settle": 4,
        "advisers": ("ghost", "stalker", "sniper"),
        "whole_side": True, "opponents": {"self": 1.0},
        "temperature": 0.0, "evaluate_games": 1000,
        "evaluate_against": ("random", "cleaver", "ghost", "ambusher", "stalker", "sniper"),
    },
}  # fmt: skip


def _duels() -> list[dict[str, Any]]:
    """Scenarios of the shipped duel policy: the presets, and a spread of hands and suits, so that it plays any duel."""
    out: list[dict[str, Any]] = [{"scenario": "billy_tree", "weight": 25.0}]  # what is played if nothing is said
    out += [{"scenario": name, "weight": 3.0} for name in ("saruman_ent", "rock_face", "jarjar_princess", "storm")]
    spread = [  # attribute and suits of a pc against cards and suits of an npc
        (2, "S", 1, ""), (3, "", 3, "D"), (4, "H", 4, "C"), (6, "CS", 9, "H"), (7, "", 5, "S"), (8, "D", 12, ""),
        (9, "C", 7, "SH"), (10, "CSDH", 10, "CSDH"), (5, "DH", 16, "C"), (10, "S", 8, "D"),
    ]  # fmt: skip
    for attribute, suits, cards, trumps in spread:
        seats = [
            {"name": "A", "kind": "pc", "attribute": attribute, "relation": "own", "suits": suits},
            {"name": "B", "kind": "npc", "cards": cards, "suits": trumps},
        ]
        out.append({"options": {"seats": seats}})
    return out


_SEARCH = "search:sims=1000,prior=rollout"
_FIGHTS = [  # scenarios of the shipped policy of scorekeeper; the search sees more where only blades are in the game
    {"scenario": "mafia_club", "weight": 6.0, "reviewer": _SEARCH}, {"scenario": "drug_flat", "weight": 2.0},
    {"scenario": "rooftop_chase", "weight": 2.0}, {"scenario": "blade_mirror", "weight": 2.0, "reviewer": _SEARCH},
]  # fmt: skip

_MISSIONS = [  # of oneshot: difficulty 3 first; easier ones, where a success is not so rare, show what leads to it
    {"scenario": "heist", "options": {"sg": 3}, "weight": 4.0},
    {"scenario": "boss_hunt", "options": {"sg": 3}, "weight": 4.0},
    {"scenario": "courier", "options": {"sg": 3}, "weight": 1.0},
    {"scenario": "random", "options": {"sg": 3}, "weight": 2.0},
    {"scenario": "random", "options": {"sg": 2}, "weight": 2.0},
    {"scenario": "cellar_cleanse", "options": {"sg": 2}, "weight": 1.0},
    {"scenario": "last_stand", "weight": 1.0}, {"scenario": "cellar_cleanse", "weight": 0.5},
    {"scenario": "random", "weight": 0.5}, {"scenario": "heist", "weight": 1.0},
    {"scenario": "boss_hunt", "weight": 0.5}, {"scenario": "courier", "weight": 0.25},
]  # fmt: skip

_SKIRMISHES = [  # of oneshot on the grid
    {"scenario": "duel_mirror", "weight": 3.0}, {"scenario": "melee_vs_bow", "weight": 3.0},
    {"scenario": "diplomat_duel", "weight": 2.0}, {"scenario": "ambush", "weight": 1.0},
    {"scenario": "wounded_last_stand", "weight": 1.0},
]  # fmt: skip

_TALKS = [  # of oneshot
    {"scenario": "market", "weight": 2.0}, {"scenario": "council", "weight": 3.0}, {"scenario": "hostile_guard"},
    {"scenario": "old_friend"}, {"scenario": "interrogation"}, {"scenario": "stern_rules"}, {"scenario": "claim"},
    {"scenario": "lone_claim"},
]  # fmt: skip

SHIPPED: dict[str, dict[str, Any]] = {
    "kuhn": {"seed": 1},
    "einblatt-duel": {"seed": 1, "scenarios": _duels(), "decisions": 10_000_000},
    "einblatt-melee": {"seed": 1, "decisions": 2_000_000},
    "ews_rps": {"seed": 1, "decisions": 2_000_000},
    "scorekeeper-duel": {"seed": 1, "scenarios": _FIGHTS, "decisions": 3_000_000, "review": 180_000},
    "konfrontation-campaign": {"seed": 1},
    "oneshot-skirmish": {"seed": 1, "scenarios": _SKIRMISHES, "decisions": 1_500_000},
    "oneshot-parley": {"seed": 1, "scenarios": _TALKS, "decisions": 800_000},
    "oneshot-build": {"seed": 1, "scenarios": [{"scenario": "arena"}], "decisions": 700_000},
    "oneshot-mission": {"seed": 1, "scenarios": _MISSIONS, "decisions": 3_600_000},
}


def shipped_settings(game: str) -> dict[str, Any]:
    """The settings of the policy that ships for a game; raises ProbespielError if none does."""
    if game not in SHIPPED:
        raise ProbespielError(f"no policy ships for {game!r}: {', '.join(SHIPPED)}")
    return SHIPPED[game]


def train_config(game: str, **settings: Any) -> TrainConfig:
    """The settings for a game: its defaults, and `settings` on top; raises ProbespielError naming what is wrong."""
    return checked({"game": game, **DEFAULTS.get(game, {}), **settings})


def checked(data: Mapping[str, Any]) -> TrainConfig:
    """Settings of any source, checked; raises ProbespielError naming the setting, its value and what is allowed."""
    try:
        config = TrainConfig.model_validate(dict(data))
    except ValidationError as error:
        raise ProbespielError("; ".join(_told(e) for e in error.errors())) from None
    if config.per_update % config.batch:
        raise ProbespielError(f"batch = {config.batch} does not divide tables x steps = {config.per_update}")
    reviewed = [s.reviewer for s in config.scenarios if s.reviewer is not None]
    if reviewed and not config.review:
        raise ProbespielError(f"review = 0, but a scenario has the reviewer {reviewed[0]!r}: say how many decisions")
    return config


def _told(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"]) or "settings"
    shown = repr(error["input"])
    return f"{where} = {shown if len(shown) < 80 else shown[:77] + '...'} is not allowed: {error['msg']}"


__all__ = ["DEFAULTS", "SHIPPED", "ScenarioConfig", "TrainConfig", "checked", "shipped_settings", "train_config"]
