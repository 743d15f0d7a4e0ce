/* SPDX-License-Identifier: MIT */
/*
 * Sampler messages; SKL PRM volume 7, "3D Sampler: Message Descriptor",
 * "Message Header" and "Parameter Types and Positions". In SIMD8 and SIMD16
 * each parameter takes a register for eight lanes, and those that the message
 * is too short for are zero. In SIMD4x2 a register has four parameters of
 * either of two lanes, and the response one of four channels.
 *
 * Lanes are worked on one by one, after their payload was read and before
 * any of the response is written, since both may be in the same registers.
 */
#include "sampler.h"

#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "intel/genxml/gen9_pack.h"
#include "intel/isl/isl.h"
#include "intel/sim/deviate/deviate.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/msg/data_port.h"
#include "intel/sim/msg/surface_rules.h"
#include "intel/sim/mem/watch.h"
#include "sampler_call.h"

static const struct sampler_message types[ISA_MSG_COUNT] = {
   [ISA_MSG_SAMPLE] = { GROUP_SAMPLE, 0 },
   [ISA_MSG_SAMPLE_B] = { GROUP_SAMPLE, HAS_BIAS },
   [ISA_MSG_SAMPLE_L] = { GROUP_SAMPLE, HAS_LOD },
   [ISA_MSG_SAMPLE_C] = { GROUP_SAMPLE, HAS_REF },
   [ISA_MSG_SAMPLE_D] = { GROUP_SAMPLE, HAS_GRADIENT },
   [ISA_MSG_SAMPLE_B_C] = { GROUP_SAMPLE, HAS_REF | HAS_BIAS },
   [ISA_MSG_SAMPLE_L_C] = { GROUP_SAMPLE, HAS_REF | HAS_LOD },
   [ISA_MSG_LD] = { GROUP_LOAD, HAS_LOD },
   [ISA_MSG_GATHER4] = { GROUP_GATHER, 0 },
   [ISA_MSG_LOD] = { GROUP_LOD, 0 },
   [ISA_MSG_RESINFO] = { GROUP_RESINFO, 0 },
   [ISA_MSG_SAMPLEINFO] = { GROUP_SAMPLEINFO, 0 },
   [ISA_MSG_GATHER4_C] = { GROUP_GATHER, HAS_REF },
   [ISA_MSG_GATHER4_PO] = { GROUP_GATHER, HAS_OFFSETS },
   [ISA_MSG_GATHER4_PO_C] = { GROUP_GATHER, HAS_REF | HAS_OFFSETS },
   [ISA_MSG_SAMPLE_D_C] = { GROUP_SAMPLE, HAS_REF | HAS_GRADIENT },
   [ISA_MSG_SAMPLE_LZ] = { GROUP_SAMPLE, IS_LOD_ZERO },
   [ISA_MSG_SAMPLE_C_LZ] = { GROUP_SAMPLE, HAS_REF | IS_LOD_ZERO },
   [ISA_MSG_LD_LZ] = { GROUP_LOAD, 0 },
   [ISA_MSG_LD2DMS_W] = { GROUP_LOAD, HAS_SAMPLE | HAS_MCS2 },
   [ISA_MSG_LD_MCS] = { GROUP_MCS, 0 },
   [ISA_MSG_LD2DMS] = { GROUP_LOAD, HAS_SAMPLE | HAS_MCS },
   [ISA_MSG_LD2DSS] = { GROUP_LOAD, HAS_SAMPLE },
};

static const char *
call_name(const struct sampler_call *c)
{
   return isa_message_name(c->m->fields->msg);
}

/* ---------------------------------------------------------------- actions */

static void
swizzle(const struct sampler_call *c, uint32_t rgba[4])
{
   const struct sim_surface *s = c->lookup.s;
   if (s->identity_select)
      return;
   uint32_t in[4];
   memcpy(in, rgba, sizeof(in));
   for (unsigned i = 0; i < 4; i++) {
      const unsigned select = s->channel_select[i];
      rgba[i] = select >= SCS_RED    ? in[select - SCS_RED]
                : select == SCS_ZERO ? 0
                : c->lookup.integer  ? 1
                                     : util_float_bits(1.0f);
   }
}

