/* SPDX-License-Identifier: MIT */
/*
 * Geometry shaders in SIMD4x2 on the simulated EU: payloads of each dispatch
 * mode, output entries with counts, control data and vertices, on every
 * generation. What is expected is worked out here from 3DSTATE_GS and the
 * formats of entries (PRM IVB vol 2 part 1, HSW and SKL vol 7, "GS URB
 * Entry").
 */
#include <stdlib.h>
#include "compiler/nir/nir_builder.h"
#include "intel/compiler/intel_compiler.h"
#include "intel/dev/intel_device_info.h"
#include "intel/sim/eu/eu_private.h"
#include "intel/sim/mem/mem.h"
#include "util/unit_test.h"

#define ENTRY_B 8192
#define INPUT_B 1024 /* of an input vertex' entry, after those */
#define LANES 8
#define MAX_VERTICES 6
#define SCRATCH 0x10000000ull
#define SCRATCH_B 65536

/* What a shader does: lane l emits `count(l)` vertices, each a sum of an
 * input vertex and numbers that tell it from others, and ends the primitive
 * after every third. */
struct shape {
   unsigned vertices_in, vertices_out, invocations;
   bool loop;      /* the number is not known to the compiler */
   bool streams;   /* points, vertex i to stream i % 4 */
   bool scratch;   /* by way of an array that takes an index */
   unsigned slots; /* of the array in each input vertex; 0: two */
   bool scalar;    /* a channel a primitive, not a vector */
   uint64_t debug;
};

static const char *const gens[] = { "ivb", "hsw", "bdw", "skl" };

static struct {
   const struct intel_device_info *dev;
   struct intel_compiler *compiler;
   struct arena *arena;
   struct sim_vm *vm;
   struct sim_bo *scratch;
   struct sim_mem mem;
   struct sim_eu_env env;
   struct sim_eu_thread thread;
   uint8_t urb[LANES * (ENTRY_B + MAX_VERTICES * INPUT_B)];
} t;

/* ---- the shader ---- */

static nir_variable *
variable(nir_builder *b, nir_variable_mode mode, const struct glsl_type *type,
         int location)
{
   nir_variable *v = nir_new_variable(b->shader, mode, type, NULL);

   v->data.location = location;
   return v;
}

struct builder {
   nir_builder b;
   const struct shape *shape;
   nir_variable *pos_in, *array_in, *pos, *color, *array;
   nir_value *lane;
};

static nir_value *
element(nir_builder *b, nir_variable *var, nir_value *i, nir_value *k)
{
   nir_deref_instr *d = nir_build_deref_array(b, nir_deref_to(b, var), i);

   return nir_load_deref(b, k ? nir_build_deref_array(b, d, k) : d);
}

static unsigned
slots(const struct shape *shape)
{
   return shape->slots ? shape->slots : 2;
}

/* Vertex i: pos = in[i % n].pos + i, color = array[i % slots] of it + lane;
 * slots is a power of two. */
static void
emit_one(struct builder *s, nir_value *i, unsigned stream)
{
   nir_builder *b = &s->b;
   nir_value *v = nir_umod(b, i, nir_imm_int(b, (int)s->shape->vertices_in));
   nir_value *k = nir_iand_imm(b, i, slots(s->shape) - 1);
   nir_value *p = element(b, s->pos_in, v, NULL);
   nir_value *c = element(b, s->array_in, v, k);

   if (s->shape->scratch) {
      nir_deref_instr *d = nir_deref_to(b, s->array);
      d = nir_build_deref_array(b, d, nir_iadd_imm(b, k, 5));
      nir_store_deref(b, d, c, 0x5);
      nir_store_deref(b, d, c, 0xa);
      c = nir_load_deref(b, d);
   }
   nir_store_var(b, s->pos, nir_fadd(b, p, nir_u2f32(b, i)), 0xf);
   nir_store_var(b, s->color, nir_fadd(b, c, nir_u2f32(b, s->lane)), 0xf);
   nir_emit_vertex(b, .stream_id = stream);
}

static unsigned
count(const struct shape *shape, unsigned lane)
{
   return shape->loop ? (lane * 37 + 5) % (shape->vertices_out + 3)
                      : shape->vertices_out - 1;
}

