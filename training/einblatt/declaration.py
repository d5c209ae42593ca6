"""How einBlatt is learnt."""

from __future__ import annotations

from typing import Any

from ..declaration import Training
from .duel_gap import clairvoyant_gap

# Found for the duel, measured by `duel_gap`: even chances keep equally good cards equally likely, the anchor (the
# average policy) stops the cycles, and both may grow weak as the learning rate falls.
_MIXED = {
    "learning_rate": 2e-3, "learning_rate_end": 5e-5, "entropy_end": 1e-3, "even": 0.15, "even_end": 0.03,
    "anchor": 0.1, "hold": 0.2,
}  # fmt: skip


def _duels() -> list[dict[str, Any]]:
    """Scenarios of the shipped duel policy: the presets, and a spread of hands and suits, so that it plays any duel."""
    out: list[dict[str, Any]] = [{"scenario": "billy_tree", "weight": 25.0}]  # what is played if nothing is said
    out += [
        {"scenario": name, "weight": 3.0}
        for name in ("saruman_ent", "rock_face", "jarjar_princess", "storm", "even_duel")
    ]
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


# Who shuffles the best cards guarantees the value of a duel without modules (E1), and of a campaign of such duels: that
# is taught, also after cards that it would not have played. What does not matter to it is not looked at; afterwards
# values alone are learned.
_SHUFFLED: dict[str, Any] = {
    "seed": 1, "learner": "native", "hidden": 128, "teacher": "best3_shuffled", "stray": 0.15, "tables": 1024,
    "learning_rate": 0.0015, "settle": 1000,
    "ignore": ("draw_set", "discard_set", "seat", "table", "slots_open", "played", "seen", "net", "focus", "terms",
               "mods", "wrath"),
}  # fmt: skip

TRAINING = Training(
    defaults={
        "einblatt-duel": {**_MIXED, "decisions": 6_000_000},
        # A side stands or falls together, and the heuristics show early what pays: one network decides for all of it.
        "einblatt-melee": {
            "decisions": 4_000_000, "tables": 512, "steps": 64, "batch": 4096, "learning_rate": 1e-3,
            "entropy": 0.01, "entropy_end": 0.0003, "clip": 0.15, "settle": 3, "whole_side": True,
            "advisers": ("hunter", "highest_first", "greedy_rescore", "best3_shuffled"),
            "opponents": {"self": 0.35, "past": 0.15, "hunter": 0.1, "highest_first": 0.15, "greedy_rescore": 0.1,
                          "best3_shuffled": 0.15},
            "temperature": 0.0,
            "evaluate_against": ("random", "highest_first", "hunter", "greedy_rescore", "best3_shuffled"),
        },
        "einblatt-campaign": {
            "decisions": 14_000_000, "tables": 512, "steps": 64, "batch": 4096, "learning_rate": 1e-3,
            "entropy": 0.01, "entropy_end": 0.0003, "clip": 0.15, "settle": 3, "whole_side": True,
            "advisers": ("hunter", "highest_first", "greedy_rescore", "best3_shuffled"),
            "opponents": {"self": 0.25, "past": 0.1, "hunter": 0.2, "highest_first": 0.1, "greedy_rescore": 0.2,
                          "best3_shuffled": 0.15},
            "temperature": 0.0, "evaluate_games": 1000,
            "evaluate_against": ("random", "highest_first", "hunter", "greedy_rescore", "best3_shuffled"),
        },
    },
    shipped={
        "einblatt-duel": {
            **_SHUFFLED, "scenarios": _duels(), "learning_rate": 0.003, "lessons": 16_000_000, "decisions": 100_000,
        },
        # Its modules bring decisions that no other duel has.
        "einblatt-duel--duel_tricks": {
            "seed": 1, "learner": "native", "scenarios": [{"scenario": "duel_tricks"}], "decisions": 6_000_000,
            "opponents": {"self": 0.6, "past": 0.2, "greedy_rescore": 0.1, "best3_shuffled": 0.05,
                          "highest_first": 0.05},
            "evaluate_against": ("random", "greedy_rescore", "best3_shuffled", "highest_first", "lowest_first"),
        },
        "einblatt-melee": {"seed": 1, "learner": "native"},
        "einblatt-melee--free_for_all": {
            "seed": 1, "learner": "native", "scenarios": [{"scenario": "free_for_all"}], "decisions": 3_000_000,
        },
        "einblatt-campaign--table32_session": {
            **_SHUFFLED, "scenarios": [{"scenario": "table32_session"}], "lessons": 3_000_000, "decisions": 131_072,
            "advisers": (), "opponents": {"self": 1.0}, "temperature": 1.0, "whole_side": False,
        },
        # Its modules bring decisions that nobody needs to teach: who plays on finds what `greedy_rescore` knows.
        "einblatt-campaign--table32_tricks": {
            "seed": 1, "learner": "native", "scenarios": [{"scenario": "table32_tricks"}],
        },
    },
    gap=clairvoyant_gap,
)  # fmt: skip
