#version 450
#extension GL_ARB_shader_texture_image_samples : require
layout(binding = 0) uniform sampler2DMS image;
layout(std430, binding = 1) buffer Out { int samples; };

void
main()
{
   samples = textureSamples(image);
}
