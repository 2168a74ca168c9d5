/*
 * Changes of the build of a workbook that is written together: rows, columns, areas, filters, sheets (docs/adr/0176). The
 * server makes the file with the change, beside any transaction; that is a version, and the document begins anew upon it.
 * Who wrote meanwhile without knowing of it has written into the cells where they are then; nothing that was answered is
 * taken out that no version has.
 */
import { createHash, randomInt } from 'node:crypto'
import { togetherRoot } from '@cloudoc/contract'
import { fail, LogBit } from '@cloudoc/domain'
import { cellName, type SharedCell, sharedCells } from '@cloudoc/office/coedit-cells'
import { type SheetTurn, takesOut, turnedCells } from '@cloudoc/office/sheet-rebase'
import type { Structure } from '@cloudoc/office/sheet-structure'
import { sql } from 'kysely'
import * as Y from 'yjs'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { contentRow, keep, storedVersions } from '../../drive/content/index.ts'
import { addVersion, dropVersion, itemEvent } from '../../drive/tree/index.ts'
import { type DocumentRow, type Documents, documentRows } from './documents.ts'
import { builtSheet } from './office-files.ts'
import { heldTogether } from './session.ts'
import { type ContentOf, contentBelow, nameOf, once, type Stored } from './versions.ts'

export interface BuildParts extends Pick<Services, 'db' | 'blobs' | 'pause'> {
  readonly documents: Documents
  readonly contentOf: ContentOf
  readonly makeVersion: (fileId: number) => Promise<Stored | undefined>
}

interface Asked {
  readonly fileId: number
  readonly generation: number
  readonly client: number
  readonly change: Structure
}

export interface Rebuilt extends Stored {
  readonly generation: number
  readonly why: string
}

/** The newest changes of the build that a document remembers: who was away for longer reads it anew. */
const turnsKept = 50
/** Cells that were written while the file was made are looked at again so often. */
const mostTries = 5

/** Something was written meanwhile that the change would take out without a version of it. */
const isLate = Symbol('again, with what was written meanwhile')

/** Changes the build of a workbook. */
export async function build(context: StagedContext, parts: BuildParts, asked: Asked): Promise<Rebuilt> {
  const { db, blobs, documents, contentOf, pause, makeVersion } = parts
  const { fileId, generation, change } = asked
  for (let tries = 0; tries < mostTries; tries += 1) {
    // What is taken out is in a version before.
    if (takesOut(change)) await makeVersion(fileId)
    const before = await db.transaction().execute(async (tx) => {
      const row = await openRow(tx, asked)
      const { doc } = await documents.at(tx, row)
      return { row, cells: cellsOf(doc) }
    })
    const { version, savedSeq } = before.row
    const file = await contentBelow({ db, contentOf }, fileId, version)
    const built = (await builtSheet(before.cells, change, file)) ?? fail('conversionUnsupported')
    if (built.why !== '' || !('bytes' in built)) return { generation, version, savedSeq, why: built.why }
    const [stored] = await storedVersions(db, [{ fileId, version }])
    const isSame = stored?.sha256.equals(createHash('sha256').update(built.bytes).digest()) === true
    if (isSame) return { generation, version, savedSeq, why: '' }
    const content = await keep(await blobs.stage(once(built.bytes)))
    await pause('build of what is written together')
    const turn: SheetTurn = { change, names: built.names }
    const done = await context.commit((write) => begun(write, parts, { ...asked, ...before, turn, content }))
    if (done !== isLate) return done
  }
  return fail('fileConflict')
}

const cellsOf = (doc: Y.Doc): SharedCell[] => sharedCells(doc.getMap(togetherRoot).entries())

/** The document, for its transaction; refuses where it is another one, or is not written together any more. */
async function openRow(tx: Tx, { fileId, generation }: Asked): Promise<DocumentRow> {
  const row = (await documentRows(tx, [fileId], { lock: true })).get(fileId)
  return row?.generation === generation && row.form['shape'] === 'sheet' ? row : fail('fileConflict')
}

interface Begun extends Asked {
  readonly row: DocumentRow
  readonly cells: readonly SharedCell[]
  readonly turn: SheetTurn
  readonly content: Awaited<ReturnType<typeof keep>>
}

/** The file with the change is a version, and the document begins anew upon it. */
async function begun(
  context: WriteContext,
  { documents }: BuildParts,
  { fileId, generation, client, row: before, cells, turn, content, change }: Begun,
): Promise<Rebuilt | typeof isLate> {
  const { tx, now } = context
  const { accountId } = actorOf(context)
  const row = await openRow(tx, { fileId, generation, client, change })
  if (row.version !== before.version) return isLate
  if (!(await heldTogether(tx, [fileId], now)).has(fileId)) fail('noEditLock')
  const item = context.item({ fType: 1, fId: fileId }).row
  const { doc } = await documents.at(tx, row)
  const known = new Set(cells.map((cell) => JSON.stringify(cell)))
  const late = row.seq === before.seq ? [] : cellsOf(doc).filter((cell) => !known.has(JSON.stringify(cell)))
  const written = turnedCells([turn], late)
  if (written.gone.length > 0) return isLate
  const last = row.turns.at(-1)
  // One change after the other makes one version, unless what is taken out has to be in it.
  const isOver = last?.made === row.version && !takesOut(change)
  const { id: blobId } = await contentRow(tx, content, now)
  const { size } = content
  const author = { accountId, outsider: null, name: await nameOf(tx, accountId) }
  const file = { id: fileId, libraryId: item.library_id }
  const madeBy = isOver ? await dropVersion(tx, file, row.version) : undefined
  const authors = [...new Set([...(madeBy ?? []), ...row.authors])].filter((id) => id !== accountId)
  authors.push(accountId)
  const version = await addVersion(tx, file, { blobId, size, author, now, editors: authors })
  const seq = late.length === 0 ? 0 : 1
  const turns = [...row.turns, { from: generation, client, turn: JSON.stringify(turn), made: version }].slice(
    -turnsKept,
  )
  await tx.deleteFrom('together_update').where('item_id', '=', fileId).execute()
  const { rows } = await sql<{ generation: number }>`
    update together_document set generation = nextval('together_generation'), version = ${version},
      state = ${Buffer.from(stateOf(written.cells))}, state_seq = ${seq}, seq = ${seq}, saved_seq = 0,
      stamp = ${randomInt(1, 2 ** 47)}, authors = ${JSON.stringify(seq === 0 ? [] : authors)}::jsonb,
      unsaved_since = ${seq === 0 ? null : now}, touched_at = ${now}, turns = ${JSON.stringify(turns)}::jsonb
    where item_id = ${fileId} returning generation`.execute(tx)
  context.event(itemEvent(item, 'edit', author.name, { version, size }))
  context.audit({ log: LogBit.edit, version })
  return { generation: rows[0]?.generation ?? fail('fileConflict'), version, savedSeq: 0, why: '' }
}

/** A document of these cells, of no editor. */
function stateOf(cells: readonly SharedCell[]): Uint8Array {
  const doc = new Y.Doc()
  doc.clientID = 0
  const map = doc.getMap(togetherRoot)
  for (const [part, ref, written] of cells) map.set(cellName(part, ref), written)
  const state = Y.encodeStateAsUpdate(doc)
  doc.destroy()
  return state
}
