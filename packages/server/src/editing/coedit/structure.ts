/*
 * Structural changes of a co-edited workbook (docs/adr/0176): rows, columns, areas, filters, sheets; and of a presentation
 * (docs/adr/0390): slides, shapes, pictures. The server builds the file with the change outside any transaction and stores
 * it as a version; the document restarts from that version. Concurrent edits made without knowledge of the change are
 * moved to the new positions of their cells or frames. A change deletes no acknowledged edit that is not in a version.
 */
import { createHash, randomInt } from 'node:crypto'
import { fail, LogBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { contentRow, persist, storedVersions } from '../../drive/content/index.ts'
import { addVersion, dropVersion, itemEvent } from '../../drive/tree/index.ts'
import { type DocumentRow, type Documents, documentRows } from './documents.ts'
import { coeditedFiles } from './session.ts'
import type { Built, StructureKind } from './structure-kinds.ts'
import { type ContentOf, contentBelow, nameOf, type Stored, singleChunk } from './versions.ts'

export interface StructureParts extends Pick<Services, 'db' | 'blobs' | 'pause'> {
  readonly documents: Documents
  readonly contentOf: ContentOf
  readonly makeVersion: (fileId: number) => Promise<Stored | undefined>
}

interface Asked {
  readonly fileId: number
  readonly generation: number
  readonly client: number
}

export interface RestructuredDocument extends Stored {
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

/** Applies a structural change to a document. */
export async function changeStructure<Change, Entry>(
  context: StagedContext,
  parts: StructureParts,
  asked: Asked,
  { kind, change }: { readonly kind: StructureKind<Change, Entry>; readonly change: Change },
): Promise<RestructuredDocument> {
  const { db, blobs, documents, contentOf, pause, makeVersion } = parts
  const { fileId, generation } = asked
  const removes = kind.removes(change)
  for (let tries = 0; tries < mostTries; tries += 1) {
    // Content that the change deletes is saved in a version first.
    if (removes) await makeVersion(fileId)
    const before = await db.transaction().execute(async (tx) => {
      const row = await openRow(tx, asked, kind.shape)
      const { doc } = await documents.at(tx, row)
      return { row, entries: kind.entriesOf(doc) }
    })
    const { version, savedSeq } = before.row
    const file = await contentBelow({ db, contentOf }, fileId, version)
    const built = (await kind.build(before.entries, change, file)) ?? fail('conversionUnsupported')
    if (!('bytes' in built)) return { generation, version, savedSeq, why: built.why }
    const [stored] = await storedVersions(db, [{ fileId, version }])
    const isSame = stored?.sha256.equals(createHash('sha256').update(built.bytes).digest()) === true
    if (isSame) return { generation, version, savedSeq, why: '' }
    const content = await persist(await blobs.stage(singleChunk(built.bytes)))
    await pause('build of what is written together')
    const done = await context.commit((write) =>
      beginGeneration(write, parts, { ...asked, ...before, kind, built, content, removes }),
    )
    if (done !== isLate) return done
  }
  return fail('fileConflict')
}

/** Locks the document for its transaction; refuses if its generation differs or it is no longer co-edited. */
async function openRow(tx: Tx, { fileId, generation }: Asked, shape: string): Promise<DocumentRow> {
  const row = (await documentRows(tx, [fileId], { lock: true })).get(fileId)
  return row?.generation === generation && row.form['shape'] === shape ? row : fail('fileConflict')
}

interface NewGeneration<Entry> extends Asked {
  readonly row: DocumentRow
  readonly entries: readonly Entry[]
  readonly kind: Pick<StructureKind<never, Entry>, 'shape' | 'entriesOf'>
  readonly built: Built<Entry>
  readonly removes: boolean
  readonly content: Awaited<ReturnType<typeof persist>>
}

/** Stores the file with the change as a version and restarts the document from it. */
async function beginGeneration<Entry>(
  context: WriteContext,
  { documents }: StructureParts,
  { fileId, generation, client, row: before, entries, kind, built, content, removes }: NewGeneration<Entry>,
): Promise<RestructuredDocument | typeof isLate> {
  const { tx, now } = context
  const { accountId } = actorOf(context)
  const row = await openRow(tx, { fileId, generation, client }, kind.shape)
  if (row.version !== before.version) return isLate
  if (!(await coeditedFiles(tx, [fileId], now)).has(fileId)) fail('noEditLock')
  const item = context.item({ fType: 1, fId: fileId }).row
  const { doc } = await documents.at(tx, row)
  const known = new Set(entries.map((entry) => JSON.stringify(entry)))
  const isKnown = (entry: Entry): boolean => known.has(JSON.stringify(entry))
  const late = row.seq === before.seq ? [] : kind.entriesOf(doc).filter((entry) => !isKnown(entry))
  const state = built.stateWith(late)
  if (state === undefined) return isLate
  const last = row.turns.at(-1)
  // Consecutive changes replace the same version, unless it must retain content that the change deletes.
  const isOver = last?.made === row.version && !removes
  const { id: blobId } = await contentRow(tx, content, now)
  const { size } = content
  const author = { accountId, outsider: null, name: await nameOf(tx, accountId) }
  const file = { id: fileId, libraryId: item.library_id }
  const madeBy = isOver ? await dropVersion(tx, file, row.version) : undefined
  const authors = [...new Set([...(madeBy ?? []), ...row.authors])].filter((id) => id !== accountId)
  authors.push(accountId)
  const version = await addVersion(tx, file, { blobId, size, author, now, editors: authors })
  const seq = late.length === 0 ? 0 : 1
  const turns = [...row.turns, { from: generation, client, turn: JSON.stringify(built.turn), made: version }].slice(
    -maxStoredRebases,
  )
  await tx.deleteFrom('together_update').where('item_id', '=', fileId).execute()
  const { rows } = await sql<{ generation: number }>`
    update together_document set generation = nextval('together_generation'), version = ${version},
      state = ${Buffer.from(state)}, state_seq = ${seq}, seq = ${seq}, saved_seq = 0,
      stamp = ${randomInt(1, 2 ** 47)}, authors = ${JSON.stringify(seq === 0 ? [] : authors)}::jsonb,
      unsaved_since = ${seq === 0 ? null : now}, touched_at = ${now}, turns = ${JSON.stringify(turns)}::jsonb
    where item_id = ${fileId} returning generation`.execute(tx)
  context.event(itemEvent(item, 'edit', author.name, { version, size }))
  context.audit({ log: LogBit.edit, version })
  return { generation: rows[0]?.generation ?? fail('fileConflict'), version, savedSeq: 0, why: '' }
}
