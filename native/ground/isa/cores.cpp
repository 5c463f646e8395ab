// Reads lists of CPUs and sockets' numbers from /sys. macOS has no such files: it tells how many
// cores there are, and not which.
#include "isa/cores.h"

#include <cstdio>
#include <fstream>
#include <string>

namespace stend::isa {
namespace {

std::ifstream topology(int cpu, const char* name) {
    return std::ifstream("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/" + name);
}

}  // namespace

std::vector<int> listed(std::istream& file) {
    std::vector<int> numbers;
    for (std::string word; std::getline(file, word, ',');) {
        int first = 0, last = 0;
        const int found = std::sscanf(word.c_str(), "%d-%d", &first, &last);
        if (found == 1) last = first;
        for (int each = first; found >= 1 && each <= last; ++each) numbers.push_back(each);
    }
    return numbers;
}

std::vector<int> core_of(int cpu) {
    std::ifstream file = topology(cpu, "thread_siblings_list");
    return listed(file);
}

int package_of(int cpu) {
    int number = -1;
    return topology(cpu, "physical_package_id") >> number ? number : -1;
}

}  // namespace stend::isa
