#version 450
#extension GL_ARB_post_depth_coverage : require
/* Red where all four samples are left by the tests of depth. */
layout(early_fragment_tests) in;
layout(post_depth_coverage) in;
layout(location = 0) out vec4 color;

void main()
{
   color = vec4(gl_SampleMaskIn[0] == 0xf ? 1 : 0, 1, 0, 1);
}
