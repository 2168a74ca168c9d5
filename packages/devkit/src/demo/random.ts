/**
 * Deterministic random numbers: the same seed gives the same values on every machine (mulberry32, seeded by FNV-1a of a
 * text).
 */
export interface Random {
  /** Returns an integer from low to high, both inclusive. */
  whole(low: number, high: number): number
  pick<T>(list: readonly T[]): T
}

export function random(seed: string): Random {
  let state = 2166136261
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    whole,
    pick(list) {
      const item = list[whole(0, list.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}
