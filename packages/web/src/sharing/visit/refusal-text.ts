import type { Labels } from './labels.ts'
import { refusals, VisitRefused } from './visitor-api.ts'

/** Returns why a file was not saved, as text. */
export function refusalText(say: Labels, error: unknown): string {
  if (error instanceof VisitRefused && error.result === refusals.conflict) return say('conflict')
  if (error instanceof VisitRefused && error.result === refusals.locked) return say('locked')
  return say('failed', { why: error instanceof Error ? error.message : '' })
}
