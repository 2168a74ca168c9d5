// Signing by people without an account: the link of a mail, the code, what it opens and what it does not.
import type { CallName } from '@cloudoc/contract'
import { SignState } from '@cloudoc/domain'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type Person, password, requestFor, sharedWorld, type Wire, wireOf } from '../../../test/harness.ts'
import { contract, lastSignToken, queuedMails, signTokenIn, smallPicture } from '../../../test/signing.ts'
import { signing } from './feature.ts'

const world = sharedWorld()
let anna: Person
let number = 0

beforeAll(async () => {
  const admin = await world.admin()
  await admin.call('createSignAuthority', { name: '青云科技' })
  await admin.call('setServerSetting', { mail_host: '127.0.0.1', mail_port: 9, mail_sender: 'drive@example.com' })
  anna = await world.person('out-anna')
})

const mailsTo = (address: string) => queuedMails(anna, address)
const lastToken = (address: string) => lastSignToken(anna, address)

async function ask(name: CallName, input: Record<string, unknown>, pass?: string): Promise<Wire> {
  const request = requestFor(name, input)
  const headers = { ...request.headers, ...(pass === undefined ? {} : { 'x-sign-pass': pass }) }
  return wireOf(await world.app.http.inject({ ...request, headers }))
}

async function fileOf(signToken: string, pass: string): Promise<{ status: number; bytes: Buffer }> {
  const { statusCode, rawPayload } = await world.app.http.inject({
    url: `/services2/signFromEmail/${signToken}/file`,
    headers: { 'x-sign-pass': pass },
  })
  return { status: statusCode, bytes: rawPayload }
}

/** As if a minute had passed since the last code of every signer. */
const laterByAMinute = () =>
  sql`update throttle set since = since - 60001 where key ~ '^signCode:[0-9.:a-f/]+$'`.execute(world.app.db)

/** Asks for a code and types it. Returns the pass. */
async function enter(signToken: string, address: string): Promise<string> {
  await laterByAMinute()
  const sent = await ask('sendSignCode', { signToken })
  expect(sent.code, sent.msg).toBe('success')
  const code = /\d{6}/.exec((await mailsTo(address)).at(-1)?.subject ?? '')?.[0] ?? ''
  const { codeTicket } = sent.data as { codeTicket: string }
  const entered = await ask('enterSign', { signToken, codeTicket, code })
  expect(entered.code, entered.msg).toBe('success')
  return (entered.data as { pass: string }).pass
}

type Asked = Person | string

/** Sends a file to be signed by people with an account, and by addresses. */
async function launched(signers: readonly Asked[], more: { order?: boolean; deadline?: number } = {}) {
  const folderId = await anna.folder(anna.library, `签署 ${++number}`)
  const fileId = await anna.upload(folderId, '合同.pdf', await contract())
  const { activityId } = await anna.call('launchSign', {
    ...{ fileId, archiveFolderId: folderId, title: '采购合同', comment: '请签', order: more.order ?? true },
    ...(more.deadline !== undefined && { deadline: more.deadline }),
    singerList: signers.map((one) =>
      typeof one === 'string' ? { outside: { name: '周敏', mail: one } } : { userId: one.userId },
    ),
  })
  return { activityId, fileId, folderId }
}

const address = (): string => `zhoumin${++number}@dongjiang.example`
const sees = async (activityId: number) => anna.call('getSignDetail', { activityId })

async function broken(): Promise<unknown[]> {
  const found = await Promise.all((signing.checks ?? []).map(({ broken: rows }) => sql`${rows}`.execute(world.app.db)))
  return found.flatMap(({ rows }) => rows)
}

