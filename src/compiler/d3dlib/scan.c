/* SPDX-License-Identifier: MIT */
/* What resources a program of SM4 or SM5 declares, and how it uses them. */
#include "d3dlib.h"

#include <limits.h>
#include <stdlib.h>

static unsigned
bits(uint32_t v, unsigned first, unsigned n)
{
   return v >> first & BITFIELD_MASK(n);
}

static bool
descriptor_type(enum tpf_file file, enum vkd3d_shader_descriptor_type *type)
{
   switch (file) {
   case TPF_FILE_CB: *type = VKD3D_SHADER_DESCRIPTOR_TYPE_CBV; return true;
   case TPF_FILE_S: *type = VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER; return true;
   case TPF_FILE_T: *type = VKD3D_SHADER_DESCRIPTOR_TYPE_SRV; return true;
   case TPF_FILE_U: *type = VKD3D_SHADER_DESCRIPTOR_TYPE_UAV; return true;
   default: return false;
   }
}

static enum vkd3d_shader_resource_type
resource_type(const struct tpf_dim_info *dim)
{
   const bool array = dim->is_array;

   switch (dim->sampler_dim) {
   case GLSL_SAMPLER_DIM_1D:
      return array ? VKD3D_SHADER_RESOURCE_TEXTURE_1DARRAY
                   : VKD3D_SHADER_RESOURCE_TEXTURE_1D;
   case GLSL_SAMPLER_DIM_2D:
      return array ? VKD3D_SHADER_RESOURCE_TEXTURE_2DARRAY
                   : VKD3D_SHADER_RESOURCE_TEXTURE_2D;
   case GLSL_SAMPLER_DIM_3D: return VKD3D_SHADER_RESOURCE_TEXTURE_3D;
   case GLSL_SAMPLER_DIM_CUBE:
      return array ? VKD3D_SHADER_RESOURCE_TEXTURE_CUBEARRAY
                   : VKD3D_SHADER_RESOURCE_TEXTURE_CUBE;
   case GLSL_SAMPLER_DIM_MS:
      return array ? VKD3D_SHADER_RESOURCE_TEXTURE_2DMSARRAY
                   : VKD3D_SHADER_RESOURCE_TEXTURE_2DMS;
   default: return VKD3D_SHADER_RESOURCE_BUFFER;
   }
}

/* Numbers 1 to 5 are those of the tokens; others are read as floats. */
static enum vkd3d_shader_resource_data_type
data_type(uint32_t tokens)
{
   const unsigned t = bits(tokens, 0, 4);

   return t >= 1 && t <= 5 ? (enum vkd3d_shader_resource_data_type)t
                           : VKD3D_SHADER_RESOURCE_DATA_FLOAT;
}

static void
describe(const struct tpf_inst *dcl,
         struct vkd3d_shader_descriptor_info *info)
{
   switch (dcl->op) {
   case TPF_OP_DCL_RESOURCE:
   case TPF_OP_DCL_UAV_TYPED:
      info->resource_type =
         resource_type(tpf_dim_info(bits(dcl->controls, 11, 5)));
      info->resource_data_type = data_type(dcl->imm[0]);
      break;
   case TPF_OP_DCL_SAMPLER:
      if (bits(dcl->controls, 11, 4) == 1)
         info->flags |=
            VKD3D_SHADER_DESCRIPTOR_INFO_FLAG_SAMPLER_COMPARISON_MODE;
      info->resource_data_type = VKD3D_SHADER_RESOURCE_DATA_UINT;
      break;
   default:
      info->resource_type = VKD3D_SHADER_RESOURCE_BUFFER;
      info->resource_data_type = VKD3D_SHADER_RESOURCE_DATA_UINT;
      break;
   }
}

static bool
declare(const struct tpf_inst *dcl, struct d3dlib_resource *r)
{
   const struct tpf_operand *o = &dcl->operand[0];

   if (tpf_op_info(dcl->op)->sem != TPF_SEM_DECL || !dcl->num_operands ||
       !descriptor_type(o->file, &r->info.type))
      return false;
   r->range = r->info.register_index = o->index[0].imm;
   r->info.count = 1;
   if (o->num_range) {
      r->info.register_index = o->range[0].imm;
      r->info.register_space = dcl->space;
      r->info.count = o->range[1].imm == UINT32_MAX
                         ? UINT_MAX
                         : o->range[1].imm - o->range[0].imm + 1;
   }
   describe(dcl, &r->info);
   return true;
}

