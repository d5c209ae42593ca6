"""Sheets of figures: from the parameters of the scenario, or from the table of generated enemies."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ..state import P_LUCK


@kernel
def place_figure(s: Any, p: Any, i: int) -> None:
    """Write a figure's sheet and start into the state."""
    for k in range(3):
        s.value[i, k] = p.f_value[i, k]
        s.physical[i, k] = p.f_physical[i, k]
        s.combat[i, k] = p.f_combat[i, k]
        s.social[i, k] = p.f_social[i, k]
        s.items[i, k] = p.f_items[i, k]
    for k in range(5):
        s.rank[i, k] = p.f_rank[i, k]
    for w in range(2):
        s.w_kind[i, w] = p.f_w_kind[i, w]
        s.w_damage[i, w] = p.f_w_damage[i, w]
        s.w_range[i, w] = p.f_w_range[i, w]
        s.w_rank[i, w] = p.f_w_rank[i, w]
        s.w_number[i, w] = p.f_w_number[i, w]
    s.attack[i] = p.f_attack[i]
    s.defence[i] = p.f_defence[i]
    s.initiative[i] = p.f_initiative[i]
    s.limit[i] = p.f_limit[i]
    s.hardened[i] = p.f_hardened[i]
    s.armour_malus[i] = p.f_armour_malus[i]
    s.move_range[i] = p.f_move_range[i]
    s.perks[i] = p.f_perks[i]
    s.team[i] = p.f_team[i]
    s.span[i] = p.f_span[i]
    s.x[i] = p.f_x[i]
    s.y[i] = p.f_y[i]
    s.wounds[i] = p.f_wounds[i]
    s.standing[i] = p.f_standing[i]
    s.saga[i] = p.f_saga[i]
    s.luck[i] = p.luck_uses if p.f_perks[i] & P_LUCK else 0
    s.init_mod[i] = p.f_init_mod[i]
    s.target_mod[i] = p.f_target_mod[i]


@kernel
def load_sheet(s: Any, p: Any, i: int, row: int) -> None:
    """Write the sheet in a row of `p.archetype`, in the order of `state.SHEET`."""
    sheet = p.archetype[row]
    for k in range(3):
        s.value[i, k] = sheet[k]
        s.physical[i, k] = sheet[3 + k]
        s.combat[i, k] = sheet[6 + k]
        s.social[i, k] = sheet[9 + k]
        s.items[i, k] = sheet[35 + k]
    s.attack[i] = sheet[12]
    s.defence[i] = sheet[13]
    s.initiative[i] = sheet[14]
    s.limit[i] = sheet[15]
    s.hardened[i] = sheet[16]
    s.armour_malus[i] = sheet[17]
    s.move_range[i] = sheet[18]
    for k in range(5):
        s.rank[i, k] = sheet[19 + k]
    for w in range(2):
        s.w_kind[i, w] = sheet[24 + w]
        s.w_damage[i, w] = sheet[26 + w]
        s.w_range[i, w] = sheet[28 + w]
        s.w_rank[i, w] = sheet[30 + w]
        s.w_number[i, w] = sheet[32 + w]
    s.perks[i] = sheet[34]
