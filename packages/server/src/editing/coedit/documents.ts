/*
 * The in-memory documents of a process. The database holds the truth: a state and the changes since, each with a number
 * and a stamp. A process caches documents it has recently changed or read. It brings them up to date under the row lock
 * before adding to them. A change that was rolled back is detected by the stamp, and the document is read again.
 */
import { type CodeName, fail, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import * as Y from 'yjs'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Codec, Encoding } from './codec.ts'
import type { StoredRebase } from './tables.ts'

/** A document's row, without its state. */
export interface DocumentRow {
  readonly itemId: number
  readonly generation: number
  readonly version: number
  readonly form: Encoding
  readonly stateSeq: number
  readonly seq: number
  readonly savedSeq: number
  readonly stamp: number
  readonly authors: readonly number[]
  readonly unsavedSince: number | null
  readonly turns: readonly StoredRebase[]
}

const columns = sql.raw(`d.item_id as "itemId", d.generation, d.version, d.form, d.state_seq as "stateSeq", d.seq,
  d.saved_seq as "savedSeq", d.stamp, d.authors, d.unsaved_since as "unsavedSince", d.turns`)

/** Reads the rows of documents; with `lock` they are locked until the transaction ends. */
export async function documentRows(
  db: Db,
  fileIds: readonly number[],
  { lock }: { readonly lock: boolean },
): Promise<ReadonlyMap<number, DocumentRow>> {
  const { rows } = await sql<DocumentRow>`
    select ${columns} from together_document d where d.item_id = any(${[...new Set(fileIds)]}::bigint[])
    order by d.item_id ${lock ? sql`for update of d` : sql``}`.execute(db)
  return new Map(rows.map((row) => [row.itemId, row]))
}

/** A cached document at the state of one change; use it only while its row is locked. */
export interface CachedDocument {
  readonly itemId: number
  readonly doc: Y.Doc
  readonly generation: number
  seq: number
  stamp: number
}

export type Documents = ReturnType<typeof createDocuments>

/**
 * Creates an empty document. Only applied changes modify it: formatting marks without effect are not cleaned up
 * automatically.
 */
function createDoc(): Y.Doc {
  const doc = new Y.Doc()
  doc.on('afterTransaction', (transaction: Y.Transaction) => {
    Object.assign(transaction, { _needFormattingCleanup: false })
  })
  return doc
}

/** A few hundred texts of the usual size. */
const maxCached = 300

/** The document cache of a process. */
export function createDocuments() {
  const held = new LRUCache<number, CachedDocument>({ max: maxCached, dispose: ({ doc }) => doc.destroy() })

  /** The changes of a document from a number on, in order. */
  const changesFrom = async (db: Db, itemId: number, seq: number) => {
    const { rows } = await sql<{ seq: number; stamp: number; change: Buffer }>`
      select seq, stamp, change from together_update where item_id = ${itemId} and seq >= ${seq} order by seq`.execute(
      db,
    )
    return rows
  }

  const readWhole = async (db: Db, row: DocumentRow): Promise<CachedDocument> => {
    const doc = createDoc()
    const { rows } = await sql<{ state: Buffer }>`
      select state from together_document where item_id = ${row.itemId}`.execute(db)
    doc.transact(() => {
      for (const { state } of rows) Y.applyUpdate(doc, state)
    })
    for (const { seq, change } of await changesFrom(db, row.itemId, row.stateSeq + 1))
      if (seq <= row.seq) Y.applyUpdate(doc, change)
    return { itemId: row.itemId, doc, generation: row.generation, seq: row.seq, stamp: row.stamp }
  }

  /** Brings a cached document up to date if its state is an earlier state of the row; returns whether it is. */
  const bringOn = async (db: Db, found: CachedDocument, row: DocumentRow): Promise<boolean> => {
    if (found.generation !== row.generation || found.seq > row.seq) return false
    if (found.stamp === row.stamp) return true
    const [first, ...rest] = await changesFrom(db, row.itemId, found.seq)
    if (first?.seq !== found.seq || first.stamp !== found.stamp) return false
    for (const { seq, change } of rest) if (seq <= row.seq) Y.applyUpdate(found.doc, change)
    found.seq = row.seq
    found.stamp = row.stamp
    return true
  }

  return {
    /** The document at the state of its row, which is locked. */
    async at(db: Tx, row: DocumentRow): Promise<CachedDocument> {
      const found = held.get(row.itemId)
      if (found !== undefined && (await bringOn(db, found, row))) return found
      const read = await readWhole(db, row)
      held.set(row.itemId, read)
      return read
    },

    /** Whether it is still the cached one. */
    holds: (found: CachedDocument): boolean => held.get(found.itemId) === found,

    /** Adds a change to an up-to-date document. A change of the wrong kind or from another sender is refused. */
    add(
      found: CachedDocument,
      change: Uint8Array,
      by: { client: number; shape: Codec; seq: number; stamp: number },
    ): void {
      const { doc, itemId } = found
      check(change, by.client, by.shape)
      let refusal: CodeName | undefined
      try {
        Y.applyUpdate(doc, change)
        const { pendingStructs, pendingDs } = doc.store
        // The change depends on content that the document lacks: the sender has a different base.
        if (pendingStructs !== null || pendingDs !== null) refusal = 'fileConflict'
        else if (by.shape.isSound?.(doc) === false) refusal = 'badRequest'
        else if (by.shape.lengthOf(doc) > limits.togetherLength) refusal = 'fileSizeExceeded'
      } catch {
        refusal = 'badRequest'
      }
      // The change was already applied, so the cached document no longer matches the database.
      if (refusal !== undefined && held.get(itemId) === found) held.delete(itemId)
      if (refusal !== undefined) fail(refusal)
      found.seq = by.seq
      found.stamp = by.stamp
    },
  }
}

/** Parses a change without applying it, and refuses invalid ones. */
function check(change: Uint8Array, client: number, shape: Codec): void {
  let pieces: readonly (Y.Item | Y.GC | Y.Skip)[]
  try {
    pieces = Y.decodeUpdate(change).structs
  } catch {
    return fail('badRequest', 'update')
  }
  for (const piece of pieces) {
    const isOwn = piece.id.client === client
    const isFit = piece instanceof Y.GC || (piece instanceof Y.Item && shape.admits(piece))
    if (!isOwn || !isFit) fail('badRequest', 'update')
  }
}

/** The state of a new document with that content; undefined if the shape does not accept it. */
export async function seeded(
  shape: Codec,
  bytes: Uint8Array,
): Promise<{ readonly state: Uint8Array; readonly form: Encoding } | undefined> {
  const doc = new Y.Doc()
  // Belongs to no editor: the client ids of editors begin at 1.
  doc.clientID = 0
  try {
    const form = await shape.seed(doc, bytes)
    if (shape.lengthOf(doc) > limits.togetherLength) return fail('fileSizeExceeded')
    return form && { state: Y.encodeStateAsUpdate(doc), form: { ...form, shape: shape.name } }
  } finally {
    doc.destroy()
  }
}

/** The changes that a client lacks, by its state vector. */
export function lacking(doc: Y.Doc, vector: Uint8Array): Uint8Array {
  if (vector.length === 0) return Y.encodeStateAsUpdate(doc)
  try {
    return Y.encodeStateAsUpdate(doc, vector)
  } catch {
    return fail('badRequest', 'vector')
  }
}
