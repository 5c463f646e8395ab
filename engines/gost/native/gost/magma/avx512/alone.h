// What `avx512-words` does with one block and with a single chain: on Zen 5 they are faster in
// general registers (../shifts.h; without BMI2, which gains nothing there), elsewhere in vectors.
#pragma once
#if defined(__x86_64__)
#include <type_traits>

#include "gost/magma/avx512/bulk.h"
#include "gost/magma/avx512/narrow.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

// What chain_by_shifts() wants to know.
template <Order order>
struct InShifts {
    using Order = std::conditional_t<order == avx512::Order::big, BigEndian, LittleEndian>;
    static const KeyWords& words(const Schedule& schedule) { return keys_of(schedule).words; }
    static const Shifts& shifts(const Schedule& schedule) { return *keys_of(schedule).shifts; }
};

inline bool shifts_are_faster() {
    return isa::amd_family() == 0x1A;
}

template <Order order, Way way>
void transformed_or_alone(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    using V = InShifts<order>;
    using Numbers = typename V::Order;
    using Rounds = std::conditional_t<way == Way::encrypt, Encryption, Decryption>;
    if (blocks != 1)
        transformed<order, way>(schedule, in, out, blocks);
    else if (shifts_are_faster())
        one_block_by_shifts<Numbers, Rounds>(in, out, V::words(schedule), V::shifts(schedule));
    else
        one_block<Numbers, Rounds>(keys_of(schedule), in, out);
}

template <Order order>
void chain_or_alone(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    using V = InShifts<order>;
    if (lanes.size() != 1)
        chain<order>(feed, lanes, blocks);
    else if (shifts_are_faster())
        chain_by_shifts<V>(feed, lanes[0], blocks);
    else
        one_chain<typename V::Order>(feed, lanes[0], blocks);
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
