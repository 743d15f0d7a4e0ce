#version 450
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_debug_printf : require
/* Members at offsets that no older layout has, and a word to a debugger that
 * nobody else listens to. */
layout(local_size_x = 1) in;
struct odd { float a; vec3 b; };
layout(set = 0, binding = 0, scalar) buffer Result { odd result[4]; };
layout(set = 0, binding = 1, scalar) uniform Scalar { odd tight[2]; };
layout(set = 0, binding = 2, std430) uniform Standard { float close[4]; };

void main()
{
   for (int i = 0; i < 2; i++) {
      result[i].a = tight[1 - i].a;
      result[i].b = tight[1 - i].b + close[i + 2];
      result[i + 2].a = close[i];
      result[i + 2].b = tight[i].b.zxy;
   }
   debugPrintfEXT("a is %f", tight[0].a);
}
