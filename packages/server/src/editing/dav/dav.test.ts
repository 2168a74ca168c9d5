// WebDAV: what a network drive may do, and what it may not.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { rightsGroup } from '@cloudoc/domain'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, sharedWorld, type World } from '../../../test/harness.ts'
import { contract } from '../../../test/signing.ts'

const world = sharedWorld()

let anna: Person
let ben: Person
let root: string
const secrets = new Map<Person, string>()

/** The app password of a person. */
const secretOf = (person: Person): string => secrets.get(person) ?? ''

/** The name of a person's own library on the drive. */
async function libraryOf(person: Person): Promise<string> {
  const { list } = await person.call('getRootFolderSetting', {})
  return list.find(({ fId }) => fId === person.library)?.fName ?? ''
}

beforeAll(async () => {
  anna = await world.person('davanna')
  ben = await world.person('davben')
  for (const person of [anna, ben]) {
    const made = await person.call('createMyProgram', { kind: 'app', name: '网络驱动器', write: true, days: 30 })
    secrets.set(person, made.token)
  }
  root = `/dav/${encodeURIComponent(await libraryOf(anna))}`
})

interface Sent {
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly at?: World
}

async function send(person: Person, method: string, path: string, { headers = {}, body, at = world }: Sent = {}) {
  const basic = Buffer.from(`${person.account}:${secretOf(person)}`).toString('base64')
  const { statusCode: status, ...answer } = await at.app.http.inject({
    method: method as 'GET',
    url: encodeURI(path),
    headers: { authorization: `Basic ${basic}`, host: '127.0.0.1', ...headers },
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status, headers: answer.headers, text: answer.payload }
}

/** A PUT of Anna over its own connection, as it is written. */
async function sendRaw(path: string, headers: Record<string, string>, body: string) {
  const socket = connect(await world.port(), '127.0.0.1')
  const authorization = `Basic ${Buffer.from(`${anna.account}:${secretOf(anna)}`).toString('base64')}`
  const lines = Object.entries({ host: '127.0.0.1', authorization, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`PUT ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  return { answer: textOf(socket), end: () => void socket.end() }
}

const statusIn = (answer: string): string => answer.slice(9, 12)

const lockBody =
  '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner>Anna</owner></lockinfo>'

describe('who may come', () => {
  test('nobody without a token, with the token of another account, or with the cookie of a page', async () => {
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await world.app.http.inject({ method: 'GET', url: '/dav/', headers })).statusCode
    const basic = (user: string, secret: string): Record<string, string> => ({
      authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`,
    })
    expect(await ask({})).toBe(401)
    expect(await ask(basic(anna.account, 'x'.repeat(43)))).toBe(401)
    expect(await ask(basic(ben.account, secretOf(anna)))).toBe(401)
    expect(await ask({ cookie: `cloudoc_session=${anna.token}`, 'x-cloudoc-client': 'web' })).toBe(401)
    expect(await ask(basic(anna.account, anna.token))).toBe(401)
    expect(await ask(basic(anna.account.toUpperCase(), secretOf(anna)))).toBe(405)
  })

  test('a password that may only read changes nothing, one for another library sees nothing, a revoked one ends its locks', async () => {
    const fileId = await anna.upload(anna.library, '暂.txt', 'x')
    const read = await anna.call('createMyProgram', { kind: 'app', name: '只读', days: 30 })
    const write = await anna.call('createMyProgram', { kind: 'app', name: '旧电脑', write: true, days: 30 })
    const by = (token: string) => ({
      authorization: `Basic ${Buffer.from(`${anna.account}:${token}`).toString('base64')}`,
    })
    const path = `${root}/暂.txt`
    const { list } = await ben.call('getRootFolderSetting', {})
    const limited = await ben.call('createMyProgram', {
      kind: 'app',
      name: '一库',
      libraryIds: [ben.library],
      days: 30,
    })
    const seen = await send(ben, 'PROPFIND', '/dav/', {
      headers: {
        depth: '1',
        authorization: `Basic ${Buffer.from(`${ben.account}:${limited.token}`).toString('base64')}`,
      },
    })
    expect(seen).toMatchObject({ status: 207 })
    expect(seen.text.match(/<d:response>/g)).toHaveLength(2)
    expect(list.length).toBeGreaterThan(0)
    for (const method of ['PUT', 'DELETE', 'MKCOL', 'LOCK', 'PROPPATCH'])
      expect([
        method,
        (
          await send(anna, method, path, {
            headers: by(read.token),
            body: method === 'LOCK' ? lockBody : '<propertyupdate xmlns="DAV:"/>',
          })
        ).status,
      ]).not.toEqual([method, 204])
    expect((await send(anna, 'GET', path, { headers: by(read.token) })).text).toBe('x')
    const lock = await send(anna, 'LOCK', path, { headers: by(write.token), body: lockBody })
    expect(lock.status).toBe(200)
    expect((await send(anna, 'DELETE', path)).status).toBe(423)
    await anna.call('revokeMyProgram', { programId: write.programId })
    expect((await send(anna, 'GET', path, { headers: by(write.token) })).status).toBe(401)
    expect((await send(anna, 'LOCK', path, { body: lockBody })).status).toBe(200)
    expect(await ben.refusal('getFileLock', { fileId })).toBe('notFound')
  })

  test('a name and a token open no call of the page', async () => {
    const authorization = `Basic ${Buffer.from(`${anna.account}:${secretOf(anna)}`).toString('base64')}`
    const url = '/services2/setting/getRootFolderSetting'
    expect((await world.app.http.inject({ method: 'GET', url, headers: { authorization } })).statusCode).toBe(401)
  })
})

