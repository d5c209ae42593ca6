"""Self-play: it learns, resumes exactly, and its policies and checkpoints are refused where they do not fit."""

import io
import itertools
import json
import re
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch as th
import typer
from hypothesis import HealthCheck, settings
from rich.console import Console
from typer.testing import CliRunner

from probespiel.agents.base import View
from probespiel.agents.policy_file import load_policy
from probespiel.agents.policy_net import PolicyNet
from probespiel.app import cli_train
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.vec_env import ProbespielVecEnv
from probespiel.training.callbacks import Watch
from probespiel.training.checkpoint import FORMAT, load_checkpoint, read_config, save_checkpoint
from probespiel.training.config import shipped_settings, train_config
from probespiel.training.evaluate import Evaluation, evaluate, payoffs_of
from probespiel.training.forecast import forecast
from probespiel.training.league import League
from probespiel.training.learner import TorchLearner
from probespiel.training.native import NativeLearner
from probespiel.training.nets import blueprint_of
from probespiel.training.sb3 import SB3Learner
from probespiel.training.selfplay import SelfPlay, limit_threads, shares_of

limit_threads(1)
SMALL = {"tables": 64, "steps": 4, "batch": 128, "epochs": 2, "hidden": 16, "evaluate_games": 200}
quick = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def kuhn():
    return make_game("kuhn")


@pytest.fixture(scope="module")
def duel():
    return make_game("einblatt-duel")


def random_weights(blueprint, seed=0):
    rng = np.random.default_rng(seed)
    return {n: rng.normal(0, 0.3, shape).astype(np.float32) for n, shape in blueprint.shapes().items()}


# --- Kuhn poker, solved by hand: an oracle that knows nothing of the project's trees


def kuhn_table(game, net):
    """The chances of passing and betting for every card and history."""
    found = {}
    for first, second in itertools.product(range(3), range(2)):
        position = game.position()
        position.fall(first)
        position.fall(second)
        todo = [position]
        while todo:
            position = todo.pop()
            if position.over:
                continue
            (seat,) = position.to_act()
            history = "".join("pb"[int(m)] for m in position.record.moves[: int(position.record.turn)])
            chances = net.probabilities(position.observe(seat)[None], position.mask(seat)[None])[0]
            found[int(position.record.card[seat]), history] = chances
            for move in (0, 1):
                child = position.clone()
                child.apply(seat, move)
                todo.append(child)
    assert len(found) == 12
    return found


def kuhn_exploitability(table):
    """Half of what the two best responses win together, by trying all plans for each card."""

    def play(cards, me, plan, history):
        stake = 2 if history in ("bb", "pbb") else 1
        if history in ("pp", "bb", "pbb"):
            return stake if cards[0] > cards[1] else -stake
        if history in ("bp", "pbp"):
            return 1 if history == "bp" else -1
        seat = len(history) % 2
        if seat == me:
            return play(cards, me, plan, history + plan[history])
        chances = table[cards[seat], history]
        return sum(c * play(cards, me, plan, history + m) for c, m in zip(chances, "pb"))

    total = 0.0
    for me, own in itertools.product((0, 1), range(3)):
        histories = ("", "pb") if me == 0 else ("p", "b")
        others = [c for c in range(3) if c != own]
        total += max(
            sum(
                (1 - 2 * me) * play((own, c) if me == 0 else (c, own), me, dict(zip(histories, plan)), "")
                for c in others
            )
            for plan in itertools.product("pb", repeat=2)
        )
    return total / 6 / 2


class Table:
    """Chances of Kuhn poker as if they came from a network."""

    def __init__(self, bet):
        self.bet = bet

    def probabilities(self, observations, masks):
        bet = np.array([self.bet(int(o[:3].argmax()), int(o[5:].sum())) for o in observations])
        return np.stack([1 - bet, bet], axis=1)


