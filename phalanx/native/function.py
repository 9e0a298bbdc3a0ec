"""One function for one choice of argument types: from its syntax tree to the text of an LLVM function."""

from __future__ import annotations

from phalanx.native.convert import convert
from phalanx.native.diagnosis import FaultsInside, Problem
from phalanx.native.scope import common_type
from phalanx.native.statements import Statements
from phalanx.native.types import BROKEN, Conflict, Nothing, Type
from phalanx.native.values import VOID, Value, value_of


class FunctionCompiler(Statements):
    """Compiles the function of its source."""

    def compile(self, symbol: str, types: tuple[Type, ...]) -> tuple[Type, str, str]:
        """Returns the type of the result, the LLVM type of it, and the text of the function.

        Raises:
            FaultsInside: all problems of the function and of those that it calls.
        """
        parameters = self._receive(types)
        self.block(self.source.body)
        if self.code.is_reachable:
            self.line = getattr(self.source.tree, "end_lineno", None) or 0
            self.finish(VOID)
        result = self._result_type()
        if self.problems:
            raise FaultsInside(tuple(dict.fromkeys(self.problems)))
        assert not self.is_broken, f"a mistake in {self.source.name} was found and lost"
        leaf = result_leaf(result)
        for place, value, _ in self.returns:
            with self.code.at(place):
                self._return(convert(self.code, value, result), leaf)
        header = f"define internal {leaf} {symbol}({', '.join(parameters)}) #0 {{\nentry:\n"
        return result, leaf, header + self.code.text() + "\n}\n"

    def _receive(self, types: tuple[Type, ...]) -> list[str]:
        """Bind the parameters; returns them as LLVM writes them. Tuples arrive part by part."""
        texts = []
        for name, t in zip(self.source.parameters, types, strict=True):
            operands = [f'%"{name}.{k}"' for k in range(len(t.leaves))]
            texts += [f"{leaf} {operand}" for leaf, operand in zip(t.leaves, operands, strict=True)]
            self.scope.assign(name, value_of(t, iter(operands)))
        return texts

    def _result_type(self) -> Type:
        """What the function returns, whichever return it takes."""
        if not self.returns:
            return VOID.type  # it never ends
        types = [value.type for _, value, _ in self.returns]
        common = common_type(types)
        if not isinstance(common, Conflict):
            return common
        place = next(place for _, value, place in self.returns if value.type is not common.first)
        if isinstance(common.first, Nothing) or isinstance(common.second, Nothing):
            reason = f"{self.source.name} must return a value in every case, or in none"
        else:
            reason = f"{self.source.name} returns {common.first:a} here and {common.second:a} there"
        self.problems.append(Problem(reason, (place,)))
        return BROKEN

    def _return(self, value: Value, leaf: str) -> None:
        if not value.operands:
            self.code.do("ret void")
        elif len(value.operands) == 1:
            self.code.do(f"ret {leaf} {value.operand}")
        else:
            whole = "poison"
            for k, (part, operand) in enumerate(zip(value.type.leaves, value.operands, strict=True)):
                whole = self.code.emit(f"insertvalue {leaf} {whole}, {part} {operand}, {k}")
            self.code.do(f"ret {leaf} {whole}")


def result_leaf(result: Type) -> str:
    """The LLVM type of a result: several parts travel as a structure, in registers."""
    if not result.leaves:
        return "void"
    return result.leaves[0] if len(result.leaves) == 1 else "{" + ", ".join(result.leaves) + "}"
