#version 450
layout(location = 0) in vec4 position;
layout(set = 0, binding = 0) uniform View { mat4 transform; vec4 shift; };
layout(push_constant) uniform Push { vec4 push[4]; };
layout(location = 0) out vec2 coord;
void main()
{
   gl_Position = transform * position + shift + push[0];
   coord = position.xy;
}
