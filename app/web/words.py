"""What the pages say, in English and German; texts of the rules come from the systems themselves."""

from __future__ import annotations

from typing import Any

WORDS: dict[str, tuple[str, str]] = {
    # every page
    "skip": ("Skip to the content", "Zum Inhalt springen"),
    "language": ("Language", "Sprache"),
    "home": ("All games", "Alle Spiele"),
    "rules": ("Rules", "Regeln"),
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
    "choose_game": ("Choose a game", "Wähle ein Spiel"),
    "start_with": ("Set up {game}", "{game} einrichten"),
    "scenario": ("Scenario", "Szenario"),
    "seat": ("Your seat", "Dein Platz"),
    "opponent": ("Opponent", "Gegner"),
    "partner": ("Who plays the other seats of your side", "Wer die anderen Plätze deiner Seite spielt"),
    "as_opponent": ("as the opponent", "wie der Gegner"),
    "seconds": ("Time to think for a decision (seconds)", "Bedenkzeit je Entscheidung (Sekunden)"),
    "default_opponent": ("as the game suggests", "wie das Spiel vorschlägt"),
    "search": ("a search", "eine Suche"),
    "level": ("level {n} of {most}", "Stufe {n} von {most}"),
    "people": ("People at this screen or another (hotseat)", "Menschen an diesem oder einem anderen Bildschirm"),
    "modules": ("Rule modules", "Regelmodule"),
    "options": ("Options of the rules, one per line: name=value", "Optionen der Regeln, eine je Zeile: name=wert"),
    "seed": ("Seed (empty: by chance)", "Startwert (leer: zufällig)"),
    "rated": ("Rated: nothing can be taken back", "Gewertet: nichts kann zurückgenommen werden"),
    "more": ("Rules and further settings", "Regeln und weitere Einstellungen"),
    "start": ("Start the game", "Spiel beginnen"),
    "changed_scenario": ("Show the seats of this scenario", "Plätze dieses Szenarios zeigen"),
    # a game
    "now": ("Now", "Jetzt"),
    "you_are": ("You are {seat}", "Du bist {seat}"),
    "position": ("Position", "Lage"),
    "choices": ("Your choices", "Deine Möglichkeiten"),
    "other_choices": ("Other choices", "Weitere Möglichkeiten"),
    "since": ("Since your last decision", "Seit deiner letzten Entscheidung"),
    "nothing_since": ("Nothing yet.", "Noch nichts."),
    "log": ("All that {seat} has seen", "Alles, was {seat} gesehen hat"),
    "seats": ("Seats", "Plätze"),
    "here": ("a person", "ein Mensch"),
    "you": ("you", "du"),
    "hint": ("Hint", "Tipp"),
    "hint_comes": ("Looking for a hint …", "Ein Tipp wird gesucht …"),
    "hint_is": ("A search would play: {action}", "Eine Suche spielte: {action}"),
    "hint_from": ("(expected payoffs in {n} simulations:", "(erwartete Auszahlungen in {n} Simulationen:"),
    "no_hint": ("There is no hint: {reason}", "Dazu gibt es keinen Tipp: {reason}"),
    "undo": ("Take back", "Zurücknehmen"),
    "undone": ("Your last decision was taken back.", "Deine letzte Entscheidung wurde zurückgenommen."),
    "no_undo": ("Nothing can be taken back now.", "Jetzt lässt sich nichts zurücknehmen."),
    "stale": (
        "That page was no longer the newest; nothing was done. This is how things stand.",
        "Diese Seite war nicht mehr die neueste; es ist nichts geschehen. So steht es jetzt.",
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
        "The first time on a computer, the rules are compiled; that takes a minute or two. The page goes on by itself.",
        "Beim ersten Mal auf einem Rechner werden die Regeln übersetzt; das dauert ein, zwei Minuten. "
        "Die Seite geht von selbst weiter.",
    ),
    "reload": ("Look again", "Nachsehen"),
    "over": ("The game is over", "Das Spiel ist zu Ende"),
    "stopped": ("The game was stopped: too many decisions", "Das Spiel wurde abgebrochen: zu viele Entscheidungen"),
    "replay": ("Download the replay", "Aufzeichnung herunterladen"),
    "again": ("Another game", "Noch ein Spiel"),
    "forfeit": (
        "{agent} ({seat}) cannot go on and gives up: {reason}",
        "{agent} ({seat}) kann nicht weiterspielen und gibt auf: {reason}",
    ),
    "broken": ("This game cannot go on: {reason}", "Dieses Spiel kann nicht weitergehen: {reason}"),
    "hand_over": ("Hand over to {seat}", "Jetzt ist {seat} dran"),
    "only": ("Only {seat} should look now.", "Nur {seat} soll jetzt hinsehen."),
    "i_am": ("I am {seat}: show", "Ich bin {seat}: zeigen"),
    "invite": ("Play from another screen", "Von einem anderen Bildschirm spielen"),
    "invite_help": (
        "Whoever opens this address in another browser takes the seat, and it is no longer played from here.",
        "Wer diese Adresse in einem anderen Browser öffnet, übernimmt den Platz; von hier wird er dann nicht mehr "
        "gespielt.",
    ),
    "join": ("Take a seat", "Platz nehmen"),
    "join_as": ("You are invited to play {seat} in {game}.", "Du bist eingeladen, {seat} in {game} zu spielen."),
    "sit_down": ("Play {seat}", "{seat} spielen"),
    "wrong_set": (
        "That cannot be chosen together; nothing was done.",
        "Das lässt sich nicht zusammen wählen; es ist nichts geschehen.",
    ),
    "one_by_one": ("One by one", "Einzeln nacheinander"),
    "choose": ("Choose", "Wähle"),
    "more_choices": ("Other", "Anderes"),
    # refusals
    "sorry": ("That did not work", "Das ging nicht"),
    "back_home": ("To all games", "Zu allen Spielen"),
    "not_found": ("There is no such page, or it belongs to another browser.",
                  "Diese Seite gibt es nicht, oder sie gehört einem anderen Browser."),
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
        "The browser has sent no cookie, without which its games cannot be told from others'. Open the page again.",
        "Der Browser hat kein Cookie gesendet, ohne das sich seine Spiele nicht von anderen unterscheiden lassen. "
        "Öffne die Seite neu.",
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
