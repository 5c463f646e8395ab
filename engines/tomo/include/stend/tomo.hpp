// Reconstruction of slices from X-ray projections on CPUs: all of it, one header a subject.
#pragma once

#include <stend/tomo/cone.hpp>
#include <stend/tomo/fan.hpp>
#include <stend/tomo/filter.hpp>
#include <stend/tomo/iterative.hpp>
#include <stend/tomo/parallel.hpp>
#include <stend/tomo/phantom.hpp>
#include <stend/tomo/preparation.hpp>
