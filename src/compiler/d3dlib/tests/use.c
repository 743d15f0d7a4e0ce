/* SPDX-License-Identifier: MIT */
/*
 * A program of vkd3d-shader's interface, built with our header or with that
 * of vkd3d (USE_VKD3D).
 *
 *   d3dlib_use FILE...          calls each function on each container and
 *                               listing; no call may fail that should not
 *   d3dlib_use --print FILE     sizes of structures, and what scan and
 *                               signatures say of each container, as text
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_VKD3D
#include <vkd3d_shader.h>
#else
#include "saffron/d3d_shader.h"
#endif

#define MAX_DW (1u << 16)

static uint32_t words[MAX_DW];
static size_t num_words;
static unsigned compiled, refused, bad;

static int
read_line(FILE *f)
{
   static char line[MAX_DW * 9 + 16];
   char *s, *end;

   if (!fgets(line, sizeof(line), f))
      return 0;
   num_words = 0;
   if (line[0] != '=' && strncmp(line, "43425844", 8))
      return 1; /* text */
   for (s = line[0] == '=' ? line + 1 : line; num_words < MAX_DW; s = end) {
      words[num_words] = (uint32_t)strtoul(s, &end, 16);
      if (end == s)
         break;
      num_words++;
   }
   return 1;
}

static int
is_container(void)
{
   return num_words > 8 && words[0] == 0x43425844;
}

static void
fault(const char *what, const char *messages)
{
   printf("%s: %s\n", what, messages ? messages : "no message");
   bad++;
}

/* --- What a shader declares --------------------------------------------- */

static int
scan(int print)
{
   struct vkd3d_shader_scan_descriptor_info found = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_SCAN_DESCRIPTOR_INFO
   };
   const struct vkd3d_shader_compile_info info = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
      .next = &found,
      .source = { words, num_words * 4 },
      .source_type = VKD3D_SHADER_SOURCE_DXBC_TPF,
      .target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY,
   };
   char *messages = NULL;
   const int result = vkd3d_shader_scan(&info, &messages);

   if (print)
      printf("scan %d\n", result < 0);
   for (unsigned i = 0; result == VKD3D_OK && i < found.descriptor_count;
        i++) {
      const struct vkd3d_shader_descriptor_info *d = &found.descriptors[i];
      if (print)
         printf("  %u %u %u %u %u %x %u\n", d->type, d->register_space,
                d->register_index, d->resource_type, d->resource_data_type,
                d->flags, d->count);
   }
   if (result == VKD3D_OK)
      vkd3d_shader_free_scan_descriptor_info(&found);
   vkd3d_shader_free_messages(messages);
   return result;
}

static int
signature(int print)
{
   const struct vkd3d_shader_code code = { words, num_words * 4 };
   struct vkd3d_shader_signature s = { 0 };
   char *messages = NULL;
   const int result =
      vkd3d_shader_parse_input_signature(&code, &s, &messages);

   if (print)
      printf("signature %d\n", result < 0);
   for (unsigned i = 0; result == VKD3D_OK && i < s.element_count; i++) {
      const struct vkd3d_shader_signature_element *e = &s.elements[i];
      if (vkd3d_shader_find_signature_element(
             &s, e->semantic_name, e->semantic_index, e->stream_index) > e)
         fault("find_signature_element", NULL);
      if (print)
         printf("  %s %u %u %u %u %u %x %x\n", e->semantic_name,
                e->semantic_index, e->stream_index, e->sysval_semantic,
                e->component_type, e->register_index, e->mask, e->used_mask);
   }
   if (result == VKD3D_OK)
      vkd3d_shader_free_shader_signature(&s);
   vkd3d_shader_free_messages(messages);
   return result;
}

/* --- Root signatures ---------------------------------------------------- */

static const struct vkd3d_shader_descriptor_range1 ranges[] = {
   { VKD3D_SHADER_DESCRIPTOR_TYPE_SRV, 3, 1, 2, 4, 0 },
   { VKD3D_SHADER_DESCRIPTOR_TYPE_UAV, 1, 0, 0, 1, ~0u },
};

static void
print_code(const struct vkd3d_shader_code *code)
{
   for (size_t i = 0; i < code->size; i++)
      printf("%02x%s", ((const uint8_t *)code->code)[i],
             i % 32 == 31 || i + 1 == code->size ? "\n" : "");
}

/* Samplers have tables of their own. */
static void
mixed_table(void)
{
   struct vkd3d_shader_descriptor_range1 mixed[2] = {
      ranges[0],
      { VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER, 1, 0, 0, 0, ~0u },
   };
   struct vkd3d_shader_root_parameter1 p = { 0 };
   const struct vkd3d_shader_versioned_root_signature_desc root = {
      .version = VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_1,
      .u = { .v_1_1 = { 1, &p, 0, NULL, 0 } },
   };
   struct vkd3d_shader_code code = { 0 };

   p.u.descriptor_table.descriptor_range_count = 2;
   p.u.descriptor_table.descriptor_ranges = mixed;
   if (vkd3d_shader_serialize_root_signature(&root, &code, NULL) >= 0)
      fault("serialize_root_signature", "a table of samplers and others");
}

