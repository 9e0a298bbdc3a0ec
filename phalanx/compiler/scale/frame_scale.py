"""Frames that scale: how they stretch what is inside, and which powers of the factors each attribute takes.

Lengths and masses follow every scaling frame around an element. Quantities with a force in them follow only the frames
whose scaling is "similar": those change the units of length and mass, so that everything inside moves as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from phalanx.compiler.object.rotation import Quat, Vector, length_of, matrix_of, subtract, total, unit
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.errors import ElementProblem, Wrong, refuse
from phalanx.tables.equalities import LENGTHS
from phalanx.tables.joints import BY_TAG

if TYPE_CHECKING:
    from phalanx.compiler.model_object import Carried, ModelObject

Matrix = tuple[Vector, Vector, Vector]
#: A value of an attribute that scales.
Quantity = float | tuple[float, ...]

#: Sine of the largest angle by which an axis may be rotated when it is stretched, about 2 degrees.
ALIGNED = 0.0349
#: Largest factor of lengths or masses, or of their inverses: powers of it are still finite.
LARGEST = 1e30
_AXES: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


# --- how much


@dataclass(frozen=True, eq=False)
class Factors:
    """The product of the factors of all frames around an element.

    Attributes:
        outer: the product without the innermost of these frames.
        length, mass: factors of all frames; where the axes have different factors of length, their geometric mean.
        unit_length, unit_mass: factors of the frames that change units.
    """

    outer: Factors | None = None
    length: float = 1.0
    mass: float = 1.0
    unit_length: float = 1.0
    unit_mass: float = 1.0


ONES = Factors()


@dataclass(frozen=True)
class Scale:
    """How frames scale an element.

    Attributes:
        factors: of length and mass.
        matrix: what stretches vectors in the coordinates of the element; None if all axes have the same factor.
    """

    factors: Factors
    matrix: Matrix | None = None

    def of(self, vector: Sequence[float]) -> Vector:
        """A vector, stretched."""
        if self.matrix is None:
            x, y, z = vector
            return x * self.factors.length, y * self.factors.length, z * self.factors.length
        return _times(self.matrix, vector)

    def rotated(self, quat: Quat) -> Scale:
        """The same stretch in the coordinates of a frame that is rotated by `quat`: R' S R."""
        if self.matrix is None:
            return self
        rotation = _rows(matrix_of(quat))
        return replace(self, matrix=_product(_transposed(rotation), _product(self.matrix, rotation)))

    def along(self, axis: Vector) -> float:
        """Factor of the length of a vector with this direction."""
        return self.factors.length if self.matrix is None else length_of(_times(self.matrix, axis))

    def axes(self) -> Vector:
        """Factors along the three axes."""
        x, y, z = _AXES
        return self.along(x), self.along(y), self.along(z)

    def keeps(self, axis: Vector) -> bool:
        """Does a vector with this direction keep its direction when it is stretched, nearly at least?"""
        if self.matrix is None:
            return True
        image = _times(self.matrix, axis)
        along = total(a * b for a, b in zip(image, axis, strict=True))
        across = subtract(image, (along * axis[0], along * axis[1], along * axis[2]))
        return length_of(across) <= ALIGNED * length_of(image)

    def keeps_axes(self) -> bool:
        """Do all three axes keep their directions?"""
        return all(self.keeps(axis) for axis in _AXES)

    @property
    def diagonal(self) -> Vector | None:
        """Factors along the axes if these keep their directions exactly, else None."""
        if self.matrix is None:
            return (self.factors.length,) * 3
        (a, b, c), (d, e, f), (g, h, i) = self.matrix
        return None if any((b, c, d, f, g, h)) else (a, e, i)


def _rows(entries: tuple[float, ...]) -> Matrix:
    """The matrix with these entries, row by row."""
    a, b, c, d, e, f, g, h, i = entries
    return (a, b, c), (d, e, f), (g, h, i)


def _transposed(matrix: Matrix) -> Matrix:
    x, y, z = zip(*matrix, strict=True)
    return x, y, z