describe('what is not there for somebody', () => {
  test('is not there by any method, and its name stays taken', async () => {
    await anna.folder(anna.library, '秘密')
    const destination = `${encodeURI(root)}/x`
    for (const method of ['PROPFIND', 'GET', 'HEAD', 'DELETE', 'PROPPATCH', 'LOCK', 'COPY', 'MOVE', 'UNLOCK']) {
      const headers = { depth: '0', destination, 'lock-token': '<urn:uuid:none>' }
      const { status } = await send(ben, method, `${root}/秘密`, {
        headers,
        ...(method === 'LOCK' ? { body: lockBody } : {}),
        ...(method === 'PROPPATCH' ? { body: '<propertyupdate xmlns="DAV:"/>' } : {}),
      })
      expect([method, status]).toEqual([method, method === 'LOCK' ? 409 : 404])
    }
    for (const method of ['PUT', 'MKCOL'])
      expect([method, (await send(ben, method, `${root}/neu`)).status]).toEqual([method, 409])
    expect((await send(ben, 'PROPFIND', '/dav/', { headers: { depth: '1' } })).text).not.toContain('davanna')
  })

  test('a folder that may not be seen takes nothing and is as one that is not there, also after others were filled', async () => {
    const outer = await anna.folder(anna.library, '外')
    await anna.folder(outer, '开')
    const hidden = await anna.folder(outer, '藏')
    await anna.shares({ folderId: outer }, [{ to: ben, rights: rightsGroup.edit }])
    await anna.shares({ folderId: hidden }, [], { inherit: false })
    await anna.shares({ folderId: anna.library }, [{ to: ben, rights: rightsGroup.preview }])
    const put = async (path: string): Promise<number> =>
      (await send(ben, 'PUT', `${root}/外/${path}`, { body: 'x' })).status
    // Twice: the second is stored without a look at everything.
    for (const name of ['1.txt', '2.txt']) expect([name, await put(`开/${name}`)]).toEqual([name, 201])
    expect(await put('开/2.txt')).toBe(204)
    expect([await put('藏/x.txt'), await put('没有/x.txt')]).toEqual([409, 409])
    expect(await put('开')).toBe(405)
    const path = `${root}/外/开`
    const lock = await send(anna, 'LOCK', path, { body: lockBody })
    expect(lock.status).toBe(200)
    expect(await put('开/3.txt')).toBe(423)
    await send(anna, 'UNLOCK', path, { headers: { 'lock-token': String(lock.headers['lock-token']) } })
    expect(await put('开/3.txt')).toBe(201)
  })

  test('a file that may only be looked at is listed without its hash, and not handed out or copied', async () => {
    const folderId = await anna.folder(anna.library, '看')
    await anna.upload(folderId, '看.txt', 'nur schauen')
    await anna.shares({ folderId: anna.library }, [{ to: ben, rights: rightsGroup.preview }])
    const path = `${root}/看/看.txt`
    const listed = await send(ben, 'PROPFIND', path, { headers: { depth: '0' } })
    expect(listed.status).toBe(207)
    expect(listed.text).not.toContain('getetag')
    const propfind = '<propfind xmlns="DAV:"><prop><o:permissions xmlns:o="http://owncloud.org/ns"/></prop></propfind>'
    const lettersFor = async (person: Person): Promise<string | undefined> =>
      /permissions[^>]*>([A-Z]*)</.exec(
        (await send(person, 'PROPFIND', path, { headers: { depth: '0' }, body: propfind })).text,
      )?.[1]
    expect([await lettersFor(ben), await lettersFor(anna)]).toEqual(['', 'GDNVW'])
    const whole = await send(ben, 'GET', path)
    expect([whole.status, whole.text]).toEqual([403, (await send(ben, 'GET', path)).text])
    expect(whole.text).toContain('<code xmlns="urn:cloudoc">noPermission</code>')
    expect((await send(ben, 'HEAD', path)).status).toBe(403)
    const part = await send(ben, 'GET', path, { headers: { range: 'bytes=0-3' } })
    expect([part.status, part.text.includes('nur')]).toEqual([403, false])
    expect((await send(anna, 'GET', path, { headers: { range: 'bytes=0-2' } })).text).toBe('nur')
    const own = `/dav/${encodeURIComponent(await libraryOf(ben))}`
    const destination = `${own}/看.txt`
    expect((await send(ben, 'COPY', path, { headers: { destination } })).status).toBe(403)
    expect((await send(ben, 'PUT', path, { body: 'x' })).status).toBe(403)
    expect((await send(ben, 'PUT', `${root}/看/neu.txt`, { body: 'x' })).status).toBe(403)
  })
})