describe('signing from a mail', () => {
  // [R275] Somebody without an account opens the link of a mail, types the code that went to the same address, sees the
  // bytes that they sign, signs, and gets the archived file by the link of a second mail.
  test('[R275] goes from the mail to the archived file', { timeout: 60_000 }, async () => {
    const ben = await world.person('out-ben')
    const mail = address()
    const { activityId } = await launched([ben, mail])
    expect(await mailsTo(mail)).toEqual([])
    await ben.call('sign', { activityId, revision: 0, password })
    const [asked] = await mailsTo(mail)
    expect(asked?.subject).toBe(`${anna.account} 请你签署《采购合同》`)
    const signToken = signTokenIn(asked)
    expect((await ask('getSignInvitation', { signToken })).data).toMatchObject({
      ...{ state: 'now', isInside: false, activityTitle: '采购合同', launcherName: anna.account, name: '周敏' },
      ...{ signerCount: 2, order: 2, codeGoesTo: expect.stringMatching(/^z\*\*\*\d@dongjiang\.example$/) as unknown },
    })
    const pass = await enter(signToken, mail)
    const shown = (await ask('getSignFromEmail', { signToken }, pass)).data as { revision: number; fields: unknown[] }
    expect(shown).toMatchObject({ revision: 1, pages: 2, fileName: '合同.pdf', comment: '请签' })
    expect(shown.fields).toHaveLength(1)
    const before = await fileOf(signToken, pass)
    expect(before.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const signed = await ask('signFromEmail', { signToken, revision: 1, picture: smallPicture }, pass)
    expect(signed.data).toEqual({ revision: 2 })
    const after = await fileOf(signToken, pass)
    expect(after.bytes.subarray(0, before.bytes.length).equals(before.bytes)).toBe(true)
    await expect.poll(async () => (await sees(activityId)).state).toBe('archived')
    const { archivedFileId, signers, timeline } = await sees(activityId)
    expect(signers.map(({ accountName, isOutside, mail: to, state }) => [accountName, isOutside, to, state])).toEqual([
      [ben.account, false, '', 'signed'],
      ['周敏', true, mail, 'signed'],
    ])
    expect(timeline.map(({ what, by }) => [what, by?.accountName])).toContainEqual(['opened', '周敏'])
    const { list } = await anna.call('checkFileSign', { fileId: archivedFileId })
    expect(list.map(({ subject, isIntact, isTrusted }) => [subject, isIntact, isTrusted])).toEqual([
      [ben.account, true, true],
      ['周敏', true, true],
    ])
    const last = (await mailsTo(mail)).at(-1)
    expect(last?.subject).toBe('《采购合同》已全部签完')
    const later = signTokenIn(last)
    const laterPass = await enter(later, mail)
    expect((await ask('getSignInvitation', { signToken: later })).data).toMatchObject({ state: 'archived' })
    expect((await fileOf(later, laterPass)).bytes.equals(after.bytes)).toBe(true)
    expect(await broken()).toEqual([])
    // Their key signed once and is kept nowhere.
    const { rows } = await sql<{ sealed: string }>`
      select sealed_key as sealed from sign_certificate where subject = '周敏'`.execute(world.app.db)
    expect(rows.map(({ sealed }) => sealed)).toEqual([''])
  })

  // [R275] The link of a mail opens nothing without the code, nothing of another signer, and nothing after its time;
  // it signs once.
  test('[R275] [R025] tokens open their own document only, once, and end clearly', { timeout: 60_000 }, async () => {
    const [mine, theirs] = [address(), address()]
    const one = await launched([mine])
    const two = await launched([theirs])
    const [myToken, theirToken] = [await lastToken(mine), await lastToken(theirs)]
    const inside = ['getSignFromEmail', 'lockFromEmail', 'unlockFromEmail'] as const
    for (const name of inside)
      expect(await ask(name, { signToken: myToken })).toMatchObject({ status: 401, code: 'notLoggedIn' })
    expect((await fileOf(myToken, 'x')).status).toBe(401)
    const pass = await enter(myToken, mine)
    for (const name of inside)
      expect(await ask(name, { signToken: theirToken }, pass), name).toMatchObject({ code: 'notLoggedIn' })
    expect((await fileOf(theirToken, pass)).status).toBe(401)
    expect(await ask('signFromEmail', { signToken: theirToken, revision: 0 }, pass)).toMatchObject({
      code: 'notLoggedIn',
    })
    expect((await ask('getSignInvitation', { signToken: 'x'.repeat(32) })).code).toBe('notFound')
    expect((await ask('getSignFromEmail', { signToken: 'x'.repeat(32) }, pass)).code).toBe('notFound')
    // What the launcher may do is not reached through them.
    const asLauncher = requestFor('getSignDetail', { activityId: one.activityId })
    const headers = { ...asLauncher.headers, 'x-sign-pass': pass }
    expect(wireOf(await world.app.http.inject({ ...asLauncher, headers })).code).toBe('notLoggedIn')
    const both = await Promise.all([1, 2].map(() => ask('signFromEmail', { signToken: myToken, revision: 0 }, pass)))
    expect(both.filter(({ code }) => code === 'success')).toHaveLength(1)
    expect((await ask('signFromEmail', { signToken: myToken, revision: 1 }, pass)).code).toBe('alreadyHandled')
    expect((await ask('rejectFromEmail', { signToken: myToken, comments: '不' }, pass)).code).toBe('alreadyHandled')
    // A corrected address ends the links and the passes before.
    const theirPass = await enter(theirToken, theirs)
    const { signers } = await sees(two.activityId)
    const corrected = address()
    const outside = { name: '周敏', mail: corrected }
    await anna.call('changeExternalSigner', {
      activityId: two.activityId,
      signerId: signers[0]?.signerId ?? 0,
      outside,
    })
    expect((await ask('getSignInvitation', { signToken: theirToken })).code).toBe('notFound')
    expect((await ask('signFromEmail', { signToken: theirToken, revision: 0 }, theirPass)).code).toBe('notFound')
    const next = await lastToken(corrected)
    expect((await ask('getSignInvitation', { signToken: next })).data).toMatchObject({ state: 'now' })
    await sql`update once set expires_at = 1 where kind = 'signInvitation'`.execute(world.app.db)
    expect((await ask('getSignInvitation', { signToken: next })).code).toBe('notFound')
    // A reminder brings a new link.
    await anna.call('remindSign', { activityId: two.activityId })
    expect((await ask('getSignInvitation', { signToken: await lastToken(corrected) })).data).toMatchObject({
      state: 'now',
    })
  })

  test('five wrong codes use a ticket up, a code is of the browser that asked, and five an hour are sent', async () => {
    const mail = address()
    await launched([mail])
    const signToken = await lastToken(mail)
    const sent = (await ask('sendSignCode', { signToken })).data as { codeTicket: string }
    expect((await ask('sendSignCode', { signToken })).code).toBe('sendingTooOften')
    const right = /\d{6}/.exec((await mailsTo(mail)).at(-1)?.subject ?? '')?.[0] ?? ''
    const wrong = right === '000000' ? '000001' : '000000'
    const type = (code: string, codeTicket = sent.codeTicket) => ask('enterSign', { signToken, codeTicket, code })
    expect((await type(right, 'other')).code).toBe('wrongVerificationCode')
    for (let n = 0; n < 5; n += 1) expect((await type(wrong)).code).toBe('wrongVerificationCode')
    expect((await type(right)).code).toBe('wrongVerificationCode')
    const outcomes: unknown[] = []
    for (let n = 0; n < 6; n += 1) {
      await laterByAMinute()
      outcomes.push((await ask('sendSignCode', { signToken })).code)
    }
    expect(outcomes).toEqual([...Array.from({ length: 4 }, () => 'success'), 'sendingTooOften', 'sendingTooOften'])
    // Another language of the client changes nothing about what a code opens.
    expect((await ask('getSignInvitation', { signToken })).data).toMatchObject({ state: 'now', isInside: false })
  })

  test('who refuses from a mail ends it for all', async () => {
    const ben = await world.person('out-ben2')
    const mail = address()
    const { activityId } = await launched([ben, mail], { order: false })
    await ben.call('sign', { activityId, revision: 0, password })
    const signToken = await lastToken(mail)
    const pass = await enter(signToken, mail)
    expect((await ask('signFromEmail', { signToken, revision: 0 }, pass)).code).toBe('fileConflict')
    expect((await ask('rejectFromEmail', { signToken, comments: ' ' }, pass)).code).toBe('badRequest')
    expect((await ask('rejectFromEmail', { signToken, comments: '金额有误' }, pass)).code).toBe('success')
    expect(await sees(activityId)).toMatchObject({
      ...{ state: 'rejected', activityState: SignState.rejected },
      rejection: { accountName: '周敏', comments: '金额有误' },
    })
    expect((await fileOf(signToken, pass)).status).toBe(403)
  })

  test('a lock of one keeps others from signing, with and without an account', async () => {
    const ben = await world.person('out-ben3')
    const mail = address()
    const { activityId } = await launched([ben, mail], { order: false })
    const signToken = await lastToken(mail)
    const pass = await enter(signToken, mail)
    expect((await ask('lockFromEmail', { signToken }, pass)).code).toBe('success')
    expect((await sees(activityId)).lockedBy).toEqual({ userId: 0, accountName: '周敏' })
    expect(await ben.refusal('sign', { activityId, revision: 0, password })).toBe('fileLocked')
    expect((await ask('unlockFromEmail', { signToken }, pass)).code).toBe('success')
    await ben.call('lockSign', { activityId })
    expect((await ask('signFromEmail', { signToken, revision: 0 }, pass)).code).toBe('fileLocked')
  })

  test('a launch refuses signers outside who cannot be reached or told apart', async () => {
    const admin = await world.admin()
    const folderId = await anna.folder(anna.library, `签署 ${++number}`)
    const fileId = await anna.upload(folderId, '合同.pdf', await contract())
    const refusal = (outsiders: readonly object[]) =>
      anna.refusal('launchSign', {
        ...{ fileId, archiveFolderId: folderId, title: '合同' },
        singerList: outsiders.map((outside) => ({ outside })) as never,
      })
    const zhou = { name: '周敏', mail: address() }
    expect(await refusal([zhou, { ...zhou, mail: zhou.mail.toUpperCase() }])).toBe('badRequest')
    expect(await refusal([{ ...zhou, name: ' ' }])).toBe('badRequest')
    expect(await refusal([{ ...zhou, phone: '13800000000' }])).toBe('smsNotSetUp')
    const seal = { kind: 'seal', page: 1, x: 60, y: 80, width: 90, height: 90 } as const
    expect(
      await anna.refusal('launchSign', {
        ...{ fileId, archiveFolderId: folderId, title: '合同', singerList: [{ outside: zhou, places: [seal] }] },
      }),
    ).toBe('badRequest')
    await admin.call('setServerSetting', { sign_outside: false })
    expect(await refusal([zhou])).toBe('noPermission')
    await admin.call('setServerSetting', { sign_outside: true, mail_host: '' })
    expect(await refusal([zhou])).toBe('mailNotSetUp')
    await admin.call('setServerSetting', { mail_host: '127.0.0.1' })
  })
})

describe('states, actors and tokens', () => {
  test('nobody signs out of turn, twice or for somebody else', { timeout: 120_000 }, async () => {
    const ben = await world.person('out-ben4')
    const acts = fc.array(
      fc.record({
        who: fc.constantFrom('ben', 'one', 'two'),
        act: fc.constantFrom('sign', 'reject', 'withdraw'),
        token: fc.constantFrom('one', 'two'),
      }),
      { maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(acts, fc.boolean(), async (list, order) => {
        const mails = { one: address(), two: address() }
        const { activityId } = await launched([mails.one, ben, mails.two], { order })
        const model = { open: ['one', 'ben', 'two'], state: 'running' }
        const passes = new Map<string, string>()
        for (const { who, act, token } of list) {
          const { revision } = await sees(activityId)
          const turn = model.state !== 'running' ? [] : order ? model.open.slice(0, 1) : model.open
          if (act === 'withdraw') {
            const may = model.state === 'running'
            expect((await anna.wire('withdrawSign', { activityId })).code === 'success').toBe(may)
            model.state = 'over'
            continue
          }
          let code: string | undefined
          if (who === 'ben')
            code = (
              act === 'sign'
                ? await ben.wire('sign', { activityId, revision, password })
                : await ben.wire('rejectSign', { activityId, comments: '不' })
            ).code
          else {
            const own = who
            const signToken = await lastToken(mails[own])
            if (signToken === '') continue
            if (!passes.has(own)) passes.set(own, await enter(signToken, mails[own]))
            const usedToken = await lastToken(mails[token])
            const input = { signToken: usedToken === '' ? signToken : usedToken }
            const pass = passes.get(own)
            code = (
              act === 'sign'
                ? await ask('signFromEmail', { ...input, revision }, pass)
                : await ask('rejectFromEmail', { ...input, comments: '不' }, pass)
            ).code
            if (usedToken !== '' && token !== own) {
              expect(code).toBe('notLoggedIn')
              continue
            }
          }
          expect(code === 'success', `${who} ${act} ${JSON.stringify(model)}: ${code}`).toBe(turn.includes(who))
          if (code !== 'success') continue
          model.open = model.open.filter((one) => one !== who)
          if (act === 'reject' || model.open.length === 0) model.state = 'over'
        }
        expect(await broken()).toEqual([])
      }),
      { numRuns: inject('full') ? 20 : 2 },
    )
  })
})
