// The machine's topology as hwloc sees it, exported as its XML; empty with a reason when
// this build has no hwloc or hwloc can't look.
#pragma once

#include <optional>
#include <string>

namespace stend::topology {

// hwloc's XML, version 2 of its format.
std::optional<std::string> xml();

std::optional<std::string> hwloc_version();

// A sentence why xml() is empty; empty when it isn't.
std::string reason();

}  // namespace stend::topology
