// Co-editing of Word documents ([R148], [R397]): untouched content is preserved, and changes that would break a
// document are refused.
import { randomBytes } from 'node:crypto'
import { coeditBase, coeditRoot } from '@cloudoc/contract'
import { maxEditedOfficeBytes, rightsGroup } from '@cloudoc/domain'
import { openDocument } from '@cloudoc/office/document'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { emptyDocument } from '../../documents/empty-documents.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const main = 'word/document.xml'
const field =
  '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r></w:p><w:p><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
const lines = ['一', '二'].map((text) => `<w:p w:rsidR="${text}"><w:r w:rsidR="x"><w:t>${text}</w:t></w:r></w:p>`)

/** An empty document with this body, before its section properties. */
function documentOf(body: string): Buffer {
  const parts = unzipSync(emptyDocument('docx') ?? new Uint8Array())
  const xml = strFromU8(parts[main] ?? new Uint8Array())
  const section = /<w:sectPr[\s\S]*<\/w:sectPr>/.exec(xml)?.[0] ?? ''
  const made = xml.replace(/<w:body>[\s\S]*<\/w:body>/, `<w:body>${body}${section}</w:body>`)
  return Buffer.from(zipSync({ ...parts, [main]: strToU8(made) }))
}

let world: World
let anna: Person
let ben: Person
let folderId = 0
let fileId = 0
let people = 0

beforeAll(async () => {
  // No editor here sends presence, however long a version takes.
  let clock = Date.now()
  world = await openWorld({ elected: false, now: () => (clock += 1) })
  await (await world.admin()).call('setServerSetting', { multi_edit_type: 1 })
})

beforeEach(async () => {
  people += 1
  ;[anna, ben] = [await world.person(`anna${people}`), await world.person(`ben${people}`)]
  folderId = await anna.folder(anna.library, 'shared')
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
  fileId = await anna.upload(folderId, '合同.docx', documentOf(`${lines[0]}${field}${lines[1]}`))
})

/** An editor of a document, as in the page. */
async function join(person: Person) {
  const joined = await person.call('joinTogether', { fileId })
  const doc = new Y.Doc()
  doc.clientID = joined.client
  Y.applyUpdate(doc, Buffer.from(joined.update, 'base64'))
  const text = doc.getText(coeditRoot)
  const own = { fileId, generation: joined.generation, client: joined.client }
  const change = (work: () => void): string => {
    const before = Y.encodeStateVector(doc)
    doc.transact(work)
    return base64(Y.encodeStateAsUpdate(doc, before))
  }
  return {
    ...{ joined, doc, text },
    writes: (work: () => void) => person.call('editTogether', { ...own, update: change(work) }),
    refusal: (update: string) => person.refusal('editTogether', { ...own, update }),
    saves: () => person.call('saveTogether', { fileId, generation: joined.generation }),
    leaves: () => person.call('presentTogether', { ...own, leaves: true }),
  }
}

const content = async (): Promise<Buffer> => (await anna.download(fileId)).rawPayload
const xmlOf = (file: Uint8Array): string => strFromU8(unzipSync(file)[main] ?? new Uint8Array())

// [R397] In a Word document only the edited paragraphs change, and the version names both editors.
test('[R148] [R397] two write in one document: only the paragraphs that were written into are others, and the version names both', async () => {
  const before = await content()
  const [hers, his] = [await join(anna), await join(ben)]
  expect([hers.joined.shape, his.joined.canWrite]).toEqual(['doc', true])
  await hers.writes(() => hers.text.insert(1, '百'))
  await his.writes(() => his.text.insert(his.text.length - 1, '十'))
  await hers.leaves()
  expect(await his.leaves()).toMatchObject({ version: 2 })
  const after = await content()
  expect(xmlOf(after)).toBe(
    xmlOf(before)
      .replace('<w:r w:rsidR="x"><w:t>一', '<w:r><w:t xml:space="preserve">一百')
      .replace('<w:r w:rsidR="x"><w:t>二', '<w:r><w:t xml:space="preserve">二十'),
  )
  const [parts, others] = [unzipSync(before), unzipSync(after)]
  expect(
    Object.keys(parts).filter((name) => Buffer.compare(parts[name] ?? Buffer.of(), others[name] ?? Buffer.of()) !== 0),
  ).toEqual([main])
  const [newest] = (await anna.call('getVersionList', { fileId, from: 0, rows: 10 })).list
  expect(JSON.stringify(newest)).toContain(anna.account)
  expect(JSON.stringify(newest)).toContain(ben.account)
})

