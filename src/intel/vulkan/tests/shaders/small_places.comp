#version 450
/* Numbers of 8 and 16 bits by address, and in shared memory that is seen as
 * bytes and as words. */
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shared_memory_block : require

layout(local_size_x = 16) in;
layout(buffer_reference, scalar, buffer_reference_align = 2) buffer Small {
   uint8_t b[17];
   uint8_t pad;
   int16_t h[17];
};
layout(set = 0, binding = 0) uniform Addresses { Small from, to; };
layout(scalar) shared Bytes { uint8_t b[32]; } bytes;
layout(scalar) shared Words { uint16_t w[16]; } words;

void main()
{
   const uint i = gl_LocalInvocationIndex;
   bytes.b[2 * i] = from.b[i];
   bytes.b[2 * i + 1] = uint8_t(i);
   barrier();
   to.b[i] = from.b[i] + from.b[i + 1];
   to.h[i] = from.h[i] * int16_t(3) + int16_t(words.w[15 - i]);
}
