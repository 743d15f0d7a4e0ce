/* SPDX-License-Identifier: MIT */
/*
 * Compute shaders, SIMD8 to SIMD32.
 *
 * Thread payload (PRM SKL vol 7, "GPGPU Thread Payload"): g0 header, with
 * the group's ID in g0.1 (x), g0.6 (y) and g0.7 (z) and the barrier's ID in
 * g0.2; then constants of the whole group (push constants); then those of
 * the thread, one GRF: its number in the group.
 *
 * Invocations of a group are numbered x before y before z, and dealt out to
 * threads in that order: invocation = thread * width + channel.
 */
#include "fs_nir.h"

#define MAX_SLM_B (64 * 1024)
#define MIN_SLM_B 4096

static void
gather(struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   struct intel_cs_prog_data *pd = s->prog_data.cs;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_local_invocation_index:
   case nir_intrinsic_load_subgroup_id:
      pd->uses_thread_id = pd->threads > 1;
      break;
   case nir_intrinsic_load_num_workgroups:
      pd->uses_num_workgroups = true;
      break;
   case nir_intrinsic_control_barrier:
      pd->uses_barrier = pd->threads > 1;
      break;
   case nir_intrinsic_scoped_barrier:
      if (nir_intrinsic_execution_scope(intr) >= NIR_SCOPE_WORKGROUP)
         pd->uses_barrier = pd->threads > 1;
      break;
   default:
      if (nir_intrinsic_writes_external_memory(intr))
         pd->base.has_side_effects = true;
      break;
   }
}

void
fs_setup_cs(struct eu_shader *s)
{
   struct intel_cs_prog_data *pd = s->prog_data.cs;
   const struct shader_info *info = &s->nir->info;
   unsigned invocations = 1;

   for (unsigned i = 0; i < 3; i++) {
      pd->local_size[i] = MAX2(1, info->workgroup_size[i]);
      invocations *= pd->local_size[i];
   }
   pd->simd_size = (uint8_t)s->dispatch_width;
   pd->threads = DIV_ROUND_UP(invocations, s->dispatch_width);
   if (pd->threads > s->devinfo->max_cs_threads) {
      eu_fail(s, "a group of %u threads", pd->threads);
      return;
   }
   if (info->shared_size > MAX_SLM_B) {
      eu_fail(s, "%u bytes of shared memory", info->shared_size);
      return;
   }
   if (info->shared_size)
      pd->slm_size_B =
         MAX2(MIN_SLM_B, (uint32_t)util_next_power_of_two(info->shared_size));
   nir_foreach_block(block, nir_entry_point(s->nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic)
            gather(s, nir_instr_as_intrinsic(instr));
      }
   }
   pd->wants_buffers_apart |= info->wants_buffers_apart;
   pd->cross_thread_grfs = pd->base.push_length;
   pd->per_thread_grfs = pd->uses_thread_id;
   s->payload.num_regs = 1;
}

static eu_reg
header_dword(unsigned dw)
{
   return eu_component(eu_grf(0, ISA_TYPE_UD), dw);
}

/* The first GRF after the push constants. */
static eu_reg
thread_id(void)
{
   return (eu_reg) { .file = EU_ATTR, .type = ISA_TYPE_UD, .stride = 0 };
}

/* ---- system values ---- */

static void
load_workgroup_id(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   static const uint8_t dw[3] = { 1, 6, 7 };
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);

   for (unsigned c = 0; c < intr->instr.result.num_components; c++)
      eu_MOV(&n->b, eu_offset(dst, &n->b, c), header_dword(dw[c]));
}

static void
load_local_index(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const eu_reg channel = fs_channel_numbers(n);
   const struct eu_builder sb = eu_scalar(n->b);
   eu_reg first;

   if (!n->s->prog_data.cs->uses_thread_id) {
      fs_set_dest(n, &intr->instr.result, channel);
      return;
   }
   first = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);
   eu_SHL(&sb, eu_scalar_dst(first), thread_id(),
          eu_imm_ud(util_logbase2(n->b.exec_size)));
   eu_ADD(&n->b, fs_get_dest(n, &intr->instr.result), channel, first);
}

