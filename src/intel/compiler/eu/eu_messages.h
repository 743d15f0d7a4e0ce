/* SPDX-License-Identifier: MIT */
/*
 * Messages: descriptors come from the table of the instruction set
 * (isa_messages.h); here is how they become instructions of the IR.
 */
#ifndef EU_MESSAGES_H
#define EU_MESSAGES_H

#include "eu_builder.h"
#include "intel/isa/isa_messages.h"

/* Shared memory in place of an entry of the binding table: PRM SKL vol 2d,
 * MDC_BTS_SLM_A32. */
#define EU_BTI_SLM 254

/* The surface state whose place is in the extended descriptor: PRM SKL vol
 * 2d, "Surface Binding Table Index" and vol 7, "Bindless". */
#define EU_BTI_BINDLESS 252

/* The mask that leaves the first `comps` channels on: a bit turns off. */
static inline uint16_t
eu_channels_off(unsigned comps)
{
   return 0xf & (0xf << comps);
}

/*
 * A SEND of m->mlen GRFs from `payload`; m->rlen GRFs are returned in dst.
 * Where several shared functions have the message, m->sfid chooses one. A
 * `bti` that is no immediate (a scalar UD) is ORed into the descriptor. With
 * eu_builder::bindless it is a handle.
 */
struct eu_inst *eu_emit_send(const struct eu_builder *b,
                             const struct isa_message *m, eu_reg bti,
                             eu_reg dst, eu_reg payload);

/*
 * Makes the SEND one with a second payload of `grfs` GRFs (1 to 15) from
 * `data`, behind the first (intel_device_info::eu.has_split_sends; PRM SKL
 * vol 2a, "sends").
 */
void eu_split_send(struct eu_inst *inst, eu_reg data, unsigned grfs);

/* Makes the SEND one whose surface is found by a handle (a scalar UD); its
 * descriptor says EU_BTI_BINDLESS. */
void eu_send_handle(struct eu_inst *inst, eu_reg handle);

#endif
