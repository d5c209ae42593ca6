"""The worked examples of the base rules, and of the plain functions, on the einBlatt oracle."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.naive.einblatt_cards import NO_CARD_CLASS, PASS_CLASS, card_class, card_id, hand_size, ranking
from tests.naive.einblatt_scripts import GoldenCase


def cases_of(name: str) -> list[dict[str, Any]]:
    """The cases of a file of worked examples."""
    return json.loads((Path(__file__).parents[1] / "golden" / name).read_text(encoding="utf-8"))["cases"]


CASES = cases_of("einblatt.json")
MELEES = [case for case in cases_of("combinations_einblatt.json") if case["setup"]["level"] == "melee"]


def of_kind(kind: str) -> list[Any]:
    """The cases of one kind that use no rule modules, as test parameters."""
    return [
        pytest.param(case, id=case["id"])
        for case in [*CASES, *MELEES]
        if case["kind"] == kind and not case.get("setup", {}).get("modules")
    ]


def test_the_file_holds_the_base_examples() -> None:
    assert {"billy_tree", "saruman_ent", "tug_of_war", "perfect_loss_magus"} <= {case["id"] for case in CASES}
    assert {"tie_group_in_a_circle", "two_followers_disobey"} <= {case["id"] for case in MELEES}


@pytest.mark.parametrize("case", of_kind("play"))
def test_play(case: dict[str, Any]) -> None:
    GoldenCase(case).run()


@pytest.mark.parametrize("case", of_kind("compare"))
def test_compare(case: dict[str, Any]) -> None:
    classes = {}
    for play in case["setup"]["plays"]:
        if play["card"] in ("pass", "none"):
            classes[play["seat"]] = PASS_CLASS if play["card"] == "pass" else NO_CARD_CLASS
        else:
            colours_count = case["setup"].get("colours_count", True)
            classes[play["seat"]] = card_class(card_id(play["card"]), play.get("suits", ""), colours_count)
    assert ranking(classes) == case["expect"]["ranking"]
    assert case["expect"].get("class", classes) == classes


@pytest.mark.parametrize("case", of_kind("hand_size"))
def test_hand_size(case: dict[str, Any]) -> None:
    assert [hand_size(*query) for query in case["setup"]["queries"]] == case["expect"]["cards"]
