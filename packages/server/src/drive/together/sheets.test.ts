// Workbooks that are written together ([R148], [R397]): the last who writes into a cell has written it, and all else stays.
import { togetherRoot } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import { cellName } from '@cloudoc/office/shared-cells'
import { openWorkbook } from '@cloudoc/office/workbook'
import { unzipSync } from 'fflate'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { emptyDocument } from '../files/empty-documents.ts'

const part = 'xl/worksheets/sheet1.xml'
const text = (value: string) => ({ content: { kind: 'text', value } })
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

let world: World
let anna: Person
let ben: Person
let folderId = 0
let fileId = 0
let people = 0

beforeAll(async () => {
  // Nobody here says that they are still there, however long a version takes.
  let clock = Date.now()
  world = await openWorld({ elected: false, now: () => (clock += 1) })
  await (await world.admin()).call('setServerSetting', { multi_edit_type: 1 })
})

beforeEach(async () => {
  people += 1
  ;[anna, ben] = [await world.person(`anna${people}`), await world.person(`ben${people}`)]
  folderId = await anna.folder(anna.library, 'shared')
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
  fileId = await anna.upload(folderId, '预算.xlsx', Buffer.from(emptyDocument('xlsx') ?? []))
})

/** An editor of a workbook as the page has one. */
async function join(person: Person) {
  const joined = await person.call('joinTogether', { fileId })
  const doc = new Y.Doc()
  doc.clientID = joined.client
  Y.applyUpdate(doc, Buffer.from(joined.update, 'base64'))
  const cells = doc.getMap(togetherRoot)
  const own = { fileId, generation: joined.generation, client: joined.client }
  const change = (work: () => void): string => {
    const before = Y.encodeStateVector(doc)
    doc.transact(work)
    return base64(Y.encodeStateAsUpdate(doc, before))
  }
  return {
    ...{ joined, doc, cells, change },
    writes: (ref: string, written: unknown, on = part) =>
      person.call('editTogether', { ...own, update: change(() => cells.set(cellName(on, ref), written)) }),
    refusal: (update: string) => person.refusal('editTogether', { ...own, update }),
    async catchesUp(): Promise<void> {
      const vector = base64(Y.encodeStateVector(doc))
      Y.applyUpdate(doc, Buffer.from((await person.call('joinTogether', { ...own, vector })).update, 'base64'))
    },
    saves: () => person.call('saveTogether', { fileId, generation: joined.generation }),
    leaves: () => person.call('presentTogether', { ...own, leaves: true }),
  }
}

const content = async (): Promise<Buffer> => (await anna.download(fileId)).rawPayload
async function shown(...refs: [row: number, column: number][]): Promise<string[]> {
  const book = openWorkbook(await content())
  return refs.map(([row, column]) => book.shown(part, row, column).text)
}

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
  // Who comes later has the file, and what was written into it since it was opened.
  const again = await join(ben)
  expect(again.joined).toMatchObject({ generation: hers.joined.generation, version: 3 })
  expect(again.cells.get(cellName(part, 'A1'))).toEqual(text('一'))
  await again.leaves()
})

test('[R148] what is no cell, or not written as cells are, is refused; a sheet that is not there is left alone', async () => {
  const his = await join(ben)
  const of = (work: (doc: Y.Doc) => void): string => {
    const doc = new Y.Doc()
    doc.clientID = his.joined.client
    work(doc)
    return base64(Y.encodeStateAsUpdate(doc))
  }
  const cell = cellName(part, 'A1')
  for (const wrong of [
    of((doc) => doc.getMap('other').set(cell, text('x'))),
    of((doc) => doc.getMap(togetherRoot).set('A1', text('x'))),
    of((doc) => doc.getMap(togetherRoot).set(cellName(part, 'A0'), text('x'))),
    of((doc) => doc.getMap(togetherRoot).set(cellName(part, 'XFE1'), text('x'))),
    of((doc) => doc.getMap(togetherRoot).set(cell, 'x')),
    of((doc) => doc.getMap(togetherRoot).set(cell, { content: { kind: 'number', value: '1' } })),
    of((doc) => doc.getMap(togetherRoot).set(cell, text('x'.repeat(32_768)))),
    of((doc) => doc.getMap(togetherRoot).set(cell, { ...text('x'), style: 5 })),
    of((doc) => doc.getMap(togetherRoot).set(cell, new Y.Map())),
    of((doc) => doc.getArray(togetherRoot).push([text('x')])),
    of((doc) => doc.getText(togetherRoot).insert(0, 'x')),
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