static bool
sample_lane(struct sampler_call *c, unsigned lane)
{
   const unsigned flags = c->type->flags;
   unsigned next = 0;
   if (flags & HAS_REF)
      c->lookup.reference = sampler_param_f(c, next++, lane);
   const unsigned before = next;
   if (flags & (HAS_BIAS | HAS_LOD))
      next++;
   struct sim_place p;
   const struct sim_lod lod = sampler_lod(c, before, next, lane, &p);
   if (c->type->group == GROUP_LOD) {
      const float first = (float)c->lookup.s->first_level;
      c->rgba[0] = util_float_bits(lod.level - first);
      c->rgba[1] = util_float_bits(lod.raw);
      return true;
   }
   if (!sim_filter(&c->lookup, &p, &lod, c->rgba))
      return false;
   swizzle(c, c->rgba);
   return true;
}

static bool
gather_lane(struct sampler_call *c, unsigned lane)
{
   const unsigned flags = c->type->flags;
   unsigned u = 0;
   if (flags & HAS_REF)
      c->lookup.reference = sampler_param_f(c, u++, lane);
   struct sim_place p = sampler_place(c, u, 1, lane, NULL);
   if (flags & HAS_OFFSETS) {
      /* u, v, offset u, offset v, r: six bits with sign. */
      c->lookup.offset[0] =
         (int)util_sign_extend(sampler_param(c, u + 2, lane), 6);
      c->lookup.offset[1] =
         (int)util_sign_extend(sampler_param(c, u + 3, lane), 6);
      p.slice =
         c->lookup.s->first_slice +
         sampler_array_slice(c->lookup.s, sampler_param_f(c, u + 4, lane));
   }
   uint32_t texels[4][4];
   if (!sim_gather(&c->lookup, &p, texels))
      return false;
   for (unsigned k = 0; k < 4; k++) {
      if (c->lookup.compare) {
         c->rgba[k] = texels[k][0];
      } else {
         swizzle(c, texels[k]);
         c->rgba[k] = texels[k][c->gather_channel];
      }
   }
   return true;
}

static bool
load_lane(struct sampler_call *c, unsigned lane)
{
   const struct sim_surface *s = c->lookup.s;
   const unsigned flags = c->type->flags;
   unsigned next = 0, sample = 0;
   int32_t level = 0;
   if (flags & HAS_SAMPLE)
      sample = sampler_param(c, next++, lane);
   /* Without an MCS every sample has its own plane. */
   bool clear = false;
   if (s->aux.mode == SIM_AUX_MCS && sample < s->num_samples &&
       flags & (HAS_MCS | HAS_MCS2)) {
      uint64_t word = sampler_param(c, next, lane);
      if (flags & HAS_MCS2)
         word |= (uint64_t)sampler_param(c, next + 1, lane) << 32;
      clear = sim_mcs_is_clear(s->num_samples, word);
      sample = clear ? 0 : sim_mcs_plane(s->num_samples, word, sample);
   }
   next += flags & HAS_MCS2 ? 2 : flags & HAS_MCS ? 1 : 0;
   /* ld: u, v, lod, r or u, lod, v, r; the others have no lod. */
   const bool lod_first = flags & HAS_LOD &&
                          !sim_traits(c->t->env->verx10)->ld_lod_is_third;
   const int32_t x = (int32_t)sampler_param(c, next, lane) +
                     c->lookup.offset[0];
   int32_t y = (int32_t)sampler_param(c, next + 1 + lod_first, lane);
   if (flags & HAS_LOD)
      level = (int32_t)sampler_param(c, lod_first ? 1 : 2, lane);
   int32_t r =
      (int32_t)sampler_param(c, flags & HAS_LOD ? 3 : next + 2, lane);
   if (s->type == SIM_SURFACE_BUFFER) {
      /* Only u counts: SIMD4x2 code leaves anything in the rest. */
      level = y = r = 0;
   } else if (s->type == SIM_SURFACE_1D) {
      r = s->is_array ? y : 0;
      y = 0;
   } else {
      y += c->lookup.offset[1];
      if (s->type == SIM_SURFACE_3D)
         r += c->lookup.offset[2];
   }
   if (!sim_load(&c->lookup, x, y, r, level, sample, c->rgba))
      return false;
   if (clear)
      memcpy(c->rgba, s->aux.clear_rgba, sizeof(c->rgba));
   swizzle(c, c->rgba);
   return true;
}

