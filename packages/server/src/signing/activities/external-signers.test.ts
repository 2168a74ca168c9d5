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
  test('[R275] goes from the mail to the archived file', { timeout: 120_000 }, async () => {
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
  test('[R275] [R025] tokens open their own document only, once, and end clearly', { timeout: 120_000 }, async () => {
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
  const outsiders = ['one', 'two'] as const
  type Outsider = (typeof outsiders)[number]
  type Signer = Outsider | 'ben'

  /** A process as it must be, beside the real one. */
  interface Model {
    readonly activityId: number
    readonly isInOrder: boolean
    readonly open: Signer[]
    readonly signed: Signer[]
    state: 'running' | 'over'
    readonly outside: Record<Outsider, { name: string; mail: string; tokens: string[]; pass: string }>
  }

  async function begun(ben: Person, isInOrder: boolean): Promise<Model> {
    const outside = {
      one: { name: `甲${++number}`, mail: address(), tokens: [], pass: '' },
      two: { name: `乙${++number}`, mail: address(), tokens: [], pass: '' },
    }
    const folderId = await anna.folder(anna.library, `签署 ${++number}`)
    const fileId = await anna.upload(folderId, '合同.pdf', await contract())
    const invited = ({ name, mail }: { name: string; mail: string }) => ({ outside: { name, mail } })
    const { activityId } = await anna.call('launchSign', {
      ...{ fileId, archiveFolderId: folderId, title: '合同', order: isInOrder },
      singerList: [invited(outside.one), { userId: ben.userId }, invited(outside.two)],
    })
    return { activityId, isInOrder, open: ['one', 'ben', 'two'], signed: [], state: 'running', outside }
  }

  const turnOf = ({ state, isInOrder, open }: Model): Signer[] =>
    state === 'over' ? [] : isInOrder ? open.slice(0, 1) : [...open]

  const step = fc.record({
    process: fc.nat(1),
    /** Whose token and whose pass somebody presents, each of either process. */
    token: fc.record({ process: fc.nat(1), of: fc.constantFrom(...outsiders), isOldest: fc.boolean() }),
    pass: fc.record({ process: fc.nat(1), of: fc.constantFrom(...outsiders) }),
    /** They present their own token and pass. */
    isOwn: fc.boolean(),
    who: fc.constantFrom('ben', 'eve', 'mail', 'mail', 'mail'),
    act: fc.constantFrom(
      'sign',
      'sign',
      'sign',
      'sign',
      'twice',
      'twice',
      'correct',
      'correct',
      'remind',
      'reject',
      'withdraw',
    ),
    seen: fc.constantFrom('now', 'now', 'now', 'older', 'later'),
  })

  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

  // [R275] Over all states, actors and tokens nobody signs twice, out of turn, for somebody else, or a revision that
  // they have not seen.
  test('[R275] whatever is presented by whom: nobody signs twice, out of turn or for somebody else', {
    timeout: inject('full') ? 600_000 : 120_000,
  }, async () => {
    const ben = await world.person('out-ben4')
    const eve = await world.person('out-eve4')
    const run = async (steps: readonly Step[], order: boolean) => {
      const all = [await begun(ben, order), await begun(ben, !order)] as const
      for (const { process, token, pass, isOwn, who, act, seen } of steps) {
        const model = all[process === 0 ? 0 : 1]
        const { activityId } = model
        if (act === 'withdraw' || act === 'remind') {
          const { code } = await anna.wire(act === 'withdraw' ? 'withdrawSign' : 'remindSign', { activityId })
          if (act === 'withdraw' || model.state === 'over') expect(code === 'success').toBe(model.state === 'running')
          if (act === 'withdraw') model.state = 'over'
          continue
        }
        if (act === 'correct') {
          const own = model.outside[token.of]
          const { signers } = await sees(activityId)
          const signerId = signers.find(({ accountName }) => accountName === own.name)?.signerId ?? 0
          const mail = address()
          const outside = { name: own.name, mail }
          const { code } = await anna.wire('changeExternalSigner', { activityId, signerId, outside })
          const may = model.state === 'running' && model.open.includes(token.of)
          expect(code === 'success', `corrected ${code}`).toBe(may)
          // What went to the address before opens nothing.
          if (may) Object.assign(own, { mail, pass: '' })
          continue
        }
        const revision = model.signed.length
        const [presented, bearer] = isOwn
          ? [
              { ...token, process },
              { process, of: token.of },
            ]
          : [token, pass]
        const target = who === 'mail' ? all[presented.process === 0 ? 0 : 1] : model
        const shown = Math.max(
          0,
          { now: target.signed.length, older: target.signed.length - 1, later: target.signed.length + 1 }[seen],
        )
        const isSeen = shown === target.signed.length
        const send = async (): Promise<Wire> => {
          if (who !== 'mail') {
            const person = who === 'ben' ? ben : eve
            return act === 'reject'
              ? person.wire('rejectSign', { activityId, comments: '不' })
              : person.wire('sign', { activityId, revision: shown, password })
          }
          const holder = all[bearer.process === 0 ? 0 : 1].outside[bearer.of]
          const input = { signToken: presentedToken }
          return act === 'reject'
            ? ask('rejectFromEmail', { ...input, comments: '不' }, holder.pass)
            : ask('signFromEmail', { ...input, revision: shown }, holder.pass)
        }
        let presentedToken = ''
        let may: boolean
        let signer: Signer = 'ben'
        if (who === 'mail') {
          signer = presented.of
          const own = target.outside[signer]
          const newest = await lastToken(own.mail)
          if (newest !== '' && !own.tokens.includes(newest)) own.tokens.push(newest)
          presentedToken = (presented.isOldest ? own.tokens[0] : own.tokens.at(-1)) ?? 'x'.repeat(43)
          const holder = all[bearer.process === 0 ? 0 : 1].outside[bearer.of]
          const holderToken = await lastToken(holder.mail)
          if (holder.pass === '' && holderToken !== '') {
            await sql`delete from throttle where key like 'signCode%'`.execute(world.app.db)
            holder.pass = await enter(holderToken, holder.mail)
          }
          const isOwnPass = holder === own && own.pass !== ''
          const isLive = newest !== '' && (await isOf(presentedToken, own.mail))
          may = isLive && isOwnPass && turnOf(target).includes(signer)
        } else may = who === 'ben' && turnOf(target).includes('ben')
        if (act !== 'reject') may &&= isSeen
        const answers = act === 'twice' ? await Promise.all([send(), send()]) : [await send()]
        const done = answers.filter(({ code }) => code === 'success').length
        const why = JSON.stringify({ who, act, seen, presented, bearer, order, revision, target })
        expect(done, `${why}: ${answers.map(({ code }) => code).join()}`).toBe(may ? 1 : 0)
        if (!may) continue
        target.open.splice(target.open.indexOf(signer), 1)
        if (act === 'reject') target.state = 'over'
        else target.signed.push(signer)
        if (target.open.length === 0) target.state = 'over'
      }
      for (const model of all) {
        const nameOf = (one: Signer): string => (one === 'ben' ? ben.account : model.outside[one].name)
        const { list } = await anna.call('checkSign', { activityId: model.activityId })
        expect(list.map(({ subject, isIntact }) => [subject, isIntact])).toEqual(
          model.signed.map((one) => [nameOf(one), true]),
        )
      }
      expect(await broken()).toEqual([])
    }
    const steps = fc.array(step, { minLength: 6, maxLength: inject('full') ? 14 : 10 })
    const numRuns = inject('full') ? 20 : 2
    await fc.assert(fc.asyncProperty(steps, fc.boolean(), run), { numRuns, examples: [[usualAttacks, true]] })
  })

  const by = (who: Step['who'], more: Partial<Step> = {}): Step => ({
    ...{ process: 0, who, act: 'sign', seen: 'now', isOwn: true },
    ...{ token: { process: 0, of: 'one', isOldest: false }, pass: { process: 0, of: 'one' } },
    ...more,
  })
  const [one, two] = [
    { process: 0, of: 'one', isOldest: false },
    { process: 0, of: 'two', isOldest: false },
  ] as const
  /** What is tried in each run: a foreign token, a foreign pass, an address that was corrected, twice, too late. */
  const usualAttacks: Step[] = [
    by('ben'),
    by('eve'),
    // The second process asks all at once; its signers hold passes.
    by('mail', { process: 1, seen: 'later' }),
    by('mail', { isOwn: false, token: one, pass: { process: 1, of: 'one' } }),
    by('mail', { isOwn: false, token: { ...one, process: 1 }, pass: { process: 0, of: 'one' } }),
    by('mail', { act: 'correct' }),
    by('mail', { token: { ...one, isOldest: true } }),
    by('mail', { act: 'twice' }),
    by('mail'),
    by('mail', { token: two }),
    by('ben', { seen: 'older' }),
    by('ben', { act: 'twice' }),
    by('mail', { token: two, seen: 'older' }),
    by('mail', { token: two, act: 'twice' }),
    by('ben', { process: 1 }),
    by('mail', { process: 1, seen: 'older' }),
  ]

  /** Whether a token went to this address. */
  const isOf = async (token: string, mail: string): Promise<boolean> =>
    (await mailsTo(mail)).some((one) => signTokenIn(one) === token)
})
