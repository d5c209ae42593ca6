"""`probespiel solve GAME`: a strategy by counterfactual regret minimization, saved to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..envs.core.errors import ProbespielError
from .common import GameName, Modules, Options, Scenario, game_of

if TYPE_CHECKING:
    from ..agents.cfr import SavedStrategy
    from ..envs.core.game import Game


def solve(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", help="strategy file to write (.npz)")],
    iterations: Annotated[int | None, typer.Option("--iterations", min=1, help="traversals of the game")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", min=0.1, help="time to learn")] = None,
    abstract: Annotated[
        bool,
        typer.Option("--abstract", help="solve the system's abstraction of the game (for games that are too large)"),
    ] = False,
    sampling: Annotated[str, typer.Option("--sampling", help="external or outcome")] = "external",
    regrets: Annotated[str, typer.Option("--regrets", help="plus, linear or plain")] = "linear",
    average: Annotated[str, typer.Option("--average", help="linear or uniform")] = "linear",
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="decides all chance")] = 1,
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
) -> None:
    """Solve a game by Monte Carlo CFR and save the average strategy; play it as the agent cfr:file=FILE."""
    from ..agents.cfr import CfrSolver

    if iterations is None and seconds is None:
        raise ProbespielError("--iterations or --seconds must be given: how long to learn")
    if out.suffix != ".npz":
        raise ProbespielError(f"--out {str(out)!r}: the file must end in .npz")
    out.parent.mkdir(parents=True, exist_ok=True)
    made = game_of(game, scenario, module, options)
    solver = CfrSolver(made, sampling, regrets, average, seed=seed, abstract=abstract)
    try:
        solver.run(iterations, seconds, progress=True)
    except KeyboardInterrupt:
        typer.echo("interrupted: what was learnt so far is saved", err=True)
    strategy = solver.solution()
    strategy.save(out)
    typer.echo(f"{solver.iterations:,} iterations, {solver.states:,} information states: {out}")
    typer.echo("exploitability: not computed for an abstraction" if abstract else exploitability(made, strategy))


def exploitability(game: Game, strategy: SavedStrategy) -> str:
    """A line with the exact exploitability, or why there is none."""
    from ..agents.exact import GameTree, TreeTooLarge

    try:
        tree = GameTree(game)
    except TreeTooLarge as error:
        return f"exploitability: not computed ({error})"
    profile = tree.profile([strategy] * game.n_seats)
    return f"exploitability: {tree.exploitability(profile):.6f}"
