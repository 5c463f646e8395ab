// What stands around every measurement of this room while it is prepared: the measuring thread in
// its seat, and the load. Made by the measuring thread.
#pragma once

#include "kernels/threads/conditions.h"
#include "team/load.h"
#include "team/seat.h"

namespace stend::threads {

class Scene {
public:
    explicit Scene(const Conditions& conditions) : load_(conditions.load, conditions.binding()) {
        if (conditions.bound) seat_ = sit(own_cpus(conditions, 1).front());
    }

private:
    Seat seat_;
    Load load_;
};

}  // namespace stend::threads
