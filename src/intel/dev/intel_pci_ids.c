/* SPDX-License-Identifier: MIT */
#include "intel_device_info.h"

/* By which the kernel's i915_pciids.h knows them; a row's own is among
 * them. */
static const struct {
   uint16_t pci_id;
   const char *name;
} pci_ids[] = {
   { 0x0152, "ivb-gt1" },   { 0x0156, "ivb-gt1" }, { 0x015a, "ivb-gt1" },
   { 0x0162, "ivb" },       { 0x0166, "ivb" },     { 0x016a, "ivb" },
   { 0x0402, "hsw-gt1" },   { 0x0406, "hsw-gt1" }, { 0x040a, "hsw-gt1" },
   { 0x040b, "hsw-gt1" },   { 0x040e, "hsw-gt1" }, { 0x0a02, "hsw-gt1" },
   { 0x0a06, "hsw-gt1" },   { 0x0a0a, "hsw-gt1" }, { 0x0a0b, "hsw-gt1" },
   { 0x0a0e, "hsw-gt1" },   { 0x0412, "hsw" },     { 0x0416, "hsw" },
   { 0x041a, "hsw" },       { 0x041b, "hsw" },     { 0x041e, "hsw" },
   { 0x0a12, "hsw" },       { 0x0a16, "hsw" },     { 0x0a1a, "hsw" },
   { 0x0a1b, "hsw" },       { 0x0a1e, "hsw" },     { 0x0422, "hsw-gt3" },
   { 0x0426, "hsw-gt3" },   { 0x042a, "hsw-gt3" }, { 0x0a22, "hsw-gt3" },
   { 0x0a26, "hsw-gt3" },   { 0x0a2a, "hsw-gt3" }, { 0x0a2e, "hsw-gt3" },
   { 0x0d22, "hsw-gt3" },   { 0x0d26, "hsw-gt3" }, { 0x1602, "bdw-gt1" },
   { 0x1606, "bdw-gt1" },   { 0x160a, "bdw-gt1" }, { 0x160b, "bdw-gt1" },
   { 0x160d, "bdw-gt1" },   { 0x160e, "bdw-gt1" }, { 0x1612, "bdw" },
   { 0x1616, "bdw" },       { 0x161a, "bdw" },     { 0x161b, "bdw" },
   { 0x161d, "bdw" },       { 0x161e, "bdw" },     { 0x1622, "bdw-gt3" },
   { 0x1626, "bdw-gt3" },   { 0x162a, "bdw-gt3" }, { 0x162b, "bdw-gt3" },
   { 0x162d, "bdw-gt3" },   { 0x162e, "bdw-gt3" }, { 0x1902, "skl-gt1" },
   { 0x1906, "skl-gt1" },   { 0x190a, "skl-gt1" }, { 0x190b, "skl-gt1" },
   { 0x190e, "skl-gt1" },   { 0x1912, "skl" },     { 0x1916, "skl" },
   { 0x191a, "skl" },       { 0x191b, "skl" },     { 0x191d, "skl" },
   { 0x191e, "skl" },       { 0x1921, "skl" },     { 0x1923, "skl-gt3" },
   { 0x1926, "skl-gt3" },   { 0x1927, "skl-gt3" }, { 0x192b, "skl-gt3" },
   { 0x192d, "skl-gt3" },   { 0x1932, "skl-gt4" }, { 0x193a, "skl-gt4" },
   { 0x193b, "skl-gt4" },   { 0x193d, "skl-gt4" }, { 0x0f31, "byt" },
   { 0x0f32, "byt" },       { 0x0f33, "byt" },     { 0x0157, "byt" },
   { 0x0155, "byt" },       { 0x0a84, "bxt" },     { 0x1a84, "bxt" },
   { 0x1a85, "bxt-2x6" },   { 0x5a84, "bxt" },     { 0x5a85, "bxt-2x6" },
   { 0x3184, "glk" },       { 0x3185, "glk-2x6" }, { 0x5902, "kbl-gt1" },
   { 0x5906, "kbl-gt1" },   { 0x590a, "kbl-gt1" }, { 0x5908, "kbl-gt1" },
   { 0x590b, "kbl-gt1" },   { 0x590e, "kbl-gt1" }, { 0x5913, "kbl-gt1.5" },
   { 0x5915, "kbl-gt1.5" }, { 0x5917, "kbl" },     { 0x5912, "kbl" },
   { 0x5916, "kbl" },       { 0x591a, "kbl" },     { 0x591b, "kbl" },
   { 0x591d, "kbl" },       { 0x591e, "kbl" },     { 0x5921, "kbl" },
   { 0x591c, "kbl" },       { 0x87c0, "kbl" },     { 0x5923, "kbl-gt3" },
   { 0x5926, "kbl-gt3" },   { 0x5927, "kbl-gt3" }, { 0x593b, "kbl-gt4" },
   { 0x87ca, "cfl" },       { 0x3e90, "cfl-gt1" }, { 0x3e93, "cfl-gt1" },
   { 0x3e99, "cfl-gt1" },   { 0x3e9c, "cfl-gt1" }, { 0x3ea1, "cfl-gt1" },
   { 0x3ea4, "cfl-gt1" },   { 0x9b21, "cfl-gt1" }, { 0x9ba0, "cfl-gt1" },
   { 0x9ba2, "cfl-gt1" },   { 0x9ba4, "cfl-gt1" }, { 0x9ba5, "cfl-gt1" },
   { 0x9ba8, "cfl-gt1" },   { 0x9baa, "cfl-gt1" }, { 0x9bab, "cfl-gt1" },
   { 0x9bac, "cfl-gt1" },   { 0x3e91, "cfl" },     { 0x3e92, "cfl" },
   { 0x3e94, "cfl" },       { 0x3e96, "cfl" },     { 0x3e98, "cfl" },
   { 0x3e9a, "cfl" },       { 0x3e9b, "cfl" },     { 0x3ea9, "cfl" },
   { 0x3ea0, "cfl" },       { 0x3ea3, "cfl" },     { 0x9b41, "cfl" },
   { 0x9bc0, "cfl" },       { 0x9bc2, "cfl" },     { 0x9bc4, "cfl" },
   { 0x9bc5, "cfl" },       { 0x9bc6, "cfl" },     { 0x9bc8, "cfl" },
   { 0x9bca, "cfl" },       { 0x9bcb, "cfl" },     { 0x9bcc, "cfl" },
   { 0x9be6, "cfl" },       { 0x9bf6, "cfl" },     { 0x3ea2, "cfl-gt3" },
   { 0x3ea5, "cfl-gt3" },   { 0x3ea6, "cfl-gt3" }, { 0x3ea7, "cfl-gt3" },
   { 0x3ea8, "cfl-gt3" },   { 0x22b0, "chv" },     { 0x22b1, "chv" },
   { 0x22b2, "chv" },       { 0x22b3, "chv" },
};

const struct intel_device_info *
intel_device_info_by_pci_id(uint16_t pci_id)
{
   for (unsigned i = 0; i < ARRAY_SIZE(pci_ids); i++) {
      if (pci_ids[i].pci_id == pci_id)
         return intel_device_info_by_name(pci_ids[i].name);
   }
   return NULL;
}

uint16_t
intel_device_info_pci_id_at(unsigned index)
{
   return index < ARRAY_SIZE(pci_ids) ? pci_ids[index].pci_id : 0;
}
