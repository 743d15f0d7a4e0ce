/* SPDX-License-Identifier: MIT */
/*
 * Stages between the vertex and the fragment shader: layouts of URB entries
 * and what the state packets are told. Expected numbers are worked out by
 * hand from the layouts in intel_compiler.h and the PRM's entry formats.
 */
#include "compiler_fixture.h"

#include "compiler/nir/nir_builder.h"
#include "intel/compiler/fs/from_nir/fs_nir.h"
#include "util/unit_test.h"

static struct compiler_fixture t;

static int
setup(void **state)
{
   return compiler_fixture_begin(&t, "skl");
}

static int
teardown(void **state)
{
   return compiler_fixture_end(&t);
}

static nir_builder
begin(gl_shader_stage stage)
{
   return nir_builder_init_simple_shader(
      stage, intel_compiler_nir_options(t.compiler), "test");
}

static nir_variable *
variable(nir_builder *b, nir_variable_mode mode, const struct glsl_type *type,
         int location)
{
   nir_variable *v = nir_new_variable(b->shader, mode, type, NULL);

   v->data.location = location;
   v->data.patch = location >= VARYING_SLOT_PATCH0;
   return v;
}

static const struct intel_compile_params *
params(nir_shader *nir)
{
   struct intel_compile_params *p =
      arena_new(t.arena, struct intel_compile_params);

   p->arena = t.arena;
   p->nir = nir;
   intel_preprocess_nir(t.compiler, nir);
   return p;
}

/* ---- maps ---- */

static void
patch_layout(void **state)
{
   struct intel_patch_map map;

   intel_compute_patch_map(&map,
                           VARYING_BIT(POS) | VARYING_BIT(VAR0) |
                              BITFIELD64_BIT(VARYING_SLOT_VAR0 + 5),
                           0x5);
   assert_int_equal(map.num_patch_slots, 2 + 2);
   assert_int_equal(map.num_vertex_slots, 3);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_PATCH0], 2);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_PATCH0 + 1], -1);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_PATCH0 + 2], 3);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_POS], 0);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_VAR0], 1);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_VAR0 + 5], 2);

   /* The last patch varying that has a number. */
   intel_compute_patch_map(&map, 0, 1ull << 63 | 1ull << 31);
   assert_int_equal(map.num_patch_slots, 2 + 2);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_PATCH0 + 31], 2);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_PATCH0 + 63], 3);
   assert_int_equal(map.varying_to_slot[VARYING_SLOT_VAR0 + 1], -1);
   /* Factors are in the header, never per vertex. */
   intel_compute_patch_map(&map, VARYING_BIT(TESS_LEVEL_OUTER), 0);
   assert_int_equal(map.num_vertex_slots, 0);
}

/* PRM SKL vol 7, "Patch Header": dwords 2 to 7 by domain. */
static void
tessellation_factors(void **state)
{
   const unsigned outer = VARYING_SLOT_TESS_LEVEL_OUTER;
   const unsigned inner = VARYING_SLOT_TESS_LEVEL_INNER;
   static const int quads[] = { 7, 6, 5, 4 }, tris[] = { 7, 6, 5, -1 };
   static const int lines[] = { 6, 7, -1, -1 };

   for (unsigned c = 0; c < 4; c++) {
      assert_int_equal(fs_tess_factor_dword(TESS_PRIMITIVE_QUADS, outer, c),
                       quads[c]);
      assert_int_equal(
         fs_tess_factor_dword(TESS_PRIMITIVE_TRIANGLES, outer, c), tris[c]);
      assert_int_equal(
         fs_tess_factor_dword(TESS_PRIMITIVE_ISOLINES, outer, c), lines[c]);
   }
   assert_int_equal(fs_tess_factor_dword(TESS_PRIMITIVE_QUADS, inner, 0), 3);
   assert_int_equal(fs_tess_factor_dword(TESS_PRIMITIVE_QUADS, inner, 1), 2);
   assert_int_equal(fs_tess_factor_dword(TESS_PRIMITIVE_TRIANGLES, inner, 0),
                    4);
   assert_int_equal(fs_tess_factor_dword(TESS_PRIMITIVE_TRIANGLES, inner, 1),
                    -1);
   assert_int_equal(fs_tess_factor_dword(TESS_PRIMITIVE_ISOLINES, inner, 0),
                    -1);
}

