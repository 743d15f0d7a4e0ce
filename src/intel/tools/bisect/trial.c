/* SPDX-License-Identifier: MIT */
#include "trial.h"

#include "util/half.h"

/* ---- layout: which word is what ---- */

static enum trial_kind
kind_of(const struct glsl_type *type)
{
   switch (glsl_get_base_type(type)) {
   case GLSL_TYPE_FLOAT: return TRIAL_FLOAT;
   case GLSL_TYPE_DOUBLE: return TRIAL_DOUBLE_LOW;
   case GLSL_TYPE_FLOAT16: return TRIAL_HALVES;
   case GLSL_TYPE_BOOL: return TRIAL_BOOL;
   default: return TRIAL_INT;
   }
}

static void
set_kind(uint8_t *kinds, unsigned count, unsigned at, enum trial_kind kind)
{
   if (at < count)
      kinds[at] = (uint8_t)kind;
   if (kind == TRIAL_DOUBLE_LOW && at + 1 < count)
      kinds[at + 1] = TRIAL_DOUBLE_HIGH;
}

/* A type in memory, `at_B` bytes from its start on. */
static void
mark_memory(uint8_t *kinds, unsigned size_B, const struct glsl_type *type,
            unsigned at_B)
{
   if (glsl_type_is_struct_or_ifc(type)) {
      const unsigned members = glsl_get_length(type);
      for (unsigned i = 0; i < members; i++)
         mark_memory(
            kinds, size_B, glsl_get_struct_field(type, i),
            at_B + (unsigned)MAX2(0, glsl_get_struct_field_offset(type, i)));
   } else if (glsl_type_is_array(type) || glsl_type_is_matrix(type)) {
      const struct glsl_type *element = glsl_type_is_array(type)
                                           ? glsl_get_array_element(type)
                                           : glsl_get_column_type(type);
      const unsigned stride = MAX2(4, glsl_get_explicit_stride(type));
      const unsigned n = glsl_type_is_unsized_array(type) ? size_B / stride
                         : glsl_type_is_array(type)
                            ? glsl_get_length(type)
                            : glsl_get_matrix_columns(type);
      for (unsigned i = 0; i < n && at_B + i * stride < size_B; i++)
         mark_memory(kinds, size_B, element, at_B + i * stride);
   } else {
      const unsigned bytes = MAX2(4, glsl_get_bit_size(type) / 8);
      const unsigned stride = MAX2(bytes, glsl_get_explicit_stride(type));
      for (unsigned i = 0; i < glsl_get_vector_elements(type); i++)
         set_kind(kinds, size_B / 4, (at_B + i * stride) / 4, kind_of(type));
   }
}

/* A type in slots; how many it has. */
static unsigned
mark_slots(struct trial_layout *l, const struct glsl_type *type,
           unsigned slot, unsigned component, bool flat)
{
   unsigned used = 0;

   if (glsl_type_is_struct_or_ifc(type)) {
      const unsigned members = glsl_get_length(type);
      for (unsigned i = 0; i < members; i++)
         used += mark_slots(l, glsl_get_struct_field(type, i), slot + used, 0,
                            flat);
      return used;
   }
   if (glsl_type_is_array(type) || glsl_type_is_matrix(type)) {
      const bool array = glsl_type_is_array(type);
      const unsigned n = array ? glsl_get_length(type)
                               : glsl_get_matrix_columns(type);
      for (unsigned i = 0; i < n && slot + used < NIR_INTERP_SLOTS; i++)
         used += mark_slots(l,
                            array ? glsl_get_array_element(type)
                                  : glsl_get_column_type(type),
                            slot + used, component, flat);
      return used;
   }
   const enum trial_kind kind = kind_of(type);
   const unsigned words = glsl_type_is_64bit(type) ? 2 : 1;
   const unsigned n = glsl_get_vector_elements(type);
   for (unsigned i = 0; i < n; i++)
      set_kind(l->inputs, ARRAY_SIZE(l->inputs),
               slot * 4 + component + i * words, kind);
   used = DIV_ROUND_UP(component + n * words, 4);
   for (unsigned i = 0; i < used && slot + i < NIR_INTERP_SLOTS; i++)
      l->flat[slot + i] |= flat || kind != TRIAL_FLOAT;
   return used;
}

