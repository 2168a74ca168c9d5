// Imported certificates: which files are accepted, and what is signed with them.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type Person, password, type World } from '../../../test/harness.ts'
import { contract, smallPicture } from '../../../test/signing.ts'

const run = promisify(execFile)
let folder = ''
let world: World
let admin: Person
let people = 0
const person = (letter: string): Promise<Person> => world.person(`${letter}${(people += 1)}`)
let day = 0

/** Goes to another day; the sessions of before may have ended. */
async function goTo(days: number, { account }: Person): Promise<Person> {
  day = days * 24 * 60 * 60_000
  return world.signIn(account)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-import-'))
})
// A server for each test: whoever goes to another day leaves no work of that day to the next test.
beforeEach(async () => {
  day = 0
  world = await openWorld({ now: () => Date.now() + day })
  admin = await world.admin()
  await admin.call('createSignAuthority', { name: '青云科技' })
})
afterAll(() => rm(folder, { recursive: true }))

interface Wanted {
  readonly name: string
  readonly secret: string
  readonly days?: number
  readonly ca?: boolean
  /** What OpenSSL makes the key with. */
  readonly key?: readonly string[]
  readonly legacy?: boolean
}

const rsa = (bits: number): readonly string[] => ['-newkey', `rsa:${bits}`]
const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']

/** A PKCS#12 file in base64, made by OpenSSL. */
async function pkcs12({
  name,
  secret,
  days = 400,
  ca = false,
  key = rsa(2048),
  legacy = false,
}: Wanted): Promise<string> {
  const at = (file: string): string => join(folder, file)
  const usage = ca ? 'keyCertSign,cRLSign' : 'digitalSignature,nonRepudiation'
  await run('openssl', [
    ...['req', '-x509', ...key, '-nodes', '-keyout', at('k.pem'), '-out', at('c.pem'), '-days', String(days)],
    ...['-subj', `/CN=${name}`, '-utf8', '-addext', `basicConstraints=critical,CA:${ca ? 'TRUE' : 'FALSE'}`],
    ...['-addext', `keyUsage=critical,${usage}`],
  ])
  await writeFile(at('pass'), secret)
  const old = legacy ? ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES'] : []
  await run('openssl', [
    ...['pkcs12', '-export', '-inkey', at('k.pem'), '-in', at('c.pem'), '-out', at('o.p12'), ...old],
    ...['-passout', `file:${at('pass')}`],
  ])
  return (await readFile(at('o.p12'))).toString('base64')
}

async function signed(launcher: Person, signer: Person, kind: 'signature' | 'seal' = 'signature', sealId?: number) {
  const folderId = await launcher.folder(launcher.library, `签 ${Math.random()}`)
  const fileId = await launcher.upload(folderId, '合同.pdf', await contract(1))
  const places = [{ kind, page: 1, x: 60, y: 80, width: 120, height: 60 }]
  const singerList = [{ userId: signer.userId, places }]
  const { activityId } = await launcher.call('launchSign', {
    fileId,
    archiveFolderId: folderId,
    title: '合同',
    singerList,
  })
  await signer.call('sign', { activityId, revision: 0, password, ...(sealId !== undefined && { sealId }) })
  const { list } = await launcher.call('checkSign', { activityId })
  const answer = await world.app.http.inject({
    url: `/services2/sign/getSignFile/${activityId}`,
    headers: { authorization: `Bearer ${launcher.token}` },
  })
  const path = join(folder, 'signed.pdf')
  await writeFile(path, answer.rawPayload)
  const { stdout } = await run('pdfsig', [path])
  return { list, pdfsig: stdout }
}

