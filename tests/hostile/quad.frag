#version 450
layout(location = 0) in vec2 coord;
layout(set = 0, binding = 1) uniform sampler2D tex;
layout(push_constant) uniform Push { vec4 tint; };
layout(location = 0) out vec4 color;
void main()
{
   color = texture(tex, coord) * tint;
}
