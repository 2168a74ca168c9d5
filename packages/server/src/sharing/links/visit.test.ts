// Visits by a link: what visitors see, download and upload, how often, and password guessing.

import { request as requestHttp } from 'node:http'
import { calls, isFrame, type PushPayload, placeInput } from '@cloudoc/contract'
import { codes, linkRights, Right, rightsGroup } from '@cloudoc/domain'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type Person, requestFor, wireOf } from '../../../test/harness.ts'
import { hour, linkWorld } from '../../../test/links.ts'

const { world, clock, now, open, enter, ask, wire, stateOf, scene, make } = linkWorld()
const { preview, download, upload } = linkRights

describe('[R228] a visitor', () => {
  // [R228] Thumbnails are made only of items within the link, and are not counted as views.
  test('[R228] has small pictures made of what lies under the link alone; that is no look', async () => {
    const { anna, folderId, inner, beside } = await scene()
    const bytes = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#1459e6' } })
      .png()
      .toBuffer()
    const photo = await anna.upload(inner, '展台.png', bytes)
    const other = await anna.upload(inner, '附件.bin', 'x')
    const { linkToken, externalId } = await make(anna, { folderId })
    const pass = await enter(linkToken)
    const stateOfAll = async (): Promise<unknown> =>
      (await wire('visitPictures', { linkToken, fileIdArray: [photo, other, beside, 987_654_321] }, pass)).data
    const [converting, success] = [codes.converting.code, codes.success.code]
    const rest = [
      { fileId: other, result: codes.conversionUnsupported.code },
      { fileId: beside, result: codes.notFound.code },
      { fileId: 987_654_321, result: codes.notFound.code },
    ]
    expect(await stateOfAll()).toEqual({ list: [{ fileId: photo, result: converting }, ...rest] })
    await expect.poll(stateOfAll, { timeout: 120_000 }).toEqual({ list: [{ fileId: photo, result: success }, ...rest] })
    const got = await ask('visitContent', { linkToken, fileId: photo, form: 'thumbnail' }, pass)
    expect((await sharp(got.rawPayload).metadata()).width).toBeLessThanOrEqual(512)
    expect((await wire('visitPictures', { linkToken, fileIdArray: [beside] }, pass)).code).toBe('notFound')
    expect((await anna.call('getExternalVisitList', { externalId })).list.map(({ what }) => what)).not.toContain(
      'preview',
    )
  })

  // [R226] People with the right to change the link export its visitors as a table.
  // [R228] A visitor without an account enters with the password and sees, within the link's rights, only the linked
  // item and its content.
  test('[R226] [R228] comes in by the password, sees what lies under the link and nothing else', async () => {
    const { anna, folderId, inner, fileId, deep, beside } = await scene()
    const { linkToken, externalId } = await make(anna, { folderId }, { password: 'aB3d', notify: true })
    const outside = (await wire('getVisitedLink', { linkToken })).data
    expect(outside).toMatchObject({ state: 'open', inside: false, needsPassword: true, fName: '', fId: 0 })
    expect(wireOf(await open(linkToken, { password: 'ab3d' })).code).toBe('wrongLinkPassword')
    const pass = await enter(linkToken, { password: 'aB3d', name: '王先生' })
    const inside = (await ask('getVisitedLink', { linkToken }, pass)).json<{ data: object }>().data
    const again = wireOf(await open(linkToken, { password: 'aB3d', name: '王先生' })).data
    expect(again).toMatchObject({ link: inside })
    expect(inside).toMatchObject({ inside: true, fName: '资料', fId: folderId, rights: 12 })
    const list = (await wire('visitList', { linkToken, folderId }, pass)).data as {
      path: object[]
      list: { fName: string }[]
    }
    expect(list.path).toEqual([{ fId: folderId, fName: '资料' }])
    expect(list.list.map(({ fName }) => fName)).toEqual(['里面', '说明.txt'])
    expect((await wire('visitList', { linkToken, folderId: inner }, pass)).data).toMatchObject({
      path: [{ fId: folderId }, { fId: inner }],
      list: [{ fName: '深.txt', mayDownload: true }],
    })
    for (const [what, asked] of [
      ['its parent', await wire('visitList', { linkToken, folderId: anna.library }, pass)],
      ['a virtual folder', await wire('visitList', { linkToken, folderId: -1 }, pass)],
      ['beside it', wireOf(await ask('visitDownload', { linkToken, fileId: beside }, pass))],
      ['in a zip', wireOf(await ask('visitZip', { linkToken, files: `fi_${fileId},fi_${beside}` }, pass))],
      ['to look at', await wire('visitPreview', { linkToken, fileId: beside }, pass)],
      ['of the other kind', wireOf(await ask('visitDownload', { linkToken, fileId: folderId }, pass))],
      ['what is nowhere', wireOf(await ask('visitContent', { linkToken, fileId: 987_654_321 }, pass))],
    ] as const)
      expect(asked.code, what).toBe('notFound')
    const got = await ask('visitDownload', { linkToken, fileId: deep }, pass)
    expect([got.statusCode, got.body]).toEqual([200, 'deep'])
    const zip = await ask('visitZip', { linkToken, files: `fo_${inner},fi_${fileId}` }, pass)
    expect([zip.statusCode, zip.headers['content-type']]).toEqual([200, 'application/zip'])
    const shown = await wire('visitPreview', { linkToken, fileId }, pass)
    expect(shown.data).toMatchObject({ form: 'original', state: codes.success.code })
    expect((await ask('visitContent', { linkToken, fileId }, pass)).body).toBe('content of the file')
    // No upload, and no other call of the product.
    expect((await wire('visitUpload', { linkToken, folderId, fileName: 'x.txt' }, pass, 'x')).code).toBe('noPermission')
    // A download is recorded after it has been sent.
    const happened = async () =>
      (await anna.call('getExternalVisitList', { externalId })).list
        .map(({ what, visitor }) => `${what} ${visitor}`)
        .sort()
    await expect
      .poll(happened)
      .toEqual(['download 王先生', 'download 王先生', 'open 王先生', 'open 王先生', 'preview 王先生', 'wrongPassword '])
    expect(await anna.call('getExternalVisitList', { externalId })).toMatchObject({ total: 6, wrongPasswords: 1 })
    expect(await anna.call('getExternalInfo', { externalId })).toMatchObject({ visits: 2, downloads: 2 })
    const table = async (person: Person, more: object = {}) => {
      const asked = await world.app.http.inject(
        requestFor('exportExternalVisits', { externalId, ...more }, person.token),
      )
      return asked
    }
    const [heads, ...lines] = (await table(anna)).body.trimEnd().split('\r\n')
    expect([heads, lines.length]).toEqual(['\ufeff时间（Asia/Shanghai）,做了什么,文件,访问者,地址,设备,字节', 6])
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,/)
    expect((await table(anna, { what: 'wrongPassword' })).body).toContain(',密码错误,')
    expect((await table(await world.person('ben'))).statusCode).toBe(404)
    await world.app.settle()
    const { list: notices } = await anna.call('getNoticeList', { unread: true, rows: 100 })
    const said = notices.map(({ message }) => JSON.parse(message) as PushPayload<'linkVisited'>)
    expect(said).toMatchObject([{ what: 'open', externalId, visitor: '王先生' }])
    // The log names the visitor.
    const { rows } = await sql<{ outsider: object }>`
      select outsider from audit where call = 'visitPreview' and ${fileId} = any(items)`.execute(world.app.db)
    expect(rows).toEqual([{ outsider: { kind: 'visitor', reference: externalId, name: '王先生' } }])
  })

  test('[R228] is told before they come in what kind of file it is, where the link asks nothing', async () => {
    const { anna, fileId } = await scene()
    const kind = async (more: object) => {
      const { linkToken } = await make(anna, { fileId }, more)
      const { data } = await wire('getVisitedLink', { linkToken })
      expect(data).toMatchObject({ inside: false, fId: 0, fName: '' })
      return (data as { extName: string }).extName
    }
    expect(await kind({})).toBe('txt')
    expect(await kind({ password: 'aB3d' })).toBe('')
    expect(await kind({ userIdArray: [anna.userId] })).toBe('')
    expect(await kind({ startTime: now() + hour / 2 })).toBe('')
  })

  test('[R228] of a link to look at alone takes nothing away: -34', async () => {
    const { anna, fileId } = await scene()
    const { linkToken } = await make(anna, { fileId }, { rights: preview })
    const pass = await enter(linkToken)
    expect(wireOf(await ask('visitDownload', { linkToken, fileId }, pass))).toMatchObject({ result: -34 })
    expect(wireOf(await ask('visitZip', { linkToken, files: `fi_${fileId}` }, pass))).toMatchObject({ result: -34 })
    expect((await wire('visitPreview', { linkToken, fileId }, pass)).data).toMatchObject({ form: 'view' })
    // The original bytes are not delivered for viewing either.
    expect((await ask('visitContent', { linkToken, fileId }, pass)).statusCode).toBe(403)
  })

  // [R222] Edit as allowed: new versions of files, texts edited in the visitor's page, under the given name; a file
  // that somebody inside has open is not overwritten.
  test('[R222] who may edit brings new versions under the name that they gave; nobody inside is overtaken', async () => {
    const { anna, folderId, fileId } = await scene()
    const ben = await world.person('ben')
    await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.download | Right.externalLink }])
    // A creator cannot grant rights that they do not have.
    const edits = { rights: linkRights.edit }
    expect(await ben.refusal('externalCreate', { fileId, ...edits, endTime: now() + hour })).toBe('noPermission')
    expect(await ben.call('getLinkPolicy', { fileId })).toMatchObject({ mayGiveEdit: false })
    expect(await anna.call('getLinkPolicy', { folderId })).toMatchObject({ mayGiveEdit: true })
    const { linkToken, externalId } = await make(anna, { folderId }, edits)
    expect(await anna.call('getExternalInfo', { externalId })).toMatchObject({ rights: 4 | 8 | 64 })
    expect((await wire('getVisitedLink', { linkToken })).data).toMatchObject({ needsName: true, collects: false })
    expect(wireOf(await open(linkToken)).code).toBe('badRequest')
    const pass = await enter(linkToken, { name: '周明' })
    const { list } = (await wire('visitList', { linkToken, folderId }, pass)).data as {
      list: { fId: number; mayEdit: boolean; version: number }[]
    }
    expect(list.find(({ fId }) => fId === fileId)).toMatchObject({ mayEdit: true, version: 1 })
    const put = (version: number, content: string) =>
      wire('visitVersion', { linkToken, fileId, version }, pass, content)
    const live = await anna.listen()
    expect(await put(1, '改过')).toMatchObject({ code: 'success', data: { version: 2 } })
    await world.app.settle()
    expect(await live.next((frame) => isFrame(frame, 'linkVisited'))).toMatchObject({
      data: { what: 'edit', visitor: '周明' },
    })
    expect((await anna.download(fileId)).body).toBe('改过')
    expect((await anna.call('getVersionList', { fileId, from: 0, rows: 10 })).list[0]).toMatchObject({
      version: 2,
      creatorName: '周明',
    })
    expect(await put(1, '更早')).toMatchObject({ code: 'fileConflict' })
    // An exclusive lock blocks visitors too, even if the link's creator holds it.
    await anna.call('fileEditLock', { fileId })
    expect(await put(2, '撞上')).toMatchObject({ code: 'fileLocked' })
    expect((await anna.download(fileId)).body).toBe('改过')
    expect((await anna.call('getExternalVisitList', { externalId, what: 'edit' })).list).toMatchObject([
      { what: 'edit', visitor: '周明', fName: '说明.txt' },
    ])
    await anna.call('externalModify', { externalId, rights: preview | download })
    expect(await put(2, '晚了')).toMatchObject({ code: 'noPermission' })
  })

  // [R228] The owner of a file collection states what is wanted, shown only after entering; each visitor sees only
  // their own uploads.
  test('[R228] who collects files gets them under the visitor’s name; each visitor sees their own', async () => {
    const { anna, folderId, fileId } = await scene()
    const greeting = '请交十月的对账单\n一家公司一份'
    const { linkToken, externalId } = await make(anna, { folderId }, { rights: upload, greeting, note: '内部' })
    expect((await wire('getVisitedLink', { linkToken })).data).toMatchObject({ note: '', collects: true })
    expect(wireOf(await open(linkToken)).code).toBe('badRequest')
    const [one, two] = [await enter(linkToken, { name: '周明' }), await enter(linkToken, { name: '李四' })]
    const said = async () =>
      (await ask('getVisitedLink', { linkToken }, one)).json<{ data: { note: string } }>().data.note
    expect(await said()).toBe(greeting)
    await anna.call('externalModify', { externalId, greeting: '' })
    expect(await said()).toBe('')
    const put = (pass: string, fileName: string) =>
      wire('visitUpload', { linkToken, folderId, fileName }, pass, fileName)
    expect(await put(one, '对账.pdf')).toMatchObject({ code: 'success' })
    expect((await put(two, '对账.pdf')).data).toMatchObject({ fName: '对账 (2).pdf' })
    const own = async (pass: string) =>
      ((await wire('visitList', { linkToken, folderId }, pass)).data as { list: { fName: string }[] }).list.map(
        (f) => f.fName,
      )
    expect([await own(one), await own(two)]).toEqual([['对账.pdf'], ['对账 (2).pdf']])
    expect(wireOf(await ask('visitDownload', { linkToken, fileId }, one)).code).toBe('linkCopyProtected')
    expect((await wire('visitPreview', { linkToken, fileId }, one)).code).toBe('noPermission')
    const { list } = await anna.call('getSubItemList3', { folderId })
    expect(list.find(({ fName }) => fName === '对账.pdf')).toMatchObject({ creatorName: '周明' })
    const live = await anna.listen()
    expect(await put(one, '补.pdf')).toMatchObject({ code: 'success' })
    await world.app.settle()
    await live.next((frame) => isFrame(frame, 'linkVisited'))
  })

  test('[R228] [R225] a link limited to one download gives it once, however many ask at once, and again where it broke off', async () => {
    const { anna, fileId } = await scene()
    const { linkToken, externalId } = await make(anna, { fileId }, { downloadLimit: 1 })
    const pass = await enter(linkToken)
    const url = placeInput(calls.visitDownload, { linkToken, fileId }).path
    const get = (more: InjectOptions = {}) =>
      world.app.http.inject({ url, ...more, headers: { 'x-link-pass': pass, ...more.headers } })
    for (let n = 0; n < 3; n += 1) expect((await get({ method: 'HEAD' })).statusCode).toBe(200)
    const ranges = [undefined, 'bytes=0-', 'bytes=0-3', 'bytes=4-', 'bytes=-2']
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const range = ranges[n % ranges.length]
        return get(range === undefined ? {} : { headers: { range } })
      }),
    )
    const got = all.filter(({ statusCode }) => statusCode < 300)
    expect(got.map(({ statusCode, body }) => [statusCode, body])).toEqual([[200, 'content of the file']])
    for (const refused of all.filter(({ statusCode }) => statusCode >= 300))
      expect(wireOf(refused)).toMatchObject({ status: 403, result: -27 })
    expect((await get({ method: 'HEAD' })).statusCode).toBe(403)
    expect(await anna.call('getExternalInfo', { externalId })).toMatchObject({
      downloads: 1,
      status: 3,
      reason: 'downloads',
    })
    // A link with its downloads used up can still be viewed.
    expect((await wire('visitPreview', { linkToken, fileId }, pass)).code).toBe('success')

    const large = await anna.upload(anna.library, '大.bin', Buffer.alloc(8 * 1024 * 1024))
    const other = await make(anna, { fileId: large }, { downloadLimit: 1 })
    const otherPass = await enter(other.linkToken)
    const port = await world.port()
    await new Promise<void>((resolve, reject) => {
      const path = placeInput(calls.visitDownload, { linkToken: other.linkToken, fileId: large }).path
      const asked = requestHttp({ port, path, headers: { 'x-link-pass': otherPass } }, (answer) => {
        answer.once('data', () => {
          asked.destroy()
          resolve()
        })
      })
      asked.once('error', (error) => (asked.destroyed ? resolve() : reject(error)))
      asked.end()
    })
    const used = async () => (await anna.call('getExternalInfo', { externalId: other.externalId })).downloads
    await expect.poll(used).toBe(0)
    expect((await ask('visitDownload', { linkToken: other.linkToken, fileId: large }, otherPass)).statusCode).toBe(200)
    expect(await used()).toBe(1)
  })

  test('[R225] so many visits and no more; who is inside goes on', async () => {
    const { anna, fileId } = await scene()
    const { linkToken } = await make(anna, { fileId }, { visitLimit: 2 })
    const all = await Promise.all(Array.from({ length: 6 }, () => open(linkToken)))
    const passes = all.map(wireOf).filter(({ code }) => code === 'success')
    expect(passes).toHaveLength(2)
    expect(await stateOf(linkToken)).toBe('usedUp')
    expect(wireOf(await open(linkToken))).toMatchObject({ result: -28 })
    const { pass } = (passes[0]?.data ?? expect.fail('nobody came in')) as { pass: string }
    expect((await ask('visitDownload', { linkToken, fileId }, pass)).statusCode).toBe(200)
  })

  // [R228] The creator of a link is notified when it is opened from ten addresses within an hour, at most once an hour.
  test('[R228] opened from ten addresses within an hour it is told of to who made it, once an hour', async () => {
    const { anna, fileId } = await scene()
    const { linkToken, externalId } = await make(anna, { fileId }, { endTime: now() + 9 * hour })
    const told = async () => {
      await world.app.settle()
      const { list } = await anna.call('getNoticeList', { rows: 100 })
      return list.map(({ message }) => JSON.parse(message) as PushPayload<'linkVisited'>)
    }
    const from = async (...last: readonly number[]) => {
      for (const n of last)
        expect(wireOf(await open(linkToken, {}, { remoteAddress: `192.0.2.${n}` })).code).toBe('success')
    }
    await from(1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 1)
    clock.forward(hour)
    await from(10, 11, 1, 2, 3, 4, 5, 6, 7)
    expect(await told()).toEqual([])
    await from(8)
    expect(await told()).toMatchObject([{ what: 'spread', externalId, fId: fileId, visitor: '', address: '192.0.2.8' }])
    const { remindId } = (await told())[0] ?? {}
    await from(20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
    expect((await told())[0]?.remindId).toBe(remindId)
    clock.forward(hour)
    await from(20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
    expect((await told())[0]?.remindId).not.toBe(remindId)
  })

  test('X35: wrong passwords count for link and address, slow the link, and lock nobody else out', async () => {
    clock.hold()
    const { anna, fileId } = await scene()
    const { linkToken, externalId } = await make(anna, { fileId }, { password: 'Zz9a' })
    const from = async (remoteAddress: string, password: string) =>
      wireOf(await open(linkToken, { password }, { remoteAddress })).code
    const seen: (string | undefined)[] = []
    // Different addresses of a block: one is checked, and one of its neighbours, within some seconds.
    for (let n = 0; n < 12; n += 1) seen.push(await from(`198.51.100.${n}`, 'Zz9b'))
    expect(seen.filter((code) => code === 'wrongLinkPassword')).toHaveLength(2)
    expect(await from('198.51.100.99', 'Zz9a')).toBe('sendingTooOften')
    clock.forward(15_001)
    expect(await from('198.51.100.99', 'Zz9a')).toBe('success')
    for (let n = 0; n < 5; n += 1) {
      expect(await from('203.0.113.5', 'nope')).toBe('wrongLinkPassword')
      clock.forward(15_001)
    }
    expect(await from('203.0.113.5', 'Zz9a')).toBe('sendingTooOften')
    expect(await from('203.0.113.6', 'Zz9a')).toBe('success')
    await world.app.settle()
    const { list } = await anna.call('getNoticeList', { unread: true, rows: 100 })
    expect(list.map(({ message }) => JSON.parse(message) as object)).toMatchObject([
      { what: 'guessed', externalId, address: '203.0.113.5' },
    ])
  })

  test('X35: passwords guessed from ever other addresses are told to the owner of the link, once an hour', async () => {
    clock.hold()
    const { anna, fileId } = await scene()
    const { linkToken, externalId } = await make(anna, { fileId }, { password: 'Zz9a', endTime: now() + 9 * hour })
    const told = async () => {
      await world.app.settle()
      const { list } = await anna.call('getNoticeList', { rows: 100 })
      return list.map(({ message }) => (JSON.parse(message) as PushPayload<'linkVisited'>).what)
    }
    let network = 0
    const guess = async (times: number) => {
      for (let n = 0; n < times; n += 1) {
        network += 1
        const remoteAddress = `10.${network}.0.1`
        expect(wireOf(await open(linkToken, { password: 'nope' }, { remoteAddress })).code).toBe('wrongLinkPassword')
        clock.forward(15_001)
      }
    }
    await guess(9)
    expect(await told()).toEqual([])
    await guess(3)
    expect(await told()).toEqual(['guessedWidely'])
    const { list } = await anna.call('getNoticeList', { rows: 1 })
    expect(JSON.parse(list[0]?.message ?? '')).toMatchObject({ externalId, fId: fileId, visitor: '' })
    clock.forward(hour)
    await guess(10)
    await told()
    expect((await anna.call('getNoticeList', { rows: 1 })).list[0]?.remindId).not.toBe(list[0]?.remindId)
  })

  test('[R228] prints what a link hands out, which is a download of it, and nothing of one that only shows', async () => {
    const { anna, fileId, beside } = await scene()
    const { externalId, linkToken } = await make(anna, { fileId }, { downloadLimit: 1 })
    const pass = await enter(linkToken, { name: '王先生' })
    expect((await wire('getVisitedLink', { linkToken }, pass)).data).toMatchObject({ mayPrint: true, downloadsLeft: 1 })
    expect((await wire('visitPrint', { linkToken, fileId: beside }, pass)).code).toBe('notFound')
    const both = await Promise.all([1, 2].map(() => wire('visitPrint', { linkToken, fileId }, pass)))
    expect(new Set(both.map(({ code }) => code))).toEqual(new Set(['success', 'linkDownloadLimit']))
    expect(wireOf(await ask('visitDownload', { linkToken, fileId }, pass)).code).toBe('linkDownloadLimit')
    expect(await anna.call('getExternalInfo', { externalId })).toMatchObject({ downloads: 1 })
    const { list } = await anna.call('getExternalVisitList', { externalId, what: 'print' })
    expect(list).toMatchObject([{ fName: '说明.txt', visitor: '王先生' }])
    const shown = await make(anna, { fileId }, { rights: 4 })
    const looking = await enter(shown.linkToken)
    const asked = { linkToken: shown.linkToken, fileId }
    expect((await wire('getVisitedLink', { linkToken: shown.linkToken }, looking)).data).toMatchObject({
      mayPrint: false,
    })
    expect((await wire('visitPrint', asked, looking)).code).toBe('linkCopyProtected')
  })

  test('X35: whoever sends wrong passwords all the time, all at once and from ever other addresses, with a fresh network every ten seconds, keeps a right one out for ten seconds at most', async () => {
    clock.hold()
    const { anna, fileId } = await scene()
    const { linkToken } = await make(anna, { fileId }, { password: 'Zz9a' })
    const from = async (remoteAddress: string, password = 'Zz9b') =>
      wireOf(await open(linkToken, { password }, { remoteAddress })).code
    const second = 1000
    let looked = 0
    let cameIn: number | undefined
    // A block of addresses, one IPv6 network after another, and the address that failed first.
    for (let at = 0; at < 60; at += 1) {
      const guesses = [`198.51.100.${at}`, `198.51.100.${at + 100}`, `2001:db8:7:${at}::1`, '198.51.100.1']
      // A fresh network every ten seconds.
      if (at % 10 === 4) guesses.push(`203.0.${at}.7`)
      const codes = await Promise.all(guesses.map((address) => from(address)))
      looked += codes.filter((code) => code === 'wrongLinkPassword').length
      // The visitor comes right after a wrong password from another address, and retries as soon as possible.
      if (at >= 24 && cameIn === undefined && (await from('192.0.2.44', 'Zz9a')) === 'success') cameIn = at
      clock.forward(second)
    }
    expect(looked).toBeLessThanOrEqual(20)
    expect(cameIn).toBe(29)
    // An attacker's right password is not revealed: it waits as a wrong one does.
    clock.forward(15 * second)
    expect(await from('198.51.100.250')).toBe('wrongLinkPassword')
    expect(await from('198.51.100.251', 'Zz9a')).toBe('sendingTooOften')
  })
})
