#version 450
/* One texture compared, asked for its size, and as it is. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2DShadow compared;
layout(set = 0, binding = 1) uniform sampler2D plain;
layout(set = 0, binding = 2) buffer Result { vec4 result[]; };

void main()
{
   result[0] = vec4(textureLod(compared, vec3(0.5), 0),
                    textureSize(compared, 0), textureQueryLevels(compared));
   result[1] = textureGather(compared, vec2(0.5), 0.5);
   result[2] = textureLod(plain, vec2(0.5), 0);
}
