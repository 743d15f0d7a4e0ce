#version 450
#extension GL_ARB_shader_stencil_export : require
layout(location = 0) out vec4 color;
void main()
{
   gl_FragStencilRefARB = 17 * int(gl_FragCoord.x) + 3;
   color = vec4(1);
}
