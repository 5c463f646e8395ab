// What the program is asked and what it answers: README.md has the words. Rank 0 reads and writes;
// all ranks take part.
#pragma once

#include <string>

#include "mpi/operation.h"

namespace stend::mpi {

// Tells what is wrong; the program is to leave.
void refuse(const std::string& why);

// Tells that the ranks are ready and where they sit, then does what it is asked until told to
// leave or until nobody asks any more.
void converse(Operation& operation, const Size& size, const std::string& where);

}  // namespace stend::mpi
