"""Searches circuits of ternary gates for the substitutions of tc26-Z and prints circuits.h's table.

Not part of any build or test, and so is not what it needs: pip install python-sat. Another version
of the solver may find other circuits of as many gates; circuits.h proves whatever stands there.

Each substitution is put to a SAT solver (python-sat, Cadical) as `gates` gates of any three nodes
and four outputs of any two nodes each, which are added to a plane by a gate of their own. Then the
steps are put in the order that needs the fewest copies, where an instruction overwrites its first
operand. Usage: python search_circuits.py [gates], 6 without it: a minute or two for all.
"""

import itertools
import sys
from collections.abc import Sequence
from functools import cache

from pysat.solvers import Cadical153

ROWS = (
    *("c462a5b9e8d703f1", "68239a5c1e47bd0f", "b3582fade174c960", "c821d4f670a53e9b"),
    *("7f5a816d093eb42c", "5df692cab78143e0", "8e25691cf4b0da37", "17ed05834fa69cb2"),
)
BOXES = [[int(digit, 16) for digit in row] for row in ROWS]
SUM = 10  # the nodes of the planes that are added to

Node = list[int] | list[bool]
Step = tuple[int, tuple[int, int, int], int]  # to, operands, table


class Search:
    """A circuit's unknowns: of each gate its inputs, its table and its value for each input."""

    def __init__(self) -> None:
        self.solver = Cadical153()
        self.count = 0

    def new(self) -> int:
        """A variable."""
        self.count += 1
        return self.count

    def gate(
        self, value: Node, nodes: list[Node], inputs: int
    ) -> tuple[dict[int, tuple[int, ...]], list[int]]:
        """Says that value is a gate of `inputs` of the nodes; gives its choices and its table."""
        table = [self.new() for _ in range(1 << inputs)]
        choices = {self.new(): taken for taken in itertools.combinations(range(len(nodes)), inputs)}
        self.solver.add_clause(list(choices))
        for a, b in itertools.combinations(choices, 2):
            self.solver.add_clause([-a, -b])
        for (chosen, taken), x, entry in itertools.product(
            choices.items(), range(16), range(1 << inputs)
        ):
            differ = self.other_entry([nodes[k][x] for k in taken], entry)
            if differ is None:
                continue
            for sign in (1, -1):  # value[x] == table[entry]
                if value[x] is True or value[x] is False:
                    self.solver.add_clause(
                        [-chosen, *differ, table[entry] if value[x] else -table[entry]]
                    )
                else:
                    self.solver.add_clause(
                        [-chosen, *differ, sign * table[entry], -sign * value[x]]
                    )
        return choices, table

    @staticmethod
    def other_entry(bits: Sequence[int | bool], entry: int) -> list[int] | None:
        """A clause's literals: some bit is not that of `entry`. None when one surely is not."""
        clause = []
        for place, bit in enumerate(bits):
            wanted = bool(entry >> place & 1)
            if bit is True or bit is False:
                if bit is not wanted:
                    return None
            else:
                clause.append(-bit if wanted else bit)
        return clause


def circuit(box: list[int], gates: int) -> list[Step] | None:
    """The steps of a circuit, in any order, or None when there is none of so many gates."""
    search = Search()
    nodes: list[Node] = [[bool(x >> i & 1) for x in range(16)] for i in range(4)]
    found = []
    for _ in range(gates):
        value = [search.new() for _ in range(16)]
        found.append((len(nodes), search.gate(value, nodes, 3)))
        nodes.append(value)
    for i in range(4):
        output = [bool(y >> i & 1) for y in box]
        found.append((SUM + i, search.gate(output, nodes, 2)))
    if not search.solver.solve():
        return None
    true = {literal for literal in search.solver.get_model() if literal > 0}
    steps = []
    for to, (choices, table) in found:
        taken = next(nodes for chosen, nodes in choices.items() if chosen in true)
        values = [literal in true for literal in table]
        steps.append(_sum(to, taken, values) if to >= SUM else _gate(to, taken, values))
    return steps


def _gate(to: int, taken: tuple[int, ...], values: list[bool]) -> Step:
    a, b, c = taken
    table = sum(values[e >> 2 & 1 | e & 2 | (e & 1) << 2] << e for e in range(8))
    return to, (a, b, c), table


def _sum(to: int, taken: tuple[int, ...], values: list[bool]) -> Step:
    b, c = taken
    table = sum((bool(e >> 2) ^ values[e >> 1 & 1 | (e & 1) << 1]) << e for e in range(8))
    return to, (to, b, c), table


def with_first(step: Step, first: int) -> Step:
    """The same gate with another of its operands first."""
    to, operands, table = step
    order = [first] + [k for k in range(3) if k != first]
    turned = 0
    for entry in range(8):
        old = [0, 0, 0]
        for place, k in enumerate(order):
            old[k] = entry >> 2 - place & 1
        turned |= (table >> (4 * old[0] + 2 * old[1] + old[2]) & 1) << entry
    a, b, c = (operands[k] for k in order)
    return to, (a, b, c), turned


def ordered(steps: list[Step]) -> list[Step]:
    """The steps in the order with the fewest copies, what is done with as first operands."""
    makes = {to: i for i, (to, _, _) in enumerate(steps)}
    users: dict[int, set[int]] = {}
    for i, (to, operands, _) in enumerate(steps):
        for node in operands:
            if node != to:
                users.setdefault(node, set()).add(i)

    def done_with(i: int, done: frozenset[int]) -> list[int]:
        to, operands, _ = steps[i]
        return [k for k, node in enumerate(operands) if node == to or users[node] <= done | {i}]

    @cache
    def best(done: frozenset[int]) -> tuple[int, tuple[int, ...]]:
        if len(done) == len(steps):
            return 0, ()
        tried = []
        for i, (to, operands, _) in enumerate(steps):
            ready = all(node < 4 or node == to or makes[node] in done for node in operands)
            if i not in done and ready:
                copies, rest = best(done | {i})
                tried.append((copies + (not done_with(i, done)), (i, *rest)))
        return min(tried)

    result, done = [], frozenset[int]()
    for i in best(done)[1]:
        first = done_with(i, done)
        result.append(with_first(steps[i], first[0]) if first and steps[i][0] < SUM else steps[i])
        done |= {i}
    return result


def main() -> None:
    """Prints the table."""
    gates = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    for box in BOXES:
        steps = circuit(box, gates)
        if steps is None:
            print(f"    // none of {gates} gates", flush=True)
            continue
        rows = [f"{{{to}, {a}, {b}, {c}, {table}}}" for to, (a, b, c), table in ordered(steps)]
        lines = [", ".join(rows[i : i + 5]) for i in range(0, len(rows), 5)]
        print("    {{" + ",\n      ".join(lines) + "}},", flush=True)


if __name__ == "__main__":
    main()
