// Time stamps and revocation information, from servers of OpenSSL behind HTTP.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, password, type World } from '../../../test/harness.ts'
import { contract } from '../../../test/signing.ts'
import { trustFor } from './trust.ts'

const run = promisify(execFile)
let folder = ''
let server: Server
let base = ''
let world: World
let admin: Person
let people = 0
const person = (letter: string): Promise<Person> => world.person(`${letter}${(people += 1)}`)
/** What the servers do. */
const mode = { tsa: 'up' as 'up' | 'down' | 'replay', ocsp: 'up' as 'up' | 'down' }
let lastStamp: Buffer = Buffer.alloc(0)
const at = (name: string): string => join(folder, name)

async function answer(path: string, body: Buffer): Promise<Buffer | undefined> {
  const [query, reply] = [at(`q${Math.random()}`), at(`r${Math.random()}`)]
  await writeFile(query, body)
  if (path === '/tsa') {
    if (mode.tsa === 'down') return undefined
    if (mode.tsa === 'replay') return lastStamp
    await run('openssl', ['ts', '-reply', '-config', at('tsa.cnf'), '-queryfile', query, '-out', reply])
    lastStamp = await readFile(reply)
    return lastStamp
  }
  if (path === '/ocsp') {
    if (mode.ocsp === 'down') return undefined
    const ca = ['-index', at('index.txt'), '-CA', at('ca.pem'), '-rsigner', at('ca.pem'), '-rkey', at('ca.key')]
    await run('openssl', ['ocsp', ...ca, '-reqin', query, '-respout', reply, '-ndays', '1'])
    return readFile(reply)
  }
  if (path === '/list.crl') return readFile(at('list.der'))
  return undefined
}

async function certificate(name: string, extensions: string): Promise<void> {
  await writeFile(at('ext.cnf'), extensions)
  const request = ['req', '-newkey', 'rsa:2048', '-nodes', '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`)]
  await run('openssl', [...request, '-utf8', '-subj', `/CN=${name}`])
  await run('openssl', [
    ...['ca', '-batch', '-notext', '-config', at('ca.cnf'), '-in', at(`${name}.csr`), '-out', at(`${name}.pem`)],
    ...['-extfile', at('ext.cnf'), '-days', '300', '-utf8'],
  ])
}

async function makeList(): Promise<void> {
  await run('openssl', ['ca', '-gencrl', '-config', at('ca.cnf'), '-out', at('list.pem')])
  await run('openssl', ['crl', '-in', at('list.pem'), '-outform', 'DER', '-out', at('list.der')])
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-trust-'))
  server = createServer((request, response) => {
    buffer(request)
      .then((body) => answer(request.url ?? '', body))
      .then((found) => {
        response.statusCode = found === undefined ? 503 : 200
        response.end(found)
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await mkdir(at('new'))
  await Promise.all([
    writeFile(at('index.txt'), ''),
    writeFile(at('serial'), '1000\n'),
    writeFile(at('crlnumber'), '01\n'),
  ])
  await writeFile(at('tsaserial'), '01\n')
  await writeFile(
    at('ca.cnf'),
    `[ca]\ndefault_ca=d\n[d]\ndir=${folder}\ndatabase=${at('index.txt')}\nnew_certs_dir=${at('new')}\nserial=${at('serial')}
crlnumber=${at('crlnumber')}\ncertificate=${at('ca.pem')}\nprivate_key=${at('ca.key')}\ndefault_md=sha256
default_crl_days=30\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n`,
  )
  await writeFile(
    at('tsa.cnf'),
    `[tsa]\ndefault_tsa=t\n[t]\nserial=${at('tsaserial')}\nsigner_cert=${at('tsa.pem')}\ncerts=${at('ca.pem')}
signer_key=${at('tsa.key')}\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\ndigests=sha256,sha384\n`,
  )
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('ca.key'), '-out', at('ca.pem'), '-days', '999'],
    ...['-subj', '/CN=外部根', '-utf8', '-addext', 'basicConstraints=critical,CA:TRUE'],
    ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign,digitalSignature'],
  ])
  await certificate('tsa', 'extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,digitalSignature\n')
  await makeList()
  world = await openWorld()
  admin = await world.admin()
  await admin.call('createSignAuthority', { name: '青云科技' })
}, 120_000)
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await rm(folder, { recursive: true, force: true })
})

