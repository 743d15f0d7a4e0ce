/* SPDX-License-Identifier: MIT */
/* Generated from eu_opcodes.py: do not edit. */
#ifndef EU_OPCODES_H
#define EU_OPCODES_H

#include "intel/isa/isa.h"

/* The virtual ones, after those of the EU (enum isa_opcode). */
enum eu_opcode {
% for i, row in enumerate(t.VIRTUAL):
   /* ${row.doc.replace('\n', '\n    * ')} */
   EU_OP_${row.name.upper()}${' = ISA_OPCODE_COUNT' if i == 0 else ''},
% endfor
   EU_OP_COUNT,
};

% for name, values in t.CLASSES.items():
enum PACKED_ENUM eu_${name} {
% for v in values:
   EU_${name.upper()}_${v.upper()},
% endfor
   EU_${name.upper()}_COUNT,
};

% endfor
/* What each of these means: eu_opcodes.py. */
struct eu_opcode_info {
   const char *name;
   uint8_t num_srcs;   /* most that it can have */
   bool has_dst;
   enum eu_reads reads;
   enum eu_latency latency;
   enum eu_width width;
   enum eu_emit emit;
   enum eu_mixes mixes;
% for member in t.FLAGS.values():
   bool ${member} : 1;
% endfor
   uint16_t dst_types, src_types;   /* bits 1 << enum isa_type; 0: any */
};

extern const struct eu_opcode_info eu_opcode_infos[EU_OP_COUNT];

/* Names as the assembler has them: of architecture registers by the high half
 * of their number, without the low one; of predicates. */
extern const char *const eu_arf_names[16];
extern const char *const eu_pred_names[ISA_PRED_COUNT];

#endif