static void
load_num_workgroups(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);
   eu_reg at = eu_vgrf(&b8, ISA_TYPE_UD, 1);
   eu_reg t = eu_vgrf(&b8, ISA_TYPE_UD, 3);

   eu_MOV(&b8, at, eu_imm_ud(0));
   eu_emit_send(&b8,
                &(struct isa_message) { .msg = ISA_MSG_UNTYPED_READ,
                                        .simd = 8,
                                        .channels_off = eu_channels_off(3),
                                        .mlen = 1,
                                        .rlen = 3 },
                eu_imm_ud(n->s->key.cs->num_workgroups_bti), t, at);
   for (unsigned c = 0; c < intr->instr.result.num_components; c++)
      eu_MOV(&n->b, eu_offset(dst, &n->b, c),
             eu_component(eu_offset(t, &b8, c), 0));
}

/* ---- barriers ---- */

/*
 * PRM SKL vol 7, "Message Gateway", barrier message: the header's dword 2
 * has the barrier's ID in bits 27:24 (Gen9: and 31), as g0.2 has it.
 */
static void
emit_barrier(struct nir_to_fs *n)
{
   const struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));
   const struct eu_builder sb = eu_scalar(n->b);
   struct eu_inst *inst;

   if (!n->s->prog_data.cs->uses_barrier)
      return;
   eu_reg header = eu_vgrf(&b8, ISA_TYPE_UD, 1);

   eu_MOV(&b8, header, eu_imm_ud(0));
   eu_AND(&sb, eu_scalar_dst(eu_component(header, ISA_HDR_BARRIER_ID_DW)),
          header_dword(ISA_HDR_BARRIER_ID_DW),
          eu_imm_ud(n->s->devinfo->eu.barrier_id_mask));
   inst = eu_emit_send(&b8,
                       &(struct isa_message) {
                          .msg = ISA_MSG_BARRIER, .notify = 1, .mlen = 1 },
                       (eu_reg) { 0 }, (eu_reg) { 0 }, header);
   inst->side_effects = true;
   fs_emit_wait(n);
}

/* ---- the end ---- */

void
fs_emit_cs_end(struct nir_to_fs *n)
{
   const struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));
   eu_reg p = eu_vgrf(&b8, ISA_TYPE_UD, 1);
   struct eu_inst *inst;

   eu_MOV(&b8, p, eu_grf(0, ISA_TYPE_UD));
   /* The URB handle, if there is any, is not the thread's to give back. */
   inst = eu_emit_send(&b8,
                       &(struct isa_message) {
                          .msg = ISA_MSG_THREAD_END, .no_urb = 1, .mlen = 1 },
                       (eu_reg) { 0 }, (eu_reg) { 0 }, p);
   inst->side_effects = true;
   inst->eot = true;
   n->ends_thread = true;
}

bool
fs_emit_cs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_workgroup_id:
      load_workgroup_id(n, intr);
      return true;
   case nir_intrinsic_load_num_workgroups:
      load_num_workgroups(n, intr);
      return true;
   case nir_intrinsic_load_local_invocation_index:
      load_local_index(n, intr);
      return true;
   case nir_intrinsic_load_subgroup_id:
      if (n->s->prog_data.cs->uses_thread_id)
         fs_set_dest(n, &intr->instr.result, thread_id());
      else
         eu_MOV(&n->b, fs_get_dest(n, &intr->instr.result), eu_imm_ud(0));
      return true;
   case nir_intrinsic_load_num_subgroups:
      eu_MOV(&n->b, fs_get_dest(n, &intr->instr.result),
             eu_imm_ud(n->s->prog_data.cs->threads));
      return true;
   case nir_intrinsic_control_barrier: emit_barrier(n); return true;
   case nir_intrinsic_scoped_barrier:
      fs_emit_memory_barrier(n, intr);
      if (nir_intrinsic_execution_scope(intr) >= NIR_SCOPE_WORKGROUP)
         emit_barrier(n);
      return true;
   default: return false;
   }
}
