#version 450
/* How many bytes there are, and each before it is overwritten. */
#extension GL_EXT_shader_8bit_storage : require

layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Bytes { uint8_t bytes[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };

void main()
{
   const uint i = gl_LocalInvocationIndex;
   result[i] = uint(bytes[i]) + 256 * bytes.length();
   bytes[i] = uint8_t(i);
}
