#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
/* For each of 16 vertices, and through a loop. */
#include "small_ints.glsl"

void main()
{
   const uint i = gl_VertexIndex;
   i8vec3 bytes = i8vec3(i, i + 100, i + 200);
   uint16_t word = uint16_t(0);
   row = i;
   for (uint k = 0; k < i; k++) {
      word += uint16_t(30011);
      bytes = bytes.yzx + i8vec3(1, 2, 3);
   }
   put(bytes.x); put(bytes.z); put(word);
   integers(int8_t(int(x[i] * 60)), int16_t(int(x[i] * 16000)));
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1;
}