static void
emit_all(struct builder *s)
{
   const struct shape *shape = s->shape;
   nir_builder *b = &s->b;

   if (!shape->loop) {
      for (unsigned i = 0; i < count(shape, 0); i++) {
         emit_one(s, nir_imm_int(b, (int)i), shape->streams ? i % 4 : 0);
         if (i % 3 == 2 && !shape->streams)
            nir_end_primitive(b, .stream_id = 0);
      }
      return;
   }
   nir_value *n = nir_umod(b,
                           nir_iadd_imm(b, nir_imul_imm(b, s->lane, 37), 5),
                           nir_imm_int(b, (int)shape->vertices_out + 3));
   nir_variable *i = nir_new_local(b->impl, glsl_uint_type(), "i");
   nir_store_var(b, i, nir_imm_int(b, 0), 1);
   nir_push_loop(b);
   nir_jump_if(b, nir_jump_break, nir_uge(b, nir_load_var(b, i), n));
   for (unsigned k = 0; k < (shape->streams ? 4u : 1u); k++) {
      nir_value *at = nir_load_var(b, i);
      if (shape->streams)
         nir_push_if(b, nir_ieq_imm(b, nir_iand_imm(b, at, 3), k));
      emit_one(s, at, k);
      if (shape->streams)
         nir_pop_if(b, NULL);
   }
   nir_value *at = nir_load_var(b, i);
   nir_push_if(b, nir_ieq_imm(b, nir_umod(b, at, nir_imm_int(b, 3)), 2));
   nir_end_primitive(b, .stream_id = 0);
   nir_pop_if(b, NULL);
   nir_store_var(b, i, nir_iadd_imm(b, at, 1), 1);
   nir_pop_loop(b, NULL);
}

static const struct intel_shader *
compile(const struct shape *shape)
{
   const struct glsl_type *vec4 = glsl_vec4_type();
   struct builder s = {
      .b = nir_builder_init_simple_shader(
         MESA_SHADER_GEOMETRY, intel_compiler_nir_options(t.compiler), "gs"),
      .shape = shape,
   };
   struct shader_info *info = &s.b.shader->info;
   const union intel_key key = { .gs = { 0 } };

   info->gs.vertices_in = (uint8_t)shape->vertices_in;
   info->gs.input_primitive = SHADER_PRIM_TRIANGLES;
   info->gs.output_primitive = shape->streams ? SHADER_PRIM_POINTS
                                              : SHADER_PRIM_TRIANGLE_STRIP;
   info->gs.vertices_out = (uint16_t)shape->vertices_out;
   info->gs.invocations = (uint8_t)shape->invocations;
   info->gs.uses_end_primitive = true;
   info->has_transform_feedback_varyings = shape->streams;
   s.pos_in = variable(&s.b, nir_var_shader_in,
                       glsl_array_type(vec4, shape->vertices_in, 0),
                       VARYING_SLOT_POS);
   s.array_in =
      variable(&s.b, nir_var_shader_in,
               glsl_array_type(glsl_array_type(vec4, slots(shape), 0),
                               shape->vertices_in, 0),
               VARYING_SLOT_VAR0);
   s.pos = variable(&s.b, nir_var_shader_out, vec4, VARYING_SLOT_POS);
   s.color = variable(&s.b, nir_var_shader_out, vec4, VARYING_SLOT_VAR0);
   /* Too large for selections between its elements. */
   s.array = nir_new_local(s.b.impl, glsl_array_type(vec4, 2000, 0), "array");
   s.lane = shape->invocations > 1 ? nir_load_invocation_id(&s.b)
                                   : nir_load_primitive_id(&s.b);
   emit_all(&s);
   intel_preprocess_nir(t.compiler, s.b.shader);
   const struct intel_compile_params params = {
      .arena = t.arena,
      .nir = s.b.shader,
      .debug = shape->debug,
   };
   const struct intel_shader *sh = intel_compile(t.compiler, &params, &key);
   nir_shader_destroy(s.b.shader);
   return sh;
}

/* ---- the thread ---- */

