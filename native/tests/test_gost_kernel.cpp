// Messages as measured work: every mode by every variant is right, and what was left out is found.
#include <string>

#include "check.h"
#include "kernels/gost/gost.h"
#include "team/seat.h"

using namespace stend;
using namespace stend::ciphers;

namespace {

void every_mode_is_right_by_every_variant(stend_gost_cipher cipher) {
    for (std::size_t i = 0; const char* const variant = stend_gost_variant(cipher, i); ++i) {
        if (stend_gost_variant_lacks(cipher, variant) != nullptr) continue;
        for (const Mode& mode : modes()) {
            const auto made = kernel(cipher, mode, 1040, i % 64, first_cpus(1), variant);
            made->prepare();
            for (const std::uint64_t batch : {1, 2, 5}) {
                made->repeat(batch);
                CHECK(made->check());
            }
            CHECK(made->variant() == variant);
            CHECK(made->further().size() == made->columns().size());
            const Proof proof = made->prove();
            CHECK(proof.right);
            CHECK(proof.said.find("8 repetitions") != std::string::npos);
        }
    }
}

int call = 0, faulty_call = -1;
enum class Fault { skipped, one_bit, refused } fault;

bool faulty(Worker& worker, std::uint64_t number, const std::uint8_t* from, std::uint8_t* to,
            std::size_t size) {
    const bool now = call++ == faulty_call;
    if (now && fault == Fault::skipped) return true;
    if (now && fault == Fault::refused) return false;
    const bool right = mode("ctr").encrypt(worker, number, from, to, size);
    if (now && fault == Fault::one_bit) to[size / 2] ^= 1;
    return right;
}

void a_fault_in_any_repetition_is_found(bool in_place) {
    const Mode mode{"faulty", faulty, in_place};
    for (const Fault kind : {Fault::skipped, Fault::one_bit, Fault::refused})
        for (int at = 0; at < 4; ++at) {
            const auto made =
                kernel(STEND_GOST_KUZNYECHIK, mode, 4096, 0, first_cpus(1), "reference");
            made->prepare();
            fault = kind;
            call = 0;
            faulty_call = -1;
            made->repeat(4);
            CHECK(made->check());
            call = 0;
            faulty_call = at;
            made->repeat(4);
            CHECK(!made->check());
            CHECK(!made->prove().right);
        }
}

void what_cannot_be_is_refused() {
    const auto refused = [](std::size_t size, std::size_t offset, std::string_view variant) {
        CHECK_THROWS(std::invalid_argument, kernel(STEND_GOST_KUZNYECHIK, mode("ecb"), size, offset,
                                                   first_cpus(1), variant));
    };
    refused(0, 0, "reference");
    refused(24, 0, "reference");
    refused(16, 64, "reference");
    refused(16, 0, "fast");
    CHECK_THROWS(std::invalid_argument, mode("xts"));
    CHECK_THROWS(std::invalid_argument, cipher("aes"));
}

}  // namespace

int main() {
    every_mode_is_right_by_every_variant(STEND_GOST_KUZNYECHIK);
    every_mode_is_right_by_every_variant(STEND_GOST_MAGMA);
    for (const bool in_place : {true, false}) a_fault_in_any_repetition_is_found(in_place);
    what_cannot_be_is_refused();
}
