/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "environment.h"

const char *
environment_get(const char *name)
{
   return secure_getenv(name);
}
