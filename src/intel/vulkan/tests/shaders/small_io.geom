#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in f16vec4 shade_in[];
layout(location = 1) flat in i16vec2 numbers_in[];
layout(location = 2) flat in uint16_t natural_in[];
layout(location = 0) out f16vec4 shade;
layout(location = 1) flat out i16vec2 numbers;
layout(location = 2) flat out uint16_t natural;

void main()
{
   for (int i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
      shade = f16vec4(vec4(shade_in[i]) + 0.5);
      numbers = numbers_in[i];
      natural = natural_in[i];
      EmitVertex();
   }
}
