/* SPDX-License-Identifier: MIT */
/* Words of the module: instructions, types, constants; the whole (2.3). */
#include "compiler/spirv/write/write_private.h"

#include <stdarg.h>
#include <stdio.h>

#define VERSION_1_3 0x00010300u

void
wr_fail(struct wr *w, const char *fmt, ...)
{
   va_list ap;

   va_start(ap, fmt);
   vsnprintf(w->error, w->error_B, fmt, ap);
   va_end(ap);
   longjmp(w->failed, 1);
}

uint32_t
wr_new_id(struct wr *w)
{
   return w->next_id++;
}

/* --- Instructions ------------------------------------------------------- */

static void
append(struct util_dynarray *section, const uint32_t *words, size_t n)
{
   if (n)
      memcpy(util_dynarray_grow_bytes(section, n * 4), words, n * 4);
}

void
wr_words(struct util_dynarray *section, SpvOp op, const uint32_t *words,
         size_t n)
{
   util_dynarray_append(section, uint32_t,
                        (uint32_t)(n + 1) << SpvWordCountShift | op);
   append(section, words, n);
}

/* Strings end with a zero byte and fill up whole words; what is longer than
 * an instruction may be is cut. */
void
wr_string_op(struct util_dynarray *section, SpvOp op, const uint32_t *words,
             size_t n, const char *text)
{
   const size_t len = strnlen(text, 4096), num = len / 4 + 1;

   util_dynarray_append(section, uint32_t,
                        (uint32_t)(n + num + 1) << SpvWordCountShift | op);
   append(section, words, n);
   memcpy(util_dynarray_grow_bytes(section, num * 4), text, len);
}

uint32_t
wr_result(struct wr *w, SpvOp op, uint32_t type, const uint32_t *words,
          size_t n)
{
   const uint32_t id = wr_new_id(w);

   util_dynarray_append(&w->code, uint32_t,
                        (uint32_t)(n + 3) << SpvWordCountShift | op);
   util_dynarray_append(&w->code, uint32_t, type);
   util_dynarray_append(&w->code, uint32_t, id);
   append(&w->code, words, n);
   return id;
}

uint32_t
wr_ext(struct wr *w, enum GLSLstd450 op, uint32_t type, const uint32_t *ids,
       size_t n)
{
   uint32_t words[8] = { w->glsl450, op };

   assert(n + 2 <= ARRAY_SIZE(words));
   if (!w->glsl450)
      words[0] = w->glsl450 = wr_new_id(w);
   memcpy(words + 2, ids, n * 4);
   return wr_result(w, SpvOpExtInst, type, words, n + 2);
}

void
wr_capability(struct wr *w, SpvCapability cap)
{
   for (unsigned i = 0; i < w->num_capabilities; i++) {
      if (w->capabilities[i] == cap)
         return;
   }
   assert(w->num_capabilities < WR_MAX_CAPABILITIES);
   w->capabilities[w->num_capabilities++] = cap;
}

void
wr_extension(struct wr *w, const char *name)
{
   for (unsigned i = 0; i < w->num_extensions; i++) {
      if (!strcmp(w->extensions[i], name))
         return;
   }
   assert(w->num_extensions < WR_MAX_EXTENSIONS);
   w->extensions[w->num_extensions++] = name;
}

void
wr_name(struct wr *w, uint32_t id, const char *name)
{
   if (name && *name)
      wr_string_op(&w->names, SpvOpName, &id, 1, name);
}

/* --- Types and constants ------------------------------------------------ */

uint32_t
wr_made(struct wr *w, SpvOp op, uint32_t type, const uint32_t *words,
        size_t n)
{
   const uint32_t size_B = (uint32_t)(n + 2) * 4;
   uint32_t *key = arena_alloc(w->arena, size_B);
   uint32_t id;

   key[0] = op;
   key[1] = type;
   if (n)
      memcpy(key + 2, words, n * 4);
   id = (uint32_t)(uintptr_t)hash_table_get_bytes(&w->made, key, size_B);
   if (id)
      return id;
   id = wr_new_id(w);
   hash_table_insert_bytes(&w->made, key, size_B, (void *)(uintptr_t)id);
   util_dynarray_append(&w->globals, uint32_t,
                        (uint32_t)(n + 2 + (type != 0)) << SpvWordCountShift |
                           op);
   if (type)
      util_dynarray_append(&w->globals, uint32_t, type);
   util_dynarray_append(&w->globals, uint32_t, id);
   append(&w->globals, words, n);
   return id;
}

