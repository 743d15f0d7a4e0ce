/* SPDX-License-Identifier: MIT */
/* Operands with physical registers, for eu_generate(). */
#ifndef EU_ENCODE_H
#define EU_ENCODE_H

#include "eu_ir.h"

void eu_encode_source(struct isa_operand *o, const eu_reg *r,
                      unsigned exec_size);
void eu_encode_dest(struct isa_operand *o, const eu_reg *r);

/* Of an instruction with three sources. */
void eu_encode_source3(struct isa_operand *o, const eu_reg *r);

#endif
