"""The texts of the tournament report in English and in German, beside each other.

How the parts in braces are told stands in `report/phrases.py`. Over 500 lines because it is one table of texts.
"""

from __future__ import annotations

from ..report.phrases import ENGLISH, Phrasebook

UNITS = {  # of payoffs, with a space before them; those that are no abbreviations
    " fingers": " Finger",
    " points": " Punkte",
    " chips": " Chips",
}
ANSWER = {  # report/wording.py
    "Only {name} took part, so there is nothing to compare.": (
        "Nur {name} hat teilgenommen, also gibt es nichts zu vergleichen."
    ),
    "{names:l} share the first place: each earned {x:n}{unit:u} a game from the others.": (
        "{names} teilen sich den ersten Platz: Jede Strategie holte {x}{unit} je Spiel von den anderen."
    ),
    "{names:l} share the first place: each earned {x:n}{unit:u} a game more than the others.": (
        "{names} teilen sich den ersten Platz: Jede Strategie holte {x}{unit} je Spiel mehr als die anderen."
    ),
    "{name} comes first: it earned {x:n}{unit:u} a game more than the others on average": (
        "{name} liegt vorn: Im Schnitt waren es {x}{unit} je Spiel mehr als bei den anderen"
    ),
    "{name} got {x:n}{unit:u} a game.": "{name} bekam {x}{unit} je Spiel.",
    "{name} got {x:n}{unit:u} a game ({ends:i}).": "{name} bekam {x}{unit} je Spiel ({ends}).",
    "{got:p}, on the same deals as much as {other}.": "{got}, in denselben Gaben so viel wie {other}.",
    "{got:p}, on the same deals as much as {other}, interval {within:i}.": (
        "{got}, in denselben Gaben so viel wie {other}, Intervall {within}."
    ),
    "{got:p}, on the same deals {lead:n}{more:u} more than {other}.": (
        "{got}, in denselben Gaben {lead}{more} mehr als {other}."
    ),
    "{got:p}, on the same deals {lead:n}{more:u} less than {other}.": (
        "{got}, in denselben Gaben {lead}{more} weniger als {other}."
    ),
    "{got:p}, on the same deals {lead:n}{more:u} more than {other}, interval {within:i}.": (
        "{got}, in denselben Gaben {lead}{more} mehr als {other}, Intervall {within}."
    ),
    "{got:p}, on the same deals {lead:n}{more:u} less than {other}, interval {within:i}.": (
        "{got}, in denselben Gaben {lead}{more} weniger als {other}, Intervall {within}."
    ),
    "{name} got {x:n}{unit:u} a game": "{name} bekam {x}{unit} je Spiel",
    "{name} got {x:n}{unit:u} a game ({ends:i})": "{name} bekam {x}{unit} je Spiel ({ends})",
    "{name} comes first: it earned {x:n}{unit:u} a game from the others on average": (
        "{name} liegt vorn: Im Schnitt waren es {x}{unit} je Spiel gegen die anderen"
    ),
    "{lead:p} ({level:n} interval {ends:i})": "{lead} ({level}-Intervall {ends})",
    "{lead:p}, and is better than every other strategy.": "{lead}. Keine andere Strategie ist so gut.",
    "{lead:p}, but {tied:l} cannot be told apart from it{rest:p}.": (
        "{lead}. Davon nicht zu unterscheiden: {tied}{rest}."
    ),
    "{lead:p}; how sure this is cannot be said, because that takes {n:n} seed blocks at least.": (
        "{lead}. Wie sicher das ist, lässt sich nicht sagen, denn dazu braucht es mindestens {n} Blöcke."
    ),
    "; the other one is worse": "; die übrige Strategie ist schlechter",
    "; the other {n:n} are worse": "; die übrigen {n} sind schlechter",
    "Whether a strategy dominates {name} is open, because some pair of strategies never met.": (
        "Ob eine Strategie {name} dominiert, ist offen, weil manche Strategien nie aufeinandertrafen."
    ),
    "{name} met no other strategy that could dominate it.": (
        "{name} traf auf keine andere Strategie, die dominieren könnte."
    ),
    "The mixture {mix:w} dominates {name}: against every strategy it earns more, by {x:n}{unit:u} a game at least.": (
        "Die Mischung {mix} dominiert {name}: Gegen jede Strategie bringt sie mehr ein, mindestens {x}{unit} je Spiel."
    ),
    "{by} dominates {name}: against every strategy it earns more, by {x:n}{unit:u} a game at least.": (
        "{by} dominiert {name}: Gegen jede Strategie bringt das mehr ein, mindestens {x}{unit} je Spiel."
    ),
    "Nothing dominates {name} in this tournament: against {mix:p} it is the best of all strategies.": (
        "Nichts dominiert {name} in diesem Turnier: Gegen {mix} ist keine Strategie besser."
    ),
    "Nothing dominates {name} in this tournament: against {mix:w} it is the best of all strategies.": (
        "Nichts dominiert {name} in diesem Turnier: Gegen {mix} ist keine Strategie besser."
    ),
    "Nothing dominates {name} in this tournament: against {other} it is the best of all strategies.": (
        "Nichts dominiert {name} in diesem Turnier: Gegen {other} ist keine Strategie besser."
    ),
    "itself": "sich selbst",
    "By the mean payoffs no strategy or mixture dominates {name}, but that is not shown.": (
        "Nach den mittleren Auszahlungen dominiert keine Strategie oder Mischung {name}, doch gezeigt ist das nicht."
    ),
    "By the mean payoffs a mixture of strategies dominates {name}, but that is not shown.": (
        "Nach den mittleren Auszahlungen dominiert eine Mischung von Strategien {name}, doch gezeigt ist das nicht."
    ),
    "By the mean payoffs {seems} dominates {name}, because it is better against every strategy, but that is not "
    "shown.": (
        "Nach den mittleren Auszahlungen dominiert {seems} {name}, weil das gegen jede Strategie besser ist; gezeigt "
        "ist es nicht."
    ),
    "By the mean payoffs {seems} dominates {name}, because it is never worse, and sometimes better, but that is not "
    "shown.": (
        "Nach den mittleren Auszahlungen dominiert {seems} {name}, weil das nie schlechter und manchmal besser ist; "
        "gezeigt ist es nicht."
    ),
    "{name} did worst against {other:p}: {x:n}{unit:u} a game (too few seed blocks to show anything).": (
        "Am schlechtesten lief es für {name} gegen {other}: {x}{unit} je Spiel (zu wenige Blöcke, um etwas zu zeigen)."
    ),
    "{name} did worst against {other}: {x:n}{unit:u} a game (too few seed blocks to show anything).": (
        "Am schlechtesten lief es für {name} gegen {other}: {x}{unit} je Spiel (zu wenige Blöcke, um etwas zu zeigen)."
    ),
    "nobody": "niemanden",
    "{name} is not unbeaten: {beaters:l} beats it. It {worst:p}.": (
        "{name} ist nicht unbesiegt: {beaters} gewinnt dagegen. {worst}."
    ),
    "{name} is not unbeaten: {beaters:l} beat it. It {worst:p}.": (
        "{name} ist nicht unbesiegt: {beaters} gewinnen dagegen. {worst}."
    ),
    "{name} beats every other strategy. It {worst:p}.": "{name} gewinnt gegen jede andere Strategie. {worst}.",
    "It {worst:p}.": "{worst}.",
    "did worst against {other}: {x:n}{unit:u} a game, interval {ends:i}": (
        "Am schlechtesten lief es gegen {other}: {x}{unit} je Spiel, Intervall {ends}"
    ),
    "did worst against {other}: {x:n}{unit:u} a game": "Am schlechtesten lief es gegen {other}: {x}{unit} je Spiel",
    "No strategy is shown to beat {name}, and none takes more than {most:n} a game.": (
        "Von keiner Strategie ist gezeigt, dass sie {name} schlägt, und keine nimmt mehr als {most} je Spiel."
    ),
    "No strategy is shown to beat {name}.": "Von keiner Strategie ist gezeigt, dass sie {name} schlägt.",
    "Counted by wins {other} comes first in these games, with {a:n} of the points against {b:n} of {name}, but wins "
    "differ in size: {again} got {mine:p}, {theirs} got {sizes:p}.": (
        "Nach Siegen gezählt liegt in diesen Spielen {other} vorn, mit {a} der Punkte gegen {b} für {name}; doch Siege "
        "sind verschieden groß: {again} bekam {mine}, {theirs} {sizes}."
    ),
    "{won:n}{unit:u} when it won and {lost:n}{more:u} when it lost": (
        "{won}{unit} bei einem Sieg und {lost}{more} bei einer Niederlage"
    ),
    "{x:n}{unit:u} when it won": "{x}{unit} bei einem Sieg",
    "{x:n}{unit:u} when it lost": "{x}{unit} bei einer Niederlage",
    "nothing but draws": "nur Unentschieden",
    "The equilibrium of this pool is {name} alone: no strategy gains against it.": (
        "Das Gleichgewicht dieses Feldes ist {name} allein: Keine Strategie gewinnt etwas dagegen."
    ),
    "By the mean payoffs the equilibrium of this pool is {mix:p}; against it no strategy gains more than "
    "{most:n}{unit:u} a game.": (
        "Nach den mittleren Auszahlungen ist das Gleichgewicht dieses Feldes {mix}; keine Strategie gewinnt dagegen "
        "mehr als {most}{unit} je Spiel."
    ),
    "By the mean payoffs the equilibrium of this pool is {mix:p}.": (
        "Nach den mittleren Auszahlungen ist das Gleichgewicht dieses Feldes {mix}."
    ),
    "{name} alone": "{name} allein",
    "nearly {name} alone": "fast {name} allein",
    "the mixture {mix:w}": "die Mischung {mix}",
    "a mixture of {n:n} strategies, the heaviest {name} with {x:n}": (
        "eine Mischung von {n} Strategien, am stärksten {name} mit {x}"
    ),
    "{name}, which earned most on average, has no weight in it.": (
        "{name} hat im Schnitt am meisten geholt, aber kein Gewicht darin."
    ),
    "{name}, which earned most on average, has no weight in it, because an equilibrium asks for the hardest opponent: "
    "it got {x:n}{unit:u} a game from {other}.": (
        "{name} hat im Schnitt am meisten geholt, aber kein Gewicht darin, weil im Gleichgewicht der schwerste Gegner "
        "zählt: Von {other} gab es {x}{unit} je Spiel."
    ),
    "{name}, which comes first by wins, has no weight in it.": (
        "{name} liegt nach Siegen vorn, hat darin aber kein Gewicht."
    ),
    "{name}, which comes first by wins, has no weight in it, because an equilibrium asks for payoffs from the hardest "
    "opponent: it got {x:n}{unit:u} a game from {other}.": (
        "{name} liegt nach Siegen vorn, hat darin aber kein Gewicht, weil im Gleichgewicht die Auszahlung vom "
        "schwersten Gegner zählt: Von {other} gab es {x}{unit} je Spiel."
    ),
    "{name}, which earned most on average, has hardly any weight in it.": (
        "{name} hat im Schnitt am meisten geholt, aber kaum Gewicht darin."
    ),
    "{name}, which earned most on average, has hardly any weight in it, because an equilibrium asks for the hardest "
    "opponent: it got {x:n}{unit:u} a game from {other}.": (
        "{name} hat im Schnitt am meisten geholt, aber kaum Gewicht darin, weil im Gleichgewicht der schwerste Gegner "
        "zählt: Von {other} gab es {x}{unit} je Spiel."
    ),
    "{name}, which comes first by wins, has hardly any weight in it.": (
        "{name} liegt nach Siegen vorn, hat darin aber kaum Gewicht."
    ),
    "{name}, which comes first by wins, has hardly any weight in it, because an equilibrium asks for payoffs from the "
    "hardest opponent: it got {x:n}{unit:u} a game from {other}.": (
        "{name} liegt nach Siegen vorn, hat darin aber kaum Gewicht, weil im Gleichgewicht die Auszahlung vom "
        "schwersten Gegner zählt: Von {other} gab es {x}{unit} je Spiel."
    ),
}
TOLD = {  # sentences that a summary keeps: warnings, notes, and what a tournament that stops by itself has found
    "exploitable by {x:n} a game (exact)": "um {x} je Spiel ausnutzbar (exakt)",
    "exploitable by at least {x:n} a game, {ends:i}": "um mindestens {x} je Spiel ausnutzbar, {ends}",
    "no way to exploit it was found: {x:n} a game, {ends:i}": (
        "kein Weg gefunden, sie auszunutzen: {x} je Spiel, {ends}"
    ),
    "Fewer than two seed blocks for some pair of strategies: no intervals can be given.": (
        "Weniger als zwei Blöcke für manches Paar von Strategien: Intervalle lassen sich nicht angeben."
    ),
    "Only {n:n} seed blocks for some pair: the intervals are rough, and no difference between strategies can be shown "
    "with fewer than {needed:n}; play more blocks.": (
        "Nur {n} Blöcke für manches Paar: Die Intervalle sind grob, und unter {needed} lässt sich kein Unterschied "
        "zwischen Strategien zeigen; mehr Spiele helfen."
    ),
    "Only {n:n} seed blocks for some pair: the intervals are rough; play more blocks.": (
        "Nur {n} Blöcke für manches Paar: Die Intervalle sind grob; mehr Spiele helfen."
    ),
    "With more than two sides, “against” means both ways to sit, taken together: one alone among copies of the other, "
    "and the other way round. Only alone it can be otherwise: by the mean payoffs {who} gains {x:n} a game alone among "
    "copies of {whom}.": (
        "Bei mehr als zwei Seiten meint „gegen“ beide Sitzweisen zusammen: einer allein unter Kopien des anderen, und "
        "umgekehrt. Nur allein kann es anders sein: Im Mittel gewinnt {who} allein unter Kopien von {whom} {x} je "
        "Spiel."
    ),
    "With more than two sides, who is ahead of another by both ways to sit, taken together, may lose alone among its "
    "copies: alone among copies of {whom}, by the mean payoffs, {who} loses {x:n} a game.": (
        "Bei mehr als zwei Seiten kann allein unter den Kopien eines anderen verlieren, wer bei beiden Sitzweisen "
        "zusammen vor ihm liegt: Allein unter Kopien von {whom} verliert {who} im Mittel {x} je Spiel."
    ),
    "Some pair sat more often one way round than the other; payoffs may favour the better seat.": (
        "Manches Paar saß öfter so als andersherum; die Auszahlungen können den besseren Platz begünstigen."
    ),
    "{a} and {b} and {n:n} other pairs never met: no equilibrium or dominance can be given.": (
        "{a} und {b} sowie {n} weitere Paare trafen nie aufeinander: Gleichgewicht und Dominanz lassen sich nicht "
        "angeben."
    ),
    "{a} and {b} never met: no equilibrium or dominance can be given.": (
        "{a} und {b} trafen nie aufeinander: Gleichgewicht und Dominanz lassen sich nicht angeben."
    ),
    "Some strategies never took a point from others: {groups}. No number of points separates such groups, so that a "
    "rating by wins is given only within the largest group.": (
        "Manche Strategien nahmen anderen nie einen Punkt ab: {groups}. Keine Punktzahl trennt solche Gruppen, daher "
        "gibt es die Wertung nach Siegen nur innerhalb der größten."
    ),
    "Some strategies never took a point from others: {groups}. No number of points separates such groups, so that a "
    "rating by wins is given for nobody.": (
        "Manche Strategien nahmen anderen nie einen Punkt ab: {groups}. Keine Punktzahl trennt solche Gruppen, daher "
        "gibt es für niemanden eine Wertung nach Siegen."
    ),
    "With {level:n} certainty, however often one looked: {claims:m} (after {n:n} of at most {most:n} blocks).": (
        "Mit {level} Sicherheit, wie oft man auch hinsah: {claims} (nach {n} von höchstens {most} Blöcken)."
    ),
    "With {level:n} certainty, however often one looked: {claims:m} (after {n:n} of at most {most:n} blocks). The goal "
    "was not reached{why:p}.": (
        "Mit {level} Sicherheit, wie oft man auch hinsah: {claims} (nach {n} von höchstens {most} Blöcken). Das Ziel "
        "wurde nicht erreicht{why}."
    ),
    "; the games left would probably not have told": "; die restlichen Spiele hätten es wohl nicht verraten",
    "{a} wins between {low:n} and {high:n} a game from {b}": "{a} gewinnt zwischen {low} und {high} je Spiel von {b}",
    "{a} wins between {low:n} and {high:n} a game from {b}, so more than {x:n}": (
        "{a} gewinnt zwischen {low} und {high} je Spiel von {b}, also mehr als {x}"
    ),
    "{a} wins between {low:n} and {high:n} a game from {b}, so less than {x:n}": (
        "{a} gewinnt zwischen {low} und {high} je Spiel von {b}, also weniger als {x}"
    ),
    "{a} gets between {low:n} and {high:n} a game more than {b}": (
        "{a} bekommt zwischen {low} und {high} je Spiel mehr als {b}"
    ),
    "{a} gets between {low:n} and {high:n} a game more than {b}, so more than {x:n}": (
        "{a} bekommt zwischen {low} und {high} je Spiel mehr als {b}, also mehr als {x}"
    ),
    "{a} gets between {low:n} and {high:n} a game more than {b}, so less than {x:n}": (
        "{a} bekommt zwischen {low} und {high} je Spiel mehr als {b}, also weniger als {x}"
    ),
    "{a} wins from {others:l}": "{a} gewinnt gegen {others}",
    "{a} earns more than {others:l}": "{a} holt mehr als {others}",
    "{a} wins from {others:l}, or loses at most {x:n}": "{a} gewinnt gegen {others} oder verliert höchstens {x}",
    "{a} earns more than {others:l}, or at most {x:n} less": "{a} holt mehr als {others} oder höchstens {x} weniger",
    "{a} and {b} are within {x:n}": "{a} und {b} liegen höchstens {x} auseinander",
    "of {n:n} pairs it is not known who wins": "von {n} Paaren ist nicht bekannt, wer gewinnt",
    "it is not known who wins, {a} or {b}": "nicht bekannt ist, wer gewinnt, {a} oder {b}",
    "it is not known who earns more, {a} or {b}": "nicht bekannt ist, wer mehr holt, {a} oder {b}",
    "of {n:n} pairs it is not known who earns more": "von {n} Paaren ist nicht bekannt, wer mehr holt",
    "All seats are on one side: every strategy played each deal by itself, and who got more from a deal won it. What "
    "they got on average stands beside the ratings.": (
        "Alle Plätze gehören zu einer Seite: Jede Strategie hat jede Gabe für sich gespielt; gewonnen hat, wer mehr "
        "aus ihr holte. Was sie im Mittel bekamen, steht neben den Wertungen."
    ),
    "This tournament could stop when it knew, and pairs whose games told nothing more got no more. The sentence above "
    "holds however often one looked; all other intervals of this page are those of a tournament whose length is fixed "
    "beforehand, and hold less often here. Every opponent counts once, however many games there were.": (
        "Dieses Turnier konnte aufhören, sobald es Bescheid wusste, und Paare, deren Spiele nichts mehr verrieten, "
        "bekamen keine mehr. Der Satz oben gilt, wie oft man auch hinsah; alle anderen Intervalle dieser Seite sind "
        "die eines Turniers von vorher fester Länge und gelten hier seltener. Jeder Gegner zählt einmal, wie viele "
        "Spiele es auch waren."
    ),
    "Interrupted: {n:n} of {most:n} blocks were finished.": "Abgebrochen: {n} von {most} Blöcken waren fertig.",
    "{n:n} of {all:n} games were stopped by the limit of {limit:n} decisions; these hooks ask: {hooks:r}": (
        "{n} von {all} Spielen wurden durch die Grenze von {limit} Entscheidungen beendet; diese Haken fragen: {hooks}"
    ),
    "{n:n} of {all:n} games were stopped by the limit of {limit:n} decisions": (
        "{n} von {all} Spielen wurden durch die Grenze von {limit} Entscheidungen beendet"
    ),
    "Bots from outside took part, and the seed was chosen. It decides all cards and dice: what it shows binds only if "
    "nobody who wrote a bot knew the seed, and no bot could read it (from the command line, for instance). Without "
    "--seed one is drawn that is kept from them.": (
        "Bots von außen nahmen teil, und der Startwert wurde gewählt. Er bestimmt alle Karten und Würfel: Was er "
        "zeigt, "
        "verpflichtet nur, wenn niemand, der einen Bot schrieb, ihn kannte und kein Bot ihn lesen konnte (etwa aus der "
        "Befehlszeile). Ohne --seed wird einer gezogen, der ihnen verborgen bleibt."
    ),
    "This system has no Landlock: bots from outside could write files with the rights of whoever ran the tournament, "
    "its results among them.": (
        "Dieses System hat kein Landlock: Bots von außen konnten Dateien mit den Rechten dessen schreiben, der das "
        "Turnier ausrichtete, auch dessen Ergebnisse."
    ),
    "{agent} is left out: {why:r}": "{agent} fehlt: {why}",
    "Loadouts of {agent}: {n:n}.": "Ausrüstungen von {agent}: {n}.",
    "Dominant equipment of {agent}: {best} is shown to beat every other loadout.": (
        "Dominante Ausrüstung von {agent}: Von {best} ist gezeigt, dass sie jede andere schlägt."
    ),
    "No loadout of {agent} is shown to beat all others; of most this is shown for {best}, which beats {n:n} of "
    "{all:n}.": (
        "Von keiner Ausrüstung von {agent} ist gezeigt, dass sie alle anderen schlägt; am ehesten von {best}, mit "
        "{n} von {all}."
    ),
    "Dominated equipment of {agent}: {found:l}.": "Dominierte Ausrüstung von {agent}: {found}.",
    "Undecided equipment of {agent}: {found:l}.": "Unentschiedene Ausrüstung von {agent}: {found}.",
    "Undominated equipment of {agent}: {found:l}.": "Nicht dominierte Ausrüstung von {agent}: {found}.",
    "Equipment of {agent} in the equilibrium mixture of the mean payoffs: {found:l}.": (
        "Ausrüstung von {agent} in der Gleichgewichtsmischung der mittleren Auszahlungen: {found}."
    ),
    "All else equal, {best} is shown to be better than every other for {agent}; mean lead in payoff over {found:l}.": (
        "Bei sonst gleicher Ausrüstung ist gezeigt, dass {best} für {agent} besser ist als alles andere; mittlerer "
        "Vorsprung vor {found}."
    ),
    "All else equal, {best} is ahead, though not every lead is shown for {agent}; mean lead in payoff over "
    "{found:l}.": (
        "Bei sonst gleicher Ausrüstung liegt {best} für {agent} vorn, doch nicht jeder Vorsprung ist gezeigt; "
        "mittlerer "
        "Vorsprung vor {found}."
    ),
    "A point of {name} is worth {x:n} a game to {agent} ({ends:i}; {a} against {b}).": (
        "Ein Punkt {name} ist für {agent} {x} je Spiel wert ({ends}; {a} gegen {b})."
    ),
}
PAGE = {  # headings, heads of tables and explanations of the page
    "tournament report": "Turnierbericht",
    "strategies": "Strategien",
    "games": "Spiele",
    "deals": "Gaben",
    "decisions": "Entscheidungen",
    "seed blocks": "Blöcke",
    "forfeits": "Verwirkte Spiele",
    "Sections": "Abschnitte",
    "Leaderboard": "Rangliste",
    "Ratings and equilibrium": "Wertungen und Gleichgewicht",
    "Head to head": "Gegeneinander",
    "Dominance": "Dominanz",
    "Seats": "Plätze",
    "Forfeits": "Verwirkte Spiele",
    "How it was played": "Wie gespielt wurde",
    "Method": "Verfahren",
    "What was decided": "Was entschieden wurde",
    "at least": "mindestens",
    "at most": "höchstens",
    "What the first of a pair earns more than the second in a deal, at least and at most: the mean over their "
    "opponents. All of it holds at once, however often one looked.": (
        "Was der Erste eines Paars je Gabe mehr holt als der Zweite, mindestens und höchstens: das Mittel über ihre "
        "Gegner. Alles gilt zugleich, wie oft man auch hinsah."
    ),
    "What the first of a pair gets more than the second in a deal, at least and at most. All of it holds at once, "
    "however often one looked.": (
        "Was der erste eines Paares je Gabe mehr bekommt als der zweite, mindestens und höchstens. Alles davon gilt "
        "zugleich, wie oft man auch hinsah."
    ),
    "What the first of a pair wins from the second in a game, at least and at most. All of it holds at once, however "
    "often one looked.": (
        "Was der Erste eines Paars je Spiel vom Zweiten gewinnt, mindestens und höchstens. Alles gilt zugleich, wie "
        "oft man auch hinsah."
    ),
    "Games that show it": "Spiele, die es zeigen",
    "payoffs": "Auszahlungen",
    "why this one": "warum dieses",
    "command": "Befehl",
    "One game proves nothing about a mean; it shows what is meant. A command, given in the folder of this page, plays "
    "its game again from the seed, compares it with the result that is kept, and shows every step.": (
        "Ein Spiel beweist nichts über ein Mittel; es zeigt, was gemeint ist. Ein Befehl, im Ordner dieser Seite "
        "gegeben, spielt sein Spiel aus dem Startwert noch einmal, vergleicht es mit dem aufbewahrten Ergebnis und "
        "zeigt jeden Schritt."
    ),
    "the middle result of the {k:n} among their first {n:n} games in which the first got more": (
        "das mittlere Ergebnis der {k} unter ihren ersten {n} Spielen, in denen die erste mehr bekam"
    ),
    "the middle result of their first {n:n} games": "das mittlere Ergebnis ihrer ersten {n} Spiele",
    "Files of code took part, bots or rule modules: to play such a game again runs them, and a bot that answers "
    "otherwise than it did is found out by the comparison, and nothing is shown.": (
        "Dateien mit Code nahmen teil, Bots oder Regelmodule: Ein solches Spiel noch einmal zu spielen führt sie aus. "
        "Ein Bot, der anders antwortet als damals, fällt beim Vergleich auf, und es wird nichts gezeigt."
    ),
    "strategy": "Strategie",
    "rating by payoff": "Wertung nach Auszahlung",
    "rank": "Rang",
    "mean payoff": "mittlere Auszahlung",
    "rating by wins": "Wertung nach Siegen",
    "won · drawn · lost, %": "gewonnen · remis · verloren, %",
    "did worst against": "am schlechtesten gegen",
    "never lost": "nie verloren",
    "never won": "nie gewonnen",
    "no number": "keine Zahl",
    "The rating by payoff is what a strategy earned a game from the others, on average; it decides the order.": (
        "Die Wertung nach Auszahlung ist, was eine Strategie im Schnitt je Spiel von den anderen geholt hat; sie "
        "bestimmt die Reihenfolge."
    ),
    "The rating by payoff is what a strategy got more a game than the others, on average; it decides the order.": (
        "Die Wertung nach Auszahlung ist, was eine Strategie im Schnitt je Spiel mehr bekam als die anderen; sie "
        "bestimmt die Reihenfolge."
    ),
    "The rating by wins asks only who won, however much: mean 1500, a lead of 100 points means 64% of the points, 200 "
    "points 76%, 400 points 91%.": (
        "Die Wertung nach Siegen fragt nur, wer gewonnen hat, nicht wie hoch: Mittel 1500; 100 Punkte Vorsprung "
        "bedeuten 64\u00a0% der Punkte, 200 Punkte 76\u00a0%, 400 Punkte 91\u00a0%."
    ),
    "The rating by wins asks only who won, however much; in this game every win pays the same, so that both tell the "
    "same story: mean 1500, a lead of 100 points means 64% of the points, 200 points 76%, 400 points 91%.": (
        "Die Wertung nach Siegen fragt nur, wer gewonnen hat, nicht wie hoch; in diesem Spiel zahlt jeder Sieg gleich, "
        "sodass beide dasselbe sagen: Mittel 1500; 100 Punkte Vorsprung bedeuten 64\u00a0% der Punkte, 200 Punkte "
        "76\u00a0%, 400 Punkte 91\u00a0%."
    ),
    "Ratings by payoff and ranks have {level:n} intervals that hold for all strategies at once;": (
        "Wertungen nach Auszahlung und Ränge haben {level}-Intervalle, die für alle Strategien zugleich gelten;"
    ),
    "other ± are {level:n} intervals of one number each, from {n:n} resamples of the seed blocks.": (
        "sonst stehen hinter ± {level}-Intervalle für je eine Zahl, aus {n} Stichproben der Blöcke."
    ),
    "Other ± are {level:n} intervals of one number each, from {n:n} resamples of the seed blocks.": (
        "Hinter ± stehen {level}-Intervalle für je eine Zahl, aus {n} Stichproben der Blöcke."
    ),
    "Ratings by payoff": "Wertungen nach Auszahlung",
    "What each strategy got more a game than the others, on average.": (
        "Was jede Strategie im Schnitt je Spiel mehr bekam als die anderen."
    ),
    "What each strategy earned a game from the others, on average.": (
        "Was jede Strategie im Schnitt je Spiel von den anderen geholt hat."
    ),
    "Ratings by payoff with intervals, best first": "Wertungen nach Auszahlung mit Intervallen, die beste zuerst",
    "payoff a game": "Auszahlung je Spiel",
    "payoff a game; bars are {level:n} intervals, all at once": (
        "Auszahlung je Spiel; Balken: {level}-Intervalle, alle zugleich"
    ),
    "Equilibrium mixture": "Mischung im Gleichgewicht",
    "By the mean payoffs no strategy gains against this mixture (bars).": (
        "Nach den mittleren Auszahlungen gewinnt keine Strategie gegen diese Mischung (Balken)."
    ),
    "Lines: the weights that strategies may have in equilibria of the real game, all at once.": (
        "Linien: die Gewichte, die Strategien in Gleichgewichten des wirklichen Spiels haben können, alle zugleich."
    ),
    "Weights of the Nash mixture": "Gewichte der Nash-Mischung",
    "weight in the mixture": "Gewicht in der Mischung",
    "Half of what the strategy in the row earned more a game than the one in the column, over all seatings. Numbers in "
    "grey are not shown to differ from zero, with all pairs taken together.": (
        "Die Hälfte dessen, was die Strategie in der Zeile je Spiel mehr holte als die in der Spalte, über alle "
        "Sitzordnungen. Von grauen Zahlen ist nicht gezeigt, dass sie sich von null unterscheiden, alle Paare "
        "zusammengenommen."
    ),
    "What the strategy in the row got more a game than the one in the column, on the same deals. Numbers in grey are "
    "not shown to differ from zero, with all pairs taken together.": (
        "Was die Strategie in der Zeile je Spiel mehr bekam als die in der Spalte, in denselben Gaben. Von grauen "
        "Zahlen ist nicht gezeigt, dass sie sich von null unterscheiden, alle Paare zusammengenommen."
    ),
    "row against column": "Zeile gegen Spalte",
    "{a} against {b}: {x:n}": "{a} gegen {b}: {x}",
    "{a} against {b}: {x:n} ({ends:i})": "{a} gegen {b}: {x} ({ends})",
    "{said:p}, {x:n} of the points in {n:n} games": "{said}, {x} der Punkte in {n} Spielen",
    "What is never the right choice": "Was nie die richtige Wahl ist",
    "A strategy is dominated if another one, or a fixed mixture of others, does better against every strategy of this "
    "tournament. Dominated, no, beats, beaten by and at most are shown at the level of the page, all at once; perhaps "
    "means that only the mean payoffs say so.": (
        "Eine Strategie ist dominiert, wenn eine andere oder eine feste Mischung anderer gegen jede Strategie dieses "
        "Turniers besser abschneidet. „Dominiert“, „nein“, „schlägt“, „geschlagen von“ und „höchstens“ sind auf dem "
        "Niveau der Seite gezeigt, alle zugleich; „vielleicht“ heißt, dass nur die mittleren Auszahlungen es sagen."
    ),
    "dominated?": "dominiert?",
    "by": "von",
    "lead at least": "Vorsprung mindestens",
    "beats": "schlägt",
    "beaten by": "geschlagen von",
    "exploitability": "Ausnutzbarkeit",
    "perhaps": "vielleicht",
    "not shown": "nicht gezeigt",
    "dominated": "dominiert",
    "no": "nein",
    "none shown": "niemand gezeigt",
    "{n:n} strategies": "{n} Strategien",
    "at most {most:n}, cross-fitted {cross:n}": "höchstens {most}, kreuzvalidiert {cross}",
    "The same in sentences": "Dasselbe in Sätzen",
    "By seat": "Nach Plätzen",
    "Mean payoff on each seat, with the share of points. The first line is what the seat itself is worth.": (
        "Mittlere Auszahlung auf jedem Platz, mit dem Anteil der Punkte. Die erste Zeile sagt, was der Platz selbst "
        "wert ist."
    ),
    "all strategies": "alle Strategien",
    "first": "zuerst",
    "second": "danach",
    "seat {n:n}": "Platz {n}",
    "player {n:n}": "Spieler {n}",
    "side {n:n}": "Seite {n}",
    "attacker": "Angreifer",
    "defender": "Verteidiger",
    "A strategy that answers with an illegal action, raises an exception or runs out of time loses that game. Those "
    "games count.": (
        "Eine Strategie, die mit einer verbotenen Aktion antwortet, mit einem Fehler abbricht oder ihre Zeit "
        "überschreitet, verliert das Spiel. Diese Spiele zählen."
    ),
    "illegal action": "verbotene Aktion",
    "exception": "Fehler",
    "out of time": "Zeit überschritten",
    "overtime": "Zeit überschritten",
    "timeout": "Zeit überschritten",
    "illegal": "verbotene Aktion",
    "The first {n:n} of {all:n}": "Die ersten {n} von {all}",
    "All {n:n}": "Alle {n}",
    "game": "Spiel",
    "seat": "Platz",
    "why": "Grund",
    "message": "Meldung",
    "scenario": "Szenario",
    "rule set": "Regelsatz",
    "seed": "Startwert",
    "mean length of a game": "mittlere Länge eines Spiels",
    "finished": "beendet",
    "Scenario parameters": "Einstellungen",
    "Versions": "Versionen",
    "games of each pairing": "Spiele jeder Paarung",
    "games of each pairing at most": "Spiele jeder Paarung höchstens",
    "blocks": "Blöcke",
    "seconds for a move": "Sekunden je Zug",
    "no limit": "unbegrenzt",
    "modules": "Module",
    "none": "keine",
    "memory of a bot": "Speicher eines Bots",
    "bots' seats": "Plätze eines Bots",
    "a process each": "je ein Prozess",
    "one process for all, which may talk": "ein Prozess für alle, der sich absprechen kann",
    "Fair comparison.": "Fairer Vergleich.",
    "Each deal is played in every seating, so that good cards and good seats fall to all alike. All intervals "
    "resample whole seed blocks, which keep the seatings of a deal together.": (
        "Jede Gabe wird in jeder Sitzordnung gespielt, sodass gute Karten und gute Plätze allen gleich zufallen. Alle "
        "Intervalle ziehen ganze Blöcke, in denen die Sitzordnungen einer Gabe beisammenbleiben."
    ),
    "Every strategy plays each deal by itself, with the same dice. All intervals resample whole seed blocks, which "
    "keep the games of a deal together.": (
        "Jede Strategie spielt jede Gabe für sich, mit denselben Würfeln. Alle Intervalle ziehen ganze Blöcke, in "
        "denen die Spiele einer Gabe beisammenbleiben."
    ),
    "Differences.": "Unterschiede.",
    "What one strategy got more than another on the same deals, on average. Nobody meets anybody, so that there is no "
    "equilibrium, and who gets less is dominated by who gets more.": (
        "Was eine Strategie in denselben Gaben im Schnitt mehr bekam als eine andere. Niemand trifft auf jemanden; "
        "darum gibt es kein Gleichgewicht, und wer weniger bekommt, ist von dem dominiert, der mehr bekommt."
    ),
    "Ratings.": "Wertungen.",
    "By payoff: least squares over the margins of all pairs, each pair counting once. By wins: Bradley-Terry model "
    "fitted to all games at once, whatever their order; a draw is half a win for each side; 400 points for odds of ten "
    "to one; a prior of {n:n} drawn game between every two strategies. Who never lost, or never won, has no number "
    "there, because any number would come from the prior.": (
        "Nach Auszahlung: kleinste Quadrate über die Abstände aller Paare, jedes Paar zählt einmal. Nach Siegen: "
        "Modell von Bradley und Terry, an alle Spiele zugleich angepasst, gleich in welcher Reihenfolge; ein Remis ist "
        "für jede Seite ein halber Sieg; 400 Punkte für eine Quote von zehn zu eins; als Vorwissen {n} Remis zwischen "
        "je zwei Strategien. Wer nie verloren oder nie gewonnen hat, bekommt dort keine Zahl, weil sie nur aus dem "
        "Vorwissen käme."
    ),
    "Intervals.": "Intervalle.",
    "Of a pair, a payoff, a seat or a rating by wins: percentile bootstrap over seed blocks, {level:n}, widened for "
    "few blocks (Hesterberg 2015), each by itself. What happened in few games or in none may be more frequent than it "
    "was: the intervals of payoffs leave room for that (Clopper and Pearson 1934). Everything that is called better, "
    "worse, beaten, dominated or shown, every rank and every rating by payoff rests on Student’s intervals over seed "
    "blocks with Bonferroni’s correction for all pairs and all strategies, so that with {same:n} chance "
    "all of it is right at once.": (
        "Für ein Paar, eine Auszahlung, einen Platz oder eine Wertung nach Siegen: Perzentil-Bootstrap über Blöcke, "
        "{level}, bei wenigen Blöcken verbreitert (Hesterberg 2015), jedes für sich. Was in wenigen Spielen oder in "
        "keinem geschah, kann häufiger sein, als es war: dafür lassen die Intervalle der Auszahlungen Platz (Clopper "
        "und Pearson 1934). Alles, was besser, schlechter, geschlagen, dominiert oder gezeigt heißt, jeder Rang und "
        "jede Wertung nach Auszahlung beruht auf "
        "Student-Intervallen über Blöcke mit der Korrektur von Bonferroni für alle Paare und alle Strategien, sodass "
        "mit {same} Wahrscheinlichkeit alles davon zugleich stimmt."
    ),
    "Payoff matrix.": "Auszahlungsmatrix.",
    "Half the difference of the two strategies’ mean payoffs in their games. It is the metagame in which a player "
    "chooses a strategy once; nothing is claimed about strategies that did not take part.": (
        "Die halbe Differenz der mittleren Auszahlungen beider Strategien in ihren Spielen. Sie ist das Metaspiel, in "
        "dem man einmal eine Strategie wählt; über Strategien, die nicht teilnahmen, wird nichts behauptet."
    ),
    "Equilibrium.": "Gleichgewicht.",
    "The mixture of maximum entropy among all Nash equilibria of that matrix, which is unique and gives the same "
    "weight to strategies that do the same. Linear programs by HiGHS.": (
        "Unter allen Nash-Gleichgewichten dieser Matrix die Mischung mit der größten Entropie; sie ist eindeutig und "
        "gibt Strategien, die dasselbe tun, dasselbe Gewicht. Lineare Programme mit HiGHS."
    ),
    "Dominance.": "Dominanz.",
    "Shown if it holds for all payoff matrices within the simultaneous intervals; so is what leaves a strategy "
    "undominated: that it is the best of all against some mixture of opponents. Mixtures by linear programming. "
    "“Exploitability” is what the best opponent in the pool earned on average; it earns at most the number beside it. "
    "Cross-fitted, that opponent is chosen on one half of the blocks and measured on the other, because the best of "
    "many noisy means looks better than it is.": (
        "Gezeigt, wenn sie für alle Auszahlungsmatrizen innerhalb der gemeinsamen Intervalle gilt; ebenso, was eine "
        "Strategie undominiert lässt: dass sie gegen irgendeine Mischung von Gegnern die beste von allen ist. "
        "Mischungen durch lineare Programme. „Ausnutzbarkeit“ ist, was der beste Gegner im Feld im Schnitt geholt hat; "
        "er holt höchstens die Zahl daneben. Kreuzvalidiert heißt: Dieser Gegner wird auf der einen Hälfte der Blöcke "
        "gewählt und auf der anderen gemessen, denn das Beste von vielen verrauschten Mitteln sieht besser aus, als es "
        "ist."
    ),
    "Made by probespiel. This page contains no scripts and loads nothing.": (
        "Erstellt von probespiel. Diese Seite enthält keine Skripte und lädt nichts nach."
    ),
}
TERMINAL = {  # terminal.py
    "payoff": "Auszahlung",
    "by wins": "nach Siegen",
    "win/draw/loss %": "S/U/N %",
    "[game {n:n}]": "[Spiel {n}]",
    "To see such a game:": "So ist ein solches Spiel zu sehen:",
}
AGAINST = {  # app/against.py
    "two tournaments": "zwei Turniere",
    "Tournament {new} against {old}": "Turnier {new} gegen {old}",
    "{name} came first before and comes first now.": "{name} lag vorher vorn und liegt jetzt vorn.",
    "{old} came first before, {new} comes first now.": "Vorher lag {old} vorn, jetzt liegt {new} vorn.",
    "That is more than chance: each is shown to be better than the other one in its tournament.": (
        "Das ist mehr als Zufall: In ihrem Turnier ist jede gezeigt besser als die andere."
    ),
    "That may be chance: in one of the tournaments the two cannot be told apart.": (
        "Das kann Zufall sein: In einem der Turniere sind die beiden nicht zu unterscheiden."
    ),
    "{name} did not take part before.": "{name} nahm vorher nicht teil.",
    "{name} does not take part any more.": "{name} nimmt nicht mehr teil.",
    "Changed beyond chance: rating of {name} {a:n} → {b:n} ({x:n}; {ends:i}).": (
        "Über den Zufall hinaus geändert: Wertung von {name} {a} → {b} ({x}; {ends})."
    ),
    "Changed beyond chance: {one} against {two} {a:n} → {b:n} ({x:n}; {ends:i}).": (
        "Über den Zufall hinaus geändert: {one} gegen {two} {a} → {b} ({x}; {ends})."
    ),
    "{n:n} more pairs changed beyond chance; the table has them all.": (
        "{n} weitere Paare änderten sich über den Zufall hinaus; die Tabelle hat sie alle."
    ),
    "No rating and no pair changed beyond chance.": (
        "Keine Wertung und kein Paar änderte sich über den Zufall hinaus."
    ),
    "There is nothing that both tournaments have measured.": "Es gibt nichts, was beide Turniere gemessen haben.",
    "It was shown before that {name} is dominated; now it is shown that nothing dominates it. That is more than "
    "chance.": (
        "Vorher war gezeigt, dass {name} dominiert ist; jetzt ist gezeigt, dass nichts sie dominiert. Das ist mehr als "
        "Zufall."
    ),
    "It was shown before that nothing dominates {name}; now it is shown to be dominated. That is more than chance.": (
        "Vorher war gezeigt, dass nichts {name} dominiert; jetzt ist gezeigt, dass sie dominiert ist. Das ist mehr als "
        "Zufall."
    ),
    "{name} is shown to be dominated now; before, that was not shown. It may have been so all along.": (
        "{name} ist jetzt gezeigt dominiert; vorher war das nicht gezeigt. Es kann schon immer so gewesen sein."
    ),
    "{name} was shown to be dominated before; now that is not shown. It may still be so.": (
        "{name} war vorher gezeigt dominiert; jetzt ist das nicht gezeigt. Es kann noch immer so sein."
    ),
    "That {name} is dominated or not has not changed beyond chance.": (
        "Ob {name} dominiert ist, hat sich nicht über den Zufall hinaus geändert."
    ),
    "No verdict on dominance has changed.": "Kein Urteil über Dominanz hat sich geändert.",
    "The weight of {name} in the equilibrium changed beyond chance: {a:n} → {b:n}.": (
        "Das Gewicht von {name} im Gleichgewicht änderte sich über den Zufall hinaus: {a} → {b}."
    ),
    "Only one of them has: {names:l}.": "Nur in einem der beiden: {names}.",
    "The fields differ, so that ratings tell of other opponents: they are shown, but only pairs are compared.": (
        "Die Felder sind verschieden, also sprechen Wertungen von anderen Gegnern: Sie werden gezeigt, verglichen "
        "werden nur Paare."
    ),
    "The rules differ (rule set {a} before, {b} now): what changed may come from that.": (
        "Die Regeln sind verschieden (Regelsatz vorher {a}, jetzt {b}): Was sich änderte, kann daher kommen."
    ),
    "The scenarios differ ({a} before, {b} now).": "Die Szenarien sind verschieden (vorher {a}, jetzt {b}).",
    "Both have the same seed, and so the same deals: differences are surer than said here.": (
        "Beide haben denselben Startwert, also dieselben Gaben: Unterschiede sind sicherer, als hier steht."
    ),
    "One of them counts whole differences of payoffs, the other one half of them: numbers cannot be compared.": (
        "Das eine zählt ganze Unterschiede von Auszahlungen, das andere halbe: Zahlen sind nicht vergleichbar."
    ),
    "The units of payoffs differ ({a} before, {b} now): numbers cannot be compared.": (
        "Die Einheiten der Auszahlungen sind verschieden (vorher {a}, jetzt {b}): Zahlen sind nicht vergleichbar."
    ),
    "What changed": "Was sich änderte",
    "before": "vorher",
    "now": "jetzt",
    "difference": "Unterschied",
    "beyond chance": "über den Zufall hinaus",
    "yes": "ja",
    "Ratings": "Wertungen",
    "All {n:n} differences on this page hold at once at {level:n}; they are of two tournaments taken as independent.": (
        "Alle {n} Unterschiede dieser Seite gelten zugleich zu {level}; es sind die zweier Turniere, die als "
        "unabhängig gelten."
    ),
    "Pairs": "Paare",
    "Mean payoff of the first strategy against the second.": (
        "Mittlere Auszahlung der ersten Strategie gegen die zweite."
    ),
    "pair": "Paar",
    "Dominance and equilibrium": "Dominanz und Gleichgewicht",
    "dominated before": "vorher dominiert",
    "dominated now": "jetzt dominiert",
    "weight before": "Gewicht vorher",
    "weight now": "Gewicht jetzt",
    "result": "Turnier",
    "of": "von",
    "command, in its folder": "Befehl, in seinem Ordner",
    "The tournaments": "Die Turniere",
    "tournament": "Turnier",
}
GERMAN = (ANSWER, TOLD, PAGE, TERMINAL, UNITS, AGAINST)


def words(lang: str) -> Phrasebook:
    """The texts of the tournament report in a language, `en` or `de`."""
    return ENGLISH if lang == "en" else Phrasebook(lang, GERMAN)


__all__ = ["AGAINST", "GERMAN", "words"]
