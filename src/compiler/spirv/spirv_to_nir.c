/* SPDX-License-Identifier: MIT */
/* From words to shader: the order of the steps, and execution modes. */
#include "cfg/structurize.h"
#include "compiler/spirv/kernel/spirv_kernel.h"

/* --- Execution modes ---------------------------------------------------- */

static void
float_control(struct spv *s, const uint32_t *w, unsigned m16, unsigned m32,
              unsigned m64)
{
   s->shader->info.float_controls_execution_mode |= w[3] == 16   ? m16
                                                    : w[3] == 32 ? m32
                                                    : w[3] == 64 ? m64
                                                                 : 0;
}

static bool
float_controls_mode(struct spv *s, const uint32_t *w)
{
   switch (w[2]) {
   case SpvExecutionModeDenormPreserve:
      float_control(s, w, FLOAT_CONTROLS_DENORM_PRESERVE_FP16,
                    FLOAT_CONTROLS_DENORM_PRESERVE_FP32,
                    FLOAT_CONTROLS_DENORM_PRESERVE_FP64);
      return true;
   case SpvExecutionModeDenormFlushToZero:
      float_control(s, w, FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP16,
                    FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP32,
                    FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP64);
      return true;
   case SpvExecutionModeSignedZeroInfNanPreserve:
      float_control(s, w, FLOAT_CONTROLS_SIGNED_ZERO_INF_NAN_PRESERVE_FP16,
                    FLOAT_CONTROLS_SIGNED_ZERO_INF_NAN_PRESERVE_FP32,
                    FLOAT_CONTROLS_SIGNED_ZERO_INF_NAN_PRESERVE_FP64);
      return true;
   case SpvExecutionModeRoundingModeRTE:
      float_control(s, w, FLOAT_CONTROLS_ROUNDING_MODE_RTE_FP16,
                    FLOAT_CONTROLS_ROUNDING_MODE_RTE_FP32,
                    FLOAT_CONTROLS_ROUNDING_MODE_RTE_FP64);
      return true;
   case SpvExecutionModeRoundingModeRTZ:
      float_control(s, w, FLOAT_CONTROLS_ROUNDING_MODE_RTZ_FP16,
                    FLOAT_CONTROLS_ROUNDING_MODE_RTZ_FP32,
                    FLOAT_CONTROLS_ROUNDING_MODE_RTZ_FP64);
      return true;
   default: return false;
   }
}

static bool
fragment_mode(struct spv *s, const uint32_t *w)
{
   struct shader_info *info = &s->shader->info;

   switch (w[2]) {
   case SpvExecutionModePixelCenterInteger:
      info->fs.pixel_center_integer = true;
      return true;
   case SpvExecutionModeOriginUpperLeft:
      info->fs.origin_upper_left = true;
      return true;
   case SpvExecutionModeOriginLowerLeft:
      info->fs.origin_upper_left = false;
      return true;
   case SpvExecutionModeEarlyFragmentTests:
      info->fs.early_fragment_tests = true;
      return true;
   case SpvExecutionModePostDepthCoverage:
      info->fs.post_depth_coverage = true;
      return true;
   case SpvExecutionModeDepthReplacing:
      info->fs.depth_layout = FRAG_DEPTH_LAYOUT_ANY;
      return true;
   case SpvExecutionModeDepthGreater:
      info->fs.depth_layout = FRAG_DEPTH_LAYOUT_GREATER;
      return true;
   case SpvExecutionModeDepthLess:
      info->fs.depth_layout = FRAG_DEPTH_LAYOUT_LESS;
      return true;
   case SpvExecutionModeDepthUnchanged:
      info->fs.depth_layout = FRAG_DEPTH_LAYOUT_UNCHANGED;
      return true;
   case SpvExecutionModePixelInterlockOrderedEXT:
   case SpvExecutionModePixelInterlockUnorderedEXT:
      info->fs.pixel_interlock = true;
      return true;
   case SpvExecutionModeSampleInterlockOrderedEXT:
   case SpvExecutionModeSampleInterlockUnorderedEXT:
   case SpvExecutionModeStencilRefReplacingEXT: return true;
   default: return false;
   }
}