describe('the certificate of a person', () => {
  // [R275] Certificates are imported from PKCS#12 files, for a person by themselves and for the company in the
  // administration; signatures are by them as long as they are valid.
  test.each([
    ['RSA 2048', 'a Chinese password', '密码 12', rsa(2048)],
    ['RSA 4096', 'an ASCII password', 'secret-12', rsa(4096)],
    ['P-256', 'an ASCII password', 'secret-12', curve],
  ])('[R275] %s, %s', { timeout: 120_000 }, async (algorithm, _, secret, key) => {
    const [anna, ben] = [await person('a'), await person('b')]
    const file = await pkcs12({ name: ben.account, secret, key, days: 20 })
    expect(await ben.refusal('importMySignCertificate', { file, password: `${secret}x` })).toBe('certificatePassword')
    await ben.call('importMySignCertificate', { file, password: secret })
    expect((await ben.call('getMySignCertificate', {})).certificate).toMatchObject({
      ...{ subject: ben.account, kind: 'person', state: 'ending', algorithm },
    })
    const { list, pdfsig } = await signed(anna, ben)
    expect(pdfsig).toContain('Signature is Valid.')
    expect(list.map(({ subject, issuer, isIntact }) => [subject, issuer, isIntact])).toEqual([
      [ben.account, ben.account, true],
    ])
    await ben.call('deleteMySignCertificate', {})
    expect((await signed(anna, ben)).list[0]?.issuer).toContain('青云科技')
  })

  test('after its end the company issues one again', { timeout: 120_000 }, async () => {
    let [anna, ben] = [await person('a'), await person('b')]
    await ben.call('importMySignCertificate', {
      ...{ file: await pkcs12({ name: ben.account, secret: 'x', days: 1 }), password: 'x' },
    })
    ben = await goTo(2, ben)
    expect((await ben.call('getMySignCertificate', {})).certificate?.state).toBe('expired')
    anna = await goTo(2, anna)
    expect((await signed(anna, ben)).list[0]?.issuer).toContain('青云科技')
    await goTo(0, ben)
  })

  test('what cannot be used is refused with its own code, and nothing is stored', { timeout: 120_000 }, async () => {
    let ben = await person('b')
    const refusal = async (file: string, secret = 'x') =>
      ben.wire('importMySignCertificate', { file, password: secret })
    expect((await refusal(Buffer.from('no file').toString('base64'))).code).toBe('certificateRefused')
    const foreign = await refusal(await pkcs12({ name: '某某', secret: 'x' }))
    expect([foreign.code, foreign.msg.includes('某某')]).toEqual(['certificateRefused', true])
    const old = await refusal(await pkcs12({ name: ben.account, secret: 'x', legacy: true }))
    expect([old.code, old.msg.includes('AES-256')]).toEqual(['certificateRefused', true])
    const authority = await refusal(await pkcs12({ name: ben.account, secret: 'x', ca: true }))
    expect(authority.code).toBe('certificateRefused')
    const short = await pkcs12({ name: ben.account, secret: 'x', days: 1 })
    ben = await goTo(2, ben)
    expect((await refusal(short)).code).toBe('certificateExpired')
    ben = await goTo(0, ben)
    expect((await ben.call('getMySignCertificate', {})).certificate).toBeNull()
  })
})

describe('certificates of the company', () => {
  test('one signs by its seals, an authority issues; keys and passwords are stored nowhere in plain', async () => {
    const [anna, ben] = [await person('a'), await person('b')]
    const secret = 'only-in-this-test'
    const company = await pkcs12({ name: '青云科技合同章', secret })
    expect(await ben.refusal('importSignCertificate', { file: company, password: secret })).toBe('noPermission')
    expect(await admin.call('importSignCertificate', { file: company, password: secret })).toMatchObject({
      kind: 'company',
    })
    const { sealId } = await admin.call('createSeal', { name: '章', picture: smallPicture, userIdArray: [ben.userId] })
    const { list, pdfsig } = await signed(anna, ben, 'seal', sealId)
    expect([list[0]?.subject, list[0]?.isTrusted]).toEqual(['青云科技合同章', true])
    expect(pdfsig).toContain('Signature is Valid.')
    const authority = await pkcs12({ name: '青云根', secret, ca: true, key: curve })
    expect(await admin.call('importSignCertificate', { file: authority, password: secret })).toMatchObject({
      kind: 'authority',
    })
    const own = await signed(anna, ben)
    expect([own.list[0]?.issuer, own.list[0]?.isTrusted]).toEqual(['青云根', true])
    expect(own.pdfsig).toContain('Signature is Valid.')
    const { rows } = await sql<{ text: string }>`
      select t::text as text from sign_certificate t union all select a::text from audit a`.execute(world.app.db)
    const all = rows.map(({ text }) => text).join('\n')
    expect(all).not.toContain(secret)
    const pem = await readFile(join(folder, 'k.pem'), 'latin1')
    expect(all).not.toContain(pem.split('\n')[2] ?? 'missing')
    const answers = JSON.stringify([
      await admin.call('getSignAuthority', {}),
      await admin.call('getSignCertificateList', {}),
    ])
    expect(answers).not.toMatch(/PRIVATE KEY|sealed/)
  }, 60_000)
})
