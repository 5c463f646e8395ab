// The machine's topology as hwloc sees it, exported as its XML. hwloc is loaded when it is asked
// for, so that one build serves machines with and without it.
#pragma once

#include <string>

namespace stend::topology {

// hwloc's XML, version 2 of its format. Takes some 10 ms. Throws Unavailable when hwloc is not
// installed, can't look, or was told to describe another machine than this.
std::string xml();

}  // namespace stend::topology