/* Parts of the VUE header stand in one slot. */
static void
header_inputs(void **state)
{
   struct intel_vue_map map;
   unsigned first = 0;

   intel_compute_vue_map(&map, VARYING_BIT(PSIZ) | VARYING_BIT(VAR0));
   assert_int_equal(fs_vue_slot(&map, VARYING_SLOT_PSIZ, &first), 0);
   assert_int_equal(first, 3);
   first = 0;
   assert_int_equal(fs_vue_slot(&map, VARYING_SLOT_LAYER, &first), 0);
   assert_int_equal(first, 1);
   first = 1;
   assert_int_equal(fs_vue_slot(&map, VARYING_SLOT_VAR0, &first), 2);
   assert_int_equal(first, 1);
   assert_int_equal(fs_vue_slot(&map, VARYING_SLOT_VAR0 + 1, &first), -1);
}

/* ---- stages together ---- */

static void
links_stages(void **state)
{
   const struct glsl_type *vec4 = glsl_vec4_type();
   nir_builder vs = begin(MESA_SHADER_VERTEX);
   nir_builder gs = begin(MESA_SHADER_GEOMETRY);
   nir_variable *out =
      variable(&vs, nir_var_shader_out, vec4, VARYING_SLOT_VAR0 + 1);
   nir_variable *in = variable(&gs, nir_var_shader_in,
                               glsl_array_type(vec4, 3, 0),
                               VARYING_SLOT_VAR0 + 3);
   nir_variable *pos =
      variable(&gs, nir_var_shader_out, vec4, VARYING_SLOT_POS);
   nir_shader *stages[MESA_SHADER_STAGES] = {
      [MESA_SHADER_VERTEX] = vs.shader,
      [MESA_SHADER_GEOMETRY] = gs.shader,
   };
   struct intel_linkage link;

   nir_store_var(&vs, out, nir_imm_vec4(&vs, 1, 2, 3, 4), 0xf);
   nir_store_var(&gs, pos,
                 nir_load_deref(&gs, nir_build_deref_array_imm(
                                        &gs, nir_deref_to(&gs, in), 2)),
                 0xf);
   intel_link_nir(t.compiler, stages, &link);
   /* Header, position, VAR1 (written), VAR3 (read). */
   assert_int_equal(link.vue_map[MESA_SHADER_VERTEX].num_slots, 4);
   assert_int_equal(
      link.vue_map[MESA_SHADER_VERTEX].varying_to_slot[VARYING_SLOT_VAR0 + 3],
      3);
   assert_int_equal(link.vue_map[MESA_SHADER_GEOMETRY].num_slots, 2);
   nir_shader_destroy(vs.shader);
   nir_shader_destroy(gs.shader);
}

/* What the fragment shader's output is given: bit c is set where component c
 * is a constant, which then is 1 + c. */
static unsigned
constant_components(nir_shader *fs)
{
   unsigned found = 0;

   nir_foreach_block(block, nir_entry_point(fs)) {
      nir_foreach_instr(instr, block) {
         nir_intrinsic_instr *store = nir_maybe_intrinsic(instr);
         if (!store)
            continue;
         if (store->intrinsic != nir_intrinsic_store_deref)
            continue;
         for (unsigned c = 0; c < 4; c++) {
            const nir_component s = nir_component_through_movs(
               (nir_component) { store->src[1].value, c });
            if (!nir_component_is_const(s))
               continue;
            assert_int_equal(nir_component_as_uint(s), 1 + c);
            found |= 1u << c;
         }
      }
   }
   return found;
}

/* The components that any store of an output writes. */
static unsigned
stored_components(nir_shader *nir)
{
   unsigned found = 0;

   nir_foreach_block(block, nir_entry_point(nir)) {
      nir_foreach_instr(instr, block) {
         const nir_intrinsic_instr *store = nir_maybe_intrinsic(instr);
         if (!store)
            continue;
         if (store->intrinsic == nir_intrinsic_store_deref)
            found |= nir_intrinsic_write_mask(store);
      }
   }
   return found;
}

static nir_value *
load_push_constant(nir_builder *b)
{
   nir_intrinsic_instr *intr =
      nir_new_intrinsic(b->shader, nir_intrinsic_load_push_constant);

   intr->num_components = 1;
   intr->src[0] = nir_use_of(nir_imm_int(b, 0));
   nir_intrinsic_set_range(intr, 4);
   nir_set_result(&intr->instr, 1, 32);
   return nir_emit(b, &intr->instr);
}

