#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
/* Attributes of one to four integers of 64 bits with a sign. */
layout(location = 0) in i64vec4 four;
layout(location = 2) in i64vec3 three;
layout(location = 4) in i64vec2 two;
layout(location = 5) in int64_t one;
layout(set = 0, binding = 0) buffer Result { int64_t result[]; };

void main()
{
   for (int i = 0; i < 4; i++)
      result[i] = four[i];
   for (int i = 0; i < 3; i++)
      result[4 + i] = three[i];
   for (int i = 0; i < 2; i++)
      result[7 + i] = two[i];
   result[9] = one;
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1.0;
}
