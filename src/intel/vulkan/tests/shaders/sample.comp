#version 450
/* One sample outside of the texture, and one inside. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) buffer Result { vec4 result[]; };

void main()
{
   result[0] = textureLod(tex, vec2(-0.5), 0);
   result[1] = textureLod(tex, vec2(0.5), 0);
}