/* The same for eight lanes and without samples; which lanes are done. */
static uint32_t
load_eight(struct sampler_call *c, unsigned first, struct sim_lanes *e)
{
   const struct sim_surface *s = c->lookup.s;
   const bool has_lod = c->type->flags & HAS_LOD;
   const bool lod_third = sim_traits(c->t->env->verx10)->ld_lod_is_third;
   const unsigned y = has_lod && !lod_third ? 2 : 1;
   int32_t place[4][8] = { 0 };
   sampler_param_eight(c, 0, first, place[0]);
   if (s->type != SIM_SURFACE_BUFFER) {
      sampler_param_eight(c, y, first, place[1]);
      sampler_param_eight(c, has_lod ? 3 : 2, first, place[2]);
      if (has_lod)
         sampler_param_eight(c, lod_third ? 2 : 1, first, place[3]);
   }
   for (unsigned i = 0; i < 8; i++) {
      place[0][i] =
         (int32_t)((uint32_t)place[0][i] + (uint32_t)c->lookup.offset[0]);
      if (s->type == SIM_SURFACE_BUFFER)
         continue;
      place[1][i] =
         (int32_t)((uint32_t)place[1][i] + (uint32_t)c->lookup.offset[1]);
      if (s->type == SIM_SURFACE_3D)
         place[2][i] =
            (int32_t)((uint32_t)place[2][i] + (uint32_t)c->lookup.offset[2]);
   }
   return sim_load_lanes(&c->lookup, place, e);
}

/* "ld_mcs": u, v, r. Zeros where there is none. */
static bool
mcs_lane(struct sampler_call *c, unsigned lane)
{
   const struct sim_surface *s = c->lookup.s;
   const uint32_t x = sampler_param(c, 0, lane),
                  y = sampler_param(c, 1, lane);
   const uint32_t r = s->is_array ? sampler_param(c, 2, lane) : 0;
   uint64_t word;
   if (s->aux.mode != SIM_AUX_MCS || x >= s->width || y >= s->height ||
       r >= s->depth)
      return true;
   if (!sim_mcs_read(s, c->t->mem, x, y, s->first_slice + r, &word))
      return sim_eu_fault_memory(c->t, (int)c->lookup.lane,
                                 c->t->mem->fault.address, "MCS");
   c->rgba[0] = (uint32_t)word;
   c->rgba[1] = (uint32_t)(word >> 32);
   return true;
}

/* "resinfo": extents of the level, layers (cubes of an array of them: stock
 * drivers hand the number to the shader as it is), levels. Zeros for
 * a level that is not there.
 */
static void
resinfo_lane(struct sampler_call *c, unsigned lane)
{
   const struct sim_surface *s = c->lookup.s;
   uint32_t *out = c->rgba;
   const uint32_t lod = sampler_param(c, 0, lane);
   if (s->type == SIM_SURFACE_BUFFER) {
      out[0] = s->num_elements;
      return;
   }
   out[3] = s->level_count;
   if (lod >= s->level_count)
      return;
   const unsigned level = s->first_level + lod;
   const uint32_t layers = s->is_array ? s->depth : 0;
   out[0] = MAX2(s->width >> level, 1u);
   switch (s->type) {
   case SIM_SURFACE_1D: out[1] = layers; return;
   case SIM_SURFACE_3D: out[2] = MAX2(s->depth >> level, 1u); break;
   default: out[2] = layers; break;
   }
   out[1] = MAX2(s->height >> level, 1u);
}

