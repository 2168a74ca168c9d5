// Exchange across networks on two servers, each with its own database and contents ([R258]-[R262]).
import { createHash, randomBytes } from 'node:crypto'
import { isFrame } from '@cloudoc/contract'
import { codes, ExchangeStatus, newSensitiveRule } from '@cloudoc/domain'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvedBy, openRule } from '../../../test/exchange.ts'
import { type Listener, openWorld, type Person, type World } from '../../../test/harness.ts'
import { ownKey } from '../rules/index.ts'
import { signedText } from './wire.ts'

const targetServerCode = 'rd'
let here: World
let there: World
let admin: Person
let adminThere: Person
/** Sends. */
let lin: Person
/** Approves. */
let wang: Person
/** Receives. */
let zhou: Person
let lins: Listener
let wangs: Listener
let zhous: Listener

/** Makes the only rule of the network. */
async function rule(more: Partial<Parameters<typeof openRule>[1]> = {}): Promise<void> {
  const { rules } = await admin.call('getExchangeAdministration', {})
  for (const { ruleId } of rules) await admin.call('removeExchangeRule', { ruleId })
  await admin.call('setExchangeRule', openRule(targetServerCode, more))
}
const send = (fileId: number | number[], more: object = {}) =>
  lin.wire('applyExchange', { fileId, targetServerCode, receiverIds: [zhou.userId], ...more })
const sent = async (fileId: number | number[], more: object = {}) => {
  const wire = await send(fileId, more)
  if (wire.code !== 'success') throw new Error(`${wire.code} ${wire.msg}`)
  return (wire.data as { applyId: number }).applyId
}
/** The notice of an exchange that the test has not seen yet. */
const notice = async (
  listener: Listener,
  test: (data: {
    applyId: number
    approveId: number
    remindStatus: number
    delivery: string | null
    itemName: string
  }) => boolean,
) => {
  const frame = await listener.next((one) => isFrame(one, 'fileExchange') && test(one.data))
  if (!isFrame(frame, 'fileExchange')) throw new Error('another frame')
  return frame.data
}
const arrival = (itemName: string) => notice(zhous, (data) => data.approveId > 0 && data.itemName === itemName)

beforeAll(async () => {
  here = await openWorld()
  there = await openWorld()
  admin = await here.admin()
  adminThere = await there.admin()
  lin = await here.person('lin')
  wang = await here.person('wang')
  zhou = await there.person('zhou')
  const keyOf = async (person: Person) => (await person.call('getExchangeAdministration', {})).ownKey.text
  const link = async (person: Person, other: World, peer: Person, code: string) => {
    const apiHost = `http://127.0.0.1:${await other.port()}`
    await person.call('setLinkedServer', { serverId: 1, serverName: code, publicKey: 'k'.repeat(43), apiHost })
    await person.call('setExchangeNetwork', {
      ...{ targetServerCode: code, targetName: code === 'rd' ? '研发内网' : '主服务器' },
      ...{ serverId: 1, peerKey: await keyOf(peer) },
    })
  }
  await link(admin, there, adminThere, targetServerCode)
  await link(adminThere, here, admin, 'main')
  ;[lins, wangs, zhous] = await Promise.all([lin.listen(), wang.listen(), zhou.listen()])
  afterAll(() => Promise.all([lins, wangs, zhous].map((one) => one.close())))
})

// [R258] Files are sent to people of another server, who open them there byte for byte.
// [R337] The receivers are told by push 63.
test('[R258] [R337] what needs no approval is delivered, picked up and opened there', async () => {
  await rule()
  const bytes = randomBytes(300_000)
  const fileId = await lin.upload(lin.library, '图纸.dwg', bytes)
  const { list } = await lin.call('getExchangeReceivers', { targetServerCode, keyword: 'zhou' })
  expect(list).toMatchObject([{ userId: zhou.userId, account: 'zhou' }])
  const applyId = await sent(fileId, { applyComment: '请复核' })
  const { approveId, name, networkName, requirePwd } = await arrival('图纸.dwg')
  expect({ name, networkName, requirePwd }).toEqual({ name: lin.account, networkName: '主服务器', requirePwd: false })
  await notice(lins, (data) => data.applyId === applyId && data.delivery === 'delivered')
  const place = await zhou.call('verifyExchangePwd', { approveId })
  expect(place.fileId).toBeGreaterThan(0)
  const { rawPayload } = await zhou.download(place.fileId)
  const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
  expect(sha256(rawPayload)).toBe(sha256(bytes))
  expect(await zhou.names(zhou.library)).toEqual(['跨网收件'])
  // Repeated, it answers the same place.
  expect(await zhou.call('verifyExchangePwd', { approveId })).toEqual(place)
})

