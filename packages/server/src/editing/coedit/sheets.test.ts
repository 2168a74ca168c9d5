// Co-editing of workbooks ([R148], [R397]): the last write to a cell wins, and everything else is preserved.
import { coeditRoot } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import type { StructureOperation } from '@cloudoc/office/workbook'
import { cellKey, openWorkbook } from '@cloudoc/office/workbook'
import { unzipSync } from 'fflate'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { emptyDocument } from '../../documents/empty-documents.ts'

const part = 'xl/worksheets/sheet1.xml'
const text = (value: string) => ({ content: { kind: 'text', value } })
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const rowsIn = (at: number, by: number, on = part): StructureOperation => ({
  part: on,
  kind: 'move',
  move: { axis: 'rows', at, by },
})
const number = (value: number) => ({ content: { kind: 'number', value } })

/** Called while a file with a structural change is being built. */
let meanwhile: (() => Promise<void>) | undefined
let world: World
let anna: Person
let ben: Person
let folderId = 0
let fileId = 0
let people = 0

beforeAll(async () => {
  // No editor here sends presence, however long a version takes.
  let clock = Date.now()
  const pause = async (point: string): Promise<void> => {
    if (point !== 'build of what is written together') return
    const work = meanwhile
    meanwhile = undefined
    await work?.()
  }
  world = await openWorld({ elected: false, now: () => (clock += 1), pause })
  await (await world.admin()).call('setServerSetting', { multi_edit_type: 1 })
})

beforeEach(async () => {
  people += 1
  ;[anna, ben] = [await world.person(`anna${people}`), await world.person(`ben${people}`)]
  folderId = await anna.folder(anna.library, 'shared')
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
  fileId = await anna.upload(folderId, '预算.xlsx', Buffer.from(emptyDocument('xlsx') ?? []))
})

/** An editor of a workbook, as in the page. */
async function join(person: Person, client = 0) {
  const joined = await person.call('joinTogether', { fileId, client })
  const doc = new Y.Doc()
  doc.clientID = joined.client
  Y.applyUpdate(doc, Buffer.from(joined.update, 'base64'))
  const cells = doc.getMap(coeditRoot)
  const own = { fileId, generation: joined.generation, client: joined.client }
  const change = (work: () => void): string => {
    const before = Y.encodeStateVector(doc)
    doc.transact(work)
    return base64(Y.encodeStateAsUpdate(doc, before))
  }
  return {
    ...{ joined, doc, cells, change },
    writes: (ref: string, written: unknown, on = part) =>
      person.call('editTogether', { ...own, update: change(() => cells.set(cellKey(on, ref), written)) }),
    refusal: (update: string) => person.refusal('editTogether', { ...own, update }),
    async catchesUp(): Promise<void> {
      const vector = base64(Y.encodeStateVector(doc))
      Y.applyUpdate(doc, Buffer.from((await person.call('joinTogether', { ...own, vector })).update, 'base64'))
    },
    saves: () => person.call('saveTogether', { fileId, generation: joined.generation }),
    builds: (change: StructureOperation) => person.call('buildTogether', { ...own, change: JSON.stringify(change) }),
    rebuilds: (change: unknown) => person.refusal('buildTogether', { ...own, change: JSON.stringify(change) }),
    /** Joins again after structural changes, with the same client id. */
    again: () => join(person, joined.client),
    leaves: () => person.call('presentTogether', { ...own, leaves: true }),
  }
}

const content = async (): Promise<Buffer> => (await anna.download(fileId)).rawPayload
async function shown(...refs: [row: number, column: number][]): Promise<string[]> {
  const book = openWorkbook(await content())
  return refs.map(([row, column]) => book.shown(part, row, column).text)
}

// [R397] The version of a workbook names its editors; all other parts are byte for byte unchanged.
test('[R148] [R397] two write in one workbook: each cell holds what was written into it last, and the version names both', async () => {
  const before = unzipSync(await content())
  const [hers, his] = [await join(anna), await join(ben)]
  expect([hers.joined.shape, his.joined.canWrite]).toEqual(['sheet', true])
  await hers.writes('A1', text('收入'))
  await his.writes('B2', { content: { kind: 'number', value: 20 } })
  await his.catchesUp()
  await his.writes('A1', text('总收入'))
  await his.writes('B3', { content: { kind: 'empty' }, formula: 'B2*2' })
  await hers.leaves()
  expect(await his.leaves()).toMatchObject({ version: 2 })
  expect(await shown([0, 0], [1, 1], [2, 1])).toEqual(['总收入', '20', '40'])
  const after = unzipSync(await content())
  const changed = Object.keys(before).filter(
    (name) => Buffer.compare(before[name] ?? Buffer.of(), after[name] ?? Buffer.of()) !== 0,
  )
  expect(changed.toSorted()).toEqual(['xl/workbook.xml', part])
  const [newest] = (await anna.call('getVersionList', { fileId, from: 0, rows: 10 })).list
  expect(JSON.stringify(newest)).toContain(anna.account)
  expect(JSON.stringify(newest)).toContain(ben.account)
})