static bool
run_lane(struct sampler_call *c, unsigned lane)
{
   c->lookup.lane = c->m->group + lane;
   if (c->t->mem)
      c->t->mem->client = c->simd4x2 ||
                                c->t->sample_mask >> c->lookup.lane & 1
                             ? SIM_CLIENT_TEXTURE
                             : SIM_CLIENT_HELPER;
   switch (c->type->group) {
   case GROUP_SAMPLE:
   case GROUP_LOD: return sample_lane(c, lane);
   case GROUP_GATHER: return gather_lane(c, lane);
   case GROUP_LOAD: return load_lane(c, lane);
   case GROUP_MCS: return mcs_lane(c, lane);
   case GROUP_RESINFO: resinfo_lane(c, lane); return true;
   case GROUP_SAMPLEINFO: c->rgba[0] = c->lookup.s->num_samples; return true;
   case GROUP_NONE: break;
   }
   unreachable("message group");
}

/* ---------------------------------------------------------- eight at once */

/* The swizzled colours of eight lanes. */
static void
take_lanes(struct sampler_call *c, unsigned first, const struct sim_lanes *e)
{
   const struct sim_surface *s = c->lookup.s;
   for (unsigned ch = 0; ch < 4; ch++) {
      const unsigned select = s->channel_select[ch];
      uint32_t *out = &c->result[ch][first];
      if (select >= SCS_RED) {
         memcpy(out, e->rgba[select - SCS_RED], sizeof(e->rgba[0]));
         continue;
      }
      for (unsigned i = 0; i < 8; i++)
         out[i] = select == SCS_ZERO  ? 0
                  : c->lookup.integer ? 1
                                      : util_float_bits(1.0f);
   }
}

static uint32_t
sample_eight(struct sampler_call *c, unsigned first, struct sim_lanes *e)
{
   const unsigned flags = c->type->flags;
   const unsigned before = flags & HAS_REF ? 1 : 0;
   const unsigned u = before + (flags & (HAS_BIAS | HAS_LOD) ? 1 : 0);
   if (flags & HAS_REF)
      sampler_param_eight(c, 0, first, e->reference);
   sampler_eight_places(c, u, first, e);
   sampler_eight_lods(c, before, u, first, e);
   return sim_filter_lanes(&c->lookup, e);
}

/* Does on host vectors what can be done so; which lanes are done. */
static uint32_t
run_simd8(struct sampler_call *c, uint32_t lanes)
{
   const bool loads = c->type->group == GROUP_LOAD;
   uint32_t done = 0;
   if (c->simd4x2 || !__builtin_cpu_supports("avx2"))
      return 0;
   if (loads ? c->type->flags & HAS_SAMPLE || !sim_can_load_lanes(&c->lookup)
             : c->type->group != GROUP_SAMPLE ||
                  !sim_can_filter_lanes(&c->lookup))
      return 0;
   for (unsigned first = 0; first < c->width; first += 8) {
      struct sim_lanes e;
      e.mask = lanes >> first & 0xff;
      if (!e.mask)
         continue;
      done |= (loads ? load_eight(c, first, &e) : sample_eight(c, first, &e))
              << first;
      take_lanes(c, first, &e);
   }
   return done;
}

/* ----------------------------------------------------------- descriptors */

static bool
fault(const struct sampler_call *c, const char *what)
{
   return sim_eu_fault(c->t, SIM_FAULT_MESSAGE, "%s: %s", call_name(c), what);
}

static bool
decode_descriptor(struct sampler_call *c)
{
   const struct isa_message *f = c->m->fields;
   c->type = &types[f->msg];
   if (c->type->group == GROUP_NONE)
      return sim_eu_fault(c->t, SIM_FAULT_UNIMPLEMENTED,
                          "sampler message type %u is not implemented",
                          f->number);
   c->simd4x2 = f->simd == 2;
   if (!c->simd4x2 && f->simd != 8 && f->simd != 16)
      return sim_eu_fault(c->t, SIM_FAULT_UNIMPLEMENTED,
                          "%s: SIMD mode %u is not implemented", call_name(c),
                          f->simd & 0xff);
   if (f->half)
      return sim_eu_fault(c->t, SIM_FAULT_UNIMPLEMENTED,
                          "%s: 16-bit results are not implemented",
                          call_name(c));
   c->width = f->simd;
   c->first = f->header ? 1 : 0;
   c->channels = 0xf;
   return true;
}

