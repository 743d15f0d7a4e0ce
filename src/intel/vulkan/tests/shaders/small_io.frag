#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(location = 0) in f16vec4 shade;
layout(location = 1) flat in i16vec2 numbers;
layout(location = 2) flat in uint16_t natural;
layout(location = 0) out f16vec4 color;

void main()
{
   const bool right =
      numbers == i16vec2(-301, 32767) && natural == uint16_t(60001);
   color = f16vec4(right ? vec4(shade) : vec4(0));
}
