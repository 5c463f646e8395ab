// Searches small circuits of two-input gates for the substitutions of Magma and writes tc26_z.h:
//     cd engines/gost
//     c++ -std=c++20 -O3 -I native native/gost/magma/circuits/search.cpp -o search
//     ./search > native/gost/magma/circuits/tc26_z.h
// Not part of any build; it takes some minutes and comes to the same circuits each time.
//
// After M. Kwan, "Reducing the Gate Count of Bitslice DES" (2000): a wanted function is an existing
// one, a gate of two existing ones, two gates of three, or it is put together of its halves for
// one input bit, which are sought in the same way and only have to be right where that bit is 0,
// or 1. What is chosen among equals is left to chance, and most attempts start from the first
// gates of the best circuit so far. Functions are taken as 0 at 0, since an exclusive-or with a
// constant costs nothing (bitslice.h); so every gate is one of ^ & | and & of a complement.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "gost/sboxes.h"

using namespace stend::gost;

namespace {

using Truth = std::uint16_t;  // the values at the 16 arguments
constexpr Truth everywhere = 0xFFFF;
constexpr std::array<Truth, 4> inputs = {0xAAAA, 0xCCCC, 0xF0F0, 0xFF00};

std::mt19937_64 chance(20261121);

// A function: a gate, perhaps complemented.
struct Function {
    unsigned gate;
    bool complemented;
};

enum class Kind { sum, product };

struct Gate {
    Truth truth;
    char operation;  // ^ & | or ~, which is & of the complemented first operand
    unsigned first, second;
};

class Circuit {
public:
    explicit Circuit(std::size_t limit) : limit_(limit) {
        for (const Truth input : inputs) gates.push_back({input, 0, 0, 0});
    }
    std::vector<Gate> gates;

    Truth truth(Function f) const {
        return static_cast<Truth>(gates[f.gate].truth ^ (f.complemented ? everywhere : 0));
    }

    std::optional<Function> existing(Truth wanted, Truth where) const {
        for (unsigned i = 0; i < gates.size(); ++i)
            for (const bool complemented : {false, true})
                if (((truth({i, complemented}) ^ wanted) & where) == 0)
                    return Function{i, complemented};
        return {};
    }

    // A gate as one of the four operations, complemented or not; the one that is there already
    // when there is one. None when it is constant or the circuit is full.
    std::optional<Function> gate(Kind kind, Function a, Function b) {
        bool complemented = false;
        Gate gate = {0, '^', a.gate, b.gate};
        if (kind == Kind::sum) {
            complemented = a.complemented != b.complemented;
        } else {
            if (b.complemented && !a.complemented) std::swap(a, b);
            complemented = b.complemented;  // then both are: ~a & ~b = ~(a | b)
            gate = {0, b.complemented ? '|' : a.complemented ? '~' : '&', a.gate, b.gate};
        }
        gate.truth = value(gate);
        for (unsigned i = 0; i < gates.size(); ++i)
            if (gates[i].truth == gate.truth) return Function{i, complemented};
        if (gate.truth == 0 || gates.size() >= limit_) return {};
        gates.push_back(gate);
        return Function{static_cast<unsigned>(gates.size() - 1), complemented};
    }

    // Adds gates until `wanted` is there, where `where` says that it matters.
    std::optional<Function> build(Truth wanted, Truth where, unsigned split = 0) {
        if (const auto found = existing(wanted, where)) return found;
        if (gates.size() < limit_)
            if (const auto found = of_two(wanted, where)) return found;
        if (gates.size() + 1 < limit_)
            if (const auto found = of_three(wanted, where)) return found;
        return of_halves(wanted, where, split);
    }

private:
    std::size_t limit_;

    Truth value(const Gate& gate) const {
        const Truth a = gates[gate.first].truth, b = gates[gate.second].truth;
        switch (gate.operation) {
            case '^':
                return a ^ b;
            case '&':
                return a & b;
            case '|':
                return a | b;
            default:
                return static_cast<Truth>(~a & b);
        }
    }