/* Written, read and written again: the same bytes, in both versions. */
static void
root_signature(enum vkd3d_shader_root_signature_version version)
{
   struct vkd3d_shader_root_parameter1 p[3] = { 0 };
   struct vkd3d_shader_static_sampler_desc sampler = { .mip_lod_bias = 0.5f,
                                                       .max_anisotropy = 4,
                                                       .max_lod = 7.0f,
                                                       .shader_register = 3 };
   struct vkd3d_shader_versioned_root_signature_desc root = {
      .version = VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_1,
      .u = { .v_1_1 = { 3, p, 1, &sampler, 1 } },
   }, other = { 0 }, back = { 0 };
   struct vkd3d_shader_code one = { 0 }, two = { 0 };
   const int converts = root.version != version;

   p[0].u.descriptor_table.descriptor_range_count = 2;
   p[0].u.descriptor_table.descriptor_ranges = ranges;
   p[1].parameter_type = VKD3D_SHADER_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
   p[1].u.constants.value_count = 7;
   p[2].parameter_type = VKD3D_SHADER_ROOT_PARAMETER_TYPE_UAV;
   p[2].shader_visibility = VKD3D_SHADER_VISIBILITY_PIXEL;
   p[2].u.descriptor.shader_register = 9;
   if (converts &&
       vkd3d_shader_convert_root_signature(&other, version, &root) < 0) {
      fault("convert_root_signature", NULL);
      return;
   }
   if (vkd3d_shader_serialize_root_signature(converts ? &other : &root, &one,
                                             NULL) < 0)
      fault("serialize_root_signature", NULL);
   else if (vkd3d_shader_parse_root_signature(&one, &back, NULL) < 0)
      fault("parse_root_signature", NULL);
   else if (vkd3d_shader_serialize_root_signature(&back, &two, NULL) < 0 ||
            one.size != two.size || memcmp(one.code, two.code, one.size))
      fault("root signature", "is another after reading");
   if (one.code)
      print_code(&one);
   if (converts)
      vkd3d_shader_free_root_signature(&other);
   if (back.version)
      vkd3d_shader_free_root_signature(&back);
   vkd3d_shader_free_shader_code(&one);
   vkd3d_shader_free_shader_code(&two);
}

/* --- Sizes, which are what a program and the library have in common ----- */

static void
print_sizes(void)
{
#define SIZE(s) printf(#s " %zu\n", sizeof(struct vkd3d_shader_##s))
#define PLACE(s, m)                                                          \
   printf(#s "." #m " %zu\n", offsetof(struct vkd3d_shader_##s, m))
   SIZE(compile_info);
   PLACE(compile_info, target_type);
   PLACE(compile_info, source_name);
   SIZE(interface_info);
   PLACE(interface_info, uav_counter_count);
   SIZE(resource_binding);
   PLACE(resource_binding, binding);
   SIZE(combined_resource_sampler);
   SIZE(uav_counter_binding);
   SIZE(push_constant_buffer);
   SIZE(transform_feedback_info);
   SIZE(transform_feedback_element);
   SIZE(spirv_target_info);
   PLACE(spirv_target_info, dual_source_blending);
   PLACE(spirv_target_info, output_swizzle_count);
   SIZE(spirv_domain_shader_target_info);
   SIZE(parameter);
   SIZE(static_sampler_desc);
   SIZE(root_parameter);
   SIZE(root_parameter1);
   SIZE(root_signature_desc);
   SIZE(root_signature_desc1);
   SIZE(versioned_root_signature_desc);
   SIZE(descriptor_info);
   SIZE(scan_descriptor_info);
   SIZE(signature_element);
   PLACE(signature_element, min_precision);
   SIZE(signature);
}

/* --- Where resources go ------------------------------------------------- */

#define MAX_PLACED 64
#define PUSH_CONSTANT 9 /* of SPIR-V's storage classes */
#define PUSHED_B 256

enum { OP_VARIABLE = 59, OP_DECORATE = 71, BINDING = 33, SET = 34 };

/* Constant buffers are pushed, the n-th other resource has binding n of a set
 * by its type. Of the module: sets and bindings are such ones, and push
 * constants there if they are wanted. */
static int
is_placed(const struct vkd3d_shader_code *code, unsigned n, int pushes)
{
   const uint32_t *w = code->code, *end = w + code->size / 4;
   int pushed = 0;

   for (w += 5; w < end; w += *w >> 16) {
      const unsigned op = *w & 0xffff;
      if (op == OP_VARIABLE && w[3] == PUSH_CONSTANT)
         pushed++;
      if (op == OP_VARIABLE && w[3] == 2)
         return 0; /* a uniform buffer */
      if (op == OP_DECORATE && w[2] == BINDING && w[3] >= n)
         return 0;
      if (op == OP_DECORATE && w[2] == SET && w[3] > 4)
         return 0;
   }
   return pushed <= pushes;
}

static unsigned pushed_modules;

static void
place(void)
{
   struct vkd3d_shader_scan_descriptor_info found = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_SCAN_DESCRIPTOR_INFO
   };
   struct vkd3d_shader_resource_binding bindings[MAX_PLACED] = { 0 };
   struct vkd3d_shader_uav_counter_binding counters[MAX_PLACED] = { 0 };
   struct vkd3d_shader_push_constant_buffer pushed[MAX_PLACED] = { 0 };
   struct vkd3d_shader_interface_info interface = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO,
      .bindings = bindings,
      .push_constant_buffers = pushed,
      .uav_counters = counters,
   };
   struct vkd3d_shader_compile_info info = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
      .next = &found,
      .source = { words, num_words * 4 },
      .source_type = VKD3D_SHADER_SOURCE_DXBC_TPF,
      .target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY,
   };
   struct vkd3d_shader_code code = { 0 };
   char *messages = NULL;

   if (vkd3d_shader_scan(&info, NULL) < 0 ||
       found.descriptor_count > MAX_PLACED)
      return;
   for (unsigned i = 0; i < found.descriptor_count; i++) {
      const struct vkd3d_shader_descriptor_info *d = &found.descriptors[i];
      if (d->type == VKD3D_SHADER_DESCRIPTOR_TYPE_CBV) {
         struct vkd3d_shader_push_constant_buffer *p =
            &pushed[interface.push_constant_buffer_count++];
         p->register_space = d->register_space;
         p->register_index = d->register_index;
         p->offset = PUSHED_B * (interface.push_constant_buffer_count - 1);
         p->size = PUSHED_B;
         continue;
      }
      struct vkd3d_shader_resource_binding *b =
         &bindings[interface.binding_count++];
      struct vkd3d_shader_uav_counter_binding *c =
         &counters[interface.uav_counter_count++];
      b->type = d->type;
      b->register_space = c->register_space = d->register_space;
      b->register_index = c->register_index = d->register_index;
      b->binding.set = d->type;
      b->binding.binding = c->binding.binding = i;
      b->binding.count = c->binding.count = 1;
      c->binding.set = 4;
   }
   info.next = &interface;
   if (vkd3d_shader_compile(&info, &code, &messages) < 0)
      fault("compile with an interface", messages);
   else if (!is_placed(&code, found.descriptor_count,
                       interface.push_constant_buffer_count != 0))
      fault("compile with an interface", "resources elsewhere");
   pushed_modules += interface.push_constant_buffer_count != 0;
   vkd3d_shader_free_messages(messages);
   vkd3d_shader_free_shader_code(&code);
   vkd3d_shader_free_scan_descriptor_info(&found);
}