def test_the_oracle_of_kuhn_poker(kuhn):
    assert kuhn_exploitability(kuhn_table(kuhn, Table(lambda card, n: 0.5))) == pytest.approx(11 / 24)

    def equilibrium(card, moves):  # the first seat never bluffs (Kuhn 1950)
        return {(2, 1): 1.0, (2, 2): 1.0, (0, 1): 1 / 3, (1, 2): 1 / 3}.get((card, moves), 0.0)

    table = kuhn_table(kuhn, Table(equilibrium))
    table[1, "b"], table[1, "p"] = np.array([2 / 3, 1 / 3]), np.array([1.0, 0.0])
    table[0, "b"] = np.array([1.0, 0.0])
    assert kuhn_exploitability(table) == pytest.approx(0.0, abs=1e-12)


def test_a_short_run_improves(kuhn):
    training = SelfPlay(train_config("kuhn", seed=3, tables=256, steps=8, batch=512, decisions=60_000))
    before = kuhn_exploitability(kuhn_table(kuhn, training.net()))
    training.run()
    after = kuhn_exploitability(kuhn_table(kuhn, training.net(current=True)))
    assert before > 0.4
    assert after < 0.2
    (result,) = training.evaluate()
    assert result.low > 0.0  # better than random play, beyond doubt
    assert result.low < result.edge < result.high


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_kuhn_poker_is_hardly_exploitable(kuhn, seed):
    training = SelfPlay(train_config("kuhn", seed=seed))
    training.run()
    assert kuhn_exploitability(kuhn_table(kuhn, training.net())) < 0.03


def test_the_reference_learns_by_the_loss_that_it_has():
    assert train_config("kuhn").loss == "mmd"
    assert train_config("kuhn", learner="sb3").loss == "ppo"
    assert [train_config("leduc", learner=one).critic for one in ("native", "torch", "sb3")] == ["all", "own", "own"]
    with pytest.raises(ProbespielError, match="'mmd' with learner = 'sb3'"):
        train_config("kuhn", learner="sb3", loss="mmd")
    with pytest.raises(ProbespielError, match="'vtrace' with learner = 'sb3'"):
        train_config("kuhn", learner="sb3", advantages="vtrace")


def test_a_rehearsal_says_what_a_training_will_take():
    config = train_config("kuhn", seed=4, advisers=("random",), opponents={"self": 1.0, "honest": 1.0}, **SMALL)
    for learner in ("native", "torch"):
        found = forecast(config.model_copy(update={"learner": learner}))
        assert sum(found.shares.values()) == pytest.approx(1.0)
        assert all(0.0 < share < 1.0 for share in found.shares.values())
        assert found.shares[found.dearest] == max(found.shares.values())
        assert found.seconds(1000) == pytest.approx(1000 / found.rate)
        assert 100 < found.rate < 10_000_000


@pytest.mark.parametrize("learner", ["native", "torch", "sb3"])
@pytest.mark.parametrize(
    ("advisers", "heed", "lead", "odds"),
    [(("card_only", "always_bet"), 3.0, 2.0, 2.0), (("card_only",), 3.0, 2.0, 5.0), (("card_only",), 6.0, 0.0, 6.0)],
)
def test_a_policy_that_has_learnt_nothing_follows_its_advisers(kuhn, learner, advisers, heed, lead, odds):
    """With a jack the first one passes, the second bets: log odds of the pass; the rest adds next to nothing."""
    settings = {**SMALL, "loss": "ppo", "advisers": advisers, "heed": heed, "lead": lead}
    training = SelfPlay(train_config("kuhn", learner=learner, **settings))
    position = kuhn.position()
    position.fall(0)
    position.fall(1)
    requests = View.of(position, 0).requests
    chances = training.net().probabilities(training.league.advice.beside(requests), requests.masks)[0]
    passed, bet = (chances[kuhn.actions.id(name)] for name in ("pass", "bet"))
    assert np.log(passed / bet) == pytest.approx(odds, abs=0.2)


def test_the_reference_leaves_no_folder_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    SelfPlay(train_config("kuhn", learner="sb3", loss="ppo", **SMALL)).update()
    assert not list(tmp_path.glob("SB3*"))


# --- going on from a checkpoint


def same(a, b):
    assert set(a) == set(b)
    for name in a:
        assert np.array_equal(a[name], b[name]), name


def everything(training):
    """All arrays of a training."""
    out = {f"learner.{n}": a for n, a in training.learner.state()[0].items()}
    out |= {f"tables.{n}": a for n, a in training.tables.state_dict().items()}
    out |= {f"league.{n}": a for n, a in training.league.state_dict()[0].items()}
    return out