    // All gates of two functions: a sum, and products with each of them complemented or not.
    template <typename Use>
    static void each_gate(Truth a, Truth b, Use use) {
        use(Kind::sum, false, false, static_cast<Truth>(a ^ b));
        for (const bool not_a : {false, true})
            for (const bool not_b : {false, true})
                use(Kind::product, not_a, not_b,
                    static_cast<Truth>((not_a ? ~a : a) & (not_b ? ~b : b)));
    }

    static bool fits(Truth truth, Truth wanted, Truth where) {
        const Truth wrong = (truth ^ wanted) & where;
        return wrong == 0 || wrong == where;
    }

    struct Step {
        Kind kind;
        Function a, b;
    };

    std::optional<Function> finish(std::optional<Function> f, Truth wanted, Truth where) const {
        if (f && ((truth(*f) ^ wanted) & where) != 0) f->complemented = !f->complemented;
        return f;
    }

    std::optional<Function> of_two(Truth wanted, Truth where) {
        std::optional<Step> chosen;
        unsigned found = 0;
        for (unsigned i = 0; i < gates.size(); ++i)
            for (unsigned j = i + 1; j < gates.size(); ++j)
                each_gate(gates[i].truth, gates[j].truth,
                          [&](Kind kind, bool not_i, bool not_j, Truth truth) {
                              if (fits(truth, wanted, where) && chance() % ++found == 0)
                                  chosen = Step{kind, {i, not_i}, {j, not_j}};
                          });
        if (!chosen) return {};
        return finish(gate(chosen->kind, chosen->a, chosen->b), wanted, where);
    }

    std::optional<Function> of_three(Truth wanted, Truth where) {
        std::optional<std::array<Step, 2>> chosen;
        unsigned found = 0;
        const auto size = static_cast<unsigned>(gates.size());
        for (unsigned i = 0; i < size; ++i)
            for (unsigned j = i + 1; j < size; ++j)
                each_gate(gates[i].truth, gates[j].truth,
                          [&](Kind inner, bool not_i, bool not_j, Truth between) {
                              for (unsigned k = 0; k < size; ++k)
                                  each_gate(
                                      between, gates[k].truth,
                                      [&](Kind kind, bool not_it, bool not_k, Truth truth) {
                                          if (fits(truth, wanted, where) && chance() % ++found == 0)
                                              chosen = {Step{inner, {i, not_i}, {j, not_j}},
                                                        Step{kind, {0, not_it}, {k, not_k}}};
                                      });
                          });
        if (!chosen) return {};
        auto between = gate((*chosen)[0].kind, (*chosen)[0].a, (*chosen)[0].b);
        if (!between) return {};
        between->complemented ^= (*chosen)[1].a.complemented;
        return finish(gate((*chosen)[1].kind, *between, (*chosen)[1].b), wanted, where);
    }