/* What an instruction does with the UAV that is its operand `i`. */
static unsigned
uav_flags(const struct tpf_inst *inst, unsigned i)
{
   switch (inst->op) {
   case TPF_OP_IMM_ATOMIC_ALLOC:
   case TPF_OP_IMM_ATOMIC_CONSUME:
      return VKD3D_SHADER_DESCRIPTOR_INFO_FLAG_UAV_COUNTER;
   case TPF_OP_STORE_UAV_TYPED:
   case TPF_OP_STORE_RAW:
   case TPF_OP_STORE_STRUCTURED:
   case TPF_OP_RESINFO:
   case TPF_OP_BUFINFO: return 0;
   default: return VKD3D_SHADER_DESCRIPTOR_INFO_FLAG_UAV_READ;
   }
}

static void
use(struct util_dynarray *out, const struct tpf_inst *inst)
{
   for (unsigned i = 0; i < inst->num_operands; i++) {
      const struct tpf_operand *o = &inst->operand[i];
      if (o->file != TPF_FILE_U)
         continue;
      util_dynarray_foreach(out, struct d3dlib_resource, r) {
         if (r->info.type == VKD3D_SHADER_DESCRIPTOR_TYPE_UAV &&
             r->range == o->index[0].imm)
            r->info.flags |= uav_flags(inst, i);
      }
   }
}

void
d3dlib_resources(const struct tpf_shader *shader, struct util_dynarray *out)
{
   for (size_t i = 0; i < shader->num_insts; i++) {
      const struct tpf_inst *inst = &shader->inst[i];
      struct d3dlib_resource r = { 0 };
      if (declare(inst, &r))
         util_dynarray_append(out, struct d3dlib_resource, r);
      else if (tpf_op_info(inst->op)->sem != TPF_SEM_DECL)
         use(out, inst);
   }
}

/* --- The call ----------------------------------------------------------- */

static enum vkd3d_result
scan(struct d3dlib_call *call, struct arena *arena)
{
   const struct vkd3d_shader_compile_info *info = call->info;
   struct util_dynarray found = { 0 };
   struct dxbc container;
   const struct tpf_shader *shader =
      d3dlib_read(call, arena, &info->source, &container);

   if (!shader)
      return VKD3D_ERROR_INVALID_SHADER;
   d3dlib_resources(shader, &found);
   util_dynarray_foreach(&found, struct d3dlib_resource, r)
      util_dynarray_append(&call->out, struct vkd3d_shader_descriptor_info,
                           r->info);
   util_dynarray_fini(&found);
   return VKD3D_OK;
}

int
vkd3d_shader_scan(const struct vkd3d_shader_compile_info *info,
                  char **messages)
{
   struct d3dlib_call call = {
      .run = scan,
      .info = info,
      .name = info->source_name,
   };
   struct vkd3d_shader_scan_descriptor_info *to = (void *)d3dlib_find(
      info->next, VKD3D_SHADER_STRUCTURE_TYPE_SCAN_DESCRIPTOR_INFO);
   size_t size_B;
   void *found;

   if (messages)
      *messages = NULL;
   if (info->type != VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO ||
       info->source_type != VKD3D_SHADER_SOURCE_DXBC_TPF)
      return VKD3D_ERROR_INVALID_ARGUMENT;
   if (d3dlib_run(&call, messages) != VKD3D_OK)
      return call.result;
   found = d3dlib_take(&call, &size_B);
   if (!to) {
      free(found);
      return VKD3D_OK;
   }
   to->descriptors = found;
   to->descriptor_count = (unsigned)(size_B / sizeof(*to->descriptors));
   return found ? VKD3D_OK : VKD3D_ERROR_OUT_OF_MEMORY;
}

void
vkd3d_shader_free_scan_descriptor_info(
   struct vkd3d_shader_scan_descriptor_info *info)
{
   free(info->descriptors);
   info->descriptors = NULL;
   info->descriptor_count = 0;
}
