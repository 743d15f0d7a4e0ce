/* SPDX-License-Identifier: MIT */
/* Generated from eu_opcodes.py: do not edit. */
#include "eu_opcodes.h"
const struct eu_opcode_info eu_opcode_infos[EU_OP_COUNT] = {
% for row in rows:
   [${enum_name(row)}] = {
      .name = "${row.text}", .num_srcs = ${row.srcs},
      .has_dst = ${'true' if row.dst else 'false'},
      .reads = EU_READS_${row.reads.upper()},
      .latency = EU_LATENCY_${row.latency.upper()},
      .width = EU_WIDTH_${row.width.upper()},
      .emit = EU_EMIT_${row.emit.upper()},
      .mixes = EU_MIXES_${row.mixes.upper()},
% for f in row.flags:
      .${t.FLAGS[f]} = true,
% endfor
      .dst_types = ${type_mask(row.dst_types)},
      .src_types = ${type_mask(row.src_types)},
   },
% endfor
};

const char *const eu_arf_names[16] = {
% for name, text, number, registers in isa.ARFS:
   [${number >> 4}] = "${text}",
% endfor
};

const char *const eu_pred_names[ISA_PRED_COUNT] = {
% for name, text, align1, align16 in isa.PREDICATES:
   [ISA_PRED_${name.upper()}] = "${text}",
% endfor
};
