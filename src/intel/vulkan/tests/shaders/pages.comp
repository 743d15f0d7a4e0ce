#version 450
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
/* Each invocation has a page of its own, whose end it fills, and reads a
 * vector there that is aligned to 8 bytes alone. */
layout(local_size_x = 64) in;

layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Page {
   uvec4 v[256];
};
layout(set = 0, binding = 0) uniform Constants { uvec2 base; };

void main()
{
   const uint p = gl_GlobalInvocationID.x;
   Page page = Page(base) + p;
   for (uint k = 251; k < 256; k++)
      page.v[k] = uvec4(p, k, p ^ k, p * k);
   memoryBarrierBuffer();
   Page behind = Page(uint64_t(page) + 8);
   page.v[250] = behind.v[251];
   atomicAdd(page.v[249].x, p + 1);
   page.v[249].y = atomicExchange(page.v[255].w, 7);
}