static void
mark_input(struct trial_layout *l, const nir_variable *var)
{
   const struct glsl_type *type = var->type;

   if (nir_is_arrayed_io(var, l->stage))
      type = glsl_get_array_element(type);
   if (var->data.location >= 0)
      mark_slots(l, type, (unsigned)var->data.location,
                 var->data.location_frac,
                 var->data.interpolation == INTERP_MODE_FLAT);
}

int
trial_find_entry(const struct compile_resources *given,
                 const nir_variable *var)
{
   for (unsigned i = 0; i < given->count; i++) {
      const struct compile_resource *r = &given->list[i];
      if (!r->sampler && r->set == var->data.descriptor_set &&
          r->binding == var->data.binding)
         return (int)r->first;
   }
   return -1;
}

/* An array of blocks has an entry for each. */
static void
mark_block(struct trial_layout *l, const nir_variable *var)
{
   const int first = trial_find_entry(&l->resources, var);
   const struct glsl_type *type = var->type;
   unsigned n = 1;

   while (glsl_type_is_array(type)) {
      n *= MAX2(1, glsl_get_length(type));
      type = glsl_get_array_element(type);
   }
   for (unsigned i = 0; first >= 0 && i < n; i++) {
      if ((unsigned)first + i < TRIAL_BUFFERS)
         mark_memory(l->buffers[(unsigned)first + i], TRIAL_BUFFER_B, type,
                     0);
   }
}

static bool
set_lanes(struct trial_layout *l, const nir_shader *nir, const char **what)
{
   l->lanes = l->together = 16;
   switch (l->stage) {
   case MESA_SHADER_TESS_CTRL:
      l->vertices = 32;
      l->vertices_out = nir->info.tess.tcs_vertices_out;
      l->lanes = l->together = MAX2(1, l->vertices_out);
      break;
   case MESA_SHADER_TESS_EVAL: l->vertices = 32; break;
   case MESA_SHADER_GEOMETRY: l->vertices = 6; break;
   case MESA_SHADER_COMPUTE: {
      unsigned n = 1;
      for (unsigned i = 0; i < 3; i++) {
         l->local_size[i] = MAX2(1, nir->info.workgroup_size[i]);
         n *= l->local_size[i];
      }
      l->lanes = MIN2(n, TRIAL_MAX_LANES);
      l->together = MIN2(l->lanes, 16);
      nir_foreach_variable_with_modes(var, nir, nir_var_mem_shared) {
         l->together = l->lanes;
         if (n > TRIAL_MAX_LANES)
            *what = "a group of more than 64 invocations that share memory";
      }
      break;
   }
   default: break;
   }
   return !*what;
}

/* Whether what it gives depends on how many invocations a subgroup has. */
static bool
uses_subgroups(const nir_shader *nir)
{
   static const char *const kinds[] = { "vote_",          "ballot",
                                        "shuffle",        "reduce",
                                        "inclusive_scan", "exclusive_scan",
                                        "read_",          "elect",
                                        "load_subgroup_", "load_num_sub" };

   nir_foreach_impl(impl, nir) {
      nir_foreach_block(block, impl) {
         nir_foreach_instr(instr, block) {
            if (instr->kind != nir_kind_intrinsic)
               continue;
            const char *name =
               nir_intrinsic_infos[nir_instr_as_intrinsic(instr)->intrinsic]
                  .name;
            for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++) {
               if (!strncmp(name, kinds[i], strlen(kinds[i])))
                  return true;
            }
         }
      }
   }
   return false;
}

bool
trial_layout_init(struct trial_layout *l, const nir_shader *nir,
                  const struct compile_resources *resources,
                  const char **what)
{
   memset(l, 0, sizeof(*l));
   *what = NULL;
   l->stage = nir->info.stage;
   if (resources)
      l->resources = *resources;
   nir_foreach_variable_with_modes(var, nir, nir_var_shader_in)
      mark_input(l, var);
   nir_foreach_variable_with_modes(var, nir, nir_var_mem_push_const)
      mark_memory(l->push, TRIAL_PUSH_B, var->type, 0);
   nir_foreach_variable_with_modes(var, nir,
                                   nir_var_mem_ubo | nir_var_mem_ssbo)
      mark_block(l, var);
   memset(l->buffers[TRIAL_WORKGROUPS_BTI], TRIAL_INT, 3);
   l->uses_subgroups = uses_subgroups(nir);
   return set_lanes(l, nir, what);
}

/* ---- drawing ---- */

