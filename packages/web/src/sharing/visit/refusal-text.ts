import type { Say } from './labels.ts'
import { Refused, refusals } from './visitor-api.ts'

/** Why something was not kept, in words. */
export function refusedWords(say: Say, error: unknown): string {
  if (error instanceof Refused && error.result === refusals.conflict) return say('conflict')
  if (error instanceof Refused && error.result === refusals.locked) return say('locked')
  return say('failed', { why: error instanceof Error ? error.message : '' })
}
