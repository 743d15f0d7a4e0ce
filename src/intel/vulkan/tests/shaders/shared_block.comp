#version 450
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_scalar_block_layout : require
/* Two blocks lie over each other. */
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Result { uint result[8]; };
shared Floats { layout(offset = 16) vec4 f[8]; float after; } floats;
layout(scalar) shared Words { uint head[4]; uint w[8][4]; uint after; } words;

void main()
{
   const uint i = gl_LocalInvocationIndex;
   floats.f[i] = vec4(1, 2, 4, float(i));
   if (i == 0)
      floats.after = 8;
   barrier();
   const uint k = 7 - i;
   result[i] = words.w[k][3] == floatBitsToUint(float(k)) &&
               words.w[k][2] == floatBitsToUint(4.0) ? words.after : 0;
}