test('[R397] versions come one on another; cells that come out as they were make none, and what was written before is still there', async () => {
  const hers = await join(anna)
  await hers.writes('A1', text('一'))
  expect(await hers.saves()).toMatchObject({ version: 2 })
  await hers.writes('A2', text('二'))
  expect(await hers.saves()).toMatchObject({ version: 3 })
  await hers.writes('A2', text('二'))
  expect(await hers.saves()).toMatchObject({ version: 3 })
  expect(await shown([0, 0], [1, 0])).toEqual(['一', '二'])
  await hers.leaves()
  // A later editor gets the file and the edits since it was opened.
  const again = await join(ben)
  expect(again.joined).toMatchObject({ generation: hers.joined.generation, version: 3 })
  expect(again.cells.get(cellKey(part, 'A1'))).toEqual(text('一'))
  await again.leaves()
})

// [R148] Several people edit one workbook, the last write to a cell wins; invalid cells are refused.
test('[R148] what is no cell, or not written as cells are, is refused; a sheet that is not there is left alone', async () => {
  const his = await join(ben)
  const of = (work: (doc: Y.Doc) => void): string => {
    const doc = new Y.Doc()
    doc.clientID = his.joined.client
    work(doc)
    return base64(Y.encodeStateAsUpdate(doc))
  }
  const cell = cellKey(part, 'A1')
  for (const wrong of [
    of((doc) => doc.getMap('other').set(cell, text('x'))),
    of((doc) => doc.getMap(coeditRoot).set('A1', text('x'))),
    of((doc) => doc.getMap(coeditRoot).set(cellKey(part, 'A0'), text('x'))),
    of((doc) => doc.getMap(coeditRoot).set(cellKey(part, 'XFE1'), text('x'))),
    of((doc) => doc.getMap(coeditRoot).set(cell, 'x')),
    of((doc) => doc.getMap(coeditRoot).set(cell, { content: { kind: 'number', value: '1' } })),
    of((doc) => doc.getMap(coeditRoot).set(cell, text('x'.repeat(32_768)))),
    of((doc) => doc.getMap(coeditRoot).set(cell, { ...text('x'), style: 5 })),
    of((doc) => doc.getMap(coeditRoot).set(cell, new Y.Map())),
    of((doc) => doc.getArray(coeditRoot).push([text('x')])),
    of((doc) => doc.getText(coeditRoot).insert(0, 'x')),
  ])
    expect(await his.refusal(wrong)).toBe('badRequest')
  await his.writes('A1', text('在'), 'xl/worksheets/sheet9.xml')
  await his.writes('A1', text('好'))
  await his.leaves()
  expect(await shown([0, 0])).toEqual(['好'])
})

test('[R148] a workbook that cannot be written back as it is is not edited together', async () => {
  fileId = await anna.upload(folderId, 'broken.xlsx', 'no workbook')
  expect(await anna.refusal('joinTogether', { fileId })).toBe('conversionUnsupported')
})

// [R148] Rows, columns, ranges, filters and sheets of a workbook are changed while several people edit it; concurrent
// edits are moved to where their cells are now; deleted content remains in an earlier version.
test('[R148] rows are put in while another writes below: what they write without knowing of it stands where its cells are then', async () => {
  const [hers, his] = [await join(anna), await join(ben)]
  await hers.writes('A3', number(3))
  await hers.writes('B3', { content: { kind: 'empty' }, formula: 'A3*2' })
  meanwhile = async () => {
    await his.writes('A4', number(4))
    await his.writes('B4', { content: { kind: 'empty' }, formula: 'SUM(A3:A4)' })
  }
  const built = await hers.builds(rowsIn(1, 2))
  expect([built.why, built.generation > hers.joined.generation, built.version]).toEqual(['', true, 2])
  // An editor with an old generation is refused, and joins again with the same client id.
  expect(await his.refusal(his.change(() => his.cells.set(cellKey(part, 'A4'), number(5))))).toBe('fileConflict')
  expect(await his.rebuilds(rowsIn(0, 1))).toBe('fileConflict')
  const now = await his.again()
  expect([now.joined.client, now.joined.turns.map(({ from, client }) => [from, client])]).toEqual([
    his.joined.client,
    [[hers.joined.generation, hers.joined.client]],
  ])
  expect(Object.fromEntries(now.cells.entries())).toEqual({
    [cellKey(part, 'A6')]: number(4),
    [cellKey(part, 'B6')]: { content: { kind: 'empty' }, formula: 'SUM(A5:A6)' },
  })
  await now.writes('A7', number(7))
  await (await hers.again()).leaves()
  expect(await now.leaves()).toMatchObject({ version: 3 })
  expect(await shown([4, 0], [4, 1], [5, 0], [5, 1], [6, 0])).toEqual(['3', '6', '4', '7', '7'])
  const [newest] = (await anna.call('getVersionList', { fileId, from: 0, rows: 10 })).list
  expect(JSON.stringify(newest)).toContain(ben.account)
})

