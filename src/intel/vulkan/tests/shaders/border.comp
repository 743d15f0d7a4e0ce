#version 450
/* The border of a texture of integers. */
layout(local_size_x = 1) in;
layout(binding = 0) uniform isampler2D image;
layout(binding = 1) buffer Out { ivec4 border; };

void
main()
{
   border = textureLod(image, vec2(-2, 0.5), 0);
}
