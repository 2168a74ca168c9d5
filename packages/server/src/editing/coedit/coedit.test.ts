// Co-editing in the page ([R148], [R397]): documents on the server, participants, and the resulting versions.
import { type CallName, coeditRoot, isFrame } from '@cloudoc/contract'
import { limits, rightsGroup } from '@cloudoc/domain'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openWorld, type Person, type World } from '../../../test/harness.ts'

let world: World
let shift = 0
let anna: Person
let ben: Person
let folderId = 0
let fileId = 0
let people = 0

beforeAll(async () => {
  world = await openWorld({ elected: false, now: () => Date.now() + shift })
  await (await world.admin()).call('setServerSetting', { multi_edit_type: 1 })
})

beforeEach(async () => {
  shift = 0
  people += 1
  ;[anna, ben] = [await world.person(`anna${people}`), await world.person(`ben${people}`)]
  folderId = await anna.folder(anna.library, 'shared')
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
  fileId = await anna.upload(folderId, '纪要.md', '# 纪要\n\n第一行\n')
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** An editor of a document, as in the page. */
async function join(person: Person, id = fileId) {
  const joined = await person.call('joinTogether', { fileId: id })
  const doc = new Y.Doc()
  doc.clientID = joined.client
  Y.applyUpdate(doc, Buffer.from(joined.update, 'base64'))
  const text = doc.getText(coeditRoot)
  const { generation, client } = joined
  const own = { fileId: id, generation, client }
  return {
    ...{ person, joined, doc, text, own },
    /** The update of a change of the text, as it is sent. */
    change(work: () => void): string {
      const before = Y.encodeStateVector(doc)
      doc.transact(work)
      return base64(Y.encodeStateAsUpdate(doc, before))
    },
    async types(at: number, words: string): Promise<number> {
      const update = this.change(() => text.insert(at, words))
      return (await person.call('editTogether', { ...own, update })).seq
    },
    async catchesUp(): Promise<void> {
      const vector = base64(Y.encodeStateVector(doc))
      const { update } = await person.call('joinTogether', { ...own, vector })
      Y.applyUpdate(doc, Buffer.from(update, 'base64'))
    },
    leaves: () => person.call('presentTogether', { ...own, leaves: true }),
    refusal: (name: CallName, more: object) => person.refusal(name, { ...own, ...more }),
  }
}
const content = async (person = anna): Promise<string> => (await person.download(fileId)).body
const infoOf = (person: Person) => person.call('getFileInfo', { fileId })
const isShared = async (): Promise<boolean> => ((await infoOf(anna)).itemStatus & 67_108_864) !== 0

describe('writing together', () => {
  test('[R148] [R397] two type in one text; what is answered is in the version that the last one leaves, which names both', async () => {
    const [hers, his] = [await join(anna), await join(ben)]
    expect(hers.text.toJSON()).toBe('# 纪要\n\n第一行\n')
    expect([hers.joined.canWrite, his.joined.canWrite, await isShared()]).toEqual([true, true, true])
    expect(his.joined.members.map(({ name }) => name).toSorted()).toEqual([anna.account, ben.account].toSorted())
    await Promise.all([hers.types(hers.text.length, '安娜的话'), his.types(0, '本的话\n')])
    await Promise.all([hers.catchesUp(), his.catchesUp()])
    expect(hers.text.toJSON()).toBe('本的话\n# 纪要\n\n第一行\n安娜的话')
    expect(his.text.toJSON()).toBe(hers.text.toJSON())
    await hers.leaves()
    expect([await content(), await isShared()]).toEqual(['# 纪要\n\n第一行\n', true])
    expect(await his.leaves()).toMatchObject({ version: 2 })
    expect([await content(), await isShared()]).toEqual([his.text.toJSON(), false])
    const { list } = await anna.call('getVersionList', { fileId, from: 0, rows: 10 })
    expect(list[0]).toMatchObject({ version: 2 })
    expect(JSON.stringify(list[0])).toContain(anna.account)
    expect(JSON.stringify(list[0])).toContain(ben.account)
  })

  // [R109] While several people edit a file its record names all who may write, in every answer about it.
  test('[R109] who edits together is named by the record of the file, as they come and go', async () => {
    // A world that delivers events.
    const live = await openWorld()
    await (await live.admin()).call('setServerSetting', { multi_edit_type: 1 })
    const [anna, ben, cleo] = [await live.person('anna'), await live.person('ben'), await live.person('cleo')]
    const folderId = await anna.folder(anna.library, 'shared')
    await anna.shares({ folderId }, [
      { to: ben, rights: rightsGroup.edit },
      { to: cleo, rights: rightsGroup.download },
    ])
    const fileId = await anna.upload(folderId, '纪要.md', '# 纪要\n')
    const named = async () => {
      const record = await cleo.call('getFileInfo', { fileId })
      const { list } = await cleo.call('getSubItemList3', { folderId })
      expect(list).toEqual([record])
      expect(record.editorNames).toBe(record.editorList.map(({ name }) => name).join(', '))
      return record.editorList.map(({ userId }) => userId)
    }
    expect(await named()).toEqual([])
    const cleos = await cleo.listen()
    const hears = () => cleos.next((one) => isFrame(one, 'fileLock') && one.data.fileId === fileId)
    const hers = await join(anna, fileId)
    await hears()
    expect(await named()).toEqual([anna.userId])
    const his = await join(ben, fileId)
    await hears()
    await join(cleo, fileId)
    expect(await named()).toEqual([anna.userId, ben.userId])
    await hers.leaves()
    await hears()
    expect(await named()).toEqual([ben.userId])
    await his.leaves()
    expect(await named()).toEqual([])
  })

  test('[R148] changes are told to whoever takes part as they are stored, and nothing to who may not read them any more', async () => {
    const [hers, his] = [await join(anna), await join(ben)]
    const bens = await ben.listen()
    await ben.call('presentTogether', his.own)
    await bens.next((one) => isFrame(one, 'togetherChanged'))
    const seq = await hers.types(0, '甲')
    const frame = await bens.next((one) => isFrame(one, 'togetherChanged') && one.data.seq === seq)
    if (!isFrame(frame, 'togetherChanged')) throw new Error('another frame')
    for (const update of frame.data.updates) Y.applyUpdate(his.doc, Buffer.from(update, 'base64'))
    expect(his.text.toJSON()).toBe('甲# 纪要\n\n第一行\n')
    await ben.call('presentTogether', { ...his.own, cursor: '{"at":3}' })
    const annas = await anna.listen()
    await ben.call('presentTogether', { ...his.own, cursor: '{"at":4}' })
    await annas.next(
      (one) => isFrame(one, 'togetherChanged') && one.data.members.some(({ cursor }) => cursor === '{"at":4}'),
    )
    await anna.shares({ folderId }, [])
    const count = bens.frames.length
    const next = await hers.types(0, '乙')
    await annas.next((one) => isFrame(one, 'togetherChanged') && one.data.seq === next)
    expect(bens.frames.slice(count).filter((one) => isFrame(one, 'togetherChanged'))).toEqual([])
    expect(await his.refusal('presentTogether', {})).toBe('notFound')
  })

  // [R233] Whose level is lowered below that of a document is told nothing more of what is written in it.
  test('[R148] [R233] changes are not told to whose level no longer reaches that of the document', async () => {
    // A world that delivers events.
    const live = await openWorld()
    const admin = await live.admin()
    await admin.call('setServerSetting', { multi_edit_type: 1 })
    const [olga, carl] = [await live.person('olga'), await live.person('carl')]
    await admin.call('changePeople', { userIds: [olga.userId, carl.userId], secretLevel: 2 })
    const secret = await olga.upload(olga.library, '密.md', '# 纪要\n')
    await olga.shares({ fileId: secret }, [{ to: carl, rights: rightsGroup.edit }])
    await olga.call('setSecretLevel', { fileIdArray: [secret], secretLevel: 1 })
    const [hers, his] = [await join(olga, secret), await join(carl, secret)]
    const [olgas, carls] = [await olga.listen(), await carl.listen()]
    const hears = async (channel: typeof olgas, seq: number) =>
      channel.next((one) => isFrame(one, 'togetherChanged') && one.data.seq === seq)
    /** Waits until the channel has delivered what happened before. */
    const settles = async (mark: string) => {
      await carl.folder(carl.library, mark)
      await carls.next((one) => isFrame(one, 'folderChange') && one.data.fName === mark)
    }
    const told = await hers.types(0, '甲')
    await Promise.all([hears(olgas, told), hears(carls, told)])
    await admin.call('modifyAccount', { userId: carl.userId, secretLevel: 0 })
    await settles('之后')
    const count = carls.frames.length
    await hears(olgas, await hers.types(0, '乙'))
    await settles('最后')
    expect(carls.frames.slice(count).filter((one) => isFrame(one, 'togetherChanged'))).toEqual([])
    expect(await his.refusal('presentTogether', {})).toBe('secretLevel')
  })

  // [R148] Several people edit one text under one shared lock; an acknowledged change is stored; after losing the right
  // a person changes nothing more.
  test('[R148] who loses the right to change it reads on, is told so by themselves, and stores nothing any more', async () => {
    const [hers, his] = [await join(anna), await join(ben)]
    const bens = await ben.listen()
    await hers.types(0, '甲')
    await bens.next((one) => isFrame(one, 'togetherChanged'))
    // Reading, without permission to change.
    await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.download }])
    const told = await bens.next(
      (one) => isFrame(one, 'togetherChanged') && one.data.members.some((m) => m.userId === ben.userId && !m.canWrite),
    )
    expect(told).toBeDefined()
    expect(await his.refusal('editTogether', { update: his.change(() => his.text.insert(0, '不')) })).toBe(
      'noPermission',
    )
    expect(await ben.call('presentTogether', his.own)).toMatchObject({ canWrite: false })
    await hers.leaves()
    expect(await content()).toBe('甲# 纪要\n\n第一行\n')
  })

  test('[R148] an editor who was away merges, also when the others have left and a version was made meanwhile', async () => {
    const [hers, his] = [await join(anna), await join(ben)]
    const away = his.change(() => his.text.insert(his.text.length, '离线'))
    await hers.types(0, '在线')
    shift = 10 * 60_000
    await hers.leaves()
    expect(await content()).toBe('在线# 纪要\n\n第一行\n')
    await his.catchesUp()
    await ben.call('editTogether', { ...his.own, update: away })
    expect(his.text.toJSON()).toBe('在线# 纪要\n\n第一行\n离线')
    await his.leaves()
    expect(await content()).toBe(his.text.toJSON())
  })

  test('[R148] where the file has got another content meanwhile, a document of before is refused, and a new one begins', async () => {
    const his = await join(ben)
    await his.leaves()
    await anna.upload(folderId, '纪要.md', '另一个', { conflict: 'version' })
    expect(await his.refusal('joinTogether', { vector: '' })).toBe('fileConflict')
    expect(await his.refusal('editTogether', { update: his.change(() => his.text.insert(0, '旧')) })).toBe('noEditLock')
    const anew = await join(ben)
    expect(anew.text.toJSON()).toBe('另一个')
    expect(await his.refusal('editTogether', { update: 'AAA=' })).toBe('fileConflict')
  })

  test('[R148] what is no change of a text, is not the sender’s or needs what is not there is refused, and changes nothing', async () => {
    const [hers, his] = [await join(anna), await join(ben)]
    const send = (update: string) => his.refusal('editTogether', { update })
    const of = (client: number, work: (doc: Y.Doc) => void): string => {
      const doc = new Y.Doc()
      doc.clientID = client
      work(doc)
      return base64(Y.encodeStateAsUpdate(doc))
    }
    const own = his.joined.client
    expect(await send('AAEC/////w==')).toBe('badRequest')
    expect(await send(base64(new Uint8Array(300).fill(255)))).toBe('badRequest')
    expect(await send(of(own, (doc) => doc.getMap('other').set('a', 1)))).toBe('badRequest')
    expect(await send(of(own, (doc) => doc.getText('other').insert(0, 'a')))).toBe('badRequest')
    expect(await send(of(own, (doc) => doc.getText(coeditRoot).insertEmbed(0, { a: 1 })))).toBe('badRequest')
    expect(await send(of(own, (doc) => doc.getText(coeditRoot).insert(0, 'a\rb')))).toBe('badRequest')
    expect(await send(of(hers.joined.client, (doc) => doc.getText(coeditRoot).insert(0, 'a')))).toBe('badRequest')
    his.change(() => his.text.insert(0, '没有送达'))
    expect(await send(his.change(() => his.text.insert(2, '缺前面的')))).toBe('fileConflict')
    expect(await hers.refusal('editTogether', { client: own, update: 'AAA=' })).toBe('badRequest')
    expect(await send('A'.repeat(Math.ceil(limits.togetherUpdateBytes / 3) * 4 + 4))).toBe('badRequest')
    await hers.catchesUp()
    expect(hers.text.toJSON()).toBe('# 纪要\n\n第一行\n')
    expect(await hers.types(0, '好')).toBe(1)
  })

  test('[R397] a file keeps its encoding, its mark and the line ends that nobody touched', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('一\r\n二\n三\r\n四\r五', 'utf16le')])
    await anna.upload(folderId, '纪要.md', bytes, { conflict: 'version' })
    const hers = await join(anna)
    expect(hers.text.toJSON()).toBe('一\n二\n三\n四\n五')
    await hers.types(hers.text.length, '\n六')
    await hers.leaves()
    const body = (await anna.download(fileId)).rawPayload
    expect(body.equals(Buffer.concat([bytes, Buffer.from('\r\n六', 'utf16le')]))).toBe(true)
    // Nothing was changed, so there is no new version.
    await (await join(anna)).leaves()
    expect((await infoOf(anna)).version).toBe(3)
  })

  test('[R148] while it is written together nobody edits it alone, and while somebody does nobody joins', async () => {
    const his = await join(ben)
    expect(await anna.refusal('fileEditLock', { fileId })).toBe('fileLocked')
    expect((await anna.submitAfter(fileId, 1, 'mine')).code).toBe('fileLocked')
    await his.leaves()
    await anna.call('fileEditLock', { fileId })
    expect(await ben.refusal('joinTogether', { fileId })).toBe('fileLocked')
  })

  test('[R181] it is forced to end: who takes part is told and changes nothing more, and what they wrote is a version', async () => {
    const his = await join(ben)
    const bens = await ben.listen()
    await his.types(0, '写好的')
    await anna.call('forceUnlockFiles', { fileIdArray: [fileId], all: true })
    await world.app.settle()
    await bens.next((one) => isFrame(one, 'fileForceUnlocked'))
    expect(await his.refusal('editTogether', { update: his.change(() => his.text.insert(0, '晚')) })).toBe('noEditLock')
    expect(await isShared()).toBe(true)
    await his.leaves()
    expect([await content(), await isShared()]).toEqual(['写好的# 纪要\n\n第一行\n', false])
  })

  // [R182] Administrators list files being edited, alone, together or on an office server, and end it.
  test('[R181] [R182] administrators see what is edited, how and by whom, and end it; nobody else does', async () => {
    const his = await join(ben)
    await his.types(0, '写好的')
    const alone = await anna.upload(folderId, 'alone.txt', 'x')
    await anna.call('fileEditLock', { fileId: alone })
    const admin = await world.admin()
    const edited = async () =>
      (await admin.call('getEditedFiles', {})).list
        .filter((one) => one.fileId === fileId || one.fileId === alone)
        .toSorted((a, b) => a.way.localeCompare(b.way, 'en'))
        .map(({ fName, way, editors }) => [fName, way, editors])
    expect(await edited()).toEqual([
      ['alone.txt', 'alone', [anna.account]],
      ['纪要.md', 'together', [ben.account]],
    ])
    expect(await anna.refusal('getEditedFiles', {})).toBe('noPermission')
    expect(await anna.refusal('endEditing', { fileId: alone })).toBe('noPermission')
    const annas = await anna.listen()
    for (const id of [alone, fileId]) await admin.call('endEditing', { fileId: id })
    await world.app.settle()
    await annas.next((one) => isFrame(one, 'fileForceUnlocked') && one.data.fileId === alone)
    expect(await admin.refusal('endEditing', { fileId: alone })).toBe('noEditLock')
    await his.leaves()
    expect([await edited(), await content()]).toEqual([[], '写好的# 纪要\n\n第一行\n'])
  })

  test('[R397] who says so has a version at once, by what was there; it says who took part and nobody else', async () => {
    const [hers, his] = [await join(anna), await join(ben)]
    await hers.types(0, '一')
    expect(await anna.call('saveTogether', { fileId, generation: hers.own.generation })).toMatchObject({
      version: 2,
      savedSeq: 1,
    })
    await his.catchesUp()
    await his.types(0, '二')
    await his.leaves()
    await hers.leaves()
    const [second, first] = (await anna.call('getVersionList', { fileId, from: 0, rows: 10 })).list
    expect(JSON.stringify(first)).not.toContain(ben.account)
    expect(JSON.stringify(second)).toContain(ben.account)
  })

  test('[R165] files of other kinds, of other lengths and where it is set otherwise are not edited together here', async () => {
    const picture = await anna.upload(folderId, 'a.png', 'x')
    expect(await anna.refusal('joinTogether', { fileId: picture })).toBe('conversionUnsupported')
    const broken = await anna.upload(folderId, 'b.txt', Buffer.from([0x61, 0xff, 0xfe, 0xfd, 0x80]))
    expect(await anna.refusal('joinTogether', { fileId: broken })).toBe('conversionUnsupported')
    const long = await anna.upload(folderId, 'c.txt', 'x'.repeat(limits.togetherLength + 1))
    expect(await anna.refusal('joinTogether', { fileId: long })).toBe('fileSizeExceeded')
    const admin = await world.admin()
    await admin.call('setServerSetting', { multi_edit_type: 0 })
    expect(await anna.refusal('joinTogether', { fileId })).toBe('conversionUnsupported')
    await admin.call('setServerSetting', { multi_edit_type: 1 })
  })
})