/* The header's offsets and channels (set: not written). */
static bool
decode_header(struct sampler_call *c)
{
   if (!c->m->header)
      return true;
   const uint32_t dw2 = sim_message_payload(c->m, 0)->ud[ISA_HDR_OFFSET_U_DW];
   c->lookup.offset[0] = (int)util_sign_extend(ISA_HDR_GET(OFFSET_U, dw2), 4);
   c->lookup.offset[1] = (int)util_sign_extend(ISA_HDR_GET(OFFSET_V, dw2), 4);
   c->lookup.offset[2] = (int)util_sign_extend(ISA_HDR_GET(OFFSET_R, dw2), 4);
   c->channels = ISA_HDR_GET(CHANNELS_OFF, ~dw2);
   c->gather_channel = ISA_HDR_GET(GATHER_CHANNEL, dw2);
   if (ISA_HDR_GET(NULL_MASK, dw2))
      return fault(c, "the pixel null mask is not implemented");
   return true;
}

static bool
decode_sampler(struct sampler_call *c)
{
   const struct sim_eu_env *env = c->t->env;
   if (c->type->group != GROUP_SAMPLE && c->type->group != GROUP_LOD &&
       c->type->group != GROUP_GATHER)
      return true;
   /* Sampler State Pointer: in the header if there is one. */
   const uint32_t table =
      c->m->header
         ? sim_message_payload(c->m, 0)->ud[ISA_HDR_SAMPLER_STATE_DW] &
              ISA_HDR_SAMPLER_STATE_MASK
         : env->sampler_state_offset_B;
   const uint64_t address = env->dynamic_state_base + table +
                            16ull * c->m->fields->sampler;
   c->lookup.sampler = sim_sampler_at(c->t, address);
   return c->lookup.sampler != NULL;
}

static bool
decode_surface(struct sampler_call *c)
{
   const struct sim_surface *s = dp_surface(c->t, c->m);
   if (!s)
      return false;
   c->lookup.s = s;
   const enum sampler_group group = c->type->group;
   if (s->type == SIM_SURFACE_NULL || group == GROUP_RESINFO ||
       group == GROUP_SAMPLEINFO || group == GROUP_MCS)
      return true;
   if (!sim_format_can_unpack(s->format))
      return sim_eu_fault(c->t, SIM_FAULT_UNIMPLEMENTED,
                          "%s from format %s is not implemented",
                          call_name(c), s->format_name);
   if (!isl_format_supports_on(c->t->env->verx10, (enum isl_format)s->format,
                               ISL_FORMAT_USE_SAMPLED))
      return sim_eu_fault(
         c->t, SIM_FAULT_MESSAGE,
         "%s from format %s, which the sampler does not have", call_name(c),
         s->format_name);
   if (s->type == SIM_SURFACE_BUFFER && group != GROUP_LOAD)
      return fault(c, "buffers can be read with ld only");
   c->lookup.integer = sim_format_is_integer(s->format);
   c->lookup.compare = c->type->flags & HAS_REF;
   c->lookup.filters = group == GROUP_SAMPLE;
   const struct isl_format_layout *l =
      isl_format_get_layout((enum isl_format)s->format);
   c->lookup.present = (l->channels.r.type != ISL_VOID) |
                       (l->channels.g.type != ISL_VOID) << 1 |
                       (l->channels.b.type != ISL_VOID) << 2 |
                       (l->channels.a.type != ISL_VOID) << 3;
   return true;
}

/* --------------------------------------------------------------- response */

/* The wanted channels, one after the other; a response that is shorter has
 * the first of them.
 */
static bool
check_response(const struct sampler_call *c)
{
   if (c->simd4x2)
      return c->m->rlen == 1 || sim_eu_fault(c->t, SIM_FAULT_MESSAGE,
                                             "%s: a response of %u "
                                             "registers, SIMD4x2 makes one",
                                             call_name(c), c->m->rlen);
   const unsigned regs = c->width / 8;
   const unsigned most = regs * (unsigned)__builtin_popcount(c->channels);
   if (c->m->rlen == 0 || c->m->rlen % regs || c->m->rlen > most)
      return sim_eu_fault(c->t, SIM_FAULT_MESSAGE,
                          "%s: a response of %u registers, the channels "
                          "make %u",
                          call_name(c), c->m->rlen, most);
   return true;
}

