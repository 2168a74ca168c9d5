/*
 * The rules for sensitive content on texts that people write to each other. A message is at most 2,048 characters, and
 * is matched by the process that stores it: it is refused before anybody reads it, so nothing waits for a reviewer
 * ([R256], ADR 0252).
 */
import type { Db } from '../../core/db/database.ts'
import { normalised } from '../../core/folding.ts'
import type { Services } from '../../core/services.ts'
import { hashKey } from './detector.ts'
import { createMatcher } from './matcher.ts'
import { appliesTo, judge } from './outcome.ts'
import { cachedRules } from './rules.ts'

/** A message has no place and no extension: rules for certain libraries, levels or kinds of files do not apply. */
const nowhere = { name: '', ext: '', libraryId: 0, isPersonal: false, secretLevel: 0 }

/** Returns a function that tells whether a text must not be sent: a rule that asks for a review, or blocks, finds something. */
export function createTextCheck(
  services: Pick<Services, 'invalidations' | 'secrets' | 'now'>,
): (db: Db, text: string) => Promise<boolean> {
  const inForce = cachedRules(services)
  const key = hashKey(services.secrets)
  let known: { readonly set: string; readonly match: ReturnType<typeof createMatcher> } | undefined
  return async (db, text) => {
    const { rules, set } = await inForce(db)
    const own = rules.filter((rule) => rule.action !== 'note' && rule.types.length === 0 && appliesTo(rule, nowhere))
    if (own.length === 0 || text === '') return false
    if (known?.set !== set.name) known = { set: set.name, match: createMatcher(set.rules, key) }
    const findings = known.match([{ text: normalised(text) }], new Date(services.now()))
    const { action } = judge(nowhere, own, { outcome: 'inspected', reason: '', findings, blobId: 0 }, key)
    return action === 'audit' || action === 'block'
  }
}
