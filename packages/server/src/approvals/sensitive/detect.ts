// The jobs that match contents against the rules, and the rules and texts that they use.
import { sql } from 'kysely'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Db } from '../../core/db/database.ts'
import { type Job, job } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { readConcurrency } from '../../documents/index.ts'
import { type AskedDetection, detectDocument, detectLarge, detectSmall, storeResult } from './check.ts'
import { type Detector, MatchTimeout } from './detector.ts'
import type { Finding } from './matcher.ts'
import type { LeftOut, Outcome } from './outcome.ts'
import { type ActiveRules, activeOf, readRules } from './rules.ts'
import { failureReason, hasCells, type ReadText, readText } from './texts.ts'

export interface Detecting {
  readonly db: Db
  readonly contents: Contents
  readonly detector: Detector
  /** The key of the hashes of values. */
  readonly key: Uint8Array
}

/** What was found in a content. */
export interface Detected extends Outcome {
  readonly findings: readonly Finding[]
  readonly left: readonly LeftOut[]
  readonly ms: number
  readonly isWhole: boolean
  /** The name of the set of rules. */
  readonly set: string
}

/**
 * The rules in force, read again only after a change; also in work that follows no notifications. With the name of a set
 * the one that was read last is taken unasked if it is this set: whoever stores a result compares it with the rules then.
 */
export type CurrentRules = (db: Db, set?: string) => Promise<ActiveRules>

export function createCurrentRules(): CurrentRules {
  let known: { readonly stamp: string; readonly active: ActiveRules } | undefined
  return async (db, set) => {
    if (known !== undefined && known.active.set.name === set) return known.active
    const { rows } = await sql<{ stamp: string }>`
      select concat(count(*), ' ', max(changed_at), ' ', sum(version), ' ', count(deleted_at)) as stamp
      from sensitive_rule`.execute(db)
    const stamp = rows[0]?.stamp ?? ''
    if (known?.stamp !== stamp) known = { stamp, active: activeOf(await readRules(db)) }
    return known.active
  }
}

/** Reads a content and matches it. Undefined if it is gone. */
export async function detect(
  { db, contents, detector }: Omit<Detecting, 'key'>,
  content: { readonly blobId: number; readonly ext: string; readonly size: number },
  { set }: ActiveRules,
  signal?: AbortSignal,
): Promise<(Detected & { readonly text: ReadText }) | undefined> {
  const how = signal === undefined ? {} : { signal }
  let text = await readText({ db, contents }, content, 'extracted', signal)
  if (text === undefined) return undefined
  if (text.sections.length === 0) return { ...text, findings: [], ms: 0, set: set.name, text }
  let found = await detector.match(set, text.sections, how)
  // The places of hits in a sheet are its cells, which the extracted text does not tell.
  if (found.findings.length > 0 && hasCells(content.ext) && !text.sections.some(({ cells }) => cells !== undefined)) {
    const whole = await readText({ db, contents }, content, 'whole', signal)
    if (whole !== undefined && whole.outcome !== 'notInspected') {
      text = whole
      found = await detector.match(set, whole.sections, how)
    }
  }
  const { outcome, reason, left, isWhole } = text
  return { outcome, reason, left, isWhole, set: set.name, ...found, text }
}

/** The job kinds: short texts, documents, and all others. */
export function detectJobs(detecting: Detecting, current: CurrentRules): Job<AskedDetection>[] {
  const { db, key } = detecting
  const of = (kind: JobKind<AskedDetection>, concurrency: number): Job<AskedDetection, Detected | undefined> =>
    job<AskedDetection, Detected | undefined>({
      ...(kind as JobKind<AskedDetection, Detected | undefined>),
      attempts: 3,
      concurrency,
      newestFirst: true,
      timeoutMs: 150_000,
      backoffMs: () => 1000,
      async run({ attempt, signal }, { blobId, ext, set: askedSet }) {
        const content = await db.selectFrom('blob').select('size').where('id', '=', blobId).executeTakeFirst()
        if (content === undefined) return undefined
        try {
          const found = await detect(
            detecting,
            { blobId, ext, size: content.size },
            await current(db, askedSet),
            signal,
          )
          if (found === undefined) return undefined
          const { text: _text, ...detected } = found
          return detected
        } catch (error) {
          if (signal.aborted || attempt < 3) throw error
          const reason = error instanceof MatchTimeout ? 'time' : (failureReason(error) ?? 'failed')
          const { set } = await current(db)
          return { outcome: 'notInspected', reason, findings: [], left: [], ms: 0, isWhole: true, set: set.name }
        }
      },
      async commit(write, asked, result) {
        if (result === undefined) return
        await storeResult(write, asked, result, await current(write.tx), key)
      },
    })
  return [of(detectSmall, 2), of(detectDocument, readConcurrency), of(detectLarge, 1)] as Job<AskedDetection>[]
}
