"""`probespiel solve GAME`: a strategy by counterfactual regret minimization, saved to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..envs.core.disk import check_place
from ..envs.core.errors import ProbespielError
from ..envs.core.interrupts import INTERRUPTED
from .common import GameName, Modules, Options, Scenario, game_of

if TYPE_CHECKING:
    from ..agents.cfr import SavedStrategy
    from ..envs.core.game import Game

SAMPLED = "mccfr"


def solve(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", help="strategy file to write (.npz)")],
    iterations: Annotated[int | None, typer.Option("--iterations", min=1, help="traversals of the game")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", min=0.1, help="time to learn")] = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help="mccfr samples, for games of any size; cfr+, dcfr or pcfr+ for games of two seats that are enumerated",
        ),
    ] = SAMPLED,
    until: Annotated[
        float | None,
        typer.Option("--until", min=0, help="exploitability at which to stop; not with mccfr"),
    ] = None,
    abstract: Annotated[
        bool,
        typer.Option("--abstract", help="solve the system's abstraction of the game (for games that are too large)"),
    ] = False,
    sampling: Annotated[str | None, typer.Option("--sampling", help="mccfr: external (default) or outcome")] = None,
    regrets: Annotated[str | None, typer.Option("--regrets", help="mccfr: plus, linear (default) or plain")] = None,
    average: Annotated[str | None, typer.Option("--average", help="mccfr: linear (default) or uniform")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="decides all chance")] = 1,
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
) -> None:
    """Solve a game by counterfactual regret minimization, and save the average strategy: play it as cfr:file=FILE."""
    from ..agents.cfr import CfrSolver
    from ..agents.exact import TreeTooLarge
    from ..agents.public_game import NotSolved
    from ..agents.tree_cfr import METHODS, TreeCfr

    if method not in (SAMPLED, *METHODS):
        raise ProbespielError(f"--method {method!r} is not allowed: one of {SAMPLED}, {', '.join(METHODS)}")
    sampled = method == SAMPLED
    given = {"--sampling": sampling, "--regrets": regrets, "--average": average, "--abstract": abstract or None}
    wrong = [name for name, value in given.items() if value is not None and not sampled]
    if sampled and until is not None:
        wrong = ["--until"]
    if wrong:
        raise ProbespielError(f"{wrong[0]} does not go with --method {method}")
    if iterations is None and seconds is None and not until:
        raise ProbespielError("--iterations or --seconds must be given: how long to learn")
    if out.suffix != ".npz":
        raise ProbespielError(f"--out {str(out)!r}: the file must end in .npz")
    made = game_of(game, scenario, module, options)
    check_place(out)
    solver: CfrSolver | TreeCfr
    if sampled:
        chosen = (sampling or "external", regrets or "linear", average or "linear")
        solver = CfrSolver(made, *chosen, seed=seed, abstract=abstract)
    else:
        try:
            solver = TreeCfr(made, method)
        except (TreeTooLarge, NotSolved) as error:
            raise ProbespielError(f"{error}; --method {SAMPLED} takes games of any size") from None
    stopped = False
    try:
        if isinstance(solver, TreeCfr):
            solver.run(iterations, seconds, until or 0.0, progress=True)
        else:
            solver.run(iterations, seconds, progress=True)
    except KeyboardInterrupt:
        stopped = True
        typer.echo("interrupted: what was learnt so far is saved", err=True)
    strategy = solver.solution()
    strategy.save(out)
    typer.echo(f"{solver.iterations:,} iterations, {solver.states:,} information states: {out}")
    if isinstance(solver, TreeCfr):
        first = made.seats[0].called("en")
        value = f"value to {first}: {solver.value():.6f}"
        typer.echo(f"exploitability: {solver.exploitability():.6f}, {value}")
    else:
        typer.echo("exploitability: not computed for an abstraction" if abstract else exploitability(made, strategy))
    if stopped:
        raise typer.Exit(INTERRUPTED)


def exploitability(game: Game, strategy: SavedStrategy) -> str:
    """A line with the exact exploitability, or why there is none."""
    from ..agents.exact import GameTree, TreeTooLarge

    try:
        tree = GameTree(game)
    except TreeTooLarge as error:
        return f"exploitability: not computed ({error})"
    profile = tree.profile([strategy] * game.n_seats)
    return f"exploitability: {tree.exploitability(profile):.6f}"