describe('where downloads must be encrypted', () => {
  test('[R205] the drive of Windows lists and stores, and reads no content', async () => {
    const admin = await world.admin()
    const path = `${root}/密件.txt`
    const agent = { 'user-agent': 'Microsoft-WebDAV-MiniRedir/10.0.19045' }
    await admin.call('setServerSetting', { encryption_download: true })
    try {
      expect((await send(anna, 'PUT', path, { body: 'plain', headers: agent })).status).toBe(201)
      expect((await send(anna, 'PROPFIND', root, { headers: { ...agent, depth: '1' } })).text).toContain('密件.txt')
      for (const method of ['GET', 'HEAD']) {
        const { status, text } = await send(anna, method, path, { headers: agent })
        expect([method, status, text.includes('plain')]).toEqual([method, 403, false])
      }
      expect((await send(anna, 'GET', path, { headers: { 'user-agent': 'davfs2/1.7.0' } })).text).toBe('plain')
      expect((await send(anna, 'DELETE', path, { headers: agent })).status).toBe(204)
    } finally {
      await admin.call('setServerSetting', { encryption_download: false })
    }
  })
})

describe('writing', () => {
  test('the ETag is the same in PUT, GET, HEAD, PROPFIND and the calls, and does not change with names and properties', async () => {
    const put = await send(anna, 'PUT', `${root}/a b&c.txt`, { body: 'eins' })
    expect(put.status).toBe(201)
    const { etag } = put.headers
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    expect((await anna.download(Number(put.headers['oc-fileid']))).headers.etag).toBe(etag)
    const patch = '<propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">1</x></prop></set></propertyupdate>'
    expect((await send(anna, 'PROPPATCH', `${root}/a b&c.txt`, { body: patch })).status).toBe(207)
    for (const method of ['GET', 'HEAD'])
      expect((await send(anna, method, `${root}/a b&c.txt`)).headers['etag']).toBe(etag)
    const destination = `${encodeURI(root)}/a2.txt`
    expect((await send(anna, 'MOVE', `${root}/a b&c.txt`, { headers: { destination } })).status).toBe(201)
    const listed = await send(anna, 'PROPFIND', `${root}/`, { headers: { depth: '1' } })
    expect(listed.text).toContain(`<d:getetag>${String(etag).replaceAll('"', '&quot;')}</d:getetag>`)
  })

  test('of eight who write on one version by If-Match, on two processes, one does', async () => {
    const peer = await openWorld({ peer: world, elected: false })
    const { headers } = await send(anna, 'PUT', `${root}/wett.txt`, { body: 'erst' })
    const etag = String(headers['etag'])
    const done = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        send(anna, 'PUT', `${root}/wett.txt`, {
          headers: { 'if-match': etag },
          body: `nummer ${n}`,
          at: n % 2 === 0 ? world : peer,
        }),
      ),
    )
    expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      204,
      ...Array.from({ length: 7 }, () => 412),
    ])
    const fresh = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        send(anna, 'PUT', `${root}/frisch.txt`, { headers: { 'if-none-match': '*' }, body: `nummer ${n}` }),
      ),
    )
    expect(fresh.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(fresh.filter(({ status }) => status === 405 || status === 412)).toHaveLength(3)
  })

  test('a PUT with a checksum that is sent again gets its first answer, and stores nothing more', async () => {
    const path = `${root}/wieder.txt`
    const put = async (body: string, headers: Record<string, string>, sum = body) => {
      const checksum = `SHA1:${createHash('sha1').update(sum).digest('hex')}`
      const length = String(Buffer.byteLength(body))
      const sent = { 'oc-checksum': checksum, 'content-length': length, ...headers }
      const { status, headers: answered } = await send(anna, 'PUT', path, { headers: sent, body })
      return [status, answered['etag'], answered['oc-fileid']]
    }
    const first = await put('eins', { 'if-none-match': '*' })
    expect(first[0]).toBe(201)
    expect(await put('eins', { 'if-none-match': '*' })).toEqual(first)
    expect((await put('zwei', { 'if-none-match': '*' }))[0]).toBe(412)
    const known = { 'if-match': String(first[1]) }
    const second = await put('zwei', known)
    expect(second[0]).toBe(204)
    expect(await put('zwei', known)).toEqual(second)
    // Another body of this length, a sum of another body, and a request without one.
    expect((await put('drei', known))[0]).toBe(412)
    expect((await put('zwei', known, 'drei'))[0]).toBe(400)
    expect((await send(anna, 'PUT', path, { headers: known, body: 'zwei' })).status).toBe(412)
    expect(await anna.call('getFileInfo', { fileId: Number(first[2]) })).toMatchObject({ version: 2 })
  })

  test('a body of another length or hash than announced leaves the content as it was', async () => {
    await send(anna, 'PUT', `${root}/heil.txt`, { body: 'heil' })
    const bad: Record<string, string>[] = [
      { 'oc-checksum': `SHA1:${'0'.repeat(40)}` },
      { 'x-expected-entity-length': '3' },
      { 'oc-total-length': '400' },
      { 'content-range': 'bytes 0-3/9' },
    ]
    for (const headers of bad)
      expect((await send(anna, 'PUT', `${root}/heil.txt`, { headers, body: 'kaputt' })).status).toBe(400)
    expect((await send(anna, 'GET', `${root}/heil.txt`)).text).toBe('heil')
  })

  test('a body that breaks off leaves the content as it was, and the file is free at once', async () => {
    await send(anna, 'PUT', `${root}/ab.txt`, { body: 'ganz' })
    const cuts: [Record<string, string>, string][] = [
      [{ 'transfer-encoding': 'chunked' }, '4\r\nhalb\r\n'],
      [{ 'content-length': '8' }, 'halb'],
    ]
    for (const [headers, begun] of cuts) {
      const request = await sendRaw(`${root}/ab.txt`, headers, begun)
      request.end()
      // The answer, or the end of the connection, comes when the server has given the body up.
      expect(statusIn(await request.answer)).not.toMatch(/^2/)
      expect((await send(anna, 'GET', `${root}/ab.txt`)).text).toBe('ganz')
    }
    expect((await send(anna, 'PUT', `${root}/ab.txt`, { body: 'neu' })).status).toBe(204)
  })

  test('a body of the Finder is stored as a streaming or a buffering proxy passes it on, and none where it was dropped', async () => {
    const path = `${root}/finder.txt`
    const expected = { 'x-expected-entity-length': '5', 'user-agent': 'WebDAVFS/3.0.0 (03008000) Darwin/23.0.0' }
    const put = async (headers: Record<string, string>, body: string): Promise<string> =>
      statusIn(await (await sendRaw(path, { ...headers, connection: 'close' }, body)).answer)
    const chunked = { 'transfer-encoding': 'chunked' }
    expect(await put({ ...expected, ...chunked }, '5\r\neins!\r\n0\r\n\r\n')).toBe('201')
    expect((await send(anna, 'GET', path)).text).toBe('eins!')
    expect(await put({ ...expected, 'content-length': '5' }, 'zwei!')).toBe('204')
    expect((await send(anna, 'GET', path)).text).toBe('zwei!')
    // A proxy that knows no chunks passes an empty body on.
    expect(await put({ ...expected, 'content-length': '0' }, '')).toBe('400')
    expect(await put({ ...expected, ...chunked }, '0\r\n\r\n')).toBe('400')
    expect(await put({ ...expected, ...chunked }, '6\r\nmehr!!\r\n0\r\n\r\n')).toBe('400')
    expect((await send(anna, 'GET', path)).text).toBe('zwei!')
    expect(await put({ ...chunked }, '0\r\n\r\n')).toBe('204')
    expect((await send(anna, 'GET', path)).text).toBe('')
  })

  test('a decomposed name is the composed one', async () => {
    await send(anna, 'PUT', `${root}/Übung.txt`.normalize('NFC'), { body: '1' })
    expect((await send(anna, 'PUT', `${root}/Übung.txt`.normalize('NFD'), { body: '2' })).status).toBe(204)
    expect((await send(anna, 'GET', `${root}/Übung.txt`.normalize('NFC'))).text).toBe('2')
    expect((await send(anna, 'MKCOL', `${root}/Übung.txt`.normalize('NFD'))).status).toBe(405)
    const folder = `${root}/Ärzte`
    expect((await send(anna, 'MKCOL', folder.normalize('NFD'))).status).toBe(201)
    expect((await send(anna, 'MKCOL', folder.normalize('NFC'))).status).toBe(405)
    await send(anna, 'PUT', `${folder}/Öl.txt`.normalize('NFD'), { body: 'Öl' })
    // Whatever form is asked for, what is there is called by its stored name.
    for (const form of ['NFC', 'NFD']) {
      const { text } = await send(anna, 'PROPFIND', folder.normalize(form), { headers: { depth: '1' } })
      const named = (name: string): string[] =>
        [...text.matchAll(new RegExp(`<d:${name}>([^<]*)</d:${name}>`, 'g'))].map(([, value = '']) => value)
      expect([form, named('displayname')]).toEqual([form, ['Ärzte', 'Öl.txt'].map((name) => name.normalize('NFC'))])
      expect([form, named('href')[1]?.split('/').at(-1)]).toEqual([form, encodeURIComponent('Öl.txt'.normalize('NFC'))])
    }
    const destination = encodeURI(`${root}/Übung.txt`.normalize('NFD'))
    expect((await send(anna, 'MOVE', `${folder}/Öl.txt`, { headers: { destination } })).status).toBe(204)
    expect((await send(anna, 'GET', `${root}/Übung.txt`.normalize('NFC'))).text).toBe('Öl')
  })

  test('MOVE: the path of the destination decides, not its scheme or port; another host is refused', async () => {
    await send(anna, 'PUT', `${root}/von.txt`, { body: 'v' })
    const to = async (destination: string): Promise<number> =>
      (await send(anna, 'MOVE', `${root}/von.txt`, { headers: { destination } })).status
    expect(await to('https://elsewhere.example/dav/x.txt')).toBe(502)
    expect(await to(`${encodeURI(root)}/../x.txt`)).toBe(400)
    expect(await to(`${encodeURI(root)}/%ff.txt`)).toBe(400)
    expect(await to('')).toBe(400)
    expect(await to('/dav/Neue%20Bibliothek')).toBe(403)
    expect(await to(`http://127.0.0.1${encodeURI(root)}/%2e%2e/x.txt`)).toBe(400)
    expect(await to(`http://127.0.0.1/other${encodeURI(root)}/x.txt`)).toBe(400)
    expect(await to(`//127.0.0.1${encodeURI(root)}/x.txt`)).toBe(400)
    expect(await to(`https://127.0.0.1:8443${encodeURI(root)}/nach.txt`)).toBe(201)
    expect(
      (await send(anna, 'MOVE', `${root}/nach.txt`, { headers: { destination: `${encodeURI(root)}/NACH.txt` } }))
        .status,
    ).toBe(201)
    // Decoded once: the name has a percent sign.
    expect(
      (await send(anna, 'MOVE', `${root}/NACH.txt`, { headers: { destination: `${encodeURI(root)}/50%2541.txt` } }))
        .status,
    ).toBe(201)
    expect((await anna.names(anna.library)).filter((name) => name.startsWith('50'))).toEqual(['50%41.txt'])
  })

  test('behind a proxy the public name is one of this server, in Destination and in If', async () => {
    const at = await openWorld({ peer: world, elected: false, publicUrl: 'https://drive.example.com' })
    await send(anna, 'PUT', `${root}/draußen.txt`, { body: 'd', at })
    const address = encodeURI(`https://drive.example.com${root}/draußen.txt`)
    const lock = await send(anna, 'LOCK', `${root}/draußen.txt`, { body: lockBody, at })
    const named = { if: `<${address}> (${String(lock.headers['lock-token'])})` }
    expect((await send(anna, 'PUT', `${root}/draußen.txt`, { body: 'e', headers: named, at })).status).toBe(204)
    const elsewhere = { if: named.if.replace('drive.example', 'other.example') }
    expect((await send(anna, 'PUT', `${root}/draußen.txt`, { body: 'f', headers: elsewhere, at })).status).toBe(412)
    const destination = address.replace('https', 'http').replace('.txt', '2.txt')
    expect((await send(anna, 'MOVE', `${root}/draußen.txt`, { headers: { ...named, destination }, at })).status).toBe(
      201,
    )
  })

  test('what is replaced by MOVE or COPY is in the recycle bin', async () => {
    await send(anna, 'PUT', `${root}/neu.txt`, { body: 'neu' })
    await send(anna, 'PUT', `${root}/alt.txt`, { body: 'alt' })
    const destination = `${encodeURI(root)}/alt.txt`
    expect((await send(anna, 'COPY', `${root}/neu.txt`, { headers: { destination, overwrite: 'F' } })).status).toBe(412)
    expect((await send(anna, 'MOVE', `${root}/neu.txt`, { headers: { destination } })).status).toBe(204)
    expect((await send(anna, 'GET', `${root}/alt.txt`)).text).toBe('neu')
    const { list } = await anna.call('getRecycleList', {})
    expect(list.map(({ fName }) => fName)).toContain('alt.txt')
  })

  test('a MOVE that replaces and renames is one change with the audit rows of its calls, a refused one none at all', async () => {
    const folderId = await anna.folder(anna.library, '同交')
    const [from, to] = [await anna.folder(folderId, '甲'), await anna.folder(folderId, '乙')]
    const fileId = await anna.upload(from, '一.txt', 'neu')
    await anna.upload(to, '二.txt', 'alt')
    const audited = async (): Promise<string[]> =>
      (
        await world.app.db
          .selectFrom('audit')
          .select(['call', 'at'])
          .where('account_id', '=', anna.userId)
          .where('call', 'in', ['fileOrFolderDelete', 'fileOrFolderMove', 'renameFile'])
          .orderBy('id')
          .execute()
      ).map(({ call }) => call)
    const before = (await audited()).length
    const move = async (name: string): Promise<number> => {
      const headers = { destination: `${encodeURI(root)}${encodeURI(`/同交/乙/${name}`)}` }
      return (await send(anna, 'MOVE', `${root}/同交/甲/一.txt`, { headers })).status
    }
    // The last of the three calls refuses: no file may become one of that kind.
    await anna.upload(to, '三.exe', 'bleibt')
    const admin = await world.admin()
    await admin.call('setServerSetting', { upload_types_denied: ['exe'] })
    try {
      expect(await move('三.exe')).toBe(403)
    } finally {
      await admin.call('setServerSetting', { upload_types_denied: [] })
    }
    expect((await send(anna, 'GET', `${root}/同交/乙/三.exe`)).text).toBe('bleibt')
    expect((await send(anna, 'GET', `${root}/同交/甲/一.txt`)).text).toBe('neu')
    expect((await audited()).slice(before)).toEqual([])
    expect(await move('二.txt')).toBe(204)
    expect((await audited()).slice(before)).toEqual(['fileOrFolderDelete', 'fileOrFolderMove', 'renameFile'])
    expect((await send(anna, 'GET', `${root}/同交/乙/二.txt`)).text).toBe('neu')
    expect((await anna.call('getFileInfo', { fileId })).fName).toBe('二.txt')
  })

  test('MOVE takes another name on the way, whoever holds the two names in the two folders', async () => {
    for (const path of ['von', 'zu']) expect((await send(anna, 'MKCOL', `${root}/${path}`)).status).toBe(201)
    for (const path of ['von/a.txt', 'von/b.txt', 'zu/a.txt'])
      await send(anna, 'PUT', `${root}/${path}`, { body: path })
    const destination = `${encodeURI(root)}/zu/b.txt`
    expect((await send(anna, 'MOVE', `${root}/von/a.txt`, { headers: { destination } })).status).toBe(201)
    for (const [path, body] of [
      ['von/b.txt', 'von/b.txt'],
      ['zu/a.txt', 'zu/a.txt'],
      ['zu/b.txt', 'von/a.txt'],
    ])
      expect([path, (await send(anna, 'GET', `${root}/${path}`)).text]).toEqual([path, body])
    expect((await send(anna, 'GET', `${root}/von/a.txt`)).status).toBe(404)
  })

  test('a MOVE to another library that would leave something behind is refused: it would be gone with the source', async () => {
    const cara = await world.person('davcara')
    await cara.shares({ folderId: cara.library }, [{ to: ben, rights: rightsGroup.edit }])
    const folderId = await cara.folder(cara.library, '搬走')
    const fileId = await cara.upload(await cara.folder(folderId, '里面'), '只有我.txt', 'bleibt')
    await cara.shares({ fileId }, [{ to: ben, rights: rightsGroup.invisible }])
    const [from, own] = [await libraryOf(cara), await libraryOf(ben)].map((name) => `/dav/${encodeURIComponent(name)}`)
    const headers = { destination: `${own}/${encodeURI('搬走')}` }
    const move = async (): Promise<number> => (await send(ben, 'MOVE', `${from}/搬走`, { headers })).status
    expect(await move()).toBe(403)
    expect(await cara.names(cara.library)).toContain('搬走')
    expect(await ben.names(ben.library)).not.toContain('搬走')
    await cara.shares({ fileId }, [])
    expect(await move()).toBe(201)
    expect((await send(ben, 'GET', `${own}/搬走/里面/只有我.txt`)).text).toBe('bleibt')
    expect(await cara.names(cara.library)).not.toContain('搬走')
  })

  test('a MOVE or COPY that is refused leaves what stands at the destination', async () => {
    const folderId = await anna.folder(anna.library, '只给看')
    await anna.upload(folderId, '看.txt', 'nur schauen')
    await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.preview }])
    const own = `/dav/${encodeURIComponent(await libraryOf(ben))}`
    expect((await send(ben, 'PUT', `${own}/bleibt.txt`, { body: 'bleibt' })).status).toBe(201)
    for (const method of ['MOVE', 'COPY']) {
      const headers = { destination: `${own}/bleibt.txt` }
      expect([method, (await send(ben, method, `${root}/只给看/看.txt`, { headers })).status]).toEqual([method, 403])
      expect([method, (await send(ben, 'GET', `${own}/bleibt.txt`)).text]).toEqual([method, 'bleibt'])
    }
  })
})

