/* SPDX-License-Identifier: MIT */
/*
 * Inputs and outputs of the stages between vertices and fragments, run by
 * the interpreter before and after they are lowered: outputs that several
 * invocations share, components chosen at run time, streams.
 */
#include "util/unit_test.h"

#include "nir_builder.h"
#include "nir_interp.h"

#define VERTICES 4

static nir_interp_slot outputs[(VERTICES + 1) * NIR_INTERP_SLOTS];
static nir_interp_slot inputs[VERTICES * VERTICES * NIR_INTERP_SLOTS];

static bool
sysval(void *data, unsigned lane, const nir_intrinsic_instr *intr,
       const nir_const_value *src0, nir_const_value *out)
{
   if (intr->intrinsic != nir_intrinsic_load_invocation_id)
      return false;
   out[0] = nir_const_value_for_uint(lane, 32);
   return true;
}

static unsigned emitted[4];
static uint32_t last_x[4];

static void
emit_vertex(void *data, unsigned lane, unsigned stream,
            const nir_interp_slot *slots)
{
   emitted[stream]++;
   last_x[stream] = slots[VARYING_SLOT_POS][0];
}

static void
run(nir_shader *s)
{
   static const struct nir_interp_callbacks cb = {
      .sysval = sysval,
      .emit_vertex = emit_vertex,
   };
   struct arena *arena = arena_create(NULL);
   struct nir_interp_params params = {
      .num_lanes = s->info.stage == MESA_SHADER_TESS_CTRL ? VERTICES : 1,
      .inputs = (const nir_interp_slot *)inputs,
      .num_vertices = VERTICES,
      .outputs = outputs,
      .num_output_vertices = VERTICES,
      .callbacks = &cb,
   };

   memset(outputs, 0, sizeof(outputs));
   memset(emitted, 0, sizeof(emitted));
   nir_validate_shader(s, "test");
   assert_null(nir_interp_run(s, &params, arena));
   arena_destroy(arena);
}

static int
vec4_slots(const struct glsl_type *type, bool bindless)
{
   return (int)glsl_count_vec4_slots(type, false, bindless);
}

static void
lower(nir_shader *s, nir_lower_io_options options)
{
   nir_lower_system_values(s);
   nir_lower_indirect_components(s, nir_var_shader_in | nir_var_shader_out);
   nir_lower_array_deref_of_vec(s, nir_var_shader_in | nir_var_shader_out);
   nir_foreach_variable_with_modes(var, s,
                                   nir_var_shader_in | nir_var_shader_out)
      var->data.driver_location = (unsigned)var->data.location;
   nir_lower_io(s, nir_var_shader_in | nir_var_shader_out, vec4_slots,
                options);
   nir_foreach_block(block, nir_entry_point(s)) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic) {
            const nir_intrinsic_op op =
               nir_instr_as_intrinsic(instr)->intrinsic;
            assert_true(op != nir_intrinsic_load_deref &&
                        op != nir_intrinsic_store_deref);
         }
      }
   }
}

static nir_variable *
variable(nir_builder *b, nir_variable_mode mode, const struct glsl_type *type,
         int location)
{
   nir_variable *v = nir_new_variable(b->shader, mode, type, NULL);

   v->data.location = location;
   v->data.patch = location >= VARYING_SLOT_PATCH0 ||
                   location == VARYING_SLOT_TESS_LEVEL_OUTER;
   v->data.compact = location == VARYING_SLOT_TESS_LEVEL_OUTER;
   return v;
}

static const uint32_t *
patch_slot(unsigned slot)
{
   return outputs[VERTICES * NIR_INTERP_SLOTS + slot];
}

/* out[i] = i; outer[i] = i; patch.component[i] = i + 10; then, after the
 * barrier, second[i] = out[(i + 1) % 4]. */
static nir_builder
control_shader(void)
{
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_TESS_CTRL, NULL, "tcs");
   nir_variable *out = variable(
      &b, nir_var_shader_out, glsl_array_type(glsl_uint_type(), VERTICES, 0),
      VARYING_SLOT_VAR0);
   nir_variable *second = variable(
      &b, nir_var_shader_out, glsl_array_type(glsl_uint_type(), VERTICES, 0),
      VARYING_SLOT_VAR0 + 1);
   nir_variable *outer = variable(&b, nir_var_shader_out,
                                  glsl_array_type(glsl_float_type(), 4, 0),
                                  VARYING_SLOT_TESS_LEVEL_OUTER);
   nir_variable *vec = variable(&b, nir_var_shader_out,
                                glsl_vector_type(GLSL_TYPE_UINT, 4),
                                VARYING_SLOT_PATCH0 + 2);
   nir_value *id = nir_load_invocation_id(&b);
   nir_value *next = nir_iand_imm(&b, nir_iadd_imm(&b, id, 1), 3);

   b.shader->info.tess.tcs_vertices_out = VERTICES;
   nir_store_deref(&b, nir_build_deref_array(&b, nir_deref_to(&b, out), id),
                   id, 1);
   nir_store_deref(&b, nir_build_deref_array(&b, nir_deref_to(&b, outer), id),
                   nir_u2f32(&b, id), 1);
   nir_store_deref(&b, nir_build_deref_array(&b, nir_deref_to(&b, vec), id),
                   nir_iadd_imm(&b, id, 10), 1);
   nir_control_barrier(&b);
   nir_store_deref(
      &b, nir_build_deref_array(&b, nir_deref_to(&b, second), id),
      nir_load_deref(&b,
                     nir_build_deref_array(&b, nir_deref_to(&b, out), next)),
      1);
   return b;
}