@pytest.mark.parametrize("learner", ["native", "torch"])
@pytest.mark.parametrize(
    ("game", "scenarios", "more"),
    [
        ("kuhn", [{}], {}),
        ("kuhn", [{}], {"advisers": ("random", "card_only"), "whole_side": True, "settle": 1}),
        ("einblatt-duel", [{"scenario": "billy_tree"}, {"scenario": "storm", "weight": 2.0}], {}),
    ],
)
def test_interrupted_and_resumed_equals_uninterrupted(tmp_path, game, scenarios, more, learner):
    opponents = {"self": 0.5, "past": 0.3, "random": 0.2}
    config = train_config(
        game, seed=5, decisions=6 * 256, scenarios=scenarios, opponents=opponents, offer_every=1, places=2,
        anchor=0.1, learner=learner, **SMALL, **more,
    )  # fmt: skip
    whole = SelfPlay(config)
    whole.run()
    file = tmp_path / "checkpoint.safetensors"
    part = SelfPlay(config)
    for _ in range(2):
        part.update()
        save_checkpoint(part, file)
        np.random.random(3)  # the caller's generators do not matter
        th.rand(3)
        part = load_checkpoint(file)
    part.run()
    assert part.updates == whole.updates == 6
    same(everything(part), everything(whole))
    assert part.evaluate() == whole.evaluate()


def test_a_checkpoint_before_the_first_update(tmp_path):
    config = train_config("kuhn", decisions=256, **SMALL)
    save_checkpoint(SelfPlay(config), tmp_path / "c")
    resumed, fresh = load_checkpoint(tmp_path / "c"), SelfPlay(config)
    resumed.run()
    fresh.run()
    same(everything(resumed), everything(fresh))


@pytest.mark.parametrize("learner", [NativeLearner, TorchLearner, SB3Learner])
def test_training_leaves_the_callers_generators_alone(learner):
    np.random.seed(1)
    th.manual_seed(1)
    SelfPlay(train_config("kuhn", teacher="honest", lessons=500, **SMALL), learner=learner).update()
    after = np.random.random(), float(th.rand(1))
    np.random.seed(1)
    th.manual_seed(1)
    assert after == (np.random.random(), float(th.rand(1)))


def test_damaged_checkpoints_are_refused(tmp_path):
    config = train_config("kuhn", decisions=10_000, **SMALL)
    training = SelfPlay(config)
    training.update()
    file = tmp_path / "checkpoint.safetensors"
    save_checkpoint(training, file)
    data = file.read_bytes()
    header = int.from_bytes(data[:8], "little")
    for cut in (0, 4, 8, 100, header, header + 8, len(data) - 1):
        file.write_bytes(data[:cut])
        with pytest.raises(ProbespielError):
            load_checkpoint(file)
    for old, new in [
        (b'"averaged', b'"avaraged'),
        (b'"updates', b'"apdates'),
        (b"learner.noise", b"learner.moise"),
        (b"tables.0.states", b"tables.0.statez"),
        (b"average.trunk.bias", b"average.trunk.bios"),
        (b'\\"game\\": \\"kuhn\\"', b'\\"game\\": \\"kohn\\"'),
        (b"PCG64", b"PCG65"),
    ]:
        assert old in data, old
        file.write_bytes(data.replace(old, new))
        with pytest.raises(ProbespielError):
            load_checkpoint(file)
    file.unlink()
    with pytest.raises(ProbespielError, match="cannot be read"):
        load_checkpoint(file)


def test_what_is_measured_goes_to_tensorboard(tmp_path):
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    training = SelfPlay(train_config("kuhn", **SMALL), tensorboard=tmp_path)
    measured = [training.update() for _ in range(2)]
    read = events.EventAccumulator(str(tmp_path)).Reload()
    assert set(read.Tags()["scalars"]) == {name for found in measured for name in found}
    entropies = [(e.step, e.value) for e in read.Scalars("train/entropy")]
    assert entropies == [(256 * (i + 1), pytest.approx(m["train/entropy"])) for i, m in enumerate(measured)]


