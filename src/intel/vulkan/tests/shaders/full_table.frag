#version 450
/* As many resources as a stage has of these kinds, each of which counts. */
layout(set = 0, binding = 0) uniform U { uint v; } u[64];
layout(set = 0, binding = 1) buffer S { uint v; } s[64];
layout(set = 0, binding = 2) uniform utexture2D t[32];
layout(set = 0, binding = 3) uniform sampler any;
layout(set = 0, binding = 4, r32ui) uniform uimage2D image[32];
layout(location = 0) out vec4 color;

void main()
{
   uint sum = 0;
   for (uint i = 0; i < 64; i++) {
      sum += u[i].v * (i + 1);
      s[i].v += sum;
   }
   for (uint i = 0; i < 32; i++) {
      sum += texelFetch(usampler2D(t[i], any), ivec2(0), 0).x * (i + 1);
      const uint old = imageLoad(image[i], ivec2(0)).x;
      imageStore(image[i], ivec2(0), uvec4(old + sum));
   }
   color = vec4(1);
}
