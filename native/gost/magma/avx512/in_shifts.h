// What `avx512-words` leaves to shifts.h: one block, and a single chain. Without BMI2, which gains
// nothing on the processors where that is the default.
#pragma once
#if defined(__x86_64__)
#include <type_traits>

#include "gost/magma/avx512/bulk.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

// What chain_by_shifts() wants to know.
template <Order order>
struct InShifts {
    using Order = std::conditional_t<order == avx512::Order::big, BigEndian, LittleEndian>;
    static const KeyWords& words(const Schedule& schedule) { return keys_of(schedule).words; }
    static const Shifts& shifts(const Schedule& schedule) { return *keys_of(schedule).shifts; }
};

template <Order order, Way way>
void transformed_or_shifts(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    using V = InShifts<order>;
    using Rounds = std::conditional_t<way == Way::encrypt, Encryption, Decryption>;
    if (blocks == 1)
        one_block_by_shifts<typename V::Order, Rounds>(in, out, V::words(schedule),
                                                       V::shifts(schedule));
    else
        transformed<order, way>(schedule, in, out, blocks);
}

template <Order order>
void chain_or_shifts(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    if (lanes.size() == 1)
        chain_by_shifts<InShifts<order>>(feed, lanes[0], blocks);
    else
        chain<order>(feed, lanes, blocks);
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