def test_a_checkpoint_of_another_format_is_refused(tmp_path, monkeypatch):
    file = tmp_path / "c"
    with monkeypatch.context() as earlier:
        earlier.setattr("probespiel.training.checkpoint.FORMAT", 2)
        save_checkpoint(SelfPlay(train_config("kuhn", **SMALL)), file)
    for read in (load_checkpoint, read_config):
        with pytest.raises(ProbespielError, match=rf"of format 2, and only format {FORMAT} can be resumed"):
            read(file)


def test_a_checkpoint_runs_no_files_unasked(tmp_path, monkeypatch):
    mark = tmp_path / "mark"
    bot = tmp_path / "bot.py"
    lines = [  # its own process may not write there
        "import contextlib, pathlib", f"with contextlib.suppress(OSError): pathlib.Path({str(mark)!r}).touch()",
        "from probespiel.agents.simple import RandomAgent as Bot",
    ]  # fmt: skip
    bot.write_text("\n".join(lines))
    config = train_config("kuhn", opponents={"self": 1, f"{bot}:Bot": 1}, **SMALL)
    save_checkpoint(SelfPlay(config), tmp_path / "c")
    mark.unlink(missing_ok=True)
    with pytest.raises(ProbespielError, match=r"bot\.py"):
        load_checkpoint(tmp_path / "c")
    assert not mark.exists()
    load_checkpoint(tmp_path / "c", trust=True).update()


# --- the tables and the league


def test_the_learner_sees_its_losses(kuhn, duel):
    """With the same dice and the same players, what seat 0 wins as a learner is what seat 1 loses as a learner."""

    def lowest(observations, masks, *_):
        return masks.argmax(axis=1).astype(np.int64)

    for game in (kuhn, duel):
        totals = []
        for seat in (0, 1):
            env = ProbespielVecEnv(game, 64, lowest, seat=seat, seed=11)
            observations, rewards = env.reset(), np.zeros(64)
            paid = [[] for _ in range(64)]
            while min(map(len, paid)) < 3:
                observations, reward, done, infos = env.step(lowest(observations, env.masks))
                rewards += reward
                for i in np.flatnonzero(done):
                    assert rewards[i] == pytest.approx(infos[i]["episode"]["r"])
                    paid[i].append(rewards[i])
                    rewards[i] = 0.0
            totals.append(np.array([p[:3] for p in paid]))
        np.testing.assert_allclose(totals[0], -totals[1], atol=1e-6)
        assert (totals[0] < 0).any()
        assert (totals[1] < 0).any()


def test_observations_of_tables_end_with_the_mask():
    scenarios = [{"scenario": "billy_tree", "weight": 3}, {"scenario": "rock_face"}]
    training = SelfPlay(train_config("einblatt-duel", scenarios=scenarios, learner="torch", **SMALL))
    training.update()
    observations = training.tables.observations
    assert isinstance(observations, np.ndarray)
    masks = training.tables.action_masks()
    assert observations.shape == (64, training.game.layout.size + training.game.n_actions)
    assert np.array_equal(observations[:, -training.game.n_actions :], masks)
    assert [env.num_envs for env in training.tables.envs] == [48, 16]


def test_scenarios_with_other_layouts_are_not_mixed():
    scenarios = [{"scenario": "tug_of_war"}, {"scenario": "free_for_all"}]
    with pytest.raises(ProbespielError, match="free_for_all"):
        SelfPlay(train_config("einblatt-melee", scenarios=scenarios, **SMALL))


def test_the_league_seats_mates_with_the_current_policy(kuhn):
    game = make_game("einblatt-melee")
    blueprint = blueprint_of(game, hidden=8)
    league = League(blueprint, {"random": 1.0}, 4, seed=0)
    env = ProbespielVecEnv(game, 3)
    ids = league.assign(env, np.arange(3), np.array([0, 2, 8]))
    assert ids.tolist() == [[0, 0, 0] + [5] * 6, [0, 0, 0] + [5] * 6, [5] * 3 + [0] * 6]
    assert league.name_of(5) == "random"


