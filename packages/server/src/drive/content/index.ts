/*
 * Contents and their rows. A live `blob` row maps content to one stored object. Versions reference it by foreign key,
 * so a referenced blob cannot be collected. Equal contents share one object.
 */
import type { StoredItem } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { BlobStore, Staged } from '../../core/blobs/store.ts'
import { accountOf, actorOf, type Context, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import { type Db, isRolledBack } from '../../core/db/database.ts'
import { availableSpace } from '../quotas/index.ts'
import { holderOf } from '../tree/index.ts'
import { replaceDamaged } from './damage.ts'
import type { PendingContent } from './pending-content.ts'
import {
  checkLevel,
  checkSubmission,
  type NextVersion,
  type Placed,
  type Placement,
  placeSubmission,
  placeVersion,
  placing,
  recordingConflicts,
  type Submission,
} from './placement.ts'

export { createCheckedContents, storeSums } from './checked-contents.ts'
export {
  type CollectorParts,
  collectRows,
  dropObjects,
  removeDropped,
  sweepObjects,
} from './collect.ts'
export { damageIn, recordDamage } from './damage.ts'
export { dateAsOnDisk } from './disk-dates.ts'
export type { PendingContent } from './pending-content.ts'
export {
  checkBase,
  checkLevel,
  contentRow,
  type Placement,
  placeTree,
  placing,
  type Submission,
  type TreeFile,
} from './placement.ts'
export { endSecrets } from './secret-expiry.ts'
export {
  createStoredVersions,
  type StoredVersion,
  type StoredVersions,
  servable,
  storedVersions,
} from './stored-versions.ts'

/** Content to be stored. */
export interface NewContent {
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** The hash computed by the sender. It is checked before anything is stored. */
  readonly sha256?: string | undefined
  /** Minimum size in bytes, if known. It allows the upload to be refused before the content arrives. */
  readonly atLeast?: number
}

export interface StoredFile extends StoredItem {
  readonly fileId: number
  readonly fileSize: number
  readonly sha256: string
}

/**
 * Stores a file: first the bytes, then one transaction that makes them visible. All entry points use it, so they follow
 * the same rules for names, conflicts and rights.
 */
export async function storeNewFile(
  context: StagedContext,
  blobs: BlobStore,
  file: Placement & NewContent,
): Promise<StoredFile> {
  const staged = await stage(blobs, file, (size) => checkComing(context, context.db, { ...file, size }))
  const keeping = persist(staged)
  // The commit is requested while the content is still being stored, so that files that arrive at the same moment are
  // committed together.
  const ready = keeping.then((content) => ({ file, content }))
  const placed = context.commitShared(placing, ready).then(async (made) => storedAs(await keeping, made))
  return named(context, blobs, keeping, placed)
}

/** Stores an edited file: first the bytes, then one transaction that makes them the newest version. */
export async function storeSubmission(
  context: StagedContext,
  blobs: BlobStore,
  file: Submission & NewContent,
): Promise<StoredFile> {
  const coming = stage(blobs, file, (size) => {
    const access = context.item({ fType: 1, fId: file.fileId })
    checkSubmission(context, access, file)
    return availableSpace(context.db, actorOf(context), access, access.row.name, size)
  })
  const staged = await recordingConflicts(context, coming)
  const keeping = persist(staged)
  const placed = keeping.then(async (content) =>
    storedAs(content, await context.commit((write) => placeSubmission(write, file, content))),
  )
  return named(context, blobs, keeping, placed)
}

/** Stores the next version of a file edited by other means, with its own check. */
export async function storeVersion(
  context: StagedContext,
  blobs: BlobStore,
  file: NextVersion & NewContent,
): Promise<StoredFile> {
  const staged = await stage(blobs, file, (size) => {
    const access = context.item({ fType: 1, fId: file.fileId })
    return availableSpace(context.db, accountOf(context), access, access.row.name, size)
  })
  const keeping = persist(staged)
  const placed = keeping.then(async (content) =>
    storedAs(content, await context.commit((write) => placeVersion(write, content, file))),
  )
  return named(context, blobs, keeping, placed)
}

type Room = Awaited<ReturnType<typeof availableSpace>>

/** Stages content up to the available space, unless it is refused at once. */
async function stage(
  blobs: BlobStore,
  { content, sha256, atLeast }: NewContent,
  check: (size: number) => Promise<Room>,
): Promise<Staged> {
  const room = atLeast === undefined ? undefined : await check(atLeast)
  await checkDisk(blobs, atLeast ?? 0)
  const staged = await blobs.stage(room === undefined ? toAsync(content) : within(room, content))
  if (sha256 !== undefined && staged.sha256.toString('hex') !== sha256.toLowerCase()) {
    await staged.discard()
    return fail('uploadInterrupted', 'sha256')
  }
  return staged
}

async function* within({ most, code }: Room, content: NewContent['content']): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > most) fail(code)
    yield chunk
  }
}

/**
 * Checks an upload in advance by what is known: sender, name and minimum size. Refuses a file that would be refused
 * after its arrival. Returns how many bytes it may have, and the code for exceeding that. The check is repeated when
 * the file is placed.
 */
