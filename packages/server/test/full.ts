// Tests that run only under `npm run test:full`: slow ones about code that seldom changes.
import { inject, test } from 'vitest'

const full = inject('full')

/** Defines a test that runs only under `npm run test:full`. */
// oxlint-disable-next-line vitest/no-disabled-tests, vitest/valid-title -- what makes tests, and none itself
export const longTest = test.runIf(full)

/** Returns all cases in the full run; otherwise `count` of them, evenly spread. */
export function few<T>(count: number, cases: readonly T[]): readonly T[] {
  if (full || cases.length <= count) return cases
  return Array.from(
    { length: count },
    (_, n) => cases[Math.round((n * (cases.length - 1)) / Math.max(1, count - 1))] as T,
  )
}