def _times(matrix: Matrix, vector: Sequence[float]) -> Vector:
    x, y, z = (total(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def _product(a: Matrix, b: Matrix) -> Matrix:
    columns = _transposed(b)
    x, y, z = (_times(columns, row) for row in a)
    return x, y, z


def factors_of(obj: ModelObject) -> Factors:
    """Factors of the frames around an object, all one if none of them scales."""
    return ONES if obj.scale is None else obj.scale.factors


def inside_frame(outer: Scale | None, values: Values) -> Scale | None:
    """The scale inside a frame; `outer` is the one around it, in the coordinates of the frame."""
    lengths = values["scale"] or (1.0,)
    refuse(_check_lengths(lengths))
    mass = values["massscale"]
    if values["scale"] is None and not mass:
        return outer
    x, y, z = lengths[0], lengths[len(lengths) // 2], lengths[-1]
    is_uniform = x == y == z
    is_similar = values["scaling"] == "similar"
    if is_similar and not is_uniform:
        raise ElementProblem("scale has different values, which need scaling='geometry'", "scale")
    # without a factor of mass the density stays
    mass = mass or x * y * z
    length = x if is_uniform else (x * y * z) ** (1 / 3)
    before = outer.factors if outer else ONES
    factors = Factors(
        before, before.length * length, before.mass * mass,
        before.unit_length * (length if is_similar else 1.0), before.unit_mass * (mass if is_similar else 1.0),
    )  # fmt: skip
    # the product with the frames around may be too large where each factor is not
    refuse(
        (f"{what} inside are multiplied by {factor:g}; the most is {LARGEST:g}, or its inverse", name)
        for name, what, factor in (("scale", "lengths", factors.length), ("massscale", "masses", factors.mass))
        if not 1 / LARGEST <= factor <= LARGEST
    )
    old = outer.matrix if outer else None
    if is_uniform and old is None:
        return Scale(factors)
    if old is None:
        old = _rows((before.length, 0.0, 0.0, 0.0, before.length, 0.0, 0.0, 0.0, before.length))
    return Scale(factors, _product(old, _rows((x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z))))


def _check_lengths(lengths: tuple[float, ...]) -> Iterator[Wrong]:
    if max(lengths) > LARGEST:
        yield f"scale is {max(lengths):g}; it is at most {LARGEST:g}", "scale"
    if len(lengths) == 2:
        yield "scale takes one value or three, not 2", "scale"
    if not min(lengths) > 0:
        yield f"scale is {min(lengths):g}; it must be positive", "scale"


def common(objects: Iterable[ModelObject]) -> Factors:
    """Factors of the innermost scaling frame that is around all of some objects."""
    lineages = []
    for obj in objects:
        here: Factors | None = factors_of(obj)
        lineage = []
        while here is not None:
            lineage.append(here)
            here = here.outer
        lineages.append(lineage)
    first, *others = lineages
    return next((f for f in first if f is ONES or all(f in other for other in others)), ONES)


# --- dimensions


class Dimension(NamedTuple):
    """Powers of length, mass, coordinate and force; coordinates are lengths or angles, forces forces or torques."""

    length: int = 0
    mass: int = 0
    coordinate: int = 0
    force: int = 0

    def over(self, other: Dimension) -> Dimension:
        """The dimension of a quotient."""
        return Dimension(*(a - b for a, b in zip(self, other, strict=True)))


PURE, COORDINATE, FORCE = Dimension(), Dimension(coordinate=1), Dimension(force=1)
PRESSURE = Dimension(length=-1, mass=1)


def _read(text: str) -> tuple[Dimension, ...]:
    """Dimensions written as "1, F Q-1": for each value, powers of L(ength), M(ass), Q (coordinate) and F(orce)."""
    found = []
    for item in text.split(","):
        powers = dict.fromkeys("LMQF", 0)
        for word in item.split():
            if word != "1":
                powers[word[0]] = int(word[1:] or "1")
        found.append(Dimension(*powers.values()))
    return tuple(found)


def dimension_of(text: str) -> Dimension:
    """The dimension of one value, written as powers of L, M, Q and F: "F Q-1" for a stiffness."""
    return _read(text)[0]


def _table(rows: Mapping[str, str]) -> dict[str, tuple[Dimension, ...]]:
    return {name: _read(text) for text, names in rows.items() for name in names.split()}


_SPRING = "F Q-1, F Q-2, F Q-3"

#: Element -> attribute -> dimension of each of its values, or of all of them. What is not listed does not scale.
DIMENSIONS: dict[str, dict[str, tuple[Dimension, ...]]] = {
    "joint": _table({
        "Q": "range margin ref springref springyield", "F": "actuatorfrcrange frictionloss", "F Q-1": "armature",
        _SPRING: "stiffness damping", "1, 1, Q, 1, 1": "solimplimit solimpfriction",
    }),
    "geom": _table({"L": "margin gap", "M L": "adhesion", "1, L, L": "friction", "1, 1, L, 1, 1": "solimp"}),
    "site": {},
    "camera": _table({"L": "ipd focal principal sensorsize"}),
    "light": _table({"L": "bulbradius range", "1, L-1, L-2": "attenuation"}),
    "pair": _table({"L": "margin gap", "M L": "adhesion", "1, 1, L, L, L": "friction", "1, 1, L, 1, 1": "solimp"}),
    "tendon": _table({
        "Q": "range margin springyield", "F": "actuatorfrcrange frictionloss", "F Q-1": "armature", "L": "width",
        _SPRING: "stiffness damping", "1, 1, Q, 1, 1": "solimplimit solimpfriction",
    }),
    "actuator": _table({
        "Q": "lengthrange velrange", "F": "forcerange ffrange", "F Q-1": "armature", "L": "cranklength",
        _SPRING: "damping",
    }),
    "frames": _table({"L": LENGTHS, "1, 1, L, 1, 1": "solimp"}),
    "coupling": _table({"1, 1, Q, 1, 1": "solimp"}),
}  # fmt: skip


@dataclass(frozen=True)
class Units:
    """Factors of the dimensions for one object; those that begin with unit_ are for quantities with a force in them."""

    length: float = 1.0
    coordinate: float = 1.0
    unit_length: float = 1.0
    unit_mass: float = 1.0
    unit_coordinate: float = 1.0
    force: float = 1.0

    @property
    def changes_units(self) -> bool:
        """Do quantities with a force in them scale?"""
        return self.unit_length != 1.0 or self.unit_mass != 1.0

    def factor(self, dimension: Dimension) -> float:
        """What a quantity of a dimension is multiplied by."""
        if dimension.mass or dimension.force:
            length, coordinate = self.unit_length, self.unit_coordinate
        else:
            length, coordinate = self.length, self.coordinate
        return (
            length**dimension.length * coordinate**dimension.coordinate
            * self.unit_mass**dimension.mass * self.force**dimension.force
        )  # fmt: skip

    def scaled(self, values: tuple[float, ...], dimensions: tuple[Dimension, ...]) -> tuple[float, ...]:
        """Values, each times the factor of its dimension; one dimension is that of all of them."""
        if len(dimensions) == 1:
            dimensions *= len(values)
        padded = (*dimensions, *(PURE,) * len(values))
        return tuple(value * self.factor(padded[k]) for k, value in enumerate(values))

    def apply(self, values: Values, table: Mapping[str, tuple[Dimension, ...]]) -> None:
        """Scale the attributes of a table."""
        for name, dimensions in table.items():
            value: Quantity | None = values.get(name)
            if isinstance(value, tuple):
                values[name] = self.scaled(value, dimensions)
            elif value is not None:
                values[name] = value * self.factor(dimensions[0])


UNSCALED = Units()


def linear(factors: Factors) -> Units:
    """Units of an object whose coordinates are lengths."""
    unit_length, unit_mass = factors.unit_length, factors.unit_mass
    return Units(factors.length, factors.length, unit_length, unit_mass, unit_length, unit_mass * unit_length)


def angular(factors: Factors) -> Units:
    """Units of an object whose coordinates are angles, and whose forces are torques."""
    unit_length, unit_mass = factors.unit_length, factors.unit_mass
    return Units(factors.length, 1.0, unit_length, unit_mass, 1.0, unit_mass * unit_length**2)


def between(a: Units, b: Units) -> Units:
    """Units of an object that belongs to two others: geometric means of theirs."""
    return Units(*(sqrt(x * y) for x, y in zip(vars(a).values(), vars(b).values(), strict=True)))


# --- what stands in a frame


def scale_carried(kind: str, obj: Carried) -> None:
    """Scale what a body carries; poses and shapes of geoms and sites are scaled later, when they are known."""
    assert obj.scale is not None
    units = obj.units = joint_units(obj) if kind == "joint" else None
    if kind not in ("geom", "site"):
        obj.values["pos"] = obj.scale.of(obj["pos"])
    if units is not UNSCALED:
        (units or linear(obj.scale.factors)).apply(obj.values, DIMENSIONS[kind])


def joint_units(joint: Carried) -> Units:
    """Units of a joint, whose axis must keep its direction; a free joint mixes lengths and angles and is left alone."""
    assert joint.scale is not None
    row, factors = BY_TAG[joint["type"]], joint.scale.factors
    if row.floating:
        return UNSCALED
    if not row.scalar:
        return angular(factors)
    axis = unit(joint["axis"])
    if not joint.scale.keeps(axis):
        raise ElementProblem("the axis is not aligned with the axes of the frame that scales it", "axis")
    return angular(factors) if row.angular else replace(linear(factors), coordinate=joint.scale.along(axis))


def stretched_inertia(scale: Scale, moments: Vector, quat: Quat) -> list[float]:
    """Inertia xx yy zz xy xz yz of a stretched body, from its moments along the axes of `quat`.

    The second moments of mass, integral of x x' dm, are a tensor C with I = tr(C) 1 - C; stretched by S, it is S C S'.
    """
    assert scale.matrix is not None
    rotation = _rows(matrix_of(quat))
    half = total(moments) / 2
    # along the principal axes, C is half the trace of I minus the moment
    x, y, z = ((half - moment) for moment in moments)
    a, b, c = ((row[0] * x, row[1] * y, row[2] * z) for row in rotation)
    stretched = _product(scale.matrix, _product((a, b, c), _transposed(rotation)))
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = _product(stretched, _transposed(scale.matrix))
    return [entry * scale.factors.mass for entry in (yy + zz, xx + zz, xx + yy, -xy, -xz, -yz)]
