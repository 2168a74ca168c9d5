// Links for people outside: what is made, who comes by it, and every way in which it dies.

import { request as requestHttp } from 'node:http'
import { type Call, type CallName, calls, isFrame, type PushPayload, placeInput, pushes } from '@cloudoc/contract'
import {
  type CodeName,
  codes,
  ItemStatusBit,
  LinkStatus,
  LogBit,
  linkRights,
  Right,
  rightsGroup,
} from '@cloudoc/domain'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { up as linkApplicationsOfBefore } from '../../../migrations/0083-link-applications.ts'
import { up as linkApplicationsTold } from '../../../migrations/0090-link-applications-told.ts'
import { openWorld, type Person, sharedWorld, type Wire, type World, wireOf } from '../../../test/harness.ts'
import { policyOf } from './policy.ts'

let clock = 0
const world = sharedWorld({ now: () => Date.now() + clock })
const now = (): number => Date.now() + clock
const hour = 3_600_000
const { preview, download, upload } = { preview: 4, download: 8, upload: 16 }

const open = (
  token: string,
  input: object = {},
  more: Partial<InjectOptions> = {},
  at: World = world,
): Promise<LightMyRequestResponse> =>
  at.app.http.inject({
    method: 'POST',
    url: `/services2/visit/${token}/open`,
    headers: { 'content-type': 'application/json', ...more.headers },
    payload: JSON.stringify(input),
    ...(more.remoteAddress === undefined ? {} : { remoteAddress: more.remoteAddress }),
  })
/** Comes in; the pass. */
const enter = async (token: string, input: object = {}): Promise<string> => {
  const wire = wireOf(await open(token, input))
  if (wire.code !== 'success') throw new Error(`the link was not opened: ${wire.code} ${wire.msg}`)
  return (wire.data as { pass: string }).pass
}
const ask = (name: CallName, input: Record<string, unknown>, pass?: string, content?: string, at: World = world) => {
  const { method, path, body } = placeInput(calls[name], input)
  const type = body?.type ?? (content === undefined ? undefined : 'application/octet-stream')
  const payload = body?.text ?? content
  return at.app.http.inject({
    method,
    url: path,
    headers: {
      ...(pass === undefined ? {} : { 'x-link-pass': pass }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(payload === undefined ? {} : { payload }),
  })
}
const wire = async (name: CallName, input: Record<string, unknown>, pass?: string, content?: string): Promise<Wire> =>
  wireOf(await ask(name, input, pass, content))
const stateOf = async (linkToken: string): Promise<string> =>
  ((await wire('getVisitedLink', { linkToken })).data as { state: string }).state

/** Anna has a folder with a file, a picture's worth of text, a folder and what lies beside it. */
async function scene() {
  const anna = await world.person('anna')
  const folderId = await anna.folder(anna.library, '资料')
  const inner = await anna.folder(folderId, '里面')
  const fileId = await anna.upload(folderId, '说明.txt', 'content of the file')
  const deep = await anna.upload(inner, '深.txt', 'deep')
  const beside = await anna.upload(anna.library, '旁边.txt')
  return { anna, folderId, inner, fileId, deep, beside }
}
const make = (anna: Person, item: { fileId: number } | { folderId: number }, more: object = {}) =>
  anna.call('externalCreate', { ...item, rights: preview | download, endTime: now() + hour, ...more })

describe('[R222] a link', () => {
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
    expect(await bits()).toBe(ItemStatusBit.externalLinkSingle)
    await anna.call('cancelExternal', { externalId: second.externalId })
    expect(await bits()).toBe(0)
    const kinds = async () => (await anna.call('getFileLog', { fileId })).list.map(({ type }) => type)
    await expect.poll(kinds).toEqual(expect.arrayContaining([LogBit.createLink, LogBit.modifyLink, LogBit.cancelLink]))
    const { list, total } = await anna.call('getLinkCreationList', { state: 'over' })
    expect([total, list.map(({ reason }) => reason)]).toEqual([2, ['cancelled', 'cancelled']])
    expect(list[0]?.item).toMatchObject({ fId: fileId })
  })

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
    // Who manages the library ends whatever link there is in it.
    expect((await anna.call('getExternalListByFileId', { fileId })).list).toHaveLength(2)
    await anna.call('cancelExternal', { externalId: bens.externalId })
    const admin = await world.admin()
    await admin.call('setSafeStrategy', { show_shared_links: false })
    expect(await anna.refusal('externalCreate', { fileId, rights: 4, endTime: now() + hour })).toBe('noPermission')
    expect(await stateOf(linkToken)).toBe('gone')
    await admin.call('setSafeStrategy', { show_shared_links: true })
    expect(await stateOf(linkToken)).toBe('open')
  })

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
    const { rows } = await sql<{ text: string }>`
      select input ->> 'text' as text from job where kind = 'mail' and input ->> 'to' = 'wang@example.com' order by id`.execute(
      world.app.db,
    )
    expect(
      rows.map(({ text }) => [text.includes(`/s/${linkToken}`), text.includes('请查收'), text.includes('Q7zk')]),
    ).toEqual([
      [true, true, false],
      [true, true, true],
    ])
  })

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
    // Nobody comes in without a code, signed in or not.
    expect(wireOf(await open(linkToken)).code).toBe('notLoggedIn')
    expect(await ben.refusal('openVisit', { linkToken })).toBe('noPermission')

    const sent = async (to: string): Promise<string[]> => {
      const { rows } = await sql<{ text: string }>`
        select input ->> 'text' as text from job where kind = 'mail' and input ->> 'to' = ${to} order by id`.execute(
        world.app.db,
      )
      return rows.flatMap(({ text }) => /\d{6}/.exec(text) ?? [])
    }
    const askFor = async (address: string): Promise<string> => {
      const asked = await wire('sendVisitCode', { linkToken, mail: address })
      expect(asked.code).toBe('success')
      return (asked.data as { codeTicket: string }).codeTicket
    }
    // Who is not named is answered the same, and is sent nothing.
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

    // Five tries, however many come at once, and ten minutes.
    const second = await askFor('li@partner.cn')
    const [right = ''] = await sent('li@partner.cn')
    const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0')
    for (let n = 0; n < 4; n += 1)
      expect(await tried({ codeTicket: second, code: wrong })).toBe('wrongVerificationCode')
    const both = await Promise.all([wrong, wrong, wrong].map((typed) => tried({ codeTicket: second, code: typed })))
    expect([...both, await tried({ codeTicket: second, code: right })]).toEqual(Array(4).fill('wrongVerificationCode'))
    onTestFinished(() => void (clock = 0))
    clock += 61_000
    const third = await askFor('li@partner.cn')
    const late = (await sent('li@partner.cn')).at(-1)
    clock += 10 * 60_000
    expect(await tried({ codeTicket: third, code: late })).toBe('wrongVerificationCode')

    // Who is taken off is out at once; who stays, stays.
    await anna.call('externalModify', { externalId, mailArray: ['wang@example.com'] })
    expect(await get()).toBe(200)
    await anna.call('externalModify', { externalId, note: '改', mailArray: ['li@partner.cn'] })
    expect(await get()).toBe(401)
    expect((await ask('getVisitedLink', { linkToken }, pass)).json<{ data: object }>().data).toMatchObject({
      inside: false,
    })
    await anna.call('externalModify', { externalId, mailArray: ['wang@example.com'] })
    expect(await get()).toBe(200)
    // Where the policy lets links go to some domains alone, those elsewhere are not named any more, and the link is nobody's.
    await admin.call('setLinkPolicy', { subjectType: 'user', subjectId: anna.userId, domains: ['partner.cn'] })
    expect(await get()).toBe(404)
    expect((await anna.call('getExternalInfo', { externalId })).reason).toBe('policy')
    expect(await stateOf(linkToken)).toBe('gone')
    expect(await refused({ mailArray })).toBe('noPermission')
    await anna.call('externalModify', { externalId, mailArray: ['wang@partner.cn'] })
    expect(await stateOf(linkToken)).toBe('open')
    expect(await get()).toBe(401)
    // Whom it is for is told to those who manage it.
    await anna.shares({ folderId: anna.library }, [{ to: ben, rights: 2 }])
    expect((await ben.call('getExternalListByFileId', { fileId })).list).toMatchObject([{ mails: [], isNamed: true }])
  })

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
    // They come in by their account; nobody else does.
    expect(wireOf(await open(named.linkToken)).code).toBe('notLoggedIn')
    const by = (person: Person) => open(named.linkToken, {}, { headers: { authorization: `Bearer ${person.token}` } })
    expect(wireOf(await by(await world.person('cara'))).code).toBe('noPermission')
    expect(wireOf(await by(ben)).code).toBe('success')
    expect((await anna.call('getExternalVisitList', { externalId: named.externalId })).list).toMatchObject([
      { what: 'open', visitor: ben.account },
    ])
  })
})