// [R260] The approved detail tells where the files are; the notice is deleted by its id.
// [R106] The calls behind a notice of status 4: the approved detail, and the end of the notice.
test('[R260] [R106] [R258] a password, a folder of files, and the notice', async () => {
  await rule()
  const top = await lin.folder(lin.library, '资料')
  const inner = await lin.folder(top, '二期')
  await lin.upload(top, 'a.txt', 'a')
  await lin.upload(inner, 'b.txt', 'b')
  const applyId = await sent([], { folderId: top, pwd: '86Kp' })
  expect(await lin.call('getExchangePwd', { applyId })).toEqual({ pwd: '86Kp' })
  const { approveId, requirePwd, remindId } = await arrival('资料')
  expect(requirePwd).toBe(true)
  const detail = () => zhou.call('fileExchangeGetApproveFileDetail', { approveId })
  expect(await detail()).toMatchObject({ status: ExchangeStatus.approved, requirePwd: true, fileId: 0, folderId: 0 })
  expect(await zhou.refusal('verifyExchangePwd', { approveId, pwd: '0000' })).toBe('wrongPassword')
  const { folderId } = await zhou.call('verifyExchangePwd', { approveId, pwd: '86Kp' })
  expect(await zhou.names(folderId)).toEqual(['二期', 'a.txt'])
  expect(await detail()).toMatchObject({ requirePwd: false, fileId: 0, folderId, delivery: 'fetched' })
  await zhou.call('fileExchangeDelRemind', { remindId })
  const { groups } = await zhou.call('getNotices', {})
  expect(groups.flatMap(({ list }) => list).map((one) => one.remindId)).not.toContain(remindId)
})

test('[R258] two folders of one name arrive as two', async () => {
  await rule()
  const tops: number[] = []
  for (const parent of ['甲', '乙']) {
    const top = await lin.folder(await lin.folder(lin.library, parent), '同名')
    await lin.upload(top, '一.txt', parent)
    tops.push(top)
  }
  await sent([], { folderId: tops })
  const { folderId } = await zhou.call('verifyExchangePwd', { approveId: (await arrival('同名')).approveId })
  expect(await zhou.names(folderId)).toEqual(['同名', '同名 (2)'])
})

test('exchange_keep_days is how long the receivers have to pick up what was sent', async () => {
  await rule()
  const days = async (fileName: string) => {
    await sent([await lin.upload(lin.library, fileName)])
    const { approveId } = await arrival(fileName)
    const { rows } = await sql<{ days: number }>`
      select (expires_at - created_at) / 86400000 as days from exchange_received where id = ${approveId}`.execute(
      there.app.db,
    )
    return Number(rows[0]?.days)
  }
  expect(await days('七天.txt')).toBe(7)
  await admin.call('setSafeStrategy', { exchange_keep_days: 2 })
  expect(await days('两天.txt')).toBe(2)
  await admin.call('setSafeStrategy', { exchange_keep_days: 7 })
})

test('[R258] five wrong passwords, also at the same moment, lock it for ten minutes', async () => {
  await rule()
  await sent(await lin.upload(lin.library, '密.txt'), { pwd: 'abcd' })
  const { approveId } = await arrival('密.txt')
  const tries = await Promise.all(
    Array.from({ length: 8 }, () => zhou.refusal('verifyExchangePwd', { approveId, pwd: 'xxxx' })),
  )
  expect(tries.filter((code) => code === 'wrongPassword')).toHaveLength(5)
  expect(await zhou.refusal('verifyExchangePwd', { approveId, pwd: 'abcd' })).toBe('accountLocked')
})