async function launched(launcher: Person, signers: readonly Person[]): Promise<number> {
  const folderId = await launcher.folder(launcher.library, `签 ${Math.random()}`)
  const fileId = await launcher.upload(folderId, '合同.pdf', await contract(1))
  const singerList = signers.map(({ userId }) => ({ userId }))
  const { activityId } = await launcher.call('launchSign', {
    fileId,
    archiveFolderId: folderId,
    title: '合同',
    singerList,
  })
  return activityId
}
const signs = async (person: Person, activityId: number) => {
  const { revision } = await person.call('getSignDetail', { activityId })
  return person.wire('sign', { activityId, revision, password })
}
async function fileOf(person: Person, activityId: number): Promise<Buffer> {
  const { rawPayload } = await world.app.http.inject({
    url: `/services2/sign/getSignFile/${activityId}`,
    headers: { authorization: `Bearer ${person.token}` },
  })
  return rawPayload
}
async function readersSay(pdf: Buffer): Promise<{ valid: number; qpdf: string }> {
  await writeFile(at('signed.pdf'), pdf)
  const { stdout } = await run('pdfsig', [at('signed.pdf')])
  const qpdf = await run('qpdf', ['--check', at('signed.pdf')])
  return { valid: stdout.split('Signature is Valid.').length - 1, qpdf: qpdf.stdout }
}

