#version 450
#extension GL_EXT_samplerless_texture_functions : require
/* One index into arrays of each kind of resource, with others behind them in
 * the order in which they are used. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { uint index, result[4]; };
layout(set = 0, binding = 1) uniform utexture2D textures[2];
layout(set = 0, binding = 2, r32ui) uniform uimage2D images[2];
layout(set = 0, binding = 3) uniform Constant { uint value; } constants[2];
layout(set = 0, binding = 4) buffer Counter { uint count; } counters[2];
layout(set = 0, binding = 5) buffer Other { uint other[2]; };

void main()
{
   result[0] = texelFetch(textures[index], ivec2(0), 0).x;
   result[1] = imageLoad(images[index], ivec2(0)).x;
   result[2] = constants[index].value;
   result[3] = counters[index].count;
   counters[index].count = 7;
   other[1] = other[0];
}
