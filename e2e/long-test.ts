import { inject, test } from 'vitest'

/** A journey of `npm run test:full` alone: what seldom changes, or is seen at a lower tier as well. */
// oxlint-disable-next-line vitest/no-disabled-tests, vitest/valid-title -- what makes tests, and none itself
export const longTest = test.runIf(inject('full'))