describe('locks', () => {
  test('a locked file is locked in the page too, and the edit lock of a page holds on the drive', async () => {
    const folderId = await anna.folder(anna.library, '同改')
    const fileId = await anna.upload(folderId, '同改.txt', 'eins')
    await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
    const path = `${root}/同改/同改.txt`
    const { headers, text } = await send(anna, 'LOCK', path, { body: lockBody, headers: { timeout: 'Second-60' } })
    expect(text).toContain('Second-60')
    expect(await ben.call('getFileLock', { fileId })).toMatchObject({ editorId: anna.userId })
    expect(await ben.refusal('fileEditLock', { fileId })).toBe('fileLocked')
    expect((await send(anna, 'PUT', path, { body: 'ohne Zeichen' })).status).toBe(423)
    const token = String(headers['lock-token'])
    expect((await send(anna, 'PUT', path, { body: 'zwei', headers: { if: `(${token})` } })).status).toBe(204)
    expect((await send(anna, 'PUT', path, { body: 'drei', headers: { 'lock-token': token } })).status).toBe(204)
    expect((await send(anna, 'UNLOCK', path, { headers: { 'lock-token': token } })).status).toBe(204)
    expect(await ben.call('getFileLock', { fileId })).toMatchObject({ editorId: -1 })
    await ben.call('fileEditLock', { fileId })
    expect((await send(anna, 'PUT', path, { body: 'x' })).status).toBe(423)
    expect((await send(anna, 'LOCK', path, { body: lockBody })).status).toBe(423)
    const destination = `${encodeURI(root)}/weg.txt`
    expect((await send(anna, 'MOVE', path, { headers: { destination } })).status).toBe(423)
    expect((await send(anna, 'DELETE', path)).status).toBe(423)
    expect((await send(anna, 'GET', path)).text).toBe('drei')
  })

  test('who edits a file in the page locks and saves it in a program too, and keeps it from everybody else', async () => {
    const folderId = await anna.folder(anna.library, '两处')
    const fileId = await anna.upload(folderId, '两处.docx', 'eins')
    await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
    const path = `${root}/两处/两处.docx`
    await anna.call('fileEditLock', { fileId })
    expect((await send(ben, 'LOCK', path, { body: lockBody })).status).toBe(423)
    const lock = await send(anna, 'LOCK', path, { body: lockBody })
    expect([lock.status, lock.text.includes('<d:activelock>')]).toEqual([200, true])
    const token = String(lock.headers['lock-token'])
    expect((await send(anna, 'PUT', path, { body: 'ohne Zeichen' })).status).toBe(423)
    expect((await send(ben, 'PUT', path, { body: 'Ben', headers: { if: `(${token})` } })).status).toBe(423)
    for (const body of ['Programm', 'noch einmal']) {
      expect((await send(anna, 'PUT', path, { body, headers: { if: `(${token})` } })).status).toBe(204)
      // The page renews its lock, and the program saves again.
      await anna.call('fileEditLock', { fileId })
    }
    expect((await send(anna, 'GET', path)).text).toBe('noch einmal')
    expect(await ben.refusal('fileEditLock', { fileId })).toBe('fileLocked')
    expect((await anna.submit(fileId, 3, 'Seite')).code).toBe('success')
    expect((await send(anna, 'UNLOCK', path, { headers: { 'lock-token': token } })).status).toBe(204)
    expect(await ben.call('getFileLock', { fileId })).toMatchObject({ editorId: anna.userId })
    // The page ends first: the program goes on with the lock alone.
    const again = String((await send(anna, 'LOCK', path, { body: lockBody })).headers['lock-token'])
    await anna.call('fileEditUnlock', { fileId })
    expect((await send(anna, 'LOCK', path, { headers: { if: `(${again})` } })).status).toBe(200)
    expect(await ben.refusal('fileEditLock', { fileId })).toBe('fileLocked')
    expect((await send(anna, 'UNLOCK', path, { headers: { 'lock-token': again } })).status).toBe(204)
    await ben.call('fileEditLock', { fileId })
  })

  test('a lock that was taken away by force, or given to another person, ends on the drive too', async () => {
    const folderId = await anna.folder(anna.library, '强制')
    const fileId = await anna.upload(folderId, '强制.txt', 'eins')
    await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
    const path = `${root}/强制/强制.txt`
    const lock = await send(ben, 'LOCK', path, { body: lockBody })
    expect((await send(anna, 'LOCK', path, { body: lockBody })).status).toBe(423)
    await anna.call('forceUnlockFiles', { fileIdArray: [fileId], all: true })
    const named = { if: `(${String(lock.headers['lock-token'])})` }
    expect((await send(ben, 'PUT', path, { body: 'zu spät', headers: named })).status).toBe(412)
    expect((await send(anna, 'LOCK', path, { body: lockBody })).status).toBe(200)
    expect((await send(anna, 'GET', path)).text).toBe('eins')
  })

  test('a copy of an Office program counts as current by an equal ETag alone, and never while the file is locked', async () => {
    const path = `${root}/alt.docx`
    const etag = String((await send(anna, 'PUT', path, { body: 'w' })).headers['etag'])
    const office = { translate: 'f', 'user-agent': 'Microsoft Office Word 2014' }
    const get = async (known: string): Promise<number> =>
      (await send(anna, 'GET', path, { headers: { ...office, 'if-none-match': known } })).status
    expect([await get(etag), await get('"anders"')]).toEqual([304, 200])
    const later = new Date(Date.now() + 1000).toUTCString()
    expect((await send(anna, 'GET', path, { headers: { ...office, 'if-modified-since': later } })).status).toBe(200)
    const lock = await send(anna, 'LOCK', path, { body: lockBody })
    expect(await get(etag)).toBe(200)
    await send(anna, 'UNLOCK', path, { headers: { 'lock-token': String(lock.headers['lock-token']) } })
    expect(await get(etag)).toBe(304)
  })

  test('a file that is being signed is changed by no method, and read by all', async () => {
    const admin = await world.admin()
    await admin.call('createSignAuthority', { name: '网络驱动器公司' })
    const folderId = await anna.folder(anna.library, '签署')
    const fileId = await anna.upload(folderId, '合同.pdf', await contract())
    await anna.call('launchSign', {
      ...{ fileId, archiveFolderId: folderId, title: '合同', order: false, singerList: [{ userId: ben.userId }] },
    })
    const path = `${root}/签署/合同.pdf`
    const before = (await send(anna, 'GET', path)).headers['etag']
    const destination = `${encodeURI(root)}/weg.pdf`
    expect((await send(anna, 'PUT', path, { body: 'x' })).status).toBe(423)
    expect((await send(anna, 'LOCK', path, { body: lockBody })).status).toBe(423)
    expect((await send(anna, 'MOVE', path, { headers: { destination } })).status).toBe(423)
    expect((await send(anna, 'DELETE', path)).status).toBe(423)
    await send(anna, 'PUT', `${root}/über.pdf`, { body: 'über' })
    const over = { destination: encodeURI(path) }
    for (const method of ['COPY', 'MOVE'])
      expect([method, (await send(anna, method, `${root}/über.pdf`, { headers: over })).status]).toEqual([method, 423])
    expect((await send(anna, 'GET', path)).headers['etag']).toBe(before)
    expect((await send(anna, 'GET', `${root}/über.pdf`)).text).toBe('über')
  })

  test('of two who lock at the same moment one does', async () => {
    await send(anna, 'PUT', `${root}/schloss.txt`, { body: 's' })
    const both = await Promise.all([1, 2].map(() => send(anna, 'LOCK', `${root}/schloss.txt`, { body: lockBody })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 423])
  })
})