def test_past_policies_are_a_reservoir(kuhn):
    blueprint = blueprint_of(kuhn, hidden=4)
    kept = np.zeros(20)
    for seed in range(300):
        league = League(blueprint, {"self": 1.0, "past": 1.0}, 4, seed)
        for i in range(20):
            league.offer({n: np.full_like(w, i / 100) for n, w in random_weights(blueprint).items()})
        assert len(league.past) == 4
        for net in league.past:
            kept[round(float(net.weights["trunk.bias"][0]) * 100)] += 1
    # each with chance 4 / 20 in 300 leagues: mean 60, standard deviation 7
    assert kept.min() > 60 - 5 * 7
    assert kept.max() < 60 + 5 * 7


def test_shares_of_tables():
    assert shares_of(10, [1.0, 1.0, 1.0]) == [4, 3, 3] or sum(shares_of(10, [1.0, 1.0, 1.0])) == 10
    assert shares_of(3, [100.0, 1e-9, 1e-9]) == [1, 1, 1]
    with pytest.raises(ProbespielError, match="tables"):
        shares_of(2, [1.0, 1.0, 1.0])


# --- lessons


def test_lessons_imitate_the_teacher(kuhn):
    config = train_config("kuhn", teacher="always_bet", lessons=16_000, settle=2, learning_rate=0.01, **SMALL)
    training = SelfPlay(config)
    training.update()
    assert training.agreement > 0.95
    table = kuhn_table(kuhn, training.net(current=True))
    assert all(chances[1] > 0.8 for chances in table.values())  # betting, whatever the card
    taught = training.learner.weights()
    training.update()
    same(training.learner.weights(), taught)  # only the values have learned
    training.update()
    assert any((taught[n] != w).any() for n, w in training.learner.weights().items())


def test_a_training_with_lessons_resumes_exactly(tmp_path):
    config = train_config("kuhn", decisions=3 * 256, teacher="honest", lessons=2000, settle=1, **SMALL)
    whole, part = SelfPlay(config), SelfPlay(config)
    whole.run()
    part.update()
    save_checkpoint(part, tmp_path / "c")
    part = load_checkpoint(tmp_path / "c")
    part.run()
    same(everything(part), everything(whole))


def test_lessons_are_watched_and_may_be_broken_off(tmp_path):
    """They change nothing then, and begin again; their time is not that of updates."""
    config = train_config("kuhn", decisions=2 * 256, teacher="honest", lessons=6_000, settle=1, **SMALL)
    whole, part = SelfPlay(config), SelfPlay(config)
    before = {name: weight.copy() for name, weight in part.weights().items()}
    shares: list[float] = []

    def stop(trained, measured):
        shares.append(measured["lessons/share"])
        return len(shares) < 3

    part.run(stop)
    assert len(shares) == 3 and 0 < shares[0] < shares[1] < shares[2] < 1 and not part.updates
    same(part.weights(), before)
    save_checkpoint(part, tmp_path / "c")
    whole.run()
    by_hand = SelfPlay(config)
    for _ in range(2):
        by_hand.update()
    same(everything(by_hand), everything(whole))
    watch = Watch(part, Console(file=io.StringIO()))
    watch._begun = (watch._begun[0] - 3600.0, 0, 0.0)  # as if lessons had taken an hour
    seen: list[str] = []
    part.run(lambda trained, measured: bool(seen.append(watch.line(measured)) or True))
    same(everything(part), everything(whole))
    assert re.fullmatch(r"lessons: 100 % done, \d+\.\d % of the answers like the teacher's", seen[-3])
    left = [re.fullmatch(rf"{256 * k} decisions, [\d,]+/s, (\d+):\d\d left, .*", seen[k - 3]) for k in (1, 2)]
    assert left[0] and left[1] and left[0][1] == left[1][1] == "0", "within a minute"
    part = load_checkpoint(tmp_path / "c")
    part.run()
    same(everything(part), everything(whole))


