/* SPDX-License-Identifier: MIT */
/* The table of the rules, from rules/. */
#include "strict_private.h"

const struct strict_rule_info strict_rules[STRICT_RULES] = {
#define RULE(name, id, gens, enforced, title, missing, source)               \
   [STRICT_##name] = { id, gens, enforced, title, missing, source },
#include "rules.h"
#undef RULE
};