static nir_value *
interp_at_offset(nir_builder *b, nir_variable *var)
{
   nir_intrinsic_instr *intr =
      nir_new_intrinsic(b->shader, nir_intrinsic_interp_deref_at_offset);

   intr->num_components = 2;
   intr->src[0] = nir_use_of(&nir_deref_to(b, var)->instr.result);
   intr->src[1] = nir_use_of(nir_imm_ivec2(b, 0, 0));
   nir_set_result(&intr->instr, 2, 32);
   return nir_emit(b, &intr->instr);
}

/* 0: all constant; 1: one component is not; 2: a second store of another
 * value; 3: a second store of the same; 4: by parts; 5: another varying;
 * 6: an element that an index chooses; 7: a known element of an array. */
static void
links_constants(void **state)
{
   static const unsigned expected[] = { 0xf, 0xd, 0x7, 0xf, 0xc, 0, 0, 0xf };
   /* Written before, and no longer, all stores together. */
   static const unsigned stored[] = {
      0xf, 0xf, 0xf, 0xf, 0xc, 0xf, 0xf, 0xf
   };
   static const unsigned dropped[] = { 0xf, 0xd, 0x7, 0xf, 0xc, 0xf, 0, 0xf };

   for (unsigned i = 0; i < ARRAY_SIZE(expected); i++) {
      nir_builder vs = begin(MESA_SHADER_VERTEX);
      nir_builder fs = begin(MESA_SHADER_FRAGMENT);
      const struct glsl_type *vec4 = glsl_vec4_type();
      const int slot = VARYING_SLOT_VAR0 + 1;
      nir_variable *out =
         variable(&vs, nir_var_shader_out,
                  i >= 6 ? glsl_array_type(vec4, 2, 0) : vec4, slot);
      nir_variable *in = variable(&fs, nir_var_shader_in, vec4,
                                  i == 5 || i == 7 ? slot + 1 : slot);
      nir_variable *color =
         variable(&fs, nir_var_shader_out, vec4, FRAG_RESULT_DATA0);
      nir_value *value[4];

      for (unsigned c = 0; c < 4; c++)
         value[c] = nir_imm_int(&vs, 1 + (int)c);
      if (i == 1)
         value[1] = nir_load_instance_id(&vs);
      nir_value *all = nir_vec(&vs, value, 4);
      nir_deref_instr *to = nir_deref_to(&vs, out);
      if (i == 6)
         to = nir_build_deref_array(&vs, to, nir_load_instance_id(&vs));
      if (i == 7)
         to = nir_build_deref_array_imm(&vs, to, 1);
      nir_store_deref(&vs, to, all, i == 4 ? 0xc : 0xf);
      if (i == 2)
         nir_store_var(&vs, out, nir_imm_vec4(&vs, 0, 0, 0, 9), 0x8);
      if (i == 3)
         nir_store_var(&vs, out, all, 0x5);
      nir_store_var(&fs, color, nir_load_var(&fs, in), 0xf);
      assert_int_equal(intel_link_constants(vs.shader, fs.shader),
                       expected[i] != 0);
      assert_int_equal(constant_components(fs.shader), expected[i]);
      nir_validate_shader(fs.shader, "link_constants");
      assert_int_equal(intel_drop_constants(vs.shader), dropped[i] != 0);
      assert_int_equal(stored_components(vs.shader), stored[i] & ~dropped[i]);
      nir_validate_shader(vs.shader, "drop_constants");
      nir_shader_destroy(vs.shader);
      nir_shader_destroy(fs.shader);
   }
}

/* One component is a product of push constants. 0: the others are constants;
 * 1: one is the instance, 2: stored twice, 3: stored in a loop, 4: another
 * variable of the slot varies, 5: interpolated at an offset, 6: at a
 * centroid, by declaration. */
