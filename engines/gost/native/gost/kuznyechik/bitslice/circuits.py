"""Writes substitution.h and step.h: Kuznyechik's S-box and one step of its register, in gates.

In: pi and the coefficients of l as ../../sboxes.h prints them. Out: the two headers beside this
script, after each circuit was tried on every input.

pi is written through the field GF(16) inside GF(256) (Perrin, "Partitions in the S-Box of Streebog
and Kuznyechik", 2019): with alpha a root of x^8+x^4+x^3+x^2+1 and beta = alpha^17,
    pi(0) = kappa(0), pi(beta^j) = kappa(16 - j), pi(alpha^i beta^j) = kappa(16 - i) + beta^s(j)
where kappa is affine. A byte is l + r*theta over GF(16); its class i hangs on the slope l/r alone.
"""

import math
import random
import re
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
NAMESPACE = "stend::gost::kuznyechik"
SOURCE = (HERE.parent.parent / "sboxes.h").read_text()


def numbers_of(name: str) -> list[int]:
    """Gives the numbers of one array of sboxes.h."""
    found = re.search(rf"> {name} = \{{(.*?)\}}", SOURCE, re.S)
    assert found
    return [int(n) for n in re.findall(r"\d+", found[1])]


PI = numbers_of("pi")
COEFFICIENTS = numbers_of("linear")


def product(a: int, b: int, field: int) -> int:
    """Multiplies in the field of two elements modulo a polynomial."""
    top = 1 << (field.bit_length() - 1)
    total = 0
    while b:
        if b & 1:
            total ^= a
        a <<= 1
        if a & top:
            a ^= field
        b >>= 1
    return total


def m8(a: int, b: int) -> int:
    """Multiplies in the field of pi."""
    return product(a, b, 0x11D)


def m4(a: int, b: int) -> int:
    """Multiplies in GF(16) modulo y^4 + y + 1."""
    return product(a, b, 0x13)


class Circuit:
    """Gates of two inputs in the order of their making, with what each gives for every input."""

    def __init__(self, inputs: list[str], values: list[int]) -> None:
        self.gates: list[tuple[str, str, str, str]] = []
        self.value = dict(zip(inputs, values, strict=True))
        self.known: dict[tuple[str, str, str], str] = {}

    def gate(self, sign: str, a: str, b: str) -> str:
        """Adds a gate ("^", "&", "|" or "~&", which is ~a & b), or finds the one there is."""
        a, b = (a, b) if sign == "~&" else sorted((a, b))
        if (sign, a, b) not in self.known:
            name = self.known[sign, a, b] = f"t{len(self.gates)}"
            self.gates.append((name, sign, a, b))
            x, y = self.value[a], self.value[b]
            self.value[name] = {"^": x ^ y, "&": x & y, "|": x | y, "~&": ~x & y}[sign]
        return self.known[sign, a, b]

    def sums(self, rows: list[set[str]], tries: int = 40) -> list[str]:
        """Makes sums of signals, common parts of two first (Paar, ISIT 1997; the best of tries)."""
        best: list[tuple[str, str, str]] | None = None
        for seed in range(tries):
            found = paired(rows, random.Random(seed), best)
            best = found if found is not None else best
        assert best is not None
        real: dict[str, str] = {}
        for name, a, b in best:
            real[name] = self.gate("^", real.get(a, a), real.get(b, b)) if b else real.get(a, a)
        return [real[f"row{i}"] for i in range(len(rows))]

    def monomials(self, x: list[str]) -> dict[int, str]:
        """Makes all products of four signals; bit i of an index stands for the i-th."""
        made = {1 << i: x[i] for i in range(4)}
        for m in sorted(set(range(1, 16)) - set(made), key=lambda m: (m.bit_count(), m)):
            top = 1 << (m.bit_length() - 1)
            made[m] = self.gate("&", made[m ^ top], made[top])
        return made


