"""What a search for balance says, in English beside German; see `evaluation.report.phrases`."""

from __future__ import annotations

from ..report.phrases import Phrasebook

NAMES = {  # figures, as they stand within a sentence and at its beginning
    "worth": "Wert",
    "length": "Länge",
    "use": "Gebrauch",
    "draws": "Remis",
    "luck": "Glück",
    "seat": "Platz",
    "dominant": "Vorherrschaft",
}
NAMES |= {name.capitalize(): german for name, german in NAMES.items()}
RANGES = {  # what is aimed at, and parts of ranges
    "{figure:p} {ends:i}": "{figure} {ends}",
    "{figure:p} {x:n}": "{figure} {x}",
    "{figure:p} up to {x:n}": "{figure} bis {x}",
    "{figure:p} {x:n} or more": "{figure} {x} oder mehr",
    "up to {x:n}": "bis {x}",
    "{x:n} or more": "{x} oder mehr",
    "{ends:i}": "{ends}",
    "{x:n}": "{x}",
    "below {a:n} to {b:n}": "unter {a} bis {b}",
    "{a:n} to beyond {b:n}": "{a} bis über {b}",
    "below {a:n} to beyond {b:n}": "unter {a} bis über {b}",
}
SENTENCES = {
    "Nothing can be suggested yet for {targets:s}: the search was interrupted before a point was finished.": (
        "Für {targets} lässt sich noch nichts vorschlagen: Die Suche wurde abgebrochen, ehe ein Punkt fertig war."
    ),
    "Nothing can be suggested for {targets:s}: no point was measured.": (
        "Für {targets} lässt sich nichts vorschlagen: kein Punkt wurde gemessen."
    ),
    "{values} comes nearest to {targets:s}.": "{values} kommt am nächsten an {targets}.",
    "{values} meets the target: {targets:s}.": "{values} erfüllt das Ziel: {targets}.",
    "{values} meets all targets: {targets:s}.": "{values} erfüllt alle Ziele: {targets}.",
    "{values} comes nearest to {targets:s}, and may meet it.": (
        "{values} kommt am nächsten an {targets} und erfüllt es vielleicht."
    ),
    "{values} comes nearest to {targets:s}, and may meet all.": (
        "{values} kommt am nächsten an {targets} und erfüllt vielleicht alle."
    ),
    "No value that was tried meets {targets:s}; {values} comes nearest.": (
        "Kein Wert, der versucht wurde, erfüllt {targets}; {values} kommt am nächsten."
    ),
    "met": "erfüllt",
    "perhaps": "vielleicht",
    "not met": "nicht erfüllt",
    "perhaps met: the interval reaches beyond the target": (
        "vielleicht erfüllt: das Intervall reicht über das Ziel hinaus"
    ),
    "{figure:p} {x:n}{unit:u} ({ends:i})": "{figure} {x}{unit} ({ends})",
    "{figure:p} {x:n}{unit:u}": "{figure} {x}{unit}",
    "{figure:p} {x:n}{unit:u} ({ends:i}); target {aim:o}: {state:p}": (
        "{figure} {x}{unit} ({ends}); Ziel {aim}: {state}"
    ),
    "{figure:p} {x:n}{unit:u}; target {aim:o}: {state:p}": "{figure} {x}{unit}; Ziel {aim}: {state}",
    "{figure:p} is {aim:n}{unit:u} at {param} = {x:n} (exact).": "{figure} ist {aim}{unit} bei {param} = {x} (exakt).",
    "{figure:p} is {aim:n}{unit:u} at {param} = {x:n}.": "{figure} ist {aim}{unit} bei {param} = {x}.",
    "{figure:p} is {aim:n}{unit:u} at {param} = {x:n} ({span:o}).": (
        "{figure} ist {aim}{unit} bei {param} = {x} ({span})."
    ),
    "{figure:p} may be {aim:n}{unit:u} for {param} {span:o}, but the course that was measured does not pass it.": (
        "{figure} kann für {param} {span} {aim}{unit} sein, doch der gemessene Verlauf geht nicht hindurch."
    ),
    "{figure:p} passes {aim:n}{unit:u} between {param} = {a:n} and {b:n} (exact), on a straight line at {c:n}.": (
        "{figure} geht zwischen {param} = {a} und {b} durch {aim}{unit} (exakt), auf gerader Linie bei {c}."
    ),
    "{figure:p} is never what is aimed at: it stays at {a:n}.": "{figure} ist nie, was sein soll: es bleibt bei {a}.",
    "{figure:p} is never what is aimed at: it goes from {a:n} to {b:n}.": (
        "{figure} ist nie, was sein soll: es geht von {a} bis {b}."
    ),
    "{figure:p} is what is aimed at everywhere: it stays at {a:n}.": (
        "{figure} ist überall, was sein soll: es bleibt bei {a}."
    ),
    "{figure:p} is what is aimed at everywhere: it goes from {a:n} to {b:n}.": (
        "{figure} ist überall, was sein soll: es geht von {a} bis {b}."
    ),
    "{figure:p} rises and falls along {param}: look at the picture.": (
        "{figure} steigt und fällt entlang {param}: siehe das Bild."
    ),
    "The target is met for {param} {spans:s}.": "Das Ziel ist erfüllt für {param} {spans}.",
    "The target is met for {param} {spans:s}, surely for {sure:s}.": (
        "Das Ziel ist erfüllt für {param} {spans}, sicher für {sure}."
    ),
    "All targets are met for {param} {spans:s}.": "Alle Ziele sind erfüllt für {param} {spans}.",
    "All targets are met for {param} {spans:s}, surely for {sure:s}.": (
        "Alle Ziele sind erfüllt für {param} {spans}, sicher für {sure}."
    ),
    "The target is met for no value of {param}, but would be between {a:n} and {b:n}.": (
        "Das Ziel ist für keinen Wert von {param} erfüllt, wäre es aber zwischen {a} und {b}."
    ),
    "All targets are met for no value of {param}, but would be between {a:n} and {b:n}.": (
        "Für keinen Wert von {param} sind alle Ziele erfüllt, wären es aber zwischen {a} und {b}."
    ),
    "The target is met for no value of {param}.": "Das Ziel ist für keinen Wert von {param} erfüllt.",
    "All targets are met for no value of {param}.": "Für keinen Wert von {param} sind alle Ziele erfüllt.",
    "{param} = {value} is the least that was tried; the module allows {x:n} and more: try less.": (
        "{param} = {value} ist der kleinste versuchte Wert; das Modul erlaubt {x} und mehr: weniger versuchen."
    ),
    "{param} = {value} is the most that was tried; the module allows up to {x:n}: try more.": (
        "{param} = {value} ist der größte versuchte Wert; das Modul erlaubt bis zu {x}: mehr versuchen."
    ),
    "With 0 for {names:l} the rule may do nothing at all: {values:r} meets the targets, too.": (
        "Mit 0 für {names} tut die Regel vielleicht gar nichts: {values} erfüllt die Ziele auch."
    ),
    "With {param} = 0 the rule may do nothing at all: {x:n} is the most of it that meets what is aimed at.": (
        "Mit {param} = 0 tut die Regel vielleicht gar nichts: {x} ist das meiste davon, das erfüllt, was sein soll."
    ),
    "With {param} = 0 the rule may do nothing at all, and with more it is not what is aimed at: rather than another "
    "size it needs a price, or something in return.": (
        "Mit {param} = 0 tut die Regel vielleicht gar nichts, und mit mehr ist sie nicht, was sein soll: Statt einer "
        "anderen Größe braucht sie einen Preis oder etwas dafür."
    ),
    "With {param} = 0 the rule may do nothing at all, and by what was measured it is with more not what is aimed at: "
    "rather than another size it needs a price, or something in return.": (
        "Mit {param} = 0 tut die Regel vielleicht gar nichts, und nach dem, was gemessen ist, ist sie mit mehr nicht, "
        "was sein soll: Statt einer anderen Größe braucht sie einen Preis oder etwas dafür."
    ),
    "With {param} = 0 the rule may do nothing at all: {x:n} is as much as was tried, and meets what is aimed at.": (
        "Mit {param} = 0 tut die Regel vielleicht gar nichts: {x} ist das meiste, das versucht wurde, und erfüllt, was "
        "sein soll."
    ),
    "With {param} = 0 the rule may do nothing at all: {x:n} is as much as was tried, and may meet what is aimed at; up "
    "to {y:n} it surely does.": (
        "Mit {param} = 0 tut die Regel vielleicht gar nichts: {x} ist das meiste, das versucht wurde, und erfüllt "
        "vielleicht, was sein soll; bis {y} sicher."
    ),
    "With {param} = 0 the rule may do nothing at all: {x:n} is the most of it that may meet what is aimed at; up to "
    "{y:n} it surely does.": (
        "Mit {param} = 0 tut die Regel vielleicht gar nichts: {x} ist das meiste davon, das vielleicht erfüllt, was "
        "sein soll; bis {y} sicher."
    ),
    "{names:s} is estimated from learned play: the intervals leave out what all learners miss.": (
        "{names} ist aus gelerntem Spiel geschätzt: die Intervalle lassen aus, was alle Lernenden übersehen."
    ),
    "{names:s} are estimated from learned play: the intervals leave out what all learners miss.": (
        "{names} sind aus gelerntem Spiel geschätzt: die Intervalle lassen aus, was alle Lernenden übersehen."
    ),
    "A stress test of the suggestion (--report) bounds that by best answers.": (
        "Ein Test des Vorschlags (--report) begrenzt das durch beste Antworten."
    ),
    "One step away:": "Einen Schritt daneben:",
    "Nowhere nearer to one target without being further from another: {n:n} points": (
        "Nirgends näher an einem Ziel, ohne weiter von einem anderen zu sein: {n} Punkte"
    ),
    "Without figures: {a:n} of {b:n} points": "Ohne Zahlen: {a} von {b} Punkten",
    "Known so far of {a:n} points:": "Bisher von {a} Punkten bekannt:",
    "Known so far of one point:": "Bisher von einem Punkt bekannt:",
    "  and {a:n} more in the report": "  und {a} weitere im Bericht",
    "Next: {command:r}": "Weiter: {command}",
}
PAGE = {
    "Balance of {module} in {game}": "Balance von {module} in {game}",
    "balance report": "Bericht zur Balance",
    "nothing to suggest": "kein Vorschlag",
    "exact": "exakt",
    "; aimed at:": "; Ziel:",
    "aimed at:": "Ziel:",
    ", on the front": ", am Rand des Möglichen",
    "of the budget": "des Budgets",
    "values": "Werte",
    "targets": "Ziele",
    "game": "Spiel",
    "scenario": "Szenario",
    "budget": "Budget",
    "options": "Optionen",
    "everybody has": "alle haben",
    "seed": "Startwert",
    "points": "Punkte",
    "Along {param}": "Entlang {param}",
    "All other parameters as suggested; the line is a Gaussian process through all points.": (
        "Alle anderen Parameter wie vorgeschlagen; die Linie ist ein Gauß-Prozess durch alle Punkte."
    ),
    "All other parameters as suggested; the line goes through the points that were solved on it.": (
        "Alle anderen Parameter wie vorgeschlagen; die Linie geht durch die Punkte, die auf ihr gelöst wurden."
    ),
    "A game as it is played with it, by a command in the folder of this page:": (
        "Ein Spiel, wie man es damit spielt, durch einen Befehl im Ordner dieser Seite:"
    ),
    "Its figures were solved, not played; the stress test plays games with it, and names commands that show them:": (
        "Seine Größen wurden gelöst, nicht gespielt; der Belastungstest spielt damit und nennt Befehle, die Spiele "
        "zeigen:"
    ),
    "One step away": "Einen Schritt daneben",
    "Targets against each other": "Ziele gegeneinander",
    "Filled: no other point is nearer to one target and no further from any other.": (
        "Gefüllt: kein anderer Punkt ist näher an einem Ziel und von keinem anderen weiter entfernt."
    ),
    "All points": "Alle Punkte",
    "Intervals are 95 % intervals.": "Intervalle sind 95-%-Intervalle.",
    "Deals are the same at all points.": "Die Gaben sind an allen Punkten dieselben.",
    "The last column is the share of the budget's games that a point was measured with.": (
        "Die letzte Spalte ist der Anteil der Spiele des Budgets, mit dem ein Punkt gemessen wurde."
    ),
    "{a:n} to {b:n}, {n:n} values": "{a} bis {b}, {n} Werte",
    "{a:n} to {b:n}, {n:n} values; the module allows {c:n} to {d:n}": (
        "{a} bis {b}, {n} Werte; das Modul erlaubt {c} bis {d}"
    ),
    "{figure:p} along {param}, with 95 % band and target": "{figure} entlang {param}, mit 95-%-Band und Ziel",
    "{a:o} and {b:o} of every point, with 95 % intervals": "{a} und {b} jedes Punktes, mit 95-%-Intervallen",
    "Rule set": "Regeln",
    "Formulas and sources: docs/metrics.md.": "Formeln und Quellen: docs/metrics.md.",
    "what a side gains by having the module alone": "was eine Seite gewinnt, die das Modul allein hat",
    "decisions of a game when all have it": "Entscheidungen eines Spiels, wenn alle es haben",
    "share of the chances in which it is used": "Anteil der Gelegenheiten, in denen es genutzt wird",
    "share of drawn games when all have it": "Anteil der Remis, wenn alle es haben",
    "share of the results that the deal decides when all have it": (
        "Anteil der Ergebnisse, den die Gabe entscheidet, wenn alle es haben"
    ),
    "what sitting first is worth when all have it": "was es wert ist, zuerst zu sitzen, wenn alle es haben",
    "share of resamples in which one strategy is best against all worth playing": (
        "Anteil der Stichproben, in denen eine Strategie die beste gegen alle ist, die zu spielen sich lohnt"
    ),
}
GERMAN = (NAMES, RANGES, SENTENCES, PAGE)
ENGLISH = Phrasebook()


def words(lang: str) -> Phrasebook:
    """The texts of a search for balance in a language, `en` or `de`."""
    return ENGLISH if lang == "en" else Phrasebook(lang, GERMAN)


__all__ = ["GERMAN", "words"]