static void
links_uniforms(void **state)
{
   static const bool flat[] = {
      true, false, false, false, false, false, true
   };
   const struct glsl_type *vec2 = glsl_vec_type(2);

   for (unsigned i = 0; i < ARRAY_SIZE(flat); i++) {
      nir_builder vs = begin(MESA_SHADER_VERTEX);
      nir_builder fs = begin(MESA_SHADER_FRAGMENT);
      nir_variable *out =
         variable(&vs, nir_var_shader_out, vec2, VARYING_SLOT_VAR0);
      nir_variable *in =
         variable(&fs, nir_var_shader_in, vec2, VARYING_SLOT_VAR0);
      nir_variable *color =
         variable(&fs, nir_var_shader_out, vec2, FRAG_RESULT_DATA0);
      nir_value *u = load_push_constant(&vs);
      nir_value *product = nir_fmul(&vs, u, u);
      nir_value *other = i == 1 ? nir_load_instance_id(&vs)
                                : nir_imm_float(&vs, 2);

      in->data.centroid = i == 6;
      if (i == 3)
         nir_push_loop(&vs);
      nir_store_var(&vs, out, nir_vec2(&vs, product, other), 0x3);
      if (i == 2)
         nir_store_var(&vs, out, nir_vec2(&vs, u, other), 0x1);
      if (i == 3) {
         nir_jump(&vs, nir_jump_break);
         nir_pop_loop(&vs, NULL);
      }
      if (i == 4) {
         nir_variable *more = variable(&vs, nir_var_shader_out,
                                       glsl_float_type(), VARYING_SLOT_VAR0);
         more->data.location_frac = 2;
         nir_store_var(&vs, more, nir_load_instance_id(&vs), 0x1);
      }
      nir_value *v = i == 5 ? interp_at_offset(&fs, in)
                            : nir_load_var(&fs, in);
      nir_store_var(&fs, color, v, 0x3);
      intel_link_constants(vs.shader, fs.shader);
      nir_validate_shader(fs.shader, "link_constants");
      assert_int_equal(in->data.interpolation == INTERP_MODE_FLAT, flat[i]);
      assert_int_equal(in->data.centroid, false);
      nir_shader_destroy(vs.shader);
      nir_shader_destroy(fs.shader);
   }
}

/* The last half of a dvec3, and a field of a structure. */
static void
links_wide_constants(void **state)
{
   const struct glsl_type *wide = glsl_vector_type(GLSL_TYPE_DOUBLE, 3);
   const struct glsl_struct_field fields[] = {
      { .type = glsl_float_type(), .name = "a" },
      { .type = wide, .name = "b" },
   };
   const struct glsl_type *type = glsl_struct_type(fields, 2, "s", false);
   nir_builder vs = begin(MESA_SHADER_VERTEX);
   nir_builder fs = begin(MESA_SHADER_FRAGMENT);
   nir_variable *out =
      variable(&vs, nir_var_shader_out, type, VARYING_SLOT_VAR0);
   nir_variable *in =
      variable(&fs, nir_var_shader_in, type, VARYING_SLOT_VAR0);
   nir_variable *color =
      variable(&fs, nir_var_shader_out, wide, FRAG_RESULT_DATA0);
   nir_value *value[3];

   for (unsigned c = 0; c < 3; c++)
      value[c] = nir_imm_int64(&vs, (int64_t)c << 32 | 5);
   value[1] = nir_u2u64(&vs, nir_load_instance_id(&vs));
   nir_store_deref(&vs,
                   nir_build_deref_struct(&vs, nir_deref_to(&vs, out), 1),
                   nir_vec(&vs, value, 3), 0x7);
   nir_value *load = nir_load_deref(
      &fs, nir_build_deref_struct(&fs, nir_deref_to(&fs, in), 1));
   nir_store_var(&fs, color, load, 0x7);
   assert_true(intel_link_constants(vs.shader, fs.shader));
   nir_validate_shader(fs.shader, "link_constants");
   nir_intrinsic_instr *store = nir_instr_as_intrinsic(
      nir_block_last_instr(nir_impl_last_block(nir_entry_point(fs.shader))));
   for (unsigned c = 0; c < 3; c++) {
      const nir_component s = nir_component_through_movs(
         (nir_component) { store->src[1].value, c });
      assert_int_equal(nir_component_is_const(s), c != 1);
      if (c != 1)
         assert_int_equal(nir_component_as_uint(s), (uint64_t)c << 32 | 5);
   }
   nir_shader_destroy(vs.shader);
   nir_shader_destroy(fs.shader);
}

