#version 450
layout(set = 0, binding = 4) buffer In { uint in_words[]; };
layout(set = 0, binding = 5) buffer Out { uint out_words[]; };

void main()
{
   out_words[0] = in_words[0] + 1u;
}