static uint64_t
next(uint64_t *state)
{
   /* splitmix64 */
   uint64_t z = (*state += 0x9e3779b97f4a7c15);
   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
   z = (z ^ z >> 27) * 0x94d049bb133111eb;
   return z ^ z >> 31;
}

/* Quarters between -8 and 8. */
static float
draw_float(uint64_t *state)
{
   return (float)((int)(next(state) % 65) - 32) / 4;
}

static uint32_t
draw_int(uint64_t *state)
{
   static const uint32_t ends[] = { 0,          1,          UINT32_MAX,
                                    0x7fffffff, 0x80000000, 0xffff };
   const uint32_t choice = next(state) % 16;

   if (choice < 11)
      return next(state) % 12;
   if (choice < 13)
      return (uint32_t)(next(state) % 17) - 8;
   return choice < 15 ? ends[next(state) % ARRAY_SIZE(ends)]
                      : (uint32_t)next(state);
}

static uint32_t
draw_word(enum trial_kind kind, uint64_t *state)
{
   switch (kind) {
   case TRIAL_INT: return draw_int(state);
   case TRIAL_BOOL: return next(state) % 2;
   case TRIAL_HALVES: {
      const uint32_t low = util_float_to_half(draw_float(state));
      return low | (uint32_t)util_float_to_half(draw_float(state)) << 16;
   }
   case TRIAL_DOUBLE_LOW: return 0;
   case TRIAL_DOUBLE_HIGH: {
      const double d = (double)draw_float(state);
      uint64_t bits;
      memcpy(&bits, &d, sizeof(bits));
      return (uint32_t)(bits >> 32);
   }
   case TRIAL_MIXED:
      if (next(state) % 2)
         return next(state) % 8;
      return util_float_bits(draw_float(state));
   case TRIAL_FLOAT: return util_float_bits(draw_float(state));
   }
   unreachable("a kind of word");
}

static void
draw_words(void *to, const uint8_t *kinds, unsigned count, uint64_t *state)
{
   for (unsigned i = 0; i < count; i++) {
      const uint32_t word = draw_word((enum trial_kind)kinds[i], state);
      memcpy((char *)to + 4 * i, &word, 4);
   }
}

static uint32_t *
input_slots(const struct trial *t, unsigned lane, unsigned vertex)
{
   const unsigned n = MAX2(1, t->layout->vertices);
   return t->inputs[(size_t)(lane * n + vertex) * NIR_INTERP_SLOTS];
}

/* Fragments: barycentrics are quarters, too. */
static void
interpolate(struct trial *t, uint64_t *state)
{
   const struct trial_layout *l = t->layout;

   for (unsigned lane = 0; lane < l->lanes; lane++) {
      for (unsigned i = 0; i < 2; i++)
         t->bary[lane][i] = (float)(next(state) % 5) / 4;
   }
   for (unsigned i = 0; i < NIR_INTERP_SLOTS * 4; i++) {
      float *plane = t->plane[i / 4][i % 4];
      memcpy(&plane[2], &input_slots(t, 0, 0)[i], 4);
      if (!l->flat[i / 4]) {
         plane[0] = draw_float(state);
         plane[1] = draw_float(state);
         plane[2] = draw_float(state);
      }
      for (unsigned lane = 0; lane < l->lanes; lane++) {
         float v = plane[2];
         if (!l->flat[i / 4])
            v += plane[0] * t->bary[lane][0] + plane[1] * t->bary[lane][1];
         memcpy(&input_slots(t, lane, 0)[i], l->flat[i / 4] ? &plane[2] : &v,
                4);
      }
   }
}

struct trial *
trial_create(struct arena *arena, const struct trial_layout *l, uint64_t seed)
{
   struct trial *t = arena_new(arena, struct trial);
   const unsigned vertices = MAX2(1, l->vertices);
   uint64_t state = seed;

   t->layout = l;
   t->seed = seed;
   t->inputs = arena_alloc(arena, (size_t)l->lanes * vertices *
                                     NIR_INTERP_SLOTS *
                                     sizeof(nir_interp_slot));
   for (unsigned lane = 0; lane < l->lanes; lane++) {
      for (unsigned v = 0; v < vertices; v++)
         draw_words(input_slots(t, lane, v), l->inputs, NIR_INTERP_SLOTS * 4,
                    &state);
   }
   if (l->stage == MESA_SHADER_FRAGMENT)
      interpolate(t, &state);
   for (unsigned i = 0; i < TRIAL_BUFFERS; i++)
      draw_words(t->buffers[i], l->buffers[i], TRIAL_BUFFER_B / 4, &state);
   draw_words(t->push, l->push, TRIAL_PUSH_B / 4, &state);
   if (l->stage == MESA_SHADER_COMPUTE) {
      static const uint32_t groups[3] = { 5, 6, 7 };
      memcpy(t->buffers[TRIAL_WORKGROUPS_BTI], groups, sizeof(groups));
   }
   return t;
}