/* A size of 1.0 goes, one that is captured or another stays. */
static void
drops_point_size(void **state)
{
   for (unsigned i = 0; i < 4; i++) {
      nir_builder vs = begin(MESA_SHADER_VERTEX);
      nir_variable *size = variable(&vs, nir_var_shader_out,
                                    glsl_float_type(), VARYING_SLOT_PSIZ);

      size->data.explicit_xfb_buffer = i == 1;
      nir_store_var(&vs, size, nir_imm_float(&vs, 1.0f), 1);
      if (i == 2)
         nir_store_var(&vs, size, nir_imm_float(&vs, 2.0f), 1);
      if (i == 3)
         nir_store_var(&vs, size, nir_u2f32(&vs, nir_load_instance_id(&vs)),
                       1);
      assert_int_equal(intel_drop_point_size(vs.shader), i == 0);
      nir_shader_gather_info(vs.shader, nir_entry_point(vs.shader));
      assert_int_equal(vs.shader->info.outputs_written,
                       i == 0 ? 0 : VARYING_BIT(PSIZ));
      nir_validate_shader(vs.shader, "drop_point_size");
      nir_shader_destroy(vs.shader);
   }
}

static void
links_tessellation(void **state)
{
   nir_builder tcs = begin(MESA_SHADER_TESS_CTRL);
   nir_builder tes = begin(MESA_SHADER_TESS_EVAL);
   nir_shader *stages[MESA_SHADER_STAGES] = {
      [MESA_SHADER_TESS_CTRL] = tcs.shader,
      [MESA_SHADER_TESS_EVAL] = tes.shader,
   };
   struct intel_linkage link;
   nir_variable *patch = variable(&tcs, nir_var_shader_out, glsl_vec4_type(),
                                  VARYING_SLOT_PATCH0 + 44);

   nir_store_var(&tcs, patch, nir_imm_vec4(&tcs, 1, 2, 3, 4), 0xf);
   tcs.shader->info.tess.tcs_vertices_out = 7;
   tes.shader->info.tess._primitive_mode = TESS_PRIMITIVE_ISOLINES;
   tes.shader->info.tess.spacing = TESS_SPACING_FRACTIONAL_ODD;
   intel_link_nir(t.compiler, stages, &link);
   assert_int_equal(tcs.shader->info.tess._primitive_mode,
                    TESS_PRIMITIVE_ISOLINES);
   assert_int_equal(tes.shader->info.tess.tcs_vertices_out, 7);
   assert_int_equal(link.patch_map.patch_valid, 1ull << 44);
   assert_int_equal(link.patch_map.num_patch_slots, 3);
   nir_shader_destroy(tcs.shader);
   nir_shader_destroy(tes.shader);
}

static void
compacts_tessellation(void **state)
{
   const struct glsl_type *vertices =
      glsl_array_type(glsl_array_type(glsl_vec4_type(), 3, 0), 4, 0);
   nir_builder tcs = begin(MESA_SHADER_TESS_CTRL);
   nir_builder tes = begin(MESA_SHADER_TESS_EVAL);
   /* Locations 2, 31 to 33, 60 to 62; the other stage has the last only. */
   nir_variable *out[] = {
      variable(&tcs, nir_var_shader_out,
               glsl_array_type(glsl_vec4_type(), 4, 0), VARYING_SLOT_VAR(2)),
      variable(&tcs, nir_var_shader_out, vertices, VARYING_SLOT_VAR(31)),
      variable(&tcs, nir_var_shader_out, vertices,
               VARYING_SLOT_FAR_VAR32 + 28),
   };
   nir_variable *in = variable(&tes, nir_var_shader_in, vertices,
                               VARYING_SLOT_FAR_VAR32 + 28);
   nir_variable *many;

   for (unsigned i = 0; i < ARRAY_SIZE(out); i++)
      out[i]->data.patch = false;
   in->data.patch = false;
   assert_true(intel_compact_tess_varyings(tcs.shader, tes.shader));
   assert_int_equal(out[0]->data.location, VARYING_SLOT_VAR(0));
   assert_int_equal(out[1]->data.location, VARYING_SLOT_VAR(1));
   assert_int_equal(out[2]->data.location, VARYING_SLOT_VAR(4));
   assert_int_equal(in->data.location, VARYING_SLOT_VAR(4));

   in->data.location = VARYING_SLOT_FAR_VAR32 + 28;
   many = variable(&tcs, nir_var_shader_out,
                   glsl_array_type(glsl_array_type(glsl_vec4_type(), 30, 0),
                                   4, 0),
                   VARYING_SLOT_VAR(0));
   many->data.patch = false;
   assert_false(intel_compact_tess_varyings(tcs.shader, tes.shader));
   nir_shader_destroy(tcs.shader);
   nir_shader_destroy(tes.shader);
}

