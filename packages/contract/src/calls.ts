// The catalogue: every call there is, by its name.
import type { Calls } from './call.ts'
import { type Join, join } from './feature.ts'
import * as features from './features.ts'

/** Every call of the product by name. */
export const calls = join<Calls>(
  Object.values(features).map((feature) => feature.calls),
  'call',
) as Join<typeof features, 'calls'>
export type CallName = keyof typeof calls
