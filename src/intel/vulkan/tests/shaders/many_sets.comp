#version 450
/* A value of some of 32 sets, among them the last. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { uint result[]; };
layout(set = 1, binding = 0) uniform Value1 { uint value1; };
layout(set = 8, binding = 0) uniform Value8 { uint value8; };
layout(set = 15, binding = 0) uniform Value15 { uint value15; };
layout(set = 30, binding = 0) uniform Value30 { uint value30; };
layout(set = 31, binding = 0) buffer Value31 { uint value31; };

void main()
{
   result[0] = value1;
   result[1] = value8;
   result[2] = value15;
   result[3] = value30;
   result[4] = value31;
}
