/* SPDX-License-Identifier: MIT */
/* Intrinsics: those of all stages here, the rest by stage and kind. */
#include "fs_nir.h"

void
fs_store_output(struct nir_to_fs *n, nir_intrinsic_instr *intr, eu_reg *slots,
                unsigned slot)
{
   const struct eu_builder *b = &n->b;
   const nir_use *src = &intr->src[0];
   const unsigned bits = src->value->bit_size;
   const unsigned first = (unsigned)nir_intrinsic_component(intr);
   const unsigned mask = (unsigned)nir_intrinsic_write_mask(intr);

   for (unsigned c = 0; c < src->value->num_components; c++) {
      if (!(mask & (1u << c)))
         continue;
      for (unsigned h = 0; h < MAX2(1, bits / 32); h++) {
         const unsigned dw = first + c * MAX2(1, bits / 32) + h;
         const unsigned at = slot + dw / 4;
         eu_reg v = fs_src_comp(n, src, c);

         if (at >= 64) {
            eu_fail(n->s, "output slot %u", at);
            return;
         }
         if (slots[at].file == EU_BAD) {
            /* Made here, perhaps within a branch: the register is the same
             * for all stores, as any variable's. */
            struct eu_builder top = *b;
            top.before = n->const_tail->next;
            slots[at] = eu_vgrf(b, ISA_TYPE_UD, 4);
            eu_undef(&top, slots[at]);
            n->const_tail = top.before->prev;
         }
         const eu_reg d = eu_offset(slots[at], b, dw % 4);
         if (bits == 64)
            eu_MOV(b, d,
                   eu_subscript(eu_retype(v, ISA_TYPE_UQ), ISA_TYPE_UD, h));
         else if (bits == 16)
            fs_emit_convert(n, eu_retype(d, ISA_TYPE_F),
                            eu_retype(fs_no_imm(n, v), ISA_TYPE_HF));
         else
            eu_MOV(b, d, eu_retype(v, ISA_TYPE_UD));
         n->out_written[at] |= (uint8_t)(1u << (dw % 4));
         n->out_nir[at] = &intr->instr;
      }
   }
}

/*
 * Memory that other threads see: the data port answers a fence when what
 * this thread has sent before is done (PRM SKL vol 7, "Memory Fence").
 */
static void
emit_fence(struct nir_to_fs *n, enum isa_msg msg, enum isa_opcode op)
{
   const struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));
   eu_reg header = eu_vgrf(&b8, ISA_TYPE_UD, 1);
   eu_reg done = eu_vgrf(&b8, ISA_TYPE_UD, 1);
   struct eu_inst *send;

   eu_MOV(&b8, header, eu_grf(0, ISA_TYPE_UD));
   send = eu_emit_send(
      &b8,
      &(struct isa_message) {
         .msg = msg, .commit = 1, .header = true, .mlen = 1, .rlen = 1 },
      (eu_reg) { 0 }, done, header);
   send->op = op;
   send->side_effects = true;
   /* Reading the answer is waiting for it. */
   eu_MOV(&b8, eu_null(ISA_TYPE_UD), done)->side_effects = true;
}

/* Messages of a thread to shared memory stay in order. */
static bool
is_alone_in_group(const struct nir_to_fs *n)
{
   return n->s->nir->info.stage == MESA_SHADER_COMPUTE &&
          n->s->prog_data.cs->threads == 1;
}

void
fs_emit_memory_barrier(struct nir_to_fs *n, const nir_intrinsic_instr *intr)
{
   nir_variable_mode modes = ~0u;

   if (intr->intrinsic == nir_intrinsic_scoped_barrier)
      modes = nir_intrinsic_memory_semantics(intr)
                 ? nir_intrinsic_memory_modes(intr)
                 : 0;
   else if (intr->intrinsic == nir_intrinsic_memory_barrier_shared)
      modes = nir_var_mem_shared;
   if (is_alone_in_group(n))
      modes &= ~nir_var_mem_shared;
   if (modes & (nir_var_mem_ssbo | nir_var_mem_shared | nir_var_mem_global |
                nir_var_image))
      emit_fence(n, ISA_MSG_FENCE, ISA_OPCODE_SEND);
   if ((modes & nir_var_image) && n->s->devinfo->eu.typed_on_render_cache)
      emit_fence(n, ISA_MSG_RENDER_FENCE, ISA_OPCODE_SEND);
}