/* Each dword is a channel of the thread. */
static void
write_response_4x2(const struct sampler_call *c)
{
   for (unsigned i = 0; i < 8; i++)
      if (c->m->exec_mask >> i & 1 && c->channels >> i % 4 & 1)
         c->m->dst[0].ud[i] = c->result[i % 4][i / 4];
}

/* Bit i: lane i takes part. */
static uint32_t
active_lanes(const struct sampler_call *c)
{
   const uint32_t mask = c->m->exec_mask;
   if (c->simd4x2)
      return (mask & 0x0f ? 1 : 0) | (mask & 0xf0 ? 2 : 0);
   return mask & BITFIELD_MASK(c->width);
}

static void
write_response(const struct sampler_call *c)
{
   if (c->simd4x2) {
      write_response_4x2(c);
      return;
   }
   const unsigned regs = c->width / 8;
   unsigned reg = 0;
   for (unsigned ch = 0; ch < 4 && reg < c->m->rlen; ch++) {
      if (!(c->channels >> ch & 1))
         continue;
      const uint32_t all = BITFIELD_MASK(c->width);
      uint32_t lanes = c->m->exec_mask & all;
      if (lanes == all) {
         memcpy(&c->m->dst[reg], c->result[ch], 32 * regs);
         lanes = 0;
      }
      while (lanes) {
         const unsigned i = (unsigned)u_bit_scan(&lanes);
         c->m->dst[reg + i / 8].ud[i % 8] = c->result[ch][i];
      }
      reg += regs;
   }
}

/* For a GPU that is wrong (deviate/deviate.h). */
static void
deviate(struct sampler_call *c)
{
   const bool all = sim_deviates(SIM_DEVIATES_SAMPLER, "result");
   if (!all && !sim_deviates(SIM_DEVIATES_SAMPLER, "alpha"))
      return;
   for (unsigned ch = all ? 0 : 3; ch < 4; ch++)
      for (unsigned lane = 0; lane < 8; lane++)
         c->result[ch][lane] ^= 1;
}

static bool
run(struct sampler_call *c)
{
   if (!decode_descriptor(c) || !decode_header(c) || !check_response(c) ||
       !decode_surface(c) || !decode_sampler(c))
      return false;
   if (c->t->shadow && c->lookup.sampler &&
       !sim_strict_lookup(c->t, &c->lookup))
      return false;
   if (!c->m->dst)
      return fault(c, "no destination");
   const bool is_null = c->lookup.s->type == SIM_SURFACE_NULL;
   uint32_t lanes = active_lanes(c);
   uint8_t index[4];
   if (c->t->shadow && !c->simd4x2 && !is_null &&
       c->type->group <= GROUP_LOAD &&
       !sim_strict_coordinates(c->t, c->m, c->first * 8, c->width, lanes,
                               index, sampler_coordinates(c, index)))
      return false;
   if (is_null)
      memset(c->result, 0, sizeof(c->result));
   else if (!sim_deviates(SIM_DEVIATES_SAMPLER, NULL))
      lanes &= ~run_simd8(c, lanes);
   while (lanes && !is_null) {
      const unsigned lane = (unsigned)u_bit_scan(&lanes);
      memset(c->rgba, 0, sizeof(c->rgba));
      if (!run_lane(c, lane))
         return false;
      for (unsigned ch = 0; ch < 4; ch++)
         c->result[ch][lane] = c->rgba[ch];
   }
   deviate(c);
   write_response(c);
   return true;
}

bool
sim_msg_sampler(struct sim_eu_thread *t, const struct sim_message *m)
{
   struct sampler_call c;
   c.t = t;
   c.m = m;
   c.lookup = (struct sim_lookup) { .t = t };
   c.gather_channel = 0;
   c.lod_quad = -1;
#ifdef __SSE__
   /* The EU's rounding and denormal modes are not the sampler's. */
   const unsigned saved = _mm_getcsr();
   _mm_setcsr(0x1f80);
   const bool ok = run(&c);
   _mm_setcsr(saved);
#else
   const bool ok = run(&c);
#endif
   return ok;
}