def test_a_review_comes_last_and_resumes(kuhn, tmp_path):
    """The policy learns at the end what its reviewer does; interrupted, the review changes nothing and begins again."""
    reviewed = {"scenarios": [{"reviewer": "always_bet"}], "review": 16_000, "learning_rate": 0.01}
    config = train_config("kuhn", decisions=3 * 256, **reviewed, **SMALL)
    whole, part = SelfPlay(config), SelfPlay(config)
    whole.run()
    assert whole.finished and whole.agreement > 0.95
    assert all(chances[1] > 0.8 for chances in kuhn_table(kuhn, whole.net()).values())
    part.run(lambda trained, measured: "review/share" not in measured)
    assert part.progress >= 1.0 and not part.finished
    plain = SelfPlay(train_config("kuhn", decisions=3 * 256, learning_rate=0.01, **SMALL))
    plain.run()
    assert plain.finished
    same(part.weights(), plain.weights())
    save_checkpoint(part, tmp_path / "c")
    part = load_checkpoint(tmp_path / "c")
    part.run()
    same(everything(part), everything(whole))
    part.run()
    same(part.weights(), whole.weights())


def test_where_nobody_reviews_the_policy_stays_what_it_is(kuhn):
    """It imitates itself there: in every state the likeliest action is the one before the review."""
    tables = []
    for review in (0, 20_000):
        training = SelfPlay(train_config("kuhn", decisions=2048, temperature=0.0, review=review, **SMALL))
        training.run()
        assert training.agreement > 0.9 or not review
        tables.append({state: np.argmax(p) for state, p in kuhn_table(kuhn, training.net()).items()})
    assert tables[0] == tables[1] and len(tables[0]) == 12


def test_where_all_are_on_one_side_the_agent_plays_by_itself():
    game = make_game("oneshot-parley", "market")
    net = PolicyNet(blueprint_of(game), random_weights(blueprint_of(game)), np.float32)
    result = evaluate(game, net, "best_odds", 600, seed=4)
    alone = payoffs_of(game, "best_odds", result.games, seed=4)
    assert result.edge == pytest.approx(result.seats[0][2] - alone.mean())
    assert result.high < 0.0


# --- settings and the command line


@pytest.mark.parametrize(
    ("given_settings", "named"),
    [
        ({"clip": 0}, "clip"),
        ({"entropy": -1}, "entropy"),
        ({"tables": "many"}, "tables"),
        ({"seed": -1}, "seed"),
        ({"batch": 100}, "batch"),
        ({"opponents": {}}, "opponents"),
        ({"opponents": {"self": -1}}, "opponents"),
        ({"opponents": {"self": float("nan")}}, "opponents"),
        ({"learning_rate": float("inf")}, "learning_rate"),
        ({"nonsense": 1}, "nonsense"),
        ({"scenarios": []}, "scenarios"),
        ({"minutes": 0}, "minutes"),
        ({"lessons": 0, "teacher": "honest"}, "lessons"),
        ({"scenarios": [{"reviewer": "honest"}]}, "review = 0.*'honest'"),
    ],
)
def test_wrong_settings_are_named(given_settings, named):
    with pytest.raises(ProbespielError, match=named):
        train_config("kuhn", **given_settings)


def test_several_names_may_stand_between_commas():
    """As on the command line; a piece key=value goes on with the agent before it."""
    given = train_config("kuhn", advisers="honest, random", evaluate_against="search:sims=5,c=0.7,first", ignore="")
    assert given.advisers == ("honest", "random") and given.ignore == ()
    assert given.evaluate_against == ("search:sims=5,c=0.7", "first")
    assert train_config("kuhn", ignore="seat").ignore == ("seat",)
    with pytest.raises(ProbespielError, match=r"^advisers = 'a,,b' is not allowed: agents 'a,,b': a name between two"):
        train_config("kuhn", advisers="a,,b")