/* Component c of slot `slot` of input vertex `v` of primitive `lane`. */
static float
input(unsigned lane, unsigned v, unsigned slot, unsigned c)
{
   return (float)(lane * 1000 + v * 100 + slot * 10 + c);
}

/* Entries of the vertices of primitive `lane`, and their handles. */
static uint32_t
input_handle(unsigned lane, unsigned v)
{
   return (LANES * ENTRY_B + (lane * MAX_VERTICES + v) * INPUT_B) / 64;
}

static void
fill_input_entries(unsigned vertices)
{
   for (unsigned n = 0; n < LANES * vertices; n++) {
      const unsigned lane = n / vertices, v = n % vertices;
      float *f = (float *)(t.urb + input_handle(lane, v) * 64);
      for (unsigned i = 0; i < INPUT_B / 4; i++)
         f[i] = input(lane, v, i / 4, i % 4);
   }
}

static void
fill_scalar_payload(const struct shape *shape,
                    const struct intel_gs_prog_data *pd, unsigned lanes)
{
   union sim_grf *g = t.thread.grf;
   const bool instances = shape->invocations > 1;

   for (unsigned i = 0; i < lanes; i++) {
      g[1].ud[i] = i * ENTRY_B / 64 | (instances ? i << 27 : 0);
      if (pd->include_primitive_id)
         g[2].ud[i] = i;
   }
   g += pd->include_primitive_id ? 3 : 2;
   for (unsigned v = 0; v < shape->vertices_in; v++) {
      for (unsigned i = 0; i < lanes && !instances; i++)
         g[v].ud[i] = input_handle(i, v);
      if (instances)
         g->ud[v] = input_handle(0, v);
   }
}

static void
fill_payload(const struct shape *shape, const struct intel_gs_prog_data *pd,
             unsigned lanes)
{
   union sim_grf *g = t.thread.grf;
   const unsigned slots = 2 * pd->urb_read_length;
   const bool two = pd->dispatch_mode == INTEL_DISPATCH_4X2_DUAL_OBJECT;

   memset(g, 0xa5, sizeof(t.thread.grf));
   memset(&g[0], 0, sizeof(g[0]));
   g[0].ud[3] = 6; /* 64 kB */
   fill_input_entries(shape->vertices_in);
   if (shape->scalar) {
      fill_scalar_payload(shape, pd, lanes);
      return;
   }
   for (unsigned i = 0; i < lanes; i++) {
      g[0].ud[i] = i * ENTRY_B / 64 | (shape->invocations > 1 ? i << 27 : 0);
      if (pd->include_primitive_id)
         g[1].ud[4 * i] = i;
   }
   for (unsigned v = 0; v < shape->vertices_in && pd->include_handles; v++)
      g[pd->include_primitive_id ? 2 : 1].ud[v] = input_handle(0, v);
   union sim_grf *in = &g[pd->base.dispatch_grf_start + pd->base.push_length];
   for (unsigned n = 0; n < pd->vertices_in * slots; n++) {
      const unsigned slot = n % slots + 2 * pd->urb_read_offset;
      for (unsigned i = 0; i < (two ? lanes : 1); i++) {
         for (unsigned c = 0; c < 4; c++)
            (two ? &in[n].f[4 * i] : &in[n / 2].f[n % 2 * 4])[c] =
               input(two ? i : 0, n / slots, slot, c);
      }
   }
}

static void
run(const struct shape *shape, const struct intel_shader *sh, unsigned lanes)
{
   struct sim_eu_program *program = sim_eu_program_create(
      t.dev->verx10, false, sh->code, sh->stats[0].code_size_B);

   memset(t.urb, 0xee, sizeof(t.urb));
   fill_payload(shape, sh->prog_data.gs, lanes);
   sim_eu_thread_init(&t.thread, &t.env,
                      shape->scalar ? BITFIELD_MASK(lanes)
                      : lanes == 2  ? 0xff
                                    : 0x0f);
   t.thread.mem = &t.mem;
   t.thread.max_instructions = 100000;
   if (sim_eu_run(&t.thread, program, 0) != SIM_EU_EOT)
      fail_msg("%s: %s: %s", t.dev->name, t.thread.fault.inst,
               t.thread.fault.text);
   sim_eu_program_destroy(program);
}