static uint32_t
int_type(struct wr *w, unsigned bits, bool is_signed)
{
   if (bits == 8)
      wr_capability(w, SpvCapabilityInt8);
   else if (bits == 16)
      wr_capability(w, SpvCapabilityInt16);
   else if (bits == 64)
      wr_capability(w, SpvCapabilityInt64);
   return WR_TYPE(w, SpvOpTypeInt, bits, is_signed);
}

uint32_t
wr_scalar_type(struct wr *w, enum wr_base base, unsigned bits)
{
   if (base == WR_BOOL)
      return wr_made(w, SpvOpTypeBool, 0, NULL, 0);
   if (base != WR_FLOAT)
      return int_type(w, bits, base == WR_INT);
   if (bits == 16)
      wr_capability(w, SpvCapabilityFloat16);
   else if (bits == 64)
      wr_capability(w, SpvCapabilityFloat64);
   return WR_TYPE(w, SpvOpTypeFloat, bits);
}

uint32_t
wr_vector_type(struct wr *w, enum wr_base base, unsigned bits,
               unsigned components)
{
   const uint32_t scalar = wr_scalar_type(w, base, bits);

   if (components > 4)
      wr_fail(w, "a vector of %u components: Vulkan has 4", components);
   return components == 1 ? scalar
                          : WR_TYPE(w, SpvOpTypeVector, scalar, components);
}

uint32_t
wr_pointer_type(struct wr *w, SpvStorageClass class, uint32_t type)
{
   return WR_TYPE(w, SpvOpTypePointer, class, type);
}

static uint32_t
scalar_constant(struct wr *w, enum wr_base base, unsigned bits,
                nir_const_value v)
{
   const uint32_t type = wr_scalar_type(w, base, bits);
   uint64_t x = nir_const_value_as_uint(v, bits);

   if (base == WR_BOOL)
      return wr_made(w, x ? SpvOpConstantTrue : SpvOpConstantFalse, type,
                     NULL, 0);
   /* 2.2.1: narrow signed literals are sign-extended. */
   if (base == WR_INT && bits < 32)
      x = (uint64_t)nir_const_value_as_int(v, bits) & UINT32_MAX;
   return wr_made(w, SpvOpConstant, type,
                  WR_ARRAY((uint32_t)x, (uint32_t)(x >> 32)),
                  bits == 64 ? 2 : 1);
}

uint32_t
wr_uint(struct wr *w, uint32_t value)
{
   return scalar_constant(w, WR_UINT, 32,
                          nir_const_value_for_uint(value, 32));
}

uint32_t
wr_constant(struct wr *w, enum wr_base base, unsigned bits,
            const nir_const_value *values, unsigned components)
{
   uint32_t ids[NIR_MAX_VEC_COMPONENTS];

   for (unsigned i = 0; i < components; i++)
      ids[i] = scalar_constant(w, base, bits, values[i]);
   if (components == 1)
      return ids[0];
   return wr_made(w, SpvOpConstantComposite,
                  wr_vector_type(w, base, bits, components), ids, components);
}

/* --- The whole ---------------------------------------------------------- */

static const SpvExecutionModel models[MESA_SHADER_STAGES] = {
   [MESA_SHADER_VERTEX] = SpvExecutionModelVertex,
   [MESA_SHADER_TESS_CTRL] = SpvExecutionModelTessellationControl,
   [MESA_SHADER_TESS_EVAL] = SpvExecutionModelTessellationEvaluation,
   [MESA_SHADER_GEOMETRY] = SpvExecutionModelGeometry,
   [MESA_SHADER_FRAGMENT] = SpvExecutionModelFragment,
   [MESA_SHADER_COMPUTE] = SpvExecutionModelGLCompute,
};

