"""Vectors of lanes: the few operations that the kernels are built from, written as LLVM's own vector code.

Loops over shoes that LLVM vectorises by itself come out two to ten times slower, because Numba widens every
number to 64 bits first. Here the width is said. LLVM turns these vectors into whatever the processor has, so
the same code runs with AVX-512, AVX2 or less, only slower.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

INDEX = ir.IntType(64)


class Vector:
    """Builds code for vectors with a number of lanes, each of a number of bits."""

    def __init__(self, builder: Any, lanes: int, bits: int) -> None:
        self.builder, self.lanes, self.bits = builder, lanes, bits
        self.element = ir.IntType(bits)
        self.type = ir.VectorType(self.element, lanes)

    def const(self, number: int) -> Any:
        """The same number in every lane."""
        return ir.Constant(self.type, [number] * self.lanes)

    def splat(self, scalar: Any) -> Any:
        """A number known only at run time in every lane."""
        undefined = ir.Constant(self.type, ir.Undefined)
        zero = ir.Constant(ir.IntType(32), 0)
        first = self.builder.insert_element(undefined, scalar, zero)
        order = ir.Constant(ir.VectorType(ir.IntType(32), self.lanes), [0] * self.lanes)
        return self.builder.shuffle_vector(first, undefined, order)

    def pointer(self, start: Any, offset: Any, more: int = 0) -> Any:
        """Where a vector is: a number of elements after the start of an array."""
        place = self.builder.gep(start, [self.builder.add(offset, ir.Constant(INDEX, more))])
        return self.builder.bitcast(place, self.type.as_pointer())

    def load(self, start: Any, offset: Any, more: int = 0) -> Any:
        return self.builder.load(self.pointer(start, offset, more), align=self.bits // 8)

    def store(self, value: Any, start: Any, offset: Any, more: int = 0) -> None:
        self.builder.store(value, self.pointer(start, offset, more), align=self.bits // 8)

    def is_below(self, left: Any, right: Any) -> Any:
        return self.builder.icmp_unsigned("<", left, right)

    def is_equal(self, left: Any, right: Any) -> Any:
        return self.builder.icmp_unsigned("==", left, right)

    def least(self, left: Any, right: Any) -> Any:
        return self.builder.select(self.is_below(left, right), left, right)

    def number(self, mask: Any) -> Any:
        """1 where the mask holds, else 0."""
        return self.builder.zext(mask, self.type)

    def bit(self, bits: Any, place: Any) -> Any:
        """Whether the bit at a place is set, lane by lane."""
        one = self.const(1)
        return self.is_equal(self.builder.and_(self.builder.lshr(bits, place), one), one)

    def packed(self, mask: Any) -> Any:
        """The mask as one whole number, lane 0 lowest."""
        return self.builder.bitcast(mask, ir.IntType(self.lanes))