/* ---- the entries ---- */

static unsigned
expected_control(const struct shape *shape, unsigned vertices, unsigned dword)
{
   unsigned bits = 0;

   for (unsigned i = 0; i < vertices; i++) {
      if (shape->streams && i / 16 == dword)
         bits |= i % 4 << i % 16 * 2;
      if (!shape->streams && i / 32 == dword && i % 3 == 2)
         bits |= 1u << i % 32;
   }
   return bits;
}

static void
check_lane(const struct shape *shape, const struct intel_gs_prog_data *pd,
           unsigned lane)
{
   const unsigned n = MIN2(count(shape, lane), shape->vertices_out);
   const unsigned object = shape->invocations > 1 ? 0 : lane;
   const unsigned bits = shape->streams ? 2 : 1;
   const uint32_t *at = (const uint32_t *)(t.urb + lane * ENTRY_B);

   if (t.dev->ver < 8) {
      assert_int_equal(t.thread.urb_eot_dw2 >> 16 * lane & 0xffff, n);
   } else if (pd->static_vertex_count < 0) {
      assert_int_equal(at[0], n);
      at += 8;
   } else {
      assert_int_equal(pd->static_vertex_count, n);
   }
   for (unsigned i = 0; i < DIV_ROUND_UP(n * bits, 32); i++)
      assert_int_equal(at[i], expected_control(shape, n, i));
   at += 8 * pd->control_data_header_size;
   for (unsigned i = 0; i < n; i++, at += 8 * pd->output_vertex_size) {
      const float *slot = (const float *)at;
      const unsigned v = i % shape->vertices_in;
      for (unsigned c = 0; c < 4; c++) {
         /* Scalar code leaves out what nobody reads. */
         if (!shape->scalar)
            assert_int_equal(at[c], 0);
         assert_true(slot[4 + c] == input(object, v, 1, c) + (float)i);
         assert_true(slot[8 + c] ==
                     input(object, v, 2 + i % slots(shape), c) + (float)lane);
      }
   }
}

static enum intel_dispatch_mode
expected_mode(const struct shape *shape)
{
   /* Registers have half of the vertices of two objects. */
   const bool fits = shape->vertices_in * (slots(shape) + 2) < 100;

   if (shape->scalar)
      return INTEL_DISPATCH_SIMD8;
   if (shape->invocations > 1)
      return INTEL_DISPATCH_4X2_DUAL_INSTANCE;
   return shape->debug & INTEL_DEBUG_NODUALOBJ || !fits
             ? INTEL_DISPATCH_4X1_SINGLE
             : INTEL_DISPATCH_4X2_DUAL_OBJECT;
}

static void
check_gen(const struct shape *shape)
{
   const struct intel_shader *sh = compile(shape);
   if (!sh->code)
      fail_msg("%s: %s", t.dev->name, sh->error);
   const struct intel_gs_prog_data *pd = sh->prog_data.gs;

   assert_int_equal(pd->dispatch_mode, expected_mode(shape));
   assert_int_equal(pd->include_handles,
                    shape->scalar ||
                       (pd->dispatch_mode != INTEL_DISPATCH_4X2_DUAL_OBJECT &&
                        shape->vertices_in * (slots(shape) + 2) > 96));
   if (!shape->scalar)
      assert_int_equal(pd->base.total_scratch_B != 0, shape->scratch);
   const unsigned max = shape->scalar ? LANES
                        : pd->dispatch_mode == INTEL_DISPATCH_4X1_SINGLE ? 1
                                                                         : 2;
   for (unsigned lanes = 1; lanes <= max; lanes++) {
      run(shape, sh, lanes);
      for (unsigned i = 0; i < lanes; i++)
         check_lane(shape, pd, i);
      /* Nothing of the one that was not started. */
      if (lanes < LANES)
         assert_int_equal(t.urb[lanes * ENTRY_B], 0xee);
   }
}

