/* SPDX-License-Identifier: MIT */
/*
 * What the chip has been told, so that it is not told again.
 *
 * Packets of state hold until the next one of their kind. Each kind has its
 * dwords here as they were last written; saf_emit_state() writes a packet
 * only if it says something else. State that such packets point to is kept
 * the same way (genX(keep_state)).
 *
 * saf_emit() must not be used for these packets: what it writes is not noted.
 */
#ifndef GENX_SENT_H
#define GENX_SENT_H

#include "intel/genxml/genx.h"
#include "intel/vulkan/cmd/saf_cmd_buffer.h"

/* X(packet). First what holds until base addresses change, as it counts from
 * them. */
#define SAF_SENT_STAGE(X, XS)                                                \
   X(3DSTATE_CONSTANT_##XS)                                                  \
   X(3DSTATE_BINDING_TABLE_POINTERS_##XS)                                    \
   X(3DSTATE_SAMPLER_STATE_POINTERS_##XS)

#if GEN_VERX10 >= 80
#define SAF_SENT_DEPTH_STENCIL(X)
#else
#define SAF_SENT_DEPTH_STENCIL(X) X(3DSTATE_DEPTH_STENCIL_STATE_POINTERS)
#endif

#define SAF_SENT_POINTERS(X)                                                 \
   SAF_SENT_STAGE(X, VS)                                                     \
   SAF_SENT_STAGE(X, HS)                                                     \
   SAF_SENT_STAGE(X, DS)                                                     \
   SAF_SENT_STAGE(X, GS)                                                     \
   SAF_SENT_STAGE(X, PS)                                                     \
   SAF_SENT_DEPTH_STENCIL(X)                                                 \
   X(3DSTATE_BLEND_STATE_POINTERS)                                           \
   X(3DSTATE_CC_STATE_POINTERS)                                              \
   X(3DSTATE_SCISSOR_STATE_POINTERS)                                         \
   X(3DSTATE_VIEWPORT_STATE_POINTERS_CC)                                     \
   X(3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP)

#define SAF_SENT_COMMON(X)                                                   \
   X(3DSTATE_VS)                                                             \
   X(3DSTATE_HS)                                                             \
   X(3DSTATE_TE)                                                             \
   X(3DSTATE_DS)                                                             \
   X(3DSTATE_GS)                                                             \
   X(3DSTATE_SBE)                                                            \
   X(3DSTATE_WM)                                                             \
   X(3DSTATE_PS)                                                             \
   X(3DSTATE_CLIP)                                                           \
   X(3DSTATE_SF)                                                             \
   X(3DSTATE_STREAMOUT)                                                      \
   X(3DSTATE_MULTISAMPLE)                                                    \
   X(3DSTATE_SAMPLE_MASK)                                                    \
   X(3DSTATE_LINE_STIPPLE)                                                   \
   X(3DSTATE_INDEX_BUFFER)                                                   \
   X(3DSTATE_VF_STATISTICS)

#if GEN_VERX10 >= 80
#define SAF_SENT_PACKETS(X)                                                  \
   SAF_SENT_COMMON(X)                                                        \
   X(3DSTATE_VF)                                                             \
   X(3DSTATE_VF_SGVS)                                                        \
   X(3DSTATE_VF_TOPOLOGY)                                                    \
   X(3DSTATE_SBE_SWIZ)                                                       \
   X(3DSTATE_PS_EXTRA)                                                       \
   X(3DSTATE_PS_BLEND)                                                       \
   X(3DSTATE_RASTER)                                                         \
   X(3DSTATE_SAMPLE_PATTERN)                                                 \
   X(3DSTATE_WM_DEPTH_STENCIL)
#elif GEN_VERX10 == 75
#define SAF_SENT_PACKETS(X)                                                  \
   SAF_SENT_COMMON(X)                                                        \
   X(3DSTATE_VF)
#else
#define SAF_SENT_PACKETS(X) SAF_SENT_COMMON(X)
#endif

#define SAF_MAX_VERTEX_ELEMENTS (SAF_MAX_VERTEX_ATTRIBS + 2)

/* A first dword of zero: nothing has been sent, as no packet has that. */
struct GENX(sent) {
#define MEMBER(packet) uint32_t at_##packet[GENX(packet##_length)];
   SAF_SENT_POINTERS(MEMBER)
   SAF_SENT_PACKETS(MEMBER)
#undef MEMBER
   uint32_t vertex_elements[1 + SAF_MAX_VERTEX_ELEMENTS *
                                   GENX(VERTEX_ELEMENT_STATE_length)];
   /* All of a packet; of the driver's own buffers, a packet each. */
   uint32_t vertex_buffers[1 + SAF_MAX_VERTEX_BINDINGS *
                                  GENX(VERTEX_BUFFER_STATE_length)];
   uint32_t small_buffers[2][1 + GENX(VERTEX_BUFFER_STATE_length)];
#if GEN_VERX10 >= 80
   uint32_t instancing[SAF_MAX_VERTEX_ELEMENTS]
                      [GENX(3DSTATE_VF_INSTANCING_length)];
#endif
};
static_assert(sizeof(struct GENX(sent)) <= SAF_SENT_B, "room for packets");

static inline struct GENX(sent) * genX(sent)(struct saf_cmd_buffer *cmd)
{
   return (struct GENX(sent) *)cmd->sent;
}

/* Whether `count` dwords say something else than `sent`, which is them
 * then. */
static inline bool
genX(is_news)(uint32_t *sent, const uint32_t *dw, uint32_t count)
{
   if (!memcmp(sent, dw, count * sizeof(*dw)))
      return false;
   memcpy(sent, dw, count * sizeof(*dw));
   return true;
}

/* Writes a packet to the batch, behind `before` if that is not NULL. */
void genX(write)(struct saf_cmd_buffer *cmd, const uint32_t *packet,
                 uint32_t count, uint64_t addresses,
                 void (*before)(struct saf_cmd_buffer *));

/* The same for the packet in cmd->packed if it is news. */
static inline void
genX(send)(struct saf_cmd_buffer *cmd, uint32_t *sent, uint32_t count,
           uint64_t addresses, void (*before)(struct saf_cmd_buffer *))
{
   if (genX(is_news)(sent, cmd->packed, count))
      genX(write)(cmd, sent, count, addresses, before);
}

#define saf_emit_state_with(cmd, packet, name, addresses, before)            \
   for (struct GENX(packet)                                                  \
           name = { GENX(packet##_header) },                                 \
           *name##_p = &name;                                                \
        name##_p;                                                            \
        name##_p = NULL, GENX(packet##_pack)((cmd)->packed, &name),          \
           genX(send)(cmd, genX(sent)(cmd)->at_##packet,                     \
                      GENX(packet##_length), addresses, before))

#define saf_emit_state_after(cmd, packet, name, before)                      \
   saf_emit_state_with(cmd, packet, name, GENX(packet##_address_dwords),     \
                       before)

/* As saf_emit(), for a packet of this file. */
#define saf_emit_state(cmd, packet, name)                                    \
   saf_emit_state_after(cmd, packet, name, NULL)

/* The offset of dynamic state with these bytes: where it is already, if that
 * was the last of its slot. */
uint32_t genX(keep_state)(struct saf_cmd_buffer *cmd, enum saf_kept_slot slot,
                          const void *data, uint32_t size_B,
                          uint32_t align_B);

/* All; or what counts from base addresses. */
void genX(invalidate_sent)(struct saf_cmd_buffer *cmd);
void genX(invalidate_pointers)(struct saf_cmd_buffer *cmd);
/* The chip reads constants when it is told where they are: what is there may
 * be something else now. */
void genX(invalidate_constants)(struct saf_cmd_buffer *cmd);

#endif
