/*
 * The invisible mark: an id of forty bits as a square of 32 by 32 fields. Each field makes the blue of the content
 * below it a little weaker or stronger. The square is tiled over the whole area, so that any part of a screenshot
 * contains it. Half of the fields are the same in every mark and serve to find it. The other half encode the id and its
 * checksum, each bit in many fields (a convolutional code of rate 1/7 over nine bits), so that it is readable even if
 * most are hidden.
 */

import { traceFields } from '@cloudoc/domain'

const idBits = 40
const sumBits = 24
const bits = idBits + sumBits
const memory = 8
const states = 1 << memory
const polynomials = [0o463, 0o535, 0o733, 0o745, 0o557, 0o663, 0o711]
const steps = bits + memory

/** Number of soft values that encode an id. */
export const traceValues = steps * polynomials.length

/** Deterministic pseudo-random numbers (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** The role of each field of the square. */
export interface TraceLayout {
  /** 1 or -1: the field's sign for the value 1. */
  readonly signs: Int8Array
  /** Which value the field encodes; -1 if it is the same in every mark. */
  readonly values: Int16Array
}

function layOut(): TraceLayout {
  const next = numbers(0x1d0c)
  const count = traceFields * traceFields
  const order = Array.from({ length: count }, (_, n) => n)
  for (let n = count - 1; n > 0; n -= 1) {
    const other = next() % (n + 1)
    ;[order[n], order[other]] = [order[other] ?? 0, order[n] ?? 0]
  }
  const values = new Int16Array(count).fill(-1)
  for (const [n, field] of order.slice(0, traceValues).entries()) values[field] = n
  const signs = Int8Array.from({ length: count }, () => ((next() & 1) === 1 ? 1 : -1))
  return { signs, values }
}
export const traceLayout = layOut()

/** CRC-24 (OpenPGP). */
function sumOf(word: readonly number[]): number[] {
  let sum = 0xb704ce
  for (const bit of word) {
    const top = (sum >>> (sumBits - 1)) ^ bit
    sum = ((sum << 1) & 0xffffff) ^ (top === 1 ? 0x864cfb : 0)
  }
  return Array.from({ length: sumBits }, (_, n) => (sum >>> (sumBits - 1 - n)) & 1)
}

function parity(value: number): number {
  let folded = value ^ (value >> 8)
  folded ^= folded >> 4
  folded ^= folded >> 2
  return (folded ^ (folded >> 1)) & 1
}

/** The encoder's output, as 1 and -1, for each state of its nine-bit register. */
const coderOutput = Array.from({ length: states * 2 }, (_, register) =>
  polynomials.map((polynomial) => (parity(register & polynomial) === 1 ? 1 : -1)),
)

function encoded(word: readonly number[]): number[] {
  let register = 0
  return [...word, ...Array.from({ length: memory }, () => 0)].flatMap((bit) => {
    register = ((register << 1) | bit) & (states * 2 - 1)
    return coderOutput[register] ?? []
  })
}

/** The fields of the mark of an id, in the format of domain/watermarks.ts. */
export function traceOf(id: string): string {
  const word = [...id].flatMap((digit) => [3, 2, 1, 0].map((n) => (Number.parseInt(digit, 16) >> n) & 1))
  const values = encoded([...word, ...sumOf(word)])
  const { signs, values: at } = traceLayout
  const fields = Array.from(signs, (sign, field) =>
    (at[field] ?? -1) < 0 ? sign : sign * (values[at[field] ?? 0] ?? 1),
  )
  return Array.from({ length: fields.length / 4 }, (_, n) =>
    fields
      .slice(n * 4, n * 4 + 4)
      .reduce((digit, field) => digit * 2 + (field > 0 ? 1 : 0), 0)
      .toString(16),
  ).join('')
}

/** Decodes soft values to the most likely word (Viterbi). */
function decoded(soft: Float64Array): number[] {
  let metric = new Float64Array(states).fill(Number.NEGATIVE_INFINITY)
  metric[0] = 0
  const came: Uint8Array[] = []
  for (let step = 0; step < steps; step += 1) {
    const next = new Float64Array(states).fill(Number.NEGATIVE_INFINITY)
    const from = new Uint8Array(states)
    for (let register = 0; register < states * 2; register += 1) {
      // The encoder is terminated with zeros.
      if (step >= bits && (register & 1) === 1) continue
      let gain = metric[register >> 1] ?? 0
      if (gain === Number.NEGATIVE_INFINITY) continue
      const values = coderOutput[register] ?? []
      for (let n = 0; n < polynomials.length; n += 1)
        gain += (values[n] ?? 0) * (soft[step * polynomials.length + n] ?? 0)
      const to = register & (states - 1)
      if (gain > (next[to] ?? 0)) {
        next[to] = gain
        from[to] = register >> memory
      }
    }
    metric = next
    came.push(from)
  }
  const word: number[] = []
  let state = 0
  for (const from of came.toReversed()) {
    word.push(state & 1)
    state = (state >> 1) | ((from[state] ?? 0) << (memory - 1))
  }
  return word.toReversed().slice(0, bits)
}

/** Decodes the id from soft values; undefined if the checksum does not match. */
export function readTrace(soft: Float64Array): string | undefined {
  const word = decoded(soft)
  const id = word.slice(0, idBits)
  if (sumOf(id).some((bit, n) => bit !== word[idBits + n])) return undefined
  return Array.from({ length: idBits / 4 }, (_, n) =>
    id
      .slice(n * 4, n * 4 + 4)
      .reduce((digit, bit) => digit * 2 + bit, 0)
      .toString(16),
  ).join('')
}
