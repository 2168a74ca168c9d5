/*
 * Changes of documents. Concurrent changes of any documents and users are committed in one batch. Each passes its gate
 * in that transaction, and is acknowledged when it is stored.
 */
import { randomInt } from 'node:crypto'
import { fail, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import * as Y from 'yjs'
import type { Outcome } from '../../core/batcher.ts'
import { actorOf, type SharedWork, type WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import { codecNamed } from './codecs.ts'
import { type CachedDocument, type Documents, documentRows } from './documents.ts'
import { coeditedFiles } from './session.ts'

export interface Edit {
  readonly fileId: number
  readonly generation: number
  readonly client: number
  readonly change: Uint8Array
}

/** After this many changes a document's state is compacted. */
const changesMost = 200

/** A document that a transaction changes. */
interface Changing {
  readonly cached: CachedDocument
  seq: number
  stamp: number
  authors: readonly number[]
}

interface StoredChange {
  readonly itemId: number
  readonly seq: number
  readonly stamp: number
  readonly change: string
}

type Answers = (Outcome<{ readonly seq: number }> | undefined)[]

/** Adds changes to documents. */
export function createEditing(documents: Documents): SharedWork<Edit, { readonly seq: number }> {
  const together = async (
    tx: Tx,
    members: readonly { readonly context: WriteContext; readonly input: Edit }[],
  ): Promise<Answers> => {
    const fileIds = [...new Set(members.map(({ input }) => input.fileId))]
    const now = members[0]?.context.now ?? 0
    const rows = await documentRows(tx, fileIds, { lock: true })
    const [open, clients] = await Promise.all([coeditedFiles(tx, fileIds, now), clientsOf(tx, members)])
    const changing = new Map<number, Changing>()
    const stored: StoredChange[] = []
    const answers: Answers = []
    for (const { context, input } of members) {
      const { fileId, generation, client, change } = input
      const before = changing.get(fileId)
      // An earlier refused change has invalidated the cached document. This change is retried in a transaction of its
      // own.
      if (before !== undefined && !documents.holds(before.cached)) {
        answers.push(undefined)
        continue
      }
      try {
        const { accountId } = actorOf(context)
        const row = rows.get(fileId)
        if (row?.generation !== generation) throw new ResultError('fileConflict')
        if (!open.has(fileId)) fail('noEditLock')
        if (clients.get(`${fileId} ${client}`) !== accountId) fail('badRequest', 'client')
        const shape = codecNamed(row.form.shape)
        const one = before ?? { ...row, cached: await documents.at(tx, row) }
        const next = { seq: one.seq + 1, stamp: randomInt(1, 2 ** 47) }
        documents.add(one.cached, change, { client, shape, ...next })
        const authors = [...one.authors.filter((id) => id !== accountId), accountId]
        changing.set(fileId, { cached: one.cached, authors, ...next })
        stored.push({ itemId: fileId, ...next, change: Buffer.from(change).toString('base64') })
        answers.push({ value: { seq: next.seq } })
      } catch (error) {
        answers.push({ error })
      }
    }
    await store(tx, stored, changing, now)
    for (const [fileId, { cached, seq }] of changing) {
      const { stateSeq = seq } = rows.get(fileId) ?? {}
      if (seq - stateSeq >= changesMost && documents.holds(cached)) await compact(tx, fileId, cached)
    }
    return answers
  }
  return {
    batch: together,
    async alone(context, input) {
      const [answer] = await together(context.tx, [{ context, input }])
      if (answer === undefined) throw new Error('what is done alone is answered')
      if ('error' in answer) throw answer.error
      return answer.value
    },
  }
}

/** Writes changes and the new state of their documents. */
async function store(
  tx: Tx,
  stored: readonly StoredChange[],
  changing: ReadonlyMap<number, Changing>,
  now: number,
): Promise<void> {
  if (stored.length === 0) return
  const documents = Array.from(changing, ([itemId, { seq, stamp, authors }]) => ({ itemId, seq, stamp, authors }))
  await sql`
    with written as (
      insert into together_update (item_id, seq, stamp, change)
      select "itemId", seq, stamp, decode(change, 'base64') from json_to_recordset(${JSON.stringify(stored)})
        as c ("itemId" bigint, seq bigint, stamp bigint, change text)
    )
    update together_document d
    set seq = n.seq, stamp = n.stamp, authors = n.authors, touched_at = ${now},
      unsaved_since = coalesce(d.unsaved_since, ${now})
    from json_to_recordset(${JSON.stringify(documents)}) as n ("itemId" bigint, seq bigint, stamp bigint, authors jsonb)
    where d.item_id = n."itemId"`.execute(tx)
}

/**
 * Merges a document's changes into one state. The newest change is retained for processes whose cached document has it.
 */
export async function compact(tx: Tx, fileId: number, { doc, seq }: CachedDocument): Promise<void> {
  const state = Buffer.from(Y.encodeStateAsUpdate(doc))
  await sql`
    with gone as (delete from together_update where item_id = ${fileId} and seq < ${seq})
    update together_document set state = ${state}, state_seq = ${seq} where item_id = ${fileId}`.execute(tx)
}

/** The owners of the client ids. */
async function clientsOf(tx: Tx, members: readonly { readonly input: Edit }[]): Promise<ReadonlyMap<string, number>> {
  const asked = members.map(({ input }) => ({ item: input.fileId, client: input.client }))
  const { rows } = await sql<{ item: number; client: number; account: number }>`
    select c.item_id as item, c.client, c.account_id as account
    from json_to_recordset(${JSON.stringify(asked)}) as a (item bigint, client bigint)
    join together_client c on c.item_id = a.item and c.client = a.client`.execute(tx)
  return new Map(rows.map(({ item, client, account }) => [`${item} ${client}`, account]))
}