// [R141] Reviewers of exchanges are those whom the rule names.
// [R259] Exchanges are listed for sender, reviewers and receivers, read, decided and withdrawn.
// [R262] The notices have the documented fields and states.
test('[R141] [R259] [R262] nothing leaves before everybody has approved', async () => {
  const shen = await here.person('shen')
  await rule(approvedBy(wang, shen))
  const fileId = await lin.upload(lin.library, '待批.txt', 'v1')
  const before = await lin.call('preApplyExchange', { fileId, targetServerCode })
  expect(before.rounds.map(({ reviewers }) => reviewers.map((one) => one.userId))).toEqual([
    [wang.userId],
    [shen.userId],
  ])
  const applyId = await sent(fileId, { applyComment: '打样' })
  const asked = await notice(wangs, (data) => data.applyId === applyId)
  expect(asked).toMatchObject({
    ...{ remindStatus: ExchangeStatus.toReview, notifyId: applyId, approveId: 0, name: 'lin', itemName: '待批.txt' },
  })
  expect((await wang.call('getExchangeList', { side: 'review', state: 'open' })).list).toMatchObject([{ applyId }])
  expect(await shen.refusal('setExchangeNodeStatus', { applyId, status: 'approved' })).toBe('noPermission')
  await wang.call('setExchangeNodeStatus', { applyId, status: 'approved', comment: '已核对' })
  const detail = await lin.call('getExchangeDetail', { applyId })
  expect(detail).toMatchObject({ remindStatus: ExchangeStatus.reviewing, delivery: null })
  expect(detail.nodes.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'submit done',
    'review done',
    'review now',
    'check next',
    'deliver next',
    'fetch next',
  ])
  // What leaves is what was approved: a later version does not.
  const locked = await lin.submitAfter(fileId, 1, 'v2')
  expect(locked.code).toBe('success')
  await shen.call('setExchangeNodeStatus', { applyId, status: 'approved' })
  const { approveId } = await arrival('待批.txt')
  const place = await zhou.call('verifyExchangePwd', { approveId })
  expect((await zhou.download(place.fileId)).body).toBe('v1')
  expect((await lin.call('getExchangeDetail', { applyId })).files).toMatchObject([{ version: 1, newVersion: 2 }])
  const { list } = await zhou.call('getExchangeList', { side: 'receive', keyword: '待批' })
  expect(list).toMatchObject([{ approveId, delivery: 'fetched', fileId: place.fileId, handledBy: 'shen' }])
  expect((await zhou.call('getReceivedDetail', { approveId })).approvers).toEqual(['wang', 'shen'])
})

test('[R259] a refusal needs a reason and ends it; the sender withdraws what has not left', async () => {
  await rule(approvedBy(wang))
  const fileId = await lin.upload(lin.library, '拒.txt')
  const applyId = await sent(fileId)
  expect(await send(fileId)).toMatchObject({ code: 'duplicateRequest' })
  expect(await wang.refusal('setExchangeNodeStatus', { applyId, status: 'rejected' })).toBe('badRequest')
  await wang.call('setExchangeNodeStatus', { applyId, status: 'rejected', comment: '走单机网' })
  expect(await lin.call('getExchangeDetail', { applyId })).toMatchObject({
    ...{ remindStatus: ExchangeStatus.rejected, answer: '走单机网', delivery: null },
  })
  expect(await wang.refusal('setExchangeNodeStatus', { applyId, status: 'approved' })).toBe('alreadyHandled')
  const other = await sent(fileId)
  await lin.call('cancelExchange', { applyId: other, comment: '' })
  expect(await lin.call('getExchangeDetail', { applyId: other })).toMatchObject({
    remindStatus: ExchangeStatus.withdrawn,
  })
  expect(await wang.refusal('setExchangeNodeStatus', { applyId: other, status: 'approved' })).toBe('alreadyHandled')
  await lin.call('deleteExchangeRecord', { applyIdArray: [applyId, other], approveIdArray: [] })
  expect((await lin.call('getExchangeList', { side: 'sent', keyword: '拒' })).list).toEqual([])
})

// [R261] What the rules do not permit is refused, each cause with its code; the rules are read again on push 65.
// [R338] A change of the rules is told by push 65.
// [R387] Each cause for which an exchange is refused has its code.
test('[R261] [R338] [R387] every cause of a refusal has its code', async () => {
  const fileId = await lin.upload(lin.library, '规.pdf')
  await rule({ exts: ['dwg'] })
  await lins.next((frame) => isFrame(frame, 'exchangeRulesChanged'))
  const refused = async (more: object = {}, file: number | number[] = fileId) => {
    const wire = await send(file, more)
    return [wire.code, wire.result]
  }
  expect(await refused()).toEqual(['exchangeOutsideRules', -181])
  await rule({ subjects: [{ subjectType: 'user', subjectId: wang.userId }] })
  expect(await refused()).toEqual(['senderNotInRule', -182])
  expect((await lin.call('getExchangeRules', {})).targets).toEqual([])
  await rule({ receivers: ['工艺组'] })
  expect(await refused()).toEqual(['receiverNotInRule', -192])
  await rule({ levels: [0, 1, 2].map((level) => ({ level, rounds: [{ by: 'superior' as const }] })) })
  expect(await refused()).toEqual(['folderWithoutApprover', -183])
  // The only approver named is the sender.
  await rule(approvedBy(lin))
  expect(await refused()).toEqual(['levelWithoutApprover', -187])
  await rule({ maxFiles: 1 })
  const second = await lin.upload(lin.library, '规2.pdf')
  expect(await refused({}, [fileId, second])).toEqual(['exchangeFileCount', -185])
  expect(await refused({ folderId: await lin.folder(lin.library, '空') }, [])).toEqual(['noFilesInFolder', -190])
  expect(await admin.refusal('setExchangeRule', openRule(targetServerCode, { levels: [] }))).toBe(
    'levelWithoutApprover',
  )
  await rule({ requirePwd: true })
  expect(await refused()).toEqual(['badRequest', expect.any(Number)])
  // The limit of the installation ({number}).
  await rule()
  await admin.call('setSafeStrategy', { exchange_files: 1 })
  expect(await refused({}, [fileId, second])).toEqual(['exchangeFileCount', -185])
  await admin.call('setSafeStrategy', { exchange_files: 50 })
})

