#version 450
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
/* What rounds of a loop leave for the next one, of which the first finds
 * nothing and uses nothing; and what the last rounds of a few leave. */
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Result { uint v[8]; uint result[5][8]; };

uint of_numbers(uint self, uint n)
{
   uint last, sum = 0;
   for (uint i = 0; i < n; i++) {
      uint now = i * i + self;
      if (i > 0)
         sum += now * last + (now ^ last);
      last = now;
   }
   return sum;
}

uint of_conditions(uint self, uint n)
{
   bool last;
   uint sum = 0;
   for (uint i = 0; i < n; i++) {
      uint now = v[i] * 3 + self;
      bool is_small = (now & 3) < 2;
      if (i > 0) {
         sum += last ? now : 100;
         if (is_small)
            sum += 1000;
      }
      last = is_small;
   }
   return sum;
}

uint of_products(uint self, uint n)
{
   uint last, sum = 0;
   for (uint i = 0; i < n; i++) {
      uint place = last * 5;
      uint now = v[i > 0 ? place & 7 : 0] + i + self;
      sum += (now * 5) ^ i;
      last = now;
   }
   return sum;
}

uint of_votes(uint self)
{
   bool any;
   uint i = 0;
   for (;;) {
      any = subgroupAny(self == i + 5);
      i++;
      if (self < i)
         break;
   }
   return any ? 100 : i;
}

uint of_firsts(uint self)
{
   bool above;
   for (;;) {
      uint first = subgroupBroadcastFirst(self);
      above = v[3] < first;
      if (self == first)
         break;
   }
   return above ? 1 : 0;
}

void main()
{
   const uint self = v[gl_LocalInvocationIndex];
   result[0][gl_LocalInvocationIndex] = of_numbers(self, v[7]);
   result[1][gl_LocalInvocationIndex] = of_conditions(self, v[7]);
   result[2][gl_LocalInvocationIndex] = of_products(self, v[7]);
   result[3][gl_LocalInvocationIndex] = of_votes(self);
   result[4][gl_LocalInvocationIndex] = of_firsts(self);
}