def test_wrong_opponents_are_told_before_anything_is_learned(command):
    for against, why in (
        ("random,random:x=1", "agent 'random:x=1': parameter 'x' is unknown"),
        ("first,hunter", "hunter"),
        ("regret", "agent 'regret' does not play kuhn"),
    ):
        # not after hours of learning, without a report
        assert why in command("train", "kuhn", "--steps", 512, "--out", "b", "--against", against, *TINY)
        assert not Path("b").exists()


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Run the commands of training in an empty folder; their exit code, or the text of their error."""
    monkeypatch.chdir(tmp_path)
    app = typer.Typer()
    app.command("train")(cli_train.train)
    app.command("evaluate-policy")(cli_train.evaluate_policy)

    def run(*arguments):
        result = CliRunner().invoke(app, [str(a) for a in arguments])
        if isinstance(result.exception, ProbespielError):
            return str(result.exception)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        run.output = result.output  # pyright: ignore[reportFunctionMemberAccess]
        return result.exit_code

    return run


TINY = [f"--setting={k}={v}" for k, v in {**SMALL, "evaluate_games": 100}.items()]


def test_the_command_trains_evaluates_and_resumes(command, tmp_path):
    assert command("train", "kuhn", "--steps", 1024, "--out", "a", *TINY) == 0
    assert "random" in command.output
    assert command("evaluate-policy", "a/policy.safetensors", "--games", 100) == 0
    assert "kuhn (standard, 2 seats), seed 0, 1,024 decisions" in command.output
    assert command("evaluate-policy", "a/policy.safetensors", "--games", 100, "--lang", "de") == 0
    assert "kuhn (standard, 2 Plätze), Startwert 0, 1.024 Entscheidungen" in command.output
    told = command("evaluate-policy", "a/checkpoint.safetensors")
    assert "no policy of probespiel, but the checkpoint of a training: its policy is a file beside it" in told
    assert "already holds" in command("train", "kuhn", "--out", "a", *TINY)
    assert "seed" in command("train", "kuhn", "--out", "a", "--resume", "--seed", 4)
    assert "einblatt-duel" in command("train", "einblatt-duel", "--out", "a", "--resume")
    assert command("train", "kuhn", "--out", "a", "--resume") == 0
    assert command("train", "kuhn", "--steps", 512, "--out", "a", "--overwrite", *TINY) == 0
    lines = Path("a/progress.jsonl").read_text().splitlines()
    assert [json.loads(line)["decisions"] for line in lines] == [256, 512]


def test_the_command_takes_the_settings_of_the_policy_of_a_scenario(command):
    line = ["train", "einblatt-duel", "--shipped", "--scenario", "duel_tricks", "--steps", 256, "--against", "random"]
    assert command(*line, "--out", "a", *TINY) == 0
    (folder,) = (path for path in Path("a").iterdir() if path.name.startswith("checkpoint"))
    made, declared = read_config(folder), shipped_settings("einblatt-duel", "duel_tricks")
    assert [s.scenario for s in made.scenarios] == ["duel_tricks"]
    assert (made.opponents, made.seed, made.decisions) == (declared["opponents"], declared["seed"], 256)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--against", "random,nobody"], "agent 'nobody' is unknown"),
        (["--against", "random,first:x=1"], "first"),
        (["--gap", 100], "--gap: the value of kuhn is not known"),
    ],
)
def test_a_policy_meets_nobody_before_all_that_is_asked_is_known(command, monkeypatch, more, words):
    def play(*_, **__):
        raise AssertionError("played")

    monkeypatch.setattr("probespiel.training.evaluate.evaluate", play)
    made = SelfPlay(train_config("kuhn", **SMALL))
    made.save_policy(Path("p.safetensors"))
    assert words in command("evaluate-policy", "p.safetensors", *more)


def test_ctrl_c_keeps_a_checkpoint_that_goes_on_exactly(command, monkeypatch):
    update = SelfPlay.update

    def interrupted(self):
        if self.updates == 1:
            signal.raise_signal(signal.SIGINT)
        return update(self)

    arguments = ["train", "kuhn", "--steps", 1024, *TINY]
    assert command(*arguments, "--out", "whole") == 0
    monkeypatch.setattr(SelfPlay, "update", interrupted)
    assert command(*arguments, "--out", "part") == 130
    monkeypatch.setattr(SelfPlay, "update", update)
    assert command("train", "kuhn", "--out", "part", "--resume") == 0
    assert Path("part/policy.safetensors").read_bytes() == Path("whole/policy.safetensors").read_bytes()


@pytest.mark.parametrize("learner", ["native", "torch"])
@pytest.mark.parametrize("what", ["loss", "weight"])
def test_a_training_that_diverges_keeps_the_last_good_checkpoint(command, monkeypatch, learner, what):
    """At its third update the loss is no number, or a last step has spoilt a weight while the loss was still one."""
    arguments = ["train", "kuhn", "--steps", 1024, "--checkpoint-minutes", 0, f"--setting=learner={learner}", *TINY]
    update = SelfPlay.update

    def spoilt(self):
        if self.updates < 2:
            return update(self)
        if what == "loss":
            learn = self.learner.update
            self.learner.update = lambda coefficients: {**learn(coefficients), "train/value_loss": float("inf")}
            return update(self)
        measured = update(self)
        self.learner.adopt({name: w + np.float32(np.inf) for name, w in self.learner.weights().items()})
        return measured

    monkeypatch.setattr(SelfPlay, "update", spoilt)
    told = command(*arguments, "--out", "spoilt")
    monkeypatch.setattr(SelfPlay, "update", update)
    assert "diverged after" in str(told)
    assert "go back to the last checkpoint" in str(told)
    assert not Path("spoilt/policy.safetensors").exists()
    kept = load_checkpoint("spoilt/checkpoint.safetensors")
    good = SelfPlay(kept.config)
    for _ in range(2):
        good.update()
    assert kept.updates == 2
    assert all((array == good.learner.state()[0][name]).all() for name, array in kept.learner.state()[0].items())


def test_ctrl_c_while_it_is_measured_keeps_the_policy(command, monkeypatch):
    evaluate = SelfPlay.evaluate

    def interrupted(self):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(SelfPlay, "evaluate", interrupted)
    assert command("train", "kuhn", "--steps", 512, "--out", "part", *TINY) == 130
    assert "--resume measures it" in command.output
    before = load_policy("part/policy.safetensors")
    monkeypatch.setattr(SelfPlay, "evaluate", evaluate)
    assert command("train", "kuhn", "--out", "part", "--resume") == 0
    assert "against random" in command.output
    after = load_policy("part/policy.safetensors")
    assert not before.manifest.evaluation and after.manifest.evaluation
    assert all((after.net.weights[name] == w).all() for name, w in before.net.weights.items())


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "chess"],
        ["train", "kuhn", "--scenario", "nowhere"],
        ["train", "kuhn", "--setting", "clip"],
        ["train", "kuhn", "--setting", "clip=2"],
        ["train", "kuhn", "--setting", "clip=0.1", "--setting", "clip=0.2"],
        ["train", "kuhn", "--opponents", "self"],
        ["train", "kuhn", "--opponents", "self=x"],
        ["train", "kuhn", "--opponents", "nobody=1"],
        ["train", "kuhn", "--against", "a,,b"],
        ["train", "kuhn", "--device", "abacus"],
        ["train", "kuhn", "--resume", "--out", "nothing"],
        ["train", "kuhn", "--shipped", "--set", "ante=2"],
        ["train", "kuhn", "--shipped", "--scenario", "standard"],
        ["evaluate-policy", "nothing"],
    ],
)
def test_wrong_command_lines_are_answered_in_a_line(command, arguments):
    answer = command(*arguments)
    assert isinstance(answer, str)
    assert answer
    assert not list(Path(".").iterdir())


def test_progress_is_told_in_german() -> None:
    """The lines of `train --lang de` were English, numbers included."""
    part: Any = SimpleNamespace(decisions=12_000, progress=0.5)
    watch = Watch(part, Console(file=io.StringIO()), lang="de")
    lesson = watch.line({"lessons/share": 0.5, "lessons/agreement": 0.25}).replace("\N{NO-BREAK SPACE}", " ")
    assert lesson == "Unterricht: 50 % vorbei, 25,0 % der Antworten wie der Lehrer"
    watch._begun = (watch._begun[0] - 3600.0, 2_000, 0.0)
    line = watch.line({"train/entropy": 1.0625})
    assert re.fullmatch(r"12\.000 Entscheidungen, 3/s, noch (1:00:0\d|59:5\d), Entropie 1,06[23]", line), line
    found = Evaluation("random", 400, 0.5, 0.25, 0.75, ())
    assert found.told("de") == "gegen random: +0,5000 (+0,2500 bis +0,7500, 400 Spiele)"
    assert str(found) == "against random: +0.5000 (+0.2500 to +0.7500, 400 games)"
