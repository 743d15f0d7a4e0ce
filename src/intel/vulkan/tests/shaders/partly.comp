#version 450
#extension GL_EXT_samplerless_texture_functions : require
/* Of an array only what `choice` says is looked at. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { uint result, choice; };
layout(set = 0, binding = 1) uniform texture2D textures[3];

void main()
{
   result = uint(texelFetch(textures[choice], ivec2(0), 0).x * 255.0 + 0.5);
}
