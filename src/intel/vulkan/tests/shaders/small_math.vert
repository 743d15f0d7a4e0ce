#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
/* For each of 16 vertices: in arrays, through a loop and by a select. */
#include "small_math.glsl"

void main()
{
   const uint i = gl_VertexIndex;
   const float16_t a = float16_t(x[i]), b = float16_t(x[16 + i]);
   const int8_t c = int8_t(int(x[i] * 60));
   const int16_t s = int16_t(int(x[i] * 16000));
   float16_t table[7];
   i8vec3 bytes = i8vec3(i, i + 100, i + 200);
   uint16_t word = uint16_t(0);
   row = i;
   for (uint k = 0; k < 7; k++)
      table[k] = a * float16_t(k);
   for (uint k = 0; k < i; k++) {
      word += uint16_t(30011);
      bytes = bytes.yzx + i8vec3(1, 2, 3);
   }
   put(table[i % 7]); put(bytes.x); put(bytes.z); put(word);
   floats(a, b);
   integers(c, s);
   products(a);
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1;
}
