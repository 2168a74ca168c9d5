// Account settings that users change themselves, tested through the HTTP API.
import { createHmac } from 'node:crypto'
import { calls } from '@cloudoc/contract'
import { generateSync } from 'otplib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { openWorld, password, sharedWorld } from '../../../test/harness.ts'
import { clock, login, ownAccount, tokenOf } from '../../../test/sign-in.ts'

const world = sharedWorld()
const picture = async (side: number, format: 'png' | 'jpeg' | 'webp' = 'png') =>
  (
    await sharp({ create: { width: side, height: side, channels: 3, background: '#1459e6' } })
      .toFormat(format)
      .toBuffer()
  ).toString('base64')
const get = (pictureId: string) =>
  world.app.http.inject({ url: calls.getPicture.path.replace('{pictureId}', pictureId) })

describe('the profile', () => {
  // [R347] A person's own profile is stored by modifyUserInfo and returned by getAccountInfo.
  test('[R347] [R350] what people say of themselves is kept; what is left out stays, and nonsense is refused', async () => {
    const anna = await world.person('anna')
    await anna.call('modifyUserInfo', { title: '经理', email: 'a@huaxin.example', phone: '138 0000 0021', gender: 0 })
    await anna.call('modifyUserInfo', { title: '总监' })
    const info = await anna.call('getAccountInfo', {})
    expect(info).toMatchObject({
      title: '总监',
      email: 'a@huaxin.example',
      phone: '138 0000 0021',
      gender: 0,
      missing: [],
    })
    expect(info.passwordTime).toBeGreaterThan(0)
    expect(await anna.call('getMyAccountInfo', {})).toMatchObject({ gender: 0 })
    for (const wrong of [{ email: 'nobody' }, { phone: 'call me' }, { gender: 3 }, { accountName: '别人' }])
      expect(await anna.wire('modifyUserInfo', wrong as object), JSON.stringify(wrong)).toMatchObject({
        code: 'badRequest',
      })
  })

  // [R008] A card shows who somebody is; gender, mail and phone are shown only where the company allows it.
  test('[R008] a card shows who somebody is; gender, mail and phone only where the company shows them', async () => {
    const own = await openWorld({ elected: false })
    const admin = await own.admin()
    const [ben, carl] = [await own.person('ben'), await own.person('carl')]
    await ben.call('modifyUserInfo', { email: 'ben@huaxin.example', gender: 1 })
    const card = () => carl.call('getContact', { accountId: ben.userId })
    expect(await card()).toMatchObject({ account: 'ben', email: 'ben@huaxin.example' })
    expect(await card()).not.toHaveProperty('gender')
    await admin.call('setServerSetting', { show_gender: true, show_privacy: false })
    expect(await card()).toMatchObject({ gender: 1 })
    expect(Object.keys(await card())).not.toEqual(expect.arrayContaining(['email']))
    expect(Object.keys(await card())).not.toEqual(expect.arrayContaining(['phone']))
    expect(await carl.refusal('getContact', { accountId: 987_654_321 })).toBe('notFound')
  })

  // [R350] Profile, picture and own sessions.
  test('[R350] a picture is shown to who knows its name, another takes its place, and what is none is refused', async () => {
    const dora = await world.person('dora')
    const { avatar } = await dora.call('setAvatar', { picture: await picture(64) })
    expect(await dora.call('getMyAccountInfo', {})).toMatchObject({ avatar })
    expect((await get(avatar)).headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const second = await dora.call('setAvatar', { picture: await picture(64, 'jpeg') })
    expect((await get(second.avatar)).headers['content-type']).toBe('image/jpeg')
    expect((await get(avatar)).json()).toMatchObject({ result: -3 })
    const none = ['PHN2Zz4=', await picture(64, 'webp'), await picture(1025), 'AAAA', '/9j/']
    for (const one of none) expect(await dora.refusal('setAvatar', { picture: one })).toBe('pictureRefused')
    expect(await dora.refusal('setAvatar', { picture: Buffer.alloc(103_000).toString('base64') })).toBe(
      'pictureRefused',
    )
    expect(await dora.call('getMyAccountInfo', {})).toMatchObject({ avatar: second.avatar })
    expect(await dora.call('setAvatar', { picture: '' })).toEqual({ avatar: '' })
    expect((await get(second.avatar)).json()).toMatchObject({ result: -3 })
  })

  test('[R350] people see where they are signed in and end it there; nobody ends those of others', async () => {
    const [emil, fred] = [await world.person('emil'), await world.person('fred')]
    const phone = await world.signIn(emil.account, 7)
    await login(world, { userName: emil.account, password: 'no' })
    const { sessions, recent } = await emil.call('getMySessions', {})
    expect(sessions.map(({ clientType, current }) => [clientType, current])).toEqual(
      expect.arrayContaining([
        [6, true],
        [7, false],
      ]),
    )
    expect(recent.map(({ refused }) => refused)).toEqual(['wrongPassword', '', ''])
    const sessionIds = sessions.map(({ sessionId }) => sessionId)
    expect(await fred.call('endMySessions', { sessionIds })).toEqual({ ended: 0 })
    expect(await emil.call('endMySessions', { sessionIds })).toEqual({ ended: 1 })
    expect(await ownAccount(world, phone.token)).toMatchObject({ code: 'notLoggedIn' })
    expect(await ownAccount(world, emil.token)).toMatchObject({ code: 'success' })
  })
})

describe('the second factor', () => {
  /** An independent RFC 6238 implementation: computes the code that an authenticator shows. */
  const codeAt = (secret: string, time: number): string => {
    const bits = [...secret]
      .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
      .join('')
    const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(Math.floor(time / 30_000)))
    const mac = createHmac('sha1', key).update(counter).digest()
    const at = (mac.at(-1) ?? 0) & 15
    return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
  }

  test('is asked for once it is confirmed; a code counts once, a recovery code stands for a lost device', async () => {
    const { now, pass } = clock()
    const own = await openWorld({ now, elected: false })
    const admin = await own.admin()
    const anna = await own.person('anna')
    const { secret, uri } = await anna.call('beginSecondFactor', {})
    expect(uri).toContain(`secret=${secret}`)
    expect(generateSync({ secret, epoch: Math.floor(now() / 1000) })).toBe(codeAt(secret, now()))
    // The second factor has no effect before it is confirmed.
    expect(await login(own, { userName: 'anna', clientType: 9 })).toMatchObject({ code: 'success' })
    expect(await anna.refusal('confirmSecondFactor', { factorCode: '000000' })).toBe('wrongSecondFactor')
    const { recoveryCodes } = await anna.call('confirmSecondFactor', { factorCode: codeAt(secret, now()) })
    expect(recoveryCodes).toHaveLength(10)
    const signIn = (factorCode?: string) =>
      login(own, { userName: 'anna', clientType: 9, ...(factorCode !== undefined && { factorCode }) })
    expect(await signIn()).toMatchObject({ code: 'secondFactorDue' })
    expect(await login(own, { userName: 'anna', password: 'no', clientType: 9 })).toMatchObject({
      code: 'wrongPassword',
    })
    expect(await signIn(codeAt(secret, now())), 'the code that confirmed it').toMatchObject({
      code: 'wrongSecondFactor',
    })
    pass(16 * 60_000)
    const code = codeAt(secret, now())
    expect(
      (await Promise.all([signIn(code), signIn(code)]))
        .map((wire) => String(wire.code))
        .toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['success', 'wrongSecondFactor'])
    const [lost = ''] = recoveryCodes
    expect(await signIn(lost.toLowerCase())).toMatchObject({ code: 'success' })
    expect(await signIn(lost)).toMatchObject({ code: 'wrongSecondFactor' })
    // Wrong codes lock the account as wrong passwords do.
    pass(16 * 60_000)
    await admin.call('setSafeStrategy', { captcha_after: 100, lock_after: 3 }).catch(() => undefined)
    const root = await own.signIn('admin')
    await root.call('setSafeStrategy', { captcha_after: 100, lock_after: 3 })
    for (let i = 0; i < 3; i += 1) expect(await signIn('123456')).toMatchObject({ code: 'wrongSecondFactor' })
    expect(await signIn(codeAt(secret, now()))).toMatchObject({ code: 'accountLocked' })
    const has = async () => (await root.call('getPerson', { userId: anna.userId })).secondFactor
    expect(await has()).toBe(true)
    await root.call('removeSecondFactor', { userId: anna.userId })
    expect(await has()).toBe(false)
    pass(16 * 60_000)
    expect(await signIn()).toMatchObject({ code: 'success' })
  })

  test('demanded of administrators, it comes before anything else; nobody demands what they have not', async () => {
    const { now, pass } = clock()
    const own = await openWorld({ now, elected: false })
    const admin = await own.admin()
    expect(await admin.refusal('setSafeStrategy', { second_factor_admins: true })).toBe('secondFactorMissing')
    const { secret } = await admin.call('beginSecondFactor', {})
    await admin.call('confirmSecondFactor', { factorCode: codeAt(secret, now()) })
    await admin.call('setSafeStrategy', { second_factor_admins: true })
    expect(await admin.refusal('endSecondFactor', { factorCode: codeAt(secret, now()) })).toBe('secondFactorMissing')
    // An administrator without a second factor can do nothing but set one up.
    await own.app.db.updateTable('account').set({ second_factor: false }).where('account', '=', 'admin').execute()
    expect(await admin.refusal('getRootFolderSetting', {})).toBe('secondFactorMissing')
    expect(await admin.call('getMyAccountInfo', {})).toMatchObject({ needsSecondFactor: true })
    const again = await admin.call('beginSecondFactor', {})
    pass(60_000)
    await admin.call('confirmSecondFactor', { factorCode: codeAt(again.secret, now()) })
    await admin.call('getRootFolderSetting', {})
  })
})

