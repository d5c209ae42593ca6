"""What the pages say, in English and German; texts of the rules come from the systems themselves."""

from __future__ import annotations

from typing import Any

from ..session.record import ABOUT_RATINGS, TOGETHER

WORDS: dict[str, tuple[str, str]] = {
    # every page
    "skip": ("Skip to the content", "Zum Inhalt springen"),
    "language": ("Language", "Sprache"),
    "home": ("All games", "Alle Spiele"),
    "rules": ("Rules", "Regeln"),
    "lesson": ("Lesson", "Lektion"),
    "lesson_begin": ("Learn it by a short game with comments", "In einem kurzen Spiel mit Kommentaren lernen"),
    "lesson_at": ("{n} of {most}", "{n} von {most}"),
    "lesson_right": ("Just so: {action}.", "Genau: {action}."),
    "lesson_other": (
        "{chosen}: that is allowed, too. Taught here is {action}.",
        "{chosen}: auch das ist erlaubt. Gelehrt wird hier {action}.",
    ),
    "lesson_on": ("The lesson goes on with it.", "Damit geht es weiter."),
    "lesson_play": ("Play on your own", "Selbst spielen"),
    "lesson_again": ("Once more from the beginning", "Noch einmal von vorn"),
    "lesson_back": ("One step back", "Einen Schritt zurück"),
    "back": ("Back", "Zurück"),
    "terms": ("Terms on this page", "Begriffe auf dieser Seite"),
    "foot": (
        "This page talks to no other machine. Games are kept on the computer on which probespiel runs.",
        "Diese Seite spricht mit keinem anderen Rechner. Spiele liegen auf dem Computer, auf dem probespiel läuft.",
    ),
    # the lobby
    "lobby": ("Play", "Spielen"),
    "under_way": ("Games under way", "Angefangene Spiele"),
    "finished": ("Finished games", "Beendete Spiele"),
    "new": ("A new game", "Ein neues Spiel"),
    "go_on": ("Go on", "Weiterspielen"),
    "look": ("Result", "Ergebnis"),
    "forget": ("Remove", "Entfernen"),
    "n_decisions": ("{n} decisions", "{n} Entscheidungen"),
    "one_decision": ("1 decision", "1 Entscheidung"),
    "choose_game": ("Choose a game", "Wähle ein Spiel"),
    "start_with": ("Set up {game}", "{game} einrichten"),
    "scenario": ("Scenario", "Szenario"),
    "seat": ("Your seat", "Dein Platz"),
    "opponent": ("Opponent", "Gegner"),
    "companions": ("Your companions", "Deine Gefährten"),
    "partner": ("Who plays the other seats of your side", "Wer die anderen Plätze deiner Seite spielt"),
    "as_opponent": ("as the opponent", "wie der Gegner"),
    "seconds": ("Time to think for a decision (seconds)", "Bedenkzeit je Entscheidung (Sekunden)"),
    "default_opponent": ("as the game suggests", "wie das Spiel vorschlägt"),
    "search": ("a search", "eine Suche"),
    "level": ("level {n} of {most}", "Stufe {n} von {most}"),
    "people": ("People at this screen or another (hotseat)", "Menschen an diesem oder einem anderen Bildschirm"),
    "modules": ("Rule modules", "Regelmodule"),
    "options": ("Options of the rules, one per line: name=value", "Optionen der Regeln, eine je Zeile: name=wert"),
    "seed": (
        "Seed (empty: by chance; one of your own counts for no rating)",
        "Startwert (leer: zufällig; ein eigener zählt für keine Wertung)",
    ),
    "rated_seed": (
        "A rated game has no seed of your own, by which its chance could be known: leave the seed empty, or the game "
        "unrated.",
        "Ein gewertetes Spiel hat keinen eigenen Startwert, an dem sein Zufall vorher zu kennen wäre: lass den "
        "Startwert leer oder das Spiel ungewertet.",
    ),
    "rated": (
        "Rated: nothing can be taken back, no hint, no value bar",
        "Gewertet: nichts kann zurückgenommen werden, kein Tipp, kein Wertbalken",
    ),
    "hint_rated": ("This game is rated: there is no hint.", "Das Spiel wird gewertet: es gibt keinen Tipp."),
    "more": ("Rules and further settings", "Regeln und weitere Einstellungen"),
    "start": ("Start the game", "Spiel beginnen"),
    "changed_scenario": ("Show the seats of this scenario", "Plätze dieses Szenarios zeigen"),
    # a game
    "now": ("Now", "Jetzt"),
    "you_are": ("You are {seat}", "Du bist {seat}"),
    "more_of_position": ("More of the position", "Mehr zur Lage"),
    "position": ("Position", "Lage"),
    "choices": ("Your choices", "Deine Möglichkeiten"),
    "since": ("Since your last decision", "Seit deiner letzten Entscheidung"),
    "so_far": ("So far", "Bisher"),
    "jump": ("What happened", "Was geschah"),
    "nothing_more": ("Nothing.", "Nichts."),
    "nothing_since": ("Nothing yet.", "Noch nichts."),
    "log": ("All that {seat} has seen", "Alles bisher Gesehene ({seat})"),
    "seats": ("Seats", "Plätze"),
    "here": ("a person", "ein Mensch"),
    "you": ("you", "du"),
    "hint": ("Hint", "Tipp"),
    "hint_comes": ("Looking for a hint …", "Ein Tipp wird gesucht …"),
    "hint_is": ("A search would play: {action}", "Eine Suche würde spielen: {action}"),
    "hint_best": ("Best: {action}", "Am besten: {action}"),
    "hint_among": ("Among the best: {action}", "Unter den besten: {action}"),
    "hint_exact": (
        "(solved to the end; expected payoffs if nobody errs from here on:",
        "(zu Ende gelöst; erwartete Auszahlungen, wenn niemand mehr irrt:",
    ),
    "hint_foreseen": (
        "(against an equilibrium, by exact odds and the best found behind each; expected payoffs:",
        "(gegen ein Gleichgewicht, nach genauen Chancen und dem Besten, was dahinter gefunden wurde; erwartete "
        "Auszahlungen:",
    ),
    "hint_drawn": (
        "(solved to the end; who errs in nothing draws one of the best by chance; expected payoffs if nobody errs from "
        "here on:",
        "(zu Ende gelöst; wer in nichts irrt, lost unter den besten aus; erwartete Auszahlungen, wenn niemand mehr "
        "irrt:",
    ),
    "hint_from": (
        "(expected payoffs in {n} simulations, the others by value:",
        "(erwartete Auszahlungen in {n} Simulationen, die anderen nach Wert:",
    ),
    "hint_mixed": (
        "(expected payoffs in {n} simulations; it draws one of these, the likeliest first:",
        "(erwartete Auszahlungen in {n} Simulationen; sie zieht eines davon, das Häufigste zuerst:",
    ),
    "no_hint": ("There is no hint: {reason}", "Dazu gibt es keinen Tipp: {reason}"),
    "idle": (
        "Where nothing anybody chose mattered any more, you were not asked: chance chose for you.",
        "Wo nichts mehr zählte, was jemand wählte, wurdest du nicht gefragt: es wurde für dich gelost.",
    ),
    "undo": ("Take back", "Zurücknehmen"),
    "undone": ("Your last decision was taken back.", "Deine letzte Entscheidung wurde zurückgenommen."),
    "no_undo": ("Nothing can be taken back now.", "Jetzt lässt sich nichts zurücknehmen."),
    "stale": (
        "That page was no longer the newest; nothing was done. This is how things stand.",
        "Diese Seite war nicht mehr die neueste; es ist nichts geschehen. So steht es jetzt.",
    ),
    "waking": (
        "The server was started anew and takes the game up again; nothing was done yet. Choose again in a moment.",
        "Der Server wurde neu gestartet und nimmt das Spiel wieder auf; noch ist nichts geschehen. Wähle gleich noch "
        "einmal.",
    ),
    "not_possible": (
        "That is not possible now; nothing was done.",
        "Das ist jetzt nicht möglich; es ist nichts geschehen.",
    ),
    "offline": (
        "The server does not answer. Is probespiel still running? Your games are kept; try again then.",
        "Der Server antwortet nicht. Läuft probespiel noch? Deine Spiele sind gesichert; versuche es dann noch einmal.",
    ),
    "not_kept": (
        "The decision could not be written down and does not count: {reason}",
        "Die Entscheidung ließ sich nicht aufschreiben und zählt nicht: {reason}",
    ),
    "thinking": ("Thinking: {seats}", "Es überlegt: {seats}"),
    "waiting": ("Waiting for {seats}", "Warten auf {seats}"),
    "chosen": ("You have chosen: {action}", "Du hast gewählt: {action}"),
    "preparing": ("The game is being prepared", "Das Spiel wird vorbereitet"),
    "preparing_long": (
        "The first time on a computer, the rules are compiled; that takes a minute or two, on a busy one longer. "
        "The page goes on by itself. You may also leave it: the game stands under “All games” then.",
        "Beim ersten Mal auf einem Rechner werden die Regeln übersetzt; das dauert ein, zwei Minuten, auf einem "
        "beschäftigten länger. Die Seite geht von selbst weiter. Du kannst sie auch verlassen: das Spiel steht dann "
        "unter „Alle Spiele“.",
    ),
    "preparing_so_far": ("So far: {seconds} s", "Bisher: {seconds} s"),
    "reload": ("Look again", "Nachsehen"),
    "over": ("The game is over", "Das Spiel ist zu Ende"),
    "end_won": ("You win", "Du gewinnst"),
    "end_shared": ("You share the first place", "Du teilst dir den ersten Platz"),
    "end_lost": ("You lose", "Du verlierst"),
    "end_drawn": ("A draw", "Unentschieden"),
    "why_end": ("What decided it", "Was entschied"),
    "stopped": ("The game was stopped: too many decisions", "Das Spiel wurde abgebrochen: zu viele Entscheidungen"),
    "replay": ("Download the replay", "Aufzeichnung herunterladen"),
    "again": ("Another game", "Noch ein Spiel"),
    "forfeit": (
        "{agent} ({seat}) cannot go on and gives up: {reason}",
        "{agent} ({seat}) kann nicht weiterspielen und gibt auf: {reason}",
    ),
    "in_use": (
        "This game is being played in another window: close that first.",
        "Dieses Spiel wird in einem anderen Fenster gespielt: schließe das zuerst.",
    ),
    "retry": ("Try again", "Noch einmal versuchen"),
    "broken": ("This game cannot go on: {reason}", "Dieses Spiel kann nicht weitergehen: {reason}"),
    "hand_over": ("Hand over to {seat}", "Jetzt dran: {seat}"),
    "only": ("Only {seat} should look now.", "Hinsehen soll jetzt nur: {seat}."),
    "i_am": ("I am {seat}: show", "Ich bin {seat}: zeigen"),
    "invite": ("Play from another screen", "Von einem anderen Bildschirm spielen"),
    "invite_help": (
        "Whoever opens the address of a seat in another browser takes the seat, and it is no longer played from here.",
        "Wer die Adresse eines Platzes in einem anderen Browser öffnet, übernimmt den Platz; von hier wird er dann "
        "nicht mehr gespielt.",
    ),
    "invite_for": ("Address for {seat}", "Adresse für {seat}"),
    "join": ("Take a seat", "Platz nehmen"),
    "join_as": ("You are invited to play {game} as {seat}.", "Du bist eingeladen, in {game} als {seat} zu spielen."),
    "sit_down": ("Play as {seat}", "Als {seat} spielen"),
    "wrong_set": (
        "That cannot be chosen together; nothing was done.",
        "Das lässt sich nicht zusammen wählen; es ist nichts geschehen.",
    ),
    "at_most": ("Tick at most {n}, or nothing", "Wähle höchstens {n}, oder nichts"),
    "take_set": ("Take what is ticked", "So wählen"),
    "not_together": ("These cannot be taken together.", "Das geht nicht zusammen."),
    "all_sets": ("All {n} choices, one by one", "Alle {n} Möglichkeiten, einzeln"),
    "one_by_one": ("One by one", "Einzeln nacheinander"),
    "choose": ("Choose", "Wähle"),
    # runs
    "runs": ("Runs", "Läufe"),
    "run_of": ("A run of {system}", "Ein Lauf von {system}"),
    "run_begin": ("Begin the run", "Lauf beginnen"),
    "run_help": (
        "Every answer is kept at once; a run goes on where you left it, here or by `probespiel solo run {system}`.",
        "Jede Antwort wird sofort gesichert; ein Lauf geht dort weiter, wo du ihn verlassen hast, hier oder mit "
        "`probespiel solo run {system}`.",
    ),
    "run_play": ("To the game", "Zum Spiel"),
    "run_due": ("The next game is ready.", "Das nächste Spiel steht bereit."),
    "run_under_way": ("A game of this run is under way.", "Ein Spiel dieses Laufs ist angefangen."),
    "run_on": ("On with the run", "Weiter im Lauf"),
    "run_back_to": ("The run", "Der Lauf"),
    "run_guide": ("What it is about", "Worum es geht"),
    "run_over": ("The run is over", "Der Lauf ist zu Ende"),
    "run_told": ("What happened so far", "Was bisher geschah"),
    "run_again": ("Another run", "Noch ein Lauf"),
    "run_scores": (
        "{system}: runs {n}, best {best}, last {last} points",
        "{system}: Läufe {n}, bester {best}, letzter {last} Punkte",
    ),
    "run_picked": ("Your choices since the last game", "Was du seit dem letzten Spiel gewählt hast"),
    "run_back": ("Take the last choice back", "Letzte Wahl zurücknehmen"),
    # statistics
    "stats": ("Your results", "Deine Ergebnisse"),
    "no_stats": ("No finished game against an agent yet.", "Noch kein beendetes Spiel gegen einen Agenten."),
    "on_scale": (
        "rating {rating} on the scale of the levels ({low} … {high}; rated games: {n}): {level}",
        "Wertung {rating} auf der Skala der Stufen ({low} … {high}; gewertete Spiele: {n}): {level}",
    ),
    "at_level": ("level {level}", "Stufe {level}"),
    "below_levels": ("below level 1", "unter Stufe 1"),
    "stats_help": ABOUT_RATINGS,
    "stats_together": TOGETHER,
    "col_game": ("game", "Spiel"),
    "col_games": ("games", "Spiele"),
    "col_opponent": ("opponent", "Gegner"),
    "col_payoff": ("mean payoff", "mittlere Auszahlung"),
    "col_rated": ("rated: won, drawn, lost", "gewertet: gewonnen, unentschieden, verloren"),
    "col_rating": ("rating against it", "Wertung gegen ihn"),
    # a recorded game
    "view": ("Look through the game", "Spiel ansehen"),
    "view_of_game": ("Recording", "Aufzeichnung"),
    "view_language": ("Language", "Sprache"),
    "view_eye": ("Seen by", "Gesehen von"),
    "view_all": ("everybody: all is open", "allen: alles liegt offen"),
    "view_step": ("Step", "Schritt"),
    "view_of": ("of", "von"),
    "view_go": ("Go", "Los"),
    "view_first": ("Start", "Anfang"),
    "view_back": ("Back", "Zurück"),
    "view_next": ("Next", "Weiter"),
    "view_last": ("End", "Ende"),
    "view_decision": ("Next decision", "Nächste Entscheidung"),
    "view_decision_back": ("Decision before", "Entscheidung davor"),
    "view_start": ("The start", "Der Anfang"),
    "view_steps": ("Steps", "Schritte"),
    "view_hidden": (
        "Something happened that {seat} does not see.",
        "Es geschah etwas, das an diesem Platz nicht zu sehen ist ({seat}).",
    ),
    "view_keys": (
        "Arrow keys: one step on or back; Home and End: start and end.",
        "Pfeiltasten: ein Schritt vor oder zurück; Pos1 und Ende: Anfang und Ende.",
    ),
    "view_run": ("Play", "Abspielen"),
    "view_pause": ("Pause", "Anhalten"),
    "view_export": ("Save as one HTML file", "Als eine HTML-Datei speichern"),
    "view_as": ("as {seat}", "als {seat}"),
    "branch": ("Play from here", "Ab hier spielen"),
    "branch_help": (
        "A practice game begins from this position, with chance of its own; the recording stays as it is.",
        "Ein Übungsspiel beginnt in dieser Lage, mit eigenem Zufall; die Aufzeichnung bleibt, wie sie ist.",
    ),
    "analysis": ("Analysis", "Analyse"),
    "analyse": ("Analyse the game", "Spiel analysieren"),
    "analyse_help": (
        "The course of its value, what every decision lost, and luck told from skill; it takes half a minute or less.",
        "Der Verlauf des Werts, was jede Entscheidung verlor, Glück und Können getrennt; das dauert höchstens eine "
        "halbe Minute.",
    ),
    "analysing": ("The game is being analysed", "Das Spiel wird analysiert"),
    "no_analysis": ("It could not be analysed: {reason}", "Es ließ sich nicht analysieren: {reason}"),
    "moments": ("Values as a table", "Werte als Tabelle"),
    "mark_decision": ("a decision", "eine Entscheidung"),
    "mark_lost": ("a decision that lost something", "eine Entscheidung, die etwas verlor"),
    "mark_turning": ("large: the turning point", "groß: der Wendepunkt"),
    "bar": ("What it is worth to you", "Was es dir wert ist"),
    "bar_on": ("Show the value bar", "Wertbalken zeigen"),
    "bar_off": ("Hide the value bar", "Wertbalken verbergen"),
    "bar_comes": ("is being estimated …", "wird geschätzt …"),
    "bar_between": ("between {low} and {high}", "zwischen {low} und {high}"),
    "col_step": ("step", "Schritt"),
    "col_what": ("what happened", "was geschah"),
    "col_value": ("value", "Wert"),
    "col_seat": ("seat", "Platz"),
    "col_taken": ("taken", "gewählt"),
    "col_better": ("better", "besser"),
    "col_lost": ("lost", "verloren"),
    "col_from": ("came from", "kam von"),
    "losses": ("What decisions lost", "Was Entscheidungen verloren"),
    "all_losses": ("All decisions", "Alle Entscheidungen"),
    "no_losses": ("Nothing was lost beyond doubt.", "Nichts ging zweifelsfrei verloren."),
    "unfinished": ("The recording ends here; the game was not over.",
                   "Hier endet die Aufzeichnung; das Spiel war nicht zu Ende."),
    "closed": (
        "The game is not over: it is shown as its own people see it.",
        "Das Spiel ist nicht zu Ende: gezeigt wird, was seine Menschen selbst sehen.",
    ),
    # refusals
    "sorry": ("That did not work", "Das ging nicht"),
    "back_home": ("To all games", "Zu allen Spielen"),
    "not_found": ("There is no such page, or no longer, or it belongs to another browser.",
                  "Diese Seite gibt es nicht oder nicht mehr, oder sie gehört einem anderen Browser."),
    "open_again": ("Open the page again", "Seite neu öffnen"),
    "too_fast": ("Too many requests at once; wait a moment.", "Zu viele Anfragen auf einmal; warte einen Augenblick."),
    "too_large": ("That was too long for a form of this page.", "Das war zu lang für ein Formular dieser Seite."),
    "too_many": (
        "There are too many games under way here; finish or remove one first.",
        "Hier sind zu viele Spiele angefangen; beende oder entferne erst eines.",
    ),
    "wrong_host": ("This server does not go by that name.", "Dieser Server heißt nicht so."),
    "wrong_method": ("That cannot be done here.", "Das geht hier nicht."),
    "foreign_form": (
        "This form did not come from this browser's own page; nothing was done. Open the page again.",
        "Dieses Formular kam nicht von der eigenen Seite dieses Browsers; nichts ist geschehen. Öffne die Seite neu.",
    ),
    "no_cookie": (
        "The browser has sent no cookie, by which its games are known; nothing was done. If it allows none, let it. If "
        "they were deleted, go on in the terminal: `probespiel resume --list` shows the games.",
        "Der Browser hat kein Cookie gesendet, an dem seine Spiele zu erkennen sind; es ist nichts geschehen. Lässt er "
        "keine zu, erlaube sie. Wurden sie gelöscht, geht es im Terminal weiter: `probespiel resume --list` zeigt die "
        "Spiele.",
    ),
    "bad_form": ("The form could not be read.", "Das Formular war nicht lesbar."),
    "bad_value": ("{reason}", "{reason}"),
    "not_over": (
        "The replay holds what is hidden, so there is none before the end.",
        "Die Aufzeichnung enthält Verdecktes; es gibt sie erst am Ende.",
    ),
    "inside": (
        "Something went wrong inside the server; it has written down what. Your games are kept.",
        "Im Server ist etwas schiefgegangen; er hat aufgeschrieben, was. Deine Spiele sind gesichert.",
    ),
}  # fmt: skip


def say(lang: str, key: str, /, **values: Any) -> str:
    """The text in a language, its places filled in."""
    return WORDS[key][lang == "de"].format(**values)
