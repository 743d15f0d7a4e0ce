/* SPDX-License-Identifier: MIT */
/* Decorations: collected by id while the annotations are read, applied when
 * the type or variable that they are about is made. */
#include "compiler/spirv/spirv_private.h"

static void
add_decoration(struct spv *s, uint32_t target, int member, uint32_t what,
               const uint32_t *operands, unsigned num_operands)
{
   struct spv_decoration *d = arena_new(s->arena, struct spv_decoration);
   struct spv_value *v = &s->values[target];

   if (++s->decorations > SPV_MAX_DECORATIONS)
      spv_unsupported(s, "more than %u decorations", SPV_MAX_DECORATIONS);
   d->member = member;
   d->what = what;
   d->operands = operands;
   d->num_operands = num_operands;
   d->where = s->cur;
   d->next = v->decorations;
   v->decorations = d;
}

static void
copy_group(struct spv *s, uint32_t group, uint32_t target, int member)
{
   const struct spv_value *g =
      spv_value(s, group, SPV_VALUE_DECORATION_GROUP);
   const uint32_t *where = s->values[target].words;

   spv_check(s, !where || spv_opcode(where) != SpvOpDecorationGroup,
             "%s: the target %u is a group (3.49.3)",
             spirv_opcode_name(spv_opcode(s->cur)), target);
   for (const struct spv_decoration *d = g->decorations; d; d = d->next)
      add_decoration(s, target, member, d->what, d->operands,
                     d->num_operands);
}

void
spv_read_decoration(struct spv *s, const uint32_t *w)
{
   const unsigned n = spv_count(w);

   switch (spv_opcode(w)) {
   case SpvOpDecorate:
   case SpvOpDecorateId:
   case SpvOpDecorateString:
      add_decoration(s, w[1], -1, w[2], w + 3, n - 3);
      break;
   case SpvOpMemberDecorate:
   case SpvOpMemberDecorateString:
      spv_check(s, w[2] <= INT16_MAX, "member number %u (2.17)", w[2]);
      add_decoration(s, w[1], (int)w[2], w[3], w + 4, n - 4);
      break;
   case SpvOpDecorationGroup:
      spv_define(s, w[1], SPV_VALUE_DECORATION_GROUP, NULL);
      break;
   case SpvOpGroupDecorate:
      for (unsigned i = 2; i < n; i++)
         copy_group(s, w[1], w[i], -1);
      break;
   case SpvOpGroupMemberDecorate:
      for (unsigned i = 2; i + 1 < n; i += 2) {
         spv_check(s, w[i + 1] <= INT16_MAX, "member number %u (2.17)",
                   w[i + 1]);
         copy_group(s, w[1], w[i], (int)w[i + 1]);
      }
      break;
   default: break;
   }
}

bool
spv_has_decoration(const struct spv_value *v, uint32_t what)
{
   for (const struct spv_decoration *d = v->decorations; d; d = d->next) {
      if (d->member < 0 && d->what == what)
         return true;
   }
   return false;
}

void
spv_init_decor(struct spv_decor *d)
{
   memset(d, 0, sizeof(*d));
   d->location = d->component = d->index = d->offset = -1;
   d->binding = d->descriptor_set = d->builtin = -1;
   d->xfb_buffer = d->xfb_stride = d->stream = -1;
}

/* Numbers that end up in small fields: larger ones mean nothing sensible. */
static int32_t
small(struct spv *s, const struct spv_decoration *d, uint32_t max)
{
   spv_check(s, d->num_operands >= 1, "a decoration lacks its operand");
   if (d->operands[0] > max)
      spv_unsupported(s, "%s %u",
                      spirv_enumerant_name(spirv_enum_Decoration, d->what),
                      d->operands[0]);
   return (int32_t)d->operands[0];
}

static void
apply_one(struct spv *s, struct spv_decor *o, const struct spv_decoration *d)
{
   switch (d->what) {
   case SpvDecorationLocation: o->location = small(s, d, 1023); break;
   case SpvDecorationComponent: o->component = small(s, d, 3); break;
   case SpvDecorationIndex: o->index = small(s, d, 1); break;
   case SpvDecorationOffset: o->offset = small(s, d, INT32_MAX / 2); break;
   case SpvDecorationBinding: o->binding = small(s, d, INT32_MAX); break;
   case SpvDecorationDescriptorSet:
      o->descriptor_set = small(s, d, 1023);
      break;
   case SpvDecorationBuiltIn: o->builtin = small(s, d, INT32_MAX); break;
   case SpvDecorationXfbBuffer: o->xfb_buffer = small(s, d, 3); break;
   case SpvDecorationXfbStride: o->xfb_stride = small(s, d, 65535); break;
   case SpvDecorationStream: o->stream = small(s, d, 3); break;
   case SpvDecorationMatrixStride:
      o->matrix_stride = (uint32_t)small(s, d, 1 << 20);
      break;
   case SpvDecorationArrayStride:
      o->array_stride = (uint32_t)small(s, d, 1 << 30);
      break;
   case SpvDecorationRowMajor: o->row_major = true; break;
   case SpvDecorationColMajor: o->row_major = false; break;
   case SpvDecorationFlat: o->interp = INTERP_MODE_FLAT; break;
   case SpvDecorationNoPerspective:
      o->interp = INTERP_MODE_NOPERSPECTIVE;
      break;
   case SpvDecorationCentroid: o->centroid = true; break;
   case SpvDecorationSample: o->sample = true; break;
   case SpvDecorationPatch: o->patch = true; break;
   case SpvDecorationInvariant: o->invariant = true; break;
   case SpvDecorationBlock: o->block = true; break;
   case SpvDecorationBufferBlock: o->buffer_block = true; break;
   case SpvDecorationNoContraction: o->no_contraction = true; break;
   case SpvDecorationCoherent: o->access |= ACCESS_COHERENT; break;
   case SpvDecorationVolatile: o->access |= ACCESS_VOLATILE; break;
   case SpvDecorationRestrict: o->access |= ACCESS_RESTRICT; break;
   case SpvDecorationNonWritable: o->access |= ACCESS_NON_WRITEABLE; break;
   case SpvDecorationNonReadable: o->access |= ACCESS_NON_READABLE; break;
   case SpvDecorationPerVertexKHR:
   case SpvDecorationPerTaskNV:
   case SpvDecorationPerPrimitiveNV:
      spv_unsupported(s, "decoration %s",
                      spirv_enumerant_name(spirv_enum_Decoration, d->what));
   default:
      /* RelaxedPrecision, SpecId (read by its constant), Uniform, Aliased,
       * InputAttachmentIndex (bindings say which), NonUniform (of any id that
       * an access goes by), names, ...: nothing to do here. */
      break;
   }
}

/* The decorations of one member (or of the id itself: -1). */
void
spv_apply_decorations(struct spv *s, struct spv_decor *o,
                      const struct spv_decoration *list, int member)
{
   const uint32_t *cur = s->cur;

   for (const struct spv_decoration *d = list; d; d = d->next) {
      if (d->member != member)
         continue;
      s->cur = d->where;
      apply_one(s, o, d);
   }
   s->cur = cur;
}