test('[R397] versions come one on another, of what the document was made of; what comes out as it was makes none', async () => {
  const before = await content()
  const hers = await join(anna)
  await hers.writes(() => hers.text.insert(0, '甲'))
  expect(await hers.saves()).toMatchObject({ version: 2 })
  await hers.writes(() => hers.text.insert(0, '乙'))
  expect(await hers.saves()).toMatchObject({ version: 3 })
  await hers.writes(() => hers.text.delete(0, 2))
  expect(await hers.saves()).toMatchObject({ version: 4 })
  expect(xmlOf(await content())).toBe(xmlOf(before))
  await hers.writes(() => hers.text.format(0, 1, { look: null }))
  expect(await hers.saves()).toMatchObject({ version: 4 })
  await hers.leaves()
  const again = await join(ben)
  expect(again.joined).toMatchObject({ generation: hers.joined.generation, version: 4 })
  await again.leaves()
})

// [R148] Updates that are not valid document content are refused, and required structure cannot be deleted.
test('[R148] what is no piece of a document, or would take from others what they read it by, is refused', async () => {
  const his = await join(ben)
  const state = Y.encodeStateAsUpdate(his.doc)
  const of = (work: (doc: Y.Doc) => void): string => {
    const doc = new Y.Doc()
    doc.clientID = his.joined.client
    Y.applyUpdate(doc, state)
    const before = Y.encodeStateVector(doc)
    work(doc)
    return base64(Y.encodeStateAsUpdate(doc, before))
  }
  const text = (doc: Y.Doc): Y.Text => doc.getText(coeditRoot)
  const beginning = (doc: Y.Doc): Y.Map<unknown> => doc.getMap(coeditBase)
  for (const wrong of [
    of((doc) => text(doc).insertEmbed(0, { end: 'x' })),
    of((doc) => text(doc).insertEmbed(0, { leaf: ['kept', { xml: '</w:p><w:p>' }] })),
    of((doc) => text(doc).insert(0, 'x', { look: { rPr: '<w:rPr>' } })),
    of((doc) => text(doc).insertEmbed(0, new Y.Map())),
    of((doc) => beginning(doc).set(coeditBase, new Uint8Array([1]))),
    of((doc) => beginning(doc).set(coeditBase, 'x')),
    of((doc) => beginning(doc).delete(coeditBase)),
    of((doc) => beginning(doc).set('other', 'x')),
    of((doc) => doc.getArray(coeditRoot).push(['x'])),
  ])
    expect(await his.refusal(wrong)).toBe('badRequest')
  await his.writes(() =>
    his.text.insertEmbed(0, { leaf: ['kept', { xml: '<w:r><w:sym w:char="F0"/></w:r>', kind: 'other' }] }),
  )
  await his.writes(() => his.text.insertEmbed(0, { end: 9999 }))
  await his.leaves()
  expect(xmlOf(await content())).toContain('<w:r><w:sym w:char="F0"/></w:r>')
  expect(openDocument(await content()).doc.textContent).toBe('一二')
})

test('[R148] a document that cannot be written back as it is is not edited together', async () => {
  fileId = await anna.upload(folderId, 'broken.docx', 'no document')
  expect(await anna.refusal('joinTogether', { fileId })).toBe('conversionUnsupported')
  const parts = unzipSync(documentOf(lines.join('')))
  const settings = '<w:settings xmlns:w="w"><w:documentProtection w:edit="readOnly" w:enforcement="1"/></w:settings>'
  const locked = Buffer.from(zipSync({ ...parts, 'word/settings.xml': strToU8(settings) }))
  fileId = await anna.upload(folderId, 'protected.docx', locked)
  expect(await anna.refusal('joinTogether', { fileId })).toBe('conversionUnsupported')
})

test('[R148] a document with many pictures is one as well, up to what is edited in the page', async () => {
  const parts = unzipSync(documentOf(lines.join('')))
  const withPicture = (bytes: number): Buffer =>
    Buffer.from(zipSync({ ...parts, 'word/media/image1.png': [randomBytes(bytes), { level: 0 }] }))
  const picture = 9 * 1024 * 1024
  fileId = await anna.upload(folderId, 'pictures.docx', withPicture(picture))
  const hers = await join(anna)
  await hers.writes(() => hers.text.insert(0, '甲'))
  await hers.leaves()
  expect((await content()).length).toBeGreaterThan(picture)
  expect(openDocument(await content()).doc.textContent).toBe('甲一二')
  fileId = await anna.upload(folderId, 'more.docx', withPicture(maxEditedOfficeBytes))
  expect(await anna.refusal('joinTogether', { fileId })).toBe('fileSizeExceeded')
})

test('[R148] however many leave at once, a few processes make their versions, and each file has its own', async () => {
  const files: number[] = []
  for (let n = 0; n < 4; n += 1) files.push(await anna.upload(folderId, `${n}.docx`, documentOf(lines.join(''))))
  const all = []
  for (const id of files) {
    fileId = id
    const one = await join(anna)
    await one.writes(() => one.text.insert(0, `第${id}份`))
    all.push(one)
  }
  const stored = await Promise.all(all.map((one) => one.leaves()))
  expect(stored.map(({ version }) => version)).toEqual(files.map(() => 2))
  for (const id of files) {
    fileId = id
    expect(openDocument(await content()).doc.textContent).toBe(`第${id}份一二`)
  }
})
