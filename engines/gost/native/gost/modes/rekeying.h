// The key of the next section, made of that of the last. Both may be one object.
#pragma once

#include "gost/modes/context.h"

namespace stend::gost {

// ACPKM (RFC 8645, 6.2.1; R 1323565.1.017-2018, 4.1.1): the encryption of 0x80, 0x81, …, 0x9f.
void acpkm(const Key& key, const Schedule& last, Schedule& next);

// CryptoPro key meshing (RFC 4357, 2.3.2): the decryption of its constant. The register or
// counter that goes on with the new key is encrypted by it; null when there is none.
void mesh(const Key& key, const Schedule& last, Schedule& next, std::uint8_t* shift);

}  // namespace stend::gost
