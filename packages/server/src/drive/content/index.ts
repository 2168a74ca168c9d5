/*
 * Contents and their rows. A live `blob` row maps a content to one stored object; versions reference it by foreign key,
 * so a blob that is referenced cannot be collected. Equal contents share one object.
 */
import { denial, fail, gates, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
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

export {
  type CollectorParts,
  collectRows,
  removeDropped,
  sweepObjects,
} from './collect.ts'

/** A content that is durable and may be referenced. */
interface KeptContent {
  readonly sha256: Buffer
  readonly size: number
  /** The key of the object kept for it. */
  readonly key: string
}

interface BlobRow {
  readonly id: number
  /** The content's own key, or that of an equal content that was there before. */
  readonly key: string
}

/** The live row of a content, held against collection until the transaction ends. */
async function blobRow(tx: Tx, content: KeptContent, now: number): Promise<BlobRow> {
  const { sha256, size, key } = content
  // Two that store the same new content at once meet in `on conflict`: the second waits and takes the first one's row.
  const { rows } = await sql<BlobRow>`
    with found as (
      select id, key from blob where sha256 = ${sha256} and size = ${size} for key share
    ), made as (
      insert into blob (sha256, size, key, created_at)
      select ${sha256}, ${size}, ${key}, ${now} where not exists (select 1 from found)
      on conflict (sha256, size) do update set size = excluded.size returning id, key
    )
    select id, key from found union all select id, key from made`.execute(tx)
  return rows[0] ?? fail('serverException')
}

/** The id of that row, for a statement that is sent after it. */
function rowOf({ sha256, size }: KeptContent) {
  return sql<number>`(select id from blob where sha256 = ${sha256} and size = ${size})`
}

/** Whether a failed transaction is known not to have committed; after a lost connection nobody can tell. */
function isRolledBack(error: unknown): boolean {
  if (error instanceof ResultError) return true
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^(22|23|40P01|40001)/.test(code)
}

/** A file to be stored in a folder whose gate `upload` has passed. */
export interface NewFile {
  readonly folderId: number
  readonly name: string
  readonly conflict: 'refuse' | 'version' | 'keepBoth' | 'skip'
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** The hash that the sender computed, checked before anything is kept. */
  readonly sha256?: string | undefined
  readonly secretLevel?: number
  /** From then on the level counts as 0; null: never. */
  readonly secretUntil?: number | null
  /** True where the content is worth refusing before it has arrived. */
  readonly isLarge?: boolean
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
  if ((file.secretLevel ?? 0) > actorOf(context).secretLevel) return fail('secretLevel')
  const mayReplace = file.conflict === 'version' || file.conflict === 'keepBoth'
  if (file.isLarge === true && !mayReplace && (await holderOf(context.db, file.folderId, file.name)) !== undefined) {
    return fail('alreadyExists')
  }
  const staged = await blobs.stage(toAsync(file.content))
  if (file.sha256 !== undefined && staged.sha256.toString('hex') !== file.sha256.toLowerCase()) {
    await staged.discard()
    return fail('uploadInterrupted', 'sha256')
  }
  const { sha256, size } = staged
  const key = await staged.keep().catch(async (error: unknown) => {
    await staged.discard()
    throw error
  })
  try {
    const commit = () => context.commit((write) => place(write, file, { sha256, size, key }))
    const placed = await commit().catch((error: unknown) => {
      // Somebody took the name after this transaction had found it free: now it is a new version of theirs.
      if (file.conflict === 'version' && isNameTaken(error)) return commit()
      throw error
    })
    if (placed.key !== key) await remove(blobs, key)
    return { fileId: placed.fileId, version: placed.version, fileSize: size, sha256: sha256.toString('hex') }
  } catch (error) {
    if (isRolledBack(error)) await remove(blobs, key)
    throw error
  }
}

/** Removes an object that no row names. One that cannot be removed costs space and nothing else. */
async function remove(blobs: BlobStore, key: string): Promise<void> {
  await blobs.remove(key).catch(() => {})
}

async function* toAsync(content: NewFile['content']): AsyncIterable<Uint8Array> {
  yield* content
}

interface Placed {
  readonly fileId: number
  readonly version: number
  /** The object that the file's content lies in. */
  readonly key: string
}

async function place(context: WriteContext, file: NewFile, content: KeptContent): Promise<Placed> {
  const { tx, now } = context
  const actor = actorOf(context)
  const folder = context.item({ fType: 2, fId: file.folderId })
  checkDepth(folder.path.length + 1)
  const holder = file.conflict === 'version' ? await lockHolder(tx, file.folderId, file.name) : undefined
  if (holder !== undefined) return newVersion(context, holder, content.size, await blobRow(tx, content, now))
  const libraryId = folder.library.id
  const named = { parentId: file.folderId, name: file.name, fType: 1 } as const
  const policy = file.conflict === 'version' ? 'refuse' : file.conflict
  // Sent together, in this order: the file's statement finds the content's row.
  const [blob, made] = await Promise.all([
    blobRow(tx, content, now),
    withName(tx, named, policy, async (name) => {
      const item = { libraryId, parentId: file.folderId, fType: 1, name, accountId: actor.accountId, now } as const
      const { secretLevel = 0, secretUntil = null } = file
      const secret = { secretLevel, secretUntil }
      return { id: await insertFile(tx, { ...item, ...secret, blobId: rowOf(content), size: content.size }), name }
    }),
  ])
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
  return { fileId: made.id, version: 1, key: blob.key }
}

/** The item that holds a name, locked; looked for again where it lost the name while its row was waited for. */
async function lockHolder(tx: Tx, folderId: number, name: string): ReturnType<typeof holderOf> {
  while (true) {
    const holder = await holderOf(tx, folderId, name)
    if (holder === undefined) return undefined
    await lockItem(tx, holder.id, 'change')
    if ((await holderOf(tx, folderId, name))?.id === holder.id) return holder
  }
}

/** The content becomes the newest version of the file that holds the name, if the caller may change that file. */
async function newVersion(
  context: WriteContext,
  holder: { id: number; f_type: 1 | 2 },
  size: number,
  blob: BlobRow,
): Promise<Placed> {
  const { tx, now } = context
  const actor = actorOf(context)
  if (holder.f_type === 2) return fail('alreadyExists')
  const access = await accessTo(tx, actor, { fType: 1, fId: holder.id }, now)
  // Hidden: the name is taken all the same, and no more is told.
  if (access === undefined || denial(gates.see, access.facts) !== undefined) return fail('alreadyExists')
  const refusal = denial(gates.newVersion, access.facts)
  if (refusal !== undefined) return fail(refusal)
  const file = { id: holder.id, libraryId: access.library.id }
  const version = await addVersion(tx, file, { blobId: blob.id, size, accountId: actor.accountId, now })
  context.event(itemEvent(access.row, 'edit', actor.name, { version, size }))
  return { fileId: holder.id, version, key: blob.key }
}