/* ---- geometry shaders ---- */

static nir_builder
begin_gs(enum shader_prim out, unsigned vertices_out)
{
   nir_builder b = begin(MESA_SHADER_GEOMETRY);

   b.shader->info.gs.input_primitive = SHADER_PRIM_TRIANGLES;
   b.shader->info.gs.vertices_in = 3;
   b.shader->info.gs.output_primitive = out;
   b.shader->info.gs.vertices_out = vertices_out;
   b.shader->info.gs.invocations = 1;
   return b;
}

static nir_variable *
position(nir_builder *b)
{
   return variable(b, nir_var_shader_out, glsl_vec4_type(), VARYING_SLOT_POS);
}

static void
emit(nir_builder *b, nir_variable *pos, float x, unsigned stream)
{
   nir_store_var(b, pos, nir_imm_vec4(b, x, 0, 0, 1), 0xf);
   nir_emit_vertex(b, .stream_id = stream);
}

static const struct intel_gs_prog_data *
compile_gs(nir_builder *b)
{
   const union intel_key key = { .gs = { 0 } };
   const struct intel_shader *sh =
      intel_compile(t.compiler, params(b->shader), &key);

   assert_non_null(sh->code);
   return sh->prog_data.gs;
}

static void
counts_vertices_outside_of_flow(void **state)
{
   nir_builder b = begin_gs(SHADER_PRIM_TRIANGLE_STRIP, 8);
   nir_variable *pos = position(&b);
   const struct intel_gs_prog_data *pd;

   for (unsigned i = 0; i < 4; i++)
      emit(&b, pos, (float)i, 0);
   b.shader->info.gs.uses_end_primitive = true;
   nir_end_primitive(&b, .stream_id = 0);
   emit(&b, pos, 4, 0);
   pd = compile_gs(&b);
   assert_int_equal(pd->static_vertex_count, 5);
   assert_int_equal(pd->control_data_format, INTEL_GS_CONTROL_CUT);
   assert_int_equal(pd->control_data_header_size, 1);
   assert_int_equal(pd->output_vertex_size, 1);
   /* 32 bytes of control data, 8 vertices of 32 bytes: 288 of 320. */
   assert_int_equal(pd->urb_entry_size, 5);
   assert_int_equal(pd->topology, INTEL_GS_TRISTRIP);
   nir_shader_destroy(b.shader);
}

/* A vertex under a condition: each channel counts. */
static void
counts_vertices_in_flow(void **state)
{
   nir_builder b = begin_gs(SHADER_PRIM_POINTS, 200);
   nir_variable *pos = position(&b);
   const struct intel_gs_prog_data *pd;

   b.shader->info.has_transform_feedback_varyings = true;
   nir_push_if(&b, nir_ieq_imm(&b, nir_load_primitive_id(&b), 3));
   emit(&b, pos, 0, 0);
   emit(&b, pos, 1, 2);
   nir_pop_if(&b, NULL);
   pd = compile_gs(&b);
   assert_int_equal(pd->static_vertex_count, -1);
   assert_true(pd->include_primitive_id);
   assert_int_equal(pd->active_stream_mask, 0x5);
   assert_int_equal(pd->control_data_format, INTEL_GS_CONTROL_SID);
   /* 400 bits of 256 each. */
   assert_int_equal(pd->control_data_header_size, 2);
   /* Count 32, control 64, 200 vertices of 32: 6496 bytes. */
   assert_int_equal(pd->urb_entry_size, 102);
   nir_shader_destroy(b.shader);
}

static void
drops_streams_that_are_not_captured(void **state)
{
   nir_builder b = begin_gs(SHADER_PRIM_POINTS, 2);
   nir_variable *pos = position(&b);
   const struct intel_gs_prog_data *pd;

   emit(&b, pos, 0, 0);
   emit(&b, pos, 1, 1);
   pd = compile_gs(&b);
   assert_int_equal(pd->static_vertex_count, 1);
   assert_int_equal(pd->control_data_header_size, 0);
   assert_int_equal(pd->active_stream_mask, 1);
   nir_shader_destroy(b.shader);
}

