/*
 * Makes versions of co-edited files: on request, every few minutes, and when the last editor has left, which also
 * releases the lock. Permission changes in the meantime do not matter: each change was authorized when it was stored. A
 * version names its editors.
 */
import { createHash } from 'node:crypto'
import { fail, LogBit, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { contentRow, persist, storedVersions } from '../../drive/content/index.ts'
import { addVersion, itemEvent, lockItem } from '../../drive/tree/index.ts'
import { coeditLock, endSharedLocks } from '../wopi/index.ts'
import type { Codec } from './codec.ts'
import { codecNamed } from './codecs.ts'
import { type Documents, documentRows } from './documents.ts'
import { compact } from './edits.ts'

/** The content of a version; undefined if it no longer exists. */
export type ContentOf = (fileId: number, version: number) => Promise<Uint8Array | undefined>

type Parts = Pick<Services, 'db' | 'blobs' | 'commit' | 'now' | 'pause'> & {
  readonly documents: Documents
  readonly contentOf: ContentOf
}

export interface Stored {
  readonly version: number
  readonly savedSeq: number
}

/** A snapshot of a document. */
interface Made {
  readonly generation: number
  readonly version: number
  readonly seq: number
  readonly write: ReturnType<Codec['written']>
}

const itemOf = async (db: Db, fileId: number): Promise<ItemRow | undefined> =>
  (await sql<ItemRow>`select * from item where id = ${fileId}`.execute(db)).rows[0]

export const nameOf = async (db: Db, accountId: number): Promise<string> =>
  (await db.selectFrom('account').select('name').where('id', '=', accountId).executeTakeFirst())?.name ?? ''

/** Makes a version of the current state unless one exists. If no editor is left, it also releases the lock. */
export async function makeVersion(parts: Parts, fileId: number): Promise<Stored | undefined> {
  const { db, blobs, now } = parts
  const made = await db.transaction().execute((tx) => read(parts, tx, fileId))
  if (made === undefined) return undefined
  if (made === 'stored') return db.transaction().execute((tx) => unlockIfEmpty(parts, tx, fileId))
  const bytes = await made.write({ content: () => contentBelow(parts, fileId, made.version) })
  const [before] = await storedVersions(db, [{ fileId, version: made.version }])
  const isSame = before?.sha256.equals(createHash('sha256').update(bytes).digest()) === true
  const content = isSame ? undefined : await persist(await blobs.stage(singleChunk(bytes)))
  await parts.pause('version of what is written together')
  return db.transaction().execute(async (tx) => {
    await lockItem(tx, fileId, 'change')
    const row = (await documentRows(tx, [fileId], { lock: true })).get(fileId)
    const item = await itemOf(tx, fileId)
    // Another process has made this version or a later one.
    if (row?.generation !== made.generation || row.savedSeq >= made.seq || item === undefined)
      return unlockIfEmpty(parts, tx, fileId)
    let version = row.version
    const at = now()
    if (content !== undefined) {
      const accountId = row.authors.at(-1) ?? item.modified_by
      const author = { accountId, outsider: null, name: await nameOf(tx, accountId) }
      const { id: blobId } = await contentRow(tx, content, at)
      const { size } = content
      const file = { id: fileId, libraryId: item.library_id }
      version = await addVersion(tx, file, { blobId, size, author, now: at, editors: row.authors })
    }
    const isAll = row.seq === made.seq
    await sql`
      update together_document set version = ${version}, saved_seq = ${made.seq},
        authors = case when ${isAll} then '[]' else authors end, unsaved_since = ${isAll ? null : at}
      where item_id = ${fileId}`.execute(tx)
    if (isAll) await compact(tx, fileId, await parts.documents.at(tx, row))
    const stored = { version, savedSeq: made.seq }
    const told = content === undefined ? {} : { version, size: content.size }
    const isOver = isAll && (await endLock(tx, fileId, at))
    await parts.commit(tx, [
      {
        ...{ changed: [], actor: undefined, now: at, call: 'togetherVersion', address: '', items: [fileId] },
        events:
          (content === undefined && !isOver) || item.deleted_at !== null ? [] : [itemEvent(item, 'edit', '', told)],
        detail: content === undefined ? {} : { log: LogBit.edit, version },
      },
    ])
    return stored
  })
}

/**
 * The content of the version that the document was made from or last saved as; if that was removed, the newest version.
 */
export async function contentBelow(
  { db, contentOf }: Pick<Parts, 'db' | 'contentOf'>,
  fileId: number,
  version: number,
): Promise<Uint8Array> {
  const found = await contentOf(fileId, version)
  if (found !== undefined) return found
  const newest = (await itemOf(db, fileId))?.version ?? 0
  return (await contentOf(fileId, newest)) ?? fail('versionMissing')
}

export async function* singleChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/** Prepares a document as a file, if no version has it yet. */
async function read({ documents }: Parts, tx: Tx, fileId: number): Promise<Made | 'stored' | undefined> {
  const row = (await documentRows(tx, [fileId], { lock: true })).get(fileId)
  if (row === undefined) return undefined
  if (row.savedSeq >= row.seq) return 'stored'
  const { doc } = await documents.at(tx, row)
  const { generation, version, seq, form } = row
  return { generation, version, seq, write: codecNamed(form.shape).written(doc, form) }
}

/** Releases the lock if everything is stored and no member is present. */
async function unlockIfEmpty({ commit, now }: Parts, tx: Tx, fileId: number): Promise<Stored | undefined> {
  await lockItem(tx, fileId, 'change')
  const row = (await documentRows(tx, [fileId], { lock: true })).get(fileId)
  const item = await itemOf(tx, fileId)
  if (row === undefined || item === undefined) return undefined
  const at = now()
  if (row.savedSeq >= row.seq && (await endLock(tx, fileId, at))) {
    await commit(tx, [
      {
        ...{ changed: [], actor: undefined, now: at, call: 'togetherEnds', address: '', items: [fileId], detail: {} },
        events: item.deleted_at === null ? [itemEvent(item, 'edit', '')] : [],
      },
    ])
  }
  return { version: row.version, savedSeq: row.savedSeq }
}

/** Removes the lock of a file that is no longer edited or whose lock was ended; returns whether there was one. */
async function endLock(tx: Tx, fileId: number, now: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shared_edit s where s.item_id = ${fileId} and s.lock_id = ${coeditLock} and (s.until <= ${now}
      or not exists (select 1 from together_member m where m.item_id = s.item_id and m.can_write
        and m.seen_at > ${now - limits.togetherGoneMs}))`.execute(tx)
  if (rows.length > 0) await endSharedLocks(tx, [fileId])
  return rows.length > 0
}

/** Files that are due for a version or no longer edited. */
export async function dueFiles(db: Db, now: number, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select s.item_id as id from shared_edit s where s.lock_id = ${coeditLock} and (s.until <= ${now}
      or not exists (select 1 from together_member m where m.item_id = s.item_id and m.can_write
        and m.seen_at > ${now - limits.togetherGoneMs}))
    union
    select item_id from together_document where unsaved_since <= ${now - limits.togetherVersionMs}
    limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}
