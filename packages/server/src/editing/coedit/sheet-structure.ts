/*
 * Structural changes of a co-edited workbook: rows, columns, areas, filters, sheets (docs/adr/0176). The server builds
 * the file with the change outside any transaction and stores it as a version; the document restarts from that version.
 * Concurrent edits made without knowledge of the change are moved to the new positions of their cells. A change deletes
 * no acknowledged edit that is not in a version.
 */
import { createHash, randomInt } from 'node:crypto'
import { coeditRoot } from '@cloudoc/contract'
import { fail, LogBit } from '@cloudoc/domain'
import { type CoeditCell, cellKey, coeditCells } from '@cloudoc/office/coedit-cells'
import { rebasedCells, removesCells, type SheetRebase } from '@cloudoc/office/sheet-rebase'
import type { StructureOperation } from '@cloudoc/office/sheet-structure'
import { sql } from 'kysely'
import * as Y from 'yjs'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { contentRow, persist, storedVersions } from '../../drive/content/index.ts'
import { addVersion, dropVersion, itemEvent } from '../../drive/tree/index.ts'
import { type DocumentRow, type Documents, documentRows } from './documents.ts'
import { restructureSheet } from './office-files.ts'
import { coeditedFiles } from './session.ts'
import { type ContentOf, contentBelow, nameOf, type Stored, singleChunk } from './versions.ts'

export interface SheetStructureParts extends Pick<Services, 'db' | 'blobs' | 'pause'> {
  readonly documents: Documents
  readonly contentOf: ContentOf
  readonly makeVersion: (fileId: number) => Promise<Stored | undefined>
}

interface Asked {
  readonly fileId: number
  readonly generation: number
  readonly client: number
  readonly change: StructureOperation
}

export interface RestructuredSheet extends Stored {
  readonly generation: number
  readonly why: string
}

/**
 * Number of latest structural changes that a document retains. A client that was away for longer reloads the document.
 */
const maxStoredRebases = 50
/** How often a build is retried if cells were edited meanwhile. */
const mostTries = 5

/** A concurrent edit would be deleted by the change before it is in a version. */
const isLate = Symbol('again, with what was written meanwhile')

/** Applies a structural change to a workbook. */
export async function changeSheetStructure(
  context: StagedContext,
  parts: SheetStructureParts,
  asked: Asked,
): Promise<RestructuredSheet> {
  const { db, blobs, documents, contentOf, pause, makeVersion } = parts
  const { fileId, generation, change } = asked
  for (let tries = 0; tries < mostTries; tries += 1) {
    // Content that the change deletes is saved in a version first.
    if (removesCells(change)) await makeVersion(fileId)
    const before = await db.transaction().execute(async (tx) => {
      const row = await openRow(tx, asked)
      const { doc } = await documents.at(tx, row)
      return { row, cells: cellsOf(doc) }
    })
    const { version, savedSeq } = before.row
    const file = await contentBelow({ db, contentOf }, fileId, version)
    const built = (await restructureSheet(before.cells, change, file)) ?? fail('conversionUnsupported')
    if (built.why !== '' || !('bytes' in built)) return { generation, version, savedSeq, why: built.why }
    const [stored] = await storedVersions(db, [{ fileId, version }])
    const isSame = stored?.sha256.equals(createHash('sha256').update(built.bytes).digest()) === true
    if (isSame) return { generation, version, savedSeq, why: '' }
    const content = await persist(await blobs.stage(singleChunk(built.bytes)))
    await pause('build of what is written together')
    const turn: SheetRebase = { change, names: built.names }
    const done = await context.commit((write) =>
      beginGeneration(write, parts, { ...asked, ...before, rebase: turn, content }),
    )
    if (done !== isLate) return done
  }
  return fail('fileConflict')
}

const cellsOf = (doc: Y.Doc): CoeditCell[] => coeditCells(doc.getMap(coeditRoot).entries())

/** Locks the document for its transaction; refuses if its generation differs or it is no longer co-edited. */
async function openRow(tx: Tx, { fileId, generation }: Asked): Promise<DocumentRow> {
  const row = (await documentRows(tx, [fileId], { lock: true })).get(fileId)
  return row?.generation === generation && row.form['shape'] === 'sheet' ? row : fail('fileConflict')
}

interface NewGeneration extends Asked {
  readonly row: DocumentRow
  readonly cells: readonly CoeditCell[]
  readonly rebase: SheetRebase
  readonly content: Awaited<ReturnType<typeof persist>>
}

/** Stores the file with the change as a version and restarts the document from it. */
async function beginGeneration(
  context: WriteContext,
  { documents }: SheetStructureParts,
  { fileId, generation, client, row: before, cells, rebase, content, change }: NewGeneration,
): Promise<RestructuredSheet | typeof isLate> {
  const { tx, now } = context
  const { accountId } = actorOf(context)
  const row = await openRow(tx, { fileId, generation, client, change })
  if (row.version !== before.version) return isLate
  if (!(await coeditedFiles(tx, [fileId], now)).has(fileId)) fail('noEditLock')
  const item = context.item({ fType: 1, fId: fileId }).row
  const { doc } = await documents.at(tx, row)
  const known = new Set(cells.map((cell) => JSON.stringify(cell)))
  const late = row.seq === before.seq ? [] : cellsOf(doc).filter((cell) => !known.has(JSON.stringify(cell)))
  const written = rebasedCells([rebase], late)
  if (written.gone.length > 0) return isLate
  const last = row.turns.at(-1)
  // Consecutive changes replace the same version, unless it must retain content that the change deletes.
  const isOver = last?.made === row.version && !removesCells(change)
  const { id: blobId } = await contentRow(tx, content, now)
  const { size } = content
  const author = { accountId, outsider: null, name: await nameOf(tx, accountId) }
  const file = { id: fileId, libraryId: item.library_id }
  const madeBy = isOver ? await dropVersion(tx, file, row.version) : undefined
  const authors = [...new Set([...(madeBy ?? []), ...row.authors])].filter((id) => id !== accountId)
  authors.push(accountId)
  const version = await addVersion(tx, file, { blobId, size, author, now, editors: authors })
  const seq = late.length === 0 ? 0 : 1
  const turns = [...row.turns, { from: generation, client, turn: JSON.stringify(rebase), made: version }].slice(
    -maxStoredRebases,
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

/** A document with these cells that belong to no editor. */
function stateOf(cells: readonly CoeditCell[]): Uint8Array {
  const doc = new Y.Doc()
  doc.clientID = 0
  const map = doc.getMap(coeditRoot)
  for (const [part, ref, written] of cells) map.set(cellKey(part, ref), written)
  const state = Y.encodeStateAsUpdate(doc)
  doc.destroy()
  return state
}