describe('the company', () => {
  // [R009] A company is found by its code; the code of another company leads to its server.
  // [R010] An unknown company code has its own error code.
  test('[R009] [R010] is found by its code, another one leads to its server, and no code to none', async () => {
    const own = await openWorld({ elected: false })
    const admin = await own.admin()
    const find = (companyCode: string) => own.wire('findCompany', { companyCode })
    expect(await find('')).toMatchObject({ code: 'companyNotFound' })
    await admin.call('setServerSetting', {
      company_name: '华信集团',
      server_code: 'HuaXin',
      company_codes: ['star-sea = https://docs.star-sea.example/', '远洋=http://10.0.0.8:8080'],
    })
    expect(await find(' huaxin ')).toMatchObject({ data: { companyName: '华信集团', address: '' } })
    expect(await find('STAR-SEA')).toMatchObject({ data: { address: 'https://docs.star-sea.example/' } })
    expect(await find('远洋')).toMatchObject({ data: { address: 'http://10.0.0.8:8080' } })
    expect(await find('nobody')).toMatchObject({ code: 'companyNotFound' })
    expect(await admin.refusal('setServerSetting', { company_codes: ['x=javascript:alert(1)'] })).toBe('badRequest')
    const { logo } = await admin.call('setCompanyLogo', { picture: await picture(128) })
    expect(await own.wire('getCompanyInfo', {})).toMatchObject({
      data: { companyName: '华信集团', serverCode: 'HuaXin', logo, visitorMode: true },
    })
    const member = await own.person('anna')
    expect(await member.refusal('setCompanyLogo', { picture: '' })).toBe('noPermission')
    expect(await admin.call('setCompanyLogo', { picture: '' })).toEqual({ logo: '' })
    expect(tokenOf(await login(own, { userName: 'anna', password }))).not.toBe('')
  })
})
