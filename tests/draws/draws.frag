#version 450
layout(constant_id = 0) const int NUMBER = 0;
layout(location = 0) in vec2 coord;
layout(set = 0, binding = 1) uniform sampler2D tex;
layout(set = 0, binding = 2) uniform Lights { vec4 light[8]; };
layout(push_constant) uniform Push { vec4 push[4]; };
layout(location = 0) out vec4 color;
void main()
{
   const vec3 normal = normalize(vec3(coord, float(NUMBER) + 0.5));
   const float d = max(dot(normal, light[0].xyz), 0.0);
   color = texture(tex, coord) * push[1];
   for (int i = 0; i < 4; i++)
      color.rgb += light[i].rgb * pow(d, float(i + NUMBER));
}
