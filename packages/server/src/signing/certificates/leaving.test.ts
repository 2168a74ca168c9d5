// Certificates of people who leave, and the list of what an authority has revoked, read by OpenSSL.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Person, password, requestFor, sharedWorld } from '../../../test/harness.ts'
import { contract } from '../../../test/signing.ts'

const run = promisify(execFile)
const publicUrl = 'https://drive.example.com'
const world = sharedWorld({ publicUrl })

async function launched(launcher: Person, signers: readonly Person[]): Promise<number> {
  const folderId = await launcher.folder(launcher.library, `签 ${Math.random()}`)
  const fileId = await launcher.upload(folderId, '合同.pdf', await contract())
  const { activityId } = await launcher.call('launchSign', {
    ...{ fileId, archiveFolderId: folderId, title: '合同', order: true },
    singerList: signers.map(({ userId }) => ({ userId })),
  })
  return activityId
}

interface Known {
  readonly id: number
  readonly serial: string
  readonly pem: string
}

async function certificateOf({ userId }: Person): Promise<Known> {
  const { rows } = await sql<{ id: number; serial: string; certificate: Buffer }>`
    select id, serial, certificate from sign_certificate where account_id = ${userId} order by id desc limit 1`.execute(
    world.app.db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('no certificate')
  const lines = row.certificate.toString('base64').replaceAll(/.{64}/g, '$&\n')
  return { ...row, pem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` }
}

// [R275] The company's authority publishes what it has revoked at the address that its certificates name; a signature by
// a revoked certificate is shown as such.
test('[R275] a revoked certificate is in the list of its authority, and what it signed since is shown as revoked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-crl-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const at = (name: string): string => join(folder, name)
  const admin = await world.admin()
  const { certificateId: authorityId } = await admin.call('createSignAuthority', { name: '青云科技' })
  const { authority } = await admin.call('getSignAuthority', {})
  const [anna, ben, cara] = [await world.person('crl-a'), await world.person('crl-b'), await world.person('crl-c')]
  const activityId = await launched(anna, [ben, cara])
  await ben.call('sign', { activityId, revision: 0, password })
  const list = async () => {
    const answer = await world.app.http.inject(requestFor('getRevocationList', { authorityId }))
    await writeFile(at('list.der'), answer.rawPayload)
    return answer
  }
  const verify = async (pem: string): Promise<string> => {
    await writeFile(at('ca.pem'), authority?.pem ?? '')
    await writeFile(at('own.pem'), pem)
    await run('openssl', ['crl', '-inform', 'DER', '-in', at('list.der'), '-out', at('list.pem')])
    const checked = ['verify', '-CAfile', at('ca.pem'), '-CRLfile', at('list.pem'), '-crl_check', at('own.pem')]
    const { stdout, stderr } = await run('openssl', checked).catch((error: { stdout: string; stderr: string }) => error)
    return `${stdout}${stderr}`
  }
  const certificate = await certificateOf(ben)
  expect((await list()).headers['content-type']).toBe('application/pkix-crl')
  expect(await verify(certificate.pem)).toContain('own.pem: OK')
  const { stdout: shown } = await run('openssl', ['x509', '-in', at('own.pem'), '-noout', '-text'])
  expect(shown).toContain(`URI:${publicUrl}/services2/sign/revoked/${authorityId}`)

  await admin.call('revokeSignCertificate', { certificateId: certificate.id })
  await list()
  expect(await verify(certificate.pem)).toContain('certificate revoked')
  // What was signed before stays valid; the same signature, dated after the revocation, is not.
  const stateOf = async () => (await anna.call('checkSign', { activityId })).list.map(({ isRevoked }) => isRevoked)
  expect(await stateOf()).toEqual([false])
  await sql`update sign_certificate set revoked_at = 1 where id = ${certificate.id}`.execute(world.app.db)
  expect(await stateOf()).toEqual([true])
  const unknown = await world.app.http.inject(requestFor('getRevocationList', { authorityId: 987_654_321 }))
  expect(unknown.json()).toMatchObject({ result: -3 })
  // A certificate that is no authority has no list.
  const none = await world.app.http.inject(requestFor('getRevocationList', { authorityId: certificate.id }))
  expect(none.json()).toMatchObject({ result: -3 })
})

// [R275] When a signer leaves, what waits for them passes to their successor, and nobody signs with their certificates any
// more: an imported one goes with its key.
test('[R275] who leaves hands signatures over, and their certificates end with their keys', async () => {
  const admin = await world.admin()
  await admin.call('createSignAuthority', { name: '青云科技' })
  const [anna, ben, cara] = [await world.person('go-a'), await world.person('go-b'), await world.person('go-c')]
  const first = await launched(anna, [ben])
  await ben.call('sign', { activityId: first, revision: 0, password })
  // One that was imported earlier.
  const { rows } = await sql<{ id: number }>`
    insert into sign_certificate (account_id, subject, issuer, serial, certificate, sealed_key, not_before, not_after,
      created_at, is_current, kind)
    select account_id, subject, issuer, serial || '9', certificate, sealed_key, not_before, not_after, created_at, false, 'person'
    from sign_certificate where account_id = ${ben.userId} returning id`.execute(world.app.db)
  const own = await launched(ben, [anna])
  const waits = await launched(anna, [ben])
  const both = await launched(anna, [ben, cara])
  const alone = { userId: ben.userId, successorId: cara.userId }
  const { parts, seen } = await admin.call('getHandover', alone)
  const outcomes = parts.flatMap(({ kind, items }) => items.map(({ outcome }) => `${kind} ${outcome}`))
  expect(outcomes.filter((one) => one.startsWith('sign')).toSorted()).toEqual([
    ...['signCertificates ends', 'signCertificates ends', 'signatures merges', 'signatures passes', 'signings passes'],
  ])
  expect(await admin.call('handOver', { ...alone, seen })).toMatchObject({ done: true })
  const { rows: left } = await sql<{ sealed: string; revoked: boolean }>`
    select sealed_key as sealed, revoked_at is not null as revoked from sign_certificate
    where account_id = ${ben.userId}`.execute(world.app.db)
  expect(left).toEqual([
    { sealed: '', revoked: true },
    { sealed: '', revoked: true },
  ])
  expect(rows).toHaveLength(1)
  expect((await anna.call('checkSign', { activityId: first })).list.map(({ isRevoked }) => isRevoked)).toEqual([false])
  await cara.call('sign', { activityId: waits, revision: 0, password })
  await cara.call('sign', { activityId: both, revision: 0, password })
  for (const activityId of [waits, both])
    await expect.poll(async () => (await anna.call('getSignDetail', { activityId })).state).toBe('archived')
  expect((await cara.call('getSignDetail', { activityId: own })).may.withdraw).toBe(true)
})

test('where the successor may not sign, a process without further signers ends, and its launcher is told', async () => {
  const admin = await world.admin()
  const [anna, ben, cara] = [
    await world.person('lo-a', { secretLevel: 3 }),
    await world.person('lo-b', { secretLevel: 3 }),
    await world.person('lo-c'),
  ]
  const activityId = await launched(anna, [ben])
  await sql`update sign_activity set file_level = 3 where id = ${activityId}`.execute(world.app.db)
  const names = { userId: ben.userId, successorId: cara.userId }
  const { parts, seen } = await admin.call('getHandover', names)
  expect(parts.find(({ kind }) => kind === 'signatures')?.items).toMatchObject([{ outcome: 'ends', why: 'level' }])
  await admin.call('handOver', { ...names, seen })
  expect((await anna.call('getSignDetail', { activityId })).state).toBe('withdrawn')
  await world.app.settle()
  const { list } = await anna.call('getNoticeList', { group: 'fileSign', unread: true })
  expect(list).toHaveLength(1)
})