describe('[R222] [R231] what administrators say of links', () => {
  test('[R222] [R231] a policy binds who makes them, and those that are there', async () => {
    const { anna, fileId, folderId } = await scene()
    const [admin, mallory] = [await world.admin(), await world.person('mallory')]
    const { externalId, linkToken } = await make(anna, { folderId }, { password: 'abcd', endTime: now() + 48 * hour })
    const pass = await enter(linkToken, { password: 'abcd' })
    const policy = (said: object) =>
      admin.call('setLinkPolicy', { subjectType: 'user', subjectId: anna.userId, ...said })
    const { policyId } = await policy({
      mayDownload: false,
      needsPassword: true,
      longestDays: 1,
      domains: ['A.example'],
    })
    const said = await anna.call('getLinkPolicy', { fileId })
    expect(said).toMatchObject({ mayDownload: false, needsPassword: true, longestDays: 1, reviewers: [] })
    // What there is gives less from now on.
    expect((await ask('visitDownload', { linkToken, fileId }, pass)).statusCode).not.toBe(206)
    expect((await wire('visitDownload', { linkToken, fileId }, pass)).code).toBe('linkCopyProtected')
    expect(await anna.call('getExternalInfo', { externalId })).toMatchObject({ rights: preview, reason: 'active' })
    clock += 25 * hour
    expect((await wire('visitList', { linkToken, folderId }, pass)).code).toBe('linkExpired')
    clock = 0
    // What there is not cannot be made.
    const refused = (more: object) =>
      anna.refusal('externalCreate', { fileId, rights: preview, endTime: now() + hour, password: 'abcd', ...more })
    expect(await refused({ rights: preview | download })).toBe('noPermission')
    expect(await refused({ password: '' })).toBe('badRequest')
    expect(await refused({ endTime: now() + 25 * hour })).toBe('badRequest')
    await anna.call('externalModify', { externalId, note: '只改备注' })
    expect(await anna.refusal('externalModify', { externalId, password: '' })).toBe('badRequest')
    expect(await anna.refusal('externalModify', { externalId, rights: preview | download })).toBe('noPermission')
    await policy({ mayCreate: false })
    expect(await refused({})).toBe('noPermission')
    const { list } = await admin.call('getLinkPolicies', {})
    expect(list.filter(({ subjectId }) => subjectId === anna.userId)).toMatchObject([
      { subjectType: 'user', subjectName: anna.account, mayCreate: false, domains: [] },
    ])
    expect(await mallory.refusal('getLinkPolicies', {})).toBe('noPermission')
    expect(await admin.refusal('removeLinkPolicy', { policyId })).toBe('notFound')
    for (const one of list.filter(({ subjectId }) => subjectId === anna.userId))
      await admin.call('removeLinkPolicy', { policyId: one.policyId })
    await make(anna, { fileId })
  })

  test('what is said of the person counts before their roles, those before the nearest department, that before all', () => {
    const row = (id: number, whom: object, said: object = {}) => ({
      ...{ id, account_id: null, group_id: null, role_id: null, depth: 0, mayCreate: true, defaultDays: id },
      ...{ longestDays: 0, needsPassword: false, mayDownload: true, needsApproval: false, approvers: [] },
      domains: undefined as string[] | undefined,
      ...whom,
      ...said,
    })
    const [all, far, near] = [row(1, {}), row(2, { group_id: 2, depth: 1 }), row(3, { group_id: 3, depth: 2 })]
    const [role, other] = [row(4, { role_id: 4 }, { longestDays: 9 }), row(5, { role_id: 5 }, { mayDownload: false })]
    const own = row(6, { account_id: 6 })
    const of = (...rows: ReturnType<typeof row>[]) =>
      policyOf(rows, { subjects: { userId: 6, groupIds: new Set([2, 3]), roleIds: new Set([4, 5]) } })
    expect(of().mayCreate).toBe(true)
    expect(of(all).defaultDays).toBe(1)
    expect(of(all, near, far).defaultDays).toBe(3)
    expect(of(all, near, role, other)).toMatchObject({ defaultDays: 4, longestDays: 9, mayDownload: false })
    // What two roles have in common may be no domain, which is not all of them.
    const mails = (...lists: (string[] | undefined)[]) =>
      of(...lists.map((domains) => row(4, { role_id: 4 }, { domains }))).domains
    expect(mails(['a.cn', 'b.cn'], undefined, ['b.cn', 'c.cn'])).toEqual(['b.cn'])
    expect(mails(['a.cn'], ['b.cn'])).toEqual([])
    expect(mails(['a.cn'], ['b.cn'], undefined)).toEqual([])
    expect(mails(undefined, undefined)).toBeUndefined()
    expect(of(all, near, role, own).defaultDays).toBe(6)
    expect(of(row(7, { account_id: 7 }), all).defaultDays).toBe(1)
  })

  test('[R225] [R231] [R253] [R334] a link that needs an approval opens once it is approved, and not longer', async () => {
    const { anna, fileId } = await scene()
    const [admin, boss, ben] = [await world.admin(), await world.person('boss'), await world.person('ben')]
    await admin.call('setLinkPolicy', {
      ...{ subjectType: 'user', subjectId: anna.userId, needsApproval: true, userIdArray: [boss.userId] },
    })
    expect((await anna.call('getLinkPolicy', { fileId })).reviewers).toMatchObject([{ userId: boss.userId }])
    const { externalId, linkToken } = await make(anna, { fileId }, { comments: '给客户', rights: preview })
    const state = async () => (await anna.call('getExternalInfo', { externalId })).status
    expect([await state(), await stateOf(linkToken)]).toEqual([LinkStatus.underApproval, 'approval'])
    expect(wireOf(await open(linkToken)).code).toBe('noPermission')
    expect((await anna.call('getLinkCreationList', { state: 'approval' })).total).toBe(1)
    const [asked] = (await boss.call('getLinkReviewList', { state: 'open' })).list
    expect(asked).toMatchObject({ externalId, comments: '给客户', rights: preview, fId: 0, isAwaited: true })
    const reviewId = asked?.reviewId ?? 0
    expect((await boss.call('getCounters', {})).list).toContainEqual({ name: 'linkReview', count: 1 })
    // It does not give more while it waits; nobody else decides; those of rights do not either.
    expect(await anna.refusal('externalModify', { externalId, rights: preview | download })).toBe('duplicateRequest')
    expect(await ben.refusal('linkApprove', { reviewId })).toBe('notFound')
    expect(await anna.refusal('linkApprove', { reviewId })).toBe('noPermission')
    expect(await boss.refusal('authorizationApprove', { authorizationId: reviewId })).toBe('notFound')
    await anna.call('withdrawReview', { reviewId })
    expect((await anna.call('getExternalInfo', { externalId })).reason).toBe('unasked')
    const again = await anna.call('linkApply', { externalId, comments: '再申请' })
    await boss.call('linkReject', { reviewId: again.reviewId, comments: '不行' })
    expect(await state()).toBe(LinkStatus.refused)
    const third = await anna.call('linkApply', { externalId })
    await boss.call('linkApprove', { reviewId: third.reviewId })
    expect(await state()).toBe(LinkStatus.active)
    const pass = await enter(linkToken)
    expect((await wire('visitPreview', { linkToken, fileId }, pass)).status).toBe(200)
    expect(await anna.refusal('linkApply', { externalId })).toBe('duplicateOperation')
    await boss.call('revokeReview', { reviewId: third.reviewId })
    expect((await wire('visitPreview', { linkToken, fileId }, pass)).code).toBe('notFound')
    expect((await anna.call('getExternalInfo', { externalId })).reason).toBe('revoked')
    // What gives more than was approved is asked for anew.
    const fourth = await anna.call('linkApply', { externalId })
    await boss.call('linkApprove', { reviewId: fourth.reviewId })
    await anna.call('externalModify', { externalId, rights: preview | download })
    expect(await state()).toBe(LinkStatus.underApproval)
    // [R229] Whom it is for by name finds it in their list from then on.
    const named = await make(anna, { fileId }, { rights: preview, userIdArray: [ben.userId] })
    expect((await ben.call('getLinkSharedList', {})).list).toEqual([])
    const [waiting] = (await boss.call('getLinkReviewList', { state: 'open' })).list.filter(
      (one) => one.externalId === named.externalId,
    )
    await boss.call('linkApprove', { reviewId: waiting?.reviewId ?? 0 })
    expect((await ben.call('getLinkSharedList', {})).list).toMatchObject([{ externalId: named.externalId }])
    // Nobody decides about a link any more that is cancelled meanwhile.
    const waits = async (of: number) =>
      (await boss.call('getLinkReviewList', { state: 'open' })).list.some((one) => one.externalId === of)
    expect(await waits(externalId)).toBe(true)
    await anna.call('cancelExternal', { externalId })
    expect(await waits(externalId)).toBe(false)
    const other = await make(anna, { fileId }, { rights: preview })
    expect(await waits(other.externalId)).toBe(true)
    await admin.call('cancelLinks', { externalIdArray: [other.externalId] })
    expect(await waits(other.externalId)).toBe(false)
    // Both are told, of each request once, as it stands; nobody else is.
    await world.app.settle()
    const told = async (person: Person) => {
      const { groups } = await person.call('getNotices', {})
      const list = groups.find((one) => one.group === 'operationApply')?.list ?? []
      return list.map(({ message }) => JSON.parse(message) as PushPayload<'operateApplication'>)
    }
    const title = (await anna.call('getFileInfo', { fileId })).fName
    const common = { operateType: 2, applicationTitle: title, applicationTitleType: 1, itemCount: 1, externalId }
    const answers = (await told(anna)).filter((one) => one.externalId === externalId)
    expect(answers.toReversed()).toMatchObject([
      { ...common, applicationId: again.reviewId, nodeState: 4, handlerUserName: boss.account, answer: '不行' },
      { ...common, applicationId: third.reviewId, nodeState: 8, reason: 'revoked', handlerUserName: boss.account },
      { ...common, applicationId: fourth.reviewId, nodeState: 2, handlerUserName: boss.account, answer: '' },
    ])
    expect((await told(boss)).at(-1)).toMatchObject({ ...common, applicationId: reviewId, nodeState: 1, fId: fileId })
    expect(await told(ben)).toEqual([])
  })

  test('what an older build told of requests is told as it is told now, of each request the newest', async () => {
    const [anna, { db }] = [await world.person('anna'), world.app]
    const old = { serverId: 0, externalId: 4, userId: anna.userId, userName: 'anna', fType: 1, fName: '报价.xlsx' }
    const put = async (remindId: number, type: 150 | 151, more: object): Promise<void> => {
      const payload = JSON.stringify({ ...old, fId: 5, createTime: 1, ...more })
      const group = type === 150 ? 'permissionApply' : 'authorization'
      await sql`insert into notice (account_id, remind_id, notice_group, key, push_type, payload, created_at)
        values (${anna.userId}, ${remindId}, ${group}, ${`link ${remindId}`}, ${type}, ${payload}, ${Date.now()})`.execute(
        db,
      )
      await sql`insert into personal_push (account_id, position, push_type, payload, created_at)
        values (${anna.userId}, ${remindId}, ${type}, ${payload}, 1)`.execute(db)
    }
    await put(1, 150, { reviewId: 3 })
    await put(2, 151, { reviewId: 3, approved: false, answer: '不行', handleTime: 2 })
    await put(3, 150, { reviewId: 6 })
    await linkApplicationsOfBefore(db as never)
    const { groups } = await anna.call('getNotices', {})
    expect(groups).toMatchObject([{ group: 'operationApply', total: 2 }])
    const told = groups[0]?.list.map(({ message }) => pushes.operateApplication.payload.parse(JSON.parse(message)))
    expect(told).toMatchObject([
      { applicationId: 6, nodeState: 1, answer: '' },
      { applicationId: 3, nodeState: 4, answer: '不行', applicationTitle: '报价.xlsx', externalId: 4 },
    ])
    const live = await anna.listen()
    await live.next((frame) => isFrame(frame, 'operateApplication') && frame.data.applicationId === 6)
  })

  test('what an older build had not told yet of requests, as it broke off, is told as it is told now', async () => {
    const world = await openWorld({ elected: false })
    const [anna, { db }] = [await world.person('anna'), world.app]
    await world.app.settle()
    const data = {
      ...{ serverId: 0, externalId: 4, userId: anna.userId, userName: 'anna', fType: 1, fId: 5, fName: '报价.xlsx' },
      createTime: 1,
    }
    const wait = (pushType: 150 | 151, group: string, more: object) => {
      const notice = { group, key: 'link 3', merge: 'later', itemType: null, itemId: null }
      const told = { kind: 'personal', accountIds: [anna.userId], pushType, data: { ...data, ...more }, notice }
      return sql`insert into event (kind, payload, created_at)
        values ('personal', ${JSON.stringify(told)}, ${Date.now()})`.execute(db)
    }
    const notices = async () => (await anna.call('getNotices', {})).groups
    await wait(150, 'permissionApply', { reviewId: 3 })
    await linkApplicationsTold(db as never)
    await world.app.settle()
    const [asked] = await notices()
    expect(asked).toMatchObject({ group: 'operationApply', total: 1 })
    // The next one has got its position before: it stands beside the one that it is to replace.
    await wait(151, 'authorization', { reviewId: 3, approved: true, answer: '好', handleTime: 2 })
    await world.app.settle()
    expect(await notices()).toHaveLength(2)
    await linkApplicationsTold(db as never)
    const after = await notices()
    expect(after).toMatchObject([{ group: 'operationApply', total: 1 }])
    const read = after[0]?.list.map(({ message }) => pushes.operateApplication.payload.parse(JSON.parse(message)))
    expect(read).toMatchObject([{ applicationId: 3, nodeState: 2, answer: '好', applicationTitle: '报价.xlsx' }])
    const live = await anna.listen()
    const types = () => live.frames.map(({ pushType }) => pushType).filter((type) => type !== 18)
    await expect.poll(types).toEqual([57, 57])
  })

  test('all links that are open are listed by risk, and ended together; who made them is told', async () => {
    const { anna, fileId, folderId } = await scene()
    const [admin, ben] = [await world.admin(), await world.person('ben')]
    const risky = await make(anna, { fileId }, { endTime: now() + 200 * 24 * hour })
    const calm = await make(anna, { folderId }, { password: 'abcd' })
    const { list, total, counts } = await admin.call('getAllLinks', { keyword: anna.account })
    expect(list.map(({ externalId, risks }) => [externalId, risks])).toEqual([
      [risky.externalId, ['noPassword', 'long']],
      [calm.externalId, []],
    ])
    expect(total).toBe(2)
    expect(counts.noPassword).toBeGreaterThan(0)
    expect(JSON.stringify(list)).not.toContain(risky.linkToken)
    expect((await admin.call('getAllLinks', { keyword: anna.account, risk: 'any' })).total).toBe(1)
    for (const call of ['getAllLinks', 'cancelLinks'] as const)
      expect(await ben.refusal(call, { externalIdArray: [risky.externalId] })).toBe('noPermission')
    const ids = [risky.externalId, 987_654_321]
    const ended = await admin.call('cancelLinks', { externalIdArray: ids, comments: '没有密码' })
    expect(ended.list.map(({ result }) => result)).toEqual([codes.success.code, codes.notFound.code])
    expect(await stateOf(risky.linkToken)).toBe('gone')
    expect((await anna.call('getFileInfo', { fileId })).itemStatus & 3).toBe(0)
    expect((await admin.call('getAllLinks', { keyword: anna.account })).total).toBe(1)
    await expect.poll(async () => JSON.stringify((await anna.call('getNotices', {})).groups)).toContain('ended')
  })
})

