#version 450
/* As border.comp; the type of lookups is that of the format. */
layout(local_size_x = 1) in;
layout(binding = 0) uniform usampler2D image;
layout(binding = 1) buffer Out { uvec4 border; };

void
main()
{
   border = textureLod(image, vec2(-2, 0.5), 0);
}
