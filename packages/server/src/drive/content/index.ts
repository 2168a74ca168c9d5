/*
 * Contents and their rows. A live `blob` row maps a content to one stored object; versions reference it by foreign key,
 * so a blob that is referenced cannot be collected. Equal contents share one object.
 */
import { denial, fail, gates, ResultError } from '@cloudoc/domain'
import type { BlobStore, Staged } from '../../core/blobs/store.ts'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import {
  accessTo,
  addVersion,
  checkDepth,
  holderOf,
  insertFile,
  isNameTaken,
  itemEvent,
  lockItem,
  withName,
} from '../tree/index.ts'

/** A content that is durable and may be referenced. */
export interface KeptContent {
  readonly sha256: Buffer
  readonly size: number
  /** The key of the object kept for it; undefined where an equal content was there already. */
  readonly key: string | undefined
}

/** Keeps staged bytes, or drops them where an equal content is live. Runs before the transaction that refers to them. */
export async function keepContent(db: Db, staged: Staged): Promise<KeptContent> {
  const { sha256, size } = staged
  const same = await db
    .selectFrom('blob')
    .select('id')
    .where('sha256', '=', sha256)
    .where('size', '=', size)
    .executeTakeFirst()
  if (same === undefined) return { sha256, size, key: await staged.keep() }
  await staged.discard()
  return { sha256, size, key: undefined }
}

/**
 * The row that a version may refer to. A content whose equal was collected between keeping and committing has none; the
 * caller answers as for an interrupted upload, and the client sends it again.
 */
export async function blobRow(tx: Tx, content: KeptContent, now: number): Promise<number | undefined> {
  if (content.key !== undefined) {
    const { id } = await tx
      .insertInto('blob')
      .values({ sha256: content.sha256, size: content.size, key: content.key, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const row = await tx
    .selectFrom('blob')
    .select('id')
    .where('sha256', '=', content.sha256)
    .where('size', '=', content.size)
    .forKeyShare()
    .executeTakeFirst()
  return row?.id
}

/** Removes the object of a content whose transaction did not commit. */
export async function dropContent(store: BlobStore, content: KeptContent): Promise<void> {
  if (content.key !== undefined) await store.remove(content.key).catch(() => {})
}

/** A file to be stored in a folder whose gate `upload` has passed. */
export interface NewFile {
  readonly folderId: number
  readonly name: string
  readonly conflict: 'refuse' | 'version' | 'keepBoth' | 'skip'
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** The hash that the sender computed, checked before anything is kept. */
  readonly sha256?: string | undefined
}

export interface StoredFile {
  readonly fileId: number
  readonly version: number
  readonly fileSize: number
  readonly sha256: string
}

/**
 * Stores a file: bytes first, then one transaction that makes them visible. Used by every way in, so that all of them
 * follow the same rules for names, conflicts and rights.
 */
export async function storeNewFile(context: StagedContext, blobs: BlobStore, file: NewFile): Promise<StoredFile> {
  const staged = await blobs.stage(toAsync(file.content))
  if (file.sha256 !== undefined && staged.sha256.toString('hex') !== file.sha256.toLowerCase()) {
    await staged.discard()
    return fail('uploadInterrupted', 'sha256')
  }
  const content = await keepContent(context.db, staged)
  try {
    const placed = await context.commit((write) => place(write, file, content))
    return { ...placed, fileSize: content.size, sha256: content.sha256.toString('hex') }
  } catch (error) {
    // Only a definite refusal: after a lost connection the commit may have happened, and the object stays.
    if (error instanceof ResultError || isNameTaken(error)) await dropContent(blobs, content)
    throw error
  }
}

async function* toAsync(content: NewFile['content']): AsyncIterable<Uint8Array> {
  yield* content
}

async function place(
  context: WriteContext,
  file: NewFile,
  content: KeptContent,
): Promise<{ fileId: number; version: number }> {
  const { tx, now } = context
  const actor = actorOf(context)
  const folder = context.item({ fType: 2, fId: file.folderId })
  checkDepth(folder.path.length + 1)
  const blobId = (await blobRow(tx, content, now)) ?? fail('uploadInterrupted')
  const holder = file.conflict === 'version' ? await holderOf(tx, file.folderId, file.name) : undefined
  if (holder !== undefined) return newVersion(context, holder, content, blobId)
  const libraryId = folder.library.id
  const named = { parentId: file.folderId, name: file.name, fType: 1 } as const
  const policy = file.conflict === 'version' ? 'refuse' : file.conflict
  const made = await withName(tx, named, policy, async (name) => {
    const item = { libraryId, parentId: file.folderId, fType: 1, name, accountId: actor.accountId, now } as const
    return { id: await insertFile(tx, { ...item, blobId, size: content.size }), name }
  })
  if (made === undefined) return fail('alreadyExists')
  context.event(
    itemEvent(
      {
        id: made.id,
        library_id: libraryId,
        parent_id: file.folderId,
        f_type: 1,
        name: made.name,
        version: 1,
        size: content.size,
        created_by: actor.accountId,
      },
      'add',
      actor.name,
    ),
  )
  return { fileId: made.id, version: 1 }
}

/** The content becomes the newest version of the file that holds the name, if the caller may change that file. */
async function newVersion(
  context: WriteContext,
  holder: { id: number; f_type: 1 | 2 },
  content: KeptContent,
  blobId: number,
): Promise<{ fileId: number; version: number }> {
  const { tx, now } = context
  const actor = actorOf(context)
  if (holder.f_type === 2) return fail('alreadyExists')
  await lockItem(tx, holder.id, 'change')
  const access = await accessTo(tx, actor, { fType: 1, fId: holder.id }, now)
  // Gone or hidden: the name is taken all the same, and no more is told.
  if (access === undefined || denial(gates.see, access.facts) !== undefined) return fail('alreadyExists')
  const refusal = denial(gates.newVersion, access.facts)
  if (refusal !== undefined) return fail(refusal)
  const file = { id: holder.id, libraryId: access.library.id }
  const version = await addVersion(tx, file, { blobId, size: content.size, accountId: actor.accountId, now })
  context.event(itemEvent(access.row, 'edit', actor.name, { version, size: content.size }))
  return { fileId: holder.id, version }
}
