/* SPDX-License-Identifier: MIT */
/* How the address spaces of chips are divided: for the table of devices. */
#ifndef INTEL_ADDRESS_LAYOUTS_H
#define INTEL_ADDRESS_LAYOUTS_H

#include "intel_device_info.h"

extern const struct intel_address_layout intel_small_layout,
   intel_middle_layout, intel_large_layout;

#endif
