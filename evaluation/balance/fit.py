"""What the measured points say about all others: figures at every point, and along each parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...agents.intervals import NORMAL
from .design import Loss, loss_of, on_line, scales
from .measuring import Measured
from .profile import GRID, TINY, Floats, Profile, covariance, curve, root_of, spans
from .records import Along, Crossing, Line
from .space import Axis, Key, Space
from .surface import Surface, coordinates, surface
from .targets import Target

SHOWN = 101  # places of a line that are kept
LEAST = 3  # points from which a surface is drawn


@dataclass(frozen=True)
class Fit:
    """Measured points of a space, by key; those without all figures of the targets are left out."""

    space: Space
    targets: tuple[Target, ...]
    known: Mapping[Key, Measured]
    seed: int

    @property
    def keys(self) -> list[Key]:
        """The points that count, in order."""
        wanted = {t.figure for t in self.targets}
        return sorted(key for key, found in self.known.items() if wanted <= found.figures.keys())

    @property
    def line(self) -> bool:
        """Whether there is one axis, of numbers."""
        return len(self.space.axes) == 1 and self.space.axes[0].numeric

    @property
    def smooth(self) -> bool:
        """Whether surfaces can be drawn: some axis is of numbers, and there are enough points."""
        return any(axis.numeric for axis in self.space.axes) and len(self.keys) >= LEAST

    def exact(self) -> bool:
        """Whether no figure that counts has an error."""
        return all(self.known[key].figures[t.figure].exact for key in self.keys for t in self.targets)

    def data(self, name: str) -> tuple[Floats, Floats]:
        """Values of a figure at the points that count, float64[n], and their covariance."""
        found = [self.known[key].figures[name] for key in self.keys]
        errors = np.array([(f.high - f.low) / (2 * NORMAL) for f in found])
        gaps = [self.known[key].gaps if name == "worth" else None for key in self.keys]
        return np.array([f.value for f in found]), covariance(gaps, errors)

    def profiles(self) -> dict[str, Profile]:
        """On one axis of numbers: the figures along it."""
        (axis,) = self.space.axes
        x = np.array([axis.values[key[0]] for key in self.keys], dtype=np.float64)
        return {t.figure: curve(x, *self.data(t.figure), self.seed, grid_of(axis, x)) for t in self.targets}

    def surfaces(self) -> dict[str, Surface]:
        """On several axes: the figures over all of them."""
        x, owner = coordinates(self.space, self.keys)
        return {t.figure: surface(x, owner, *self.data(t.figure)) for t in self.targets}

    def losses(self, keys: Sequence[Key]) -> list[Loss]:
        """How far each of some points is from the targets, by what is expected there."""
        values: dict[str, Floats] = {}
        if self.line:
            at = np.array([self.space.axes[0].values[key[0]] for key in keys], dtype=np.float64)
            for name, found in self.profiles().items():
                inside = np.interp(at, found.x, found.mid)
                values[name] = np.where((at < found.x[0]) | (at > found.x[-1]), np.nan, inside)
        elif self.smooth:
            places = coordinates(self.space, keys)[0]
            values = {name: found.at(places)[0] for name, found in self.surfaces().items()}
        scale = scales(self.targets, [self.known[key].figures for key in self.keys])
        out = []
        for i, key in enumerate(keys):
            figures = self.known[key].figures if key in self.known else {}
            exact = {name: f.value for name, f in figures.items() if f.exact or name not in values}
            here = {name: float(v[i]) for name, v in values.items() if np.isfinite(v[i])} | exact
            out.append(loss_of(self.targets, here, scale))
        return out

    def along(self, centre: Key) -> tuple[Along, ...]:
        """Figures along every axis of numbers, through a point."""
        keys = self.keys
        if len(keys) < 2:
            return ()
        if self.line:
            found = self.profiles()
            return (self._told(0, found, centre),)
        if not self.smooth:
            return ()
        out = []
        if self.exact():  # a smooth course through exact values would be told as surely as these, and need not be so
            for a, axis in enumerate(self.space.axes):
                solved = self._solved(a, centre) if axis.numeric else {}
                out += [self._told(a, solved, centre)] if solved else []
            return tuple(out)
        surfaces = self.surfaces()
        for a, axis in enumerate(self.space.axes):
            if axis.numeric:
                slices = {name: self._slice(made, a, centre) for name, made in surfaces.items()}
                out.append(self._told(a, slices, centre))
        return tuple(out)

    def _value(self, axis: int, key: Key) -> float:
        return float(self.space.axes[axis].values[key[axis]])

    def _solved(self, a: int, centre: Key) -> dict[str, Profile]:
        """Exact figures along an axis, by the points that were solved on it; {} if there are less than two."""
        keys = on_line(self.keys, a, centre)
        if len(keys) < 2:
            return {}
        axis, x = self.space.axes[a], np.array([self._value(a, key) for key in keys])
        none = np.zeros((len(keys), len(keys)))
        values = {t.figure: [self.known[key].figures[t.figure].value for key in keys] for t in self.targets}
        return {name: curve(x, np.array(found), none, self.seed, grid_of(axis, x)) for name, found in values.items()}

    def _slice(self, made: Surface, a: int, centre: Key) -> Profile:
        axis = self.space.axes[a]
        low, high = float(axis.values[0]), float(axis.values[-1])
        x = np.union1d(np.linspace(low, high, GRID // 4), whole_numbers(axis))
        place, owner = coordinates(self.space, [centre])
        places = np.repeat(place, len(x), axis=0)
        places[:, np.flatnonzero(owner == a)[0]] = (x - low) / (high - low)
        mid, sd = made.at(places)
        bottom, top = mid - NORMAL * sd, mid + NORMAL * sd
        rises = bool((np.minimum.accumulate(top) < bottom).any())  # from an earlier place to a later one, surely
        falls = bool((np.maximum.accumulate(bottom) > top).any())
        direction = 0 if rises and falls else 1 if rises or (not falls and mid[-1] >= mid[0]) else -1
        return Profile(x, mid, bottom, top, direction)

    def _told(self, a: int, found: Mapping[str, Profile], centre: Key) -> Along:
        axis, near = self.space.axes[a], self._value(a, centre)
        crossings = []
        x = next(iter(found.values())).x
        inside, sure = np.ones(len(x), dtype=bool), np.ones(len(x), dtype=bool)
        for target in self.targets:
            profile = found[target.figure]
            root = root_of(profile, target.aim, near)
            if root is not None:
                crossings.append(Crossing(target.figure, target.aim, **vars(root)))
            low, high = target.ends
            inside &= (profile.mid >= low - 1e-9) & (profile.mid <= high + 1e-9)
            sure &= (profile.low >= low - 1e-9) & (profile.high <= high + 1e-9)
        for key in self.keys:  # what was measured of a point stands, whatever a smooth course would have there
            figures = self.known[key].figures
            held = {t.holds(figures[t.figure].low, figures[t.figure].high) for t in self.targets}
            if on_line([key], a, centre) and ("no" in held or held == {"yes"}):
                at = np.isclose(x, self._value(a, key), rtol=0, atol=TINY)
                inside[at] = sure[at] = "no" not in held
        lines = tuple(_line(name, profile) for name, profile in found.items())
        return Along(axis.name, lines, tuple(crossings), spans(x, inside), spans(x, sure), self.exact())


def grid_of(axis: Axis, x: Floats) -> Floats:
    """The places of a profile through measured values `x` float64[n] of an axis, its whole numbers among them."""
    return np.union1d(np.linspace(x[0], x[-1], GRID), whole_numbers(axis, x[0], x[-1]))


def whole_numbers(axis: Axis, low: float = -np.inf, high: float = np.inf) -> Floats:
    """The values that a parameter of numbers may have on its axis, float64[n]; those that were tried if many lie there.

    Only those from `low` to `high`.
    """
    first, last = int(axis.values[0]), int(axis.values[-1])
    values = range(first, last + 1) if last - first < GRID else axis.values
    found = np.array(values, dtype=np.float64)
    return found[(found >= low) & (found <= high)]


def _line(name: str, found: Profile) -> Line:
    at = np.unique(np.round(np.linspace(0, len(found.x) - 1, SHOWN)).astype(int))
    rows = (tuple(part[at].tolist()) for part in (found.x, found.mid, found.low, found.high))
    return Line(name, found.direction, *rows)


__all__ = ["Fit"]