static void
set_vertices_out(struct spv *s, uint32_t n)
{
   if (s->stage == MESA_SHADER_TESS_CTRL)
      s->shader->info.tess.tcs_vertices_out = n;
   else if (s->stage == MESA_SHADER_GEOMETRY)
      s->shader->info.gs.vertices_out = n;
}

static void
set_input_primitive(struct spv *s, enum shader_prim prim, unsigned vertices)
{
   s->shader->info.gs.input_primitive = prim;
   s->shader->info.gs.vertices_in = vertices;
}

static bool
geometry_mode(struct spv *s, const uint32_t *w)
{
   struct shader_info *info = &s->shader->info;

   switch (w[2]) {
   case SpvExecutionModeInvocations: info->gs.invocations = w[3]; return true;
   case SpvExecutionModeInputPoints:
      set_input_primitive(s, SHADER_PRIM_POINTS, 1);
      return true;
   case SpvExecutionModeInputLines:
      set_input_primitive(s, SHADER_PRIM_LINES, 2);
      return true;
   case SpvExecutionModeInputLinesAdjacency:
      set_input_primitive(s, SHADER_PRIM_LINES_ADJACENCY, 4);
      return true;
   case SpvExecutionModeTriangles:
      if (s->stage == MESA_SHADER_GEOMETRY)
         set_input_primitive(s, SHADER_PRIM_TRIANGLES, 3);
      else
         info->tess._primitive_mode = TESS_PRIMITIVE_TRIANGLES;
      return true;
   case SpvExecutionModeInputTrianglesAdjacency:
      set_input_primitive(s, SHADER_PRIM_TRIANGLES_ADJACENCY, 6);
      return true;
   case SpvExecutionModeOutputVertices:
      set_vertices_out(s, w[3]);
      return true;
   case SpvExecutionModeOutputPoints:
      info->gs.output_primitive = SHADER_PRIM_POINTS;
      return true;
   case SpvExecutionModeOutputLineStrip:
      info->gs.output_primitive = SHADER_PRIM_LINE_STRIP;
      return true;
   case SpvExecutionModeOutputTriangleStrip:
      info->gs.output_primitive = SHADER_PRIM_TRIANGLE_STRIP;
      return true;
   default: return false;
   }
}

static bool
tessellation_mode(struct spv *s, const uint32_t *w)
{
   struct shader_info *info = &s->shader->info;

   switch (w[2]) {
   case SpvExecutionModeSpacingEqual:
      info->tess.spacing = TESS_SPACING_EQUAL;
      return true;
   case SpvExecutionModeSpacingFractionalEven:
      info->tess.spacing = TESS_SPACING_FRACTIONAL_EVEN;
      return true;
   case SpvExecutionModeSpacingFractionalOdd:
      info->tess.spacing = TESS_SPACING_FRACTIONAL_ODD;
      return true;
   case SpvExecutionModeVertexOrderCw: info->tess.ccw = false; return true;
   case SpvExecutionModeVertexOrderCcw: info->tess.ccw = true; return true;
   case SpvExecutionModePointMode: info->tess.point_mode = true; return true;
   case SpvExecutionModeQuads:
      info->tess._primitive_mode = TESS_PRIMITIVE_QUADS;
      return true;
   case SpvExecutionModeIsolines:
      info->tess._primitive_mode = TESS_PRIMITIVE_ISOLINES;
      return true;
   default: return false;
   }
}

static void
set_workgroup_size(struct spv *s, unsigned axis, uint64_t n)
{
   spv_check(s, n > 0 && n <= UINT16_MAX,
             "the workgroup size %llu is out of range",
             (unsigned long long)n);
   s->shader->info.workgroup_size[axis] = (uint16_t)n;
}

