// Reads the published examples in ../vectors, as ../gost_examples.py does.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"

namespace stend::gost {

using Buffer = std::vector<std::uint8_t>;

inline Buffer from_hex(std::string_view digits) {
    Buffer bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        bytes.push_back(
            static_cast<std::uint8_t>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
    return bytes;
}

// What the lines `name = value` of one example say.
class Vector {
public:
    std::map<std::string, std::string> said;

    bool has(const char* name) const { return said.count(name) != 0; }
    std::string text(const char* name) const { return has(name) ? said.at(name) : std::string(); }
    Buffer bytes(const char* name) const { return from_hex(text(name)); }
    std::size_t number(const char* name) const { return has(name) ? std::stoul(said.at(name)) : 0; }
    // The message, which may be so many zeros.
    Buffer plain() const { return has("plain") ? bytes("plain") : Buffer(number("zeros")); }
};

inline std::vector<Vector> vectors(const std::filesystem::path& folder) {
    std::vector<Vector> all;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        std::ifstream lines(file.path());
        for (std::string line; std::getline(lines, line);) {
            const std::size_t equals = line.find(" =");
            if (line.empty() || line[0] == '#') continue;
            CHECK(equals != std::string::npos);
            const std::string name = line.substr(0, equals);
            if (name == "source") all.emplace_back();
            all.back().said[name] = line.substr(std::min(equals + 3, line.size()));
        }
    }
    CHECK(all.size() > 40);
    return all;
}

}  // namespace stend::gost
