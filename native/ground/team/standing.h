// A team that an object keeps for all of its work: made when it is first needed, again in a child
// of fork(), where none of its parent's threads are.
#pragma once

#include <sys/types.h>

#include <memory>

#include "team/team.h"

namespace stend {

class StandingTeam {
public:
    explicit StandingTeam(unsigned members) : members_(members) {}
    StandingTeam(const StandingTeam&) = delete;
    StandingTeam& operator=(const StandingTeam&) = delete;
    ~StandingTeam() { forget_the_parents(); }

    // Its members are unbound. Throws what making a team does.
    Team& team();

private:
    void forget_the_parents();

    unsigned members_;
    pid_t process_ = 0;  // whose threads they are
    std::unique_ptr<Team> team_;
};

}  // namespace stend
