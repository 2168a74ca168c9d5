// What `npm test` leaves to `npm run test:full`: what takes long, and is about what seldom changes.
import { inject, test } from 'vitest'

const full = inject('full')

/** A test of `npm run test:full` alone. */
// oxlint-disable-next-line vitest/no-disabled-tests, vitest/valid-title -- what makes tests, and none itself
export const longTest = test.runIf(full)

/** All cases in full, otherwise so many, spread from the first to the last. */
export function few<T>(count: number, cases: readonly T[]): readonly T[] {
  if (full || cases.length <= count) return cases
  return Array.from(
    { length: count },
    (_, n) => cases[Math.round((n * (cases.length - 1)) / Math.max(1, count - 1))] as T,
  )
}
