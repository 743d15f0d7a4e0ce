#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(location = 0) in vec4 position;
layout(location = 1) in f16vec4 halves;
layout(location = 2) in i16vec2 shorts;
layout(location = 3) in uint16_t word;
layout(location = 0) out f16vec4 shade;
layout(location = 1) flat out i16vec2 numbers;
layout(location = 2) flat out uint16_t natural;

void main()
{
   gl_Position = position;
   shade = f16vec4(vec4(halves) * 0.5);
   numbers = shorts - i16vec2(1);
   natural = word + uint16_t(1);
}
