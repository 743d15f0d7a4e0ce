#version 450
#extension GL_ARB_shader_viewport_layer_array : require
/* A triangle over the viewport of the instance's number. */
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 shade;
void main()
{
   gl_Position = position;
   gl_ViewportIndex = gl_InstanceIndex;
   shade = vec4(vec3((gl_InstanceIndex + 1) * 51), 255) / 255;
}
