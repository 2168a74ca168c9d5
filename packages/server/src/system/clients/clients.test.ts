// Programs for people's computers: publishing, the signed list, downloads; and the logs that people send.
import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()

// [R372] [R373] checkUpdate2 answers the newest version for a computer, and whether the given one is older by dotted
// numbers; the list of clients gives the newest of each, with a download that works.
test('[R372] [R373] an administrator publishes an installer, which anybody finds and downloads', async () => {
  const admin = await world.admin()
  const ben = await world.person('ben')
  const fileId = await admin.upload(admin.library, '云文档-6.2.0.exe', 'installer 6.2.0')
  const windows = { type: 'client', sys: 'windows', cpu: 'x64' } as const
  const { packageId } = await admin.call('publishClient', { ...windows, fileId, version: '6.2.0', notes: '更快' })
  const check = (version: string) => world.wire('checkUpdate2', { ...windows, version })
  expect(await check('6.1.0')).toMatchObject({ data: { currentVersion: '6.2.0', outdated: true } })
  expect(await check('6.10.0')).toMatchObject({ data: { currentVersion: '6.2.0', outdated: false } })
  const linux = await world.wire('checkUpdate2', { ...windows, sys: 'linux' })
  expect(linux).toMatchObject({ data: { currentVersion: '', program: null, systems: [{ sys: 'windows' }] } })
  const { list } = (await world.wire('getClientList', { list: 1 })).data as { list: { size: number }[] }
  expect(list).toMatchObject([{ ...windows, packageId, version: '6.2.0', name: '云文档-6.2.0.exe', size: 15 }])
  const download = await world.app.http.inject({ url: `/services2/client/downloadClient/${packageId}` })
  expect([download.statusCode, download.body]).toEqual([200, 'installer 6.2.0'])
  const shared = await ben.upload(ben.library, 'x.exe', 'x')
  expect(await ben.refusal('publishClient', { ...windows, fileId: shared, version: '7.0.0' })).toBe('noPermission')
  expect(await admin.refusal('publishClient', { ...windows, fileId: shared, version: '7.0.0' })).toBe('notFound')
})

test('[R373] the signed list grows by a generation with each change, and no older version takes the place of a newer', async () => {
  const admin = await world.admin()
  const mac = { type: 'client', sys: 'mac', cpu: 'arm64' } as const
  const fileId = await admin.upload(admin.library, '云文档.dmg', 'dmg')
  const { packageId } = await admin.call('publishClient', { ...mac, fileId, version: '6.2.0' })
  const read = async () => {
    const { signed, signature, publicKey } = (await world.wire('getUpdateMetadata', {})).data as Record<string, string>
    const key = createPublicKey(publicKey ?? '')
    expect(verify(null, Buffer.from(signed ?? ''), key, Buffer.from(signature ?? '', 'base64'))).toBe(true)
    return { key: publicKey, ...(JSON.parse(signed ?? '') as { generation: number; expires: number; time: number }) }
  }
  const first = await read()
  for (const version of ['6.2.0', '6.1.9', '6.2']) {
    expect(await admin.refusal('publishClient', { ...mac, fileId, version })).toBe('alreadyExists')
  }
  expect((await read()).generation).toBe(first.generation)
  await admin.call('removeClient', { packageId })
  const second = await read()
  expect([second.generation, second.key]).toEqual([first.generation + 1, first.key])
  expect(second.expires - second.time).toBe(30 * 24 * 60 * 60_000)
})

// [R374] A pack of logs is sent, kept for 30 days, and read by system administrators alone.
test('[R374] a pack of logs reaches the administrators, and nobody else', async () => {
  const anna = await world.person('anna')
  const admin = await world.admin()
  const { logNumber } = await anna.call('uploadLogFile', { note: '打不开', pack: '{"log":"一"}' })
  expect(logNumber).toMatch(/^LOG-\d{4,}$/)
  const { list, total } = await admin.call('getLogFiles', {})
  expect([total, list[0]]).toMatchObject([1, { logNumber, accountName: anna.account, note: '打不开', done: false }])
  const logId = list[0]?.logId ?? 0
  expect(await admin.call('getLogFile', { logId })).toEqual({ pack: '{"log":"一"}' })
  await admin.call('setLogFileDone', { logId, done: true })
  expect((await admin.call('getLogFiles', { open: true })).total).toBe(0)
  expect(await anna.refusal('getLogFiles', {})).toBe('noPermission')
  for (let n = 1; n < 20; n += 1) await anna.call('uploadLogFile', { pack: String(n) })
  expect(await anna.refusal('uploadLogFile', { pack: 'x' })).toBe('sendingTooOften')
})
