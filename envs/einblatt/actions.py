"""The action table of einBlatt: Discrete(80), one list for all levels (4.6)."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.actions import ActionBlock, ActionTable
from ..core.modules.bind import Own
from . import state as st
from .names import called

SUIT_NAMES = {"en": ("clubs", "spades", "diamonds", "hearts"), "de": ("Kreuz", "Pik", "Karo", "Herz")}
RANK_NAMES = {
    "en": {"J": "jack", "Q": "queen", "K": "king", "A": "ace"},
    "de": {"J": "Bube", "Q": "Dame", "K": "König", "A": "Ass"},
}

_SINGLE = (  # code, English, German, meaning
    ("open_play", "lay a card open", "eine Karte offen legen", "open_look"),
    ("table_redraw", "hand on the table and redraw", "Karten auf den Tisch und neu ziehen", "table_redraw"),
    ("sleeve_stash", "a card into the sleeve", "eine Karte in den Ärmel", "sleeve"),
    ("sleeve_use", "the card from the sleeve", "die Karte aus dem Ärmel", "sleeve"),
    ("xp_ignore", "ignore injuries (experience)", "Verletzungen ignorieren (Erfahrung)", "experience"),
    ("xp_extra", "one more card (experience)", "eine Karte mehr (Erfahrung)", "experience"),
    ("xp_redraw", "redraw the hand (experience)", "Hand neu ziehen (Erfahrung)", "experience"),
    ("xp_strike", "strike a round card (experience)", "eine Rundenkarte streichen (Erfahrung)", "experience"),
    ("xp_survive", "survive (experience)", "überleben (Erfahrung)", "experience"),
    ("mercy", "ask for mercy", "um Gnade bitten", "mercy"),
    ("swap", "swap a losing card", "eine verlorene Karte tauschen", "swap_card"),
    ("all_in", "all in", "alles auf eine Karte", "all_in"),
    ("after_card", "play one card more", "nachkarten", "after_card"),
)
BASE_CODES = (
    *(f"card:{code}" for code in st.CARD_CODES),
    "pass",
    "wait",
    *(f"attack:{i}" for i in range(st.MAXS)),
    "yes",
    "no",
    "done",
    "pile:A",
    "pile:B",
    "king_slot",
    *(code for code, *_ in _SINGLE),
    *(f"xp_raise:{i}" for i in range(st.ATTRIBUTES)),
    "xp_learn",
    *(f"custom:{i}" for i in range(st.FREE_ACTIONS)),
)


def card_name(card: int, lang: str) -> str:
    """A card in words, e.g. `clubs 10`, `Kreuz Dame`."""
    rank = st.RANKS[card & 7]
    return f"{SUIT_NAMES[lang][card >> 3]} {RANK_NAMES[lang].get(rank, rank)}"


def action_table(seats: Sequence[str], attributes: Sequence[str], custom: Sequence[Own]) -> ActionTable:
    """The table of a game with its seat names, attribute names and the actions of its modules."""

    def both(en: Sequence[str], de: Sequence[str]) -> dict[str, tuple[str, ...]]:
        return {"en": tuple(en), "de": tuple(de)}

    who = [seats[i] if i < len(seats) else f"seat {i}" for i in range(st.MAXS)]
    wer = [called(seats[i], "de") if i < len(seats) else f"Platz {i}" for i in range(st.MAXS)]
    cards = [[card_name(c, lang) for c in range(32)] for lang in ("en", "de")]
    own = [action.code for action in custom]
    en = [action.text("en") for action in custom] + [f"(free action {i})" for i in range(len(own), st.FREE_ACTIONS)]
    de = [action.text("de") for action in custom] + [f"(freie Aktion {i})" for i in range(len(own), st.FREE_ACTIONS)]
    codes = tuple(f"custom:{i}" for i in range(max(len(own), st.FREE_ACTIONS)))
    names = [attributes[i] if i < len(attributes) else f"attribute {i}" for i in range(st.ATTRIBUTES)]
    blocks = [
        ActionBlock("card", BASE_CODES[: st.CARDS], both(*cards), "the card, in whatever the phase asks"),
        ActionBlock("pass", ("pass",), both(["pass"], ["passen"]), "pass; decline a reaction"),
        ActionBlock("wait", ("wait",), both(["wait"], ["abwarten"]), "wait; an order to wait"),
        ActionBlock(
            "attack",
            BASE_CODES[st.Action.ATTACK : st.Action.YES],
            both([f"attack {n}" for n in who], [f"greife {n} an" for n in wer]),
            "attack a seat; an order to attack; target of a strike",
        ),
        ActionBlock("yes", ("yes",), both(["yes"], ["ja"]), "a vote or an answer"),
        ActionBlock("no", ("no",), both(["no"], ["nein"]), "a vote, a refusal, no order"),
        ActionBlock("done", ("done",), both(["done"], ["fertig"]), "end of a selection or a window"),
        ActionBlock("pile", ("pile:A", "pile:B"), both(["pile A", "pile B"], ["Stapel A", "Stapel B"]), "two_piles"),
        ActionBlock("king_slot", ("king_slot",), both(["free slot as king"], ["freier Slot als König"]), "full_hand"),
        *[ActionBlock(code, (code,), both([en_], [de_]), f"module {doc}") for code, en_, de_, doc in _SINGLE],
        ActionBlock(
            "xp_raise",
            BASE_CODES[st.Action.XP_RAISE : st.Action.XP_LEARN],
            both(
                [f"raise {n} (experience)" for n in names], [f"{called(n, 'de')} steigern (Erfahrung)" for n in names]
            ),
            "experience: raise an attribute",
        ),
        ActionBlock(
            "xp_learn",
            ("xp_learn",),
            both(
                ["learn the skill of the next test (experience)"], ["Fertigkeit der nächsten Probe lernen (Erfahrung)"]
            ),
            "experience: learn a skill",
        ),
        ActionBlock("custom", codes, both(en, de), "actions of further modules"),
    ]
    return ActionTable(blocks, st.Action)
