#version 450
// Ifs, loops that end early, an array with an index, integers.
in vec4 position;
in vec4 weights;
uniform float limit;
out vec4 color;
out float steps;

float
pick(vec4 v, int i)
{
   return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

void
main()
{
   float values[4] = float[4](weights.x, weights.y, weights.z, weights.w);
   float sum = 0.0;
   int n = 0;
   for (int i = 0; i < 12; i++) {
      if (sum > limit)
         break;
      if (values[i % 4] < 0.0)
         continue;
      sum += values[i % 4] * float(i + 1);
      values[(i + 1) % 4] -= 0.25;
      n++;
   }
   while (n > 4 && sum < 100.0) {
      sum = sum * 1.5 + 1.0;
      n -= 2;
   }
   color = sum > 10.0 ? vec4(sum, pick(weights, n), fract(sum), 1.0)
                      : mod(weights, 3.0);
   steps = float(n);
   gl_Position = position;
}
