"""What a reader calls the seats, sides and attributes of the built-in scenarios; others keep their names."""

from __future__ import annotations

GERMAN = {
    "Tree": "Baum", "Rock": "Fels", "Climber": "Kletterer", "Princess": "Prinzessin", "Captain": "Kapitän",
    "Storm": "Sturm", "Hero": "Held", "GM": "Spielleitung", "BoyLeader": "Rädelsführer",
    **{f"Boy{number}": f"Junge{number}" for number in range(1, 6)},
    "PC": "Helden", "village": "Dorf",
    "strength": "Stärke", "dexterity": "Geschick", "wisdom": "Weisheit", "charisma": "Charisma",
}  # fmt: skip

ENGLISH = {"PC": "heroes"}  # one word where the table has an abbreviation


def called(name: str, lang: str) -> str:
    """A seat, a side or an attribute as a reader of the language calls it."""
    return (GERMAN if lang == "de" else ENGLISH).get(name, name)


def words(name: str) -> tuple[str, str] | None:
    """The name in English and German; None where they are the same."""
    return (ENGLISH.get(name, name), GERMAN[name]) if name in GERMAN else None


__all__ = ["called", "words"]
