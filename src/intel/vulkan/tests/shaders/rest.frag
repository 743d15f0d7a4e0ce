#version 450
/* The last seventeen. */
layout(location = 13) in vec4 last[17];
layout(location = 0) out vec4 color;

void
main()
{
   bool good = true;
   for (int i = 0; i < 17; i++)
      good = good && last[i].xyz == vec3(4, 4, 4) * (i + 13) + vec3(0, 1, 2);
   color = good ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1);
}