describe('the drive of Windows', () => {
  test('its owner is told once for each token that it opens no large file, when it first lists one', async () => {
    const folderId = await anna.folder(anna.library, '大文件')
    const fileId = await anna.upload(folderId, '影片.mp4', 'x')
    const setSize = (size: number) =>
      world.app.db.updateTable('item').set({ size }).where('id', '=', fileId).executeTakeFirst()
    const make = (name: string) => anna.call('createMyProgram', { kind: 'app', name, days: 30 })
    const [one, other] = [await make('会议室电脑'), await make('家里电脑')]
    const list = ({ token }: { readonly token: string }, agent: string, path = `${root}/大文件`) => {
      const authorization = `Basic ${Buffer.from(`${anna.account}:${token}`).toString('base64')}`
      return send(anna, 'PROPFIND', path, { headers: { depth: '1', 'user-agent': agent, authorization } })
    }
    const told = async (): Promise<number[]> => {
      await world.app.settle()
      const { list: notices } = await anna.call('getNoticeList', { group: 'reminder', unread: true, rows: 100 })
      return notices.map(({ message }) => (JSON.parse(message) as { programId: number }).programId)
    }
    const windows = 'Microsoft-WebDAV-MiniRedir/10.0.22631'
    await setSize(50_000_000)
    await list(one, windows)
    await setSize(50_000_001)
    await list(one, 'rclone/v1.60')
    expect(await told()).toEqual([])
    expect([(await list(one, windows)).status, (await list(one, windows)).status]).toEqual([207, 207])
    expect(await told()).toEqual([one.programId])
    await list(other, windows, `${root}/大文件/影片.mp4`)
    expect(new Set(await told())).toEqual(new Set([one.programId, other.programId]))
  })
})

