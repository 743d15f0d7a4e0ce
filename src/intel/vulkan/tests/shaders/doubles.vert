#version 450
/* Attributes of one to four doubles, which have one or two locations. */
layout(location = 0) in dvec4 four;
layout(location = 2) in dvec3 three;
layout(location = 4) in dvec2 two;
layout(location = 5) in double one;
layout(set = 0, binding = 0) buffer Result { double result[]; };

void main()
{
   for (int i = 0; i < 4; i++)
      result[i] = four[i];
   for (int i = 0; i < 3; i++)
      result[4 + i] = three[i];
   for (int i = 0; i < 2; i++)
      result[7 + i] = two[i];
   result[9] = one;
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1.0;
}