// [R256] A file in which something sensitive was found is not exchanged (-68), alone, in a folder, or once it is approved.
test('[R256] a file with a hit is not exchanged, nor delivered if it was found after the request', async () => {
  await rule(approvedBy(wang))
  const folderId = await lin.folder(lin.library, '投标')
  const fileId = await lin.upload(folderId, '底价.txt', '投标底价 12')
  const applyId = await sent(fileId)
  const { ruleId } = await admin.call('saveSensitiveRule', {
    rule: { ...newSensitiveRule, name: '底价', words: ['投标底价'], action: 'audit' },
  })
  await admin.call('startSensitiveRecheck', {})
  const state = async () => (await lin.call('getFileInfo', { fileId })).sensitive
  await expect.poll(state, { timeout: 120_000 }).toBe(2)
  expect((await send(fileId)).code).toBe('sensitiveFile')
  expect((await send([], { folderId })).code).toBe('sensitiveFile')
  // Approved meanwhile, it is still not delivered until it is released.
  await wang.call('setExchangeNodeStatus', { applyId, status: 'approved', comment: '已核对' })
  const delivery = async () => {
    const { delivery: how, problem } = await lin.call('getExchangeDetail', { applyId })
    return [how, problem]
  }
  await expect.poll(delivery, { timeout: 120_000 }).toEqual(['failed', codes.sensitiveFile.code])
  const { list } = await admin.call('getSensitiveList', { side: 'review' })
  await admin.call('sensitiveApprove', { checkId: list.find(({ fId }) => fId === fileId)?.checkId ?? 0 })
  await lin.call('resendExchange', { applyId })
  await expect.poll(async () => (await delivery())[0], { timeout: 120_000 }).toBe('delivered')
  await admin.call('deleteSensitiveRule', { ruleId })
})

test('[R258] [R259] what was approved stays here if the rules or its sender forbid it by then, and its sender is told', async () => {
  const [shen, temp] = [await here.person('shen2'), await here.person('temp')]
  const only = async (more: Parameters<typeof rule>[0]) => {
    const [old] = (await admin.call('getExchangeAdministration', {})).rules
    await admin.call('setExchangeRule', openRule(targetServerCode, { ...more, ...(old && { ruleId: old.ruleId }) }))
  }
  const changes: readonly (readonly [string, () => Promise<unknown>, number])[] = [
    ['another approver', () => only(approvedBy(wang, shen)), codes.exchangeOutsideRules.code],
    ['another kind', () => only({ ...approvedBy(wang), exts: ['dwg'] }), codes.exchangeOutsideRules.code],
    ['another receiver', () => only({ ...approvedBy(wang), receivers: ['工艺组'] }), codes.receiverNotInRule.code],
    [
      'another sender',
      () => only({ ...approvedBy(wang), subjects: [{ subjectType: 'user', subjectId: wang.userId }] }),
      codes.senderNotInRule.code,
    ],
    ['its sender was disabled', () => freeze('frozen'), codes.accountFrozen.code],
    ['more time', () => only({ ...approvedBy(wang), hours: 48 }), 0],
  ]
  const freeze = (state: 'frozen' | 'normal') => admin.call('setAccountState', { userId: temp.userId, state })
  for (const [name, change, problem] of changes) {
    await rule(approvedBy(wang))
    const sender = await here.signIn('temp')
    const fileId = await sender.upload(sender.library, `${name}.txt`)
    const { applyId } = await sender.call('applyExchange', {
      ...{ fileId, targetServerCode, receiverIds: [zhou.userId] },
    })
    await change()
    await wang.call('setExchangeNodeStatus', { applyId, status: 'approved' })
    const seen = async () => {
      const detail = await wang.call('getExchangeDetail', { applyId })
      return [detail.delivery, detail.problem]
    }
    await expect
      .poll(seen, { message: name, timeout: 60_000 })
      .toEqual(problem === 0 ? ['delivered', 0] : ['failed', problem])
    if (problem === 0) continue
    // It leaves once nothing forbids it.
    await freeze('normal')
    await rule(approvedBy(wang))
    await (await here.signIn('temp')).call('resendExchange', { applyId })
    await expect.poll(seen, { message: name, timeout: 60_000 }).toEqual(['delivered', 0])
  }
})

