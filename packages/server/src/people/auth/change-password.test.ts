// Changing a password, voluntarily and when required.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld, password, sharedWorld } from '../../../test/harness.ts'
import { extraConnections, lockIsWaitedFor } from '../../../test/lock-waits.ts'
import { callWith, login, ownAccount, sessionsOf, tokenOf } from '../../../test/sign-in.ts'

const world = sharedWorld()

describe('changing the password', () => {
  // [R026] Changing the password validates every rule on both sides.
  test('[R026] every rule is checked by the server, each with its own code', async () => {
    const world = await openWorld()
    const admin = await world.admin()
    await admin.call('createAccount', { account: 'Anna@26', accountName: '安娜', password, groupId: 0 })
    const anna = await world.signIn('Anna@26')
    const refusal = (newPassword: string, more: object = {}) =>
      anna.refusal('modifyPwd2', { oldPassword: password, newPassword, ...more })
    expect(await refusal('')).toBe('passwordRequirements')
    expect(await refusal('Ab#4567')).toBe('passwordRequirements')
    for (const short of ['ab#45678', 'AB#45678', 'Abc45678', 'Abcdefg#'])
      expect(await refusal(short)).toBe('passwordRequirements')
    expect(await refusal(password)).toBe('sameAsOld')
    expect(await refusal('anna@26')).toBe('sameAsAccount')
    expect(await refusal('Other#2026', { confirmPassword: 'Other#2027' })).toBe('confirmDiffers')
    expect(await anna.refusal('modifyPwd2', { oldPassword: 'Wrong#2026', newPassword: 'Other#2026' })).toBe(
      'wrongPassword',
    )
    expect(await login(world, { userName: 'anna@26' })).toMatchObject({ code: 'success' })
  })

  test('[R026] the old password ends with its other sessions and their sockets; the session that changed it goes on', async () => {
    const anna = await world.person('anna')
    const mobile = await world.signIn(anna.account, 8)
    const live = await mobile.listen()
    await anna.call('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026', confirmPassword: 'Other#2026' })
    expect(await ownAccount(world, mobile.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    expect(await live.closed).toBe(4001)
    expect(await ownAccount(world, anna.token)).toMatchObject({ code: 'success' })
    expect(await login(world, { userName: anna.account })).toMatchObject({ code: 'wrongPassword' })
    expect(await login(world, { userName: anna.account, password: 'Other#2026' })).toMatchObject({ code: 'success' })
  })

  test('a sign-in that compares the old password while it is changed does not outlive the change', async () => {
    const held = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    let armed = false
    const world = await openWorld({
      pause: async (point) => {
        if (!armed || point !== 'commit modifyPwd2') return
        reached.resolve()
        await held.promise
      },
    })
    const anna = await world.person('anna')
    armed = true
    const change = anna.call('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026' })
    await reached.promise
    const entering = login(world, { userName: 'anna', clientType: 9 })
    // The sign-in has checked the old password and waits for the row lock of the account.
    await lockIsWaitedFor(extraConnections(world))
    held.resolve()
    await change
    expect(await entering).toMatchObject({ code: 'wrongPassword' })
    expect(await sessionsOf(world, anna)).toBe(1)
  })

  test('[R047] who must change the password may do that, read about it and sign out, and nothing else', async () => {
    const anna = await world.person('anna')
    await sql`update account set must_change_password = true where id = ${anna.userId}`.execute(world.app.db)
    expect(await anna.call('getMyAccountInfo', {})).toMatchObject({ mustChangePassword: true })
    expect(await anna.call('getSafeStrategyInfo', {})).toMatchObject({
      pwdLength: 8,
      policy: { pwdAgeDays: 0, lockAfter: 10, lockMinutes: 15, sessionIdleHours: 12, sessionDays: 30 },
    })
    expect((await callWith(world, 'getSafeStrategyInfo', {}, {})).data).toEqual({ pwdLength: 8, captchaAlways: false })
    expect(await anna.wire('getSubItemList3', { folderId: anna.library })).toMatchObject({ status: 200, result: -80 })
    expect(await anna.refusal('getLoginKey2', { clientType: 6 })).toBe('passwordChangeRequired')
    await anna.call('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026' })
    expect(await anna.names(anna.library)).toEqual([])
    expect(await anna.call('getMyAccountInfo', {})).toMatchObject({ mustChangePassword: false })
  })

  test('[R047] a password that the administrator gave has to be changed first, where asked', async () => {
    const admin = await world.admin()
    const fresh = 'Fresh#2026'
    const account = { accountName: 'c', password: fresh, groupId: 0 }
    expect(await admin.refusal('createAccount', { ...account, account: 'carl', password: 'weak' })).toBe(
      'passwordRequirements',
    )
    await admin.call('createAccount', { ...account, account: 'carl', mustChangePassword: true })
    const token = tokenOf(await login(world, { userName: 'carl', password: fresh }))
    expect(await world.wire('getRootFolderSetting', {}, token)).toMatchObject({ result: -80 })
    const change = { oldPassword: fresh, newPassword: 'Own#20261' }
    expect(await world.wire('modifyPwd2', change, token)).toMatchObject({ code: 'success' })
    expect(await world.wire('getRootFolderSetting', {}, token)).toMatchObject({ code: 'success' })
  })
})
