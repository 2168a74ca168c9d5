// Co-editing of presentations ([R148], [R397]): the texts of slides and notes; all else is preserved.
import { rightsGroup } from '@cloudoc/domain'
import { frameKey, openSlides, type SlideChange, type SlidesRebase } from '@cloudoc/office/presentation'
import { unzipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { sample } from '../../../test/corpus.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

let world: World
let anna: Person
let ben: Person
let folderId = 0
let fileId = 0

beforeAll(async () => {
  let clock = Date.now()
  world = await openWorld({ elected: false, now: () => (clock += 1) })
  await (await world.admin()).call('setServerSetting', { multi_edit_type: 1 })
  ;[anna, ben] = [await world.person('anna'), await world.person('ben')]
  folderId = await anna.folder(anna.library, 'shared')
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
})

/** An editor of a presentation, as in the page. */
async function join(person: Person) {
  const joined = await person.call('joinTogether', { fileId })
  const doc = new Y.Doc()
  doc.clientID = joined.client
  Y.applyUpdate(doc, Buffer.from(joined.update, 'base64'))
  const own = { fileId, generation: joined.generation, client: joined.client }
  const change = (work: (doc: Y.Doc) => void): string => {
    const before = Y.encodeStateVector(doc)
    doc.transact(() => work(doc))
    return base64(Y.encodeStateAsUpdate(doc, before))
  }
  return {
    joined,
    text: (name: string): Y.Text => doc.getText(frameKey(name)),
    writes: (work: () => void) => person.call('editTogether', { ...own, update: change(work) }),
    refused: (work: (doc: Y.Doc) => void) => person.refusal('editTogether', { ...own, update: change(work) }),
    /** Changes slides or shapes; then it has to join again. */
    changes: (what: SlideChange) => person.call('buildTogether', { ...own, change: JSON.stringify(what) }),
    changeRefused: (what: unknown) => person.refusal('buildTogether', { ...own, change: JSON.stringify(what) }),
    leaves: () => person.call('presentTogether', { ...own, leaves: true }),
  }
}

const content = async (): Promise<Buffer> => (await anna.download(fileId)).rawPayload
const framesOf = (file: Uint8Array) => {
  const deck = openSlides(file)
  return deck.places.map(({ id, name, isNotes }) => ({ name, isNotes, words: deck.words(id) }))
}

// [R148] Two people edit one presentation at once, also in the same text; the version names both.
// [R397] In a presentation only the slides that were written on change, and the version names both editors.
test('[R148] [R397] two write in one presentation, also into one text: only their slides are others, and the version names both', async () => {
  fileId = await anna.upload(folderId, '培训.pptx', Buffer.from(await sample('pptx')))
  const before = await content()
  const frames = framesOf(before)
  const frame = frames.find(({ words, isNotes }) => words.length > 2 && !isNotes)
  if (frame === undefined) throw new Error('no text')
  const [hers, his] = [await join(anna), await join(ben)]
  expect([hers.joined.shape, his.joined.canWrite]).toEqual(['slides', true])
  expect(his.text(frame.name).toJSON()).toBe(frame.words)
  await hers.writes(() => hers.text(frame.name).insert(0, '甲'))
  await his.writes(() => his.text(frame.name).insert(frame.words.length, '乙\u0001'))
  await hers.leaves()
  expect(await his.leaves()).toMatchObject({ version: 2 })
  const after = await content()
  expect(framesOf(after)).toEqual(
    frames.map((one) => (one.name === frame.name ? { ...one, words: `甲${frame.words}乙` } : one)),
  )
  const [parts, others] = [unzipSync(before), unzipSync(after)]
  const changed = Object.keys(parts).filter(
    (name) => !Buffer.from(parts[name] ?? []).equals(others[name] ?? Buffer.of()),
  )
  expect(changed).toEqual([frame.name.replace(/#.*/, '')])
  const [newest] = (await anna.call('getVersionList', { fileId, from: 0, rows: 10 })).list
  for (const { account } of [anna, ben]) expect(JSON.stringify(newest)).toContain(account)
})

test('[R397] notes that are begun keep their name in the next version, and go on to be written', async () => {
  fileId = await anna.upload(folderId, '备注.pptx', Buffer.from(await sample('pptx')))
  const notes = framesOf(await content()).findLast(({ isNotes }) => isNotes)?.name ?? ''
  const hers = await join(anna)
  await hers.writes(() => {
    hers.text(notes).delete(0, hers.text(notes).length)
    hers.text(notes).insert(0, '开场')
  })
  await hers.leaves()
  const again = await join(ben)
  await again.writes(() => again.text(notes).insert(2, '白'))
  await again.leaves()
  expect(framesOf(await content()).find(({ name }) => name === notes)?.words).toBe('开场白')
})

test('[R148] what is no text of a frame is refused, and so is a presentation that cannot be written back', async () => {
  fileId = await anna.upload(folderId, '拒绝.pptx', Buffer.from(await sample('pptx')))
  const name = framesOf(await content())[0]?.name ?? ''
  for (const wrong of [
    (doc: Y.Doc) => doc.getText('other').insert(0, 'x'),
    (doc: Y.Doc) => doc.getMap(frameKey('a#1')).set('x', 1),
    (doc: Y.Doc) => doc.getText(frameKey(name)).insertEmbed(0, { xml: '<a/>' }),
    (doc: Y.Doc) => doc.getText(frameKey(name)).format(0, 1, { bold: true }),
  ])
    expect(await (await join(ben)).refused(wrong)).toBe('badRequest')
  fileId = await anna.upload(folderId, 'broken.pptx', 'no presentation')
  expect(await anna.refusal('joinTogether', { fileId })).toBe('conversionUnsupported')
})

// [R397] Slides, shapes and pictures are added, moved and removed while several people edit a presentation, and nothing
// that anybody has written is lost.
test('[R397] slides and shapes are changed while two write: the words of both are in the file, and both go on', async () => {
  fileId = await anna.upload(folderId, '同改.pptx', Buffer.from(await sample('pptx')))
  const before = await content()
  const [hers, his] = [await join(anna), await join(ben)]
  const frame = framesOf(before).find(({ words, isNotes }) => words.length > 2 && !isNotes)
  if (frame === undefined) throw new Error('no text')
  await his.writes(() => his.text(frame.name).insert(0, '乙：'))
  const box = { x: 40, y: 40, width: 300, height: 80 }
  const made = await hers.changes({ kind: 'addShape', at: 0, form: 'text', box, text: '新框' })
  expect(made).toMatchObject({ why: '', version: 2 })
  // The document has begun anew, so what is written into the one before is refused.
  expect(await his.refused(() => his.text(frame.name).insert(0, '迟'))).toBe('fileConflict')
  expect(await his.changeRefused({ kind: 'remove', at: 0 })).toBe('fileConflict')

  const [again, other] = [await join(anna), await join(ben)]
  expect(again.joined.generation).toBe(made.generation)
  expect(other.text(frame.name).toJSON()).toBe(`乙：${frame.words}`)
  const turn = JSON.parse(again.joined.turns.at(-1)?.turn ?? '{}') as SlidesRebase
  expect(turn).toEqual({ renamed: {}, gone: [] })
  const added = framesOf(await content()).find(({ words }) => words === '新框')?.name ?? ''
  await other.writes(() => other.text(added).insert(2, '里'))
  await again.changes({ kind: 'add', behind: 0 })
  const [last, next] = [await join(anna), await join(ben)]
  await next.changes({ kind: 'move', from: 1, to: 0 })
  const end = await join(anna)
  await end.leaves()
  await (await join(ben)).leaves()
  await last.leaves().catch(() => undefined)
  const said = framesOf(await content()).map(({ words }) => words)
  expect(said).toEqual(expect.arrayContaining([`乙：${frame.words}`, '新框里']))
  expect(openSlides(await content()).deck.slides).toHaveLength(openSlides(before).deck.slides.length + 1)
})

test('[R397] what is removed stays in a version before; a change that is none is refused', async () => {
  fileId = await anna.upload(folderId, '删除.pptx', Buffer.from(await sample('pptx')))
  const frames = framesOf(await content())
  const name = frames.find(({ words, isNotes }) => words !== '' && !isNotes)?.name ?? ''
  const hers = await join(anna)
  await hers.writes(() => hers.text(name).insert(0, '刚写的'))
  const slide = openSlides(await content()).places.find((one) => one.name === name)?.slide ?? 0
  expect(await hers.changeRefused({ kind: 'remove', at: 0, more: 1 })).toBe('badRequest')
  expect(await hers.changes({ kind: 'remove', at: 5000 })).toMatchObject({ why: 'other', version: 2 })
  const { version } = await hers.changes({ kind: 'remove', at: slide })
  const gone = framesOf(await content()).map(({ words }) => words)
  expect(gone.some((words) => words.startsWith('刚写的'))).toBe(false)
  const { rawPayload } = await anna.download(fileId, { version: String(version - 1) })
  expect(framesOf(rawPayload).some(({ words }) => words.startsWith('刚写的'))).toBe(true)
})
