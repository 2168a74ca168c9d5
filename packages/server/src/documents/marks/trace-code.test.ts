import { traceBits, traceFields } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { readTrace, traceLayout, traceValues, traceOf as written } from './trace-code.ts'

const traceOf = (id: string): number[] => traceBits(written(id)).map((isBluer) => (isBluer ? 1 : -1))

/** Reproducible pseudo-random numbers. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const idBy = (next: () => number): string =>
  Array.from({ length: 10 }, () => Math.floor(next() * 16).toString(16)).join('')
/** The values read from fields, each with its drawn strength and an error from `noise`. */
const softOf = (fields: ArrayLike<number>, noise: () => number): Float64Array => {
  const soft = new Float64Array(traceValues)
  for (const [field, value] of traceLayout.values.entries())
    if (value >= 0) soft[value] = (traceLayout.signs[field] ?? 0) * ((fields[field] ?? 0) + noise())
  return soft
}
const normal = (next: () => number) => (): number =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())

test('an id comes back from its fields, also where the noise is half as strong again', () => {
  const next = numbers(7)
  const noise = normal(next)
  for (let n = 0; n < 200; n += 1) {
    const id = idBy(next)
    expect(readTrace(softOf(traceOf(id), () => 1.5 * noise()))).toBe(id)
  }
})

test('about as many fields are bluer as are less blue, and half of them are the same in every mark', () => {
  const next = numbers(3)
  const one = traceOf(idBy(next))
  const other = traceOf(idBy(next))
  expect(Math.abs(one.reduce((sum, field) => sum + field, 0))).toBeLessThan(traceFields * 4)
  expect(one.filter((field, n) => field === other[n]).length).toBeGreaterThan(traceFields ** 2 / 2)
})

test('noise, and marks that are drowned in it, say nothing rather than another id', () => {
  const next = numbers(11)
  const noise = normal(next)
  const wrong: string[] = []
  for (let n = 0; n < 1000; n += 1) {
    const id = idBy(next)
    const strength = n % 4
    const read = readTrace(softOf(traceOf(id), () => (strength === 0 ? 1e6 : 2 + strength) * noise()))
    if (read !== undefined && read !== id) wrong.push(read)
  }
  expect(wrong).toEqual([])
})
