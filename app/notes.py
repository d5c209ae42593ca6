"""What commands say beside their results, on the way: in English and in German."""

from __future__ import annotations

NOTES = {
    "en": {
        "build": "Preparing {game}: compiled once on this machine, in a minute or two.",
        "building": "  {seconds} s, {n} functions compiled",
        "rules": "Preparing {game}, scenario {where}, with {module} (compiling new rules takes about a minute).",
        "interrupted": "Interrupted; go on with --resume.",
        "stays": "Interrupted; the report of before stays, as it tells more. Go on with --resume.",
        "stopping": "Ending after this update; once more to stop at once.",
        "suggested": "Testing what is suggested.",
        "counted": "To be the same whoever does it, the work is counted: --steps {steps} --games {games}, about what "
        "gets done in {seconds:g} s.",
        "alone": "By itself, then {every} combinations:",
        "beside": "With {name} ({number} of {every}):",
        "card": "Card: {path}",
        "web": "The game is at {address} and opens in your browser. Ctrl-C ends this; every decision is kept.",
        "kept": "It keeps what was found before, which is more: {told}",
    },
    "de": {
        "build": "{game} wird einmal übersetzt: das dauert ein, zwei Minuten.",
        "building": "  {seconds} s, {n} Funktionen übersetzt",
        "rules": "{game}, Szenario {where}, wird mit {module} vorbereitet (neue Regeln zu übersetzen dauert etwa eine "
        "Minute).",
        "interrupted": "Unterbrochen; weiter mit --resume.",
        "stays": "Unterbrochen; der frühere Bericht bleibt, denn er sagt mehr. Weiter mit --resume.",
        "stopping": "Ende nach diesem Schritt; noch einmal für sofort.",
        "suggested": "Was vorgeschlagen ist, wird geprüft.",
        "counted": "Damit es dasselbe ist, wer es auch tut, wird die Arbeit gezählt: --steps {steps} --games {games}, "
        "etwa was in {seconds:g} s getan wird.",
        "alone": "Für sich, dann {every} Verbindungen:",
        "beside": "Mit {name} ({number} von {every}):",
        "card": "Karte: {path}",
        "web": "Das Spiel ist unter {address} und öffnet sich im Browser. Strg-C beendet dies; jede Entscheidung "
        "bleibt erhalten.",
        "kept": "Dort bleibt, was früher gefunden wurde, denn es ist mehr: {told}",
    },
}


def broken_off(lang: str, stays: bool) -> str:
    """The note after Ctrl-C; `stays`: the report in the folder is that of an earlier time, which tells more."""
    return noted(lang, "stays" if stays else "interrupted")


def noted(lang: str, key: str, **values: object) -> str:
    """A note in a language, `en` or `de`."""
    return NOTES[lang][key].format(**values)


__all__ = ["NOTES", "broken_off", "noted"]