def paired(
    rows: list[set[str]], choice: random.Random, best: list[tuple[str, str, str]] | None
) -> list[tuple[str, str, str]] | None:
    """One greedy run; none when it is no shorter than the best one."""
    left, made = [set(row) for row in rows], []
    while True:
        count: Counter[tuple[str, str]] = Counter()
        for row in left:
            ordered = sorted(row)
            for i, a in enumerate(ordered):
                for b in ordered[i + 1 :]:
                    count[a, b] += 1
        if not count:
            break
        most = max(count.values())
        a, b = choice.choice([pair for pair, often in count.items() if often == most])
        name = f"sum{len(made)}"
        made.append((name, a, b))
        if best is not None and len(made) + len(rows) >= len(best):
            return None
        for row in left:
            if a in row and b in row:
                row -= {a, b}
                row.add(name)
    return made + [(f"row{i}", next(iter(row)), "") for i, row in enumerate(left)]


def normal_form(table: list[int]) -> list[int]:
    """Which products of the inputs' bits to add up (the algebraic normal form)."""
    form = list(table)
    for i in range(4):
        for x in range(16):
            if x >> i & 1:
                form[x] ^= form[x ^ 1 << i]
    return form


def rows_of(table: list[int], made: dict[int, str], bits: int = 4) -> list[set[str]]:
    """The sums of products that give each bit of a table; what it gives for nought is left out."""
    form = normal_form(table)
    return [{made[m] for m in range(1, 16) if form[m] >> b & 1} for b in range(bits)]


# Karatsuba's sums of bits of a factor, twice over: nine products instead of sixteen.
SUMS = [1, 2, 4, 8, 3, 12, 5, 10, 15]


def summed(x: list[set[str]]) -> list[set[str]]:
    """The nine sums of a factor, each of whose bits is a sum itself."""
    rows = []
    for chosen in SUMS:
        row: set[str] = set()
        for b in range(4):
            if chosen >> b & 1:
                row ^= x[b]
        rows.append(row)
    return rows


def product_rows() -> list[list[int]]:
    """Which of the nine products add up to each bit of a product in GF(16)."""
    forms = [
        sum(1 << (4 * i + j) for i in range(4) for j in range(4) if c >> i & 1 and c >> j & 1)
        for c in SUMS
    ]
    rows = []
    for bit in range(4):
        wanted = sum(
            1 << (4 * i + j) for i in range(4) for j in range(4) if m4(1 << i, 1 << j) >> bit & 1
        )
        for chosen in range(512):
            total = 0
            for k in range(9):
                total ^= forms[k] * (chosen >> k & 1)
            if total == wanted:
                rows.append([k for k in range(9) if chosen >> k & 1])
                break
    return rows


PRODUCT_ROWS = product_rows()