static void
refuses_too_much_output(void **state)
{
   nir_builder b = begin_gs(SHADER_PRIM_POINTS, 256);
   const union intel_key key = { .gs = { .extra_slots_valid = ~0ull << 32 } };
   const struct intel_shader *sh;

   /* 34 slots of 16 bytes, 256 times: more than the 62 kB of an entry. */
   emit(&b, position(&b), 0, 0);
   sh = intel_compile(t.compiler, params(b.shader), &key);
   assert_null(sh->code);
   assert_non_null(strstr(sh->error, "256 vertices"));
   nir_shader_destroy(b.shader);
}

/* ---- tessellation ---- */

static void
patch_sizes(void **state)
{
   nir_builder b = begin(MESA_SHADER_TESS_CTRL);
   const union intel_key key = { .tcs = { .patch_vertices = 4 } };
   nir_variable *out = variable(&b, nir_var_shader_out,
                                glsl_array_type(glsl_dvec_type(4), 9, 0),
                                VARYING_SLOT_VAR0);
   nir_value *v[4];
   const struct intel_tcs_prog_data *pd;

   b.shader->info.tess.tcs_vertices_out = 9;
   b.shader->info.tess._primitive_mode = TESS_PRIMITIVE_QUADS;
   for (unsigned i = 0; i < 4; i++)
      v[i] = nir_imm_double(&b, i);
   nir_store_deref(&b,
                   nir_build_deref_array(&b, nir_deref_to(&b, out),
                                         nir_load_invocation_id(&b)),
                   nir_vec(&b, v, 4), 0xf);
   pd = intel_compile(t.compiler, params(b.shader), &key)->prog_data.tcs;
   assert_non_null(pd);
   assert_int_equal(pd->instances, 2);
   assert_int_equal(pd->patch_map.num_vertex_slots, 2);
   /* 2 slots of header, 9 vertices of 2: 320 bytes. */
   assert_int_equal(pd->urb_entry_size, 5);
   nir_shader_destroy(b.shader);
}

/* A float of a factor, of which front ends store one by one. */
static void
store_factors(nir_builder *b, int location, unsigned count)
{
   nir_variable *v = variable(b, nir_var_shader_out,
                              glsl_array_type(glsl_float_type(), count, 0),
                              location);

   v->data.patch = true;
   v->data.compact = true;
   for (unsigned i = 0; i < count; i++)
      nir_store_deref(
         b, nir_build_deref_array_imm(b, nir_deref_to(b, v), (int)i),
         nir_imm_float(b, 1.0f + (float)i), 1);
}

/* An invocation's own vertex, copied; all factors: messages for the input,
 * the output, the header, and the end. */
static void
patch_messages(void **state)
{
   nir_builder b = begin(MESA_SHADER_TESS_CTRL);
   const union intel_key key = { .tcs = { .patch_vertices = 4 } };
   const struct glsl_type *vertices = glsl_array_type(glsl_vec4_type(), 4, 0);
   nir_variable *in =
      variable(&b, nir_var_shader_in, vertices, VARYING_SLOT_VAR0);
   nir_variable *out =
      variable(&b, nir_var_shader_out, vertices, VARYING_SLOT_VAR0);
   nir_value *id = nir_load_invocation_id(&b);

   b.shader->info.tess.tcs_vertices_out = 4;
   b.shader->info.tess._primitive_mode = TESS_PRIMITIVE_QUADS;
   nir_value *v =
      nir_load_deref(&b, nir_build_deref_array(&b, nir_deref_to(&b, in), id));
   nir_store_deref(&b, nir_build_deref_array(&b, nir_deref_to(&b, out), id),
                   v, 0xf);
   store_factors(&b, VARYING_SLOT_TESS_LEVEL_OUTER, 4);
   store_factors(&b, VARYING_SLOT_TESS_LEVEL_INNER, 2);
   const struct intel_shader *sh =
      intel_compile(t.compiler, params(b.shader), &key);
   assert_non_null(sh->code);
   assert_int_equal(sh->stats[0].sends, 4);
   nir_shader_destroy(b.shader);
}

/* The one that ends the thread. */
static struct isa_inst
last_message(const struct intel_shader *sh)
{
   struct isa_inst inst = { 0 };

   for (unsigned at = 0, size; !inst.eot; at += size)
      assert_true(isa_decode(ISA_SKL, (const char *)sh->code + at,
                             sh->code_size_B - at, &inst, &size, NULL));
   assert_int_equal(inst.opcode, ISA_OPCODE_SENDS);
   return inst;
}

