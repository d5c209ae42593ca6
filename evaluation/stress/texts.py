"""The texts of the stress reports in English and in German, beside each other.

How the parts in braces are told stands in `report/phrases.py`. Over 500 lines because it is one table of texts.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..report.phrases import ENGLISH, Phrasebook

NAMES = {  # figures, verdicts, sides, strategies
    "length": "Länge",
    "draws": "Remis",
    "unresolved": "ohne Ende",
    "luck": "Glück",
    "skill": "Können",
    "search": "Vorausdenken",
    "comebacks": "Aufholjagden",
    "lead changes": "Führungswechsel",
    "first seat": "erster Platz",
    "strategies": "Strategien",
    "cycles": "Kreise",
    "decisions": "Entscheidungen",
    "worth": "Wert",
    "seat": "Platz",
    "use": "Gebrauch",
    "gain": "Gewinn",
    "in equilibrium": "im Gleichgewicht",
    "drama": "Dramatik",
    "changes": "Wechsel",
    "worth for {side:o}": "Wert für „{side}“",
    "exploit of {side:o}": "Ausnutzung durch „{side}“",
    "broken": "kaputt",
    "overpowered": "übermächtig",
    "seat-favouring": "begünstigt einen Platz",
    "favours a side": "begünstigt eine Seite",
    "always-use": "immer nutzen",
    "dead rule": "tote Regel",
    "strong": "stark",
    "small": "gering",
    "neutral": "neutral",
    "undecided": "nicht entschieden",
    "shared": "für alle",
    "open": "unfertig",
    "stalls the game": "lähmt das Spiel",
    "no best choice: a guessing game": "keine beste Wahl: ein Ratespiel",
    "decoration": "Zierde",
    "changes the game": "ändert das Spiel",
    "changes little": "ändert wenig",
    "no change shown": "keine Änderung gezeigt",
    "longer games": "längere Spiele",
    "shorter games": "kürzere Spiele",
    "more draws": "mehr Remis",
    "fewer draws": "weniger Remis",
    "more games without an end": "mehr Spiele ohne Ende",
    "fewer games without an end": "weniger Spiele ohne Ende",
    "the deal decides more": "die Gabe entscheidet mehr",
    "the deal decides less": "die Gabe entscheidet weniger",
    "skill tells more": "Können zählt mehr",
    "skill tells less": "Können zählt weniger",
    "thinking ahead tells more": "Vorausdenken zählt mehr",
    "thinking ahead tells less": "Vorausdenken zählt weniger",
    "more comebacks": "mehr Aufholjagden",
    "fewer comebacks": "weniger Aufholjagden",
    "the lead changes more often": "die Führung wechselt öfter",
    "the lead changes less often": "die Führung wechselt seltener",
    "sitting first is better": "zuerst zu sitzen ist besser",
    "sitting first is worse": "zuerst zu sitzen ist schlechter",
    "more ways to play": "mehr Spielweisen",
    "fewer ways to play": "weniger Spielweisen",
    "more a guessing game": "eher ein Ratespiel",
    "less of a guessing game": "weniger ein Ratespiel",
    "more decisions matter": "mehr Entscheidungen zählen",
    "fewer decisions matter": "weniger Entscheidungen zählen",
    "nobody": "niemand",
    "everybody": "alle",
    "only {side:o}": "nur {side}",
    "attacker": "Angreifer",
    "defender": "Verteidiger",
    "party": "Gruppe",
    "player": "Spieler",
    "first": "Erster",
    "second": "Zweiter",
    "behind": "hinten",
    "level": "gleichauf",
    "ahead": "vorn",
    "always": "immer",
    "card": "Karte",
    "cards": "Karten",
    "unit": "Einheit",
    "units": "Einheiten",
    "power point": "Machtpunkt",
    "power points": "Machtpunkte",
    "point of reaction": "Reaktionspunkt",
    "points of reaction": "Reaktionspunkte",
    "round's points": "Rundenpunkte",
    "rounds' points": "Rundenpunkte",
    "exact": "exakt",
    "the same every time": "jedes Mal dasselbe",
    "{change:p} (the same every time)": "{change} (jedes Mal dasselbe)",
    "beyond the scale": "jenseits der Skala",
    "from one end of the scale to the other": "von einem Ende der Skala bis zum anderen",
    "no legal move": "kein erlaubter Zug",
    "nobody asked": "niemand gefragt",
    "endless": "endlos",
    "cut short": "abgebrochen",
    "repeated": "Wiederholung",
    "bad payoff": "falsche Auszahlung",
    "bad observation": "falsche Beobachtung",
    "module at fault": "Fehler im Modul",
    "wrong answer": "falsche Antwort",
    "unbounded": "unbegrenzt",
    "crash": "Absturz",
    "hang": "Stillstand",
    " fingers": " Finger",
    " points": " Punkte",
    " chips": " Chips",
    "{x:n}": "{x}",
    "{x:i}": "{x}",
    "{x:n} decisions": "{x} Entscheidungen",
    "{x:n} times": "{x} Mal",
    "{x:n} strategies": "{x} Strategien",
    "{x:n} points": "{x} Punkte",
    "{a:p} to {b:p}": "{a} bis {b}",
    "{name:o}, always uses it": "{name}, nutzt es immer",
    "{name:o}, never uses it": "{name}, nutzt es nie",
    "{name:o}, tosses a coin": "{name}, wirft eine Münze",
    "{name:o}, uses it blindly": "{name}, nutzt es blind",
    "{name:o}, answers blindly": "{name}, antwortet blind",
    "{name:o}, always answers “{action:o}”": "{name}, antwortet immer „{action}“",
    "learned where {who:o} has it ({n:n})": "gelernt, wo {who} es hat ({n})",
    "learned where {who:o} has it": "gelernt, wo {who} es hat",
    "learned where everybody has it ({n:n})": "gelernt, wo alle es haben ({n})",
    "learned where everybody has it": "gelernt, wo alle es haben",
    "counters the others as {side:o} where {who:o} has it": "kontert die anderen als {side}, wo {who} es hat",
    "counters the others as {side:o} where everybody has it": "kontert die anderen als {side}, wo alle es haben",
    "counters the others where {who:o} has it": "kontert die anderen, wo {who} es hat",
    "counters the others where everybody has it": "kontert die anderen, wo alle es haben",
    "uses it when it pays where {who:o} has it": "nutzt es, wenn es sich lohnt, wo {who} es hat",
    "uses it when it pays where everybody has it": "nutzt es, wenn es sich lohnt, wo alle es haben",
    "{name:o}, uses it when it pays ({n:n})": "{name}, nutzt es, wenn es sich lohnt ({n})",
    "answers as it pays where {who:o} has it": "antwortet, wie es sich lohnt, wo {who} es hat",
    "answers as it pays where everybody has it": "antwortet, wie es sich lohnt, wo alle es haben",
    "{name:o}, answers as it pays ({n:n})": "{name}, antwortet, wie es sich lohnt ({n})",
    "best response ({n:n})": "beste Antwort ({n})",
    "best response without it ({n:n})": "beste Antwort ohne es ({n})",
    "{name:o}, round {n:n}": "{name}, Runde {n}",
}
QUESTIONS = {
    "What is having it worth?": "Was ist es wert, es zu haben?",
    "What does it do to the game?": "Was macht es mit dem Spiel?",
    "Who is it for?": "Für wen ist es?",
    "Is it used?": "Wird es genutzt?",
    "Does it create a dominant strategy?": "Schafft es eine dominante Strategie?",
    "Does it change who wins?": "Ändert es, wer gewinnt?",
    "Does it break?": "Geht es kaputt?",
    "The exploit": "Wie es ausgenutzt wird",
    "A game that it decides": "Ein Spiel, das es entscheidet",
    "This was not finished.": "Das wurde nicht fertig.",
    "This was not measured: the rules break.": "Das wurde nicht gemessen: Die Regeln gehen kaputt.",
}
LEADS = {
    "The rules break.": "Die Regeln gehen kaputt.",
    "Whoever has it wins by it.": "Wer es hat, gewinnt dadurch.",
    "It favours a seat.": "Es begünstigt einen Platz.",
    "Using it is always right: whether to use it is no decision.": (
        "Es zu nutzen ist immer richtig: Ob man es nutzt, ist keine Entscheidung."
    ),
    "Nobody gains by using it.": "Niemand gewinnt dadurch, es zu nutzen.",
    "It is strong.": "Es ist stark.",
    "It is worth a little.": "Es ist ein wenig wert.",
    "It is a strong handicap.": "Es ist ein starkes Handicap.",
    "It is a small handicap.": "Es ist ein kleines Handicap.",
    "Having it gains nothing that counts, and costs nothing.": (
        "Es zu haben bringt nichts, was zählt, und kostet nichts dergleichen."
    ),
    "What it is worth is not decided yet.": "Was es wert ist, ist noch nicht entschieden.",
    "It concerns everybody: nobody has an edge by it.": "Es betrifft alle: Niemand hat dadurch einen Vorteil.",
    "The test was not finished.": "Die Prüfung wurde nicht fertig.",
}
VERDICT = {  # verdict.py and game_verdict.py: reasons, remarks, thresholds
    "the games were solved, and where all have it one side gains {x:n} standard deviations": (
        "die Spiele wurden gelöst, und wo alle es haben, gewinnt eine Seite {x} Standardabweichungen"
    ),
    "the rules fail: a state without legal moves, a loop, a crash, or a number without bound": (
        "die Regeln versagen: eine Lage ohne erlaubte Züge, eine Schleife, ein Absturz oder eine Zahl ohne Grenze"
    ),
    "the holder's result rises by {x:n} standard deviations or its chances from 50% to 75%": (
        "das Ergebnis dessen, der es hat, steigt um {x} Standardabweichungen oder seine Aussichten von 50\u00a0% auf "
        "75\u00a0%"
    ),
    "sitting first gains or loses {x:n} standard deviations by it, and half as much as having it": (
        "zuerst zu sitzen gewinnt oder verliert dadurch {x} Standardabweichungen, und halb so viel, wie es zu haben"
    ),
    "never using it costs, always using it costs nothing, and no situation speaks against it": (
        "es nie zu nutzen kostet, es immer zu nutzen kostet nichts, und keine Lage spricht dagegen"
    ),
    "it has actions that do something, but nobody gains by them in any situation": (
        "es hat Aktionen, die etwas bewirken, aber niemand gewinnt in irgendeiner Lage durch sie"
    ),
    "the rule concerns the whole table: nobody has it alone, so that it gives nobody an edge": (
        "die Regel betrifft den ganzen Tisch: niemand hat sie allein, also gibt sie niemandem einen Vorteil"
    ),
    "having it is worth {x:n} standard deviations, or chances from 50% to 60%": (
        "es zu haben ist {x} Standardabweichungen wert oder hebt die Aussichten von 50\u00a0% auf 60\u00a0%"
    ),
    "the interval of its worth reaches from nothing to what would count": (
        "das Intervall des Wertes reicht von nichts bis zu dem, was zählen würde"
    ),
    "having it is worth more than {x:n} standard deviations, or more than a change from 50% to 51%": (
        "es zu haben ist mehr als {x} Standardabweichungen wert oder mehr als eine Änderung von 50\u00a0% auf 51\u00a0%"
    ),
    "the whole interval of its worth lies within {x:n} standard deviations": (
        "das ganze Intervall des Wertes liegt innerhalb von {x} Standardabweichungen"
    ),
    "the game breaks without the module, too: {text:p}": "das Spiel geht auch ohne das Modul kaputt: {text}",
    "the test was interrupted before its worth was measured": (
        "die Prüfung wurde abgebrochen, bevor der Wert gemessen war"
    ),
    "it changed nothing: in {n:n} games of random play all stood as without it, whatever was chosen": (
        "es änderte nichts: in {n} Spielen auf gut Glück stand alles wie ohne es, was auch gewählt wurde"
    ),
    "having it is an advantage of {x:n} ({ends:i})": "es zu haben ist ein Vorteil von {x} ({ends})",
    "having it is a handicap of {x:n} ({ends:i})": "es zu haben ist ein Nachteil von {x} ({ends})",
    "having it is neither an advantage nor a handicap ({ends:i})": (
        "es zu haben ist weder ein Vorteil noch ein Nachteil ({ends})"
    ),
    "having it shows in wins alone, not in payoffs: {x:n} ({ends:i})": (
        "es zu haben zeigt sich allein an den Siegen, nicht an den Auszahlungen: {x} ({ends})"
    ),
    "that having it is an advantage or a handicap is not shown: {x:n} ({ends:i})": (
        "dass es zu haben ein Vorteil oder ein Nachteil ist, ist nicht gezeigt: {x} ({ends})"
    ),
    "the rule concerns the whole table: nobody has it alone": (
        "die Regel betrifft den ganzen Tisch: niemand hat sie allein"
    ),
    "{size:p}; {chances:p}": "{size}; {chances}",
    "{size:p}, which is no difference that counts": "{size}; das ist kein Unterschied, der zählt",
    "{size:p}: it may change nothing, or more than {x:n}": "{size}: es ändert vielleicht nichts oder mehr als {x}",
    "{size:p}: it may be less than the {x:n} from which on it counts, or more": (
        "{size}: es ist vielleicht weniger als die {x}, ab denen es zählt, oder mehr"
    ),
    "Its use is always right.": "Es zu nutzen ist immer richtig.",
    "Apart from that, {size:p}.": "Davon abgesehen: {size}.",
    "whoever does not use it loses by that, and using it whenever possible costs nothing": (
        "wer es nicht nutzt, verliert dadurch, und es zu nutzen, wann immer es geht, kostet nichts"
    ),
    "The strongest strategies found use it in {x:n} of the opportunities: in the others it makes no difference that "
    "could be measured.": (
        "Die stärksten gefundenen Strategien nutzen es bei {x} der Gelegenheiten: Bei den anderen ist kein Unterschied "
        "messbar."
    ),
    "Those are games of strategies that use it in {x:n} of the opportunities, although that is never right: between "
    "players who know that, all stays as without it.": (
        "Das sind Spiele von Strategien, die es bei {x} der Gelegenheiten nutzen, obwohl das nie richtig ist: Zwischen "
        "Spielern, die das wissen, bleibt alles wie ohne es."
    ),
    "The strongest strategies found use it in {x:n} of the opportunities: too seldom, unless it can be used only "
    "so many times in all.": (
        "Die stärksten gefundenen Strategien nutzen es bei {x} der Gelegenheiten: zu selten, außer wenn es insgesamt "
        "nur so oft zu nutzen ist."
    ),
    "where both sides play best, never using it costs {x:n}, and using it whenever possible costs nothing": (
        "wo beide Seiten am besten spielen, kostet es {x}, es nie zu nutzen, und nichts, es zu nutzen, wann immer es "
        "geht"
    ),
    "where both sides play best, never using it costs nothing, and using it whenever possible costs {x:n}": (
        "wo beide Seiten am besten spielen, kostet es nichts, es nie zu nutzen, und {x}, es zu nutzen, wann immer es "
        "geht"
    ),
    "no strategy gained by its actions, in no situation that was found": (
        "keine Strategie gewann durch seine Aktionen, in keiner Lage, die gefunden wurde"
    ),
    "what it does to the game is the other verdict": "was es mit dem Spiel macht, sagt das andere Urteil",
    "it lies so close to what counts that more games would hardly decide it, with no budget of the lab": (
        "es liegt so nahe an dem, was zählt, dass mehr Spiele es kaum entscheiden würden, mit keinem Budget des Labors"
    ),
    "more games may decide it: a larger --budget": "mehr Spiele entscheiden es vielleicht: ein größeres --budget",
    "--budget {name} should decide it: it would narrow the interval from ± {a:n} to about ± {b:n}, and ± {c:n} is "
    "enough if the value stays where it is": (
        "--budget {name} dürfte es entscheiden: Es würde das Intervall von ± {a} auf etwa ± {b} verengen, und ± {c} "
        "genügt, wenn der Wert bleibt, wo er ist"
    ),
    "no number of games decides it: between what the best answers found without it and with it say lies {x:n}, and "
    "only better answers would narrow that": (
        "keine Zahl von Spielen entscheidet es: zwischen dem, was die besten ohne es und mit ihm gefundenen Antworten "
        "sagen, liegt {x}, und nur bessere Antworten würden das verengen"
    ),
    "no budget of the lab is sure to decide it: learners of other seeds would still be ± {a:n} apart with --budget "
    "{name}, where ± {b:n} is enough; open is how well they learn, not how much is played": (
        "kein Budget des Labors entscheidet es sicher: Lernende mit anderen Startwerten lägen auch mit --budget {name} "
        "noch ± {a} auseinander, wo ± {b} genügt; offen ist, wie gut sie lernen, nicht, wie viel gespielt wird"
    ),
    "no budget of the lab decides it: --budget {name} would leave ± {a:n}, and ± {b:n} is enough, about {x:n} times "
    "the games of this test": (
        "kein Budget des Labors entscheidet es: --budget {name} ließe ± {a}, und ± {b} genügt, etwa {x}-mal so viele "
        "Spiele wie in dieser Prüfung"
    ),
    "with it, whoever sits first is better off by {x:n} ({ends:i})": (
        "mit ihm steht sich, wer zuerst sitzt, um {x} besser ({ends})"
    ),
    "with it, whoever sits first is better off by {x:n} ({ends:i} for the first seat)": (
        "mit ihm steht sich, wer zuerst sitzt, um {x} besser ({ends} für den ersten Platz)"
    ),
    "with it, whoever sits last is better off by {x:n} ({ends:i})": (
        "mit ihm steht sich, wer zuletzt sitzt, um {x} besser ({ends})"
    ),
    "with it, whoever sits last is better off by {x:n} ({ends:i} for the first seat)": (
        "mit ihm steht sich, wer zuletzt sitzt, um {x} besser ({ends} für den ersten Platz)"
    ),
    "among the strategies found the holder's share of wins is not shown to change": (
        "dass sich der Anteil der Siege ändert, ist unter den gefundenen Strategien nicht gezeigt"
    ),
    "among the strategies found the holder's share of wins goes from {a:n} to {b:n}": (
        "unter den gefundenen Strategien geht der Anteil der Siege mit ihm von {a} auf {b}"
    ),
    "the holder's share of wins is not shown to change": "dass sich der Anteil der Siege ändert, ist nicht gezeigt",
    "the holder's share of wins goes from {a:n} to {b:n}": "der Anteil der Siege mit ihm geht von {a} auf {b}",
    "It is rare: offered in {n:n} of {m:n} games of the strongest play, so that what is told of its use rests on few "
    "chances.": (
        "Es ist selten: in {n} von {m} Spielen der stärksten Spielweise angeboten, sodass auf wenigen Gelegenheiten "
        "beruht, was von seinem Gebrauch erzählt wird."
    ),
    "As far as it can be played, what having it is worth would be called {word:p}.": (
        "Soweit es spielbar ist, hieße sein Wert: {word}."
    ),
    "that rests on the strategies found: where nobody answers them, it is not known what better ones would gain": (
        "das beruht auf den gefundenen Strategien: wo niemand auf sie antwortet, ist nicht bekannt, was bessere "
        "gewinnen würden"
    ),
    "the best answers found carry that: they leave room from {ends:i}, {what:p}": (
        "die besten gefundenen Antworten tragen das: Sie lassen Raum von {ends}, {what}"
    ),
    "the best answers found carry which way it goes, not how far: they leave room from {ends:i}, {what:p}": (
        "die besten gefundenen Antworten tragen, in welche Richtung es geht, nicht wie weit: Sie lassen Raum von "
        "{ends}, {what}"
    ),
    "that rests on the strategies found: the best answers to them leave room from {ends:i}, {what:p}": (
        "das beruht auf den gefundenen Strategien: Die besten Antworten auf sie lassen Raum von {ends}, {what}"
    ),
    "as for the strategies found, the best answers to them leave room from {ends:i}, {what:p}": (
        "was die gefundenen Strategien angeht, lassen die besten Antworten auf sie Raum von {ends}, {what}"
    ),
    "all of it too little to count": "alles zu wenig, um zu zählen",
    "from a handicap ({low:p}) to an advantage ({high:p})": "von einem Nachteil ({low}) bis zu einem Vorteil ({high})",
    "all of it {word:p}": "alles davon: {word}",
    "from {low:p} to {high:p}": "von {low} bis {high}",
    "{word:p} ({basis:p})": "{word} ({basis})",
    "carried by the best answers found": "von den besten gefundenen Antworten getragen",
    "which way it goes is carried by the best answers found": (
        "in welche Richtung es geht, tragen die besten gefundenen Antworten"
    ),
    "among the strategies found": "unter den gefundenen Strategien",
    "it changed nothing": "es änderte nichts",
    "It makes one strategy best against all found that are worth playing: “{name:o}”.": (
        "Es macht eine Strategie zur besten gegen alle gefundenen, die zu spielen sich lohnt: „{name}“."
    ),
    "It makes one way to play best against all found that are worth playing: {k:n} of {n:n} strategies fare alike and "
    "are best, such as “{name:o}”.": (
        "Es macht eine Spielweise zur besten gegen alle gefundenen, die zu spielen sich lohnt: {k} von {n} Strategien "
        "schneiden gleich ab und sind die besten, etwa „{name}“."
    ),
    "It makes one way to play best against all found that are worth playing: {k:n} of {n:n} strategies fare alike "
    "(they differ by less than {w:n}{unit:u} on average) and are best, such as “{name:o}”.": (
        "Es macht eine Spielweise zur besten gegen alle gefundenen, die zu spielen sich lohnt: {k} von {n} Strategien "
        "schneiden gleich ab (im Mittel unterscheiden sie sich um weniger als {w}{unit}) und sind die besten, "
        "etwa „{name}“."
    ),
    "the rules fail": "die Regeln versagen",
    "{a:n} more of the games have no end, or {b:n} more are drawn and they last {c:n} longer (or are not shown to be "
    "shorter, if {d:n} are drawn), or they last twice as long (without its own decisions)": (
        "{a} mehr der Spiele haben kein Ende, oder {b} mehr enden remis und sie dauern {c} länger (oder sind nicht "
        "nachweislich kürzer, wenn {d} remis enden), oder sie dauern doppelt so lang (ohne seine eigenen "
        "Entscheidungen)"
    ),
    "a question of it has several answers, or it can be used in several ways; none is better than the mixture, and "
    "much depends on which one it is": (
        "eine seiner Fragen hat mehrere Antworten, oder es lässt sich auf mehrere Arten nutzen; keine ist besser als "
        "die Mischung, und viel hängt davon ab, welche es ist"
    ),
    "it has actions, and no use and no answer of them decides anything": (
        "es hat Aktionen, und weder ihr Gebrauch noch eine Antwort entscheidet etwas"
    ),
    "a figure is shown to change by what counts (a single one is named)": (
        "von einer Größe ist gezeigt, dass sie sich um das ändert, was zählt (eine einzelne wird genannt)"
    ),
    "all figures are shown to change by less than what counts": (
        "von allen Größen ist gezeigt, dass sie sich um weniger ändern, als zählt"
    ),
    "no figure is shown to change by what counts, but some could": (
        "von keiner Größe ist gezeigt, dass sie sich um das ändert, was zählt, doch manche könnten es"
    ),
    "the test was interrupted before that was measured": "die Prüfung wurde abgebrochen, bevor das gemessen war",
    "all {n:n} figures stay as they are, within what counts": "alle {n} Größen bleiben, wie sie sind, soweit es zählt",
    "of {n:n} figures none is shown to change by what counts": (
        "von {n} Größen ist bei keiner gezeigt, dass sie sich um das ändert, was zählt"
    ),
    "one is shown not to, not sure are: {names:s}": (
        "von einer ist gezeigt, dass sie es nicht tut; nicht sicher sind: {names}"
    ),
    "{n:n} are shown not to, not sure are: {names:s}": (
        "von {n} ist gezeigt, dass sie es nicht tun; nicht sicher sind: {names}"
    ),
    "not sure are: {names:s}": "nicht sicher sind: {names}",
    "a use never led to another position than not using it": (
        "der Gebrauch führte nie zu einer anderen Lage als der Verzicht"
    ),
    "What hangs on its answers is too little to count, but settles who wins where a game is as good as level: see the "
    "game that it decides.": (
        "Was von seinen Antworten abhängt, ist zu wenig, um zu zählen, entscheidet aber, wer gewinnt, wo ein Spiel so "
        "gut wie unentschieden steht: siehe das Spiel, das es entscheidet."
    ),
    "none of its answers makes a difference that counts to a lead": (
        "keine seiner Antworten macht für einen Vorsprung einen Unterschied, der zählt"
    ),
    "none of its answers makes a difference that counts": "keine seiner Antworten macht einen Unterschied, der zählt",
    "asked “{question:o}”, “{action:o}” is always right, but beats the other answers by {x:n} at most, which is no "
    "difference that counts": (
        "auf die Frage „{question}“ ist „{action}“ immer richtig, schlägt die anderen Antworten aber um höchstens {x}; "
        "das ist kein Unterschied, der zählt"
    ),
    "asked for {phase}, “{action:o}” is always right, but beats the other answers by {x:n} at most, which is no "
    "difference that counts": (
        "gefragt nach {phase}, ist „{action}“ immer richtig, schlägt die anderen Antworten aber um höchstens {x}; das "
        "ist kein Unterschied, der zählt"
    ),
    "where all have it “{a:o}” gains {x:n}{unit:u} by it, and “{b:o}” loses as much, whoever sits first (exact)": (
        "wo alle es haben, gewinnt „{a}“ dadurch {x}{unit} und „{b}“ verliert ebenso viel, wer immer zuerst sitzt "
        "(exakt)"
    ),
    "Where all have it “{a:o}” gains {x:n}{unit:u} by it, and “{b:o}” loses as much, whoever sits first (exact).": (
        "Wo alle es haben, gewinnt „{a}“ dadurch {x}{unit} und „{b}“ verliert ebenso viel, wer immer zuerst sitzt "
        "(exakt)."
    ),
    "Where all have it “{a:o}” gains {x:n}{unit:u} by it, and “{b:o}” loses as much, whoever sits first ({ends:i}; "
    "{n:n} games).": (
        "Wo alle es haben, gewinnt „{a}“ dadurch {x}{unit} und „{b}“ verliert ebenso viel, wer immer zuerst sitzt "
        "({ends}; {n} Spiele)."
    ),
    "It is worth more to one side than to the other: “{a:o}” {x:n}{unit:u}, “{b:o}” {y:n}{more:u} (carried by the best "
    "answers found).": (
        "Es ist der einen Seite mehr wert als der anderen: „{a}“ {x}{unit}, „{b}“ {y}{more} (von den besten gefundenen "
        "Antworten getragen)."
    ),
    "It is worth more to one side than to the other: “{a:o}” {x:n}{unit:u}, “{b:o}” {y:n}{more:u} (exact).": (
        "Es ist der einen Seite mehr wert als der anderen: „{a}“ {x}{unit}, „{b}“ {y}{more} (exakt)."
    ),
    "If the sides should fare as before, give the other one something for it, or let it act for either in turn.": (
        "Wenn es den Seiten gehen soll wie zuvor: der anderen etwas dafür geben oder es abwechselnd für beide wirken "
        "lassen."
    ),
    "of {n:n} ways to use it when asked for {phase} none is better than all of them mixed, but the best one of the "
    "moment beats the worst by {x:n}": (
        "nach {phase} gefragt, ist von {n} Arten, es zu nutzen, keine besser als alle gemischt, doch die "
        "beste des Augenblicks schlägt die schlechteste um {x}"
    ),
    "of {n:n} ways to use it when asked “{question}” none is better than all of them mixed, but the best one of the "
    "moment beats the worst by {x:n}": (
        "auf die Frage „{question}“ ist von {n} Arten, es zu nutzen, keine besser als alle gemischt, doch die "
        "beste des Augenblicks schlägt die schlechteste um {x}"
    ),
    "asked “{question}”, none of {n:n} answers is better than the mixture of all, but the best one of the moment beats "
    "the worst by {x:n}": (
        "auf die Frage „{question}“ ist keine von {n} Antworten besser als die Mischung aller, doch die beste des "
        "Augenblicks schlägt die schlechteste um {x}"
    ),
    "asked for {phase}, none of {n:n} answers is better than the mixture of all, but the best one of the moment beats "
    "the worst by {x:n}": (
        "nach {phase} gefragt, ist keine von {n} Antworten besser als die Mischung aller, doch die beste des "
        "Augenblicks schlägt die schlechteste um {x}"
    ),
    "{told:p} ({ends:p})": "{told} ({ends})",
    "a game lasts {a:p} instead of {b:p}": "ein Spiel dauert {a} statt {b}",
    "{a:p} of the games are drawn instead of {b:p}": "{a} der Spiele enden remis statt {b}",
    "{a:p} of the games are stopped by the limit of decisions instead of {b:p}": (
        "{a} der Spiele beendet die Grenze der Entscheidungen statt {b}"
    ),
    "the deal decides {a:p} of the results' variance instead of {b:p}": (
        "die Gabe entscheidet {a} der Streuung der Ergebnisse statt {b}"
    ),
    "a stronger level scores {a:p} against the one below it instead of {b:p}": (
        "eine stärkere Stufe holt {a} gegen die darunter statt {b}"
    ),
    "twice the search scores {a:p} instead of {b:p}": "doppelte Suche holt {a} statt {b}",
    "the winner was behind at some time in {a:p} of the games instead of {b:p}": (
        "in {a} der Spiele lag der Sieger einmal zurück statt in {b}"
    ),
    "the lead changes {a:p} a game instead of {b:p}": "die Führung wechselt {a} je Spiel statt {b}",
    "sitting first is worth {a:p} instead of {b:p}": "zuerst zu sitzen ist {a} wert statt {b}",
    "the equilibrium amounts to {a:p} that differ instead of {b:p}": (
        "das Gleichgewicht entspricht {a}, die sich unterscheiden, statt {b}"
    ),
    "{a:p} of the differences of strategies are cyclic instead of {b:p}": (
        "{a} der Unterschiede von Strategien laufen im Kreis statt {b}"
    ),
    "{a:p} a game matter instead of {b:p}": "{a} je Spiel zählen statt {b}",
}
ADVICE = {  # advice.py
    "Go on with the test: the same command with --resume.": "Die Prüfung fortsetzen: derselbe Befehl mit --resume.",
    "Nothing is known yet: test again with `--budget {name}`.": (
        "Noch ist nichts bekannt: noch einmal prüfen mit `--budget {name}`."
    ),
    "Whether that counts is not known yet: test again with `--budget {name}`.": (
        "Ob das zählt, ist noch nicht bekannt: noch einmal prüfen mit `--budget {name}`."
    ),
    "Whether that counts no larger --budget need decide: go by what it does to the game, and how it is used.": (
        "Ob das zählt, muss kein größeres --budget entscheiden: danach gehen, was es mit dem Spiel macht und wie es "
        "genutzt wird."
    ),
    "Nothing is known yet, and a larger --budget need not decide it: go by what it does to the game and by how it is "
    "used, or make its effect larger and test again.": (
        "Noch ist nichts bekannt, und ein größeres --budget muss es nicht entscheiden: danach gehen, was es mit dem "
        "Spiel macht und wie es genutzt wird, oder seine Wirkung vergrößern und noch einmal prüfen."
    ),
    "Using it is always right, so that nothing is decided: let it cost something in some situations, or let it work by "
    "itself.": (
        "Es zu nutzen ist immer richtig, also wird nichts entschieden: es in manchen Lagen etwas kosten oder von "
        "selbst wirken lassen."
    ),
    "Asked “{question}”, “{answer}” is always right, so that nothing is decided: let the other answers gain something, "
    "or leave the question out.": (
        "Auf die Frage „{question}“ ist „{answer}“ immer richtig, also wird nichts entschieden: die anderen Antworten "
        "etwas gewinnen lassen oder die Frage weglassen."
    ),
    "Asked for {phase}, “{answer}” is always right, so that nothing is decided: let the other answers gain something, "
    "or leave the question out.": (
        "Nach {phase} gefragt, ist „{answer}“ immer richtig, also wird nichts entschieden: die anderen Antworten etwas "
        "gewinnen lassen oder die Frage weglassen."
    ),
    "As it changed nothing in {n:n} games of random play, and no use of it did in games of strong play, that is the "
    "luck of learning, and counts as nothing.": (
        "Da es in {n} Spielen zufälliger Spielweise nichts geändert hat, und kein Gebrauch in Spielen starker "
        "Spielweise, ist das das Glück des Lernens und zählt als nichts."
    ),
    "It declares no piece of the observation: what it remembers or throws, learners cannot go by.": (
        "Es deklariert kein Stück der Beobachtung: Nach dem, was es sich merkt oder würfelt, können Lernende sich "
        "nicht richten."
    ),
    "If its use should, declare one, write it in `observe`, and test again.": (
        "Soll sich der Gebrauch danach richten, eines deklarieren, es in `observe` schreiben und noch einmal testen."
    ),
    "Solved games say that its use pays; the strategies found do not show when.": (
        "Gelöste Spiele sagen, dass sich sein Gebrauch lohnt; die gefundenen Strategien zeigen nicht, wann."
    ),
    "These payments are those of the strategies found.": "Diese Auszahlungen sind die der gefundenen Strategien.",
    "Make its use cheaper or its effect larger until some use gains, or leave it out.": (
        "Den Gebrauch billiger oder die Wirkung größer machen, bis er sich irgendwo lohnt, oder das Modul weglassen."
    ),
    "Give the other seat something for it, or let the seats have it in turn; then look at the seat again.": (
        "Dem anderen Platz etwas dafür geben oder die Plätze es abwechselnd haben lassen; dann noch einmal prüfen."
    ),
    "Nothing has to be balanced: what its holder gains does not count.": (
        "Auszugleichen ist nichts: Was gewinnt, wer es hat, zählt nicht."
    ),
    "Nothing has to be balanced: what its holder loses does not count.": (
        "Auszugleichen ist nichts: Was verliert, wer es hat, zählt nicht."
    ),
    "Nothing has to be balanced: whoever has it is neither better nor worse off.": (
        "Auszugleichen ist nichts: Wer es hat, steht sich weder besser noch schlechter."
    ),
    "What the sides are paid changes by it: decide whether it should.": (
        "Was die Seiten bekommen, ändert sich durch es: entscheiden, ob es das soll."
    ),
    "Whether to use it is no decision: let its use cost something, so that it pays in some situations alone; then test "
    "again.": (
        "Ob man es nutzt, ist keine Entscheidung: den Gebrauch etwas kosten lassen, sodass er sich nur in manchen "
        "Lagen lohnt; dann noch einmal testen."
    ),
    "It shows in wins alone, so that no price in payoffs is known for it: look at the share of draws and at the games "
    "that it turns, and whether they should be settled like that.": (
        "Es zeigt sich nur an den Siegen, sodass kein Preis in Auszahlungen bekannt ist: nachsehen, wie viele Spiele "
        "unentschieden ausgehen und welche es wendet, und ob sie so entschieden werden sollen."
    ),
    "Nothing has to be balanced as far as was seen: it changed nothing.": (
        "Auszugleichen ist, soweit zu sehen war, nichts: Es änderte nichts."
    ),
    "Among the strategies found nothing has to be balanced; the best answers to them leave room for what counts, from "
    "{x:n} to {y:n}{unit:u}.": (
        "Unter den gefundenen Strategien ist nichts auszugleichen; die besten Antworten auf sie lassen Raum für etwas, "
        "das zählt, von {x} bis {y}{unit}."
    ),
    "Among the strategies found nothing has to be balanced; the best answers to them leave room for what counts, from "
    "{x:n} to {y:n}{unit:u}, which a larger --budget may narrow.": (
        "Unter den gefundenen Strategien ist nichts auszugleichen; die besten Antworten auf sie lassen Raum für etwas, "
        "das zählt, von {x} bis {y}{unit}, den ein größeres --budget verringern kann."
    ),
    "None of its actions was ever to be had, in random play either: look whether the hook that offers them, or asks, "
    "is called in this game and scenario (`probespiel hooks SYSTEM` tells when), and whether its condition comes "
    "true.": (
        "Keine seiner Aktionen stand je zur Wahl, auch in Zufallsspielen nicht: nachsehen, ob der Haken, der sie "
        "anbietet oder fragt, in diesem Spiel und Szenario aufgerufen wird (`probespiel hooks SYSTEM` sagt, wann), "
        "und ob seine Bedingung eintritt."
    ),
    "If it is meant to do something here, look whether what it waits for comes up in this scenario and whether "
    "anything goes by what it changes; else test it in a scenario or a game where that is so (`probespiel games` lists "
    "them).": (
        "Soll es hier etwas bewirken, dann nachsehen, ob in diesem Szenario vorkommt, worauf es wartet, und ob sich "
        "etwas nach dem richtet, was es ändert; sonst es in einem Szenario oder Spiel prüfen, wo das so ist "
        "(`probespiel games` zählt sie auf)."
    ),
    "Nothing has to be balanced between the sides; but what they are paid changes: decide whether it should.": (
        "Zwischen den Seiten ist nichts auszugleichen; aber was ihnen ausgezahlt wird, ändert sich: entscheiden, ob es "
        "das soll."
    ),
    "Its holder falls behind by {x:n}{unit:u}, but is paid no less: the others gain by it.": (
        "Wer es hat, fällt um {x}{unit} zurück, bekommt aber nicht weniger: Die anderen gewinnen dadurch."
    ),
    "Its holder falls behind by {x:n}{unit:u}, as much as about {n:n} {many:p} fewer at the start, but is paid no "
    "less: the others gain by it.": (
        "Wer es hat, fällt um {x}{unit} zurück, so viel wie etwa {n} {many} weniger zu Beginn, bekommt aber nicht "
        "weniger: Die anderen gewinnen dadurch."
    ),
    "Its holder falls behind by {x:n}{unit:u}, as much as at least {n:n} {many:p} fewer at the start, but is paid no "
    "less: the others gain by it.": (
        "Wer es hat, fällt um {x}{unit} zurück, so viel wie mindestens {n} {many} weniger zu Beginn, bekommt aber "
        "nicht weniger: Die anderen gewinnen dadurch."
    ),
    "Give its holder as much, or the others less.": "Ihm ebenso viel geben, oder den anderen weniger.",
    "Read the verdict on the game; to give it to one side alone, declare it without `table=`.": (
        "Das Urteil über das Spiel lesen; soll eine Seite es allein haben, es ohne `table=` deklarieren."
    ),
    "Mend the rule: it cannot set a game up.": "Die Regel reparieren: Sie kann kein Spiel aufbauen.",
    "Look at the game that shows it, mend the rule there, and test again: {command}.": (
        "Das Spiel ansehen, das es zeigt, die Regel dort reparieren und erneut prüfen: {command}."
    ),
    "Among the strategies found it is worth {x:n}{unit:u} to its holder, beyond what it costs: a cost that is worth as "
    "much makes it neutral.": (
        "Unter den gefundenen Strategien ist es {x}{unit} mehr wert, als es kostet: Ein Preis, der ebenso viel wert "
        "ist, macht es neutral."
    ),
    "Among the strategies found it is worth {x:n}{unit:u} to its holder, beyond what it costs, as much as about {n:n} "
    "{many:p} more at the start: a cost that is worth as much makes it neutral.": (
        "Unter den gefundenen Strategien ist es {x}{unit} mehr wert, als es kostet, so viel wie etwa {n} {many} mehr "
        "zu Beginn: Ein Preis, der ebenso viel wert ist, macht es neutral."
    ),
    "Among the strategies found it is worth {x:n}{unit:u} to its holder, beyond what it costs, as much as at least "
    "{n:n} {many:p} more at the start: a cost that is worth as much makes it neutral.": (
        "Unter den gefundenen Strategien ist es {x}{unit} mehr wert, als es kostet, so viel wie mindestens {n} {many} "
        "mehr zu Beginn: Ein Preis, der ebenso viel wert ist, macht es neutral."
    ),
    "It is worth {x:n}{unit:u} to its holder, beyond what it costs: a cost that is worth as much makes it neutral.": (
        "Es ist {x}{unit} mehr wert, als es kostet: Ein Preis, der ebenso viel wert ist, macht es neutral."
    ),
    "It is worth {x:n}{unit:u} to its holder, beyond what it costs, as much as about {n:n} {many:p} more at the start: "
    "a cost that is worth as much makes it neutral.": (
        "Es ist {x}{unit} mehr wert, als es kostet, so viel wie etwa {n} {many} mehr zu Beginn: Ein Preis, der ebenso "
        "viel wert ist, macht es neutral."
    ),
    "It is worth {x:n}{unit:u} to its holder, beyond what it costs, as much as at least {n:n} {many:p} more at the "
    "start: a cost that is worth as much makes it neutral.": (
        "Es ist {x}{unit} mehr wert, als es kostet, so viel wie mindestens {n} {many} mehr zu Beginn: Ein Preis, der "
        "ebenso viel wert ist, macht es neutral."
    ),
    "Its holder loses {x:n}{unit:u} by it: give something that is worth as much for it, or make it milder.": (
        "Wer es hat, verliert dadurch {x}{unit}: etwas dafür geben, das ebenso viel wert ist, oder es mildern."
    ),
    "Its holder loses {x:n}{unit:u} by it, as much as about {n:n} {many:p} fewer at the start: give something that is "
    "worth as much for it, or make it milder.": (
        "Wer es hat, verliert dadurch {x}{unit}, so viel wie etwa {n} {many} weniger zu Beginn: etwas dafür geben, das "
        "ebenso viel wert ist, oder es mildern."
    ),
    "Its holder loses {x:n}{unit:u} by it, as much as at least {n:n} {many:p} fewer at the start: give something "
    "that is worth as much for it, or make it milder.": (
        "Wer es hat, verliert dadurch {x}{unit}, so viel wie mindestens {n} {many} weniger zu Beginn: etwas dafür "
        "geben, das ebenso viel wert ist, oder es mildern."
    ),
    "Paid by its holder alone, of its own result, that is {x:n}{unit:u}: of a payment a lead loses half.": (
        "Zahlt es, wer es hat, allein vom eigenen Ergebnis, sind das {x}{unit}: Von einer Zahlung verliert ein "
        "Vorsprung die Hälfte."
    ),
    "No number was found in it that tells how much it does: declare one (`{code}`), let it {do:p}, and `{command:r}` "
    "looks for it.": (
        "Darin fand sich keine Zahl, die sagt, wie viel es tut: eine deklarieren (`{code}`), es {do} lassen, dann "
        "sucht `{command}` danach."
    ),
    "cost so much in its hook `{hook}`": "in seinem Haken `{hook}` so viel kosten",
    "cost so many hundredths in its hook `{hook}`": "in seinem Haken `{hook}` so viele Hundertstel kosten",
    "bring so much in its hook `{hook}`": "in seinem Haken `{hook}` so viel einbringen",
    "cost so much in a hook `payoff` (it needs `payoff_shift=`)": (
        "in einem Haken `payoff` (er braucht `payoff_shift=`) so viel kosten"
    ),
    "cost so many hundredths in a hook `payoff` (it needs `payoff_shift=`)": (
        "in einem Haken `payoff` (er braucht `payoff_shift=`) so viele Hundertstel kosten"
    ),
    "bring so much in a hook `payoff` (it needs `payoff_shift=`)": (
        "in einem Haken `payoff` (er braucht `payoff_shift=`) so viel einbringen"
    ),
    "bring so many hundredths in a hook `payoff` (it needs `payoff_shift=`)": (
        "in einem Haken `payoff` (er braucht `payoff_shift=`) so viele Hundertstel einbringen"
    ),
    "bring so many hundredths in its hook `{hook}`": "in seinem Haken `{hook}` so viele Hundertstel einbringen",
    "It declares no number to turn: its hook `{hook}` has one, {x:n} in line {line:n}.": (
        "Es deklariert keine Zahl, an der man drehen kann: Sein Haken `{hook}` hat eine, {x} in Zeile {line}."
    ),
    "It declares no number to turn: its hook `{hook}` has one, {x:n} in lines {lines:l}.": (
        "Es deklariert keine Zahl, an der man drehen kann: Sein Haken `{hook}` hat eine, {x} in den Zeilen {lines}."
    ),
    "It declares no number to turn: its hook `{hook}` has {count:n} of different size, first {x:n} in line {line:n}.": (
        "Es deklariert keine Zahl, an der man drehen kann: Sein Haken `{hook}` hat {count} verschiedene, zuerst {x} in "
        "Zeile {line}."
    ),
    "It declares no number to turn: its hook `{hook}` has {count:n} of different size, first {x:n} in lines "
    "{lines:l}.": (
        "Es deklariert keine Zahl, an der man drehen kann: Sein Haken `{hook}` hat {count} verschiedene, zuerst {x} in "
        "den Zeilen {lines}."
    ),
    "Make the one that is to be turned a parameter; the first (`{code}`, and `{read}` in all of them), and "
    "`{command:r}` looks for it.": (
        "Aus der, an der gedreht werden soll, einen Parameter machen; bei der ersten (`{code}`, und `{read}` in allen "
        "davon) sucht `{command}` danach."
    ),
    "Make the one that is to be turned a parameter; the first (`{code}`, and `{read}` in its place), and "
    "`{command:r}` looks for it.": (
        "Aus der, an der gedreht werden soll, einen Parameter machen; bei der ersten (`{code}`, und `{read}` an ihrer "
        "Stelle) sucht `{command}` danach."
    ),
    "If its worth goes by that, make it one (`{code}`, and `{read}` in all of them), and `{command:r}` looks for it.": (
        "Wenn sein Wert davon abhängt, daraus einen Parameter machen (`{code}`, und `{read}` in allen "
        "davon), dann sucht `{command}` danach."
    ),
    "If its worth goes by that, make it one (`{code}`, and `{read}` in its place), and `{command:r}` looks for it.": (
        "Wenn sein Wert davon abhängt, daraus einen Parameter machen (`{code}`, und `{read}` an ihrer "
        "Stelle), dann sucht `{command}` danach."
    ),
    "`{command}` looks for the value.": "`{command}` sucht den Wert.",
    "`{command}` looks for the value; others that might do: {names}; none was tried here.": (
        "`{command}` sucht den Wert; andere, die es auch könnten: {names}; hier wurde keine probiert."
    ),
    "It is used in {x:n} of the chances: {where:p}.": "Es wird bei {x} der Gelegenheiten genutzt: {where}.",
    "it clearly pays where {where:l}": "es lohnt sich klar hier: {where}",
    "no situation was found in which it clearly pays": "keine Lage wurde gefunden, in der es sich klar lohnt",
    "it does not pay where {where:l}": "hier lohnt es sich nicht: {where}",
    "no situation was found that clearly speaks against it": "keine Lage wurde gefunden, die klar dagegen spricht",
    "it only pays where {where:l}": "es lohnt sich nur hier: {where}",  # this and the next: kept in reports of before
    "no situation speaks against it": "keine Lage spricht dagegen",
    "Limit how often it can be had in a game, or let what it protects wear off; then test again.": (
        "Begrenzen, wie oft man es in einem Spiel haben kann, oder seinen Schutz schwinden lassen; dann erneut prüfen."
    ),
    "It acts by itself, so that no player can end it: let it act only for some time or so many times, or leave a way "
    "to win that it does not touch; then test again.": (
        "Es wirkt von selbst, sodass kein Spieler es beenden kann: es nur eine Zeit lang oder so viele Male wirken "
        "lassen oder einen Weg zum Sieg offen lassen, den es nicht berührt; dann erneut prüfen."
    ),
    "To make it a choice, let what the answers bring go by the situation, or something be seen before it is made; "
    "other prices alone shift the shares in which they are mixed.": (
        "Damit es eine Wahl wird, die Wirkung der Antworten von der Lage abhängen oder vorher etwas sehen lassen; "
        "andere Preise allein verschieben nur die Anteile, in denen gemischt wird."
    ),
    "It decides no lead, but what the sides are paid together: if only who wins counts, it can be left out; to let it "
    "decide something, pay one side more by it than the other.": (
        "Es entscheidet keinen Vorsprung, aber was die Seiten zusammen bekommen: Zählt nur, wer gewinnt, kann es "
        "wegbleiben; damit es etwas entscheidet, muss die eine Seite dadurch mehr bekommen als die andere."
    ),
    "The question can be left out without loss; to make a choice of it, let its answers differ by more, and each of "
    "them be right at times.": (
        "Die Frage kann ohne Verlust wegbleiben; soll sie eine Wahl sein, müssen sich ihre Antworten um mehr "
        "unterscheiden und jede von ihnen zuweilen richtig sein."
    ),
    "Its actions can be left out without loss; to keep them, give them an effect.": (
        "Seine Aktionen können ohne Verlust wegbleiben; sollen sie bleiben, brauchen sie eine Wirkung."
    ),
    "Nothing has to be done for the game as a whole.": "Für das Spiel als Ganzes ist nichts zu tun.",
    "`--budget {name}` should decide, if they stay where they are: {names:s}.": (
        "`--budget {name}` dürfte entscheiden, wenn sie bleiben, wo sie sind: {names}."
    ),
    "No larger budget of the lab is sure to decide: {names:s}.": (
        "Kein größeres Budget des Labors entscheidet sicher: {names}."
    ),
    "A larger --budget narrows the intervals that are not sure yet.": (
        "Ein größeres --budget verengt die Intervalle, die noch nicht sicher sind."
    ),
    "If games should not last longer, end them sooner by as much, or let it be used less often.": (
        "Sollen Spiele nicht länger dauern, sie um so viel früher enden oder es seltener nutzen lassen."
    ),
    "If games should not last longer, end them sooner by as much, or let it act less often.": (
        "Sollen Spiele nicht länger dauern, sie um so viel früher enden oder es seltener wirken lassen."
    ),
    "If games should not be shorter, weaken what ends them.": (
        "Sollen Spiele nicht kürzer werden, schwächen, was sie beendet."
    ),
    # in reports that were kept
    "Settle ties that it makes by a rule of their own.": "Gleichstände, die es schafft, durch eine eigene Regel lösen.",
    "If fewer games should be drawn, settle ties by a rule of their own.": (
        "Sollen weniger Spiele remis enden, Gleichstände durch eine eigene Regel lösen."
    ),
    "If choices should decide more, let it depend on them instead of on the deal.": (
        "Sollen Entscheidungen mehr zählen, es von ihnen statt von der Gabe abhängen lassen."
    ),
    "Better players gain less than before: look at which decisions it takes from them.": (
        "Bessere Spieler gewinnen weniger als zuvor: nachsehen, welche Entscheidungen es ihnen nimmt."
    ),
    "Give the last seat something for it.": "Dem letzten Platz etwas dafür geben.",
    "Give the first seat something for it.": "Dem ersten Platz etwas dafür geben.",
    "Fewer decisions matter: look at which ones it settles beforehand.": (
        "Weniger Entscheidungen zählen: nachsehen, welche es vorwegnimmt."
    ),
    "Fewer strategies are left: look in the table of strategies at what dominates them.": (
        "Weniger Strategien bleiben übrig: in der Tabelle der Strategien nachsehen, was sie dominiert."
    ),
    "If that is what it is meant for, nothing has to be done.": "Wenn es dafür gedacht ist, ist nichts zu tun.",
}
FAULTS = {  # breakage.py
    "a seat that owes a decision has no legal action": "ein Platz, der am Zug ist, hat keine erlaubte Aktion",
    "the game goes on, but nobody is asked": "das Spiel geht weiter, aber niemand wird gefragt",
    "the game does not end: it was stopped after {n:n} decisions": (
        "das Spiel endet nicht: es wurde nach {n} Entscheidungen beendet"
    ),
    "the game had to be stopped after {n:n} decisions: a question raised questions without end": (
        "das Spiel musste nach {n} Entscheidungen beendet werden: eine Frage warf endlos Fragen auf"
    ),
    "the position after decision {a:n} comes back after decision {b:n}: the game can go on for ever": (
        "die Lage nach Entscheidung {a} kehrt nach Entscheidung {b} wieder: das Spiel kann ewig dauern"
    ),
    "a payoff is no number, or lies far outside of the range that the game declares": (
        "eine Auszahlung ist keine Zahl oder liegt weit außerhalb des Bereichs, den das Spiel angibt"
    ),
    "an observation lies outside of the range that it declares": (
        "eine Beobachtung liegt außerhalb des Bereichs, den sie angibt"
    ),
    "an observation lies outside of the range that it declares: {field:f} ({meaning}) is {x:n}, its values are "
    "{values}; it is written in {place}": (
        "eine Beobachtung liegt außerhalb des Bereichs, den sie angibt: {field} ({meaning}) ist {x}, Werte sind "
        "{values}; geschrieben wird es in {place}"
    ),
    "an observation lies outside of the range that it declares: {field:f} ({meaning}) is {x:n}, its values are "
    "{values}": (
        "eine Beobachtung liegt außerhalb des Bereichs, den sie angibt: {field} ({meaning}) ist {x}, Werte sind "
        "{values}"
    ),
    "an observation lies outside of the range that it declares: piece {name:f} holds {x:n}, its range is {low:n} to "
    "{high:n}": (
        "eine Beobachtung liegt außerhalb des Bereichs, den sie angibt: das Stück {name} enthält {x}, der Bereich geht "
        "von {low} bis {high}"
    ),
    "{name} of the module reached {x:n} in a game of {n:n} decisions": (
        "{name} des Moduls erreichte {x} in einem Spiel von {n} Entscheidungen"
    ),
    "the rules never return {doing:p} (after {n:n} decisions)": (
        "die Regeln kehren nie zurück, {doing} (nach {n} Entscheidungen)"
    ),
    "the rules never return {doing:p}": "die Regeln kehren nie zurück, {doing}",
    "the rules bring the process down ({why}) {doing:p} (after {n:n} decisions)": (
        "die Regeln bringen den Prozess zum Absturz ({why}), {doing} (nach {n} Entscheidungen)"
    ),
    "the rules bring the process down ({why}) {doing:p} (after {n:n} decisions): {place:r}": (
        "die Regeln bringen den Prozess zum Absturz ({why}), {doing} (nach {n} Entscheidungen): {place}"
    ),
    "The games could not be solved in time; what they are worth is estimated.": (
        "Die Spiele ließen sich nicht in der Zeit lösen; was sie wert sind, ist geschätzt."
    ),
    "The games could not be solved (its process ended with exit code {n:n}); what they are worth is estimated.": (
        "Die Spiele ließen sich nicht lösen (ihr Prozess endete mit Code {n}); was sie wert sind, ist geschätzt."
    ),
    "The games could not be solved (its process was ended by {name}); what they are worth is estimated.": (
        "Die Spiele ließen sich nicht lösen (ihr Prozess wurde von {name} beendet); was sie wert sind, ist geschätzt."
    ),
    "The games could not be solved (its process broke the connection); what they are worth is estimated.": (
        "Die Spiele ließen sich nicht lösen (ihr Prozess brach die Verbindung ab); was sie wert sind, ist geschätzt."
    ),
    "while payoffs were worked out": "während Auszahlungen berechnet wurden",
    "while the game was set up": "während das Spiel aufgebaut wurde",
    "while a seat's legal actions were listed": "während die erlaubten Aktionen eines Platzes gesammelt wurden",
    "while the last action was entered": "während die letzte Aktion ausgeführt wurde",
    "while a seat's observation was written": "während die Beobachtung eines Platzes geschrieben wurde",
    "{file:f}: module {name}: hook '{hook}' answered {x}, allowed are {ends}, {doing:p}": (
        "{file}: Modul {name}: Haken „{hook}“ antwortete {x}, erlaubt sind {ends}, {doing}"
    ),
    "{file:f}: module {name}: hook '{hook}' moved a payoff by {x}, payoff_shift is {most:n}, {doing:p}": (
        "{file}: Modul {name}: Haken „{hook}“ verschob eine Auszahlung um {x}, payoff_shift ist {most}, {doing}"
    ),
    "{file:f}: module {name}: hook '{hook}' raised {error:r}": "{file}: Modul {name}: Haken „{hook}“ brach ab mit "
    "{error}",
    "The rules broke so that the test could not go on.": (
        "Die Regeln gingen so kaputt, dass die Prüfung nicht weitergehen konnte."
    ),
    "Games of this kind take long: {x:n} of what the budget holds was played and learned, so that the test ends in its "
    "time.": (
        "Spiele dieser Art dauern lange: Gespielt und gelernt wurden {x} dessen, was das Budget enthält, damit der "
        "Test in seiner Zeit endet."
    ),
    "So that the test ends in its time, the weakest heuristic was left out: {names:l}.": (
        "Damit der Test in seiner Zeit endet, wurde die schwächste Heuristik ausgelassen: {names}."
    ),
    "So that the test ends in its time, the weakest {n:n} heuristics were left out: {names:l}.": (
        "Damit der Test in seiner Zeit endet, wurden die {n} schwächsten Heuristiken ausgelassen: {names}."
    ),
    "Intervals of what is played are about {n:n} times as wide by that, and learners have learned from less; a larger "
    "budget plays more.": (
        "Intervalle dessen, was gespielt wird, sind dadurch etwa {n}-mal so weit, und Lernende haben aus weniger "
        "gelernt; ein größeres Budget spielt mehr."
    ),
    "This test was interrupted; what was not finished is missing.": (
        "Diese Prüfung wurde abgebrochen; was nicht fertig war, fehlt."
    ),
    "The module could not be compiled; it runs thousands of times slower, and little is known.": (
        "Das Modul ließ sich nicht übersetzen; es läuft tausendmal langsamer, und wenig ist bekannt."
    ),
    "rule set {hash}: not compilable, it runs interpreted and slowly: {why:r}": (
        "Regelsatz {hash}: nicht übersetzbar, er läuft interpretiert und langsam: {why}"
    ),
}
WORDS = {  # words.py
    "{n:n} games": "{n} Spiele",
    "It concerns the whole table, so that nobody has it alone and nobody gains by having it.": (
        "Es betrifft den ganzen Tisch, also hat es niemand allein und gewinnt niemand dadurch, es zu haben."
    ),
    "By its being there results change: {sides:l}, a game (the games were solved).": (
        "Dadurch, dass es da ist, ändern sich Ergebnisse: {sides} je Spiel (die Spiele wurden gelöst)."
    ),
    "By its being there results do not change: {sides:l}, a game (the games were solved).": (
        "Dadurch, dass es da ist, ändern sich Ergebnisse nicht: {sides} je Spiel (die Spiele wurden gelöst)."
    ),
    "By its being there results change: {sides:l}, a game ({n:n} games on the same deals both times).": (
        "Dadurch, dass es da ist, ändern sich Ergebnisse: {sides} je Spiel ({n} Spiele, beide Male dieselben Gaben)."
    ),
    "By its being there results are not shown to change: {sides:l}, a game ({n:n} games on the same deals both "
    "times).": (
        "Dass sich Ergebnisse dadurch ändern, dass es da ist, ist nicht gezeigt: {sides} je Spiel ({n} Spiele, beide "
        "Male dieselben Gaben)."
    ),
    "Right is here what gains a lead over the others: where all answer so, they are paid {x:n}{unit:u} by it on the "
    "average, and whether another answer would be paid better no lead tells.": (
        "Richtig ist hier, was einen Vorsprung vor den anderen bringt: Antworten alle so, bekommen sie dadurch im "
        "Mittel {x}{unit}, und ob eine andere Antwort besser ausgezahlt würde, sagt kein Vorsprung."
    ),
    "Whoever has it alone gains {x:n}{unit:u} a game against {rivals:p} (exact: the games were solved, both sides play "
    "best).": (
        "Wer es allein hat, gewinnt {x}{unit} je Spiel gegen {rivals} (exakt: die Spiele wurden gelöst, beide Seiten "
        "spielen bestmöglich)."
    ),
    "Whoever has it alone loses {x:n}{unit:u} a game against {rivals:p} (exact: the games were solved, both sides play "
    "best).": (
        "Wer es allein hat, verliert {x}{unit} je Spiel gegen {rivals} (exakt: die Spiele wurden gelöst, beide Seiten "
        "spielen bestmöglich)."
    ),
    "Whoever has it alone loses {x:n}{unit:u} a game against {rivals:p} ({ends:i}; {n:n} games on the same deals both "
    "times, {both:p}).": (
        "Wer es allein hat, verliert {x}{unit} je Spiel gegen {rivals} ({ends}; {n} Spiele, beide Male dieselben "
        "Gaben, {both})."
    ),
    "Shares of wins are those of the strategies that were found.": (
        "Anteile der Siege sind die der gefundenen Strategien."
    ),
    "These make {x:n}{unit:u} of it ({ends:i}): what is told below of its use, of players and of games is true of "
    "those who have not found all that it is good for.": (
        "Diese machen {x}{unit} daraus ({ends}): was unten von seinem Gebrauch, von Spielern und von Spielen erzählt "
        "wird, gilt für solche, die nicht alles gefunden haben, wofür es gut ist."
    ),
    "These make {x:n}{unit:u} of it ({ends:i}), more than the others leave who play best: what is told below of its "
    "use, of players and of games is true where they have not found what to do about it.": (
        "Diese machen {x}{unit} daraus ({ends}), mehr, als die anderen bei bestem Spiel zulassen: was unten von seinem "
        "Gebrauch, von Spielern und von Spielen erzählt wird, gilt, wo sie nicht gefunden haben, was dagegen hilft."
    ),
    "Whoever has it alone gains {x:n}{unit:u} a game against {rivals:p} ({ends:i}; {n:n} games on the same deals both "
    "times, {both:p}).": (
        "Wer es allein hat, gewinnt {x}{unit} je Spiel gegen {rivals} ({ends}; {n} Spiele, beide Male dieselben Gaben, "
        "{both})."
    ),
    "Whoever has it alone is not shown to gain or to lose: {x:n}{unit:u} a game against {rivals:p} ({ends:i}; {n:n} "
    "games on the same deals both times, {both:p}).": (
        "Dass gewinnt oder verliert, wer es allein hat, ist nicht gezeigt: {x}{unit} je Spiel gegen {rivals} ({ends}; "
        "{n} Spiele, beide Male dieselben Gaben, {both})."
    ),
    "Payoffs need not add up to nothing here: gains are half of what the lead over the others grows by.": (
        "Auszahlungen müssen sich hier nicht aufheben: Gewinne sind die Hälfte dessen, um was der Vorsprung vor den "
        "anderen wächst."
    ),
    "Counted as it is paid and not as a lead, whoever has it alone gets {own:n}{unit:u} ({ends:i}) by it, each other "
    "side {other:n}{unit2:u} ({ends2:i}); where all have it, the mean of all is {all:n}{unit3:u} ({ends3:i}).": (
        "So gezählt, wie ausgezahlt wird, und nicht als Vorsprung: Wer es allein hat, bekommt dadurch {own}{unit} "
        "({ends}), jede andere Seite {other}{unit2} ({ends2}); haben es alle, ist es im Mittel {all}{unit3} ({ends3})."
    ),
    "Counted as it is paid and not as a lead, whoever has it alone gets {own:n}{unit:u} ({ends:i}) by it, the other "
    "side {other:n}{unit2:u} ({ends2:i}); where all have it, the mean of all is {all:n}{unit3:u} ({ends3:i}).": (
        "So gezählt, wie ausgezahlt wird, und nicht als Vorsprung: Wer es allein hat, bekommt dadurch {own}{unit} "
        "({ends}), die andere Seite {other}{unit2} ({ends2}); haben es beide, ist es im Mittel {all}{unit3} ({ends3})."
    ),
    "Counted as it is paid and not as a lead, the sides get {all:n}{unit:u} ({ends:i}) by it on the average.": (
        "So gezählt, wie ausgezahlt wird, und nicht als Vorsprung: Die Seiten bekommen dadurch im Mittel {all}{unit} "
        "({ends})."
    ),
    "As it is paid, a use brings its user {x:n}{unit:u} (± {e:n}); its lead over the others changes by {y:n}{more:u} "
    "by it, too little to count.": (
        "So gezählt, wie ausgezahlt wird, bringt ein Gebrauch dem, der es nutzt, {x}{unit} (± {e}); sein Vorsprung vor "
        "den anderen ändert sich dadurch um {y}{more}, zu wenig, um zu zählen."
    ),
    "As it is paid, a use brings its user's side, in the mean of its seats, {x:n}{unit:u} (± {e:n}); its lead over the "
    "others changes by {y:n}{more:u} by it, too little to count.": (
        "So gezählt, wie ausgezahlt wird, bringt ein Gebrauch der Seite dessen, der es nutzt, im Mittel ihrer Plätze "
        "{x}{unit} (± {e}); ihr Vorsprung vor den anderen ändert sich dadurch um {y}{more}, zu wenig, um zu zählen."
    ),
    "As it is paid, a use brings its user's side, in the mean of its seats, {x:n}{unit:u} (± {e:n}): no lead over the "
    "others comes of it.": (
        "So, wie ausgezahlt wird, bringt ein Gebrauch der Seite dessen, der es nutzt, im Mittel ihrer Plätze {x}{unit} "
        "(± {e}): Ein Vorsprung vor den anderen wird nicht daraus."
    ),
    "Of {n:n} sides {names:l} had it; what it is worth to the others was not asked: {how:p}.": (
        "Von {n} Seiten hatten es {names}; was es den anderen wert ist, wurde nicht gefragt: {how}."
    ),
    "Of {n:n} sides {name} alone had it; what it is worth to the others was not asked: {how:p}.": (
        "Von {n} Seiten hatte es {name} allein; was es den anderen wert ist, wurde nicht gefragt: {how}."
    ),
    "`--param seats=[{seat:n}]` asks of {name}": "`--param seats=[{seat}]` fragt nach {name}",
    "`--param seats=[...]` asks of others": "`--param seats=[...]` fragt nach anderen",
    "Sides have up to {n:n} seats: what a side gains is the mean of its seats.": (
        "Seiten haben bis zu {n} Plätze: Was eine Seite gewinnt, ist das Mittel ihrer Plätze."
    ),
    "As it is paid, a use brings its user {x:n}{unit:u} (± {e:n}): no lead over the others comes of it.": (
        "So, wie ausgezahlt wird, bringt ein Gebrauch dem, der es nutzt, {x}{unit} (± {e}): Ein Vorsprung vor den "
        "anderen wird nicht daraus."
    ),
    "That interval is one among the strategies found: it counts the luck of the deals and how far the learners' few "
    "seeds are apart, not what all of them miss.": (
        "Diese Spanne gilt unter den gefundenen Strategien: Sie zählt das Glück der Gaben und wie weit die wenigen "
        "Startwerte der Lernenden auseinander liegen, nicht was ihnen allen entgeht."
    ),
    "the same opponents without it": "dieselben Gegner ohne es",
    "the same tasks without it": "dieselben Aufgaben ohne es",
    "both sides trained anew": "beide Seiten neu trainiert",
    "trained anew": "neu trainiert",
    "the same strategies": "dieselben Strategien",
    "What having it is worth comes by itself, and not by its actions.": (
        "Was es wert ist, es zu haben, kommt von selbst und nicht durch seine Aktionen."
    ),
    "that is what the best answers to it are paid that were found": "so viel bekommen die besten gefundenen Antworten",
    "It does nothing but pay: in {x:n} games of random play all else stood as without it, whatever was answered. It is "
    "worth what it pays, the same every time, to a heuristic that answers it as the best of the learners does, "
    "leaves it alone, or uses it whenever it can, whichever pays most.": (
        "Es tut nichts, als zu zahlen: In {x} Spielen mit zufälligen Zügen stand alles andere wie ohne es, was auch "
        "geantwortet wurde. Es ist wert, was es, jedes Mal dasselbe, einer Heuristik zahlt, die ihm antwortet wie der "
        "beste der Lernenden, es nie nutzt oder immer, wenn es geht, je nachdem, was am meisten bringt."
    ),
    "It does nothing but pay: in {x:n} games of random play all else stood as without it, whatever was answered. It is "
    "worth what it pays, on the average of its dice, to a heuristic that answers it as the best of the learners does, "
    "leaves it alone, or uses it whenever it can, whichever pays most.": (
        "Es tut nichts, als zu zahlen: In {x} Spielen mit zufälligen Zügen stand alles andere wie ohne es, was auch "
        "geantwortet wurde. Es ist wert, was es, im Mittel seiner Würfel, einer Heuristik zahlt, die ihm antwortet wie "
        "der beste der Lernenden, es nie nutzt oder immer, wenn es geht, je nachdem, was am meisten bringt."
    ),
    "It does nothing but pay, without a look at the game: what is good to play stays so, and the same strategies play "
    "with it and without.": (
        "Es tut nichts, als zu zahlen, ohne auf das Spiel zu sehen: Was gut zu spielen ist, bleibt es, und dieselben "
        "Strategien spielen mit ihm und ohne es."
    ),
    "answers to them sought anew": "Antworten auf sie neu gesucht",
    "With more than two sides a game has no value of its own. So the others stay as they are, with it and "
    "without: as they play where nobody has it, and as they play where this side has it. The interval reaches "
    "from what the best answer found without it gains by having it to what the best answer found with it loses by "
    "not having it. It assumes that there are no better answers than those found, and that the others do not "
    "change.": (
        "Mit mehr als zwei Seiten hat ein Spiel keinen Wert an sich. Darum bleiben die anderen, wie sie sind, mit "
        "ihm und ohne es: wie sie spielen, wo niemand es hat, und wie sie spielen, wo diese Seite es hat. Die "
        "Spanne reicht von dem, was die beste ohne es gefundene Antwort gewinnt, wenn sie es hat, bis zu dem, was "
        "die beste mit ihm gefundene Antwort verliert, wenn sie es nicht hat. Angenommen ist, dass es keine "
        "besseren Antworten gibt als die gefundenen und dass die anderen sich nicht ändern."
    ),
    "It cannot be a handicap: nobody has to use it, and in {n:n} games of random play in which nobody did, all stood "
    "and was seen as without it.": (
        "Ein Nachteil kann es nicht sein: Niemand muss es anwenden, und in {n} Spielen auf gut Glück, in denen niemand "
        "das tat, stand alles so da und war alles so zu sehen wie ohne es."
    ),
    "What was measured below nothing is the luck of learning, and counts as nothing.": (
        "Was unter null gemessen wurde, ist Glück des Lernens und zählt als null."
    ),
    "The interval that holds is between {a:n} and {b:n}{unit:u} ({n:n} games for each end): what each side keeps "
    "against the best answers to it, and gains by the best answers to the other.": (
        "Die Spanne, die hält, liegt zwischen {a} und {b}{unit} (je Ende {n} Spiele): was jede Seite gegen die besten "
        "Antworten auf sie behält und mit den besten Antworten auf die andere gewinnt."
    ),
    "It assumes that there are no better answers than those found, and nothing about how well both play.": (
        "Sie setzt voraus, dass es keine besseren Antworten gibt als die gefundenen, und nichts darüber, wie gut beide "
        "spielen."
    ),
    "It assumes that the strategies found with it and without are equally close to the best there are: where nobody "
    "answers them, no bounds are known.": (
        "Vorausgesetzt ist, dass die mit ihm und ohne es gefundenen Strategien den besten gleich nahe sind: Wo niemand "
        "auf sie antwortet, sind keine Schranken bekannt."
    ),
    "Its share of wins (draws count half) goes from {a:n} to {b:n}; the odds of winning are multiplied by {x:n} "
    "({ends:i}).": (
        "Sein Anteil der Siege (Remis zählen halb) geht von {a} auf {b}; Siege zu Niederlagen stehen im {x}-fachen "
        "Verhältnis ({ends})."
    ),
    "Its share of results above the middle of the range goes from {a:n} to {b:n}; the odds of winning are multiplied "
    "by {x:n} ({ends:i}).": (
        "Sein Anteil der Ergebnisse über der Mitte des Bereichs geht von {a} auf {b}; Siege zu Niederlagen stehen im "
        "{x}-fachen Verhältnis ({ends})."
    ),
    "For “{side:o}” it is worth {what:p}.": "Für „{side}“ ist es {what} wert.",
    "nothing or more": "nichts oder mehr",
    "nothing or less": "nichts oder weniger",
    "nothing or more (the scale ends there)": "nichts oder mehr (dort endet die Skala)",
    "nothing or less (the scale ends there)": "nichts oder weniger (dort endet die Skala)",
    "more than {x:n} {many:p}": "mehr als {x} {many}",
    "less than {x:n} {many:p}": "weniger als {x} {many}",
    "no {many:p} that are shown": "keine nachweisbaren {many}",
    "no {many:p} that are shown ({ends:p}; {n:n} games)": "keine nachweisbaren {many} ({ends}; {n} Spiele)",
    "{x:n} {many:p} ({ends:p}; {n:n} games)": "{x} {many} ({ends}; {n} Spiele)",
    "{x:n} {many:p}": "{x} {many}",
    "Against an opponent who has it too, it is worth {x:n}{unit:u} to “{side:o}” ({ends:i}).": (
        "Gegen einen Gegner, der es auch hat, ist es für „{side}“ {x}{unit} wert ({ends})."
    ),
    "Against an opponent who has it too, it is not shown to be worth anything to “{side:o}”: {x:n}{unit:u} "
    "({ends:i}).": (
        "Gegen einen Gegner, der es auch hat, ist nicht gezeigt, dass es für „{side}“ etwas wert ist: {x}{unit} "
        "({ends})."
    ),
    "It has no actions: it works by itself, and nobody decides about its use.": (
        "Es hat keine Aktionen: Es wirkt von selbst, und niemand entscheidet über seinen Gebrauch."
    ),
    "It was never offered in {n:n} games of the strongest play.": (
        "In {n} Spielen der stärksten Spielweise wurde es nie angeboten."
    ),
    "The strongest strategies use it in {x:n} of {n:n} opportunities, and in {a:n} of the {b:n} games (of {all:n}) in "
    "which it was offered.": (
        "Die stärksten Strategien nutzen es bei {x} von {n} Gelegenheiten, und in {a} der {b} Spiele (von {all}), in "
        "denen es angeboten wurde."
    ),
    "The strongest strategies use it in {x:n} of {n:n} opportunities ({e:p}), and in {a:n} of the {b:n} games "
    "(of {all:n}) in which it was offered.": (
        "Die stärksten Strategien nutzen es bei {x} von {n} Gelegenheiten ({e}), und in {a} der {b} Spiele "
        "(von {all}), in denen es angeboten wurde."
    ),
    "The strongest strategies use it in {x:n} of {n:n} opportunities, and in {a:n} of the {b:n} games, in all "
    "of which it was offered.": (
        "Die stärksten Strategien nutzen es bei {x} von {n} Gelegenheiten, und in {a} von allen {b} Spielen, denn "
        "es wurde in allen angeboten."
    ),
    "The strongest strategies use it in {x:n} of {n:n} opportunities ({e:p}), and in {a:n} of the {b:n} games, in all "
    "of which it was offered.": (
        "Die stärksten Strategien nutzen es bei {x} von {n} Gelegenheiten ({e}), und in {a} von allen {b} Spielen, "
        "denn es wurde in allen angeboten."
    ),
    "Tried both ways at {a:n} opportunities of {b:n} games, a use gained {x:n}{unit:u} on the average ({ends:i}); it "
    "was the better choice in {more:n}, the worse in {less:n} of them, made no difference in the others.": (
        "Auf beide Arten versucht, bei {a} Gelegenheiten aus {b} Spielen, brachte der Gebrauch im Schnitt {x}{unit} "
        "({ends}); er war in {more} die bessere Wahl, in {less} die schlechtere, sonst machte er keinen Unterschied."
    ),
    "Tried both ways at {a:n} opportunities of {b:n} games, a use lost {x:n}{unit:u} on the average ({ends:i}); it "
    "was the better choice in {more:n}, the worse in {less:n} of them, made no difference in the others.": (
        "Auf beide Arten versucht, bei {a} Gelegenheiten aus {b} Spielen, verlor der Gebrauch im Schnitt {x}{unit} "
        "({ends}); er war in {more} die bessere Wahl, in {less} die schlechtere, sonst machte er keinen Unterschied."
    ),
    "Tried both ways at {a:n} opportunities of {b:n} games, a use gained {x:n}{unit:u} on the average (the same every "
    "time); it was the better choice in {more:n}, the worse in {less:n} of them, made no difference in the others.": (
        "Auf beide Arten versucht, bei {a} Gelegenheiten aus {b} Spielen, brachte der Gebrauch im Schnitt {x}{unit} "
        "(jedes Mal dasselbe); er war in {more} die bessere Wahl, in {less} die schlechtere, sonst machte er keinen "
        "Unterschied."
    ),
    "Tried both ways at {a:n} opportunities of {b:n} games, a use lost {x:n}{unit:u} on the average (the same every "
    "time); it was the better choice in {more:n}, the worse in {less:n} of them, made no difference in the others.": (
        "Auf beide Arten versucht, bei {a} Gelegenheiten aus {b} Spielen, verlor der Gebrauch im Schnitt {x}{unit} "
        "(jedes Mal dasselbe); er war in {more} die bessere Wahl, in {less} die schlechtere, sonst machte er keinen "
        "Unterschied."
    ),
    "A use never led to another position than not using it.": (
        "Der Gebrauch führte nie zu einer anderen Lage als der Verzicht."
    ),
    "Flag: using it is always right; there is nothing to decide.": (
        "Achtung: Es zu nutzen ist immer richtig; es gibt nichts zu entscheiden."
    ),
    "Flag: using it is always right; what is left to decide is how.": (
        "Achtung: Es zu nutzen ist immer richtig; zu entscheiden bleibt, wie."
    ),
    "Asked “{question}”, it can be used in {n:n} ways.": (
        "Auf die Frage „{question}“ lässt es sich auf {n} Arten nutzen."
    ),
    "Asked for {phase}, it can be used in {n:n} ways.": "Nach {phase} gefragt, lässt es sich auf {n} Arten nutzen.",
    "Flag: using it is never right; nobody should.": "Achtung: Es zu nutzen ist nie richtig; niemand sollte es.",
    "Whether to use it is a real decision: it pays in some situations and costs in others.": (
        "Ob man es nutzt, ist eine echte Entscheidung: In manchen Lagen lohnt es sich, in anderen kostet es."
    ),
    "Flag: no use of it gains by what counts, in no situation that was found.": (
        "Achtung: Kein Gebrauch bringt so viel, dass es zählt, in keiner Lage, die gefunden wurde."
    ),
    "To make its use a decision, let it pay in situations that can be seen, and cost in others.": (
        "Damit sein Gebrauch eine Entscheidung wird: ihn in Lagen lohnen lassen, die man sehen kann, und in anderen "
        "kosten."
    ),
    "It is a gamble: what its uses win and lose evens out.": (
        "Es ist ein Glücksspiel: Was sein Gebrauch gewinnt und verliert, gleicht sich aus."
    ),
    "Its use is a gamble: what it wins and what it loses even out on average, so that nobody gains by it.": (
        "Sein Gebrauch ist ein Glücksspiel: Was er gewinnt und was er verliert, gleicht sich im Mittel aus, sodass "
        "niemand dadurch gewinnt."
    ),
    "Flag: there is nothing to decide: nearly every use was the better choice, and none the worse.": (
        "Achtung: Es gibt nichts zu entscheiden: Fast jeder Gebrauch war die bessere Wahl und keiner die schlechtere."
    ),
    "No situation was found that speaks clearly against it.": "Keine Lage wurde gefunden, die klar dagegen spricht.",
    "For “{side:o}”, against an opponent without it: {losses:m}.": (
        "Für „{side}“, gegen einen Gegner ohne es: {losses}."
    ),
    "For “{side:o}”: {losses:m}.": "Für „{side}“: {losses}.",
    "For “{side:o}” by solved games (exact): never using it {a:p}; always using it {b:p}.": (
        "Für „{side}“ laut gelösten Spielen (exakt): Es nie zu nutzen {a}; es immer zu nutzen {b}."
    ),
    "For “{side:o}” by solved games (exact): {answers:m}.": "Für „{side}“ laut gelösten Spielen (exakt): {answers}.",
    "always “{action:o}” costs nothing": "immer „{action}“ kostet nichts",
    "always “{action:o}” costs {x:n}": "immer „{action}“ kostet {x}",
    "always “{action:o}” gains {x:n}": "immer „{action}“ bringt {x}",
    "Equally right by solved games are {names:l}.": "Gleich richtig sind laut gelösten Spielen {names}.",
    "costs nothing": "kostet nichts",
    "costs {x:n}": "kostet {x}",
    "gains {x:n}": "bringt {x}",
    "never using it costs {x:n} ({ends:i})": "es nie zu nutzen kostet {x} ({ends})",
    "always using it costs {x:n} ({ends:i})": "es immer zu nutzen kostet {x} ({ends})",
    "tossing a coin costs {x:n} ({ends:i})": "eine Münze zu werfen kostet {x} ({ends})",
    "using it blindly costs {x:n} ({ends:i})": "es blind zu nutzen kostet {x} ({ends})",
    "never using it gains {x:n} ({ends:i})": "es nie zu nutzen bringt {x} ({ends})",
    "always using it gains {x:n} ({ends:i})": "es immer zu nutzen bringt {x} ({ends})",
    "tossing a coin gains {x:n} ({ends:i})": "eine Münze zu werfen bringt {x} ({ends})",
    "using it blindly gains {x:n} ({ends:i})": "es blind zu nutzen bringt {x} ({ends})",
    "What each answer gains could not be tried.": "Was jede Antwort bringt, ließ sich nicht versuchen.",
    "Against what is usually answered there, each gains or loses: {told:l}.": (
        "Gegen das, was dort üblich ist, bringt oder kostet jede Antwort: {told}."
    ),
    "It is always {action} that is right: every other answer costs.": (
        "Immer richtig ist {action}: jede andere Antwort kostet."
    ),
    "Nearly always it is {action}, and no other answer is better.": (
        "Fast immer ist es {action}, und keine andere Antwort ist besser."
    ),
    "None is better than the mixture by what counts: no best choice, a guessing game.": (
        "Keine ist um so viel besser als die Mischung, dass es zählt: keine beste Wahl, ein Ratespiel."
    ),
    "Which one is taken of those that are given makes no difference that counts.": (
        "Welche von denen, die gegeben werden, es ist, macht keinen Unterschied, der zählt."
    ),
    "The situation tells which one is right.": "Die Lage sagt, welche richtig ist.",
    "None is shown to be better than the mixture on the average: the situation tells which one is right.": (
        "Dass eine im Schnitt besser als die Mischung ist, ist nicht gezeigt: Die Lage sagt, welche richtig ist."
    ),
    "None is shown to be better than the mixture.": "Dass eine besser als die Mischung ist, ist nicht gezeigt.",
    "On the average {action} is the best answer.": "Im Schnitt ist {action} die beste Antwort.",
    "Better than the mixture are {actions:l}: it depends on the situation.": (
        "Besser als die Mischung sind {actions}: Es hängt von der Lage ab."
    ),
    "Nobody can decline it: in all {n:n} decisions of {games:n} games in which one of its actions was legal, every "
    "legal action was one of its own.": (
        "Niemand kann es ablehnen: In allen {n} Entscheidungen aus {games} Spielen, in denen eine seiner Aktionen "
        "erlaubt war, gehörte jede erlaubte Aktion zu ihm."
    ),
    "It is neither used nor left out; what counts is which one.": (
        "Es wird weder genutzt noch ausgelassen; es zählt, welche es ist."
    ),
    "Asked “{question}”, the strongest strategies answer: {shares:l}.": (
        "Auf die Frage „{question}“ antworten die stärksten Strategien: {shares}."
    ),
    "It is the seat that tells which one is given.": "Der Platz sagt, welche gegeben wird.",
    "“{seat:o}” nearly always answers “{action}”.": "„{seat}“ antwortet fast immer „{action}“.",
    "Asked for {phase}, the strongest strategies answer: {shares:l}.": (
        "Nach {phase} gefragt, antworten die stärksten Strategien: {shares}."
    ),
    "For “{side:o}” answering blindly costs {x:n} ({ends:i}).": "Für „{side}“ kostet blindes Antworten {x} ({ends}).",
    "For “{side:o}” answering blindly gains {x:n} ({ends:i}).": "Für „{side}“ bringt blindes Antworten {x} ({ends}).",
    "With it, {lead:p} of the resamples; {n:n} games).": "Mit ihm {lead} der Stichproben; {n} Spiele).",
    "Without it, {lead:p} of the resamples; {n:n} games).": "Ohne es {lead} der Stichproben; {n} Spiele).",
    "one of {n:n} strategies is best against all that are worth playing: “{name:o}” ({x:n}": (
        "ist eine von {n} Strategien die beste gegen alle, die zu spielen sich lohnt: „{name}“ (in {x}"
    ),
    "{k:n} of {n:n} strategies fare alike and are best against all worth playing, like “{name:o}” ({x:n}": (
        "sind {k} von {n} Strategien, die gleich abschneiden, die besten gegen alle, die zu spielen sich lohnt, "
        "etwa „{name}“ (in {x}"
    ),
    "{k:n} of {n:n} strategies fare alike (they differ by less than {w:n}{unit:u} on average) and are best against "
    "all worth playing, like “{name:o}” ({x:n}": (
        "sind {k} von {n} Strategien, die gleich abschneiden (im Mittel unterscheiden sie sich um weniger als "
        "{w}{unit}), die besten gegen alle, die zu spielen sich lohnt, etwa „{name}“ (in {x}"
    ),
    "none of {n:n} strategies is best against all that are worth playing (the nearest in {x:n}": (
        "ist keine von {n} Strategien die beste gegen alle, die zu spielen sich lohnt (die nächste in {x}"
    ),
    "Worth playing is what is left when strategies that are dominated drop out again and again.": (
        "Zu spielen lohnt sich, was übrig bleibt, wenn dominierte Strategien immer wieder ausscheiden."
    ),
    "None is dominated by others or by a mixture of them.": "Keine wird von anderen oder einer Mischung dominiert.",
    "One is dominated by others or by a mixture of them: {names:s}.": (
        "Eine wird von anderen oder einer Mischung dominiert: {names}."
    ),
    "One is dominated by others or by a mixture of them (by little, as they fare alike): {names:s}.": (
        "Eine wird von anderen oder einer Mischung dominiert (um wenig, da sie gleich abschneiden): {names}."
    ),
    "{n:n} are dominated by others or by a mixture of them ({k:n} or more of them by little, as they fare "
    "alike): {names:s}.": (
        "{n} werden von anderen oder einer Mischung dominiert ({k} oder mehr davon um wenig, da sie gleich "
        "abschneiden): {names}."
    ),
    "{n:n} are dominated by others or by a mixture of them: {names:s}.": (
        "{n} werden von anderen oder einer Mischung dominiert: {names}."
    ),
    "The equilibrium amounts to {x:n} strategies ({a:i}), each of those that fare alike counted; {y:n} of the "
    "differences are cyclic ({b:i}).": (
        "Das Gleichgewicht entspricht {x} Strategien ({a}), wobei gleich gute einzeln zählen; {y} der Unterschiede "
        "laufen im Kreis ({b})."
    ),
    "The equilibrium amounts to {x:n} strategies ({a:i}), each of those that fare alike counted; {y:n} of the "
    "differences between those held to no way of using it are cyclic ({b:i}).": (
        "Das Gleichgewicht entspricht {x} Strategien ({a}), wobei gleich gute einzeln zählen; {y} der Unterschiede "
        "zwischen denen, die an keine Art des Gebrauchs gebunden sind, laufen im Kreis ({b})."
    ),
    "Intervals of the equilibrium and of cycles hold the luck of learning, as far as {a:n} learned strategies without "
    "it and {b:n} with it tell it.": (
        "Die Intervalle des Gleichgewichts und der Kreise enthalten das Glück des Lernens, soweit {a} gelernte "
        "Strategien ohne es und {b} mit ihm davon zeugen."
    ),
    "Intervals of the equilibrium and of cycles leave out the luck of learning, which too few learned strategies tell "
    "of.": (
        "Die Intervalle des Gleichgewichts und der Kreise lassen das Glück des Lernens aus, von dem zu wenige gelernte "
        "Strategien zeugen."
    ),
    "In equilibrium {x:n} of its opportunities are taken ({ends:i}).": (
        "Im Gleichgewicht werden {x} seiner Gelegenheiten genutzt ({ends})."
    ),
    "Sitting first is worth {a:n}{unit:u} without it and {b:n}{more:u} with it; the change is {x:n} (exact).": (
        "Zuerst zu sitzen ist ohne es {a}{unit} wert und mit ihm {b}{more}; die Änderung ist {x} (exakt)."
    ),
    "Sitting first is worth {a:n}{unit:u} without it and {b:n}{more:u} with it; the change is {x:n} ({ends:i}; {n:n} "
    "games).": (
        "Zuerst zu sitzen ist ohne es {a}{unit} wert und mit ihm {b}{more}; die Änderung ist {x} ({ends}; {n} Spiele)."
    ),
    "The roles of the seats could not be exchanged.": "Die Rollen der Plätze ließen sich nicht tauschen.",
    "It throws dice of its own, after which all others of a game fall otherwise: where choices decide whether they are "
    "thrown, the deal decides less although luck need not decide less.": (
        "Es wirft eigene Würfel, nach denen in einem Spiel alle anderen anders fallen: Wo Entscheidungen bestimmen, ob "
        "sie geworfen werden, entscheidet die Gabe weniger, obwohl das Glück nicht weniger entscheiden muss."
    ),
    "Both sides have learned anew to play with it: that may be the luck of what was learned.": (
        "Beide Seiten haben neu gelernt, mit ihm zu spielen: das kann das Glück des Gelernten sein."
    ),
    "The same strategies with it and without show no such change: it may be the luck of what was learned.": (
        "Dieselben Strategien mit ihm und ohne zeigen keine solche Änderung: sie kann das Glück des Gelernten sein."
    ),
    "The deal decides {a:n} (± {c:n}) of the results' variance without it and {b:n} (± {d:n}) with it; the rest is "
    "decided by choices and later chance.": (
        "Die Gabe entscheidet ohne es {a} (± {c}) der Streuung der Ergebnisse und mit ihm {b} (± {d}); den Rest "
        "entscheiden Wahl und späterer Zufall."
    ),
    "{n:n} games.": "{n} Spiele.",
    "A game lasts {a:e} decisions without it, {b:e} with it.": (
        "Ein Spiel dauert ohne es {a} Entscheidungen, mit ihm {b}."
    ),
    "Of the games {h:n} and {i:n} are drawn; {j:n} and {k:n} were stopped by the limit of decisions.": (
        "Von den Spielen enden {h} und {i} remis; {j} und {k} beendete die Grenze der Entscheidungen."
    ),
    "Of the games {j:n} and {k:n} were stopped by the limit of decisions.": (
        "Von den Spielen beendete {j} und {k} die Grenze der Entscheidungen."
    ),
    "The winner was behind at some time in {a:e} and {b:e} of the decided games; drama is {c:e} and {d:e}, the lead "
    "changes {f:e} and {g:e} times; {h:n} and {i:n} are drawn; {j:n} and {k:n} were stopped by the limit of "
    "decisions.": (
        "Der Sieger lag in {a} und {b} der entschiedenen Spiele einmal zurück; die Dramatik ist {c} und {d}, die "
        "Führung wechselt {f} und {g} Mal; {h} und {i} enden remis; {j} und {k} beendete die Grenze der "
        "Entscheidungen."
    ),
    "With it, whoever searches twice as long scores {told:l} against whoever does not, from one doubling to the next; "
    "at {m:n} of {n:n} that pays for sure ({k:n} games).": (
        "Mit ihm holt, wer doppelt so lange sucht, {told} gegen den, der es nicht tut, von Verdopplung zu Verdopplung; "
        "bei {m} von {n} lohnt sich das sicher ({k} Spiele)."
    ),
    "Without it, whoever searches twice as long scores {told:l} against whoever does not, from one doubling to the "
    "next; at {m:n} of {n:n} that pays for sure ({k:n} games).": (
        "Ohne es holt, wer doppelt so lange sucht, {told} gegen den, der es nicht tut, von Verdopplung zu Verdopplung; "
        "bei {m} von {n} lohnt sich das sicher ({k} Spiele)."
    ),
    "With it, whoever searches twice as long scores {x:n} against whoever does not, which {pays:p} ({n:n} games; games "
    "are too long for further doublings).": (
        "Mit ihm holt, wer doppelt so lange sucht, {x} gegen den, der es nicht tut; {pays} ({n} Spiele; für weitere "
        "Verdopplungen sind die Spiele zu lang)."
    ),
    "Without it, whoever searches twice as long scores {x:n} against whoever does not, which {pays:p} ({n:n} games; "
    "games are too long for further doublings).": (
        "Ohne es holt, wer doppelt so lange sucht, {x} gegen den, der es nicht tut; {pays} ({n} Spiele; für weitere "
        "Verdopplungen sind die Spiele zu lang)."
    ),
    "pays for sure": "das lohnt sich sicher",
    "is not shown to pay": "dass sich das lohnt, ist nicht gezeigt",
    "Nothing broke in {n:n} games ({m:n} decisions) of wilful random play: no state without a legal move, no loop, no "
    "unresolved game, no number without bound, and no crash.": (
        "Nichts ging kaputt in {n} Spielen ({m} Entscheidungen) mutwilligen Zufallsspiels: keine Lage ohne erlaubten "
        "Zug, keine Schleife, kein Spiel ohne Ende, keine Zahl ohne Grenze und kein Absturz."
    ),
    "When {who:p}, in {n:n} of {m:n} games: {text:p}.": "Wenn {who}, in {n} von {m} Spielen: {text}.",
    "When {who:p}: {text:p}.": "Wenn {who}: {text}.",
    "When {who:p}, in {n:n} of {m:n} games: {text:r}.": "Wenn {who}, in {n} von {m} Spielen: {text}.",
    "When {who:p}: {text:r}.": "Wenn {who}: {text}.",
    "only {side:o} has it": "nur {side} es hat",
    "{who:p}, with {x:n} at the start for {side:o}": "{who}, mit {x} zu Beginn für {side}",
    "{who:p}, with seats exchanged": "{who}, mit getauschten Plätzen",
    "nobody has it": "niemand es hat",
    "everybody has it": "alle es haben",
    "“{side:o}” with it, playing “{strategy:o}”, gets {x:n}{unit:u} from the strongest play that does not know it "
    "({target:s}); the best answer without it gets {y:n}.": (
        "„{side}“ mit ihm, Spielweise „{strategy}“, bekommt {x}{unit} von der stärksten Spielweise, die es nicht kennt "
        "({target}); die beste Antwort ohne es bekommt {y}."
    ),
    "The gain is {x:n} ({ends:i}; {n:n} games, chosen on other games).": (
        "Der Gewinn ist {x} ({ends}; {n} Spiele, gewählt an anderen)."
    ),
    "For “{side:o}” there is no exploit: the best answer found is shown to gain nothing.": (
        "Für „{side}“ gibt es nichts auszunutzen: Gezeigt ist, dass die beste gefundene Antwort nichts gewinnt."
    ),
    "For “{side:o}” there is no exploit: the best answer found is not shown to gain anything.": (
        "Für „{side}“ gibt es nichts auszunutzen: Dass die beste gefundene Antwort etwas gewinnt, ist nicht gezeigt."
    ),
    "A game that turns a loss into a win: the decisive move is “{a}” (instead of “{b}”), worth {x:n}{unit:u} there.": (
        "Ein Spiel, in dem aus Niederlage Sieg wird: Der entscheidende Zug ist „{a}“ (statt „{b}“), dort {x}{unit} "
        "wert."
    ),
    "A game that shows it: the decisive move is “{a}” (instead of “{b}”), worth {x:n}{unit:u} there.": (
        "Ein Spiel, das es zeigt: Der entscheidende Zug ist „{a}“ (statt „{b}“), dort {x}{unit} wert."
    ),
    "A game that turns a loss into a win: there it acts by itself, and of all moves “{a}” (instead of “{b}”) counted "
    "most, {x:n}{unit:u}.": (
        "Ein Spiel, in dem aus Niederlage Sieg wird: Dort wirkt es von selbst, und von allen Zügen zählte „{a}“ (statt "
        "„{b}“) am meisten, {x}{unit}."
    ),
    "A game that turns a loss into a win: of all moves “{a}” (instead of “{b}”), which is none of its own, counted "
    "most, {x:n}{unit:u}.": (
        "Ein Spiel, in dem aus Niederlage Sieg wird: Von allen Zügen zählte „{a}“ (statt „{b}“), keiner von seinen, am "
        "meisten, {x}{unit}."
    ),
    "A game that shows it: of all moves “{a}” (instead of “{b}”), which is none of its own, counted most, "
    "{x:n}{unit:u}.": (
        "Ein Spiel, das es zeigt: Von allen Zügen zählte „{a}“ (statt „{b}“), keiner von seinen, am meisten, {x}{unit}."
    ),
    "A game that shows it: there it acts by itself, and of all moves “{a}” (instead of “{b}”) counted most, "
    "{x:n}{unit:u}.": (
        "Ein Spiel, das es zeigt: Dort wirkt es von selbst, und von allen Zügen zählte „{a}“ (statt „{b}“) am meisten, "
        "{x}{unit}."
    ),
    "There is one side, and nobody to be exploited.": "Es gibt eine Seite und niemanden, den man ausnutzen könnte.",
    "No side could use it.": "Keine Seite konnte es nutzen.",
    "For its holder": "Für den, der es hat",
    "For the game": "Für das Spiel",
    "Next": "Weiter",
}
GAME_WORDS = {  # game_words.py
    "Shown to change, but the change measured is less than what counts: {told:m}.": (
        "Gezeigt ist eine Änderung, doch die gemessene ist kleiner, als zählt: {told}."
    ),
    "Shown to stay as they are, within what counts: {names:s}.": (
        "Ändert sich nachweislich um weniger, als zählt: {names}."
    ),
    "{told:p}: whoever has learned to play with it draws, whoever plays as without it does not": (
        "{told}: Wer gelernt hat, mit ihm zu spielen, spielt remis, wer wie ohne es spielt, nicht"
    ),
    "Not sure, the intervals reach too far: {names:s}.": "Nicht sicher, die Intervalle reichen zu weit: {names}.",
    "Goes otherwise by the strategies that were found with it, but with the same ones no change is shown: {told:m}.": (
        "Bei den Strategien, die mit ihm gefunden wurden, ist es anders, doch mit denselben ist keine Änderung "
        "gezeigt: {told}."
    ),
    "Its own decisions, {n:n} a game, do not count for the length.": (
        "Seine eigenen Entscheidungen, {n} je Spiel, zählen nicht für die Länge."
    ),
    "It makes {many:p} a guess, where no answer is best.": (
        "Es macht {many} zum Raten: Keine Antwort ist dort die beste."
    ),
    "It makes {many:p} a guess, where no answer is best, though the figure of cycles alone does not show it.": (
        "Es macht {many} zum Raten: Keine Antwort ist dort die beste, auch wenn die Größe „Kreise“ "
        "allein es nicht zeigt."
    ),
    "one of its questions": "eine seiner Fragen",
    "{n:n} of its questions": "{n} seiner Fragen",
    "A strategy that mixes what it does counts as one strategy.": (
        "Eine Strategie, die mischt, was sie tut, zählt als eine."
    ),
    "With the same strategies no game went otherwise by it.": (
        "Mit denselben Strategien verlief kein Spiel seinetwegen anders."
    ),
    "Left out, because {why:p}: {names:s}.": "Weggelassen, weil {why}: {names}.",
    "there is one side": "es nur eine Seite gibt",
    "no lead shows before the end": "vor dem Ende keine Führung zu sehen ist",
    "there was nothing to measure": "es nichts zu messen gab",
    "one strategy alone was learned, which tells nothing of the luck of learning": (
        "nur eine Strategie gelernt wurde, was über das Glück beim Lernen nichts sagt"
    ),
    "no searches were played": "keine Suchen gespielt wurden",
    "All intervals of changes hold together at 95 % ({n:n} figures, up to {m:n} deals, played in both games); a change "
    "is stated if it shows with the same strategies in both games, too.": (
        "Alle Intervalle von Änderungen gelten zusammen zu 95\u00a0% ({n} Größen, bis zu {m} Gaben, in beiden Spielen "
        "gespielt); eine Änderung wird genannt, wenn sie sich auch mit denselben Strategien in beiden Spielen zeigt."
    ),
    "Estimates may come out below what is possible, and are then shown as the least that is; the change beside "
    "them is that of the estimates: {names:s}.": (
        "Schätzungen können unter dem liegen, was möglich ist, und werden dann als das Wenigste davon gezeigt; die "
        "Änderung daneben ist die der Schätzungen: {names}."
    ),
    "{who:p} ({player:p}): {worth:p}.": "{who} ({player}): {worth}.",
    "{who:p} ({player:p}): {worth:p}; they use it {how:p}, in {x:n} of their chances.": (
        "{who} ({player}): {worth}; sie nutzen es{how} bei {x} ihrer Gelegenheiten."
    ),
    "{who:p} ({player:p}): {worth:p}; they use it {how:p}, in {x:n} of their chances ({e:p}).": (
        "{who} ({player}): {worth}; sie nutzen es{how} bei {x} ihrer Gelegenheiten ({e})."
    ),
    "Beginners": "Anfänger",
    "Fair players": "Ordentliche Spieler",
    "Experts": "Könner",
    "choose among all that is legal, with equal chances": "wählen aus allem Erlaubten mit gleicher Wahrscheinlichkeit",
    "play like the heuristic {name}, the strongest": "spielen wie die Heuristik {name}, die stärkste",
    "play the mixture of strategies that nothing found exploits": (
        "spielen die Mischung von Strategien, die nichts Gefundenes ausnutzt"
    ),
    "The strongest found": "Die stärksten gefundenen",
    "play at level {n:n} of the game, {agent:r}": "spielen auf Stufe {n} des Spiels, {agent}",
    "play like {agent:r}, who stands for level {n:n} of the game in stress tests": (
        "spielen wie {agent}, das in Tests von Regeln für Stufe {n} des Spiels steht"
    ),
    "as they see fit": " nach eigenem Ermessen",
    "{how:p}, having it is worth {x:n}{unit:u} ({ends:i}; {n:n} games).": (
        "{how}, ist es zu haben {x}{unit} wert ({ends}; {n} Spiele)."
    ),
    "{how:p}, having it is worth {x:n}{unit:u} ({ends:i}; {n:n} games); it is used in {r:n} of the chances.": (
        "{how}, ist es zu haben {x}{unit} wert ({ends}; {n} Spiele); genutzt wird es bei {r} der Gelegenheiten."
    ),
    "{how:p}, having it is worth {x:n}{unit:u} ({ends:i}; {n:n} games); it is used in {r:n} of the chances ({e:p}).": (
        "{how}, ist es zu haben {x}{unit} wert ({ends}; {n} Spiele); genutzt wird es bei {r} der Gelegenheiten ({e})."
    ),
    "If its holder never thinks of using it": "Wenn, wer es hat, nie daran denkt",
    "If its holder overlooks it in {x:n} of the chances": "Wenn, wer es hat, es bei {x} der Gelegenheiten übersieht",
    "If its holder uses it at once wherever it can be": "Wenn, wer es hat, es nutzt, sobald es geht",
    "If its holder answers it blindly": "Wenn, wer es hat, blind antwortet",
    "If the others do not reckon with it and play as where nobody has it": (
        "Wenn die anderen nicht damit rechnen und spielen, als hätte es niemand"
    ),
    "nobody has it alone": "niemand hat es allein",
    "having it is worth {x:n}{unit:u} (exact)": "es zu haben ist {x}{unit} wert (exakt)",
    "having it is worth {x:n}{unit:u} among them ({ends:i}; {n:n} games)": (
        "es zu haben ist unter ihnen {x}{unit} wert ({ends}; {n} Spiele)"
    ),
    "at random": " zufällig",
    "when it pays": ", wenn es sich lohnt,",
    "as the heuristic happens to": ", wie es sich bei der Heuristik ergibt,",
    "whenever they can": ", wann immer sie können,",
    "not at all": " gar nicht,",
    "These are strategies of the lab that stand for people; nobody was asked.": (
        "Das sind Strategien des Labors, die für Menschen stehen; gefragt wurde niemand."
    ),
    "“{action}” was never a choice.": "„{action}“ stand nie zur Wahl.",
    "“{action}” (declines it) was never a choice.": "„{action}“ (lehnt es ab) stand nie zur Wahl.",
    "“{action}” is taken in {x:n} of {n:n} chances that were tried": (
        "„{action}“ wird bei {x} von {n} versuchten Gelegenheiten genommen"
    ),
    "“{action}” (declines it) is taken in {x:n} of {n:n} chances that were tried": (
        "„{action}“ (lehnt es ab) wird bei {x} von {n} versuchten Gelegenheiten genommen"
    ),
    "{told:p} and gains {x:n}{unit:u} over what is done there (± {e:n}).": (
        "{told} und bringt gegenüber dem, was dort getan wird, {x}{unit} (± {e})."
    ),
    "{told:p} and loses {x:n}{unit:u} against what is done there (± {e:n}).": (
        "{told} und verliert gegenüber dem, was dort getan wird, {x}{unit} (± {e})."
    ),
    "{told:p} and gains {x:n}{unit:u} over what is done there (the same every time).": (
        "{told} und bringt gegenüber dem, was dort getan wird, {x}{unit} (jedes Mal dasselbe)."
    ),
    "{told:p} and loses {x:n}{unit:u} against what is done there (the same every time).": (
        "{told} und verliert gegenüber dem, was dort getan wird, {x}{unit} (jedes Mal dasselbe)."
    ),
    "± {e:n} point": "± {e} Punkt",
    "± {e:n} points": "± {e} Punkte",
    "{told:p}.": "{told}.",
    "It is declared as {low:n} to {high:n}: hold it there, or declare what it can be.": (
        "Deklariert ist der Zähler mit {low} bis {high}: ihn darin halten oder deklarieren, was er sein kann."
    ),
    "At the end of a game “{name}” stands at {x:n} on the average{around:p}, {seen:p} in {n:n} games.": (
        "Am Ende eines Spiels steht „{name}“ im Schnitt bei {x}{around}, {seen} in {n} Spielen."
    ),
    " (± {e:n})": " (± {e})",
    "{a:n} to {b:n}": "{a} bis {b}",
    "always {x:n}": "immer {x}",
    "There is no game to show.": "Es gibt kein Spiel zu zeigen.",
    "In {a:n} of {b:n} deals {other:p}, with the same players.": (
        "Bei {a} von {b} Gaben {other}, mit denselben Spielern."
    ),
    "Where it has other dice thrown, or more, all later ones fall otherwise, so that luck makes these games differ, "
    "too.": (
        "Wo mit ihm anders oder öfter gewürfelt wird, fallen alle späteren Würfel anders, sodass sich diese Spiele "
        "auch durch Glück unterscheiden."
    ),
    "There is no game to show: none of those that were looked at is decided by the rule alone.": (
        "Es gibt kein Spiel zu zeigen: Keines von denen, die angesehen wurden, entscheidet die Regel allein."
    ),
    "All dice and all decisions but its own are the same in both.": (
        "Alle Würfel und alle Entscheidungen außer seinen eigenen sind in beiden gleich."
    ),
    "In {n:n} of them all else is decided the same.": "Bei {n} davon wird alles andere gleich entschieden.",
    "it moves the result to the other side of the middle": "rückt es das Ergebnis auf die andere Seite der Mitte",
    "it changes who wins, or whether anybody does": "ändert es, wer gewinnt oder ob überhaupt jemand",
    "There is no game to show: no such deal was found.": "Es gibt kein Spiel zu zeigen: Keine solche Gabe wurde "
    "gefunden.",
    "There is no game to show: in none of them its moment could be told.": (
        "Es gibt kein Spiel zu zeigen: Bei keiner ließ sich der Augenblick bestimmen."
    ),
    "There is no game to show: it is used in none of them, so that they differ by the luck of choices.": (
        "Es gibt kein Spiel zu zeigen: Bei keiner wird es genutzt, sie unterscheiden sich durch das Glück der Wahl."
    ),
    "Shown is a short one: deal {n:n}.": "Gezeigt wird ein kurzes: Gabe {n}.",
    "{players:s}, in both games.": "In beiden Spielen: {players}.",
    "“{seat:o}” plays “{name:o}”": "„{seat}“ spielt „{name}“",
    "always uses it": "nutzt es immer",
    "never uses it": "nutzt es nie",
    "tosses a coin": "wirft eine Münze",
    "uses it blindly": "nutzt es blind",
    "Without it “{side:o}” gets {a:n}{unit:u}; where “{who:o}” has it, {b:n}{more:u}.": (
        "Ohne es bekommt „{side}“ {a}{unit}; hat „{who}“ es, {b}{more}."
    ),
    "Without it “{side:o}” gets {a:n}{unit:u}; where everybody has it, {b:n}{more:u}.": (
        "Ohne es bekommt „{side}“ {a}{unit}; haben alle es, {b}{more}."
    ),
    "The two games differ from the set-up on.": "Die beiden Spiele unterscheiden sich vom Aufbau an.",
    "The first decision is the same in both.": "Die erste Entscheidung ist in beiden gleich.",
    "The first {n:n} decisions are the same in both.": "Die ersten {n} Entscheidungen sind in beiden gleich.",
    "It acts by itself, and this is when: {moment:p}.": "Es wirkt von selbst, und zwar hier: {moment}.",
    "This is when it acts: {moment:p}.": "Das ist der Augenblick: {moment}.",
    "The use that gained most: {moment:p}.": "Der Gebrauch, der am meisten brachte: {moment}.",
    "The answer that gained most: {moment:p}.": "Die Antwort, die am meisten brachte: {moment}.",
    "With this answer the games part: {moment:p}.": "Mit dieser Antwort trennen sich die Spiele: {moment}.",
    "With this use the games part: {moment:p}.": "Mit diesem Gebrauch trennen sich die Spiele: {moment}.",
    "It does nothing in this game, but is reckoned with, and here the games part: {moment:p}.": (
        "Es tut in diesem Spiel nichts, aber es wird damit gerechnet, und hier trennen sich die Spiele: {moment}."
    ),
    "the rule acts after {who:o}: {what:r}": "die Regel greift nach dem Zug von {who}: {what}",
    "the rule acts before the first decision": "die Regel wirkt vor der ersten Entscheidung",
    "the rule acts": "die Regel wirkt",
    "the rule acts; without it: {instead:r}": "die Regel wirkt; ohne sie: {instead}",
    "{who:o} uses it: {what} (instead of: {instead:r})": "{who} nutzt es: {what} (statt: {instead})",
    "{who:o} uses it: {what:r}": "{who} nutzt es: {what}",
    "{who:o} answers: {what} (instead of: {instead:r})": "{who} antwortet: {what} (statt: {instead})",
    "{who:o} answers: {what:r}": "{who} antwortet: {what}",
    "{who:o} decides on {what}: the rule forbids {instead:r}": (
        "{who} entscheidet sich für {what}: die Regel verbietet {instead}"
    ),
    "{who:o} decides on {what} (instead of: {instead:r})": "{who} entscheidet sich für {what} (statt: {instead})",
    "up to here both games are the same": "bis hierher sind beide Spiele gleich",
    "worth {x:n} against “{instead}”": "{x} wert gegenüber „{instead}“",
}
PAGE = {  # the templates and plots
    "stress report": "Prüfbericht",
    "{module} in {game}: {word:p}": "{module} in {game}: {word}",
    "For its holder:": "Für den, der es hat:",
    "For the game, when everybody has it:": "Für das Spiel, wenn alle es haben:",
    "Next:": "Weiter:",
    "game": "Spiel",
    "scenario": "Szenario",
    "budget": "Budget",
    "options": "Optionen",
    "everybody has": "alle haben",
    "seed": "Startwert",
    "games": "Spiele",
    "played of the budget": "vom Budget gespielt",
    "heuristics": "Heuristiken",
    "Sections": "Abschnitte",
    "Thresholds": "Schwellen",
    "holder": "wer es hat",
    "{many:p} more": "{many} mehr",
    "worth{unit:u}": "Wert{unit}",
    "in {many:p}": "umgerechnet: {many}",
    "share of wins without → with": "Anteil der Siege ohne → mit",
    "Each learner's seed alone:": "Jeder Startwert der Lernenden für sich:",
    "figure": "Größe",
    "without it": "ohne es",
    "with it": "mit ihm",
    "change": "Änderung",
    "95%, all together": "95\u00a0%, alle zusammen",
    "counts from": "zählt ab",
    "with the same strategies: found without it, found with it": (
        "mit denselben Strategien: ohne es gefunden, mit ihm gefunden"
    ),
    "Strategies are found anew for the game with it, and the luck of learning makes them differ even where a rule does "
    "nothing.": (
        "Für das Spiel mit ihm werden Strategien neu gesucht, und das Glück des Lernens unterscheidet sie selbst dort, "
        "wo eine Regel nichts bewirkt."
    ),
    "So all is measured with the same strategies, too (for the ways to play: those found with it).": (
        "Daher wird alles auch mit denselben Strategien gemessen (für die Spielweisen: die mit ihm gefundenen)."
    ),
    "action": "Aktion",
    "(declines it)": "(lehnt es ab)",
    "chances tried": "versuchte Gelegenheiten",
    "taken": "genommen",
    "gains over what is done there": "bringt mehr, als was dort getan wird",
    "situation": "Lage",
    "never using it costs {side:o}": "es nie zu nutzen kostet {side}",
    "always using it costs {side:o}": "es immer zu nutzen kostet {side}",
    "decisions of a game": "Entscheidungen eines Spiels",
    "decided by the deal": "von der Gabe entschieden",
    "drawn": "unentschieden",
    "without an end": "ohne Ende",
    "faults": "Fehler",
    "beginners": "Anfänger",
    "fair players": "ordentliche Spieler",
    "experts": "Könner",
    "the strongest found": "die stärksten gefundenen",
    "its holder never thinks of it": "wer es hat, denkt nie daran",
    "its holder overlooks it now and then": "wer es hat, übersieht es dann und wann",
    "its holder uses it at once": "wer es hat, nutzt es sofort",
    "its holder answers blindly": "wer es hat, antwortet blind",
    "the others do not reckon with it": "die anderen rechnen nicht damit",
    "deals": "Gaben",
    "with another winner": "mit anderem Sieger",
    "result without it": "Ergebnis ohne",
    "result with it": "Ergebnis mit",
    "Games as they are played": "Spiele, wie sie gespielt werden",
    "The same deal in every condition, and by those who overlook something; of some deals it is the one of middle "
    "result where everybody has it. Levels of the game play a deal of middle result of their own. One game proves "
    "nothing about a mean; it shows what is meant.": (
        "Dieselbe Gabe in jeder Lage, auch bei Spielern, die etwas übersehen; von einigen Gaben ist es die mit dem "
        "mittleren Ergebnis, wo alle es haben. Stufen des Spiels spielen eine eigene Gabe mittleren Ergebnisses. Ein "
        "Spiel beweist nichts über ein Mittel; es zeigt, was gemeint ist."
    ),
    "command, in its folder": "Befehl, in ihrem Ordner",
    "Games that show it": "Spiele, die es zeigen",
    "who has it, or who plays": "wer es hat, oder wer spielt",
    "result of {side:o}": "Ergebnis von {side}",
    "command": "Befehl",
    "opportunities": "Gelegenheiten",
    "questions": "Fragen",
    "used": "genutzt",
    "a use gains": "der Gebrauch bringt",
    "Where it pays, found on one half of the games and measured on the other": (
        "Wo es sich lohnt, gefunden an der einen Hälfte der Spiele und gemessen an der anderen"
    ),
    "where": "wo",
    "share": "Anteil",
    "With it: the {n:n} strategies": "Mit ihm: die {n} Strategien",
    "Without it: the {n:n} strategies": "Ohne es: die {n} Strategien",
    "strategy": "Strategie",
    "dominated": "dominiert",
    "by": "von",
    "exploitability": "Ausnutzbarkeit",
    "uses it": "nutzt es",
    "What their names mean": "Was ihre Namen bedeuten",
    "learned where …": "gelernt, wo …",
    "it has learned the whole game against itself and others; the number tells several apart": (
        "hat das ganze Spiel gegen sich selbst und andere gelernt; die Zahl unterscheidet mehrere"
    ),
    "uses it when it pays …": "nutzt es, wenn es sich lohnt …",
    "answers as it pays …": "antwortet, wie es sich lohnt …",
    "it plays like the strongest heuristic, and has learned how to answer the module": (
        "spielt wie die stärkste Heuristik und hat gelernt, wie dem Modul zu antworten ist"
    ),
    "it plays like the strongest heuristic, and has learned when to use the module": (
        "spielt wie die stärkste Heuristik und hat gelernt, wann das Modul zu nutzen ist"
    ),
    "counters the others as …": "kontert die anderen als …",
    "it has learned to beat what the other side plays there": "hat gelernt zu schlagen, was die andere Seite dort "
    "spielt",
    "counters the others where …": "kontert die anderen, wo …",
    "on each side it plays what was learned there to beat the others, or else like the strongest heuristic": (
        "spielt auf jeder Seite, was dort gelernt wurde, um die anderen zu schlagen, oder sonst wie die stärkste "
        "Heuristik"
    ),
    "the game": "das Spiel",
    "result {x:n}{unit:u}, without the module {y:n} on the same deal": (
        "Ergebnis {x}{unit}, ohne das Modul {y} mit derselben Gabe"
    ),
    "With it": "Mit ihm",
    "Without it": "Ohne es",
    "← decisive": "← entscheidend",
    "Verdicts and their thresholds": "Urteile und ihre Schwellen",
    "The first that applies, from the top.": "Das erste, das zutrifft, von oben.",
    "Intervals are 95% intervals over deals; strategies are chosen on one batch of games and measured on fresh ones; "
    "deals are the same in all conditions.": (
        "Intervalle sind 95-%-Intervalle über Gaben; Strategien werden an einem Teil der Spiele gewählt und an "
        "frischen "
        "gemessen; die Gaben sind unter allen Bedingungen dieselben."
    ),
    "One standard deviation of a game's result without the module is {x:n}{unit:u}.": (
        "Eine Standardabweichung des Ergebnisses eines Spiels ohne das Modul ist {x}{unit}."
    ),
    "The first that applies.": "Das erste, das zutrifft.",
    "Intervals of changes hold together at 95%.": "Intervalle von Änderungen gelten zusammen zu 95\u00a0%.",
    "Rule set": "Regelsatz",
    "Formulas and sources: docs/metrics.md.": "Formeln und Quellen: docs/metrics.md.",
    "Commands that show a game are given in the folder of this page.": (
        "Befehle, die ein Spiel zeigen, gelten im Ordner dieser Seite."
    ),
    "{many:p} more than in the scenario": "{many} mehr als im Szenario",
    "Worth of having the module by {many:p} more": "Wert des Moduls bei mehr {many}",
    "simulations, against half as many": "Simulationen, gegen halb so viele",
    "score, %": "Punkte, %",
    "Score of twice the search budget, without and with the module": (
        "Punkte der doppelten Suche, ohne und mit dem Modul"
    ),
    "The moves stand in the file: the command shows them.": "Die Züge stehen in der Datei: der Befehl zeigt sie.",
}
COMBINE = {  # combine.py, combine_report.py
    "combinations of rules": "Kombinationen von Regeln",
    "combinations": "Kombinationen",
    "{module} and other modules of {game}": "{module} und andere Module von {game}",
    "{module}, and what becomes of it beside others": "{module}, und was neben anderen daraus wird",
    "This test was interrupted; combinations that were not finished are missing.": (
        "Diese Prüfung wurde abgebrochen; Kombinationen, die nicht fertig waren, fehlen."
    ),
    "All combinations": "Alle Kombinationen",
    "Everybody has the other modules; a cell tells what having the module under test is worth to one side alone "
    "there{unit:p}.": (
        "Alle haben die anderen Module; ein Feld sagt, was das geprüfte Modul dort einer Seite allein wert ist{unit}."
    ),
    ", in {unit:p}": ", in {unit}",
    ", in {unit}": ", in {unit}",
    "Green: its advantage or handicap is larger than by itself, orange: smaller or the other way round, where that is "
    "shown and counts; × the rules fail, – the game refuses it, ? not measured.": (
        "Grün: Vorteil oder Nachteil größer als allein, orange: kleiner oder umgekehrt, wo das gezeigt ist und zählt; "
        "× die Regeln versagen, – das Spiel lehnt es ab, ? nicht gemessen."
    ),
    "with": "mit",
    "finding": "Befund",
    "why": "Grund",
    "by itself": "allein",
    "What the findings mean": "Was die Befunde bedeuten",
    "Differences are of two estimates that are taken as independent; intervals hold in 95 %.": (
        "Differenzen sind die zweier Schätzungen, die als unabhängig gelten; Intervalle gelten zu 95\u00a0%."
    ),
    "By itself: {word:p}; having it is worth {worth:p}{unit:u}.": "Allein: {word}; es zu haben ist {worth}{unit} wert.",
    "By itself: {word:p} ({why:m}).": "Allein: {word} ({why}).",
    "By itself: {word:p} ({why:p}).": "Allein: {word} ({why}).",
    "With {names:l}: {word:p}; having it is worth {worth:p} there, a change of {change:p}.": (
        "Mit {names}: {word}; es zu haben ist dort {worth} wert, eine Änderung um {change}."
    ),
    "With {names:l}: {word:p}; having it is worth {worth:p} there; {why:p}.": (
        "Mit {names}: {word}; es zu haben ist dort {worth} wert; {why}."
    ),
    "With {names:l}: {word:p} ({why:m}).": "Mit {names}: {word} ({why}).",
    "With {names:l}: {word:p} ({why:p}).": "Mit {names}: {word} ({why}).",
    "With {names:l}: {word:p} ({why:r}).": "Mit {names}: {word} ({why}).",
    "No interplay shown in {n:n} of {m:n} combinations.": ("Kein Zusammenspiel gezeigt bei {n} von {m} Kombinationen."),
    "Not measured yet: {n:n} of {m:n} combinations.": "Noch nicht gemessen: {n} von {m} Kombinationen.",
    "{x:n} ({ends:i})": "{x} ({ends})",
    "refused": "abgelehnt",
    "breaks": "geht kaputt",
    "broken without it": "auch ohne es kaputt",
    "dominates": "dort übermächtig",
    "turns round": "kehrt sich um",
    "cancels": "hebt sich auf",
    "stronger": "stärker",
    "weaker": "schwächer",
    "no interplay shown": "kein Zusammenspiel gezeigt",
    "not measured": "nicht gemessen",
    "the test was interrupted": "die Prüfung wurde abgebrochen",
    "by itself it cannot be played": "allein ist es nicht spielbar",
    "the modules do not go together: the game says so before it is played": (
        "die Module passen nicht zusammen: das Spiel sagt es, bevor es gespielt wird"
    ),
    "the rules fail together, and the module does not fail by itself": (
        "zusammen versagen die Regeln, und allein versagt das Modul nicht"
    ),
    "the rules fail together even where nobody has the module under test": (
        "zusammen versagen die Regeln, auch wo niemand das geprüfte Modul hat"
    ),
    "having it is overpowered there, and it is not by itself": "es zu haben ist dort übermächtig, allein aber nicht",
    "what is an advantage by itself is a handicap there, or the other way round": (
        "was allein ein Vorteil ist, ist dort ein Nachteil, oder umgekehrt"
    ),
    "less than half of what it is worth by itself is left": "weniger als die Hälfte seines Wertes bleibt übrig",
    "its advantage or handicap is larger there than by itself": "sein Vor- oder Nachteil ist dort größer als allein",
    "its advantage or handicap is smaller there than by itself": "sein Vor- oder Nachteil ist dort kleiner als allein",
    "no difference is shown that counts": "kein Unterschied ist gezeigt, der zählt",
    "Worth of having the module with others, shaded by how that changes it": (
        "Wert des Moduls mit anderen, schattiert danach, wie das ihn ändert"
    ),
}
COMPARE = {  # compare.py, compare_report.py
    "versions of a rule": "Fassungen einer Regel",
    "Versions of a rule in {game}": "Fassungen einer Regel in {game}",
    "figures": "Größen",
    "Side by side": "Nebeneinander",
    "All {n:n} differences to the first version hold at once at 95 %; those beyond chance are marked.": (
        "Alle {n} Unterschiede zur ersten Fassung gelten zugleich zu 95\u00a0%; die über den Zufall hinaus sind "
        "markiert."
    ),
    "The small numbers of a version are its own 95 % intervals.": (
        "Die kleinen Zahlen einer Fassung sind ihre eigenen 95-%-Intervalle."
    ),
    "The small numbers of a version are its own 95 % intervals; payoffs are in {unit}.": (
        "Die kleinen Zahlen einer Fassung sind ihre eigenen 95-%-Intervalle; Auszahlungen in {unit}."
    ),
    "difference": "Unterschied",
    "verdict": "Urteil",
    "The versions": "Die Fassungen",
    "version": "Fassung",
    "module": "Modul",
    "parameters": "Parameter",
    "{a} against {b}: the verdict for its holder stays {word:p}.": (
        "{a} gegen {b}: Das Urteil für den, der es hat, bleibt: {word}."
    ),
    "{a} against {b}: the verdict for its holder stays {word:p}, of an advantage now and not of a handicap.": (
        "{a} gegen {b}: Das Urteil für den, der es hat, bleibt: {word}, aber jetzt als Vorteil und nicht als Nachteil."
    ),
    "{a} against {b}: the verdict for its holder stays {word:p}, of a handicap now and not of an advantage.": (
        "{a} gegen {b}: Das Urteil für den, der es hat, bleibt: {word}, aber jetzt als Nachteil und nicht als Vorteil."
    ),
    "{a} against {b} ({more}): the verdict for its holder stays {word:p}, of an advantage now and not of a handicap.": (
        "{a} gegen {b} ({more}): Das Urteil für den, der es hat, bleibt: {word}, "
        "aber jetzt als Vorteil und nicht als Nachteil."
    ),
    "{a} against {b} ({more}): the verdict for its holder stays {word:p}, of a handicap now and not of an advantage.": (
        "{a} gegen {b} ({more}): Das Urteil für den, der es hat, bleibt: {word}, "
        "aber jetzt als Nachteil und nicht als Vorteil."
    ),
    "{a} against {b}: the verdict for its holder changes from {old:p} to {new:p}.": (
        "{a} gegen {b}: Das Urteil für den, der es hat, ändert sich von „{old}“ zu „{new}“."
    ),
    "{a} against {b}: the verdict for its holder changes from {old:p} to {new:p}, but what it is worth is not shown to "
    "differ: one test shows what another leaves open.": (
        "{a} gegen {b}: Das Urteil für den, der es hat, ändert sich von „{old}“ zu „{new}“, aber was es wert ist, "
        "unterscheidet sich nicht nachweislich: Die eine Prüfung zeigt, was die andere offen lässt."
    ),
    "{a} against {b} ({more}): the verdict for its holder stays {word:p}.": (
        "{a} gegen {b} ({more}): Das Urteil für den, der es hat, bleibt: {word}."
    ),
    "{a} against {b} ({more}): the verdict for its holder changes from {old:p} to {new:p}.": (
        "{a} gegen {b} ({more}): Das Urteil für den, der es hat, ändert sich von „{old}“ zu „{new}“."
    ),
    "{a} against {b} ({more}): the verdict for its holder changes from {old:p} to {new:p}, but what it is worth is not "
    "shown to differ: one test shows what another leaves open.": (
        "{a} gegen {b} ({more}): Das Urteil für den, der es hat, ändert sich von „{old}“ zu „{new}“, aber was es wert "
        "ist, unterscheidet sich nicht nachweislich: Die eine Prüfung zeigt, was die andere offen lässt."
    ),
    "The verdict for the game stays “{word:p}”.": "Das Urteil für das Spiel bleibt „{word}“.",
    "The verdict for the game changes from “{old:p}” to “{new:p}”, but no figure of the game is shown to differ: one "
    "test shows what another leaves open.": (
        "Das Urteil für das Spiel ändert sich von „{old}“ zu „{new}“, aber keine Zahl des Spiels unterscheidet sich "
        "nachweislich: Die eine Prüfung zeigt, was die andere offen lässt."
    ),
    "The verdict for the game changes from “{old:p}” to “{new:p}”.": (
        "Das Urteil für das Spiel ändert sich von „{old}“ zu „{new}“."
    ),
    "Changed: {name:o} {a:n} → {b:n} ({x:p}; {ends:p}).": "Geändert: {name} {a} → {b} ({x}; {ends}).",
    "Nothing changed beyond chance.": "Nichts änderte sich über den Zufall hinaus.",
    "No difference beyond chance: {names:s}.": "Kein Unterschied über den Zufall hinaus: {names}.",
    "In one of both only: {names:s}.": "Nur in einem von beiden: {names}.",
    "The reports have different budgets ({names}).": "Die Berichte haben verschiedene Budgets ({names}).",
    "The games differ in what was set on top of the scenario ({names:r}).": (
        "Die Spiele unterscheiden sich in dem, was über das Szenario hinaus eingestellt wurde ({names})."
    ),
    "The reports have different versions of probespiel ({names:r}).": (
        "Die Berichte haben verschiedene Versionen von probespiel ({names})."
    ),
    "The worth is exact in some reports and estimated in others: what estimates miss counts as change.": (
        "Der Wert ist in manchen Berichten exakt und in anderen geschätzt: was Schätzungen verfehlen, zählt als "
        "Änderung."
    ),
    "what having it alone is worth": "was es wert ist, es allein zu haben",
    "what sitting first is worth when all have it": "was es wert ist, zuerst zu sitzen, wenn alle es haben",
    "how often it is used where it can be": "wie oft es genutzt wird, wo es geht",
    "what a use gains": "was der Gebrauch bringt",
    "effective number of strategies in equilibrium": "wirksame Zahl der Strategien im Gleichgewicht",
    "cyclic share of the differences between strategies": "Anteil der Unterschiede zwischen Strategien, der im Kreis "
    "läuft",
    "share of its chances that are taken in equilibrium": (
        "Anteil seiner Gelegenheiten, die im Gleichgewicht genutzt werden"
    ),
    "share of the results that the deal decides": "Anteil der Ergebnisse, den die Gabe entscheidet",
    "decisions of a game": "Entscheidungen eines Spiels",
    "share of drawn games": "Anteil der Remis",
    "share of decided games whose winner was behind": "Anteil der entschiedenen Spiele, deren Sieger zurücklag",
    "changes of the lead in a game": "Führungswechsel in einem Spiel",
    "share of games that are stopped by the limit of decisions": (
        "Anteil der Spiele, die die Grenze der Entscheidungen abbricht"
    ),
    "score of a stronger level against the one below it": "Ergebnis einer stärkeren Stufe gegen die darunter",
    "score of twice the search": "Ergebnis der doppelten Suche",
    "decisions of a game that matter": "Entscheidungen eines Spiels, auf die es ankommt",
    "what having it alone is worth to {side:o}": "was es für „{side}“ wert ist, es allein zu haben",
    "what {side:o} gains from play that does not know it": (
        "was „{side}“ von einer Spielweise gewinnt, die es nicht kennt"
    ),
}
GERMAN = (NAMES, QUESTIONS, LEADS, VERDICT, ADVICE, FAULTS, WORDS, GAME_WORDS, PAGE, COMBINE, COMPARE)


def words(lang: str, names: Mapping[str, str] | None = None) -> Phrasebook:
    """The texts of the stress reports in a language, `en` or `de`; `names` that a report has by English ones."""
    return ENGLISH if lang == "en" else Phrasebook(lang, GERMAN, names)


__all__ = ["GERMAN", "words"]
