"""PPO with masked actions in one file, in the manner of CleanRL, on many tables of a game by `gymnasium.make_vec`.

python ppo_torch.py kuhn --opponent honest --steps 100000
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import probespiel.agents.registration  # noqa: F401 (registers the games)

TABLES, LENGTH, EPOCHS, BATCHES = 64, 32, 4, 4
GAMMA, LAMBDA, CLIP, ENTROPY, RATE = 1.0, 0.95, 0.2, 0.01, 1e-3


class Net(nn.Module):
    """Logits of all actions and a value, from an observation."""

    def __init__(self, length: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(length, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.policy, self.value = nn.Linear(64, actions), nn.Linear(64, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The chances of legal actions, and the value."""
        body = self.body(seen)
        logits = self.policy(body).masked_fill(mask == 0, -1e9)
        return Categorical(logits=logits), self.value(body).squeeze(-1)


def train(game: str, opponent: str, steps: int, seed: int = 1) -> list[float]:
    """Mean payoff of the games that ended in each round of collecting."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # nets this small are slower on several
    envs = gymnasium.make_vec(f"probespiel/{game}-v0", num_envs=TABLES, opponent=opponent, mask="info")
    seen_space, action_space = envs.single_observation_space, envs.single_action_space
    assert isinstance(seen_space, gymnasium.spaces.Box) and isinstance(action_space, gymnasium.spaces.Discrete)
    net = Net(seen_space.shape[0], int(action_space.n))
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE)
    observation, infos = envs.reset(seed=seed)
    seen, mask = torch.as_tensor(observation), torch.as_tensor(infos["action_mask"])
    returns, told = np.zeros(TABLES), []
    for _ in range(max(1, steps // (TABLES * LENGTH))):
        rows: dict[str, list[torch.Tensor]] = {name: [] for name in ("seen", "mask", "action", "log", "value")}
        rewards, dones = np.zeros((LENGTH, TABLES), np.float32), np.zeros((LENGTH, TABLES), np.float32)
        ended: list[float] = []
        for t in range(LENGTH):
            with torch.no_grad():
                chances, value = net(seen, mask)
                action = chances.sample()
            for name, row in zip(rows, (seen, mask, action, chances.log_prob(action), value), strict=True):
                rows[name].append(row)
            observation, reward, terminated, truncated, infos = envs.step(action.numpy())
            rewards[t], dones[t] = reward, terminated | truncated
            returns += reward
            over = dones[t] > 0
            ended += returns[over].tolist()
            returns[over] = 0.0
            seen, mask = torch.as_tensor(observation), torch.as_tensor(infos["action_mask"])
        told.append(float(np.mean(ended)) if ended else float("nan"))
        with torch.no_grad():
            following = net(seen, mask)[1]
        data = {name: torch.stack(row) for name, row in rows.items()}
        advantage, last = torch.zeros(LENGTH, TABLES), torch.zeros(TABLES)
        for t in reversed(range(LENGTH)):
            alive = 1.0 - torch.as_tensor(dones[t])
            error = torch.as_tensor(rewards[t]) + GAMMA * alive * following - data["value"][t]
            last = error + GAMMA * LAMBDA * alive * last
            advantage[t], following = last, data["value"][t]
        flat = {name: rows.flatten(0, 1) for name, rows in {**data, "advantage": advantage}.items()}
        target = flat["advantage"] + flat["value"]
        for _ in range(EPOCHS):
            for part in torch.randperm(len(target)).chunk(BATCHES):
                chances, value = net(flat["seen"][part], flat["mask"][part])
                gain = flat["advantage"][part]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                ratio = (chances.log_prob(flat["action"][part]) - flat["log"][part]).exp()
                surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
                loss = -surrogate + 0.5 * (value - target[part]).pow(2).mean() - ENTROPY * chances.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()
    envs.close()
    return told


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="kuhn")
    parser.add_argument("--opponent", default="random", help="any agent, or level:1 to level:8")
    parser.add_argument("--steps", type=int, default=100_000, help="decisions of the learner")
    given = parser.parse_args()
    told = train(given.game, given.opponent, given.steps)
    share = max(1, len(told) // 5)
    print(f"mean payoff against {given.opponent}: {np.nanmean(told[:share]):+.3f} at first, "
          f"{np.nanmean(told[-share:]):+.3f} at the end")  # fmt: skip
