import { inject, test } from 'vitest'

/**
 * A journey that runs only under `npm run test:full`: it covers code that seldom changes, or that a lower tier covers
 * as well.
 */
// oxlint-disable-next-line vitest/no-disabled-tests, vitest/valid-title -- what makes tests, and none itself
export const longTest = test.runIf(inject('full'))