class Tower:
    """The parts of pi: tables over GF(16), and a byte's halves l and r."""

    def __init__(self) -> None:
        power = [1]
        for _ in range(254):
            power.append(m8(power[-1], 2))
        log = {x: i for i, x in enumerate(power)}
        y = next(
            p for p in (power[17 * j] for j in range(1, 15)) if m8(m8(p, p), m8(p, p)) == p ^ 1
        )
        self.embedded = [0] * 16
        for n in range(16):
            p = 1
            for b in range(4):
                self.embedded[n] ^= p * (n >> b & 1)
                p = m8(p, y)
        small = {x: n for n, x in enumerate(self.embedded)}
        kappa = [PI[0]] + [PI[power[17 * j % 255]] for j in range(15, 0, -1)]  # kappa(16 - j)
        self.step = [kappa[1 << b] ^ kappa[0] for b in range(4)]
        theta = power[16]  # so that slope 0 is the class of kappa(0)
        self.halves = {}
        for left in range(16):
            for r in range(16):
                self.halves[self.embedded[left] ^ m8(self.embedded[r], theta)] = (left, r)
        self.h, self.index_of_slope, self.index_of_l = [0] * 16, [0] * 16, [0] * 16
        for s in range(16):
            k = log[self.embedded[s] ^ theta]
            i = k % 17
            self.index_of_slope[s] = 16 - i
            self.h[s] = small[power[(k - i) % 255]]
        self.inverse = [0] + [next(b for b in range(16) if m4(a, b) == 1) for a in range(1, 16)]
        for x, (left, r) in self.halves.items():
            if r == 0 and x:
                self.index_of_l[left] = 16 - (log[x] // 17 or 15)
        self.last = [0] * 16
        for j in range(15):
            self.last[small[power[17 * j]]] = small[PI[power[1 + 17 * j]] ^ kappa[15]]
        for x in range(256):
            assert self.pi(x) == PI[x]

    def pi(self, x: int) -> int:
        """The S-box by its parts."""
        left, r = self.halves[x]
        slope = m4(left, self.inverse[r])
        index = self.index_of_slope[slope] if r else self.index_of_l[left]
        y = PI[0] ^ self.embedded[self.last[m4(r, self.h[slope])]]
        for b in range(4):
            y ^= self.step[b] * (index >> b & 1)
        return y


def bit_of_each(f, bit: int) -> int:
    """The truth table of one bit of a function of a byte."""
    return sum(1 << x for x in range(256) if f(x) >> bit & 1)


def linear_rows(f, outputs: int, names: list[str]) -> list[set[str]]:
    """The inputs' bits that add up to each bit of a linear function of a byte."""
    return [{names[b] for b in range(8) if f(1 << b) >> bit & 1} for bit in range(outputs)]


INPUTS = [f"x{b}" for b in range(8)]


def multiplied(c: Circuit, a: list[str], b: list[str]) -> list[set[str]]:
    """Nine products of the factors' nine sums, to be added up: rows of the product's bits."""
    parts = [c.gate("&", x, y) for x, y in zip(a, b, strict=True)]
    return [{parts[k] for k in row} for row in PRODUCT_ROWS]


def add_multiple(rows: list[set[str]], constant: int, x: list[str]) -> None:
    """Adds a constant times x to the rows of a product."""
    for b in range(4):
        for bit in range(4):
            if m4(1 << b, constant) >> bit & 1:
                rows[bit] ^= {x[b]}


def any_of(c: Circuit, x: list[str]) -> str:
    """Whether any of four is 1."""
    return c.gate("|", c.gate("|", x[0], x[1]), c.gate("|", x[2], x[3]))


def forward(t: Tower) -> tuple[Circuit, list[str]]:
    """The S-box, but for pi(0)."""
    c = Circuit(INPUTS, [bit_of_each(lambda x: x, b) for b in range(8)])
    left = linear_rows(lambda x: t.halves[x][0], 4, INPUTS)
    r = linear_rows(lambda x: t.halves[x][1], 4, INPUTS)
    made = c.sums(summed(left) + summed(r))
    l9, r9 = made[:9], made[9:]
    inverse9 = c.sums(summed(rows_of(t.inverse, c.monomials(r9[:4]))))
    slope = c.sums(multiplied(c, l9, inverse9))
    of_slope = c.monomials(slope)
    h9 = c.sums(summed(rows_of(t.h, of_slope)))
    rows = multiplied(c, r9, h9)
    add_multiple(rows, t.h[0], r9)
    of_last = c.monomials(c.sums(rows))
    some = any_of(c, r9[:4])
    of_l = c.monomials([c.gate("~&", some, x) for x in l9[:4]])
    last = rows_of(t.last, of_last)
    index = [
        a ^ b
        for a, b in zip(
            rows_of(t.index_of_slope, of_slope), rows_of(t.index_of_l, of_l), strict=True
        )
    ]
    out: list[set[str]] = []
    for bit in range(8):
        row: set[str] = set()
        for b in range(4):
            if t.step[b] >> bit & 1:
                row ^= index[b]
            if t.embedded[1 << b] >> bit & 1:
                row ^= last[b]
        out.append(row)
    return c, c.sums(out)


def backward(t: Tower) -> tuple[Circuit, list[str]]:
    """The inverse S-box of x + pi(0)."""
    parts = {}
    for index in range(16):
        for last in range(16):
            y = t.embedded[last]
            for b in range(4):
                y ^= t.step[b] * (index >> b & 1)
            parts[y] = (index, last)
    slope_of, l_of = [0] * 16, [0] * 16
    for s in range(16):
        slope_of[t.index_of_slope[s]] = s
        l_of[t.index_of_l[s]] = s
    unlast = [t.last.index(y) for y in range(16)]
    over_h = [t.inverse[t.h[slope_of[i]]] for i in range(16)]
    c = Circuit(INPUTS, [bit_of_each(lambda x: x, b) for b in range(8)])
    made = c.sums(
        linear_rows(lambda y: parts[y][0], 4, INPUTS)
        + linear_rows(lambda y: parts[y][1], 4, INPUTS)
    )
    index, last = made[:4], made[4:]
    some = any_of(c, last)
    of_index, of_last = c.monomials(index), c.monomials(last)
    unlast9 = c.sums(summed(rows_of(unlast, of_last)))
    over9 = c.sums(summed(rows_of(over_h, of_index)))
    rows = multiplied(c, unlast9, over9)
    add_multiple(rows, over_h[0], unlast9)
    r9 = c.sums(summed(rows))
    slope9 = c.sums(summed(rows_of(slope_of, of_index)))
    left = multiplied(c, r9, slope9)
    add_multiple(left, slope_of[0], r9)
    ends = c.sums(rows_of(l_of, of_index))
    left = [row ^ {c.gate("~&", some, end)} for row, end in zip(left, ends, strict=True)]
    whole = {lr: x for x, lr in t.halves.items()}
    out: list[set[str]] = []
    for bit in range(8):
        row: set[str] = set()
        for b in range(4):
            if whole[1 << b, 0] >> bit & 1:
                row ^= left[b]
            if whole[0, 1 << b] >> bit & 1:
                row ^= {r9[b]}
        out.append(row)
    return c, c.sums(out)


def step() -> tuple[Circuit, list[str]]:
    """One step of the register: its sixteen bytes, of time 0 to 15, and the new one."""
    names = [f"x{j}_{b}" for j in range(16) for b in range(8)]
    c = Circuit(names, [1 << i for i in range(128)])
    rows: list[set[str]] = [set() for _ in range(8)]
    for i in range(8):
        j, other = 15 - i, 1 + i  # coefficient i is that of byte 15 - i and, but for 7, of 1 + i
        for b in range(8):
            pair = names[8 * j + b]
            if i < 7:
                pair = c.gate("^", pair, names[8 * other + b])
            for bit in range(8):
                if product(1 << b, COEFFICIENTS[i], 0x1C3) >> bit & 1:
                    rows[bit] ^= {pair}
    for b in range(8):
        rows[b] ^= {names[b]}
    return c, c.sums(rows, 20)


def live(c: Circuit, outputs: list[str]) -> list[tuple[str, str, str, str]]:
    """The gates that outputs depend on."""
    wanted, kept = set(outputs), []
    for name, sign, a, b in reversed(c.gates):
        if name in wanted:
            wanted |= {a, b}
            kept.append((name, sign, a, b))
    return kept[::-1]


Gate = tuple[str, str, str, str]


def excess(order: list[Gate], registers: int = 14) -> int:
    """How many values are alive beyond the registers, added up over an order of gates."""
    made = {gate[0] for gate in order}
    last = {x: at for at, (_, _, a, b) in enumerate(order) for x in (a, b) if x in made}
    alive = total = 0
    for at, (name, _, a, b) in enumerate(order):
        alive += (name in last) - sum(last.get(x) == at for x in {a, b})
        over = alive - registers
        if over > 0:
            total += over
    return total


def as_needed(gates: list[Gate], outputs: list[str], choice: random.Random) -> list[Gate]:
    """Each gate just before the first that needs it, outputs and operands in any order."""
    made_by = {gate[0]: gate for gate in gates}
    order: list[Gate] = []

    def add(name: str) -> None:
        if name not in made_by:
            return
        gate = made_by.pop(name)
        for operand in choice.sample(gate[2:], 2):
            add(operand)
        order.append(gate)

    for output in choice.sample(outputs, len(outputs)):
        add(output)
    return order


def ordered(c: Circuit, outputs: list[str], moves: int) -> list[Gate]:
    """An order of the gates with few values alive at once, found by moving gates to and fro."""
    gates, choice = live(c, outputs), random.Random(1)
    tried = (as_needed(gates, outputs, random.Random(seed)) for seed in range(200))
    order = min(tried, key=lambda each: excess(each))
    cost = excess(order)
    for move in range(moves):
        warmth = 4 * (1 - move / moves) + 0.1
        at = choice.randrange(len(order))
        name, _, a, b = gate = order[at]
        first, end = at, at
        while first > 0 and order[first - 1][0] not in (a, b):
            first -= 1
        while end + 1 < len(order) and name not in order[end + 1][2:]:
            end += 1
        other = order[:at] + order[at + 1 :]
        other.insert(choice.randint(first, end), gate)
        new = excess(other)
        if new <= cost or choice.random() < math.exp((cost - new) / warmth):
            order, cost = other, new
    return order


def written(name: str, comment: str, c: Circuit, outputs: list[str], place: dict[str, str]) -> str:
    """The function in C++. `place` says where the inputs are."""
    gates = ordered(c, outputs, 60000)
    numbers = {gate[0]: f"t{i}" for i, gate in enumerate(gates)} | place
    signs = {"^": "{} ^ {}", "&": "{} & {}", "|": "{} | {}", "~&": "~{} & {}"}
    lines, line = [], "   "
    items = [
        f"const V {numbers[n]} = {signs[sign].format(numbers[a], numbers[b])};"
        for n, sign, a, b in gates
    ] + [f"y[{b}] = {numbers[o]};" for b, o in enumerate(outputs)]
    for item in items:
        if len(line) + len(item) >= 100:
            lines.append(line)
            line = "   "
        line += " " + item
    lines.append(line)
    return (
        f"// {comment} {len(gates)} gates.\ntemplate <typename V>\n"
        f"[[gnu::always_inline]] inline void {name}(const V* x, V* y) {{\n"
        + "\n".join(lines)
        + "\n}\n"
    )


def header(file: str, opening: str, *functions: str) -> None:
    """Writes a header of functions."""
    start = f"// Made by circuits.py. {opening}\n#pragma once\n\nnamespace {NAMESPACE} {{\n\n"
    end = f"// clang-format on\n\n}}  // namespace {NAMESPACE}\n"
    text = start + "// clang-format off\n" + "\n".join(functions) + end
    (HERE / file).write_text(text)


def main() -> None:
    """Writes both headers."""
    t = Tower()
    bytes_in = {f"x{b}": f"x[{b}]" for b in range(8)}
    functions = []
    for name, comment, make, right in (
        ("substitute", "pi(x) + pi(0).", forward, lambda x: PI[x] ^ PI[0]),
        (
            "substitute_back",
            "The byte y with pi(y) = x + pi(0).",
            backward,
            lambda x: PI.index(x ^ PI[0]),
        ),
    ):
        c, outputs = make(t)
        for b in range(8):
            assert c.value[outputs[b]] & (1 << 256) - 1 == bit_of_each(right, b)
        functions.append(written(name, comment, c, outputs, bytes_in))
    header("substitution.h", "The S-box on the eight planes of a byte.", *functions)
    c, outputs = step()
    place = {f"x{j}_{b}": f"x[{8 * j + b}]" for j in range(16) for b in range(8)}
    header(
        "step.h",
        "One step of the register R on planes.",
        written(
            "step",
            "From the planes of sixteen bytes, the oldest first, those of the next.",
            c,
            outputs,
            place,
        ),
    )


if __name__ == "__main__":
    main()
