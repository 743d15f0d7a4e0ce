#version 450
/* As sample.comp, of the texture whose number is the group's. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D tex[4];
layout(set = 0, binding = 1) buffer Result { vec4 result[]; };

void main()
{
   const uint i = gl_WorkGroupID.x;
   result[2 * i] = textureLod(tex[i], vec2(-0.5), 0);
   result[2 * i + 1] = textureLod(tex[3 - i], vec2(0.5), 0);
}
