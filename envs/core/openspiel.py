"""Any game as an OpenSpiel game, for its solvers, exploitability and bots: `load_openspiel("kuhn")`.

An optional extra: this is the only module that needs `pyspiel`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .errors import IllegalAction, ProbespielError, RulesetError
from .game import Game, Position
from .registry import make_game

try:
    import pyspiel
except ImportError as error:
    raise ImportError("OpenSpiel is not installed: pip install 'probespiel[openspiel]'") from error

CHANCE_OUTCOMES = 64  # the largest die that OpenSpiel is told to expect


def _game_type(game: Game) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=f"probespiel_{game.name.replace('-', '_')}",
        long_name=f"probespiel {game.name}, {game.spec.scenario}",
        dynamics=kind.Dynamics.SIMULTANEOUS if game.spec.simultaneous else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if game.spec.zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.n_seats,
        min_num_players=game.n_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
    )


class OpenSpielGame(pyspiel.Game):
    """A game for OpenSpiel: players are the seats, every die is a chance node, simultaneous decisions are such nodes.

    A decision that a single seat owes is an ordinary node, also in a game with simultaneous ones; where only some seats
    owe one, the others have no legal actions. Utilities are the payoffs at the end, a game stopped by its limit
    included. Algorithms for sequential games take `pyspiel.convert_to_turn_based(game)`.
    """

    def __init__(self, game: Game, params: Mapping[str, Any] | None = None) -> None:
        spec = game.spec
        low, high = spec.payoff_range
        info = pyspiel.GameInfo(
            num_distinct_actions=game.n_actions,
            max_chance_outcomes=CHANCE_OUTCOMES,
            num_players=game.n_seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if spec.zero_sum else None,
            max_game_length=spec.max_decisions,
        )
        super().__init__(_game_type(game), info, dict(params or {}))
        self.game = game

    def new_initial_state(self) -> OpenSpielState:
        """The start of a game."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Observer:
        """The observer of one seat; with perfect recall it has a string, else a tensor too."""
        return Observer(self.game, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class OpenSpielState(pyspiel.State):
    """A position as an OpenSpiel state."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self._position = game.game.position()  # OpenSpiel copies attributes deeply, and so positions

    @property
    def position(self) -> Position:
        """The position itself; to be read only."""
        return self._position

    def current_player(self) -> int:
        """A seat, or OpenSpiel's marks for chance, simultaneous and terminal nodes."""
        position = self._position
        seats = position.to_act()
        if len(seats) == 1:
            return seats[0]
        if seats:
            if not position.game.spec.simultaneous:
                raise RulesetError(f"game {position.game.name}: declared sequential, but seats {seats} are to act")
            return pyspiel.PlayerId.SIMULTANEOUS
        return pyspiel.PlayerId.CHANCE if position.die() else pyspiel.PlayerId.TERMINAL

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._position.over

    def _legal_actions(self, player: int) -> list[int]:
        return self._position.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The faces of the die that is due."""
        faces = self._position.die()
        if faces > CHANCE_OUTCOMES:
            raise RulesetError(f"a die with {faces} faces: OpenSpiel was told at most {CHANCE_OUTCOMES}")
        return [(outcome, 1.0 / faces) for outcome in range(faces)]

    def _apply_action(self, action: int) -> None:
        position = self._position
        if position.die():
            position.fall(action)
        else:
            position.apply(position.to_act()[0], action)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        position = self._position
        seats = position.to_act()
        for seat in seats:  # all or none
            if actions[seat] not in position.legal(seat):
                raise IllegalAction(f"seat {position.game.seats[seat].name}: action {actions[seat]} is not legal")
        for seat in seats:
            if seat in position.to_act():  # the limit of decisions may strike in between
                position.apply(seat, actions[seat])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"die:{action}"
        return self._position.game.actions.codes[action]

    def returns(self) -> list[float]:
        """The payoffs, 0 before the end."""
        position = self._position
        return position.returns().tolist() if position.over else [0.0] * position.game.n_seats

    def __str__(self) -> str:
        position = self._position
        return position.told(None)


class Observer:
    """What a seat may know, as OpenSpiel's PyObserver: `tensor` float32[L], `dict` its named pieces, and a string."""

    def __init__(self, game: Game, iig_obs_type: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise ProbespielError(f"observation parameters {dict(params)!r}: there are none")
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not iig_obs_type.public_info or iig_obs_type.private_info != single:
            raise ProbespielError("observations: public information with that of the one player is all there is")
        self.perfect_recall = bool(iig_obs_type.perfect_recall)
        self.tensor = None if self.perfect_recall else np.zeros(game.layout.size, dtype=np.float32)
        self.dict: dict[str, np.ndarray] = {} if self.tensor is None else game.layout.view(self.tensor)

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill the tensor."""
        if self.tensor is not None:
            self.tensor[:] = state.position.observe(player)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The text of the position as the seat sees it; with perfect recall after the key of all that it has seen."""
        position = state.position
        text = position.told(player)
        phase = position.phase()
        text = f"{phase}\n{text}" if phase else text
        if self.perfect_recall:
            return f"{position.key(player) & (1 << 64) - 1:016x} {text}"
        return text


def load_openspiel(
    game: Game | str, scenario: str | None = None, modules: Mapping[str, Any] | None = None, **config: Any
) -> OpenSpielGame:
    """A game (by name, with the arguments of `make_game`, or finished) as an OpenSpiel game."""
    if isinstance(game, str):
        game = make_game(game, scenario, modules, **config)
    elif scenario is not None or modules or config:
        raise ProbespielError("scenario, modules and options belong to a game given by name, not to a Game")
    return OpenSpielGame(game)


__all__ = ["OpenSpielGame", "OpenSpielState", "load_openspiel"]
