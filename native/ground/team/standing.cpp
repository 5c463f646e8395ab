// In a child of fork() a parent's team is left as it lies: threads that aren't there can't be
// joined.
#include "team/standing.h"

#include <unistd.h>

namespace stend {

Team& StandingTeam::team() {
    forget_the_parents();
    if (!team_) {
        team_ = std::make_unique<Team>(Unbound{}, members_);
        process_ = getpid();
    }
    return *team_;
}

void StandingTeam::forget_the_parents() {
    if (team_ && process_ != getpid()) static_cast<void>(team_.release());
}

}  // namespace stend
