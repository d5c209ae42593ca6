"""Settings of a training, checked, with defaults for every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..agents.registry import split_agents
from ..envs.core.errors import ProbespielError
from ..envs.core.registry import system_of
from ..envs.core.rooms import system_names
from .declaration import training_of

OF_PSRO = ("rounds", "round_decisions", "answers", "answer_decisions", "answered", "start")


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
    learner: Literal["native", "torch", "sb3"] = Field(
        "native",
        description="native: compiled, on the CPU, many times as fast; torch: also on cuda; sb3: the reference",
    )
    minutes: float | None = Field(None, gt=0, le=10**6, description="instead of `decisions`: time of the training")

    method: Literal["selfplay", "psro"] = Field(
        "selfplay", description="psro: after it in rounds, against best answers to what was learned so far"
    )
    rounds: int = Field(3, ge=1, le=1000, description="of psro: times at which answers join and it learns on")
    round_decisions: int = Field(1_000_000, ge=1, le=10**12, description="of psro: the learner's in a round")
    answers: int = Field(2, ge=1, le=64, description="of psro: trainings of best answers to a policy")
    answer_decisions: int = Field(1_000_000, ge=1, le=10**12, description="of psro: of each of them")
    answered: float = Field(
        0.4, ge=0, le=1, description="of psro: share of a round against the mixture that is worst for what was learned"
    )
    start: str | None = Field(None, description="of psro: a policy that it begins with, instead of learning one")

    tables: int = Field(1024, ge=2, le=1 << 17, description="games played at the same time")
    steps: int = Field(8, ge=1, le=4096, description="decisions at every table between two updates")
    batch: int = Field(2048, ge=2, le=1 << 20, description="decisions of a gradient step")
    epochs: int = Field(2, ge=1, le=100, description="passes over the decisions of an update")
    hidden: int = Field(64, ge=4, le=4096, description="width of the dense layers")
    groups: bool = Field(True, description="read cards and seats one by one; without, a plain MLP")
    advisers: tuple[str, ...] = Field((), max_length=16, description="baselines whose answers the policy hears")
    heed: float = Field(
        6.0, ge=0, le=100, description="by how much better what an adviser says is to a policy that has learnt nothing"
    )
    lead: float = Field(0.0, ge=0, le=100, description="by how much better still what the first of them says")
    whole_side: bool = Field(False, description="learn from the decisions of all seats of a side, not of one")

    learning_rate: float = Field(1e-3, gt=0, le=1)
    learning_rate_end: float = Field(1e-4, gt=0, le=1)
    loss: Literal["ppo", "mmd", "hedge"] = Field(
        "ppo",
        description="ppo: clipped; mmd: magnetic mirror descent, by `stay`, with `anchor` for the moving magnet; "
        "hedge: mmd in which every action weighs the same, however seldom it is played",
    )
    clip: float = Field(0.05, gt=0, lt=1, description="of ppo")
    stay: float = Field(
        5.0, ge=0, le=1000, description="of mmd, hedge: penalty for leaving the policy that played (KL)"
    )
    entropy: float = Field(0.1, ge=0, le=10)
    entropy_end: float = Field(0.02, ge=0, le=10)
    even: float = Field(0.0, ge=0, le=10, description="reward of even chances: as entropy, but it spares bad actions")
    even_end: float = Field(0.0, ge=0, le=10, description="what `even` falls to")
    hold: float = Field(0.3, ge=0, le=1, description="share of the training before these and the learning rate fall")
    anchor: float = Field(0.0, ge=0, le=10, description="penalty for leaving the average policy (KL)")
    average: float = Field(0.02, gt=0, le=1, description="weight of the newest policy in the average")
    critic: Literal["own", "all", "actions"] = Field(
        "own",
        description="what values are judged by in training: own, what the policy sees; all, what any seat sees; "
        "actions: as all, but every action is judged (of hedge). The policy never knows more than its own",
    )
    value_weight: float = Field(0.5, ge=0, le=100)
    discount: float = Field(1.0, gt=0, le=1)
    trace: float = Field(0.95, ge=0, le=1, description="lambda of generalised advantage estimation")
    advantages: Literal["gae", "vtrace"] = Field(
        "gae",
        description="gae: estimated once; vtrace: again before every further epoch, for the policy as it is by then",
    )
    gradient_limit: float = Field(0.5, gt=0, le=1000)
    normalize: bool = Field(True, description="advantages to unit variance in every batch")

    opponents: dict[str, float] = Field(default_factory=lambda: {"self": 0.7, "past": 0.3}, min_length=1)
    places: int = Field(8, ge=1, le=256, description="past policies kept")
    offer_every: int = Field(10, ge=1, le=10**6, description="updates between two of them")

    teacher: str | None = Field(None, description="an agent that the policy imitates before the training")
    lessons: int = Field(500_000, ge=1, le=10**12, description="decisions in which it does, if there is a teacher")
    stray: float = Field(
        0.0, ge=0, le=1, description="chance of any legal action in lessons, and of a seat with a habit for a game"
    )
    recall: int = Field(
        0, ge=0, le=10**7, description="different decisions of lessons that are kept, and half of what is learnt then"
    )
    ignore: tuple[str, ...] = Field((), description="pieces of the observation that mean nothing after the lessons")
    review: int = Field(
        0, ge=0, le=10**12, description="decisions after it in which it imitates the reviewers; itself where is none"
    )
    adopted: bool = Field(False, description="begins with weights that were learned before")
    settle: int = Field(
        20, ge=0, le=10**6, description="first updates after lessons, with advice or with such weights, of values only"
    )

    temperature: float = Field(1.0, ge=0, le=100, description="of play, where nobody asks for another one")
    evaluate_against: tuple[str, ...] = ("random",)
    evaluate_every: int = Field(0, ge=0, le=10**9, description="updates between two evaluations; 0: at the end only")
    evaluate_games: int = Field(4000, ge=2, le=10**9)

    @field_validator("advisers", "ignore", "evaluate_against", mode="before")
    @classmethod
    def _between_commas(cls, value: Any) -> Any:
        """A text names several between commas, as on the command line."""
        return tuple(split_agents(value) if value else ()) if isinstance(value, str) else value

    @field_validator("opponents")
    @classmethod
    def _weights(cls, value: dict[str, float]) -> dict[str, float]:
        if any(not 0 <= w < float("inf") for w in value.values()) or not sum(value.values()) > 0:
            raise ValueError("weights of at least 0, not all 0")
        return value

    @property
    def agents(self) -> list[str]:
        """The agents that it names: opponents, those to evaluate against, teacher, start and reviewers."""
        named = [name for name in (*self.opponents, *self.evaluate_against) if name not in ("self", "past")]
        more = (self.teacher, self.start, *(s.reviewer for s in self.scenarios))
        return named + [name for name in more if name is not None]

    @property
    def per_update(self) -> int:
        """Decisions between two updates."""
        return self.tables * self.steps


def shipped_settings(game: str, scenario: str | None = None) -> dict[str, Any]:
    """The settings of the policy that ships for a game, or of that made for one scenario of it.

    Raises ProbespielError if none does.
    """
    known = {name: settings for system in system_names() for name, settings in training_of(system).shipped.items()}
    if scenario is None:
        if game not in known:
            raise ProbespielError(f"no policy ships for {game!r}: {', '.join(known)}")
        return dict(known[game])
    own = [name.removeprefix(f"{game}--") for name in known if name.startswith(f"{game}--")]
    if scenario not in own:
        told = f"those of {', '.join(own)} do" if own else "of no scenario of this game one does"
        raise ProbespielError(f"no policy ships that was made for {scenario!r} of {game} alone: {told}")
    return dict(known[f"{game}--{scenario}"])


def train_config(game: str, **settings: Any) -> TrainConfig:
    """The settings for a game: its defaults, and `settings` on top; raises ProbespielError naming what is wrong."""
    own = dict(training_of(system_of(game).name).defaults.get(game, {}))
    # what a learner does not have is left out of the defaults; who asks for it is told so
    if settings.get("learner") == "sb3":
        own.pop("loss", None)
    if settings.get("learner", "native") != "native":
        own.pop("critic", None)
    return checked({"game": game, **own, **settings})


def checked(data: Mapping[str, Any]) -> TrainConfig:
    """Settings of any source, checked; raises ProbespielError naming the setting, its value and what is allowed."""
    try:
        config = TrainConfig.model_validate(dict(data))
    except ValidationError as error:
        raise ProbespielError("; ".join(_told(e) for e in error.errors())) from None
    if config.per_update % config.batch:
        raise ProbespielError(f"batch = {config.batch} does not divide tables x steps = {config.per_update}")
    if config.loss != "ppo" and config.learner == "sb3":
        raise ProbespielError(
            f"loss = {config.loss!r} with learner = 'sb3': that one has ppo alone; take native or torch"
        )
    if config.advantages == "vtrace" and config.learner == "sb3":
        raise ProbespielError(
            "advantages = 'vtrace' with learner = 'sb3': that one has gae alone; take native or torch"
        )
    if config.critic != "own" and config.learner != "native":
        raise ProbespielError(
            f"critic = {config.critic!r} with learner = {config.learner!r}: that one has own alone; take native"
        )
    if config.critic == "actions" and (config.loss != "hedge" or config.advantages != "gae" or config.advisers):
        raise ProbespielError(
            f"critic = 'actions' with loss = {config.loss!r}, advantages = {config.advantages!r}, advisers = "
            f"{config.advisers!r}: it is for hedge and gae without advisers; take critic = 'all' or 'own'"
        )
    reviewed = [s.reviewer for s in config.scenarios if s.reviewer is not None]
    if reviewed and not config.review:
        raise ProbespielError(f"review = 0, but a scenario has the reviewer {reviewed[0]!r}: say how many decisions")
    if config.method != "psro":
        given = [name for name in OF_PSRO if getattr(config, name) != TrainConfig.model_fields[name].default]
        if given:
            raise ProbespielError(f"{given[0]} = {getattr(config, given[0])!r} is a setting of method = 'psro'")
    elif config.minutes is not None or config.evaluate_every:
        raise ProbespielError("method = 'psro' counts decisions: leave minutes and evaluate_every out")
    return config


def _told(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"]) or "settings"
    shown = repr(error["input"])
    why = error["msg"].removeprefix("Value error, ")
    return f"{where} = {shown if len(shown) < 80 else shown[:77] + '...'} is not allowed: {why}"


__all__ = ["OF_PSRO", "ScenarioConfig", "TrainConfig", "checked", "shipped_settings", "train_config"]
