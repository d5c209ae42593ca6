"""Inner loops of the native learner, sixteen numbers at a time: sums of weighted rows, their gradient, products, tanh.

All work on float32 memory given by its address. The length of rows is a multiple of `LANES`; what a compiler would
have to guess about them (how long they are, what overlaps) is written down here, which makes them three times as fast
as the same loops over arrays. The order of additions is fixed, so that results do not depend on how work is shared out.

Over 500 lines because every loop stands here twice, as a signature for readers and type checkers and as the code that
is generated for it, and all loops share one small vocabulary of loads, stores and blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..envs.core.abi import float32_at
from ..envs.core.jit import config
from ..envs.core.memory import int32_at

LANES = 16  # float32 numbers worked on together
QUAD = 4  # what things are compared by, at a time
TILE = 4  # sums of rows side by side, for which each row is fetched once
LINE = 64  # bytes of a line of the cache
# Contraction to multiply-add and free order inside a loop, but infinities and nan as they are: they must be seen.
FAST = {"contract", "reassoc", "nsz", "arcp"}


def aligned(*shape: int, kind: Any = np.float32) -> np.ndarray:
    """Zeros that begin where a line of the processor's cache does: vectors across two lines are loaded half as fast."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    memory = np.zeros(size + LINE, np.uint8)
    begin = -memory.ctypes.data % LINE
    return memory[begin : begin + size].view(kind).reshape(shape)


def padded(n: int, to: int = LANES) -> int:
    """The next multiple of `to`."""
    return -(-n // to) * to


# tanh is a quotient of polynomials, exact to a few units in the last place; beyond the bound it is 1 in float32.
_BOUND = 7.90531110763549805
_ODD = (-2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-08,
        1.48572235717979e-05, 6.37261928875436e-04, 4.89352455891786e-03)  # fmt: skip
_EVEN = (1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03)
# exp(x) = 2^n exp(r), r a remainder of at most ln(2)/2 to either side (Cephes, Moshier 1992, expf)
_LEAST, _MOST = -87.0, 88.0
_HIGH, _LOW = 0.693359375, -2.12194440e-4  # ln(2) in two parts, the first of few bits
_EXP = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)