/* --- All ---------------------------------------------------------------- */

static void
compile(enum vkd3d_shader_source_type source, unsigned target)
{
   const struct vkd3d_shader_compile_info info = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
      .source = { words, num_words * 4 },
      .source_type = source,
      .target_type = (enum vkd3d_shader_target_type)target,
      .source_name = "a shader",
   };
   struct vkd3d_shader_code code = { 0 };
   char *messages = NULL;
   const int result = vkd3d_shader_compile(&info, &code, &messages);

   if (result < 0 && !messages)
      fault("compile", "fails without a message");
   else if (result < 0)
      refused++;
   else if (target == VKD3D_SHADER_TARGET_SPIRV_BINARY &&
            (code.size < 20 || *(const uint32_t *)code.code != 0x07230203))
      fault("compile", "gives no module");
   else
      compiled++;
   vkd3d_shader_free_messages(messages);
   if (result == VKD3D_OK)
      vkd3d_shader_free_shader_code(&code);
}

static void
use_all(FILE *f)
{
   while (read_line(f)) {
      if (num_words < 2)
         continue;
      /* 2: HLSL, 3: bytecode of Direct3D 9 and text, as later versions
       * number them. */
      compile(is_container() ? VKD3D_SHADER_SOURCE_DXBC_TPF
                             : (enum vkd3d_shader_source_type)3,
              VKD3D_SHADER_TARGET_SPIRV_BINARY);
      compile(is_container() ? VKD3D_SHADER_SOURCE_DXBC_TPF
                             : (enum vkd3d_shader_source_type)3,
              3);
      if (is_container())
         place();
      if (is_container() && (scan(0) < 0 || signature(0) < 0))
         fault("scan or signature", NULL);
   }
}

static void
print_all(FILE *f)
{
   while (read_line(f)) {
      if (is_container()) {
         scan(1);
         signature(1);
      }
   }
}

int
main(int argc, char **argv)
{
   const int print = argc == 3 && !strcmp(argv[1], "--print");

   if (print)
      print_sizes();
   mixed_table();
   root_signature(VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_0);
   root_signature(VKD3D_SHADER_ROOT_SIGNATURE_VERSION_1_1);
   for (int i = print ? 2 : 1; i < argc; i++) {
      FILE *f = fopen(argv[i], "r");
      if (!f) {
         perror(argv[i]);
         return 2;
      }
      if (print)
         print_all(f);
      else
         use_all(f);
      fclose(f);
   }
   if (!print)
      printf("%u compiled, %u refused, %u bad, %u with push constants\n",
             compiled, refused, bad, pushed_modules);
   return bad != 0 || (!print && !pushed_modules);
}
