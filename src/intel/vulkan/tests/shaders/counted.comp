#version 450
/* Groups of dispatches that are one group wide, and of others. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { uint wide, narrow; };
void main()
{
   if (gl_NumWorkGroups.x == 1)
      atomicAdd(narrow, 1);
   else
      atomicAdd(wide, 1);
}
