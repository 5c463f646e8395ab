// The loop; what is no number stays none and is found by whoever looks.
#include "kernels/fft/chain.h"

#include <cmath>

namespace stend::fft {

void Chain::repeat(std::uint64_t times) const {
    for (; times > 0; --times) {
        in[0] = std::fmod(std::round(out[told] - without) + 1, numbers);
        function(plan, in, out);
    }
}

}  // namespace stend::fft
