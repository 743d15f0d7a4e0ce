#version 450
layout(location = 0) in vec4 c;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 o;
layout(location = 0, index = 1) out vec4 o2;
layout(set = 0, binding = 0) uniform sampler1D t1;
layout(set = 0, binding = 1) uniform sampler2D t2;
layout(set = 0, binding = 2) uniform sampler3D t3;
layout(set = 0, binding = 3) uniform samplerCube tc;
layout(set = 0, binding = 4) uniform sampler2DArray ta;
layout(set = 0, binding = 5) uniform sampler2DShadow ts;
layout(set = 0, binding = 6) uniform samplerCubeArrayShadow tcs;
layout(set = 0, binding = 7) uniform isampler2DMS tm;
layout(set = 0, binding = 8) uniform usamplerBuffer tb;
layout(set = 0, binding = 9) uniform sampler2D arr[4];
layout(set = 0, binding = 10) uniform texture2D sep;
layout(set = 0, binding = 11) uniform sampler smp;
vec4 through(sampler2D s, vec2 at)
{
   return texture(s, at);
}
void main()
{
   vec4 r = texture(t1, c.x) + texture(t2, c.xy, 0.5) + texture(t3, c.xyz);
   r += textureLod(tc, c.xyz, 1.0) + textureGrad(ta, c.xyz, c.xy, c.zw);
   r += textureOffset(t2, c.xy, ivec2(1, -2)) + textureProj(t2, c.xyw);
   r += texture(ts, c.xyz) + texture(tcs, c, 0.5) + textureProj(ts, c);
   r += texelFetch(t2, ivec2(k), 1) + vec4(texelFetch(tm, ivec2(k), 2));
   r += vec4(texelFetch(tb, k)) + textureGather(t2, c.xy, 2);
   r += textureGather(ts, c.xy, 0.5) + textureGatherOffset(t2, c.xy, ivec2(k));
   const ivec2 four[4] = ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, -1),
                                  ivec2(3, 4));
   r += textureGatherOffsets(t2, c.xy, four, 1);
   r.xy += textureQueryLod(t2, c.xy) + vec2(textureSize(t2, 1));
   r.x += textureQueryLevels(t3) + textureSamples(tm) + textureSize(tb);
   r += through(arr[k], c.xy) + through(t2, c.yx);
   r += texture(sampler2D(sep, smp), c.xy);
   o = r;
   o2 = c;
}