describe('time stamps', () => {
  // [R275] Where a time stamp service is configured, signatures carry a time that it confirms; when it does not answer, a
  // setting decides whether files are signed without one.
  test('[R275] a signature carries the time of the service', { timeout: 120_000 }, async () => {
    const [anna, ben] = [await person('a'), await person('b')]
    expect(await admin.refusal('testTimeStamp', {})).toBe('badRequest')
    await admin.call('setServerSetting', { sign_tsa_url: `${base}/tsa` })
    expect((await admin.call('testTimeStamp', {})).authority).toBe('tsa')
    expect(await ben.refusal('testTimeStamp', {})).toBe('noPermission')
    const activityId = await launched(anna, [ben])
    expect((await signs(ben, activityId)).code).toBe('success')
    const { list } = await anna.call('checkSign', { activityId })
    expect(list[0]?.stamp?.authority).toBe('tsa')
    expect(Math.abs((list[0]?.stamp?.time ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(list[0]?.isIntact).toBe(true)
    expect((await readersSay(await fileOf(anna, activityId))).valid).toBe(1)
  })

  test('a service that is down or answers another question: as the setting says', { timeout: 120_000 }, async () => {
    const [anna, ben] = [await person('a'), await person('b')]
    const activityId = await launched(anna, [ben])
    await admin.call('setServerSetting', { sign_tsa_url: `${base}/tsa`, sign_tsa_needed: true })
    for (const tsa of ['down', 'replay'] as const) {
      mode.tsa = tsa
      expect((await admin.wire('testTimeStamp', {})).code).toBe('timeStampFailed')
      expect((await signs(ben, activityId)).code).toBe('timeStampFailed')
    }
    expect((await anna.call('getSignDetail', { activityId })).revision).toBe(0)
    // The launch tries a signature: its launcher hears of it, and nobody is asked to sign what cannot be signed.
    await expect(launched(anna, [ben])).rejects.toThrow('timeStampFailed')
    await admin.call('setServerSetting', { sign_tsa_needed: false })
    expect((await signs(ben, activityId)).code).toBe('success')
    expect((await anna.call('checkSign', { activityId })).list[0]?.stamp).toBeNull()
    mode.tsa = 'up'
    await admin.call('setServerSetting', { sign_tsa_url: '' })
  })

  test('a clock that is ten minutes off stops signing, even where a stamp is not demanded', async () => {
    const { inner } = await world.app.services.settings.current()
    const set = { inner: { ...inner, sign_tsa_url: `${base}/tsa`, sign_tsa_needed: false } }
    const stampAt = async (at: number) => {
      const { stamping } = await trustFor(set, [], { at, signal: AbortSignal.timeout(60_000) })
      return stamping?.(Buffer.from('signature'))
    }
    for (const minutes of [-11, 11])
      await expect(stampAt(Date.now() + minutes * 60_000)).rejects.toMatchObject({ code: 'timeStampFailed' })
    expect(await stampAt(Date.now() + 8 * 60_000)).toBeInstanceOf(Buffer)
  })
})

describe('revocation information', () => {
  const imported = async (person: Person, extensions: string): Promise<void> => {
    await certificate(person.account, `keyUsage=critical,digitalSignature,nonRepudiation\n${extensions}`)
    await run('openssl', [
      ...['pkcs12', '-export', '-inkey', at(`${person.account}.key`), '-in', at(`${person.account}.pem`)],
      ...['-certfile', at('ca.pem'), '-out', at('o.p12'), '-passout', 'pass:x'],
    ])
    await person.call('importMySignCertificate', {
      file: (await readFile(at('o.p12'))).toString('base64'),
      password: 'x',
    })
  }

  // [R275] What the issuers of certificates say about them (OCSP, lists of revoked certificates) is embedded where it can
  // be fetched; later signatures and the check of the file are as before.
  test('[R275] answers of OCSP and lists are embedded after each signature', { timeout: 120_000 }, async () => {
    const [anna, ben, cara, dora] = [
      ...[await person('a'), await person('b')],
      ...[await person('c'), await person('d')],
    ] as [Person, Person, Person, Person]
    await imported(ben, `authorityInfoAccess=OCSP;URI:${base}/ocsp\n`)
    await imported(cara, `crlDistributionPoints=URI:${base}/list.crl\n`)
    const activityId = await launched(anna, [ben, dora, cara])
    for (const person of [ben, dora, cara]) expect((await signs(person, activityId)).code).toBe('success')
    const pdf = await fileOf(anna, activityId)
    expect(pdf.toString('latin1').match(/\/Type \/DSS /g)).toHaveLength(2)
    expect(pdf.toString('latin1').slice(pdf.lastIndexOf('/Type /DSS'))).toMatch(
      /\/OCSPs \[\d+ 0 R\] \/CRLs \[\d+ 0 R\]/,
    )
    const { valid, qpdf } = await readersSay(pdf)
    expect(valid).toBe(3)
    expect(qpdf).toContain('No syntax or stream encoding errors found')
    const { list, isChangedSince } = await anna.call('checkSign', { activityId })
    expect([list.map(({ isIntact }) => isIntact), isChangedSince]).toEqual([[true, true, true], false])
    // The same form with another catalog is a change.
    const folderId = await anna.folder(anna.library, '改')
    const last = pdf.lastIndexOf('/DSS ')
    const changed = Buffer.from(pdf)
    changed.write('/Type /Xatalog', changed.lastIndexOf('/Type /Catalog', last), 'latin1')
    const fileId = await anna.upload(folderId, '改.pdf', changed)
    expect((await anna.call('checkFileSign', { fileId })).isChangedSince).toBe(true)
  })

  test('a revoked certificate does not sign; one whose issuer is silent signs without', {
    timeout: 120_000,
  }, async () => {
    const [anna, ben] = [await person('a'), await person('b')]
    await imported(ben, `authorityInfoAccess=OCSP;URI:${base}/ocsp\n`)
    mode.ocsp = 'down'
    const first = await launched(anna, [ben])
    expect((await signs(ben, first)).code).toBe('success')
    expect((await fileOf(anna, first)).includes('/Type /DSS')).toBe(false)
    mode.ocsp = 'up'
    await run('openssl', ['ca', '-config', at('ca.cnf'), '-revoke', at(`${ben.account}.pem`)])
    const second = await launched(anna, [ben])
    const refused = await signs(ben, second)
    expect([refused.code, refused.msg.includes('吊销')]).toEqual(['certificateRefused', true])
    expect((await anna.call('getSignDetail', { activityId: second })).revision).toBe(0)
  })
})
