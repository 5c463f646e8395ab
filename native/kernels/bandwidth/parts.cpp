// Parts of whole lines, as equal as can be.
#include "kernels/bandwidth/parts.h"

#include <algorithm>

namespace stend::bandwidth {
namespace {

constexpr std::size_t line_bytes = line * sizeof(Word);

void require_lines(std::size_t bytes, std::size_t together, std::size_t threads) {
    const std::size_t unit = together * line_bytes;
    if (bytes % unit == 0 && bytes / unit >= threads) return;
    throw std::invalid_argument("The memory is dealt out in pieces of " + std::to_string(unit) +
                                " bytes, at least one for each of " + std::to_string(threads) +
                                " threads; " + std::to_string(bytes) +
                                " bytes can't be, so ask for a larger multiple of that.");
}

// Both loops are the compiler's to vectorise: a row is made by additions alone, and what is
// wrong is gathered without a way out. Words at a time, so that it is soon found where.
constexpr std::size_t stretch = 4096;

Word fill_row(Word* to, const Row& row) noexcept {
    Word parity = 0, word = row.first;
    for (std::size_t i = 0; i < row.words; ++i, word += row.step) parity ^= to[i] = word;
    return parity;
}

bool holds(const Word* words, std::size_t count, Word first, Word step) noexcept {
    Word wrong = 0;
    for (std::size_t i = 0; i < count; ++i, first += step) wrong |= words[i] ^ first;
    return wrong == 0;
}

}  // namespace

std::uint64_t passes(std::size_t bytes, unsigned threads) {
    const std::size_t wanted = (std::size_t{16} << 20) * threads;
    return bytes == 0 ? 1 : std::max<std::size_t>(1, wanted / bytes);
}

Parts::Parts(std::size_t bytes, std::size_t together, std::vector<int> cpus, std::string_view name)
    : bytes_(bytes),
      together_(together),
      cpus_(std::move(cpus)),
      name_(name),
      passes_(bandwidth::passes(bytes, threads())),
      parts_(cpus_.size()) {
    require_lines(bytes, together, cpus_.size());
}

// A mapping is at least one huge page long, to be one: the rest of it is never touched again.
void Parts::reserve(Part& part) {
    part.memory = Buffer<Word>(std::max(part.words, huge_page / sizeof(Word)));
    part.begin = part.memory.data();
}

void Parts::prepare() {
    const std::size_t pieces = bytes_ / (together_ * line_bytes);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const std::size_t mine = pieces / parts_.size() + (i < pieces % parts_.size());
        parts_[i].words = mine * together_ * line;
        reserve(parts_[i]);
    }
    team_.emplace(cpus_);
    team_->run([this](unsigned member) noexcept { fill(parts_[member]); });
    for (const Part& part : parts_) part.memory.gather_huge_pages();
}

void Parts::fill(Part& part) const noexcept {
    for (std::size_t i = 0; i < part.words;) {
        const Row row = row_at(part, i);
        part.parity ^= fill_row(part.begin + i, row);
        i += row.words;
    }
}

void Parts::repeat(std::uint64_t times) {
    asked_ += times;
    for (; times > 0; --times)
        team_->run([this](unsigned member) noexcept { work(parts_[member]); });
}

void Parts::follow_all() {
    for (; followed_ < asked_; ++followed_)
        for (Part& part : parts_) follow(part);
}

bool Parts::right_at(const Part& part, std::size_t word) const {
    return part.begin[word] == row_at(part, word).first;
}

// Both ends and some places between, about 64 in all, others each time (a Weyl sequence).
bool Parts::looks_right(const Part& part) {
    if (!sum_is_right(part) || !right_at(part, 0) || !right_at(part, part.words - 1)) return false;
    const unsigned looks = std::max(2U, 64 / threads()) - 1;
    for (unsigned i = 0; i < looks; ++i) {
        const auto fraction = static_cast<double>(++look_ * 0x9E3779B97F4A7C15 >> 11) * 0x1p-53;
        if (!right_at(part, static_cast<std::size_t>(fraction * static_cast<double>(part.words))))
            return false;
    }
    return true;
}

bool Parts::check() {
    follow_all();
    return std::ranges::all_of(parts_, [this](const Part& part) { return looks_right(part); });
}

std::size_t Parts::first_wrong(const Part& part) const noexcept {
    for (std::size_t i = 0; i < part.words;) {
        const Row row = row_at(part, i);
        const std::size_t count = std::min(row.words, stretch);
        const std::size_t end = i + count;
        if (!holds(part.begin + i, count, row.first, row.step))
            for (std::size_t k = i; k < end; ++k)
                if (!right_at(part, k)) return k;
        i = end;
    }
    return part.words;
}

Proof Parts::prove() {
    follow_all();
    team_->run(
        [this](unsigned member) noexcept { parts_[member].wrong = first_wrong(parts_[member]); });
    const std::string after = " after " + std::to_string(asked_) + " executions of " +
                              std::to_string(passes_) + " passes";
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const std::string thread = " of thread " + std::to_string(i);
        if (!sum_is_right(parts_[i]))
            return {false,
                    "What was read" + thread + " does not add up to what is there" + after + "."};
        if (parts_[i].wrong < parts_[i].words)
            return {false,
                    "Word " + std::to_string(parts_[i].wrong) + thread + " is wrong" + after + "."};
    }
    return {true, "Every word of " + std::to_string(bytes_) +
                      " bytes is what the executions leave there, one carrying the other," + after +
                      "."};
}

}  // namespace stend::bandwidth
