"""What terminal play says, in English and German."""

from __future__ import annotations

from typing import Any

MESSAGES: dict[str, tuple[str, str]] = {
    "build": (
        "Preparing {game} (the first time on a machine, compiling takes a minute or two).",
        "{game} wird vorbereitet (beim ersten Mal auf einem Rechner dauert das Übersetzen ein, zwei Minuten).",
    ),
    "title": ("{game}, scenario {scenario}, seed {seed}", "{game}, Szenario {scenario}, Startwert {seed}"),
    "player": ("  {seat}: {agent}", "  {seat}: {agent}"),
    "you": ("  {seat}: you", "  {seat}: du"),
    "person": ("  {seat}: a person here", "  {seat}: ein Mensch hier"),
    "commands": (
        "Type a number or what the list says; `help` lists the other commands.",
        "Gib eine Nummer ein oder was in der Liste steht; `hilfe` zeigt die weiteren Befehle.",
    ),
    "help": (
        "Play by the number of an action, by its text or its code; these mean the same here: {examples}.\n"
        "Upper and lower case are the same, too. There is no undo: what you have seen you have seen.\n"
        "  help        this text\n"
        "  state       the position again\n"
        "  log         everything that you have seen so far\n"
        "  hint        what a search would do in your place\n"
        "  save FILE   write the game so far to a file\n"
        "  quit        stop; the game is saved and can be taken up again with --load",
        "Spiele mit der Nummer einer Aktion, ihrem Text oder Kürzel; hier meinen dasselbe: {examples}.\n"
        "Groß- und Kleinschreibung zählen auch nicht. Zurücknehmen geht nicht: gesehen ist gesehen.\n"
        "  hilfe            dieser Text\n"
        "  lage             noch einmal die Lage\n"
        "  verlauf          alles, was du bisher gesehen hast\n"
        "  tipp             was eine Suche an deiner Stelle täte\n"
        "  speichern DATEI  das Spiel bis hierher in eine Datei schreiben\n"
        "  ende             aufhören; das Spiel wird gespeichert und geht mit --load weiter",
    ),
    "now": ("Now: {phase}", "Jetzt: {phase}"),
    "prompt": ("{seat}> ", "{seat}> "),
    "only": ("Only one thing is possible: {action}", "Nur eines ist möglich: {action}"),
    "since": ("Meanwhile:", "Inzwischen:"),
    "hand_over": (
        "{seat} is to decide, and only {seat} should look. Press Enter. ",
        "{seat} ist dran, und nur {seat} soll hinsehen. Drücke die Eingabetaste. ",
    ),
    "log": ("What {seat} has seen:", "Was {seat} gesehen hat:"),
    "log_empty": ("Nothing has happened yet.", "Noch ist nichts geschehen."),
    "hint": ("A search would play: {action}", "Eine Suche spielte: {action}"),
    "no_hint": ("There is no hint: {reason}", "Dazu gibt es keinen Tipp: {reason}"),
    "save_where": ("Where to? Type: save FILE", "Wohin? Schreibe: speichern DATEI"),
    "saved": ("Saved: {path}", "Gespeichert: {path}"),
    "save_failed": ("It cannot be saved there: {reason}", "Dorthin lässt sich nicht speichern: {reason}"),
    "save_exists": (
        "{path} exists and is not a replay; choose another name.",
        "{path} gibt es schon, und es ist keine Aufzeichnung; wähle einen anderen Namen.",
    ),
    "quit": ("The game stops here.", "Das Spiel bleibt hier stehen."),
    "end_of_input": (
        "The input has ended; the game stops here.",
        "Die Eingabe ist zu Ende; das Spiel bleibt hier stehen.",
    ),
    "interrupted": ("Interrupted; the game stops here.", "Abgebrochen; das Spiel bleibt hier stehen."),
    "resume": (
        "Go on with: probespiel play {game} --load {path}",
        "Weiter geht es mit: probespiel play {game} --load {path}",
    ),
    "lost_game": ("The game could not be saved: {reason}", "Das Spiel ließ sich nicht speichern: {reason}"),
    "resumed": (
        "Taken up again after {n} decisions.",
        "Wieder aufgenommen nach {n} Entscheidungen.",
    ),
    "replay": ("The replay lies in {path}", "Die Aufzeichnung liegt in {path}"),
    "forfeit": (
        "{agent} ({seat}) cannot go on and gives up: {reason}",
        "{agent} ({seat}) kann nicht weiterspielen und gibt auf: {reason}",
    ),
    "over": ("The game is over.", "Das Spiel ist zu Ende."),
    "stopped": (
        "The game was stopped by its limit of decisions.",
        "Das Spiel wurde abgebrochen: es hat zu viele Entscheidungen.",
    ),
}
COMMANDS: dict[str, tuple[str, ...]] = {  # each may be typed in any language
    "help": ("help", "hilfe", "?"),
    "state": ("state", "lage"),
    "log": ("log", "verlauf"),
    "hint": ("hint", "tipp"),
    "save": ("save", "speichern"),
    "quit": ("quit", "ende", "exit", "beenden"),
}


def say(lang: str, key: str, /, **values: Any) -> str:
    """The message in a language, its places filled in."""
    return MESSAGES[key][lang == "de"].format(**values)


def command_of(text: str) -> tuple[str, str] | None:
    """(command, argument) if a typed line is a command, else None."""
    word, _, rest = text.strip().partition(" ")
    for command, words in COMMANDS.items():
        if word.casefold() in words and (command == "save" or not rest.strip()):
            return command, rest.strip()
    return None
