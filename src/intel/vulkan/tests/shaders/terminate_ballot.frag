#version 450
#extension GL_EXT_terminate_invocation : require
#extension GL_KHR_shader_subgroup_ballot : require
/* What the right one of two pixels sees of the left one and of itself. */
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) buffer Result { uint result[2]; };

void main()
{
   if (int(gl_FragCoord.x) == 0)
      terminateInvocation;
   const uvec4 ballot = subgroupBallot(true);
   const uint self = gl_SubgroupInvocationID;
   result[0] = subgroupBallotBitExtract(ballot, self - 1) ? 1 : 0;
   result[1] = subgroupBallotBitExtract(ballot, self) ? 1 : 0;
   color = vec4(1, 0, 0, 1);
}
