// The addresses of a server and their certificates: its own, and the one that browsers get at the public address.
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { certificate } from '../../../test/certificate.ts'
import { openWorld, sharedWorld } from '../../../test/harness.ts'
import { faultsOf } from './index.ts'

const world = sharedWorld()
const pair = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }

test('an administrator sees the addresses and the certificate of the server, and what browsers get at the public one', async () => {
  const server = createServer(pair, (socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const own = await openWorld({ publicUrl: `https://localhost:${port}`, readCertificate: () => pair })
  const admin = await own.admin()
  const told = await admin.call('getServerAddresses', {})
  expect(told).toMatchObject({
    publicAddress: `https://localhost:${port}`,
    certificate: { subject: 'CN=localhost', issuer: 'CN=localhost' },
  })
  expect(told.certificate?.validUntil).toBeGreaterThan(Date.now())
  const checked = await admin.call('checkServerAddress', {})
  expect(checked).toMatchObject({ reached: true, reason: '', certificate: told.certificate })
  // Nobody but itself has signed it.
  expect(checked.faults).toContain('untrusted')
  server.close()
  await once(server, 'close')
  expect(await admin.call('checkServerAddress', {})).toMatchObject({ reached: false, certificate: null })
  expect(await (await own.person('anna')).refusal('getServerAddresses', {})).toBe('noPermission')
})

test('a server without a certificate or a public address says so', async () => {
  const admin = await world.admin()
  const told = await admin.call('getServerAddresses', {})
  expect(told).toMatchObject({ publicAddress: '', certificate: null, faults: [] })
  expect(told.usedAddress).toMatch(/^http:\/\//)
  expect(await admin.refusal('checkServerAddress', {})).toBe('notFound')
})

test('faults are named: another name, an end that has come or is near, a begin that has not', () => {
  const one = new X509Certificate(pair.cert)
  const until = one.validToDate.getTime()
  const day = 24 * 60 * 60_000
  expect(faultsOf(one, 'localhost', Date.now())).toEqual([])
  expect(faultsOf(one, 'docs.example.com', Date.now())).toEqual(['otherName'])
  expect(faultsOf(one, '10.0.0.1', Date.now())).toEqual(['otherName'])
  expect(faultsOf(one, 'localhost', until - 29 * day)).toEqual(['soon'])
  expect(faultsOf(one, 'localhost', until)).toEqual(['expired'])
  expect(faultsOf(one, 'localhost', one.validFromDate.getTime() - 1)).toEqual(['notYetValid'])
})