static void
execution_mode(struct spv *s, const uint32_t *w)
{
   if (s->kernel && spv_kernel_execution_mode(s, w))
      return;
   if (float_controls_mode(s, w) || fragment_mode(s, w) ||
       geometry_mode(s, w) || tessellation_mode(s, w))
      return;
   switch (w[2]) {
   case SpvExecutionModeXfb: s->has_xfb = true; break;
   case SpvExecutionModeSubgroupUniformControlFlowKHR:
      /* What is structured here meets again where constructs end. */
      break;
   case SpvExecutionModeLocalSize:
      for (unsigned i = 0; i < 3; i++)
         set_workgroup_size(s, i, w[3 + i]);
      break;
   case SPV_EXECUTION_MODE_FP_FAST_MATH_DEFAULT:
      /* Of whichever type: what allows less for one is as good for all. */
      s->strict_math |= !spv_allows_all(spv_const_uint(s, w[4]));
      break;
   case SpvExecutionModeLocalSizeId:
      for (unsigned i = 0; i < 3; i++)
         set_workgroup_size(s, i, spv_const_uint(s, w[3 + i]));
      break;
   default:
      spv_unsupported(s, "execution mode %s",
                      spirv_enumerant_name(spirv_enum_ExecutionMode, w[2]));
   }
}

/* Some modes name constants, which are folded as those of floats say. */
static void
read_execution_modes(struct spv *s, bool constants_are_known)
{
   for (const uint32_t *w = s->words + 5; w < s->first_function;
        w += spv_count(w)) {
      s->cur = w;
      if ((spv_opcode(w) != SpvOpExecutionMode &&
           spv_opcode(w) != SpvOpExecutionModeId) ||
          w[1] != s->entry_id)
         continue;
      if (constants_are_known)
         execution_mode(s, w);
      else
         float_controls_mode(s, w);
   }
}

/* A constant decorated as the built-in WorkgroupSize overrides the mode. */
static void
read_workgroup_size(struct spv *s)
{
   for (uint32_t id = 1; id < s->bound; id++) {
      const struct spv_value *v = &s->values[id];
      if (v->kind != SPV_VALUE_CONSTANT)
         continue;
      for (const struct spv_decoration *d = v->decorations; d; d = d->next) {
         if (d->what != SpvDecorationBuiltIn || d->num_operands < 1 ||
             d->operands[0] != SpvBuiltInWorkgroupSize)
            continue;
         s->cur = d->where;
         spv_check(s,
                   v->type->base == SPV_VECTOR && v->type->length == 3 &&
                      v->type->elem->base == SPV_INT,
                   "WorkgroupSize is no vector of three integers");
         for (unsigned i = 0; i < 3; i++)
            set_workgroup_size(s, i, v->constant->bits[i]);
      }
   }
}

/* --- Module ------------------------------------------------------------- */

/* Annotations, types, constants, global variables, in order. */
static void
read_globals(struct spv *s)
{
   for (const uint32_t *w = s->words + 5; w < s->first_function;
        w += spv_count(w)) {
      s->cur = w;
      switch (spv_opcode(w)) {
      case SpvOpDecorate:
      case SpvOpDecorateId:
      case SpvOpDecorateString:
      case SpvOpMemberDecorate:
      case SpvOpMemberDecorateString:
      case SpvOpDecorationGroup:
      case SpvOpGroupDecorate:
      case SpvOpGroupMemberDecorate: spv_read_decoration(s, w); break;
      case SpvOpUndef: spv_define_undef(s, w); break;
      case SpvOpString: spv_define(s, w[1], SPV_VALUE_STRING, NULL); break;
      default:
         if (!spv_handle_type(s, w) && !spv_handle_constant(s, w))
            spv_handle_variable(s, w);
         break;
      }
   }
}

