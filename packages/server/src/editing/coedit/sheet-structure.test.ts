/*
 * Five users edit one workbook on two servers while its rows, columns and sheets are changed, answers are lost and
 * commits are rolled back. All acknowledged edits end up where sequential execution would have put them.
 */
import { coeditRoot } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import {
  type CoeditCell,
  cellKey,
  coeditCells,
  openWorkbook,
  rebasedCells,
  refOf,
  type SheetRebase,
  type StructureOperation,
  StructureRefused,
  workbookAfter,
} from '@cloudoc/office/workbook'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { randomOf } from '../../../test/random.ts'
import { emptyDocument } from '../../documents/empty-documents.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const first = 'xl/worksheets/sheet1.xml'
const [mostRow, mostColumn] = [6, 3]
const leastTurns = 3

interface Editor {
  readonly person: Person
  readonly client: number
  doc: Y.Doc
  generation: number
  waiting: Uint8Array[]
  /** Sent at least once: the server may have it. */
  sent: Uint8Array | undefined
}

/** The expected workbook: a file, and the edits on top of it. */
interface Truth {
  file: Uint8Array
  cells: Y.Doc
}

const cellsOf = (doc: Y.Doc): CoeditCell[] => coeditCells(doc.getMap(coeditRoot).entries())

function fileOf({ file, cells }: Truth): Uint8Array {
  const book = openWorkbook(file)
  book.takeIn(cellsOf(cells))
  return book.bytes()
}

/** All cell contents of a workbook, with the names of its sheets. */
function saidOf(file: Uint8Array): string {
  const book = openWorkbook(file)
  return book.sheets
    .map(({ name, part }) => {
      const { rows, columns } = book.extent(part)
      const cells = Array.from({ length: rows * columns }, (_, n) => {
        const [row, column] = [Math.floor(n / columns), n % columns]
        const typed = book.typed(part, row, column)
        return typed === '' ? '' : `${refOf(row, column)} ${typed}\n`
      })
      return `${name}:\n${cells.join('')}`
    })
    .join('')
}

