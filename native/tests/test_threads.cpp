// Every thread that is made is counted, one that is left out is missed, and a system that makes no
// more threads is a sentence, with none left behind.
#include "check.h"
#include "threads/life.h"

using namespace stend;
using namespace stend::threads;

namespace {

const Conditions quiet;

double observed_once(Kernel& kernel) {
    return dynamic_cast<Observer&>(kernel).observe();
}

void threads_that_are_made_are_counted() {
    for (const auto make : {create, create_join}) {
        for (const Conditions& conditions : {quiet, Conditions{1, true}}) {
            const auto kernel = make(conditions, pthread_create);
            kernel->prepare();
            for (int i = 0; i < 10; ++i) {
                CHECK(observed_once(*kernel) > 0);
                CHECK(kernel->check());
            }
            CHECK(kernel->prove().right);
        }
    }
}

}  // namespace

int main() {
    threads_that_are_made_are_counted();
}
