// Phantoms that take a file of their own.
#pragma once

#include <stend/tomo/phantom.hpp>
#include <vector>

namespace stend::tomo {

std::vector<Ellipsoid> may_beetle();

}  // namespace stend::tomo