struct trial_result *
trial_result_create(struct arena *arena, const struct trial *t)
{
   struct trial_result *r = arena_new(arena, struct trial_result);
   const size_t slots = (size_t)(TRIAL_MAX_LANES + 1) * NIR_INTERP_SLOTS;

   r->outputs = arena_alloc(arena, slots * sizeof(nir_interp_slot));
   for (size_t i = 0; i < slots; i++) {
      for (unsigned c = 0; c < 4; c++)
         r->outputs[i][c] = TRIAL_UNWRITTEN;
   }
   memcpy(r->buffers, t->buffers, sizeof(r->buffers));
   return r;
}

static bool
compute_sysval(const struct trial_layout *l, nir_intrinsic_op op,
               unsigned lane, unsigned component, uint32_t *word)
{
   const unsigned x = l->local_size[0], y = l->local_size[1];
   const uint32_t place[3] = { lane % x, lane / x % y, lane / x / y };

   switch (op) {
   case nir_intrinsic_load_local_invocation_index: *word = lane; return true;
   case nir_intrinsic_load_local_invocation_id:
      *word = place[component];
      return true;
   case nir_intrinsic_load_workgroup_id: *word = component + 1; return true;
   case nir_intrinsic_load_num_workgroups: *word = component + 5; return true;
   case nir_intrinsic_load_workgroup_size:
      *word = l->local_size[component];
      return true;
   case nir_intrinsic_load_global_invocation_id:
      *word = (component + 1) * l->local_size[component] + place[component];
      return true;
   default: return false;
   }
}

bool
trial_sysval(const struct trial *t, nir_intrinsic_op op, unsigned lane,
             unsigned component, uint32_t *word)
{
   const float coord[4] = { (float)(2 * (lane / 4) + lane % 2) + 16.5f,
                            (float)(lane / 2 % 2) + 8.5f, 0.25f, 0.5f };

   switch (op) {
   case nir_intrinsic_load_frag_coord:
      *word = util_float_bits(coord[component]);
      return true;
   case nir_intrinsic_load_front_face: *word = t->seed & 1; return true;
   case nir_intrinsic_load_sample_id: *word = 0; return true;
   case nir_intrinsic_load_sample_pos:
   case nir_intrinsic_load_sample_pos_or_center:
      *word = util_float_bits(0.5f);
      return true;
   case nir_intrinsic_load_sample_mask_in: *word = 1; return true;
   case nir_intrinsic_load_vertex_id_zero_base: *word = lane; return true;
   case nir_intrinsic_load_vertex_id: *word = lane + 3; return true;
   case nir_intrinsic_load_first_vertex:
   case nir_intrinsic_load_base_vertex: *word = 3; return true;
   case nir_intrinsic_load_base_instance: *word = 2; return true;
   case nir_intrinsic_load_instance_id: *word = 5; return true;
   case nir_intrinsic_load_draw_id: *word = 1; return true;
   case nir_intrinsic_load_invocation_id: *word = lane; return true;
   case nir_intrinsic_load_primitive_id: *word = 7; return true;
   case nir_intrinsic_load_patch_vertices_in: *word = 3; return true;
   case nir_intrinsic_load_tess_coord:
      *word = util_float_bits((float)((lane + component) % 5) / 4);
      return true;
   default:
      return t->layout->stage == MESA_SHADER_COMPUTE &&
             compute_sysval(t->layout, op, lane, component, word);
   }
}

static float
bounded(float x)
{
   return x >= -64 && x <= 64 ? x : 0;
}

uint32_t
trial_texel(unsigned entry, unsigned component, float u, float v)
{
   uint64_t state = entry * 4 + component;

   return util_float_bits(draw_float(&state) / 4 + bounded(u) / 8 +
                          bounded(v) / 16);
}