if TYPE_CHECKING or config.DISABLE_JIT:  # the same in numpy

    def sum_rows(out: int, start: int, rows: int, x: int, count: int, n: int) -> None:
        """out[:n] = start[:n] + sum over e < count of x[e] * rows[e, :n]; addresses of float32."""
        float32_at(out, n)[:] = float32_at(start, n)
        if count:
            float32_at(out, n)[:] += float32_at(x, count) @ float32_at(rows, count * n).reshape(count, n)

    def sum_rows_at(out: int, start: int, rows: int, which: int, x: int, count: int, n: int) -> None:
        """out[:n] = start[:n] + sum over e < count of x[e] * rows[which[e], :n]; `which` is the address of int32."""
        float32_at(out, n)[:] = float32_at(start, n)
        for row, factor in zip(int32_at(which, count).tolist() if count else [], float32_at(x, max(count, 1))):
            float32_at(out, n)[:] += factor * float32_at(rows + 4 * n * row, n)

    def add_rows(rows: int, x: int, add: int, count: int, n: int) -> None:
        """rows[e, :n] += x[e] * add[:n] for e < count; addresses of float32."""
        if count:
            float32_at(rows, count * n).reshape(count, n)[:] += np.outer(float32_at(x, count), float32_at(add, n))

    def sum_products(
        out: int, start: int, rows: int, x: int, many: int, count: int, apart: int, between: int, n: int
    ) -> None:
        """`sum_rows` for s < many: out[s] begins at s * apart, x[s] at s * between; `start` is the same for all.

        There must be room for whole `TILE`s: all are summed up by the same code, so that the bits of none depend on
        how many there are.
        """
        for s in range(many):
            sum_rows(out + 4 * s * apart, start, rows, x + 4 * s * between, count, n)

    def add_products(rows: int, x: int, add: int, many: int, count: int, between: int, n: int) -> None:
        """rows[e, :n] += sum over s < many of x[s, e] * add[s, :n] for e < count; x[s] begins at s * between."""
        for s in range(many):
            add_rows(rows, x + 4 * s * between, add + 4 * s * n, count, n)

    def add_rows_at(rows: int, which: int, x: int, add: int, count: int, n: int) -> None:
        """rows[which[e], :n] += x[e] * add[:n] for e < count; `which` is the address of int32."""
        for row, factor in zip(int32_at(which, count).tolist() if count else [], float32_at(x, max(count, 1))):
            float32_at(rows + 4 * n * row, n)[:] += factor * float32_at(add, n)

    def dot(a: int, b: int, n: int) -> Any:
        """Sum over j < n of a[j] * b[j], float32; addresses of float32."""
        return float32_at(a, n) @ float32_at(b, n)

    def quad_differences(out: int, a: int, b: int) -> None:
        """out[:QUAD] = a[:QUAD] - b[:QUAD]; addresses of float32."""
        float32_at(out, QUAD)[:] = float32_at(a, QUAD) - float32_at(b, QUAD)

    def quad_shift(up: int, down: int, by: int, factor: Any) -> None:
        """up[:QUAD] += factor * by[:QUAD], down[:QUAD] -= factor * by[:QUAD]; addresses of float32, and a float32."""
        float32_at(up, QUAD)[:] += factor * float32_at(by, QUAD)
        float32_at(down, QUAD)[:] -= factor * float32_at(by, QUAD)

    def quad_slopes(pairs: int, a: int, b: int) -> None:
        """pairs[:QUAD] = (a - b)[:QUAD] * (1 - pairs[:QUAD]^2); addresses of float32."""
        value = float32_at(pairs, QUAD)
        value[:] = (float32_at(a, QUAD) - float32_at(b, QUAD)) * (1 - value * value)

    def tanh_of(address: int, n: int) -> None:
        """Replace n float32 numbers, rounded up to whole `LANES`, by their hyperbolic tangents; nan stays nan."""
        value = float32_at(address, padded(n)) if n else np.zeros(0, np.float32)
        value[:] = np.tanh(value)

    def exp_of(out: int, address: int, shift: Any, n: int) -> None:
        """Write exp(number - shift), at most 1e38, of n float32 numbers, rounded up to whole `LANES`, to `out`."""
        if n:
            value = np.minimum(float32_at(address, padded(n)) - shift, 88.0)
            float32_at(out, padded(n))[:] = np.exp(value)

    def slope_of_tanh(gradient: int, value: int, n: int) -> None:
        """gradient[:n] *= 1 - value[:n]^2; addresses of float32."""
        if n:
            float32_at(gradient, n)[:] *= 1 - float32_at(value, n) * float32_at(value, n)

    def add_vector(out: int, add: int, n: int) -> None:
        """out[:n] += add[:n]; addresses of float32."""
        if n:
            float32_at(out, n)[:] += float32_at(add, n)

