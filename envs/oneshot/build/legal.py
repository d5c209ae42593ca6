"""Legal builds: attribute triples, perk sets, splits, loadouts, and how many there are (4.6, 7.4)."""

from __future__ import annotations

from itertools import combinations

from ..character.kit import PERKS, Kit


def triples(points: int, cap: int) -> list[tuple[int, int, int]]:
    """Attribute triples with this sum, none above the cap, ascending lexicographic."""
    some = range(cap + 1)
    return [(b, m, points - b - m) for b in some for m in some if 0 <= points - b - m <= cap]


def gifted(points: int, cap: int = 3) -> list[tuple[tuple[int, int, int], int]]:
    """R131: triples that contain a 3, raised, with the index of the gift."""
    out = []
    for t in triples(points, cap):
        for i in range(3):
            if t[i] == 3:
                out.append((tuple(v + 1 if k == i else v - 1 for k, v in enumerate(t)), i))
    return out  # type: ignore[return-value]


def ways(points: int) -> int:
    """Ways to distribute points on three values; one way for none."""
    return (points + 1) * (points + 2) // 2 if points > 0 else 1


def count_builds(points: int, with_gift: bool, cap: int = 3, cost: int = 0) -> int:
    """7.4: attributes with all secondary splits; `cost`: skill points that perks take away."""
    found = [t for t, _ in gifted(points, cap)] if with_gift else triples(points, cap)
    return sum(ways(b) ** 2 * ways(c) for b, m, c in found if 5 + 5 * m - cost >= 0)


def perk_sets(most: int, will_to_live: bool = True) -> list[tuple[str, ...]]:
    """4.6: subsets of at most `most` perks by size, then by the order of the perks."""
    sets = [c for size in range(most + 1) for c in combinations(PERKS, size)]
    return [c for c in sets if will_to_live or "will_to_live" not in c]


def count_loadouts(budget: int | None, kit: Kit) -> int:
    """Weapon, armour and at most one of heal_draught and fire_flask within a budget."""
    items = (0, kit.items["heal_draught"]["price"], kit.items["fire_flask"]["price"])
    prices = [w["price"] + a["price"] + i for w in kit.weapons.values() for a in kit.armours.values() for i in items]
    return sum(budget is None or price <= budget for price in prices)


def count_build_game(budget: int | None, most: int, will_to_live: bool, kit: Kit) -> list[int]:
    """4.6: perk sets x attributes x splits, and that times skill plans, loadouts and tactics."""
    total = 0
    for perks in perk_sets(most, will_to_live):
        cost = 3 * ("armour_training" in perks) + 3 * ("finesse" in perks)
        total += count_builds(5 - ("luck" in perks), "special_gift" in perks, 3, cost)
    return [total, total * 4 * count_loadouts(budget, kit) * 2]
