#version 450
#extension GL_EXT_shader_image_load_formatted : require
#extension GL_EXT_samplerless_texture_functions : require
/* One binding, whose elements are of four types. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { uint result[4]; };
layout(set = 0, binding = 1) buffer Store { uint value; } stores[4];
layout(set = 0, binding = 1) uniform Constant { uint value; } constants[4];
layout(set = 0, binding = 1) uniform utexture2D textures[4];
layout(set = 0, binding = 1) uniform readonly uimage2D images[4];

void main()
{
   result[0] = atomicAdd(stores[0].value, 1);
   result[1] = constants[1].value;
   result[2] = texelFetch(textures[2], ivec2(1, 0), 0).x;
   /* The format is not said, so that alpha comes by what the record says. */
   const uvec4 texel = imageLoad(images[3], ivec2(1, 0));
   result[3] = texel.x * texel.w;
}