else:
    _I32, _I64, _F32 = ir.IntType(32), ir.IntType(64), ir.FloatType()
    _VECTOR = ir.VectorType(_F32, LANES)
    _ALLOWED = ("contract", "reassoc", "nsz", "arcp")  # FAST, in a fixed order
    _BLOCKS = (4 * LANES, LANES)  # columns at a time: as many sums as the registers hold

    def _at(builder: Any, address: Any, index: Any, kind: Any) -> Any:
        """The pointer to item `index` (i64, counted in 32-bit words) at an address."""
        words = builder.gep(builder.inttoptr(address, _I32.as_pointer()), [index])
        return builder.bitcast(words, kind.as_pointer())

    def _load(builder: Any, address: Any, index: Any, kind: Any) -> Any:
        return builder.load(_at(builder, address, index, kind), align=4)

    def _store(builder: Any, value: Any, address: Any, index: Any) -> None:
        builder.store(value, _at(builder, address, index, value.type), align=4)

    def _spread(builder: Any, value: Any) -> Any:
        """A number in all lanes."""
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), value, ir.Constant(_I32, 0))
        lanes = ir.Constant(ir.VectorType(_I32, LANES), [0] * LANES)
        return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), lanes)

    def _multiply_add(builder: Any, a: Any, b: Any, c: Any) -> Any:
        return builder.fadd(builder.fmul(a, b, flags=_ALLOWED), c, flags=_ALLOWED)

    def _plus(builder: Any, a: Any, n: int) -> Any:
        return builder.add(a, ir.Constant(_I64, n))

    def _columns(builder: Any, n: Any, block: Callable[[Any, int], None], blocks: tuple[int, ...] = _BLOCKS) -> None:
        """Code of `block(first column, vectors)` for all columns 0..n-1, the widest blocks first."""
        start = ir.Constant(_I64, 0)
        for width in blocks:
            stop = builder.and_(n, ir.Constant(_I64, -width))
            with cgutils.for_range_slice(builder, start, stop, ir.Constant(_I64, width), _I64) as (column, _):
                block(column, width // LANES)
            start = stop

    def _row_of(builder: Any, which: Any, e: Any, n: Any) -> Any:
        row = e if which is None else builder.sext(_load(builder, which, e, _I32), _I64)
        return builder.mul(row, n)

    def _sum_code(builder: Any, out: Any, start: Any, rows: Any, which: Any, x: Any, count: Any, n: Any) -> None:
        def block(column: Any, vectors: int) -> None:
            chains = max(1, 8 // vectors)  # sums side by side, as one addition takes as long as eight
            sums = [[cgutils.alloca_once(builder, _VECTOR) for _ in range(vectors)] for _ in range(chains)]
            for v in range(vectors):
                builder.store(_load(builder, start, _plus(builder, column, v * LANES), _VECTOR), sums[0][v])
                for chain in sums[1:]:
                    builder.store(ir.Constant(_VECTOR, [0.0] * LANES), chain[v])

            def add(e: Any, places: list[Any]) -> None:
                factor = _spread(builder, _load(builder, x, e, _F32))
                first = builder.add(_row_of(builder, which, e, n), column)
                for v, place in enumerate(places):
                    weight = _load(builder, rows, _plus(builder, first, v * LANES), _VECTOR)
                    builder.store(_multiply_add(builder, factor, weight, builder.load(place)), place)

            begin, one = ir.Constant(_I64, 0), ir.Constant(_I64, 1)
            if chains > 1:
                end = builder.and_(count, ir.Constant(_I64, -chains))
                step = ir.Constant(_I64, chains)
                with cgutils.for_range_slice(builder, begin, end, step, _I64) as (e, _):
                    for i, places in enumerate(sums):
                        add(_plus(builder, e, i), places)
                begin = end
            with cgutils.for_range_slice(builder, begin, count, one, _I64) as (e, _):
                add(e, sums[0])
            for v in range(vectors):
                total = builder.load(sums[0][v])
                for chain in sums[1:]:
                    total = builder.fadd(total, builder.load(chain[v]), flags=_ALLOWED)
                _store(builder, total, out, _plus(builder, column, v * LANES))

        _columns(builder, n, block)

    def _add_code(builder: Any, rows: Any, which: Any, x: Any, add: Any, count: Any, n: Any) -> None:
        def block(column: Any, vectors: int) -> None:
            adds = [_load(builder, add, _plus(builder, column, v * LANES), _VECTOR) for v in range(vectors)]
            with cgutils.for_range(builder, count, intp=_I64) as loop:
                factor = _spread(builder, _load(builder, x, loop.index, _F32))
                first = builder.add(_row_of(builder, which, loop.index, n), column)
                for v, value in enumerate(adds):
                    at = _plus(builder, first, v * LANES)
                    _store(builder, _multiply_add(builder, factor, value, _load(builder, rows, at, _VECTOR)), rows, at)

        _columns(builder, n, block)

    @intrinsic
    def sum_rows(typingctx: Any, out: Any, start: Any, rows: Any, x: Any, count: Any, n: Any) -> Any:
        """out[:n] = start[:n] + sum over e < count of x[e] * rows[e, :n]; addresses of float32."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            out, start, rows, x, count, n = args
            _sum_code(builder, out, start, rows, None, x, count, n)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 6), codegen

    @intrinsic
    def sum_rows_at(typingctx: Any, out: Any, start: Any, rows: Any, which: Any, x: Any, count: Any, n: Any) -> Any:
        """out[:n] = start[:n] + sum over e < count of x[e] * rows[which[e], :n]; `which` is the address of int32."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            _sum_code(builder, *args)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 7), codegen

    @intrinsic
    def sum_products(
        typingctx: Any, out: Any, start: Any, rows: Any, x: Any, many: Any, count: Any, apart: Any, between: Any, n: Any
    ) -> Any:
        """`sum_rows` for s < many: out[s] begins at s * apart, x[s] at s * between; `start` is the same for all.

        There must be room for whole `TILE`s: all are summed up by the same code, so that the bits of none depend on
        how many there are.
        """

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            out, start, rows, x, many, count, apart, between, n = args

            def tile(first: Any) -> None:
                sources = [builder.mul(_plus(builder, first, i), between) for i in range(TILE)]
                targets = [builder.mul(_plus(builder, first, i), apart) for i in range(TILE)]

                def block(column: Any, vectors: int) -> None:
                    sums = [[cgutils.alloca_once(builder, _VECTOR) for _ in range(vectors)] for _ in range(TILE)]
                    for v in range(vectors):
                        begin = _load(builder, start, _plus(builder, column, v * LANES), _VECTOR)
                        for places in sums:
                            builder.store(begin, places[v])
                    with cgutils.for_range(builder, count, intp=_I64) as loop:
                        row = builder.add(builder.mul(loop.index, n), column)
                        weights = [
                            _load(builder, rows, _plus(builder, row, v * LANES), _VECTOR) for v in range(vectors)
                        ]
                        for source, places in zip(sources, sums):
                            factor = _spread(builder, _load(builder, x, builder.add(source, loop.index), _F32))
                            for weight, place in zip(weights, places):
                                builder.store(_multiply_add(builder, factor, weight, builder.load(place)), place)
                    for target, places in zip(targets, sums):
                        to = builder.add(target, column)
                        for v, place in enumerate(places):
                            _store(builder, builder.load(place), out, _plus(builder, to, v * LANES))

                _columns(builder, n, block, (2 * LANES, LANES))

            step = ir.Constant(_I64, TILE)
            with cgutils.for_range_slice(builder, ir.Constant(_I64, 0), many, step, _I64) as (first, _):
                tile(first)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 9), codegen

    @intrinsic
    def add_products(typingctx: Any, rows: Any, x: Any, add: Any, many: Any, count: Any, between: Any, n: Any) -> Any:
        """rows[e, :n] += sum over s < many of x[s, e] * add[s, :n] for e < count; x[s] begins at s * between."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            rows, x, add, many, count, between, n = args

            def block(column: Any, vectors: int) -> None:
                sums = [cgutils.alloca_once(builder, _VECTOR) for _ in range(vectors)]
                with cgutils.for_range(builder, count, intp=_I64) as row:
                    first = builder.add(builder.mul(row.index, n), column)
                    for v, place in enumerate(sums):
                        builder.store(_load(builder, rows, _plus(builder, first, v * LANES), _VECTOR), place)
                    with cgutils.for_range(builder, many, intp=_I64) as one:
                        at = builder.add(builder.mul(one.index, between), row.index)
                        factor = _spread(builder, _load(builder, x, at, _F32))
                        begin = builder.add(builder.mul(one.index, n), column)
                        for v, place in enumerate(sums):
                            value = _load(builder, add, _plus(builder, begin, v * LANES), _VECTOR)
                            builder.store(_multiply_add(builder, factor, value, builder.load(place)), place)
                    for v, place in enumerate(sums):
                        _store(builder, builder.load(place), rows, _plus(builder, first, v * LANES))

            _columns(builder, n, block)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 7), codegen

    @intrinsic
    def add_rows(typingctx: Any, rows: Any, x: Any, add: Any, count: Any, n: Any) -> Any:
        """rows[e, :n] += x[e] * add[:n] for e < count; addresses of float32."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            rows, x, add, count, n = args
            _add_code(builder, rows, None, x, add, count, n)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 5), codegen

    @intrinsic
    def add_rows_at(typingctx: Any, rows: Any, which: Any, x: Any, add: Any, count: Any, n: Any) -> Any:
        """rows[which[e], :n] += x[e] * add[:n] for e < count; `which` is the address of int32."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            _add_code(builder, *args)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 6), codegen

    @intrinsic
    def dot(typingctx: Any, a: Any, b: Any, n: Any) -> Any:
        """Sum over j < n of a[j] * b[j], float32; addresses of float32."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            a, b, n = args
            total = cgutils.alloca_once(builder, _VECTOR)
            builder.store(ir.Constant(_VECTOR, [0.0] * LANES), total)
            step = ir.Constant(_I64, LANES)
            with cgutils.for_range_slice(builder, ir.Constant(_I64, 0), n, step, _I64) as (j, _):
                product = [_load(builder, address, j, _VECTOR) for address in (a, b)]
                builder.store(_multiply_add(builder, *product, builder.load(total)), total)
            vector, half = builder.load(total), LANES
            while half > 1:  # the upper half upon the lower one, until one number is left
                half //= 2
                lanes = ir.Constant(ir.VectorType(_I32, half), list(range(half)))
                upper = ir.Constant(ir.VectorType(_I32, half), list(range(half, 2 * half)))
                parts = [builder.shuffle_vector(vector, vector, index) for index in (lanes, upper)]
                vector = builder.fadd(*parts)
            return builder.extract_element(vector, ir.Constant(_I32, 0))

        return types.float32(*[types.int64] * 3), codegen

    def _all_lanes(value: float) -> Any:
        return ir.Constant(_VECTOR, [float(np.float32(value))] * LANES)

    def _within(builder: Any, value: Any, least: float, most: float) -> Any:
        """Numbers no less and no more than bounds; nan stays nan."""
        for bound, beyond in ((most, ">"), (least, "<")):
            outside = builder.fcmp_ordered(beyond, value, _all_lanes(bound))
            value = builder.select(outside, _all_lanes(bound), value)
        return value

    def _polynomial(builder: Any, x: Any, factors: tuple[float, ...]) -> Any:
        """The polynomial of these factors, that of the highest power first."""
        total = _all_lanes(factors[0])
        for factor in factors[1:]:
            total = _multiply_add(builder, total, x, _all_lanes(factor))
        return total

    def _tanh(builder: Any, value: Any) -> Any:
        value = _within(builder, value, -_BOUND, _BOUND)
        square = builder.fmul(value, value, flags=_ALLOWED)
        odd, even = (_polynomial(builder, square, factors) for factors in (_ODD, _EVEN))
        return builder.fdiv(builder.fmul(value, odd, flags=_ALLOWED), even, flags=_ALLOWED)

    def _exp(builder: Any, value: Any) -> Any:
        whole = ir.VectorType(_I32, LANES)
        value = _within(builder, value, _LEAST, _MOST)
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        round_to = cgutils.get_or_insert_function(builder.module, kind, f"llvm.rint.v{LANES}f32")
        power = builder.call(round_to, [builder.fmul(value, _all_lanes(1.44269504088896341))])
        rest = _multiply_add(builder, power, _all_lanes(-_HIGH), value)
        rest = _multiply_add(builder, power, _all_lanes(-_LOW), rest)
        square = builder.fmul(rest, rest)
        one = builder.fadd(_multiply_add(builder, _polynomial(builder, rest, _EXP), square, rest), _all_lanes(1.0))
        exponent = builder.add(builder.fptosi(power, whole), ir.Constant(whole, [127] * LANES))
        scale = builder.bitcast(builder.shl(exponent, ir.Constant(whole, [23] * LANES)), _VECTOR)
        return builder.fmul(one, scale)

    def _every(builder: Any, n: Any) -> Any:
        """A loop over the first of each `LANES` numbers of n, the last ones begun included."""
        return cgutils.for_range_slice(builder, ir.Constant(_I64, 0), n, ir.Constant(_I64, LANES), _I64)

    @intrinsic
    def tanh_of(typingctx: Any, address: Any, n: Any) -> Any:
        """Replace n float32 numbers, rounded up to whole `LANES`, by their hyperbolic tangents; nan stays nan."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address, n = args
            with _every(builder, n) as (j, _):
                _store(builder, _tanh(builder, _load(builder, address, j, _VECTOR)), address, j)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), codegen

    @intrinsic
    def exp_of(typingctx: Any, out: Any, address: Any, shift: Any, n: Any) -> Any:
        """Write exp(number - shift), at most 1e38, of n float32 numbers, rounded up to whole `LANES`, to `out`."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            out, address, shift, n = args
            shift = _spread(builder, shift)
            with _every(builder, n) as (j, _):
                value = builder.fsub(_load(builder, address, j, _VECTOR), shift)
                _store(builder, _exp(builder, value), out, j)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.float32, types.int64), codegen

    def _wholes_and_rest(builder: Any, n: Any, work: Callable[[Any, Any], None]) -> None:
        """Code of `work(first, kind)` for vectors, and then for what is left one by one."""
        stop = builder.and_(n, ir.Constant(_I64, -LANES))
        with _every(builder, stop) as (j, _):
            work(j, _VECTOR)
        with cgutils.for_range_slice(builder, stop, n, ir.Constant(_I64, 1), _I64) as (j, _):
            work(j, _F32)

    @intrinsic
    def slope_of_tanh(typingctx: Any, gradient: Any, value: Any, n: Any) -> Any:
        """gradient[:n] *= 1 - value[:n]^2; addresses of float32."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            gradient, value, n = args

            def work(j: Any, kind: Any) -> None:
                x = _load(builder, value, j, kind)
                one = _all_lanes(1.0) if kind is _VECTOR else ir.Constant(_F32, 1.0)
                slope = builder.fsub(one, builder.fmul(x, x, flags=_ALLOWED), flags=_ALLOWED)
                _store(builder, builder.fmul(_load(builder, gradient, j, kind), slope, flags=_ALLOWED), gradient, j)

            _wholes_and_rest(builder, n, work)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 3), codegen

    @intrinsic
    def add_vector(typingctx: Any, out: Any, add: Any, n: Any) -> Any:
        """out[:n] += add[:n]; addresses of float32."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            out, add, n = args

            def work(j: Any, kind: Any) -> None:
                _store(builder, builder.fadd(*[_load(builder, at, j, kind) for at in (out, add)]), out, j)

            _wholes_and_rest(builder, n, work)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 3), codegen

    def _quad(builder: Any, address: Any) -> Any:
        return builder.inttoptr(address, ir.VectorType(_F32, QUAD).as_pointer())

    def _all(value: float) -> Any:
        return ir.Constant(ir.VectorType(_F32, QUAD), [value] * QUAD)

    @intrinsic
    def quad_differences(typingctx: Any, out: Any, a: Any, b: Any) -> Any:
        """out[:QUAD] = a[:QUAD] - b[:QUAD]; addresses of float32."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            out, a, b = (_quad(builder, address) for address in args)
            builder.store(builder.fsub(builder.load(a, align=4), builder.load(b, align=4)), out, align=4)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 3), codegen

    @intrinsic
    def quad_shift(typingctx: Any, up: Any, down: Any, by: Any, factor: Any) -> Any:
        """up[:QUAD] += factor * by[:QUAD], down[:QUAD] -= factor * by[:QUAD]; addresses of float32, and a float32."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            up, down, by = (_quad(builder, address) for address in args[:3])
            kind = ir.VectorType(_F32, QUAD)
            one = builder.insert_element(ir.Constant(kind, ir.Undefined), args[3], ir.Constant(_I32, 0))
            factor = builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_I32, QUAD), [0] * QUAD))
            change = builder.fmul(builder.load(by, align=4), factor)
            builder.store(builder.fadd(builder.load(up, align=4), change), up, align=4)
            builder.store(builder.fsub(builder.load(down, align=4), change), down, align=4)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64, types.float32), codegen

    @intrinsic
    def quad_slopes(typingctx: Any, pairs: Any, a: Any, b: Any) -> Any:
        """pairs[:QUAD] = (a - b)[:QUAD] * (1 - pairs[:QUAD]^2); addresses of float32."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pairs, a, b = (_quad(builder, address) for address in args)
            value = builder.load(pairs, align=4)
            slope = builder.fsub(_all(1.0), builder.fmul(value, value))
            difference = builder.fsub(builder.load(a, align=4), builder.load(b, align=4))
            builder.store(builder.fmul(difference, slope), pairs, align=4)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 3), codegen


__all__ = [
    "FAST",
    "LANES",
    "QUAD",
    "add_products",
    "add_rows",
    "add_rows_at",
    "add_vector",
    "aligned",
    "dot",
    "exp_of",
    "padded",
    "quad_differences",
    "quad_shift",
    "quad_slopes",
    "slope_of_tanh",
    "sum_products",
    "sum_rows",
    "sum_rows_at",
    "tanh_of",
]
