// Visitor mode: the same account with another password; the session is a guest session.
import { type Call, type CallName, callsByName } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openWorld, Person, password, sharedWorld } from '../../../test/harness.ts'
import { clock, login, loginWithCaptcha, ownAccount, sessionsOf, tokenOf } from '../../../test/sign-in.ts'
import { smallProcess } from '../../../test/workflows.ts'

const world = sharedWorld()
const visitorPassword = 'Visit#2026'
const day = 24 * 60 * 60_000

async function visitor(person: Person, at = world, visitorsPassword = visitorPassword): Promise<Person> {
  const wire = await loginWithCaptcha(at, { userName: person.account, password: visitorsPassword, visitor: true })
  return new Person(at, person.account, person.userId, tokenOf(wire), person.library)
}

// [R027] The visitor password follows the rules, differs from the one before (-77) and from the password (-214).
test('[R027] the visitor password keeps the rules of passwords and is not the password (-214), nor becomes it', async () => {
  const anna = await world.person('anna')
  const set = (newPassword: string, more: object = {}) => anna.wire('resetNetDiskPwd', { newPassword, ...more })
  expect(await set(password)).toMatchObject({ code: 'sameAsGuestPassword', result: -214 })
  expect(await set('short')).toMatchObject({ code: 'passwordRequirements' })
  expect(await set(anna.account)).toMatchObject({ code: 'sameAsAccount' })
  expect(await set(visitorPassword, { confirmPassword: 'other' })).toMatchObject({ code: 'confirmDiffers' })
  expect(await set(visitorPassword, { days: 91 })).toMatchObject({ code: 'badRequest' })
  expect(await anna.call('getNetDiskPwdInfo', {})).toMatchObject({ isSet: false })
  await anna.call('resetNetDiskPwd', { newPassword: visitorPassword })
  expect(await anna.call('getNetDiskPwdInfo', {})).toMatchObject({ allowed: true, isSet: true, mostDays: 90 })
  expect(await set(visitorPassword)).toMatchObject({ code: 'sameAsOld', result: -77 })
  expect(await anna.refusal('modifyPwd2', { oldPassword: password, newPassword: visitorPassword })).toBe(
    'sameAsGuestPassword',
  )
})

// [R021] Visitor mode: signing in to the same account with its visitor password opens a guest session; -217, -220.
test('[R021] each password opens its own mode alone; the session of a visitor is a guest beside the other', async () => {
  const ben = await world.person('ben')
  expect(await login(world, { userName: ben.account, password: 'x', visitor: true })).toMatchObject({ result: -217 })
  await ben.call('resetNetDiskPwd', { newPassword: visitorPassword })
  expect(await login(world, { userName: ben.account, password: visitorPassword })).toMatchObject({
    code: 'wrongPassword',
  })
  expect(await loginWithCaptcha(world, { userName: ben.account, password, visitor: true })).toMatchObject({
    result: -217,
  })
  const guest = await visitor(ben)
  expect(await guest.call('getUserPermissionInfo', {})).toMatchObject({ isGuest: true, isAdmin: false, powers: [] })
  expect(await ben.call('getUserPermissionInfo', {})).toMatchObject({ isGuest: false })
  expect(await sessionsOf(world, ben)).toBe(2)
  // A login key issued by a guest session opens a guest session, and no more.
  const { loginKey } = await guest.call('getLoginKey2', { clientType: 9 })
  const again = await world.wire('login3ByLoginKey', { loginKey, clientType: 9 })
  expect(await world.wire('getUserPermissionInfo', {}, tokenOf(again))).toMatchObject({ data: { isGuest: true } })
  await ben.call('stopNetDiskPwd', {})
  expect(await ownAccount(world, guest.token)).toMatchObject({ code: 'notLoggedIn' })
  expect(await ownAccount(world, ben.token)).toMatchObject({ code: 'success' })
})

// [R021] A visitor password expires on its date.
test('[R021] a visitor password ends with its day (-220), and who is signed in by it', async () => {
  const { now, pass } = clock()
  const own = await openWorld({ now, elected: false })
  const carl = await own.person('carl')
  await carl.call('resetNetDiskPwd', { newPassword: visitorPassword, days: 1 })
  const guest = await visitor(carl, own)
  pass(day - 11 * 60 * 60_000)
  expect(await ownAccount(own, guest.token)).toMatchObject({ code: 'notLoggedIn' })
  const later = await visitor(carl, own)
  pass(11 * 60 * 60_000 + 1)
  expect(await ownAccount(own, later.token)).toMatchObject({ code: 'notLoggedIn' })
  expect(await login(own, { userName: 'carl', password: visitorPassword, visitor: true })).toMatchObject({
    result: -220,
  })
  const root = await own.signIn('admin', 9)
  const carlAgain = await own.signIn('carl')
  const renewed = 'Again#2026'
  await carlAgain.call('resetNetDiskPwd', { newPassword: renewed })
  const last = await visitor(carl, own, renewed)
  await root.call('setSafeStrategy', { visitor_mode: false })
  expect(await ownAccount(own, last.token)).toMatchObject({ code: 'notLoggedIn' })
  expect(await login(own, { userName: 'carl', password: visitorPassword, visitor: true })).toMatchObject({
    result: -217,
  })
})

