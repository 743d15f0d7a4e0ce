#version 450
#extension GL_ARB_sparse_texture_clamp : require
/* The level that a least one leads to, pixel by pixel: by each two rows another
 * way. Gradients ask for the first level, those of the last rows for the
 * second. */
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) uniform sampler2DArray layers;
layout(location = 0) out vec4 color;

void main()
{
   const float least = floor(gl_FragCoord.x) * 0.5;
   const vec2 at = vec2(0.5), none = vec2(0), two = vec2(0.25, 0);
   switch (int(gl_FragCoord.y) / 2) {
   case 0: color = textureClampARB(image, at, least); break;
   case 1: color = textureClampARB(image, at, least, -8.0); break;
   case 2: color = textureGradClampARB(image, at, none, none, least); break;
   case 3:
      color = textureGradOffsetClampARB(image, at, none, none, ivec2(1),
                                        least);
      break;
   case 4: color = textureClampARB(layers, vec3(at, 1), least); break;
   case 5:
      color = textureGradClampARB(layers, vec3(at, 1), none, none, least);
      break;
   default:
      color = textureGradOffsetClampARB(image, at, two, none, ivec2(1),
                                        least);
      break;
   }
}
