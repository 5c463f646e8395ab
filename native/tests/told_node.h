// A memory node that binds nothing and tells what a test has it tell: for what a kernel asks of
// nodes, on machines that have one.
#pragma once

#include <utility>
#include <vector>

#include "nodes/node.h"
#include "team/seat.h"

struct ToldNode final : stend::nodes::Node {
    int cpu() const override { return stend::usable_cpus().back(); }

    void bind(std::span<std::byte> pages) const override { bound.push_back(pages); }

    stend::Proof holds(std::span<const std::byte> pages) const override {
        asked.push_back(pages);
        return {right, right ? "all pages lie here" : "some pages lie elsewhere"};
    }

    // Whether all pages that were asked for were bound before.
    bool was_bound(std::span<const std::byte> pages) const {
        for (const auto& one : bound)
            if (pages.data() >= one.data() &&
                pages.data() + pages.size() <= one.data() + one.size())
                return true;
        return false;
    }

    bool right = true;
    mutable std::vector<std::span<std::byte>> bound;
    mutable std::vector<std::span<const std::byte>> asked;
};