static void
check(const struct shape *shape)
{
   setenv("INTEL_SCALAR_STAGES",
          shape->scalar ? "vs,tcs,tes,gs" : "vs,tcs,tes", 1);
   for (unsigned g = 0; g < ARRAY_SIZE(gens); g++) {
      t.dev = intel_device_info_by_name(gens[g]);
      if (shape->scalar && !t.dev->has_scalar_geometry)
         continue;
      t.compiler = intel_compiler_create(t.dev);
      t.env.verx10 = t.dev->verx10;
      check_gen(shape);
      intel_compiler_destroy(t.compiler);
   }
}

/* ---- tests ---- */

static int
setup(void **state)
{
   t.arena = arena_create(NULL);
   t.vm = sim_vm_create();
   t.scratch = sim_bo_create(SCRATCH_B);
   if (!sim_vm_bind(t.vm, t.scratch, SCRATCH))
      return -1;
   sim_mem_init(&t.mem, t.vm);
   t.env = (struct sim_eu_env) {
      .general_state_base = SCRATCH,
      .scratch_per_thread_B = SCRATCH_B,
      .urb = t.urb,
      .urb_size_B = sizeof(t.urb),
   };
   return 0;
}

static int
teardown(void **state)
{
   sim_vm_destroy(t.vm);
   sim_bo_unref(t.scratch);
   arena_destroy(t.arena);
   return 0;
}

/* Cut bits in one dword and in three, counts that are known and that are
 * not; two primitives, one, and two instances a thread. */
static void
strips(void **state)
{
   for (unsigned mode = 0; mode < 3; mode++) {
      for (unsigned i = 0; i < 6; i++) {
         check(&(struct shape) {
            .vertices_in = 3,
            .vertices_out = i < 2   ? 4
                            : i < 4 ? 20
                                    : 80,
            .invocations = mode == 2 ? 2 : 1,
            .loop = i % 2,
            .debug = mode == 1 ? INTEL_DEBUG_NODUALOBJ : 0,
         });
      }
   }
}

/* Two bits a vertex. */
static void
streams(void **state)
{
   for (unsigned mode = 0; mode < 3; mode++) {
      for (unsigned i = 0; i < 4; i++) {
         check(&(struct shape) {
            .vertices_in = 1,
            .vertices_out = i < 2 ? 9 : 70,
            .invocations = mode == 2 ? 2 : 1,
            .loop = i % 2,
            .streams = true,
            .debug = mode == 1 ? INTEL_DEBUG_NODUALOBJ : 0,
         });
      }
   }
}

/* Six vertices, of which an index says which. */
static void
adjacency(void **state)
{
   for (unsigned mode = 0; mode < 3; mode++) {
      check(&(struct shape) {
         .vertices_in = 6,
         .vertices_out = 30,
         .loop = true,
         .invocations = mode == 2 ? 2 : 1,
         .debug = mode == 1 ? INTEL_DEBUG_NODUALOBJ : 0,
      });
   }
}

static void
arrays_in_scratch(void **state)
{
   for (unsigned mode = 0; mode < 3; mode++) {
      check(&(struct shape) {
         .vertices_in = 2,
         .vertices_out = 12,
         .loop = true,
         .scratch = true,
         .invocations = mode == 2 ? 2 : 1,
         .debug = mode == 1 ? INTEL_DEBUG_NODUALOBJ : 0,
      });
   }
}

/* As many inputs as there are, 32 slots besides the position, whose slot and
 * vertex are computed or not: of six vertices more than registers hold. */
static void
inputs_beyond_registers(void **state)
{
   for (unsigned mode = 0; mode < 5; mode++) {
      for (unsigned i = 0; i < 6; i++) {
         check(&(struct shape) {
            .vertices_in = i < 2   ? 6
                           : i < 4 ? 4
                                   : 2,
            .vertices_out = 70,
            .loop = i % 2,
            .slots = 32,
            .invocations = mode == 2 || mode == 4 ? 2 : 1,
            .scalar = mode >= 3,
            .debug = mode == 1 ? INTEL_DEBUG_NODUALOBJ : 0,
         });
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(strips),
      cmocka_unit_test(streams),
      cmocka_unit_test(adjacency),
      cmocka_unit_test(arrays_in_scratch),
      cmocka_unit_test(inputs_beyond_registers),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
