/*
 * The check of files. A new version gets a check in the transaction of its upload, which waits for nothing. An event
 * reader asks for the text of its content, a job matches it once per content and set of rules, and every check of the
 * content is decided in the transaction that ends the job. A check always ends: what takes too long, cannot be read or
 * fails again and again is decided as not inspected, with the reason.
 */
import {
  documentKind,
  extNameOf,
  ItemStatusBit,
  mainServerId,
  OperateType,
  ResultError,
  SensitiveAudit,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import { z } from 'zod'
import type { ItemRow } from '../../core/access.ts'
import type { Tx } from '../../core/db/database.ts'
import { type ItemEvent, type NewEvent, personal, writeEvents } from '../../core/events.ts'
import type { StoredEvent } from '../../core/push/index.ts'
import type { Write } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { enqueueAll } from '../../core/queue/rows.ts'
import { itemEvent } from '../../drive/tree/index.ts'
import { isTextSearchable, requestText } from '../../search/items/index.ts'
import { closeReview, launchFor } from '../review/index.ts'
import { mostSmall } from './detector.ts'
import { holdersOf, release, restrict, restricted, sensitiveReview } from './kind.ts'
import { type NewLogEntry, writeLog } from './log.ts'
import type { Finding } from './matcher.ts'
import { judge, type Outcome, type Verdict } from './outcome.ts'
import type { ActiveRules } from './rules.ts'

const Asked = z.strictObject({ blobId: z.int(), ext: z.string(), set: z.string(), text: z.string() })
/** A content to match against a set of rules; `text` identifies its extracted text. */
export type AskedDetection = z.output<typeof Asked>

const keyOf = ({ blobId, ext, set, text }: AskedDetection): string => `${blobId}-${kindOf(ext)}-${set}-${text}`
/** Matching of small texts, of documents, which are read in a process, and of everything else: none waits for another. */
export const detectSmall: JobKind<AskedDetection> = { name: 'sensitive content', input: Asked, key: keyOf }
export const detectDocument: JobKind<AskedDetection> = { ...detectSmall, name: 'sensitive content of documents' }
export const detectLarge: JobKind<AskedDetection> = { ...detectSmall, name: 'sensitive content of long texts' }
/** The names of the jobs that match contents. */
export const detectionNames = [detectSmall.name, detectDocument.name, detectLarge.name]

/** The kind of document that a content is read as. */
export const kindOf = (ext: string): string => documentKind(ext) ?? ''

/** Whether the content is read with all files in it, and not only its own text. */
export const isContainer = (ext: string): boolean => ['archive', 'mail'].includes(kindOf(ext))

const withHidden = new Set(['docx', 'xlsx', 'pptx', 'odf', 'doc', 'xls', 'ppt', 'pdf'])

/** Whether the content is read anew for what it contains beside the text that search finds. */
export const isReadWhole = (ext: string): boolean => isContainer(ext) || withHidden.has(kindOf(ext))

/** Whether the check uses the text of search; of a PDF the scanned pages. It does not wait for that of a picture. */
const usesText = (ext: string): boolean => !isReadWhole(ext) || kindOf(ext) === 'pdf'

/** Tries before a check is decided without its content. */
const mostTries = 3
const patienceMs = 2 * 60_000
const sweepBatch = 200

const bringing = new Set<number>([
  OperateType.add,
  OperateType.edit,
  OperateType.copy,
  OperateType.restore,
  OperateType.rename,
])

/** The files among changes that may have a new content or name. */
export const changedFiles = (events: readonly ItemEvent[]): number[] => [
  ...new Set(
    events.flatMap(({ fType, isLink, operateType, itemId }) =>
      fType === 1 && isLink !== true && bringing.has(operateType) ? [itemId] : [],
    ),
  ),
]

/**
 * Adds checks for the current versions of files and shows that they are being checked. A version that has a check gets
 * none again, unless its file was renamed and nothing had been found. Without a rule in force there is none. The rules
 * are read here, in the transaction: a small upload comes with a session that is not validated before it, so what its
 * process remembers of them may be old.
 */
export async function addChecks(tx: Tx, itemIds: readonly number[], now: number): Promise<void> {
  if (itemIds.length === 0) return
  await sql`
    with fresh as (
      insert into sensitive_file (item_id, version, blob_id, name, uploader_id, state, pending, pending_since, created_at)
      select i.id, i.version, v.blob_id, i.name, v.created_by, 'detecting', true, ${now}, ${now}
      from item i join version v on v.item_id = i.id and v.number = i.version
      where i.id = any(${[...itemIds]}) and i.f_type = 1 and i.link_to is null and not i.purged
        and exists (select 1 from sensitive_rule r where r.deleted_at is null and r.rule->'enabled' = 'true')
      on conflict (item_id, version) do update set name = excluded.name, pending = true, state = 'detecting',
        pending_since = excluded.pending_since, tries = 0
        where sensitive_file.name <> excluded.name and sensitive_file.state in ('clean', 'noted')
      returning item_id
    )
    update item set status = status | ${ItemStatusBit.auditDetecting}::int where id in (select item_id from fresh)`.execute(
    tx,
  )
}

/** Adds checks for the files in copied folders, whose events name only the folders. */
export async function addChecksBelow(tx: Tx, folderIds: readonly number[], now: number): Promise<number[]> {
  if (folderIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with recursive below as (
      select id, f_type from item where parent_id = any(${[...folderIds]}) and deleted_at is null
      union all
      select i.id, i.f_type from below b join item i on i.parent_id = b.id
      where b.f_type = 2 and i.deleted_at is null and i.link_to is null
    )
    select id from below where f_type = 1`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await addChecks(tx, ids, now)
  return ids
}

interface PendingRow {
  readonly blob_id: number
  readonly name: string
  readonly size: number
  /** Identifies the extracted text; null if there is none yet. */
  readonly text: string | null
  readonly letters: number | null
  readonly known_set: string | null
  readonly known_text: string | null
}

/** What is known of the contents of pending checks: by items, or by contents. */
const pendingContents = (which: ReturnType<typeof sql>) => sql<PendingRow>`
  select distinct on (f.blob_id, f.name) f.blob_id, f.name, b.size, md5(c.sections::text) as text,
    length(c.text) as letters, null::text as known_set, null::text as known_text
  from sensitive_file f join blob b on b.id = f.blob_id left join content_text c on c.blob_id = f.blob_id
  where f.pending and ${which}`

/**
 * Goes on with pending checks: decides those whose content has been matched already, matches those whose text is there,
 * and asks for the text of the others.
 */
export async function advance(
  { tx, now }: Write,
  which: { readonly itemIds: readonly number[] } | { readonly blobIds: readonly number[] },
  active: ActiveRules,
  key: Uint8Array,
  force = false,
): Promise<readonly NewEvent[]> {
  const { rules: inForce, set } = active
  const some =
    'itemIds' in which ? sql`f.item_id = any(${[...which.itemIds]})` : sql`f.blob_id = any(${[...which.blobIds]})`
  const { rows } = await pendingContents(some).execute(tx)
  if (rows.length === 0) return []
  const blobIds = [...new Set(rows.map(({ blob_id }) => blob_id))]
  const results = await sql<{ blob_id: number; kind: string; rule_set: string; text_key: string }>`
    select blob_id, kind, rule_set, text_key from sensitive_result where blob_id = any(${blobIds})`.execute(tx)
  const known = new Map(results.rows.map((row) => [`${row.blob_id} ${row.kind}`, row]))
  const [small, documents, large]: [AskedDetection[], AskedDetection[], AskedDetection[]] = [[], [], []]
  const events: NewEvent[] = []
  let isTextMissing = false
  for (const { blob_id: blobId, name, size, text, letters } of rows) {
    const ext = extNameOf(name).toLowerCase()
    const needsText = size > 0 && usesText(ext) && isTextSearchable(ext)
    const textKey = usesText(ext) ? (text ?? (needsText ? 'none' : 'own')) : 'own'
    const result = known.get(`${blobId} ${kindOf(ext)}`)
    if (inForce.length === 0 || (result?.rule_set === set.name && (result.text_key === textKey || text === null))) {
      events.push(...(await decideChecks({ tx, now }, blobId, kindOf(ext), active, key)))
    } else if (needsText && text === null && !force) {
      isTextMissing = true
    } else {
      const asked = { blobId, ext, set: set.name, text: textKey }
      if (isContainer(ext)) large.push(asked)
      else if (isReadWhole(ext)) documents.push(asked)
      else ((letters ?? 0) <= mostSmall ? small : large).push(asked)
    }
  }
  for (const [kind, asked] of [
    [detectSmall, small],
    [detectDocument, documents],
    [detectLarge, large],
  ] as const)
    if (asked.length > 0) await enqueueAll({ tx, now }, kind, asked, { retryFailed: true })
  if (isTextMissing && 'itemIds' in which) await requestText(tx, now, which.itemIds)
  return events
}

/** The text of a picture or of scanned pages was recognized after its content was checked: it is checked again. */
export async function reopen({ tx, now }: Write, blobId: number, kind: string): Promise<void> {
  if (kind !== 'picture' && kind !== 'pdf') return
  await sql`
    update sensitive_file f set pending = true, pending_since = ${now}, tries = 0
    from sensitive_result r, content_text c
    where f.blob_id = ${blobId} and not f.pending and f.state not in ('deleted', 'replaced')
      and r.blob_id = f.blob_id and c.blob_id = f.blob_id and c.kind = r.kind and c.problem is null
      and r.kind = ${kind} and r.text_key <> md5(c.sections::text)`.execute(tx)
}

/** Stores what was found in a content and decides its checks. */
export async function storeResult(
  write: Write,
  { blobId, ext, text }: AskedDetection,
  result: Outcome & {
    readonly findings: readonly Finding[]
    readonly left: readonly object[]
    readonly ms: number
    readonly isWhole: boolean
    readonly set: string
  },
  active: ActiveRules,
  key: Uint8Array,
): Promise<void> {
  const { tx, now } = write
  const { rows } = await sql`
    insert into sensitive_result (blob_id, kind, rule_set, text_key, outcome, reason, findings, whole, left_out, ms, at)
    select id, ${kindOf(ext)}, ${result.set}, ${text}, ${result.outcome}, ${result.reason},
      ${JSON.stringify(result.findings)}::jsonb, ${result.isWhole}, ${JSON.stringify(result.left)}::jsonb, ${Math.round(result.ms)}, ${now}
    from blob where id = ${blobId} for key share
    on conflict (blob_id, kind) do update set rule_set = excluded.rule_set, text_key = excluded.text_key,
      outcome = excluded.outcome, reason = excluded.reason, findings = excluded.findings, whole = excluded.whole,
      left_out = excluded.left_out, ms = excluded.ms, at = excluded.at
    returning 1`.execute(tx)
  if (rows.length === 0) return
  // The rules have changed while the content was matched: it is matched again.
  const events =
    result.set === active.set.name
      ? await decideChecks(write, blobId, kindOf(ext), active, key, result)
      : await advance(write, { blobIds: [blobId] }, active, key, true)
  await writeEvents(tx, events, now)
}

interface Check {
  readonly checkId: number
  readonly version: number
  readonly blobId: number
  readonly uploaderId: number
  readonly uploader: string
  readonly state: string
  readonly action: Verdict['action']
  readonly asked: [number, string][]
  readonly reviewId: number | null
  readonly libraryKind: string
  readonly item: ItemRow
}

interface StoredResult extends Outcome {
  readonly findings: readonly Finding[]
}

const nothingRead: StoredResult = { outcome: 'notInspected', reason: 'failed', findings: [] }

async function storedResult(tx: Tx, blobId: number, kind: string, set: string): Promise<StoredResult> {
  const { rows } = await sql<StoredResult>`
    select outcome, reason, findings from sensitive_result
    where blob_id = ${blobId} and kind = ${kind} and rule_set = ${set}`.execute(tx)
  return rows[0] ?? nothingRead
}

/** Decides the pending checks of a content by what was found in it: `found`, or what is stored. */
export async function decideChecks(
  { tx, now }: Write,
  blobId: number,
  kind: string,
  { rules, set }: ActiveRules,
  key: Uint8Array,
  found?: StoredResult,
): Promise<NewEvent[]> {
  // Items are locked in the order of every call, so that neither waits for the other.
  const { rows } = await sql<Omit<Check, 'item'> & { item: ItemRow }>`
    select f.id as "checkId", f.version, f.blob_id as "blobId", f.uploader_id as "uploaderId", a.name as uploader, f.state,
      f.action, f.asked, f.review_id as "reviewId", l.kind as "libraryKind", to_jsonb(i) as item
    from sensitive_file f join item i on i.id = f.item_id join library l on l.id = i.library_id
      join account a on a.id = f.uploader_id
    where f.blob_id = ${blobId} and f.pending order by i.id, f.id for no key update of i`.execute(tx)
  const checks = rows.filter(({ item }) => kindOf(extNameOf(item.name)) === kind)
  if (checks.length === 0) return []
  const nothingAsked: StoredResult = { ...nothingRead, outcome: 'inspected', reason: '' }
  const result = rules.length === 0 ? nothingAsked : (found ?? (await storedResult(tx, blobId, kind, set.name)))
  const [events, log]: [NewEvent[], NewLogEntry[]] = [[], []]
  for (const check of checks) {
    const { item } = check
    const file = {
      ...{ name: item.name, ext: extNameOf(item.name), libraryId: item.library_id, secretLevel: item.secret_level },
      isPersonal: check.libraryKind === 'personal',
    }
    const verdict = judge(file, rules, { ...result, blobId }, key)
    events.push(...(await conclude({ tx, now }, check, result, verdict, log)))
  }
  await writeLog(tx, now, log)
  return events
}

/** Whether earlier releases cover every value about which this verdict asks. */
async function isReleased(tx: Tx, { item, blobId }: Check, { asked, isOverflown }: Verdict): Promise<boolean> {
  if (isOverflown || asked.length === 0) return false
  const { rows } = await sql<{ rule_id: number; hash: string }>`
    select rule_id, hash from sensitive_release
    where item_id = ${item.id} or (blob_id = ${blobId} and library_id = ${item.library_id})`.execute(tx)
  const released = new Set(rows.map(({ rule_id, hash }) => `${rule_id} ${hash}`))
  return asked.every(([rule, hash]) => released.has(`${rule} ${hash}`))
}

const covers = (before: Check['asked'], after: Verdict['asked']): boolean => {
  const known = new Set(before.map((one) => one.join(' ')))
  return after.every((one) => known.has(one.join(' ')))
}

/** Ends one check: what follows for its file, its reviewers and its uploader. */
async function conclude(
  write: Write,
  check: Check,
  result: Outcome,
  verdict: Verdict,
  log: NewLogEntry[],
): Promise<NewEvent[]> {
  const { tx, now } = write
  const { item, checkId, version } = check
  const isCurrent = item.version === version
  const asks = verdict.action === 'audit' || verdict.action === 'block'
  const isOpen = ['waiting', 'disapproved', 'deleted'].includes(check.state)
  const common = { ...result, action: verdict.action, hits: verdict.hits, asked: verdict.asked }
  const entry = {
    ...{ accountId: null, checkId, itemId: item.id, name: item.name, version, action: verdict.action },
    ...{ reason: result.reason, hits: verdict.hits },
  }
  const events: NewEvent[] = []
  if (verdict.hits.length === 0 && isCurrent && check.reviewId === null && result.outcome === 'inspected') {
    await endClean(write, item.id, check)
    return item.deleted_at === null ? [itemEvent(item, 'edit', '')] : []
  }
  if (verdict.raiseTo > item.secret_level && isCurrent)
    await sql`
      update item set secret_level = ${verdict.raiseTo}, secret_until = null where id = ${item.id}`.execute(tx)
  if (result.outcome !== 'inspected' && !isOpen) log.push({ ...entry, what: 'uninspected' })
  if (isCurrent) await replaceEarlier(write, item.id, version)

  if (asks && isOpen && covers(check.asked, verdict.asked)) {
    await endCheck(write, check, common, check.state)
    if (isCurrent) await clearDetecting(tx, item.id)
    return events
  }
  if (!asks || (await isReleased(tx, check, verdict))) {
    if (check.reviewId !== null) await closeReview(tx, check.reviewId, now)
    await endCheck(write, check, common, asks ? 'approved' : verdict.hits.length > 0 ? 'noted' : 'clean')
    if (verdict.hits.length > 0 && !asks) log.push({ ...entry, what: 'hit' })
    await release(tx, item.id, version)
    if (isCurrent && item.deleted_at === null) events.push(itemEvent(item, 'edit', ''))
    return events
  }
  if (!isCurrent) {
    await endCheck(write, check, common, 'replaced')
    if (verdict.action === 'block')
      await sql`update version set held = true where item_id = ${item.id} and number = ${version}`.execute(tx)
    return events
  }
  log.push({ ...entry, what: 'hit' })
  if (check.reviewId !== null) await closeReview(tx, check.reviewId, now)
  await endCheck(write, { ...check, reviewId: null }, common, 'waiting')
  events.push(...(await askReviewers(write, { ...check, reviewers: verdict.reviewers })))
  events.push(
    personal('sensitiveFile', [check.uploaderId], {
      ...{ serverId: mainServerId, checkId, fileId: item.id, folderId: item.parent_id ?? 0, fileName: item.name },
      ...{
        version,
        state: SensitiveAudit.added,
        remindTime: now,
        uploadName: check.uploader,
        userName: '',
        answer: '',
      },
    }),
  )
  if (item.deleted_at === null) events.push(itemEvent(item, 'edit', ''))
  return events
}

const clearDetecting = (tx: Tx, itemId: number) =>
  sql`update item set status = status & ~${ItemStatusBit.auditDetecting}::int where id = ${itemId}`.execute(tx)

async function endCheck(
  { tx, now }: Write,
  { checkId, reviewId }: Pick<Check, 'checkId' | 'reviewId'>,
  { outcome, reason, action, hits, asked }: Outcome & Pick<Verdict, 'action' | 'hits' | 'asked'>,
  state: string,
): Promise<void> {
  await sql`
    update sensitive_file set pending = false, state = ${state}, outcome = ${outcome}, reason = ${reason},
      action = ${action}, hits = ${JSON.stringify(hits)}::jsonb, asked = ${JSON.stringify(asked)}::jsonb,
      review_id = ${reviewId}, found_at = ${now}
    where id = ${checkId}`.execute(tx)
}

/** Ends the check of a current version in which nothing was found, which is the usual end, in one statement. */
async function endClean({ tx, now }: Write, itemId: number, { checkId, version }: Check): Promise<void> {
  const { rows } = await sql<{ review_id: number | null }>`
    with ended as (
      update sensitive_file set pending = false, state = 'clean', outcome = 'inspected', reason = '', action = 'none',
        hits = '[]', asked = '[]', found_at = ${now}
      where id = ${checkId}
    ), let_out as (
      update version set held = false where item_id = ${itemId} and number = ${version} and held
    ), released as (
      update item set status = status & ~${restricted}::int, held_for = null where id = ${itemId} and version = ${version}
    )
    update sensitive_file set state = 'replaced', pending = false, decided_at = ${now}
    where item_id = ${itemId} and version < ${version} and state in ('detecting', 'waiting', 'disapproved')
    returning review_id`.execute(tx)
  for (const { review_id: id } of rows) if (id !== null) await closeReview(tx, id, now)
}

/** A newer version of a file was checked: what was asked about earlier ones is over. */
async function replaceEarlier({ tx, now }: Write, itemId: number, version: number): Promise<void> {
  const { rows } = await sql<{ review_id: number | null }>`
    update sensitive_file set state = 'replaced', pending = false, decided_at = ${now}
    where item_id = ${itemId} and version < ${version} and state in ('detecting', 'waiting', 'disapproved')
    returning review_id`.execute(tx)
  for (const { review_id: id } of rows) if (id !== null) await closeReview(tx, id, now)
}

/** Asks the reviewers of a file that waits, and restricts the file. Without any reviewer it is asked again later. */
async function askReviewers(
  write: Write,
  check: Pick<Check, 'checkId' | 'version' | 'uploaderId' | 'uploader' | 'item'> & {
    readonly reviewers: Verdict['reviewers']
  },
): Promise<readonly NewEvent[]> {
  const { tx, now } = write
  const { checkId, version, item, uploaderId, uploader, reviewers } = check
  const { rows } = await sql<{ action: string }>`select action from sensitive_file where id = ${checkId}`.execute(tx)
  let asked: Awaited<ReturnType<typeof launchFor>> | undefined
  try {
    asked = await launchFor(write, { accountId: uploaderId, name: uploader }, sensitiveReview, {
      ...{ itemId: item.id, title: item.name, key: String(item.id), comments: '', handleBefore: null },
      subject: { checkId, version, folderId: item.parent_id ?? 0, reviewers },
    })
    await sql`update sensitive_file set review_id = ${asked.id} where id = ${checkId}`.execute(tx)
  } catch (error) {
    // Refused before anything is written: nobody can decide now.
    if (!(error instanceof ResultError) || error.code !== 'folderWithoutApprover') throw error
  }
  const heldFor = rows[0]?.action === 'block' ? await holdersOf(tx, asked?.id ?? null, uploaderId, now) : null
  await restrict(tx, item.id, version, heldFor)
  return asked?.events ?? []
}

/** Asks about files for which there was no reviewer. */
export async function askUnasked({ tx, now }: Write): Promise<readonly NewEvent[]> {
  const { rows } = await sql<Omit<Check, 'item'> & { item: ItemRow }>`
    select f.id as "checkId", f.version, f.uploader_id as "uploaderId", a.name as uploader, to_jsonb(i) as item
    from sensitive_file f join item i on i.id = f.item_id join account a on a.id = f.uploader_id
    where f.state = 'waiting' and f.review_id is null and not f.pending and i.version = f.version
    order by f.id limit ${sweepBatch} for no key update of i`.execute(tx)
  const events: NewEvent[] = []
  for (const check of rows) events.push(...(await askReviewers({ tx, now }, { ...check, reviewers: [] })))
  return events
}

/**
 * Goes on with checks that have waited for minutes although nothing is queued for their content. After some tries they
 * are decided as not inspected. Returns the events.
 */
export async function sweep(write: Write, active: ActiveRules, key: Uint8Array): Promise<readonly NewEvent[]> {
  const { tx, now } = write
  const { rows } = await sql<{ blob_id: number; name: string; tries: number }>`
    select f.blob_id, f.name, f.tries from sensitive_file f
    where f.pending and f.pending_since < ${now - patienceMs} and not exists (
      select 1 from job j where j.due is not null and j.kind = any(${workKinds})
        and (j.input->>'blobId')::bigint = f.blob_id)
    order by f.pending_since limit ${sweepBatch} for update of f skip locked`.execute(tx)
  if (rows.length === 0) return []
  const tired = rows.filter(({ tries }) => tries >= mostTries)
  const others = rows.filter(({ tries }) => tries < mostTries).map(({ blob_id }) => blob_id)
  const events: NewEvent[] = []
  await sql`
    update sensitive_file set tries = tries + 1, pending_since = ${now} where pending and blob_id = any(${others})`.execute(
    tx,
  )
  if (others.length > 0) events.push(...(await advance(write, { blobIds: others }, active, key, true)))
  for (const { blob_id: blobId, name } of tired)
    events.push(...(await decideChecks(write, blobId, kindOf(extNameOf(name)), active, key)))
  return events
}

const workKinds = ['words of contents', 'words of plain text', 'words of scans', ...detectionNames]

/** The events of files that a reader of events handles: those that were changed, and copied folders. */
export function heardFiles(events: readonly StoredEvent<ItemEvent>[]): { files: number[]; copiedFolders: number[] } {
  const all = events.map(({ event }) => event)
  return {
    files: changedFiles(all),
    copiedFolders: all.flatMap(({ fType, isLink, operateType, itemId }) =>
      fType === 2 && isLink !== true && operateType === OperateType.copy ? [itemId] : [],
    ),
  }
}