static void
set_shader_defaults(struct spv *s)
{
   struct shader_info *info = &s->shader->info;

   info->name = arena_strdup(s->shader->arena, s->entry_name);
   if (s->stage == MESA_SHADER_GEOMETRY) {
      info->gs.invocations = 1;
      info->gs.active_stream_mask = 1;
   }
}

/* Copies of blocks where loops of a kernel have several entries. */
#define MAX_COPIES 8

static void
finish_kernel(struct spv *s)
{
   spv_kernel_defaults(s);
   spv_finish_unstructured(s);
   nir_lower_vars_to_ssa(s->shader);
   if (!s->options->unstructured)
      nir_structurize(s->shader, MAX_COPIES);
}

static void
translate(struct spv *s)
{
   struct spv_function *entry;
   nir_function *function;

   spv_read_header(s);
   spv_check_words(s);
   spv_read_preamble(s);
   s->shader = nir_new_shader(s->options->parent, s->stage, s->options->nir);
   set_shader_defaults(s);
   spv_read_names(s);
   spv_read_lines(s);
   read_execution_modes(s, false);
   read_globals(s);
   read_execution_modes(s, true);
   read_workgroup_size(s);
   spv_find_functions(s);
   s->cur = s->entry_words;
   entry = spv_value(s, s->entry_id, SPV_VALUE_FUNCTION)->function;
   spv_check(s,
             (entry->num_params == 0 || s->kernel) &&
                entry->type->elem->base == SPV_VOID,
             "the entry point has parameters or a result (2.16.1)");
   function = nir_new_function(s->shader, "main");
   function->is_entrypoint = true;
   nir_builder_init(&s->nb, nir_new_body(function));
   s->nb.cursor = nir_after_cf_list(&s->nb.impl->body);
   spv_store_initializers(s);
   spv_declare_captured(s);
   if (s->kernel)
      spv_kernel_arguments(s, entry);
   spv_emit_function(s, entry, NULL);
   if (s->kernel)
      finish_kernel(s);
   nir_repair_ssa(s->shader);
   nir_metadata_preserve(s->nb.impl, nir_metadata_none);
}

/* The words in the byte order of the host. */
static const uint32_t *
host_order(struct arena *arena, const uint32_t *words, size_t n)
{
   uint32_t *copy;

   if (n == 0 || words[0] != __builtin_bswap32(SpvMagicNumber))
      return words;
   copy = arena_new_array(arena, uint32_t, n);
   for (size_t i = 0; i < n; i++)
      copy[i] = __builtin_bswap32(words[i]);
   return copy;
}

nir_shader *
spirv_to_nir(const uint32_t *words, size_t n_words,
             const struct spirv_specialization *spec, unsigned n_spec,
             gl_shader_stage stage, const char *entry,
             const struct spirv_to_nir_options *options,
             struct spirv_error *err)
{
   static const struct spirv_to_nir_options defaults;
   struct arena *arena = arena_create(NULL);
   struct spv *s = arena_new(arena, struct spv);
   nir_shader *shader;

   if (err)
      *err = (struct spirv_error) { SPIRV_OK, 0, "" };
   s->arena = arena;
   s->err = err;
   s->words = s->cur = host_order(arena, words, n_words);
   s->n_words = n_words;
   s->spec = spec;
   s->n_spec = n_spec;
   s->stage = stage;
   s->entry_name = entry;
   s->options = options ? options : &defaults;
   hash_table_init(&s->type_names);
   if (setjmp(s->fail) == 0) {
      translate(s);
   } else if (s->shader) {
      nir_shader_destroy(s->shader);
      s->shader = NULL;
   }
   shader = s->shader;
   hash_table_finish(&s->type_names);
   util_dynarray_fini(&s->function_list);
   util_dynarray_fini(&s->phi_list);
   util_dynarray_fini(&s->lines);
   arena_destroy(arena);
   return shader;
}
