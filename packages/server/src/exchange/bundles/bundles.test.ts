// Bundles between two servers that have no wire ([R258]).
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, calls } from '@cloudoc/contract'
import { beforeAll, expect, test } from 'vitest'
import { approvedBy, openRule } from '../../../test/exchange.ts'
import { few } from '../../../test/full.ts'
import { openWorld, type Person, type World, wireOf } from '../../../test/harness.ts'
import { loadSecrets } from '../../core/secrets.ts'
import { ownKeys } from '../rules/index.ts'
import { endExpiredBundles } from './send.ts'

const net = 'island'
let here: World
let there: World
let admin: Person
let adminThere: Person
let lin: Person
let wang: Person
let zhou: Person
let clock = Date.now()

type Imported = Answer<(typeof calls)['importExchangeBundle']>

const ownKey = async (person: Person) => (await person.call('getExchangeAdministration', {})).ownKey.text
const know = async (person: Person, peer: Person) =>
  person.call('setExchangeNetwork', { targetServerCode: net, targetName: '单机网', peerKey: await ownKey(peer) })

async function importInto(person: Person, bytes: Uint8Array): Promise<Imported> {
  const response = await person.world.app.http.inject({
    ...{ method: 'POST', url: calls.importExchangeBundle.path, payload: Buffer.from(bytes) },
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
  })
  return wireOf(response).data as Imported
}
const bundleOf = async (bundleId: number): Promise<Buffer> =>
  (
    await here.app.http.inject({
      ...{ method: 'GET', url: calls.getExchangeBundle.path.replace('{bundleId}', String(bundleId)) },
      headers: { authorization: `Bearer ${admin.token}` },
    })
  ).rawPayload

let sent = 0
/** Sends a file, has it approved, and exports it. */
async function bundled(content: string | Uint8Array = '内容', receiver = zhou.account, name = `包${(sent += 1)}.txt`) {
  const fileId = await lin.upload(lin.library, name, content)
  const { applyId } = await lin.call('applyExchange', { fileId, targetServerCode: net, receiverIds: [receiver] })
  await wang.call('setExchangeNodeStatus', { applyId, status: 'approved' })
  const made = await admin.call('exportExchangeBundle', { targetServerCode: net, applyIdArray: [applyId] })
  return { applyId, name, ...made, bytes: await bundleOf(made.bundleId) }
}
/** Nothing was received, and nothing is left of what was refused. */
const nothingKept = async () => {
  expect((await zhou.call('getExchangeList', { side: 'receive' })).total).toBe(before.received)
  expect((await there.app.db.selectFrom('exchange_arrival').select('id').execute()).length).toBe(before.arrivals)
}
/** After the clock has moved on, sessions are over. */
const signInAgain = async () => {
  ;[admin, lin, wang] = [await here.signIn('admin'), await here.signIn('lin'), await here.signIn('wang')]
  ;[adminThere, zhou] = [await there.signIn('admin'), await there.signIn('zhou')]
}
const before = { received: 0, arrivals: 0 }
const remember = async () => {
  before.received = (await zhou.call('getExchangeList', { side: 'receive' })).total
  before.arrivals = (await there.app.db.selectFrom('exchange_arrival').select('id').execute()).length
}

beforeAll(async () => {
  here = await openWorld({ now: () => clock })
  there = await openWorld({ now: () => clock })
  admin = await here.admin()
  adminThere = await there.admin()
  lin = await here.person('lin')
  wang = await here.person('wang')
  zhou = await there.person('zhou')
  await know(admin, adminThere)
  await know(adminThere, admin)
  await admin.call('setExchangeRule', openRule(net, approvedBy(wang)))
})