describe('[R228] a visitor', () => {
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
    await expect.poll(stateOfAll, { timeout: 60_000 }).toEqual({ list: [{ fileId: photo, result: success }, ...rest] })
    const got = await ask('visitContent', { linkToken, fileId: photo, form: 'thumbnail' }, pass)
    expect((await sharp(got.rawPayload).metadata()).width).toBeLessThanOrEqual(512)
    expect((await wire('visitPictures', { linkToken, fileIdArray: [beside] }, pass)).code).toBe('notFound')
    expect((await anna.call('getExternalVisitList', { externalId })).list.map(({ what }) => what)).not.toContain(
      'preview',
    )
  })

  test('[R228] comes in by the password, sees what lies under the link and nothing else', async () => {
    const { anna, folderId, inner, fileId, deep, beside } = await scene()
    const { linkToken, externalId } = await make(anna, { folderId }, { password: 'aB3d', notify: true })
    const outside = (await wire('getVisitedLink', { linkToken })).data
    expect(outside).toMatchObject({ state: 'open', inside: false, needsPassword: true, fName: '', fId: 0 })
    expect(wireOf(await open(linkToken, { password: 'ab3d' })).code).toBe('wrongLinkPassword')
    const pass = await enter(linkToken, { password: 'aB3d', name: '王先生' })
    const inside = (await ask('getVisitedLink', { linkToken }, pass)).json<{ data: object }>().data
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
    // No put, and no other call of the product.
    expect((await wire('visitUpload', { linkToken, folderId, fileName: 'x.txt' }, pass, 'x')).code).toBe('noPermission')
    // A download is written down when it has been sent.
    const happened = async () =>
      (await anna.call('getExternalVisitList', { externalId })).list
        .map(({ what, visitor }) => `${what} ${visitor}`)
        .sort()
    await expect
      .poll(happened)
      .toEqual(['download 王先生', 'download 王先生', 'open 王先生', 'preview 王先生', 'wrongPassword '])
    expect(await anna.call('getExternalVisitList', { externalId })).toMatchObject({ total: 5, wrongPasswords: 1 })
    expect(await anna.call('getExternalInfo', { externalId })).toMatchObject({ visits: 1, downloads: 2 })
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
    // Nor are the bytes shown as they are stored.
    expect((await ask('visitContent', { linkToken, fileId }, pass)).statusCode).toBe(403)
  })

  test('[R222] who may edit brings new versions under the name that they gave; nobody inside is overtaken', async () => {
    const { anna, folderId, fileId } = await scene()
    const ben = await world.person('ben')
    await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.download | Right.externalLink }])
    // Nobody gives what they may not do.
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
    // Who has it open has it alone, who gave the link too.
    await anna.call('fileEditLock', { fileId })
    expect(await put(2, '撞上')).toMatchObject({ code: 'fileLocked' })
    expect((await anna.download(fileId)).body).toBe('改过')
    expect((await anna.call('getExternalVisitList', { externalId, what: 'edit' })).list).toMatchObject([
      { what: 'edit', visitor: '周明', fName: '说明.txt' },
    ])
    await anna.call('externalModify', { externalId, rights: preview | download })
    expect(await put(2, '晚了')).toMatchObject({ code: 'noPermission' })
  })

  test('who collects files gets them under the visitor’s name; each visitor sees their own', async () => {
    const { anna, folderId, fileId } = await scene()
    const { linkToken } = await make(anna, { folderId }, { rights: upload })
    expect(wireOf(await open(linkToken)).code).toBe('badRequest')
    const [one, two] = [await enter(linkToken, { name: '周明' }), await enter(linkToken, { name: '李四' })]
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
    // What is used up can still be looked at.
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
    clock += hour
    await from(10, 11, 1, 2, 3, 4, 5, 6, 7)
    expect(await told()).toEqual([])
    await from(8)
    expect(await told()).toMatchObject([{ what: 'spread', externalId, fId: fileId, visitor: '', address: '192.0.2.8' }])
    const { remindId } = (await told())[0] ?? {}
    await from(20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
    expect((await told())[0]?.remindId).toBe(remindId)
    clock += hour
    await from(20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
    expect((await told())[0]?.remindId).not.toBe(remindId)
    clock = 0
  })

  test('X35: wrong passwords count for link and address, slow the link, and lock nobody else out', async () => {
    const { anna, fileId } = await scene()
    const { linkToken, externalId } = await make(anna, { fileId }, { password: 'Zz9a' })
    const from = async (remoteAddress: string, password: string) =>
      wireOf(await open(linkToken, { password }, { remoteAddress })).code
    const seen: (string | undefined)[] = []
    // From ever other addresses of a block: one is looked at, and one of its neighbours, within some seconds.
    for (let n = 0; n < 12; n += 1) seen.push(await from(`198.51.100.${n}`, 'Zz9b'))
    expect(seen.filter((code) => code === 'wrongLinkPassword')).toHaveLength(2)
    expect(await from('198.51.100.99', 'Zz9a')).toBe('sendingTooOften')
    clock += 15_001
    expect(await from('198.51.100.99', 'Zz9a')).toBe('success')
    for (let n = 0; n < 5; n += 1) {
      expect(await from('203.0.113.5', 'nope')).toBe('wrongLinkPassword')
      clock += 15_001
    }
    expect(await from('203.0.113.5', 'Zz9a')).toBe('sendingTooOften')
    expect(await from('203.0.113.6', 'Zz9a')).toBe('success')
    await world.app.settle()
    const { list } = await anna.call('getNoticeList', { unread: true, rows: 100 })
    expect(list.map(({ message }) => JSON.parse(message) as object)).toMatchObject([
      { what: 'guessed', externalId, address: '203.0.113.5' },
    ])
    clock = 0
  })

  test('X35: whoever sends wrong passwords all the time, all at once and from ever other addresses, with a fresh network every ten seconds, keeps a right one out for ten seconds at most', async () => {
    const { anna, fileId } = await scene()
    const { linkToken } = await make(anna, { fileId }, { password: 'Zz9a' })
    const from = async (remoteAddress: string, password = 'Zz9b') =>
      wireOf(await open(linkToken, { password }, { remoteAddress })).code
    const second = 1000
    let looked = 0
    let cameIn: number | undefined
    // A block of addresses, one IPv6 network after the other, and the address that was wrong first.
    for (let at = 0; at < 60; at += 1) {
      const guesses = [`198.51.100.${at}`, `198.51.100.${at + 100}`, `2001:db8:7:${at}::1`, '198.51.100.1']
      // A fresh network every ten seconds.
      if (at % 10 === 4) guesses.push(`203.0.${at}.7`)
      const codes = await Promise.all(guesses.map((address) => from(address)))
      looked += codes.filter((code) => code === 'wrongLinkPassword').length
      // It comes right behind one from elsewhere, and tries as soon as it may.
      if (at >= 24 && cameIn === undefined && (await from('192.0.2.44', 'Zz9a')) === 'success') cameIn = at
      clock += second
    }
    expect(looked).toBeLessThanOrEqual(20)
    expect(cameIn).toBe(29)
    // A right one among the attacker's is not known by its answer: it waits as a wrong one does.
    clock += 15 * second
    expect(await from('198.51.100.250')).toBe('wrongLinkPassword')
    expect(await from('198.51.100.251', 'Zz9a')).toBe('sendingTooOften')
    clock = 0
  })
})

