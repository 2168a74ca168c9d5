// External links: creating, changing, listing and sending them.

import { ItemStatusBit, LinkStatus, LogBit, linkRights, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Person, wireOf } from '../../../test/harness.ts'
import { hour, linkWorld } from '../../../test/links.ts'
import { queuedMailsIn } from '../../../test/mail-queue.ts'

const { world, clock, now, open, enter, ask, wire, stateOf, scene, make } = linkWorld()
const { download, upload } = linkRights

describe('[R222] a link', () => {
  // [R133] Bits 1 and 2: an item says whether it has one or several links.
  // [R222] A link is created with rights, password, start and end, limits, named people, a note and a custom address.
  // [R225] Link states are evaluated with each request.
  // [R227] Links of a file or folder are listed, one is read with fileKey, fName and password, and cancelled, by the
  // paths of decisions “Not shown”: a list for each type, and cancelExternal with the id of the link in its body.
  test('[R154] [R222] [R225] [R227] [R133] is made, told, found at its item, changed, paused and cancelled', async () => {
    const { anna, fileId } = await scene()
    const made = await make(anna, { fileId }, { password: 'K7m2', note: '给渠道', downloadLimit: 5 })
    expect(made).toMatchObject({ status: LinkStatus.active, password: 'K7m2', hasPassword: true, fName: '说明.txt' })
    expect(made.linkToken).toMatch(/^[A-Za-z0-9]{16}$/)
    const bits = async () => (await anna.call('getFileInfo', { fileId })).itemStatus & 3
    expect(await bits()).toBe(ItemStatusBit.externalLinkSingle)
    const second = await make(anna, { fileId }, { address: 'expo-2026', startTime: now() + hour / 2 })
    expect(await bits()).toBe(ItemStatusBit.externalLinkMulti)
    expect(
      await anna.refusal('externalCreate', { fileId, rights: 4, endTime: now() + hour, address: 'expo-2026' }),
    ).toBe('alreadyExists')
    expect((await anna.call('getExternalListByFileId', { fileId })).list.map(({ status }) => status)).toEqual([2, 1])
    const info = await anna.call('getExternalInfo', { externalId: made.externalId })
    expect(info).toMatchObject({ fileKey: made.linkToken, fName: '说明.txt', password: 'K7m2', downloadLimit: 5 })
    const { externalId } = made
    // Whatever is done with one link, the row of another is the same, with its limits.
    const other = async () =>
      JSON.stringify(
        (await sql`select * from external_link where id = ${second.externalId}`.execute(world.app.db)).rows,
      )
    const before = await other()
    await anna.call('pauseExternal', { externalId, paused: true })
    expect((await anna.call('getExternalInfo', { externalId })).reason).toBe('paused')
    expect(await anna.refusal('pauseExternal', { externalId, paused: true })).toBe('duplicateOperation')
    await anna.call('pauseExternal', { externalId, paused: false })
    await anna.call('externalModify', { externalId, note: '改', visitLimit: 3, password: '' })
    expect(await anna.call('getExternalInfo', { externalId })).toMatchObject({
      note: '改',
      hasPassword: false,
      status: 1,
    })
    await anna.call('cancelExternal', { externalId })
    expect(await anna.refusal('externalModify', { externalId, note: 'x' })).toBe('duplicateOperation')
    await make(anna, { fileId }, { downloadLimit: 1 }).then((third) =>
      anna.call('cancelExternal', { externalId: third.externalId }),
    )
    expect(await other()).toBe(before)
    expect(await bits()).toBe(ItemStatusBit.externalLinkSingle)
    await anna.call('cancelExternal', { externalId: second.externalId })
    expect(await bits()).toBe(0)
    const kinds = async () => (await anna.call('getFileLog', { fileId })).list.map(({ type }) => type)
    await expect.poll(kinds).toEqual(expect.arrayContaining([LogBit.createLink, LogBit.modifyLink, LogBit.cancelLink]))
    const { list, total } = await anna.call('getLinkCreationList', { state: 'over' })
    expect([total, list.map(({ reason }) => reason)]).toEqual([3, ['cancelled', 'cancelled', 'cancelled']])
    expect(list[0]?.item).toMatchObject({ fId: fileId })
  })

  // [R109] The record of an item names its newest link to whoever may manage it, in every answer about the item.
  test('[R109] is named by the record of its item to who made it and to who manages the item, and to nobody else', async () => {
    const { anna, fileId, folderId } = await scene()
    const [ben, cleo] = [await world.person('ben'), await world.person('cleo')]
    await anna.shares({ folderId }, [
      { to: ben, rights: rightsGroup.full },
      { to: cleo, rights: rightsGroup.full },
    ])
    // Lists before and between the links are kept in memory.
    const idsTold = async (to: Person) => {
      const { list } = await to.call('getSubItemList3', { folderId })
      const one = await to.call('getFileInfo', { fileId })
      const { list: found } = await to.call('searchDoc', { keyword: one.fName, folderId })
      const { list: written } = await to.call('getItemListByItemIdStr', { itemIdStrs: one.itemIdStr })
      return [one, ...[list, found, written].map((some) => some.find(({ fId }) => fId === fileId))].map(
        (record) => record?.externalId,
      )
    }
    const everywhere = (externalId: number) => Array.from({ length: 4 }, () => externalId)
    expect(await idsTold(anna)).toEqual(everywhere(0))
    const bens = await make(ben, { fileId })
    expect(await idsTold(anna)).toEqual(everywhere(bens.externalId))
    expect(await idsTold(ben)).toEqual(everywhere(bens.externalId))
    expect(await idsTold(cleo)).toEqual(everywhere(0))
    const annas = [await make(anna, { fileId }), await make(anna, { fileId })].map(({ externalId }) => externalId)
    expect(await idsTold(anna)).toEqual(everywhere(annas[1] ?? 0))
    expect(await idsTold(ben)).toEqual(everywhere(bens.externalId))
    await anna.call('cancelExternal', { externalId: annas[1] ?? 0 })
    expect(await idsTold(anna)).toEqual(everywhere(annas[0] ?? 0))
    for (const externalId of [annas[0] ?? 0, bens.externalId]) await anna.call('cancelExternal', { externalId })
    expect(await idsTold(anna)).toEqual(everywhere(0))
  })

  // [R223] A link password has at most four letters or digits, case sensitive.
  // [R224] A start that is not in the past, an end after it, both set.
  test('[R223] [R224] takes a password of at most four letters or digits, a start that is not past and an end behind it', async () => {
    const { anna, fileId, folderId } = await scene()
    const refused = (more: object) =>
      anna.refusal('externalCreate', { fileId, rights: 4, endTime: now() + hour, ...more })
    for (const password of ['12345', 'a b', '密码', 'a-b']) expect(await refused({ password })).toBe('badRequest')
    expect(await refused({ startTime: now() - hour })).toBe('badRequest')
    expect(await refused({ endTime: now() - 1 })).toBe('badRequest')
    expect(await refused({ startTime: now() + 2 * hour })).toBe('badRequest')
    expect(await refused({ rights: upload })).toBe('badRequest')
    expect(await refused({ rights: 256 })).toBe('badRequest')
    const { externalId } = await make(anna, { folderId }, { rights: download | upload })
    expect((await anna.call('getExternalInfo', { externalId })).rights).toBe(28)
    expect(await anna.refusal('externalModify', { externalId, endTime: now() - 1 })).toBe('badRequest')
  })

  // [R154] Creating a link takes EXTERNAL, the setting show_shared_links and a session that is not a visitor's.
  // [R226] List, detail, and the short detail for people without the right; modify, pause, cancel.
  test('[R154] [R226] takes EXTERNAL; who lacks it sees which links there are, without their addresses', async () => {
    const { anna, fileId, folderId } = await scene()
    const ben = await world.person('ben')
    const mallory = await world.person('mallory')
    await anna.shares({ folderId }, [{ to: ben, rights: 14 }])
    expect(await ben.refusal('externalCreate', { fileId, rights: 4, endTime: now() + hour })).toBe('noPermission')
    const { externalId, linkToken } = await make(anna, { fileId }, { password: 'abcd', note: '给江南' })
    expect((await ben.call('getExternalListByFileId', { fileId })).list).toMatchObject([
      { note: '给江南', mayManage: false, linkToken: '', password: '', creatorName: anna.account },
    ])
    for (const person of [ben, mallory]) {
      expect(await person.refusal('getExternalInfo', { externalId })).toBe('notFound')
      expect(await person.refusal('cancelExternal', { externalId })).toBe('notFound')
    }
    await anna.shares({ folderId }, [{ to: ben, rights: 270 }])
    const bens = await make(ben, { fileId })
    // A manager of the library can end any link in it.
    expect((await anna.call('getExternalListByFileId', { fileId })).list).toHaveLength(2)
    await anna.call('cancelExternal', { externalId: bens.externalId })
    const admin = await world.admin()
    await admin.call('setSafeStrategy', { show_shared_links: false })
    expect(await anna.refusal('externalCreate', { fileId, rights: 4, endTime: now() + hour })).toBe('noPermission')
    expect(await stateOf(linkToken)).toBe('gone')
    await admin.call('setSafeStrategy', { show_shared_links: true })
    expect(await stateOf(linkToken)).toBe('open')
  })

  // [R292] A link is sent by mail.
  test('[R292] goes out by mail, with its password only where that is asked for', async () => {
    const { anna, fileId } = await scene()
    const { externalId, linkToken } = await make(anna, { fileId }, { password: 'Q7zk' })
    const send = { externalId, toArray: ['wang@example.com'], comments: '请查收' }
    expect(await anna.refusal('sendExternalMail', send)).toBe('mailNotSetUp')
    const admin = await world.admin()
    await admin.call('setServerSetting', { mail_host: '127.0.0.1', mail_port: 9, mail_sender: 'drive@example.com' })
    await anna.call('sendExternalMail', send)
    await anna.call('sendExternalMail', { ...send, withPassword: true })
    await admin.call('setServerSetting', { mail_host: '', mail_sender: '' })
    const mails = await queuedMailsIn(world.app, 'wang@example.com')
    expect(
      mails.map(({ text }) => [text.includes(`/s/${linkToken}`), text.includes('请查收'), text.includes('Q7zk')]),
    ).toEqual([
      [true, true, false],
      [true, true, true],
    ])
    // The end of the link is written in the time zone of the company, and says so.
    const [, until = ''] = /有效期至 ([\d-]+ [\d:]+) \(UTC\+8\)/.exec(mails[0]?.text ?? '') ?? []
    const { endTime } = await anna.call('getExternalInfo', { externalId })
    expect(Date.parse(`${until.replace(' ', 'T')}+08:00`)).toBe(endTime - (endTime % 60_000))
  })

  // [R222] Links for mail addresses: a six-digit code admits the named people, while they are named.
  test('[R222] for people by mail: who shows a code that was sent to their address comes in, as long as it is named', async () => {
    const { anna, fileId } = await scene()
    const ben = await world.person('ben')
    const mailArray = ['Wang@Example.com', 'li@partner.cn']
    const refused = (more: object) =>
      anna.refusal('externalCreate', { fileId, rights: 4, endTime: now() + hour, ...more })
    expect(await refused({ mailArray })).toBe('mailNotSetUp')
    const admin = await world.admin()
    const mail = (host: string) =>
      admin.call('setServerSetting', { mail_host: host, mail_port: 9, mail_sender: host && 'drive@example.com' })
    await mail('127.0.0.1')
    onTestFinished(async () => void (await mail('')))
    expect((await anna.call('getLinkPolicy', { fileId })).mayNameMails).toBe(true)
    for (const wrong of [['nobody'], Array.from({ length: 51 }, (_, n) => `p${n}@example.com`)])
      expect(await refused({ mailArray: wrong })).toBe('badRequest')
    const made = await make(anna, { fileId }, { mailArray, notify: true })
    const { linkToken, externalId } = made
    expect(made).toMatchObject({ mails: ['wang@example.com', 'li@partner.cn'], isNamed: true, people: [] })
    expect((await wire('getVisitedLink', { linkToken })).data).toMatchObject({ needsMail: true, needsAccount: false })
    // Nobody can enter without a code, signed in or not.
    expect(wireOf(await open(linkToken)).code).toBe('notLoggedIn')
    expect(await ben.refusal('openVisit', { linkToken })).toBe('noPermission')

    const sent = async (to: string): Promise<string[]> => {
      const mails = await queuedMailsIn(world.app, to)
      return mails.flatMap(({ text }) => /\d{6}/.exec(text) ?? [])
    }
    const askFor = async (address: string): Promise<string> => {
      const asked = await wire('sendVisitCode', { linkToken, mail: address })
      expect(asked.code).toBe('success')
      return (asked.data as { codeTicket: string }).codeTicket
    }
    // An address that is not a recipient gets the same answer and no mail.
    const stranger = await askFor('mallory@example.com')
    expect(await sent('mallory@example.com')).toEqual([])
    for (const address of ['mallory@example.com', 'Mallory@example.com'])
      expect((await wire('sendVisitCode', { linkToken, mail: address })).code).toBe('sendingTooOften')
    const codeTicket = await askFor('WANG@example.com')
    expect((await wire('sendVisitCode', { linkToken, mail: 'wang@example.com' })).code).toBe('sendingTooOften')
    const [code = ''] = await sent('wang@example.com')
    expect(code).toMatch(/^\d{6}$/)
    const tried = async (input: object) => wireOf(await open(linkToken, input)).code
    expect(await tried({ codeTicket: stranger, code })).toBe('wrongVerificationCode')
    expect(await tried({ codeTicket, code: '' })).toBe('wrongVerificationCode')
    const pass = await enter(linkToken, { codeTicket, code })
    expect(await tried({ codeTicket, code })).toBe('wrongVerificationCode')
    const get = async () => (await ask('visitDownload', { linkToken, fileId }, pass)).statusCode
    expect(await get()).toBe(200)
    const visitors = async () =>
      (await anna.call('getExternalVisitList', { externalId })).list.map(({ what, visitor }) => `${what} ${visitor}`)
    await expect.poll(visitors).toContain('download wang@example.com')
    const told = await anna.call('getExternalVisitList', { externalId, what: 'wrongCode' })
    expect([told.total, told.wrongPasswords, told.list[0]?.what]).toEqual([3, 3, 'wrongCode'])
    expect((await anna.call('getExternalVisitList', { externalId, what: 'wrongPassword' })).total).toBe(0)

    // Five attempts within ten minutes, also when they are concurrent.
    const second = await askFor('li@partner.cn')
    const [right = ''] = await sent('li@partner.cn')
    const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0')
    for (let n = 0; n < 4; n += 1)
      expect(await tried({ codeTicket: second, code: wrong })).toBe('wrongVerificationCode')
    const both = await Promise.all([wrong, wrong, wrong].map((typed) => tried({ codeTicket: second, code: typed })))
    expect([...both, await tried({ codeTicket: second, code: right })]).toEqual(Array(4).fill('wrongVerificationCode'))
    clock.forward(61_000)
    const third = await askFor('li@partner.cn')
    const late = (await sent('li@partner.cn')).at(-1)
    clock.forward(10 * 60_000)
    expect(await tried({ codeTicket: third, code: late })).toBe('wrongVerificationCode')

    // A removed recipient loses access at once; the others keep it.
    await anna.call('externalModify', { externalId, mailArray: ['wang@example.com'] })
    expect(await get()).toBe(200)
    await anna.call('externalModify', { externalId, note: '改', mailArray: ['li@partner.cn'] })
    expect(await get()).toBe(401)
    expect((await ask('getVisitedLink', { linkToken }, pass)).json<{ data: object }>().data).toMatchObject({
      inside: false,
    })
    await anna.call('externalModify', { externalId, mailArray: ['wang@example.com'] })
    expect(await get()).toBe(200)
    // If the policy restricts the domains, recipients of other domains are dropped. A link without recipients is open
    // to nobody.
    await admin.call('setLinkPolicy', { subjectType: 'user', subjectId: anna.userId, domains: ['partner.cn'] })
    expect(await get()).toBe(404)
    expect((await anna.call('getExternalInfo', { externalId })).reason).toBe('policy')
    expect(await stateOf(linkToken)).toBe('gone')
    expect(await refused({ mailArray })).toBe('noPermission')
    await anna.call('externalModify', { externalId, mailArray: ['wang@partner.cn'] })
    expect(await stateOf(linkToken)).toBe('open')
    expect(await get()).toBe(401)
    // Recipients are shown only to users who manage the link.
    await anna.shares({ folderId: anna.library }, [{ to: ben, rights: 2 }])
    expect((await ben.call('getExternalListByFileId', { fileId })).list).toMatchObject([{ mails: [], isNamed: true }])
  })

  // [R229] Link-creation and link-shared, page by page, with their menus.
  test('[R229] lists those of the caller and those that are for them by name, by state and words', async () => {
    const { anna, fileId, folderId } = await scene()
    const ben = await world.person('ben')
    const named = await make(anna, { fileId }, { userIdArray: [ben.userId], note: '给本' })
    await make(anna, { folderId }, { note: '给大家' })
    expect((await ben.call('getLinkSharedList', {})).list).toMatchObject([
      { externalId: named.externalId, linkToken: named.linkToken, password: '', item: null, fId: 0 },
    ])
    expect((await anna.call('getLinkCreationList', { keyword: '大家' })).total).toBe(1)
    expect((await anna.call('getLinkCreationList', { rows: 1, from: 1 })).list).toHaveLength(1)
    expect((await anna.call('getLinkCreationList', { state: 'over' })).total).toBe(0)
    // Named users enter by their account; nobody else does.
    expect(wireOf(await open(named.linkToken)).code).toBe('notLoggedIn')
    const by = (person: Person) => open(named.linkToken, {}, { headers: { authorization: `Bearer ${person.token}` } })
    expect(wireOf(await by(await world.person('cara'))).code).toBe('noPermission')
    expect(wireOf(await by(ben)).code).toBe('success')
    expect((await anna.call('getExternalVisitList', { externalId: named.externalId })).list).toMatchObject([
      { what: 'open', visitor: ben.account },
    ])
  })
})
