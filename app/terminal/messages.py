"""What terminal play says, in English and German."""

from __future__ import annotations

from typing import Any

MESSAGES: dict[str, tuple[str, str]] = {
    "title": ("{game}{scenario}, seed {seed}", "{game}{scenario}, Startwert {seed}"),
    "scenario": (", scenario {name}", ", Szenario {name}"),
    "scene": ("{name}: {about}", "{name}: {about}"),
    "changed": ("Set otherwise than there: {options}", "Anders eingestellt als dort: {options}"),
    "modules": ("With the modules: {names}", "Mit den Modulen: {names}"),
    "module": ("  {name}: {does}", "  {name}: {does}"),
    "player": ("  {seat}: {agent}", "  {seat}: {agent}"),
    "you": ("  {seat}: you", "  {seat}: du"),
    "person": ("  {seat}: a person here", "  {seat}: ein Mensch hier"),
    "commands": (
        "Type a number or what the list says; `help` lists the other commands.",
        "Gib eine Nummer ein oder was in der Liste steht; `hilfe` nennt mehr Befehle.",
    ),
    "help": (
        "Play by the number of an action, by its text or its code.\n"
        "These mean the same here: {examples}\n"
        "Upper and lower case are the same, too. The number of a group ({dots}) opens it,\n"
        "Enter closes it again.\n"
        "  help, h, ?  this text\n"
        "  state       the position again\n"
        "  log         everything that you have seen so far\n"
        "  hint        three actions that a search finds best, with their values\n"
        "  bar         before each decision what it is worth to you; once more: no longer\n"
        "  undo        take back your last decision, and all that came of it\n"
        "  rules       the rules of this game, its options and modules\n"
        "  explain X   what a term or an abbreviation means\n"
        "  save FILE   write the game so far to a file\n"
        "  quit, q     stop; all is kept, and `probespiel resume` goes on",
        "Spiele mit der Nummer einer Aktion, ihrem Text oder Kürzel.\n"
        "Hier meinen dasselbe: {examples}\n"
        "Groß- und Kleinschreibung zählen auch nicht. Die Nummer einer Gruppe ({dots})\n"
        "öffnet sie, die Eingabetaste schließt sie wieder.\n"
        "  hilfe, h, ?      dieser Text\n"
        "  lage             noch einmal die Lage\n"
        "  verlauf          alles, was du bisher gesehen hast\n"
        "  tipp             drei Aktionen, die eine Suche am besten findet, mit Werten\n"
        "  balken           vor jeder Entscheidung, was sie dir wert ist; schaltet um\n"
        "  zurück           die letzte Entscheidung mit ihren Folgen zurücknehmen\n"
        "  regeln           die Regeln dieses Spiels mit Optionen und Modulen\n"
        "  erkläre X        was ein Begriff oder eine Abkürzung bedeutet\n"
        "  speichern DATEI  das Spiel bis hierher in eine Datei schreiben\n"
        "  ende, q          aufhören; alles ist aufgehoben: `probespiel resume`",
    ),
    "pick_of": (
        "A number from 1 to {n}, please; `explain X` explains a term, `q` leaves.",
        "Bitte eine Zahl von 1 bis {n}; `erkläre X` erklärt einen Begriff, `q` hört auf.",
    ),
    "run_goes_on": ("The run goes on where it stopped.", "Der Lauf geht weiter, wo er stand."),
    "run_kept": (
        "The run is kept: `probespiel solo run {system}` goes on.",
        "Der Lauf ist aufgehoben: `probespiel solo run {system}` geht weiter.",
    ),
    "now": ("Now: {phase}", "Jetzt: {phase}"),
    "prompt": ("{seat}> ", "{seat}> "),
    "only": ("Only one thing is possible ({phase}): {action}", "Nur eines ist möglich ({phase}): {action}"),
    "since": ("Meanwhile:", "Inzwischen:"),
    "hand_over": (
        "{seat} is to decide; nobody else should look. Press Enter. ",
        "Jetzt dran: {seat}; sonst soll niemand hinsehen. Drücke die Eingabetaste. ",
    ),
    "log": ("What {seat} has seen:", "Bisher gesehen ({seat}):"),
    "log_empty": ("Nothing has happened yet.", "Noch ist nichts geschehen."),
    "hint": (
        "A search of {n} simulations would play the first; behind it by value\n(expected payoff, 95 % interval):",
        "Eine Suche von {n} Simulationen würde das Erste spielen; dahinter nach Wert\n"
        "(erwartete Auszahlung, 95-%-Intervall):",
    ),
    "hint_mixed": (
        "A search of {n} simulations would draw one of these, the likeliest first\n(expected payoff, 95 % interval):",
        "Eine Suche von {n} Simulationen zöge eines davon, das Häufigste zuerst\n"
        "(erwartete Auszahlung, 95-%-Intervall):",
    ),
    "hint_exact": (
        "Best, solved to the end (expected payoff if nobody errs from here on):",
        "Am besten, zu Ende gelöst (erwartete Auszahlung, wenn niemand mehr irrt):",
    ),
    "hint_drawn": (
        "Solved to the end; who errs in nothing draws one of the best by chance\n(expected payoff if nobody errs from "
        "here on):",
        "Zu Ende gelöst; wer in nichts irrt, lost unter den besten aus\n(erwartete Auszahlung, wenn niemand mehr "
        "irrt):",
    ),
    "hint_foreseen": (
        "Best against an equilibrium, by exact odds and the best found behind each\n(expected payoff):",
        "Am besten gegen ein Gleichgewicht, nach genauen Chancen und dem Besten, was\ndahinter gefunden wurde "
        "(erwartete Auszahlung):",
    ),
    "hint_line": ("  {number}. {action}   {value}", "  {number}. {action}   {value}"),
    "idle": (
        "Nothing anybody chooses matters here any more: until it does, chance chooses for {seat}.",
        "Hier zählt nichts mehr, was jemand wählt: bis es wieder zählt, wird gelost ({seat}).",
    ),
    "hint_forced": ("Only one thing is possible: {action}", "Nur eines ist möglich: {action}"),
    "no_hint": ("There is no hint: {reason}", "Dazu gibt es keinen Tipp: {reason}"),
    "bar": (
        "What it is worth to you: {value} (expected payoff)",
        "Was es dir wert ist: {value} (erwartete Auszahlung)",
    ),
    "bar_on": (
        "The value bar is shown before each decision; `bar` switches it off.",
        "Der Wertbalken steht vor jeder Entscheidung; `balken` schaltet ihn ab.",
    ),
    "bar_off": ("The value bar is off.", "Der Wertbalken ist aus."),
    "hint_rated": ("This game is rated: there is no hint.", "Das Spiel wird gewertet: es gibt keinen Tipp."),
    "bar_rated": ("This game is rated: there is no value bar.", "Das Spiel wird gewertet: es gibt keinen Wertbalken."),
    "bar_none": (
        "There is no value bar any more: {reason}",
        "Es gibt keinen Wertbalken mehr: {reason}",
    ),
    "bar_broken": ("Broken off: the value bar is off.", "Abgebrochen: der Wertbalken ist aus."),
    "save_where": ("Where to? Type: save FILE", "Wohin? Schreibe: speichern DATEI"),
    "saved": ("Saved: {path}", "Gespeichert: {path}"),
    "kept": ("Every decision is kept in {path}", "Jede Entscheidung ist aufgehoben in {path}"),
    "not_kept": (
        "This game cannot be kept on the disk, `save FILE` writes it somewhere else: {reason}",
        "Das Spiel lässt sich nicht aufheben, `speichern DATEI` schreibt es woandershin: {reason}",
    ),
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
    "terminated": (
        "The program was ended; the game stops here.",
        "Das Programm wurde beendet; das Spiel bleibt stehen.",
    ),
    "resume": ("Go on with: probespiel resume", "Weiter geht es mit: probespiel resume"),
    "thinking": ("{agent} ({seat}) is thinking ...", "{agent} ({seat}) denkt nach ..."),
    "undone": ("Taken back.", "Zurückgenommen."),
    "no_undo": ("There is nothing to take back.", "Es gibt nichts zurückzunehmen."),
    "known": (
        "It counts for no rating: its seed was known before.",
        "Es zählt für keine Wertung: sein Startwert war vorher bekannt.",
    ),
    "rated": ("This game is rated: nothing can be taken back.", "Das Spiel wird gewertet: zurück geht es nicht."),
    "pick": (
        "Name as many as you like, in any order (once more takes one back); {done} ends it:",
        "Nenne beliebig viele in beliebiger Folge (noch einmal nimmt zurück); {done} beendet es:",
    ),
    "as_before": (
        "(all else as before; `state` shows everything)",
        "(alles andere wie zuvor; `lage` zeigt alles)",
    ),
    "pick_none": (
        "At least one must be named before {done}.",
        "Vor {done} ist mindestens eines zu nennen.",
    ),
    "pick_not": (
        "These cannot go together, or are not enough; name others.",
        "Diese gehen nicht zusammen oder reichen nicht; nenne andere.",
    ),
    "picked": ("Named so far: {names}", "Bisher genannt: {names}"),
    "nobody": ("nobody", "niemand"),
    "group": ("{label} ... ({n})", "{label} ... ({n})"),
    "aim": ("What it is about: {aim}", "Worum es geht: {aim}"),
    "resumed": ("Taken up again after {n}.", "Wieder aufgenommen nach {n}."),
    "listed": ("{n} decisions", "{n} Entscheidungen"),
    "listed_one": ("1 decision", "1 Entscheidung"),
    "none_left": (
        "no game can go on: `probespiel play GAME` begins one",
        "kein Spiel kann weitergehen: `probespiel play SPIEL` beginnt eines",
    ),
    "broken_off": ("Broken off: there is no hint.", "Abgebrochen: es gibt keinen Tipp."),
    "replay": (
        "The replay lies in {path}\n`probespiel replay` with that file goes through it step by step; `analysis`\n"
        "there tells what decisions lost, and luck from skill.",
        "Die Aufzeichnung liegt in {path}\n`probespiel replay` mit dieser Datei geht sie Schritt für Schritt durch;\n"
        "dort sagt `analyse`, was Entscheidungen verloren, und was Glück und Können war.",
    ),
    "forfeit": (
        "{agent} ({seat}) cannot go on and gives up: {reason}",
        "{agent} ({seat}) kann nicht weiterspielen und gibt auf: {reason}",
    ),
    "trouble": ("{line} Details: {path}", "{line} Näheres: {path}"),
    "explain_what": ("Explain what? `explain TERM`", "Was denn? `erkläre BEGRIFF`"),
    "over": ("The game is over.", "Das Spiel ist zu Ende."),
    "over_won": ("The game is over: you win.", "Das Spiel ist zu Ende: du gewinnst."),
    "over_shared": (
        "The game is over: you share the first place.",
        "Das Spiel ist zu Ende: du teilst dir den ersten Platz.",
    ),
    "over_lost": ("The game is over: you lose.", "Das Spiel ist zu Ende: du verlierst."),
    "over_drawn": ("The game is over: a draw.", "Das Spiel ist zu Ende: unentschieden."),
    "stopped": (
        "The game was stopped by its limit of decisions.",
        "Das Spiel wurde abgebrochen: es hat zu viele Entscheidungen.",
    ),
}
COMMANDS: dict[str, tuple[str, ...]] = {  # each may be typed in any language
    "help": ("help", "hilfe", "?", "h"),
    "state": ("state", "lage"),
    "log": ("log", "verlauf"),
    "hint": ("hint", "tipp", "hinweis"),
    "bar": ("bar", "balken"),
    "save": ("save", "speichern"),
    "quit": ("quit", "ende", "exit", "beenden", "q"),
    "undo": ("undo", "zurück", "zurueck", "rückgängig", "rueckgaengig"),
    "rules": ("rules", "regeln"),
    "explain": ("explain", "erkläre", "erklaere"),
}


_WITH_ARGUMENT = ("save", "explain")


def say(lang: str, key: str, /, **values: Any) -> str:
    """The message in a language, its places filled in."""
    return MESSAGES[key][lang == "de"].format(**values)


def command_of(text: str) -> tuple[str, str] | None:
    """(command, argument) if a typed line is a command, else None."""
    word, _, rest = text.strip().partition(" ")
    for command, words in COMMANDS.items():
        if word.casefold() in words and (command in _WITH_ARGUMENT or not rest.strip()):
            return command, rest.strip()
        if word.casefold() in words and command == "rules":  # of one thing: `rules trump`
            return "explain", rest.strip()
    return None