describe('what is left behind', () => {
  test('a request registers nothing that the process keeps', async () => {
    await send(anna, 'PUT', `${root}/spur.txt`, { body: 'x' })
    const { invalidations } = world.app.services
    const follow = vi.spyOn(invalidations, 'follow')
    for (const method of ['PUT', 'GET', 'DELETE']) await send(anna, method, `${root}/spur.txt`, { body: '' })
    expect(follow).not.toHaveBeenCalled()
    follow.mockRestore()
  })
})

describe('properties', () => {
  test('a folder of more than a page is listed whole', async () => {
    const folderId = await anna.folder(anna.library, '满')
    const paths = Array.from({ length: 1003 }, (_, n) => `n${n}`)
    for (let at = 0; at < paths.length; at += 200)
      await anna.call('createFolderByPathList', { folderId, pathList: paths.slice(at, at + 200) })
    const { text } = await send(anna, 'PROPFIND', `${root}/满`, { headers: { depth: '1' } })
    expect(text.match(/<d:response>/g)).toHaveLength(1004)
    const origin = `http://127.0.0.1:${await world.port()}`
    const basic = Buffer.from(`${anna.account}:${secretOf(anna)}`).toString('base64')
    const packed = await fetch(`${origin}${encodeURI(`${root}/满`)}`, {
      method: 'PROPFIND',
      headers: { authorization: `Basic ${basic}`, depth: '1', 'accept-encoding': 'gzip' },
    })
    expect([packed.status, packed.headers.get('content-encoding')]).toEqual([207, 'gzip'])
    expect(await packed.text()).toBe(text)
  })

  test('bad bodies, entities and an infinite depth are refused', async () => {
    const ask = async (body: string, depth = '0'): Promise<number> =>
      (await send(anna, 'PROPFIND', root, { body, headers: { depth } })).status
    expect(await ask('<propfind')).toBe(400)
    expect(await ask('<!DOCTYPE a [<!ENTITY b "c">]><propfind xmlns="DAV:"><allprop/></propfind>')).toBe(400)
    expect(await ask(`<propfind xmlns="DAV:"><prop>${'<a/>'.repeat(501)}</prop></propfind>`)).toBe(400)
    expect(await ask('<propfind xmlns="DAV:"><allprop/></propfind>', 'infinity')).toBe(403)
    expect(await ask('<propfind xmlns="DAV:"><prop><quota-used-bytes/></prop></propfind>')).toBe(207)
  })
})