static void
stage_capability(struct wr *w)
{
   const gl_shader_stage stage = w->nir->info.stage;

   if (stage < 0 || stage >= MESA_SHADER_STAGES)
      wr_fail(w, "kernels of OpenCL are not written as SPIR-V");
   wr_capability(w, SpvCapabilityShader);
   if (stage == MESA_SHADER_GEOMETRY)
      wr_capability(w, SpvCapabilityGeometry);
   else if (stage == MESA_SHADER_TESS_CTRL || stage == MESA_SHADER_TESS_EVAL)
      wr_capability(w, SpvCapabilityTessellation);
}

static void
entry_point(struct wr *w, struct util_dynarray *out, uint32_t id)
{
   const char *name = w->options->entry ? w->options->entry : "main";
   struct util_dynarray op = { 0 };

   wr_string_op(&op, SpvOpEntryPoint,
                WR_ARRAY(models[w->nir->info.stage], id), 2, name);
   append(&op, w->interface.data, w->interface.size_B / 4);
   ((uint32_t *)op.data)[0] = (uint32_t)(op.size_B / 4) << SpvWordCountShift |
                              SpvOpEntryPoint;
   append(out, op.data, op.size_B / 4);
   util_dynarray_fini(&op);
}

static void
put_together(struct wr *w, struct util_dynarray *out, uint32_t entry)
{
   const struct util_dynarray *sections[] = { &w->modes,   &w->strings,
                                              &w->names,   &w->decorations,
                                              &w->globals, &w->code };

   append(out, WR_ARRAY(SpvMagicNumber, VERSION_1_3, 0, w->next_id, 0), 5);
   for (unsigned i = 0; i < w->num_capabilities; i++)
      WR(out, SpvOpCapability, w->capabilities[i]);
   for (unsigned i = 0; i < w->num_extensions; i++)
      wr_string_op(out, SpvOpExtension, NULL, 0, w->extensions[i]);
   if (w->glsl450)
      wr_string_op(out, SpvOpExtInstImport, &w->glsl450, 1, "GLSL.std.450");
   WR(out, SpvOpMemoryModel, SpvAddressingModelLogical,
      SpvMemoryModelGLSL450);
   entry_point(w, out, entry);
   for (unsigned i = 0; i < ARRAY_SIZE(sections); i++)
      append(out, sections[i]->data, sections[i]->size_B / 4);
}

static void
write_shader(struct wr *w, struct util_dynarray *out)
{
   nir_function_impl *impl;
   uint32_t entry;

   stage_capability(w);
   impl = nir_entry_point(w->nir);
   if (!impl->structured)
      wr_fail(w, "control flow without structure");
   entry = wr_new_id(w);
   wr_name(w, entry, w->options->entry ? w->options->entry : "main");
   nir_foreach_variable_in_shader(var, w->nir) {
      if (var->data.mode & (nir_var_shader_in | nir_var_shader_out))
         wr_variable(w, var);
   }
   wr_function(w, impl, entry);
   wr_execution_modes(w, entry);
   put_together(w, out, entry);
}

static void
finish(struct wr *w)
{
   struct util_dynarray *arrays[] = { &w->modes,       &w->strings, &w->names,
                                      &w->decorations, &w->globals, &w->code,
                                      &w->interface };

   for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
      util_dynarray_fini(arrays[i]);
   hash_table_finish(&w->made);
   hash_table_finish(&w->ids);
   hash_table_finish(&w->atomic_images);
   arena_destroy(w->arena);
}

bool
nir_to_spirv(const nir_shader *nir, const struct spirv_write_options *options,
             struct util_dynarray *words, char *error, size_t error_B)
{
   static const struct spirv_write_options none = { 0 };
   struct arena *arena = arena_create(NULL);
   struct wr *w = arena_new(arena, struct wr);
   bool ok = false;

   w->arena = arena;
   w->options = options ? options : &none;
   w->error = error;
   w->error_B = error_B;
   w->next_id = 1;
   hash_table_init(&w->made);
   hash_table_init(&w->ids);
   hash_table_init(&w->atomic_images);
   w->nir = nir_shader_clone(arena, nir);
   if (!setjmp(w->failed)) {
      wr_lower(w->nir, w->options->saturate);
      write_shader(w, words);
      ok = true;
   }
   finish(w);
   return ok;
}
