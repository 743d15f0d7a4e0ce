#version 450
/* Push constants of 8 and 16 bits, at places that are no words. */
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint result[20]; };
layout(push_constant, scalar) uniform Constants {
   uint8_t b[6];
   int16_t h[5];
   float16_t f;
   u8vec3 v;
};

void main()
{
   const uint i = gl_LocalInvocationIndex;
   result[i] = uint(b[i % 6]);
   result[8 + i] = uint(int(h[i % 5]));
   if (i > 0)
      return;
   result[16] = uint(b[3]);
   result[17] = uint(int(h[1]));
   result[18] = floatBitsToUint(float(f));
   result[19] = uint(v.x) | uint(v.y) << 8 | uint(v.z) << 16;
}
