// The modes' part of gost_secrets, which ends the program when something is not as it should be.
#pragma once

#include "stend/gost.h"

void the_modes_with_secrets(stend_gost_cipher cipher, const char* variant);