/* The last message of a vertex shader goes no further than what is written:
 * position, and the scalar behind it. */
static void
vertex_message_is_short(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   const union intel_key key = { .vs = { 0 } };
   nir_variable *out =
      variable(&b, nir_var_shader_out, glsl_float_type(), VARYING_SLOT_VAR0);

   nir_store_var(&b, position(&b), nir_imm_vec4(&b, 1, 2, 3, 4), 0xf);
   nir_store_var(&b, out, nir_imm_float(&b, 5), 0x1);
   const struct intel_shader *sh =
      intel_compile(t.compiler, params(b.shader), &key);
   assert_non_null(sh->code);
   assert_int_equal(sh->stats[0].sends, 1);
   assert_int_equal(last_message(sh).ex_desc, isa_ex_desc_pack(4 + 1));
   nir_shader_destroy(b.shader);
}

/* It does not begin with a position that the shader does not make. */
static void
vertex_message_without_position(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   const union intel_key key = { .vs = { 0 } };
   nir_variable *out =
      variable(&b, nir_var_shader_out, glsl_vec4_type(), VARYING_SLOT_VAR0);

   nir_store_var(&b, out, nir_imm_vec4(&b, 1, 2, 3, 4), 0xf);
   const struct intel_shader *sh =
      intel_compile(t.compiler, params(b.shader), &key);
   assert_non_null(sh->code);
   assert_int_equal(sh->stats[0].sends, 1);
   assert_int_equal(last_message(sh).ex_desc, isa_ex_desc_pack(4));
   nir_shader_destroy(b.shader);
}

static void
tessellator_state(void **state)
{
   nir_builder b = begin(MESA_SHADER_TESS_EVAL);
   const union intel_key key = { .tes = { 0 } };
   const struct intel_tes_prog_data *pd;
   nir_variable *in = variable(&b, nir_var_shader_in, glsl_vec4_type(),
                               VARYING_SLOT_PATCH0 + 60);

   b.shader->info.tess._primitive_mode = TESS_PRIMITIVE_TRIANGLES;
   b.shader->info.tess.spacing = TESS_SPACING_FRACTIONAL_EVEN;
   b.shader->info.tess.ccw = true;
   nir_store_var(&b, position(&b), nir_load_var(&b, in), 0xf);
   pd = intel_compile(t.compiler, params(b.shader), &key)->prog_data.tes;
   assert_non_null(pd);
   assert_int_equal(pd->domain, INTEL_TESS_DOMAIN_TRI);
   assert_int_equal(pd->partitioning,
                    INTEL_TESS_PARTITIONING_EVEN_FRACTIONAL);
   assert_int_equal(pd->topology, INTEL_TESS_OUTPUT_TRI_CW);
   assert_true(pd->compute_w);
   /* Header, and the one input in slot 2: two pairs. */
   assert_int_equal(pd->urb_read_length, 2);
   assert_int_equal(pd->urb_entry_size, 1);
   nir_shader_destroy(b.shader);
}

static void
refuses_tessellation_without_domain(void **state)
{
   nir_builder b = begin(MESA_SHADER_TESS_EVAL);
   const union intel_key key = { .tes = { 0 } };
   const struct intel_shader *sh =
      intel_compile(t.compiler, params(b.shader), &key);

   assert_null(sh->code);
   assert_non_null(strstr(sh->error, "domain"));
   nir_shader_destroy(b.shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
      TEST(patch_layout),
      TEST(tessellation_factors),
      TEST(header_inputs),
      TEST(links_stages),
      TEST(links_constants),
      TEST(links_uniforms),
      TEST(links_wide_constants),
      TEST(drops_point_size),
      TEST(links_tessellation),
      TEST(compacts_tessellation),
      TEST(counts_vertices_outside_of_flow),
      TEST(counts_vertices_in_flow),
      TEST(drops_streams_that_are_not_captured),
      TEST(refuses_too_much_output),
      TEST(patch_sizes),
      TEST(patch_messages),
      TEST(vertex_message_is_short),
      TEST(vertex_message_without_position),
      TEST(tessellator_state),
      TEST(refuses_tessellation_without_domain),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
