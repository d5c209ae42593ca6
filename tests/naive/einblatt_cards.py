"""Cards, classes, hand sizes and results of einBlatt (R1-R7, R31, R70), plain functions for the oracle."""

from collections.abc import Iterable, Mapping, Sequence

SUITS = "CSDH"
RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
DECK = range(32)

PASS_CLASS = 0
NO_CARD_CLASS = -1

OUTCOMES = {
    -3: "perfect_loss",
    -2: "clear_loss",
    -1: "narrow_loss",
    0: "draw",
    1: "narrow_win",
    2: "clear_win",
    3: "perfect_win",
}

# R15: what may not be played in tests of an attribute with this feature
FORBIDDEN_SUITS = {None: "", "red": "DH", "black": "CS"}


def card_id(code: str) -> int:
    """Card id = 8 * suit + rank index, from a text like `C10`."""
    return 8 * SUITS.index(code[0]) + RANKS.index(code[1:])


def card_code(card: int) -> str:
    """Suit letter and rank, the inverse of `card_id`."""
    return suit_of(card) + RANKS[card % 8]


def suit_of(card: int) -> str:
    """Suit letter of a card (R1)."""
    return SUITS[card // 8]


def card_class(card: int, suits: Iterable[str], colours_count: bool = True) -> int:
    """Strength of a card among 16 classes (R4, R5); where colours do not count, the rank alone (R3)."""
    trump = colours_count and suit_of(card) in suits
    return card % 8 + (8 if trump else 0)


def compare(own_class: int, other_class: int) -> int:
    """+1 if the first play is of the higher class, -1 if of the lower one, 0 on a tie (R4, R41, R56)."""
    if own_class > other_class:
        return 1
    if own_class < other_class:
        return -1
    return 0


def ranking(classes: Mapping[str, int]) -> list[list[str]]:
    """Several plays compared at once, best group first, ties staying ties (R6)."""
    values = sorted(set(classes.values()), reverse=True)
    return [[name for name in classes if classes[name] == value] for value in values]


def chance_draw(cards: Mapping[str, int]) -> list[list[str]]:
    """One card a side, compared by rank alone (R7)."""
    return ranking({name: card_class(card, "", colours_count=False) for name, card in cards.items()})


def hand_size(attribute: int, relation: str, malus: int = 0) -> int:
    """Number of cards that a pc draws for a test (R31, R32)."""
    if attribute <= 0:
        return 0
    if relation == "none":
        cards = attribute // 2
    elif relation == "other":
        cards = attribute - 2
    elif relation == "own":
        cards = attribute
    else:
        raise ValueError(f"relation {relation!r}: own, other or none")
    return max(1, cards - malus)


def playable(hand: Iterable[int], forbidden: str | None) -> list[int]:
    """The cards of a hand that may be played under an attribute feature, in id order (R15)."""
    return sorted(card for card in hand if suit_of(card) not in FORBIDDEN_SUITS[forbidden])


def clipped(ep: int) -> int:
    """EP as the result table reads them (R71)."""
    return max(-3, min(3, ep))


def outcome(ep: int) -> str:
    """Name of the result's class (R70)."""
    return OUTCOMES[clipped(ep)]


def payoffs(kind: str, ep: Sequence[int], teams: Sequence[str], class_weights: Sequence[float]) -> list[float]:
    """What a conflict is worth to each seat under the `payoff` option (R62)."""
    if kind == "ep":
        return list(ep)
    if kind == "ep_clipped":
        return [clipped(own) for own in ep]
    if kind == "class":
        return [class_weights[clipped(own) + 3] for own in ep]
    if kind == "win":
        return [compare(own, 0) for own in ep]
    of_team = [[ep[other] for other in range(len(ep)) if teams[other] == team] for team in teams]
    if kind == "team_sum":
        return [sum(members) for members in of_team]
    if kind == "team_max":
        return [max(members) for members in of_team]
    raise ValueError(f"payoff {kind!r}")
