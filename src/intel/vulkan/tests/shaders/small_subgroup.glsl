/* What the invocations of a subgroup have together. */
void together(int8_t c, int16_t s)
{
   put(subgroupShuffleXor(c, 1u));
   put(subgroupMax(s)); put(subgroupMin(uint8_t(c)));
   put(subgroupAdd(uint16_t(s)));
   put(subgroupExclusiveMin(c)); put(subgroupExclusiveMax(s));
}