static void
check_control_outputs(void)
{
   for (unsigned i = 0; i < VERTICES; i++) {
      const nir_interp_slot *v =
         (const nir_interp_slot *)&outputs[i * NIR_INTERP_SLOTS];
      union {
         uint32_t u;
         float f;
      } level = {
         patch_slot(VARYING_SLOT_TESS_LEVEL_OUTER)[i],
      };
      assert_int_equal(v[VARYING_SLOT_VAR0][0], i);
      assert_int_equal(v[VARYING_SLOT_VAR0 + 1][0], (i + 1) % 4);
      assert_true(level.f == (float)i);
      assert_int_equal(patch_slot(VARYING_SLOT_PATCH0 + 2)[i], i + 10);
   }
}

static void
control_outputs_are_shared(void **state)
{
   nir_builder b = control_shader();

   run(b.shader);
   check_control_outputs();
   nir_shader_destroy(b.shader);
}

static void
control_outputs_after_lowering(void **state)
{
   nir_builder b = control_shader();

   lower(b.shader, 0);
   run(b.shader);
   check_control_outputs();
   nir_shader_destroy(b.shader);
}

/* A component that another invocation may write is not written back. */
static void
component_store_reads_nothing(void **state)
{
   nir_builder b = control_shader();

   lower(b.shader, 0);
   nir_foreach_block(block, nir_entry_point(b.shader)) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic)
            assert_int_not_equal(nir_instr_as_intrinsic(instr)->intrinsic,
                                 nir_intrinsic_load_output);
      }
   }
   nir_shader_destroy(b.shader);
}

/* Doubles of each vertex, by a vertex index known at run time only. */
static nir_builder
doubles_shader(void)
{
   nir_builder b =
      nir_builder_init_simple_shader(MESA_SHADER_GEOMETRY, NULL, "gs");
   nir_variable *in = variable(
      &b, nir_var_shader_in, glsl_array_type(glsl_dvec_type(3), VERTICES, 0),
      VARYING_SLOT_VAR0);
   nir_variable *pos =
      variable(&b, nir_var_shader_out, glsl_vec4_type(), VARYING_SLOT_POS);
   nir_value *v = nir_load_deref(
      &b,
      nir_build_deref_array(&b, nir_deref_to(&b, in),
                            nir_iadd_imm(&b, nir_load_invocation_id(&b), 2)));
   nir_value *sum =
      nir_fadd(&b, nir_fadd(&b, nir_channel(&b, v, 0), nir_channel(&b, v, 1)),
               nir_channel(&b, v, 2));
   nir_value *f = nir_f2f32(&b, sum);

   nir_store_var(&b, pos, nir_vec4(&b, f, f, f, f), 0xf);
   nir_emit_vertex(&b, .stream_id = 1);
   nir_emit_vertex(&b, .stream_id = 1);
   nir_emit_vertex(&b, .stream_id = 3);
   return b;
}

static void
check_doubles(nir_shader *s)
{
   nir_interp_slot *v = &inputs[2 * NIR_INTERP_SLOTS];
   const double d[3] = { 1.5, 0x1p-30, 40 };
   union {
      float f;
      uint32_t u;
   } expect = { .f = (float)(1.5 + 0x1p-30 + 40) };

   memset(inputs, 0, sizeof(inputs));
   memcpy(v[VARYING_SLOT_VAR0], d, sizeof(d));
   run(s);
   assert_int_equal(emitted[0], 0);
   assert_int_equal(emitted[1], 2);
   assert_int_equal(emitted[3], 1);
   assert_int_equal(last_x[1], expect.u);
   assert_int_equal(last_x[3], expect.u);
}

static void
double_inputs_and_streams(void **state)
{
   nir_builder b = doubles_shader();

   check_doubles(b.shader);
   lower(b.shader, nir_lower_io_lower_64bit_to_32);
   check_doubles(b.shader);
   nir_shader_destroy(b.shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(control_outputs_are_shared),
      cmocka_unit_test(control_outputs_after_lowering),
      cmocka_unit_test(component_store_reads_nothing),
      cmocka_unit_test(double_inputs_and_streams),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