    // f = f0 ^ (x & f1), f0 right on one half, f1 the difference on the other; or
    // f = f0 ^ (x & (f0 ^ f1)) of both halves.
    std::optional<Function> of_halves(Truth wanted, Truth where, unsigned split) {
        unsigned bit;
        do bit = static_cast<unsigned>(chance() % 4);
        while (split >> bit & 1);
        if ((split | 1U << bit) == 15) return {};
        const bool swapped = chance() % 2;
        const auto other = static_cast<Truth>(inputs[bit] ^ (swapped ? everywhere : 0));
        const auto here = static_cast<Truth>(where & ~other), there = Truth(where & other);
        const auto first = build(wanted, here, split | 1U << bit);
        if (!first) return {};
        const bool difference = chance() % 2;
        const auto rest = static_cast<Truth>(wanted ^ (difference ? truth(*first) : 0));
        auto second = build(rest, there, split | 1U << bit);
        if (second && !difference) second = gate(Kind::sum, *first, *second);
        if (second) second = gate(Kind::product, *second, {bit, swapped});
        return second ? gate(Kind::sum, *first, *second) : std::optional<Function>{};
    }
};

struct Solution {
    std::vector<Gate> gates;
    std::array<unsigned, 4> outputs;
};

// Without the gates that no output needs.
Solution pruned(const Circuit& circuit, const std::array<Truth, 4>& wanted) {
    std::vector<bool> needed(circuit.gates.size());
    std::array<unsigned, 4> outputs;
    for (unsigned i = 0; i < 4; ++i)
        needed[outputs[i] = circuit.existing(wanted[i], everywhere)->gate] = true;
    for (std::size_t i = circuit.gates.size(); i-- > 4;)
        if (needed[i]) needed[circuit.gates[i].first] = needed[circuit.gates[i].second] = true;
    std::vector<unsigned> number(circuit.gates.size());
    Solution solution;
    for (std::size_t i = 0; i < circuit.gates.size(); ++i) {
        if (i >= 4 && !needed[i]) continue;
        number[i] = static_cast<unsigned>(solution.gates.size());
        Gate gate = circuit.gates[i];
        gate.first = number[gate.first];
        gate.second = number[gate.second];
        solution.gates.push_back(gate);
    }
    for (unsigned i = 0; i < 4; ++i) solution.outputs[i] = number[outputs[i]];
    return solution;
}

std::array<Truth, 4> outputs_of(const std::array<std::uint8_t, 16>& substitution) {
    std::array<Truth, 4> outputs{};
    for (unsigned x = 0; x < 16; ++x)
        for (unsigned i = 0; i < 4; ++i)
            outputs[i] |= static_cast<Truth>(((substitution[x] ^ substitution[0]) >> i & 1) << x);
    return outputs;
}

// The best of `attempts`, each after the first solution with no more gates than the best so far.
Solution searched(const std::array<Truth, 4>& wanted, int attempts) {
    Solution best;
    std::size_t limit = 40;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        Circuit circuit(limit);
        if (!best.gates.empty() && chance() % 4 != 0)
            circuit.gates.assign(
                best.gates.begin(),
                best.gates.begin() + static_cast<long>(4 + chance() % (best.gates.size() - 4)));
        std::array<unsigned, 4> order = {0, 1, 2, 3};
        std::shuffle(order.begin(), order.end(), chance);
        if (!std::ranges::all_of(order, [&](unsigned i) {
                return circuit.build(wanted[i], everywhere).has_value();
            }))
            continue;
        best = pruned(circuit, wanted);
        limit = best.gates.size();
    }
    return best;
}

// The best of searches from the beginning, for one stays near where it has come to first.
Solution smallest(const std::array<std::uint8_t, 16>& substitution, int searches) {
    Solution best;
    for (int i = 0; i < searches; ++i) {
        const Solution found = searched(outputs_of(substitution), 2000);
        if (best.gates.empty() || found.gates.size() < best.gates.size()) best = found;
    }
    return best;
}

void print_operand(unsigned i) {
    std::printf(i < 4 ? "x%u" : "t%u", i < 4 ? i : i - 4);
}

void print(unsigned number, const Solution& solution) {
    std::printf("        %sif constexpr (n == %u) {\n", number == 0 ? "" : "} else ", number);
    for (unsigned i = 4; i < solution.gates.size(); ++i) {
        const Gate& gate = solution.gates[i];
        std::printf("            const V t%u = %s", i - 4, gate.operation == '~' ? "~" : "");
        print_operand(gate.first);
        std::printf(" %c ", gate.operation == '~' ? '&' : gate.operation);
        print_operand(gate.second);
        std::printf(";\n");
    }
    for (unsigned i = 0; i < 4; ++i) {
        std::printf("            y%u ^= ", i);
        print_operand(solution.outputs[i]);
        std::printf(";\n");
    }
}

}  // namespace

int main() {
    std::puts(
        "// Written by search.cpp. The substitutions of Magma as circuits of two-input gates over\n"
        "// vectors of bits: y ^= pi'_n(x) ^ pi'_n(0).\n"
        "#pragma once\n\nnamespace stend::gost::magma {\n\nstruct Tc26Z {\n"
        "    template <unsigned n, typename V>\n"
        "    [[gnu::always_inline]] static constexpr void add(V x0, V x1, V x2, V x3, V& y0, V& "
        "y1, "
        "V& y2,\n"
        "                                                     V& y3) {");
    for (unsigned n = 0; n < 8; ++n) {
        const Solution solution = smallest(tc26_z[n], 40);
        print(n, solution);
        std::fprintf(stderr, "%u: %zu gates\n", n, solution.gates.size() - 4);
    }
    std::puts("        }\n    }\n};\n\n}  // namespace stend::gost::magma");
}