test('[R148] what is taken out is in a version before, also what was written while the file was made', async () => {
  const [hers, his] = [await join(anna), await join(ben)]
  await hers.writes('A2', text('二'))
  meanwhile = async () => void (await his.writes('B2', text('后来')))
  expect(await hers.builds(rowsIn(1, -1))).toMatchObject({ why: '', version: 4 })
  const versions = await Promise.all(
    [3, 4].map(async (version) => {
      const book = openWorkbook((await anna.download(fileId, { version: String(version) })).rawPayload)
      return [book.shown(part, 1, 0).text, book.shown(part, 1, 1).text]
    }),
  )
  expect(versions).toEqual([
    ['二', '后来'],
    ['', ''],
  ])
})

test('[R148] sheets are added, called otherwise and taken out by several; what cannot be made says why and changes nothing', async () => {
  let hers = await join(anna)
  const his = await join(ben)
  const versions = async () =>
    (await anna.call('getVersionList', { fileId, from: 0, rows: 10 })).list.map(({ version }) => version)
  await hers.builds({ part, kind: 'add', name: '明细' })
  hers = await hers.again()
  expect(await versions()).toEqual([2, 1])
  const added = 'xl/worksheets/sheet2.xml'
  await hers.writes('A1', number(9), added)
  await hers.writes('B1', { content: { kind: 'empty' }, formula: '明细!A1+1' })
  meanwhile = async () =>
    void (await (await his.again()).writes('C1', { content: { kind: 'empty' }, formula: '明细!A1' }))
  await hers.builds({ part: added, kind: 'rename', name: '流水 1' })
  hers = await hers.again()
  expect(hers.cells.get(cellKey(part, 'C1'))).toMatchObject({ formula: "'流水 1'!A1" })
  // Consecutive structural changes make one version.
  expect(await versions()).toEqual([3, 1])
  const { generation } = hers.joined
  expect(await hers.builds({ part, kind: 'rename', name: '流水 1' })).toMatchObject({ generation, why: 'name' })
  expect(await hers.builds({ part: 'xl/none.xml', kind: 'remove' })).toMatchObject({ generation, why: 'other' })
  for (const wrong of [
    { part, kind: 'none' },
    { part, kind: 'remove', more: 1 },
    { part, kind: 'move', move: { axis: 'rows', at: 0, by: 0 } },
    { part, kind: 'sort', area: { top: 0, bottom: 2, left: 0, right: 1 }, rows: [[0, 1]] },
    { part, kind: 'tint', color: '"/>' },
    { part, kind: 'filter', filter: { area: { top: 0, bottom: 2, left: 0, right: 1 }, columns: 1 }, out: [] },
  ])
    expect(await hers.rebuilds(wrong)).toBe('badRequest')
  const xml = { column: 0, by: { kind: 'other', xml: '<x/>' } }
  const filter = { area: { top: 0, bottom: 2, left: 0, right: 1 }, columns: [xml] }
  expect(await hers.rebuilds({ part, kind: 'filter', filter, out: [] })).toBe('conversionUnsupported')
  await hers.leaves()
  await his.again().then(({ leaves }) => leaves())
  const book = openWorkbook(await content())
  expect(book.sheets.map(({ name }) => name)).toEqual(['Sheet1', '流水 1'])
  expect([book.shown(part, 0, 1).text, book.shown(part, 0, 2).text]).toEqual(['10', '9'])
})

test('[R148] who loses the right while the file is made has changed nothing', async () => {
  const his = await join(ben)
  await his.writes('A1', text('一'))
  meanwhile = () => anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.download }])
  expect(await his.rebuilds(rowsIn(0, 1))).toBe('noPermission')
  expect((await anna.call('joinTogether', { fileId })).turns).toEqual([])
})
