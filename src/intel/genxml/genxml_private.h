/* SPDX-License-Identifier: MIT */
/* What the generated tables and genxml.c share. */
#ifndef GENXML_PRIVATE_H
#define GENXML_PRIVATE_H

#include "intel/genxml/genxml.h"

extern const struct genxml_spec genxml_spec_70;
extern const struct genxml_spec genxml_spec_75;
extern const struct genxml_spec genxml_spec_80;
extern const struct genxml_spec genxml_spec_90;

#endif