async function play(seed: number, rounds: number): Promise<void> {
  const random = randomOf(seed)
  const below = (n: number): number => Math.floor(random() * n)
  let isBreaking = false
  const pause = async (point: string): Promise<void> => {
    const isCommit = point === 'commit editTogether' || point === 'commit buildTogether'
    if (isBreaking && isCommit && random() < 0.1) throw new Error('the server breaks off')
  }
  // No editor here sends presence, however long it takes.
  let clock = Date.now()
  const now = (): number => (clock += 1)
  const one = await openWorld({ elected: false, pause, now })
  const other = await openWorld({ elected: false, pause, now, peer: one })
  const worldOf = (): World => (random() < 0.5 ? one : other)
  await (await one.admin()).call('setServerSetting', { multi_edit_type: 1 })
  const owner = await one.person('owner')
  const people = [owner]
  for (const name of ['anna', 'ben', 'carl', 'dora']) people.push(await one.person(name))
  const folderId = await owner.folder(owner.library, 'shared')
  const shared = people.slice(1).map((to) => ({ to, rights: rightsGroup.edit }))
  await owner.shares({ folderId }, shared)
  const bytes = Buffer.from(emptyDocument('xlsx') ?? [])
  const fileId = await owner.upload(folderId, '预算.xlsx', bytes)

  const truth: Truth = { file: bytes, cells: new Y.Doc() }
  let turns = 0

  const opened = async (person: Person, client: number) => {
    const joined = await person.at(worldOf()).call('joinTogether', { fileId, client })
    const doc = new Y.Doc()
    doc.clientID = joined.client
    Y.applyUpdate(doc, Buffer.from(joined.update, 'base64'), 'server')
    return { doc, joined }
  }
  const listen = (editor: Editor): void => {
    editor.doc.on('update', (change: Uint8Array, origin: unknown) => {
      if (origin !== 'server') editor.waiting.push(change)
    })
  }
  const editors: Editor[] = []
  for (const person of people) {
    const { doc, joined } = await opened(person, 0)
    const editor = { person, doc, client: joined.client, generation: joined.generation, waiting: [], sent: undefined }
    listen(editor)
    editors.push(editor)
  }

  /** After a restart of the document, unacknowledged edits are written to the new positions of their cells. */
  const follow = async (editor: Editor): Promise<void> => {
    const unsent = editor.sent === undefined ? editor.waiting : [editor.sent, ...editor.waiting]
    const before = editor.doc
    const { doc, joined } = await opened(editor.person, editor.client)
    const from = joined.turns.findIndex((turn) => turn.from === editor.generation)
    expect(from).toBeGreaterThanOrEqual(0)
    const own = joined.turns.slice(from).map(({ turn }) => JSON.parse(turn) as SheetRebase)
    const names = new Set(unsent.flatMap((update) => namesIn(before, update)))
    const cells = cellsOf(before).filter(([part, ref]) => names.has(cellKey(part, ref)))
    Object.assign(editor, { doc, generation: joined.generation, waiting: [], sent: undefined })
    listen(editor)
    const map = doc.getMap(coeditRoot)
    for (const [part, ref, written] of rebasedCells(own, cells).cells) map.set(cellKey(part, ref), written)
  }
  const send = async (editor: Editor): Promise<void> => {
    editor.sent ??= editor.waiting.length === 0 ? undefined : Y.mergeUpdates(editor.waiting.splice(0))
    const { sent, generation, client } = editor
    if (sent === undefined) return
    const input = { fileId, generation, client, update: base64(sent) }
    const wire = await editor.person.at(worldOf()).wire('editTogether', input)
    if (wire.code === 'serverException') return
    if (wire.code === 'fileConflict') return follow(editor)
    expect([wire.code, wire.msg]).toEqual(['success', ''])
    answers.push({ generation, work: () => Y.applyUpdate(truth.cells, sent) })
    if (random() < 0.15) return
    editor.sent = undefined
  }
  /** Acknowledged operations by document generation: those of an earlier generation came first. */
  let answers: { readonly generation: number; readonly work: () => void }[] = []
  const settle = (): void => {
    for (const { work } of answers.toSorted((a, b) => a.generation - b.generation)) work()
    answers = []
  }
  /**
   * Loads the new generation. Edits carried over must precede later ones in the expected document, which already
   * contains them.
   */
  const begin = async (): Promise<void> => {
    const before = saidOf(truth.file)
    const { update } = await owner.call('joinTogether', { fileId, client: editors[0]?.client })
    Y.applyUpdate(truth.cells, Buffer.from(update, 'base64'))
    expect(saidOf(fileOf(truth))).toBe(before)
  }
  const build = async (editor: Editor): Promise<void> => {
    const { generation, client } = editor
    const change = changeOf(below, openWorkbook(truth.file).sheets)
    const input = { fileId, generation, client, change: JSON.stringify(change) }
    const wire = await editor.person.at(worldOf()).wire('buildTogether', input)
    if (wire.code === 'serverException' || wire.code === 'fileConflict') return
    expect([wire.code, wire.msg]).toEqual(['success', ''])
    const { why } = wire.data as { why: string }
    // Edits acknowledged for the same generation came before the structural change.
    answers.push({
      generation: generation + 0.5,
      work() {
        try {
          const file = fileOf(truth)
          truth.file = workbookAfter(file, change).bytes()
          truth.cells = new Y.Doc()
          expect(why).toBe('')
          turns += 1
        } catch (error) {
          if (!(error instanceof StructureRefused)) throw error
          expect(why).toBe(error.why)
        }
      },
    })
  }
  const type = ({ doc }: Editor): void => {
    const { sheets } = openWorkbook(truth.file)
    for (let n = below(3); n >= 0; n -= 1) {
      const part = sheets[below(sheets.length)]?.part ?? first
      const ref = refOf(below(mostRow), below(mostColumn))
      const formula = { content: { kind: 'empty' }, formula: `${refOf(below(mostRow), below(mostColumn))}+1` }
      const written = below(4) === 0 ? formula : { content: { kind: 'number', value: below(1_000_000) } }
      doc.getMap(coeditRoot).set(cellKey(part, ref), written)
    }
  }

  // The order of operations is random: some changes are refused.
  for (let round = 0; round < rounds || turns < leastTurns; round += 1) {
    isBreaking = true
    for (const editor of editors) if (random() < 0.7) type(editor)
    const builder = random() < 0.5 ? editors[below(editors.length)] : undefined
    await Promise.all([...editors.map(send), ...(builder === undefined ? [] : [build(builder)])])
    isBreaking = false
    const turnsBefore = turns
    settle()
    if (turns > turnsBefore) await begin()
    for (const editor of editors) {
      const { generation } = await editor.person.call('joinTogether', { fileId, client: editor.client })
      if (generation !== editor.generation && random() < 0.5) await follow(editor)
    }
    if (random() < 0.2) {
      const { generation } = await owner.call('joinTogether', { fileId, client: editors[0]?.client })
      await owner.at(worldOf()).call('saveTogether', { fileId, generation })
      expect(saidOf((await owner.at(one).download(fileId)).rawPayload)).toBe(saidOf(fileOf(truth)))
    }
  }
  for (const editor of editors) while (editor.sent !== undefined || editor.waiting.length > 0) await send(editor)
  settle()
  const { generation } = await owner.call('joinTogether', { fileId, client: editors[0]?.client })
  await owner.at(worldOf()).call('saveTogether', { fileId, generation })
  expect(saidOf((await owner.at(one).download(fileId)).rawPayload)).toBe(saidOf(fileOf(truth)))
}

/** Which cells an update writes. */
function namesIn(doc: Y.Doc, update: Uint8Array): string[] {
  const ids = new Set(Y.decodeUpdate(update).structs.map(({ id }) => `${id.client} ${id.clock}`))
  // oxlint-disable-next-line no-underscore-dangle
  return [...doc.getMap(coeditRoot)._map].flatMap(([name, item]) =>
    ids.has(`${item.id.client} ${item.id.clock}`) ? [name] : [],
  )
}

/** A random operation on rows, columns or sheets. */
function changeOf(
  below: (n: number) => number,
  sheets: readonly { readonly part: string; readonly name: string }[],
): StructureOperation {
  const { part } = sheets[below(sheets.length)] ?? { part: first }
  const axis = below(3) === 0 ? 'columns' : 'rows'
  const what = below(10)
  if (what < 5) return { part, kind: 'move', move: { axis, at: below(4), by: 1 + below(2) } }
  if (what < 7) return { part, kind: 'move', move: { axis, at: below(4), by: -1 } }
  if (what === 7) return { part, kind: 'add', name: `表${below(1000)}` }
  if (what === 8) return { part, kind: 'rename', name: `名 ${below(1000)}` }
  return { part, kind: 'remove' }
}

// [R148] Random co-editing of a workbook by five people with lost answers, failed commits and two servers: the result
// equals the sequential one (long in test:full).
test('[R148] [R397] rows, columns and sheets change while five write in a workbook: all that was answered is where it would be, had it been done one after the other', async () => {
  await play(149, 12)
})

longTest('[R148] [R397] the same for long, by several seeds', async () => {
  for (const seed of [1, 2, 3]) await play(seed, 120)
})
