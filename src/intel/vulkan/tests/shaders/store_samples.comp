#version 450
/* A group for each sample of each of three layers: what it stores, adds to it
 * and reads back; what the image says of itself. A store below the image is
 * in no other layer, either. */
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0, r32ui) uniform uimage2DMSArray image;
layout(binding = 1, rgba8ui) uniform uimage2DMS small;
layout(std430, binding = 2) buffer Out
{
   uint size[4];
   uint before[3 * 16 * 256];
   uvec4 bytes[16 * 256];
};

void
main()
{
   const ivec2 at = ivec2(gl_LocalInvocationID.xy);
   const int samples = imageSamples(image);
   const int number = int(gl_WorkGroupID.x);
   const int layer = number / samples, s = number % samples;
   const int texel = at.y * 16 + at.x;
   const uint value = 1000 * number + texel;
   imageStore(image, ivec3(at.x, at.y + 16, layer), s, uvec4(1));
   imageStore(image, ivec3(at, layer), s, uvec4(value));
   before[number * 256 + texel] =
      imageAtomicAdd(image, ivec3(at, layer), s, 7);
   if (layer == 0) {
      imageStore(small, at, s, uvec4(at, s, 9));
      bytes[s * 256 + texel] = imageLoad(small, at, s);
   }
   if (number + texel == 0)
      size = uint[4](imageSize(image).x, imageSize(image).y,
                     imageSize(image).z, imageSamples(small));
}