test('[R258] a message is taken by the server that it is for, and for five minutes', async () => {
  const { db, services } = here.app
  const key = await ownKey(db, services.secrets, Date.now())
  const to = (await ownKey(there.app.db, there.app.services.secrets, Date.now())).fingerprint
  const say = (more: { to?: string; at?: number; call?: string } = {}) => {
    const envelope = JSON.stringify({ at: Date.now(), to, ...more, call: undefined, message: { kind: 'ping' } })
    const signature = key.sign(signedText(more.call ?? 'exchangeMessage', envelope))
    return there.wire('exchangeMessage', { envelope, signature })
  }
  expect(await say()).toMatchObject({ code: 'success' })
  // What is signed for one server is not taken by another one to which it is passed on.
  for (const wrong of [{ to: key.fingerprint }, { to: '' }, { at: Date.now() - 310_000 }, { call: 'exchangeContent' }])
    expect(await say(wrong)).toMatchObject({ code: 'interconnectedServerInvalid' })
})

test('[R258] [R345] nothing goes to, or comes from, a server whose link is paused', async () => {
  await rule()
  const fileId = await lin.upload(lin.library, '暂停.txt')
  for (const who of [admin, adminThere]) {
    await who.call('pauseLinkedServer', { serverId: 1, paused: true })
    expect(await send(fileId)).toMatchObject({ code: 'interconnectedServerInvalid' })
    await who.call('pauseLinkedServer', { serverId: 1, paused: false })
  }
  expect(await send(fileId)).toMatchObject({ code: 'success' })
})

// [R161] Exchange needs the setting, the download right and a rule.
test('[R161] without the setting, or the right to download, nothing is sent', async () => {
  await rule()
  const fileId = await wang.upload(wang.library, '别人.txt')
  await wang.shares({ fileId }, [{ to: lin, rights: 6 }])
  expect((await send(fileId)).code).toBe('noPermission')
  const own = await lin.upload(lin.library, '自己.txt')
  await admin.call('setSafeStrategy', { exchange_file_enabled: false })
  expect((await send(own)).code).toBe('noPermission')
  expect((await lin.call('getExchangeRules', {})).rules).toEqual([])
  await admin.call('setSafeStrategy', { exchange_file_enabled: true })
})

test('auditors read the records of all exchanges, and nobody else', async () => {
  await rule(approvedBy(wang))
  const applyId = await sent(await lin.upload(lin.library, '记录.txt'))
  const { list, total } = await admin.call('getExchangeRecords', { keyword: '记录' })
  expect(total).toBe(1)
  expect(list[0]).toMatchObject({ applyId, itemName: '记录.txt', name: 'lin', fileCount: 1, deliveredTime: null })
  expect((await admin.call('getExchangeRecords', { keyword: '没有这个' })).list).toEqual([])
  expect((await admin.call('getExchangeRecords', { since: Date.now() + 1000 })).total).toBe(0)
  expect(await lin.refusal('getExchangeRecords', {})).toBe('noPermission')
})

test('[R258] what others sent, received or decide about does not exist', async () => {
  await rule(approvedBy(wang))
  const applyId = await sent(await lin.upload(lin.library, '隐.txt'))
  const mallory = await here.person('mallory')
  for (const call of ['getExchangeDetail', 'getExchangePwd', 'resendExchange'] as const)
    expect(await mallory.refusal(call, { applyId })).toBe('notFound')
  expect(await mallory.refusal('cancelExchange', { applyId })).toBe('notFound')
  expect(await wang.refusal('getExchangePwd', { applyId })).toBe('noPermission')
  const { list } = await zhou.call('getExchangeList', { side: 'receive' })
  const other = await there.person('other')
  for (const call of ['getReceivedDetail', 'fileExchangeGetApproveFileDetail', 'verifyExchangePwd'] as const)
    expect(await other.refusal(call, { approveId: list[0]?.approveId ?? 0 })).toBe('notFound')
})