// [R258] Where there is no wire, what was approved leaves in a signed and encrypted bundle; the signed receipt closes it.
test('[R258] a bundle is exported, imported, picked up, and closed by its receipt', async () => {
  const fileId = await lin.upload(lin.library, '图.dwg', 'drawing')
  const { applyId } = await lin.call('applyExchange', {
    fileId,
    targetServerCode: net,
    receiverIds: ['zhou'],
    pwd: 'a1B2',
  })
  const exporting = { targetServerCode: net, applyIdArray: [applyId] }
  // Without the approval it is not offered, and not exported.
  expect((await admin.call('getExchangeBundles', {})).waiting).toEqual([])
  expect(await admin.refusal('exportExchangeBundle', exporting)).toBe('alreadyHandled')
  await wang.call('setExchangeNodeStatus', { applyId, status: 'approved' })
  expect((await admin.call('getExchangeBundles', {})).waiting).toMatchObject([{ applyId, handledBy: 'wang' }])
  const { bundleId, bundleName } = await admin.call('exportExchangeBundle', exporting)
  expect(await admin.refusal('exportExchangeBundle', exporting)).toBe('alreadyHandled')
  expect(await lin.refusal('cancelExchange', { applyId, comment: '' })).toBe('alreadyHandled')
  const bytes = await bundleOf(bundleId)
  expect(bytes.includes('drawing')).toBe(false)

  const { problem, bundle } = await importInto(adminThere, bytes)
  expect({ problem, name: bundle?.bundleName, files: bundle?.fileCount }).toEqual({
    problem: null,
    name: bundleName,
    files: 1,
  })
  const { list } = await zhou.call('getExchangeList', { side: 'receive' })
  const approveId = list[0]?.approveId ?? 0
  expect(list[0]).toMatchObject({ name: 'lin', requirePwd: true, transport: 'bundle', handledBy: 'wang' })
  const place = await zhou.call('verifyExchangePwd', { approveId, pwd: 'a1B2' })
  expect((await zhou.download(place.fileId)).body).toBe('drawing')

  const { receipt } = await adminThere.call('getExchangeReceipt', { importId: bundle?.importId ?? 0 })
  const forged = receipt.replace('"fileCount":1', '"fileCount":2')
  expect(await admin.call('importExchangeReceipt', { receipt: forged })).toMatchObject({ problem: 'wrongSignature' })
  expect(await lin.call('getExchangeDetail', { applyId })).toMatchObject({ delivery: 'exported' })
  expect(await admin.call('importExchangeReceipt', { receipt })).toEqual({ problem: null, bundleName })
  expect(await lin.call('getExchangeDetail', { applyId })).toMatchObject({ delivery: 'delivered' })
  expect((await admin.call('getExchangeBundles', {})).sent[0]?.receipt).toMatchObject({
    importedBy: '系统管理员',
    fileCount: 1,
  })
  const other = receipt.replace(/"manifestSha256":"..../, '"manifestSha256":"0000')
  expect(await admin.call('importExchangeReceipt', { receipt: other })).toMatchObject({ problem: 'otherReceipt' })
})

test('[R258] what nobody there could receive is sent again, and leaves in another bundle', async () => {
  const apply = async (account: string) => {
    const fileId = await lin.upload(lin.library, `给${account}.txt`, account)
    const { applyId } = await lin.call('applyExchange', { fileId, targetServerCode: net, receiverIds: [account] })
    await wang.call('setExchangeNodeStatus', { applyId, status: 'approved' })
    return applyId
  }
  const ids = [await apply('zhou'), await apply('later')]
  const carry = async (applyIdArray: number[]) => {
    const { bundleId } = await admin.call('exportExchangeBundle', { targetServerCode: net, applyIdArray })
    const { problem, bundle } = await importInto(adminThere, await bundleOf(bundleId))
    expect(problem).toBeNull()
    const { receipt } = await adminThere.call('getExchangeReceipt', { importId: bundle?.importId ?? 0 })
    await admin.call('importExchangeReceipt', { receipt })
  }
  const deliveries = () =>
    Promise.all(ids.map(async (applyId) => (await lin.call('getExchangeDetail', { applyId })).delivery))
  await carry(ids)
  expect(await deliveries()).toEqual(['delivered', 'failed'])
  await there.person('later')
  await lin.call('resendExchange', { applyId: ids[1] ?? 0 })
  expect((await admin.call('getExchangeBundles', {})).waiting.map(({ applyId }) => applyId)).toEqual([ids[1]])
  await carry(ids.slice(1))
  expect(await deliveries()).toEqual(['delivered', 'delivered'])
  const later = await there.signIn('later')
  expect((await later.call('getExchangeList', { side: 'receive' })).list).toMatchObject([{ itemName: '给later.txt' }])
})

test('[R258] a bundle that was changed, cut off, repeated, or is none, is refused as a whole', async () => {
  const { bytes } = await bundled(Buffer.alloc(200_000, 'x'))
  await remember()
  const at = (share: number): number => Math.floor(bytes.length * share)
  for (const place of few(3, [0, 30, 120, 250, at(0.2), at(0.5), at(0.9), bytes.length - 1])) {
    const flipped = Buffer.from(bytes)
    flipped[place] = (flipped[place] ?? 0) ^ 1
    const { problem } = await importInto(adminThere, flipped)
    expect(['damaged', 'notABundle', 'wrongReceiver'], `${place}`).toContain(problem)
    expect(problem === 'damaged' || place < 300, `${place} ${problem}`).toBe(true)
  }
  for (const length of few(3, [0, 10, 150, at(0.4), at(0.7), bytes.length - 1]))
    expect((await importInto(adminThere, bytes.subarray(0, length))).problem, `${length}`).toBe('truncated')
  expect((await importInto(adminThere, Buffer.concat([bytes, Buffer.from('x')]))).problem).toBe('damaged')
  expect((await importInto(adminThere, Buffer.from('PK'.repeat(5000)))).problem).toBe('notABundle')
  await nothingKept()
  expect((await importInto(adminThere, bytes)).problem).toBeNull()
  await remember()
  expect((await importInto(adminThere, bytes)).problem).toBe('repeated')
  await nothingKept()
})

test('[R258] a bundle for somebody else, of an unknown sender or a replaced key, is refused with the reason', async () => {
  const { bytes } = await bundled()
  // For another server: its own key opens nothing.
  expect((await importInto(admin, bytes)).problem).toBe('wrongReceiver')
  await remember()
  // The receiver does not know the sender.
  await adminThere.call('removeExchangeNetwork', { targetServerCode: net })
  expect((await importInto(adminThere, bytes)).problem).toBe('unknownSender')
  await know(adminThere, admin)
  // The sender has a new key, which the other side has entered: what the old one signed is refused.
  await admin.call('renewExchangeKey', {})
  await know(adminThere, admin)
  expect((await importInto(adminThere, bytes)).problem).toBe('olderKey')
  // The receiver has a new key: bundles for the old one open for seven days.
  const second = await bundled()
  await adminThere.call('renewExchangeKey', {})
  const third = await bundled()
  await nothingKept()
  expect((await importInto(adminThere, second.bytes)).problem).toBeNull()
  await remember()
  clock += 8 * 24 * 60 * 60_000
  await signInAgain()
  expect((await importInto(adminThere, third.bytes)).problem).toBe('olderKey')
  // Nobody of the receivers is there.
  await know(admin, adminThere)
  const stranger = await bundled('x', 'nobody')
  expect((await importInto(adminThere, stranger.bytes)).problem).toBe('noReceiver')
  const late = await bundled()
  clock += 31 * 24 * 60 * 60_000
  await signInAgain()
  expect((await importInto(adminThere, late.bytes)).problem).toBe('expired')
  await nothingKept()
})

test('[R258] a bundle without an answer is given up when it cannot be imported any more; a late receipt counts', async () => {
  await know(admin, adminThere)
  await know(adminThere, admin)
  const { applyId, bytes } = await bundled()
  const { bundle } = await importInto(adminThere, bytes)
  const { receipt } = await adminThere.call('getExchangeReceipt', { importId: bundle?.importId ?? 0 })
  const seen = async () => {
    const { delivery, may } = await lin.call('getExchangeDetail', { applyId })
    return [delivery, may.resend]
  }
  await endExpiredBundles(here.app.db, clock)
  expect(await seen()).toEqual(['exported', false])
  clock += 31 * 24 * 60 * 60_000
  await signInAgain()
  await endExpiredBundles(here.app.db, clock)
  expect(await seen()).toEqual(['failed', true])
  expect(await admin.call('importExchangeReceipt', { receipt })).toMatchObject({ problem: null })
  expect(await seen()).toEqual(['delivered', false])
})

test.skipIf(!existsSync('/usr/bin/age'))('[R258] the age program of Debian opens a bundle', async () => {
  await know(admin, adminThere)
  const { bytes } = await bundled('第二个读者')
  const [key] = await ownKeys(there.app.db, await loadSecrets(there.app.db))
  const folder = mkdtempSync(join(tmpdir(), 'age-'))
  writeFileSync(join(folder, 'key'), key?.identity ?? '')
  writeFileSync(join(folder, 'bundle'), bytes)
  const plain = execFileSync('/usr/bin/age', ['-d', '-i', join(folder, 'key'), join(folder, 'bundle')])
  expect(plain.includes('第二个读者')).toBe(true)
})
