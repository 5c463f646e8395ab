// Which variants each cipher has, and which of them is the default.
#include <algorithm>
#include <ranges>

#include "gost/engine.h"
#include "gost/kuznyechik/variants.h"
#include "gost/legacy/variants.h"
#include "gost/magma/variants.h"

namespace stend::gost {

std::span<const Engine* const> engines(Cipher cipher) {
    switch (cipher) {
        case Cipher::kuznyechik:
            return kuznyechik::variants();
        case Cipher::magma:
            return magma::variants();
        default:
            return legacy::variants();
    }
}

const Engine& fastest(Cipher cipher) {
    const auto list = engines(cipher);
    const auto fits = [usable = isa::usable()](const Engine* engine) {
        return engine->constant_time && usable.contains(engine->needs);
    };
    const auto found = std::ranges::find_if(std::views::reverse(list), fits);
    return found == std::views::reverse(list).end() ? *list.front() : **found;
}

const Engine* find(Cipher cipher, std::string_view name) {
    const auto list = engines(cipher);
    const auto found = std::ranges::find(list, name, &Engine::name);
    return found == list.end() ? nullptr : *found;
}

}  // namespace stend::gost
