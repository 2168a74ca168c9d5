/*
 * The rules for sensitive content on texts that people write to each other. A message is at most 2,048 characters, and
 * is matched by the process that stores it: it is refused before anybody reads it, so nothing waits for a reviewer
 * ([R256], ADR 0252).
 */
import type { Contents } from '../../core/blobs/contents.ts'
import type { Db } from '../../core/db/database.ts'
import { normalised } from '../../core/folding.ts'
import type { Services } from '../../core/services.ts'
import { createCurrentRules } from './detect.ts'
import { createDetector, hashKey, MatchTimeout } from './detector.ts'
import { createMatcher } from './matcher.ts'
import { appliesTo, judge } from './outcome.ts'
import { cachedRules, setOf } from './rules.ts'
import { extOf, readTextNow } from './texts.ts'

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

/** The time for which the content of a file is looked at; then it counts as not inspected. */
const longestLookMs = 30_000

/**
 * Returns a function that tells whether a stored content must not be sent under a name. It reads the content in a
 * process of its own and matches it in a thread, and is called outside of transactions.
 */
export function createContentCheck(
  services: Pick<Services, 'secrets' | 'now' | 'db'>,
  contents: Contents,
): (file: { readonly blobId: number; readonly name: string; readonly size: number }) => Promise<boolean> {
  const { db } = services
  const current = createCurrentRules()
  const key = hashKey(services.secrets)
  const detector = createDetector(services.secrets, services.now)
  return async ({ blobId, name, size }) => {
    const file = { ...nowhere, name, ext: extOf(name) }
    const { rules } = await current(db)
    const own = rules.filter((rule) => rule.action !== 'note' && appliesTo(rule, file))
    if (own.length === 0) return false
    const signal = AbortSignal.timeout(longestLookMs)
    const late = { outcome: 'notInspected', reason: 'time', findings: [] } as const
    const look = async () => {
      const text = await readTextNow({ db, contents }, { blobId, ext: file.ext, size }, 'extracted', signal)
      if (text === undefined || text.sections.length === 0) return { ...(text ?? late), findings: [] }
      const { findings } = await detector.match(setOf(own), text.sections, { signal })
      return { ...text, findings }
    }
    const found = await look().catch((error: unknown) => {
      if (signal.aborted || error instanceof MatchTimeout) return late
      throw error
    })
    const { action } = judge(file, own, { ...found, blobId }, key)
    return action === 'audit' || action === 'block'
  }
}