// Files that a client of ownCloud's protocol puts, changes, moves and removes come back byte for byte.
longTest('rclone copies a folder there and back without a difference', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rclone-'))
  try {
    await mkdir(join(folder, 'a/b'), { recursive: true })
    for (let n = 0; n < 200; n += 1)
      await writeFile(join(folder, n % 3 === 0 ? 'a/b' : 'a', `文件 ${n}&.txt`), 'x'.repeat(n * 37))
    const config = join(folder, 'rclone.conf')
    await writeFile(config, '')
    const url = `http://127.0.0.1:${await world.port()}${root}/rclone`
    const run = (...args: string[]) =>
      promisify(execFile)('rclone', ['--config', config, ...args], { timeout: 120_000 })
    const { stdout } = await run('obscure', secretOf(anna))
    const remote = `:webdav,vendor=owncloud,url='${url}',user=${anna.account},pass=${stdout.trim()}:`
    await anna.folder(anna.library, 'rclone')
    await run('sync', join(folder, 'a'), remote)
    await run('check', join(folder, 'a'), remote)
    for (const name of (await readdir(join(folder, 'a'))).filter((_, n) => n % 5 === 1)) {
      if (name === 'b') continue
      await writeFile(join(folder, 'a', name), 'anders')
    }
    await run('sync', join(folder, 'a'), remote)
    await run('check', join(folder, 'a'), remote)
    await run('sync', remote, join(folder, 'c'))
    await run('check', join(folder, 'a'), join(folder, 'c'))
    expect((await readFile(join(folder, 'c', '文件 1&.txt'))).length).toBeGreaterThan(0)
  } finally {
    await rm(folder, { recursive: true })
  }
})