/** Every call that takes visitors, as it is asked of the file or folder of a link. */
const visitorCalls: Partial<Record<CallName, (ids: { fileId: number; folderId: number; version: number }) => object>> =
  {
    visitList: ({ folderId }) => ({ folderId }),
    visitPreview: ({ fileId }) => ({ fileId }),
    visitPictures: ({ fileId }) => ({ fileIdArray: [fileId] }),
    visitContent: ({ fileId }) => ({ fileId }),
    visitDownload: ({ fileId }) => ({ fileId }),
    visitZip: ({ fileId }) => ({ files: `fi_${fileId}` }),
    visitUpload: ({ folderId }) => ({ folderId, fileName: 'neu.txt' }),
    visitVersion: ({ fileId, version }) => ({ fileId, version }),
  }

describe('[R228] a link that has died opens nothing, at any call, in the next request, at every process', () => {
  test('the calls of visitors are all here', () => {
    const taking = (Object.entries(calls) as unknown as [CallName, Call][]).filter(([, { actors }]) =>
      actors?.includes('visitor'),
    )
    expect(taking.map(([name]) => name).sort()).toEqual(Object.keys(visitorCalls).sort())
  })

  interface Way {
    readonly dies: (scene: Dying) => Promise<unknown>
    readonly code: 'notFound' | 'linkExpired' | 'noPermission' | 'notLoggedIn'
    /** What who comes anew is told, where that is something else. */
    readonly anew?: CodeName
    readonly lives?: (scene: Dying) => Promise<unknown>
  }
  interface Dying {
    readonly anna: Person
    readonly ben: Person
    readonly admin: Person
    readonly groupId: number
    readonly place: number
    readonly folderId: number
    readonly fileId: number
    readonly externalId: number
  }
  const rights = 2046
  const give = (scene: Dying, to: Person | { groupId: number } | { roleId: number }, mask = rights) =>
    scene.anna.shares({ folderId: scene.place }, [{ to, rights: mask }])
  const policy = ({ admin, ben }: Dying, said: object) =>
    admin.call('setLinkPolicy', { subjectType: 'user', subjectId: ben.userId, ...said })
  const ways: Record<string, Way> = {
    'the password changed': {
      dies: ({ ben, externalId }) => ben.call('externalModify', { externalId, password: 'new1' }),
      code: 'notLoggedIn',
      anew: 'wrongLinkPassword',
    },
    'given to people by name': {
      dies: ({ ben, anna, externalId }) => ben.call('externalModify', { externalId, userIdArray: [anna.userId] }),
      code: 'notLoggedIn',
    },
    'ended by an administrator': {
      dies: ({ admin, externalId }) => admin.call('cancelLinks', { externalIdArray: [externalId] }),
      code: 'notFound',
    },
    paused: {
      dies: ({ ben, externalId }) => ben.call('pauseExternal', { externalId, paused: true }),
      lives: ({ ben, externalId }) => ben.call('pauseExternal', { externalId, paused: false }),
      code: 'notFound',
    },
    cancelled: { dies: ({ ben, externalId }) => ben.call('cancelExternal', { externalId }), code: 'notFound' },
    'its end reached': {
      dies: () => Promise.resolve((clock += 2 * hour)),
      lives: () => Promise.resolve((clock = 0)),
      code: 'linkExpired',
    },
    'not begun': {
      dies: ({ ben, externalId }) => ben.call('externalModify', { externalId, startTime: now() + hour / 2 }),
      code: 'noPermission',
    },
    'under approval': {
      dies: ({ externalId }) =>
        world.app.db.updateTable('external_link').set({ approval: 'pending' }).where('id', '=', externalId).execute(),
      code: 'noPermission',
    },
    'its approval refused': {
      dies: ({ externalId }) =>
        world.app.db.updateTable('external_link').set({ approval: 'refused' }).where('id', '=', externalId).execute(),
      code: 'notFound',
    },
    'its approval revoked': {
      dies: ({ externalId }) =>
        world.app.db.updateTable('external_link').set({ approval: 'revoked' }).where('id', '=', externalId).execute(),
      code: 'notFound',
    },
    'the creator’s entry without EXTERNAL': {
      dies: (s) => give(s, s.ben, rights & ~Right.externalLink),
      lives: (s) => give(s, s.ben),
      code: 'notFound',
    },
    'the creator’s entry gone': {
      dies: (s) => s.anna.shares({ folderId: s.place }, []),
      lives: (s) => give(s, s.ben),
      code: 'notFound',
    },
    'inheritance closed': {
      dies: (s) => s.anna.shares({ folderId: s.folderId }, [], { inherit: false }),
      code: 'notFound',
    },
    'the creator not in the group any more': {
      dies: async (s) => {
        await give(s, { groupId: s.groupId })
        await s.admin.call('modifyAccount', { userId: s.ben.userId, groupId: 1 })
      },
      code: 'notFound',
    },
    'the capability taken from everybody': {
      dies: ({ admin }) =>
        admin.call('setCapabilities', { changes: [{ roleId: 0, capability: 'createLinks', allowed: false }] }),
      lives: ({ admin }) =>
        admin.call('setCapabilities', { changes: [{ roleId: 0, capability: 'createLinks', allowed: true }] }),
      code: 'notFound',
    },
    'the role lost': {
      dies: async (s) => {
        const { roleId } = await s.admin.call('createRole', { roleName: s.place.toString() })
        const has = (userIds: number[]) => s.admin.call('setRoleMembers', { roleId, userIds, groupIds: [], titles: [] })
        await has([s.ben.userId])
        await give(s, { roleId })
        expect((await s.ben.call('getExternalInfo', { externalId: s.externalId })).reason).toBe('active')
        await has([])
      },
      code: 'notFound',
    },
    'the policy tightened to no links': {
      dies: (s) => policy(s, { mayCreate: false }),
      lives: (s) => policy(s, {}),
      code: 'notFound',
    },
    'the policy tightened to a password': {
      dies: (s) => policy(s, { needsPassword: true }),
      lives: (s) => policy(s, {}),
      code: 'notFound',
    },
    'the policy tightened to an approval': {
      dies: (s) => policy(s, { needsApproval: true }),
      lives: (s) => policy(s, {}),
      code: 'noPermission',
    },
    'links switched off': {
      dies: ({ admin }) => admin.call('setSafeStrategy', { show_shared_links: false }),
      lives: ({ admin }) => admin.call('setSafeStrategy', { show_shared_links: true }),
      code: 'notFound',
    },
    'the creator frozen': {
      dies: ({ admin, ben }) => admin.call('setAccountState', { userId: ben.userId, state: 'frozen' }),
      lives: async ({ admin, ben }) => {
        await admin.call('setAccountState', { userId: ben.userId, state: 'normal' })
        people = { ...people, ben: await world.signIn(ben.account) }
      },
      code: 'notFound',
    },
    'the account of the creator disabled': {
      dies: ({ admin, ben }) => admin.call('setAccountState', { userId: ben.userId, state: 'disabled' }),
      lives: async ({ admin, ben }) => {
        await admin.call('setAccountState', { userId: ben.userId, state: 'normal' })
        people = { ...people, ben: await world.signIn(ben.account) }
      },
      code: 'notFound',
    },
    'the item deleted': {
      dies: ({ anna, folderId }) => anna.call('fileOrFolderDelete', { folderIdArray: [folderId] }),
      lives: ({ anna, folderId }) => anna.call('recycleRestore', { folderIdArray: [folderId] }),
      code: 'notFound',
    },
    'a folder above deleted': {
      dies: ({ anna, place }) => anna.call('fileOrFolderDelete', { folderIdArray: [place] }),
      code: 'notFound',
    },
    'moved to where the creator may not give it out': {
      dies: ({ anna, folderId }) =>
        anna.call('fileOrFolderMove', { folderIdArray: [folderId], targetFolderId: anna.library }),
      code: 'notFound',
    },
    'a folder above moved to where the creator may not give it out': {
      dies: async ({ anna, place }) => {
        const elsewhere = await anna.folder(anna.library, '别处')
        await anna.shares({ folderId: place }, [])
        await anna.call('fileOrFolderMove', { folderIdArray: [place], targetFolderId: elsewhere })
      },
      code: 'notFound',
    },
    'the creator’s entry on the item itself smaller': {
      dies: async (s) => {
        await s.anna.shares({ folderId: s.folderId }, [{ to: s.ben, rights: Right.preview }], { inherit: false })
      },
      code: 'notFound',
    },
    'a folder above restricted': {
      dies: ({ anna, place }) =>
        anna
          .call('setDocRestricted', { folderIdArray: [place], restricted: true })
          .then(() => anna.shares({ folderId: place }, [], { inherit: false })),
      code: 'notFound',
    },
  }

  let people: Pick<Dying, 'anna' | 'ben' | 'admin' | 'groupId'>
  let beside: World
  beforeAll(async () => {
    beside = await openWorld({ now, elected: false, beside: world })
    const [anna, ben, admin] = [await world.person('anna'), await world.person('ben'), await world.admin()]
    people = { anna, ben, admin, groupId: (await world.group('一组')).groupId }
  })

  test.each(Object.entries(ways))('%s', async (what, { dies, lives, code, anew = code }) => {
    const { anna, ben, admin, groupId } = people
    const place = await anna.folder(anna.library, what)
    const folderId = await anna.folder(place, '资料')
    const fileId = await anna.upload(folderId, '说明.txt')
    if (what.includes('the group')) {
      await admin.call('modifyAccount', { userId: ben.userId, groupId })
      await anna.shares({ folderId: place }, [{ to: { groupId }, rights }])
    } else await anna.shares({ folderId: place }, [{ to: ben, rights }])
    const { externalId, linkToken } = await make(ben, { folderId }, { rights: 28 | linkRights.edit })
    const pass = await enter(linkToken, { name: '周明' })
    const dying = { ...people, place, folderId, fileId, externalId }
    const codeOf = async (name: CallName, input: object, at = world) => {
      const asked = await ask(
        name,
        { linkToken, ...input },
        pass,
        (calls[name] as Call).payload === 'raw' ? 'x' : undefined,
        at,
      )
      const isContent = !`${asked.headers['content-type']}`.includes('json')
      return asked.statusCode === 200 && isContent ? 'success' : (wireOf(asked).code ?? '')
    }
    const codesOf = async (at: World) => {
      const { version } = await sql<{ version: number }>`select version from item where id = ${fileId}`
        .execute(world.app.db)
        .then(({ rows }) => rows[0] ?? expect.fail('the file is gone'))
      return Object.fromEntries(
        await Promise.all(
          Object.entries(visitorCalls).map(async ([name, input]) => [
            name,
            await codeOf(name as CallName, input({ fileId, folderId, version }), at),
          ]),
        ),
      ) as Record<string, string>
    }
    const each = (one: string) => Object.fromEntries(Object.keys(visitorCalls).map((name) => [name, one]))
    for (const at of [world, beside]) expect(await codesOf(at), 'alive').toEqual(each('success'))
    await dies(dying)
    for (const at of [beside, world]) {
      expect(await codesOf(at), 'dead').toEqual(each(code))
      expect(wireOf(await open(linkToken, {}, {}, at)).code).toBe(anew)
    }
    if (lives === undefined) return
    await lives(dying)
    for (const at of [beside, world])
      expect(await codeOf('visitDownload', { fileId }, at), 'alive again').toBe('success')
  })

  test('the library closed, and opened again', async () => {
    const { anna, admin } = people
    const { libraryId } = await admin.call('createLibrary', {
      ...{ name: '外链的库', kind: 'project', ownerId: anna.userId, quota: 0, entries: [] },
    })
    const fileId = await anna.upload(libraryId, '说明.txt')
    const { linkToken } = await make(anna, { fileId })
    const pass = await enter(linkToken)
    const answers = () =>
      Promise.all(
        [beside, world].map(
          async (at) => (await ask('visitDownload', { linkToken, fileId }, pass, undefined, at)).statusCode,
        ),
      )
    expect(await answers()).toEqual([200, 200])
    await admin.call('changeLibrary', { libraryId, closed: true })
    expect(await answers()).toEqual([404, 404])
    await admin.call('changeLibrary', { libraryId, closed: false })
    expect(await answers()).toEqual([200, 200])
  })

  test('[R225] who takes over goes on with a link as far as they hold the right to give it out', async () => {
    const { anna, admin } = people
    const folderId = await anna.folder(anna.library, '交接')
    const fileId = await anna.upload(folderId, '说明.txt')
    for (const [holds, status] of [
      [true, 200],
      [false, 404],
    ] as const) {
      const [leaver, next] = [await world.person('leaver'), await world.person('next')]
      const entries = [{ to: leaver, rights }, ...(holds ? [{ to: next, rights }] : [])]
      await anna.shares({ folderId }, entries)
      const { linkToken, externalId } = await make(leaver, { fileId })
      const pass = await enter(linkToken)
      const taken = async (at: World) =>
        (await ask('visitDownload', { linkToken, fileId }, pass, undefined, at)).statusCode
      expect([await taken(beside), await taken(world)]).toEqual([200, 200])
      const whom = { userId: leaver.userId, successorId: next.userId }
      const { seen } = await admin.call('getHandover', whom)
      expect(await admin.call('handOver', { ...whom, seen })).toMatchObject({ done: true })
      // Entries of the leaver pass as well, so what the successor lacks is taken from both.
      if (!holds) await anna.shares({ folderId }, [])
      expect([await taken(beside), await taken(world)]).toEqual([status, status])
      const [own] = (await next.call('getLinkCreationList', {})).list
      expect(own).toMatchObject({ externalId, creatorId: next.userId })
    }
  })

  test('[R228] its level risen', async () => {
    const anna = await world.person('anna', { secretLevel: 2 })
    const folderId = await anna.folder(anna.library, '资料')
    const fileId = await anna.upload(folderId, '说明.txt', 'x')
    const one = await make(anna, { fileId })
    const whole = await make(anna, { folderId })
    const [pass, wholePass] = [await enter(one.linkToken), await enter(whole.linkToken)]
    const answers = () =>
      Promise.all(
        [beside, world].map(
          async (at) =>
            (await ask('visitDownload', { linkToken: one.linkToken, fileId }, pass, undefined, at)).statusCode,
        ),
      )
    expect(await answers()).toEqual([200, 200])
    await anna.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 1 })
    expect(await answers()).toEqual([404, 404])
    expect((await anna.call('getExternalInfo', { externalId: one.externalId })).reason).toBe('level')
    // Of the folder it is not there any more, in no list and no zip.
    const { linkToken } = whole
    for (const at of [beside, world])
      expect(wireOf(await ask('visitList', { linkToken, folderId }, wholePass, undefined, at)).data).toMatchObject({
        list: [],
        total: 0,
      })
    expect((await ask('visitZip', { linkToken, files: `fo_${folderId}` }, wholePass)).body).not.toContain('说明.txt')
  })

  test('a pass of one link opens no other, and a garbled one none', async () => {
    const { anna, fileId } = await scene()
    const [one, two] = [await make(anna, { fileId }), await make(anna, { fileId })]
    const pass = await enter(one.linkToken)
    expect(wireOf(await ask('visitDownload', { linkToken: two.linkToken, fileId }, pass)).code).toBe('notLoggedIn')
    expect(wireOf(await ask('visitDownload', { linkToken: one.linkToken, fileId }, 'x')).code).toBe('notLoggedIn')
    expect(wireOf(await ask('visitDownload', { linkToken: one.linkToken, fileId })).code).toBe('notLoggedIn')
    expect(wireOf(await ask('visitDownload', { linkToken: 'nothing-here', fileId }, pass)).code).toBe('notFound')
    expect((await wire('getVisitedLink', { linkToken: 'nothing-here' })).code).toBe('notFound')
    // Whoever has an account comes to no call of visitors by it.
    expect((await anna.wire('visitDownload', { linkToken: one.linkToken, fileId })).code).toBe('notLoggedIn')
  })
})
