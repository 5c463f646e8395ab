// Reads lists of CPUs, "0,4" or "0-1", from /sys.
#include "isa/cores.h"

#include <cstdio>
#include <fstream>
#include <string>

namespace stend::isa {

std::vector<int> core_of(int cpu) {
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                       "/topology/thread_siblings_list");
    std::vector<int> cpus;
    for (std::string word; std::getline(file, word, ',');) {
        int first = 0, last = 0;
        const int found = std::sscanf(word.c_str(), "%d-%d", &first, &last);
        if (found == 1) last = first;
        for (int each = first; found >= 1 && each <= last; ++each) cpus.push_back(each);
    }
    return cpus;
}

}  // namespace stend::isa