void
fs_emit_wait(struct nir_to_fs *n)
{
   const struct eu_builder sb = eu_scalar(n->b);
   const eu_reg notification = { .file = EU_ARF,
                                 .type = ISA_TYPE_UD,
                                 .nr = ISA_ARF_NOTIFICATION };

   eu_emit1(&sb, ISA_OPCODE_WAIT, eu_null(ISA_TYPE_UD), notification)
      ->side_effects = true;
}

/* Both halves of the time in one read: they would not fit each other else
 * (PRM SKL vol 7, "Timestamp Register": tm0.0 and tm0.1). */
static void
emit_clock(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct eu_builder b4 = eu_exec_all(eu_group(n->b, 4, 0));
   const struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));
   const eu_reg time = eu_vgrf(&b8, ISA_TYPE_UD, 1);
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);
   const eu_reg tm0 = { .file = EU_ARF,
                        .type = ISA_TYPE_UD,
                        .nr = ISA_ARF_TIMESTAMP,
                        .stride = 1 };

   eu_undef(&b8, time);
   eu_emit1(&b4, ISA_OPCODE_MOV, time, tm0)->side_effects = true;
   for (unsigned c = 0; c < 2; c++)
      eu_MOV(&n->b, eu_offset(dst, &n->b, c), eu_component(time, c));
}

static bool
is_plain_storage(const nir_intrinsic_instr *intr)
{
   return (intr->intrinsic == nir_intrinsic_load_ssbo ||
           intr->intrinsic == nir_intrinsic_store_ssbo) &&
          !(nir_intrinsic_access(intr) & (ACCESS_VOLATILE | ACCESS_COHERENT));
}

static bool
emit_resource_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   n->b.storage = is_plain_storage(intr);
   n->b.bindless = nir_intrinsic_has_access(intr) &&
                   nir_intrinsic_access(intr) & ACCESS_BINDLESS;
   if (n->b.bindless && !n->s->devinfo->eu.has_bindless_surfaces)
      eu_fail(n->s, "a surface without an entry in the binding table");
   const bool done = fs_emit_memory_intrinsic(n, intr) ||
                     fs_emit_image_intrinsic(n, intr);
   n->b.bindless = n->b.storage = false;
   return done;
}

void
fs_emit_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   if (emit_resource_intrinsic(n, intr) ||
       fs_emit_subgroup_intrinsic(n, intr) || n->stage->intrinsic(n, intr))
      return;

   switch (intr->intrinsic) {
   case nir_intrinsic_scoped_barrier:
   case nir_intrinsic_memory_barrier:
   case nir_intrinsic_group_memory_barrier:
   case nir_intrinsic_memory_barrier_buffer:
   case nir_intrinsic_memory_barrier_image:
   case nir_intrinsic_memory_barrier_shared:
      fs_emit_memory_barrier(n, intr);
      return;
   /* SENDC waits until older threads of the pixels have ended (chip-rules
    * EU-12), which they do after the fence that ends their interlock: what
    * they have written is there. */
   case nir_intrinsic_begin_invocation_interlock:
      emit_fence(n, ISA_MSG_FENCE, ISA_OPCODE_SENDC);
      return;
   case nir_intrinsic_end_invocation_interlock:
      emit_fence(n, ISA_MSG_FENCE, ISA_OPCODE_SEND);
      return;
   case nir_intrinsic_shader_clock: emit_clock(n, intr); return;
   case nir_intrinsic_call_routine: fs_emit_call(n, intr); return;
   case nir_intrinsic_load_param:
   case nir_intrinsic_routine_result:
      fs_emit_routine_intrinsic(n, intr);
      return;
   case nir_intrinsic_memory_barrier_tcs_patch:
      /* URB messages of a thread stay in order. */
      return;
   default:
      eu_fail(n->s, "intrinsic %s",
              nir_intrinsic_infos[intr->intrinsic].name);
      return;
   }
}
