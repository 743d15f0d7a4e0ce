/* SPDX-License-Identifier: MIT */
/* What every cmocka test includes; cmocka.h leaves its own needs to us. */
#ifndef UTIL_UNIT_TEST_H
#define UTIL_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#endif
