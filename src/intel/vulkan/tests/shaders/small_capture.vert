#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(xfb_buffer = 0, xfb_offset = 0, xfb_stride = 4, location = 0)
   out f16vec2 small;

void main()
{
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1;
   small = f16vec2(vec2(1, 2) * (gl_InstanceIndex + 1));
}