export async function checkComing(
  context: Context,
  db: Db,
  file: Placement & { readonly size: number },
): Promise<Room> {
  const actor = accountOf(context)
  const folder = context.item({ fType: 2, fId: file.folderId })
  checkLevel(actor, file.secretLevel ?? 0)
  const room = await availableSpace(db, actor, folder, file.name, file.size)
  const mayReplace = file.conflict === 'version' || file.conflict === 'keepBoth'
  if (!mayReplace && (await holderOf(db, file.folderId, file.name)) !== undefined) return fail('alreadyExists')
  return room
}

/** Refuses content for which the store has no space, if the store can tell. */
export async function checkDisk(blobs: BlobStore, bytes: number): Promise<void> {
  if (((await blobs.room?.()) ?? bytes) < bytes) fail('capacityNotSatisfied')
}

/** Moves staged content to its permanent object. */
export async function persist(staged: Staged): Promise<PendingContent> {
  const { sha256, size, sums } = staged
  const key = await staged.keep().catch(async (error: unknown) => {
    await staged.discard()
    throw error
  })
  return { sha256, size, sums, key, keptAt: performance.now() }
}

/**
 * Makes a repeated request idempotent: it creates only one file. Both methods run in the transaction that places the
 * file.
 */
export interface Idempotency {
  /** Returns the file stored by an earlier request, if any, instead of storing it again. */
  before(context: WriteContext): Promise<StoredFile | undefined>
  after(context: WriteContext, stored: StoredFile): Promise<void>
}

/** Places content that is already stored, idempotently. */
export function storePending(
  context: StagedContext,
  blobs: BlobStore,
  file: Placement,
  content: PendingContent,
  once: Idempotency,
): Promise<StoredFile> {
  const placed = context.commit((write) => placeIdempotently(write, file, content, once))
  return named(context, blobs, content, placed)
}

/** Waits for the transaction that references the content. Removes the content's object if no row references it. */
async function named(
  context: StagedContext,
  blobs: BlobStore,
  keeping: PendingContent | Promise<PendingContent>,
  placed: Promise<StoredIn>,
): Promise<StoredFile> {
  try {
    const { used, stored } = await recordingConflicts(context, placed)
    const content = await keeping
    if (used !== content.key) await leave(context, blobs, content)
    return stored
  } catch (error) {
    if (isRolledBack(error)) await remove(blobs, (await keeping).key)
    throw error
  }
}

/**
 * Stores a file from content that already exists on the server, if `mayUse` allows it. Returns undefined if the content
 * does not exist or may not be used.
 */
export async function storeKnown(
  context: StagedContext,
  file: Placement,
  { sha256, size }: { readonly sha256: Buffer; readonly size: number },
  mayUse: (db: Db) => Promise<boolean>,
  once: Idempotency,
): Promise<StoredFile | undefined> {
  return context.commit(async (write) => {
    const { rows } = await sql<{ key: string }>`
      select key from blob b where sha256 = ${sha256} and size = ${size}
        and not exists (select 1 from blob_problem p where p.blob_id = b.id)
        and not exists (select 1 from scan s where s.blob_id = b.id and s.virus is not null) for key share of b`.execute(
      write.tx,
    )
    const key = rows[0]?.key
    if (key === undefined || !(await mayUse(write.tx))) return undefined
    const known = { sha256, size, sums: Buffer.alloc(0), key, keptAt: performance.now() }
    return (await placeIdempotently(write, file, known, once)).stored
  })
}

/** Places several stored contents in one transaction, all or none. On rollback the unreferenced objects are removed. */
export async function storeAtomically<R>(
  context: StagedContext,
  blobs: BlobStore,
  contents: readonly PendingContent[],
  place: (write: WriteContext) => Promise<{ readonly made: R; readonly keys: ReadonlySet<string> }>,
): Promise<R> {
  try {
    const { made, keys } = await context.commit(place)
    for (const content of contents) if (!keys.has(content.key)) await leave(context, blobs, content)
    return made
  } catch (error) {
    if (isRolledBack(error)) await dropPending(blobs, contents)
    throw error
  }
}

/** Removes objects that will not be referenced. */
export async function dropPending(blobs: BlobStore, contents: readonly PendingContent[]): Promise<void> {
  for (const { key } of contents) await remove(blobs, key)
}

interface StoredIn {
  readonly stored: StoredFile
  /** The key of the object that holds the file's content; undefined if an earlier request stored the file. */
  readonly used: string | undefined
}

async function placeIdempotently(
  context: WriteContext,
  file: Placement,
  content: PendingContent,
  once: Idempotency,
): Promise<StoredIn> {
  const before = await once.before(context)
  if (before !== undefined) return { stored: before, used: undefined }
  const outcome = storedAs(content, await placing.alone(context, { file, content }))
  await once.after(context, outcome.stored)
  return outcome
}

function storedAs({ sha256, size }: PendingContent, { fileId, item, key }: Placed): StoredIn {
  return { stored: { fileId, ...item, fileSize: size, sha256: sha256.toString('hex') }, used: key }
}

/** Drops content that the server already has, unless it replaces a damaged one. */
async function leave({ db, now }: StagedContext, blobs: BlobStore, content: PendingContent): Promise<void> {
  // If the check fails, the object stays. The collector can remove it later.
  if (!(await replaceDamaged(db, content, now).catch(() => true))) await remove(blobs, content.key)
}

/** Removes an unreferenced object. A failure is ignored because it only costs space. */
async function remove(blobs: BlobStore, key: string): Promise<void> {
  await blobs.remove(key).catch(() => {})
}

async function* toAsync(content: NewContent['content']): AsyncIterable<Uint8Array> {
  yield* content
}
