"""What the words of options stand for in kernels: an enumeration for each, its names in the order of their numbers."""

from __future__ import annotations

from enum import IntEnum

# characters and checks
Surcharge = IntEnum("Surcharge", "LINEAR PROGRESSIVE", start=0)
Patience = IntEnum("Patience", "IMPROVES WORSENS", start=0)
Untrained = IntEnum("Untrained", "LITERAL BEST", start=0)
Critical = IntEnum("Critical", "CONFIRMED AUTOMATIC", start=0)
LuckScope = IntEnum("LuckScope", "ALL TESTS", start=0)
SagaConfirm = IntEnum("SagaConfirm", "CRITICAL_ONLY AUTO_SUCCESS", start=0)
# fights
TieBreak = IntEnum("TieBreak", "BASE_INITIATIVE_LOW INITIATIVE_LOW", start=0)
Simultaneous = IntEnum("Simultaneous", "RANDOM SEAT", start=0)
EdgeClock = IntEnum("EdgeClock", "PERFORMER TARGET", start=0)
LimitResult = IntEnum("LimitResult", "STANDING LOSSES DRAW", start=0)
# talks
SocialTie = IntEnum("SocialTie", "SUCCESS FAILURE", start=0)  # kernels add the number to what a total must reach
MoodTracks = IntEnum("MoodTracks", "LINKED SEPARATE", start=0)
LieTie = IntEnum("LieTie", "LIAR LISTENER", start=0)  # kernels add the number to the listener's total
BuildChoice = IntEnum("BuildChoice", "GIVEN CHOOSE", start=0)
FirstSpeaker = IntEnum("FirstSpeaker", "RANDOM FIRST", start=0)
# missions
Rounding = IntEnum("Rounding", "FLOOR CEIL", start=0)
ExtraPoints = IntEnum("ExtraPoints", "WEAKEST STRONGEST NONE", start=0)
Tier = IntEnum("Tier", "WEAK NORMAL STRONG", start=0)
CriticalEffect = IntEnum("CriticalEffect", "MALUS MORE STRONGER", start=0)
Scenario = IntEnum("Scenario", "DESTROY CLEANSE RETRIEVE TRAVERSE PROTECT", start=0)
# all
Utility = IntEnum("Utility", "WIN MARGIN SUCCESS SAGA", start=0)

MEANINGS = {
    "Surcharge": "option skill_surcharge",
    "Patience": "option patient_attack",
    "Untrained": "option untrained_rule",
    "Critical": "option critical_means",
    "LuckScope": "option luck_scope",
    "SagaConfirm": "option saga_confirm",
    "TieBreak": "option tie_break",
    "Simultaneous": "option simultaneous_order",
    "EdgeClock": "option edge_clock",
    "LimitResult": "option limit_result",
    "SocialTie": "option social_tie",
    "MoodTracks": "option mood_tracks",
    "LieTie": "option lie_tie",
    "BuildChoice": "option build_choice",
    "FirstSpeaker": "option first_speaker",
    "Rounding": "option half_rounding",
    "ExtraPoints": "option extra_points",
    "Tier": "options tier_event and tier_target: strength of enemies",
    "CriticalEffect": "option critical_effect",
    "Scenario": "scenarios of missions",
    "Utility": "option utility",
}

__all__ = [
    "BuildChoice",
    "Critical",
    "CriticalEffect",
    "EdgeClock",
    "ExtraPoints",
    "FirstSpeaker",
    "LieTie",
    "LimitResult",
    "LuckScope",
    "MoodTracks",
    "Patience",
    "Rounding",
    "SagaConfirm",
    "Scenario",
    "Simultaneous",
    "SocialTie",
    "Surcharge",
    "TieBreak",
    "Tier",
    "Untrained",
    "Utility",
]