// [R162] A guest is refused the operations that X51 names, and all account operations.
// [R351] The guest account is refused what X51 names.
test('[R162] [R351] the server refuses a guest what X51 names, whatever the rights, and everything of the account', async () => {
  const admin = await world.admin()
  const dora = await world.person('dora')
  await dora.call('resetNetDiskPwd', { newPassword: visitorPassword })
  const guest = await visitor(dora)
  const folderId = await guest.folder(dora.library, '访客建的')
  const fileId = await guest.upload(folderId, '甲.txt')
  expect(await guest.refusal('setShareList', { folderId, inherit: true, entries: [] })).toBe('noPermission')
  expect(await guest.refusal('getShareList', { folderId })).toBe('noPermission')
  // A visitor can neither request rights nor decide on requests.
  const asker = await world.person('asker')
  await dora.shares({ fileId }, [{ to: asker, rights: 6 }])
  const { authorizationId } = await asker.call('authorizationApply', { fileId, right: 8 })
  expect(await guest.refusal('authorizationApprove', { authorizationId })).toBe('notFound')
  expect((await guest.call('getCounters', {})).list).toContainEqual({ name: 'authorizationReview', count: 0 })
  expect((await dora.call('getCounters', {})).list).toContainEqual({ name: 'authorizationReview', count: 1 })
  // Nor urge, nor send documents round, with a file or without.
  const { processTemplateId } = await smallProcess(admin)
  const round = { templateId: processTemplateId, title: '访客' }
  expect(await guest.refusal('createProcess', { ...round, fileId })).toBe('noPermission')
  expect(await guest.refusal('createProcess', round)).toBe('noPermission')
  const urge = { fileId, userIdArray: [asker.userId], message: '请' }
  expect(await guest.refusal('addNotify', urge)).toBe('noPermission')
  await dora.call('addNotify', urge)
  // Nor send to other networks.
  await admin.call('setSafeStrategy', { exchange_file_enabled: true })
  expect(await guest.refusal('getReceiverServers', { fileId: [fileId] })).toBe('noPermission')
  await admin.call('setSafeStrategy', { exchange_file_enabled: false })
  await guest.call('fileOrFolderDelete', { fileIdArray: [fileId] })
  expect(await guest.wire('fileOrFolderCompleteDelete', { fileIdArray: [fileId] })).toMatchObject({
    data: [{ result: codes.noPermission.code }],
  })
  expect(await dora.wire('fileOrFolderCompleteDelete', { fileIdArray: [fileId] })).toMatchObject({
    data: [{ result: codes.success.code }],
  })
  const held = (Object.entries(callsByName) as [CallName, Call][]).filter(
    ([, call]) => 'guard' in call && call.guard.name === 'accountHolder',
  )
  expect(held.length).toBeGreaterThan(10)
  for (const [name] of held)
    expect(await world.wire(name, {}, guest.token), name).toMatchObject({ code: 'noPermission' })
  // An administrator in visitor mode has no administrative powers.
  await admin.call('resetNetDiskPwd', { newPassword: visitorPassword })
  const root = await visitor(admin)
  expect(await root.refusal('getRoles', {})).toBe('noPermission')
  await admin.call('stopNetDiskPwd', {})
})

test('an administrator ends the visitor password of somebody, and with it the sessions that used it', async () => {
  const admin = await world.admin()
  const dora = await world.person('dora')
  await dora.call('resetNetDiskPwd', { newPassword: visitorPassword })
  const guest = await visitor(dora)
  const { userId } = dora
  expect((await admin.call('getPerson', { userId })).visitorUntil).toBeGreaterThan(Date.now())
  expect(await dora.refusal('endVisitorPassword', { userId })).toBe('noPermission')
  await admin.call('endVisitorPassword', { userId })
  expect(await admin.call('getPerson', { userId })).toMatchObject({ visitorUntil: 0 })
  expect(await dora.call('getNetDiskPwdInfo', {})).toMatchObject({ isSet: false })
  expect((await guest.wire('getUserPermissionInfo', {})).code).toBe('notLoggedIn')
  expect((await dora.wire('getUserPermissionInfo', {})).code).toBe('success')
})
