import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { type CodeName, codes, limits } from '@cloudoc/domain'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { DetailedError, Upload, type UploadOptions } from 'tus-js-client'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contentsOf } from '../../../test/contents.ts'
import { openWorld, Person, type World } from '../../../test/harness.ts'
import { Pauses } from '../../../test/pauses.ts'
import { RawRequest } from '../../../test/raw-http.ts'
import { removeExpiredUploads } from './uploads.ts'

const path = '/services2/upload/tus'
const partBytes = 1000
const pauses = new Pauses()

let world: World
let beside: World
let origin: string
let anna: Person
let runs = 0

beforeAll(async () => {
  world = await openWorld({ elected: false, partBytes, pause: pauses.at })
  beside = await openWorld({ elected: false, partBytes, peer: world })
  origin = `http://127.0.0.1:${await world.port()}`
})

beforeEach(async () => {
  runs += 1
  anna = await world.person(`anna${runs}`)
})

/** Uploads with a tus client. Resolves when the client reports success. */
function upload(content: Buffer, more: Partial<UploadOptions> = {}): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const running: Upload = new Upload(content, {
      endpoint: `${origin}${path}`,
      headers: { authorization: `Bearer ${anna.token}` },
      retryDelays: null,
      ...more,
      metadata: { filename: 'a.bin', filetype: 'application/x', folderId: String(anna.library), ...more.metadata },
      onError: reject,
      onSuccess: () => resolve(running),
    })
    running.start()
  })
}

async function codeOf(failing: Promise<unknown>): Promise<[number, number]> {
  const error: unknown = await failing.catch((reason: unknown) => reason)
  if (!(error instanceof DetailedError)) return expect.fail(String(error))
  const response = error.originalResponse
  return [response?.getStatus() ?? 0, (JSON.parse(response?.getBody() || '{}') as { result: number }).result]
}

const encode = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** A raw request without the tus client. */
async function ask(
  method: NonNullable<InjectOptions['method']>,
  url: string,
  headers: Record<string, string | number> = {},
  payload?: Buffer | string,
  who = anna,
): Promise<LightMyRequestResponse> {
  return who.world.app.http.inject({
    method,
    url,
    headers: { 'tus-resumable': '1.0.0', authorization: `Bearer ${who.token}`, ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
}

const bytesType = { 'content-type': 'application/offset+octet-stream' }

async function begin(size: number, metadata: Record<string, string> = {}): Promise<string> {
  const fields = { folderId: String(anna.library), filename: 'a.bin', ...metadata }
  const response = await ask('POST', path, { 'upload-length': size, 'upload-metadata': encode(fields) })
  expect(response.statusCode).toBe(201)
  return String(response.headers['location'])
}

const send = (url: string, offset: number, bytes: Buffer | string, headers: Record<string, string> = {}, who = anna) =>
  ask('PATCH', url, { ...bytesType, 'upload-offset': offset, ...headers }, bytes, who)

const offsetOf = async (url: string): Promise<number> => Number((await ask('HEAD', url)).headers['upload-offset'])

const fileIn = async (name = 'a.bin'): Promise<Buffer> => {
  const { list } = await anna.call('getSubItemList3', { folderId: anna.library, rows: 100 })
  const item = list.find(({ fName }) => fName === name) ?? expect.fail(`no ${name}`)
  return (await anna.download(item.fId)).rawPayload
}

describe('tus-js-client', () => {
  test.each([
    ['in one request', {}],
    ['in requests that are no multiple of a part', { chunkSize: 777 }],
    ['with the creation', { uploadDataDuringCreation: true }],
    ['with a part of it in the creation', { uploadDataDuringCreation: true, chunkSize: 1500 }],
    ['by POST alone', { overridePatchMethod: true, chunkSize: 2500 }],
    ['with a length that divides evenly', { chunkSize: partBytes }],
  ] as const)('[R197] [R398] stores a file %s, byte for byte', async (_how, options) => {
    for (const size of [0, 1, partBytes, 5 * partBytes + 123]) {
      const content = randomBytes(size)
      await upload(content, { ...options, metadata: { filename: `${size}.bin` } })
      expect((await fileIn(`${size}.bin`)).equals(content)).toBe(true)
    }
  })

  test('[R398] goes on after a broken connection, through another process, and after a reload of the page', async () => {
    const content = randomBytes(20 * partBytes)
    const proxy = await Proxy.open([await world.port(), await beside.port()])
    const offsets: number[] = []
    const options: Partial<UploadOptions> = { endpoint: `${proxy.origin}${path}`, chunkSize: 4 * partBytes }
    // The page is closed in the middle of the upload.
    const begun = await new Promise<string>((resolve, reject) => {
      const first: Upload = new Upload(content, {
        ...options,
        headers: { authorization: `Bearer ${anna.token}` },
        retryDelays: null,
        metadata: { filename: 'a.bin', folderId: String(anna.library) },
        onChunkComplete: (_size, offset) => {
          if (offset < 8 * partBytes) return
          first.abort().then(() => resolve(first.url ?? ''), reject)
        },
        onError: reject,
      })
      first.start()
    })
    // The connection breaks after a number of bytes; each new one goes to the other process.
    proxy.cutAfter(9000)
    await upload(content, {
      ...options,
      uploadUrl: begun,
      retryDelays: Array.from({ length: 20 }, () => 0),
      onChunkComplete: (_size, offset) => void offsets.push(offset),
    })
    expect(offsets.length).toBeGreaterThan(1)
    expect(proxy.connections).toBeGreaterThan(2)
    expect((await fileIn()).equals(content)).toBe(true)
    proxy.close()
  })

  test('[R207] is told the code of every refusal', async () => {
    const admin = await world.admin()
    const other = await world.person(`other${runs}`)
    const cases: [number, CodeName, Partial<UploadOptions>][] = [
      [401, 'notLoggedIn', { headers: { authorization: 'Bearer no' } }],
      [404, 'notFound', { metadata: { folderId: String(other.library) } }],
      [404, 'notFound', { metadata: { folderId: '987654321' } }],
      [400, 'badRequest', { metadata: { folderId: 'x' } }],
      [422, 'illegalName', { metadata: { filename: 'con.txt' } }],
      [422, 'nameTooLong', { metadata: { filename: 'x'.repeat(300) } }],
      [422, 'alreadyExists', { metadata: { filename: 'taken.bin' } }],
      [403, 'typeRestricted', { metadata: { filename: 'a.exe' } }],
      [403, 'secretLevel', { metadata: { secretLevel: '3' } }],
    ]
    await anna.upload(anna.library, 'taken.bin')
    await admin.call('setServerSetting', { upload_types_denied: ['exe'] })
    for (const [status, code, options] of cases) {
      expect(await codeOf(upload(randomBytes(200), options)), code).toEqual([status, codes[code].code])
    }
    await admin.call('modifyAccount', { userId: anna.userId, quota: 100 })
    expect(await codeOf(upload(randomBytes(200)))).toEqual([413, codes.userSizeExceeded.code])
    await admin.call('setServerSetting', { upload_types_denied: [] })
    expect(await anna.names(anna.library)).toEqual(['taken.bin'])
  })

  test('[R121] takes the documents’ choices for a name that is taken', async () => {
    const fileId = await anna.upload(anna.library, 'a.bin', 'old')
    await upload(Buffer.from('newer'), { metadata: { conflict: 'version' } })
    await upload(Buffer.from('beside'), { metadata: { conflict: 'keepBoth' } })
    expect(await anna.names(anna.library)).toEqual(['a (2).bin', 'a.bin'])
    expect((await anna.call('getFileInfo', { fileId })).version).toBe(2)
  })

  test('ends what it began, and nothing is left', async () => {
    const before = await contentsOf(world)
    const running = await new Promise<Upload>((resolve, reject) => {
      const one: Upload = new Upload(randomBytes(5 * partBytes), {
        endpoint: `${origin}${path}`,
        headers: { authorization: `Bearer ${anna.token}` },
        metadata: { filename: 'a.bin', folderId: String(anna.library) },
        retryDelays: null,
        chunkSize: partBytes,
        onChunkComplete: () => resolve(one),
        onError: reject,
      })
      one.start()
    })
    await running.abort(true)
    // A part that was on its way to the store is removed when its upload expires.
    const later = Date.now() + limits.uploadKnownMs
    await vi.waitFor(async () => {
      await removeExpiredUploads(world.app.db, world.app.blobs, later)
      expect(await contentsOf(world)).toEqual(before)
    }, 20_000)
    expect((await ask('HEAD', new URL(running.url ?? '').pathname)).statusCode).toBe(404)
  })
})

describe('the protocol', () => {
  test('OPTIONS says what is served, to whoever asks', async () => {
    const { statusCode, headers } = await world.app.http.inject({ method: 'OPTIONS', url: path })
    expect([statusCode, headers]).toMatchObject([
      204,
      {
        'tus-resumable': '1.0.0',
        'tus-version': '1.0.0',
        'tus-extension': 'creation,creation-with-upload,checksum,expiration,termination',
        'tus-checksum-algorithm': 'sha256,sha1',
        'tus-max-size': String(limits.largestFile),
      },
    ])
  })

  test('another version is 412 and changes nothing', async () => {
    const url = await begin(10)
    const requests: [NonNullable<InjectOptions['method']>, string][] = [
      ['POST', path],
      ['HEAD', url],
      ['PATCH', url],
      ['DELETE', url],
    ]
    for (const [method, to] of requests) {
      const { statusCode, headers } = await ask(method, to, { 'tus-resumable': '0.2.2', 'upload-length': 1 })
      expect([statusCode, headers['tus-version']]).toEqual([412, '1.0.0'])
    }
    expect(await offsetOf(url)).toBe(0)
  })

  test('HEAD gives offset, length, the metadata as they were and when it expires, and may not be stored', async () => {
    const url = await begin(10, { filetype: 'text/plain', title: '乙' })
    await send(url, 0, 'abc')
    const { statusCode, headers, body } = await ask('HEAD', url)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'upload-offset': '3',
      'upload-length': '10',
      'cache-control': 'no-store',
      'upload-metadata': encode({
        folderId: String(anna.library),
        filename: 'a.bin',
        filetype: 'text/plain',
        title: '乙',
      }),
    })
    expect(Date.parse(String(headers['upload-expires']))).toBeGreaterThan(Date.now())
    expect(body).toBe('')
  })

  test('a wrong offset is 409, a wrong type or too many bytes 400, and none of them counts', async () => {
    const url = await begin(10)
    await send(url, 0, 'abc')
    expect((await send(url, 0, 'abc')).statusCode).toBe(409)
    expect((await send(url, 4, 'abc')).statusCode).toBe(409)
    expect((await ask('PATCH', url, { ...bytesType }, 'abc')).statusCode).toBe(400)
    expect((await ask('PATCH', url, { 'content-type': 'text/plain', 'upload-offset': 3 }, 'abc')).statusCode).toBe(400)
    expect((await send(url, 3, 'defghijkl')).statusCode).toBe(400)
    expect(await offsetOf(url)).toBe(3)
    const last = await send(url, 3, 'defghij')
    expect([last.statusCode, last.headers['upload-offset']]).toEqual([204, '10'])
    expect((await anna.download(Number(last.headers['cloudoc-file-id']))).body).toBe('abcdefghij')
    // A finished upload stays finished: a repeated request is answered, and another one is refused.
    expect((await send(url, 10, '')).headers['cloudoc-file-id']).toBe(last.headers['cloudoc-file-id'])
    expect((await send(url, 3, 'x')).statusCode).toBe(409)
    expect((await ask('HEAD', url)).headers['cloudoc-file-id']).toBe(last.headers['cloudoc-file-id'])
    expect((await ask('DELETE', url)).statusCode).toBe(409)
  })

  test('a creation without a length, without a folder, or larger than a file may be is refused', async () => {
    const metadata = { 'upload-metadata': encode({ folderId: String(anna.library), filename: 'a' }) }
    expect((await ask('POST', path, metadata)).statusCode).toBe(400)
    expect((await ask('POST', path, { ...metadata, 'upload-defer-length': 1 })).statusCode).toBe(400)
    expect((await ask('POST', path, { ...metadata, 'upload-length': '-1' })).statusCode).toBe(400)
    expect((await ask('POST', path, { 'upload-length': 1 })).statusCode).toBe(400)
    const notAscii = { 'upload-metadata': `${metadata['upload-metadata']},\u00e9 YQ==` }
    expect((await ask('POST', path, { ...notAscii, 'upload-length': 1 })).statusCode).toBe(400)
    expect((await ask('POST', path, { ...metadata, 'upload-length': limits.largestFile + 1 })).statusCode).toBe(413)
    expect((await ask('POST', `${path}/x`, { 'x-http-method-override': 'BREW' })).statusCode).toBe(404)
    expect((await ask('PATCH', `${path}/x`, { ...bytesType, 'upload-offset': 0 }, 'x')).statusCode).toBe(400)
  })

  test('a checksum is asked of the whole request, which counts whole or not at all', async () => {
    const content = randomBytes(3 * partBytes + 7)
    const url = await begin(2 * content.length)
    const sum = (algorithm: string): string => `${algorithm} ${createHash(algorithm).update(content).digest('base64')}`
    expect((await send(url, 0, content, { 'upload-checksum': 'sha1 AAAA' })).statusCode).toBe(460)
    expect((await send(url, 0, content, { 'upload-checksum': 'md5 AAAA' })).statusCode).toBe(400)
    expect(await offsetOf(url)).toBe(0)
    expect((await send(url, 0, content, { 'upload-checksum': sum('sha1') })).statusCode).toBe(204)
    const id = url.slice(-24)
    const claims = () =>
      world.app.db.selectFrom('upload_part').select('number').where('upload_id', 'like', `%${id}`).execute()
    const held = (await claims()).length
    const broken = await RawRequest.open(anna, 'PATCH', url, {
      'tus-resumable': '1.0.0',
      ...bytesType,
      'upload-offset': content.length,
      'upload-checksum': sum('sha256'),
      'content-length': content.length,
    })
    broken.write(content.subarray(0, 1500))
    await vi.waitFor(async () => expect((await claims()).length).toBeGreaterThan(held), 120_000)
    broken.cut()
    await vi.waitFor(async () => expect(await claims()).toHaveLength(held), 120_000)
    expect(await offsetOf(url)).toBe(content.length)
    expect((await send(url, content.length, content, { 'upload-checksum': sum('sha256') })).statusCode).toBe(204)
    expect((await fileIn()).equals(Buffer.concat([content, content]))).toBe(true)
  })

  test('[R398] what arrived before the connection broke is kept and can be gone on with', async () => {
    const content = randomBytes(5 * partBytes)
    const url = await begin(content.length)
    const request = await RawRequest.open(anna, 'PATCH', url, {
      'tus-resumable': '1.0.0',
      ...bytesType,
      'upload-offset': 0,
      'content-length': content.length,
    })
    request.write(content.subarray(0, 2500))
    await vi.waitFor(async () => expect(await offsetOf(url)).toBe(2000), 120_000)
    request.cut()
    await vi.waitFor(async () => expect(await offsetOf(url)).toBe(2500), 120_000)
    await send(url, 2500, content.subarray(2500))
    expect((await fileIn()).equals(content)).toBe(true)
  })

  test('[R398] two requests for the same bytes never mix: one counts, the other is 409', async () => {
    const url = await begin(3 * partBytes)
    const both = [anna, new Person(beside, anna.account, anna.userId, anna.token, anna.library)]
    const answers = await Promise.all(both.map((who, n) => send(url, 0, Buffer.alloc(3 * partBytes, n + 1), {}, who)))
    for (const { statusCode } of answers) expect([204, 409, 422]).toContain(statusCode)
    for (let at = await offsetOf(url); at < 3 * partBytes; at = await offsetOf(url)) {
      expect((await send(url, at, Buffer.alloc(3 * partBytes - at, 3))).statusCode).toBe(204)
    }
    const bytes = await fileIn()
    expect(bytes.length).toBe(3 * partBytes)
    for (const at of [0, partBytes, 2 * partBytes]) expect(new Set(bytes.subarray(at, at + partBytes)).size).toBe(1)
  })

  test('[R398] a request that hung and comes back late spoils nothing of what was sent instead of it', async () => {
    const content = randomBytes(4 * partBytes)
    const url = await begin(content.length)
    const patch = { 'tus-resumable': '1.0.0', ...bytesType, 'upload-offset': 0, 'content-length': partBytes }
    const late = await RawRequest.open(anna, 'PATCH', url, patch)
    const latest = await RawRequest.open(anna, 'PATCH', url, patch)
    late.write(Buffer.alloc(500, 7))
    latest.write(Buffer.alloc(500, 8))
    const claims = () =>
      world.app.db
        .selectFrom('upload_part')
        .select('number')
        .where('upload_id', 'like', `%${url.slice(-24)}`)
        .execute()
    await vi.waitFor(async () => expect(await claims()).toHaveLength(1), 120_000)
    await send(url, 0, content.subarray(0, 300))
    await send(url, 300, content.subarray(300, 700))
    await send(url, 700, content.subarray(700, -1))
    late.write(Buffer.alloc(500, 7))
    expect((await late.answer()).status).toBe(409)
    late.cut()
    await send(url, content.length - 1, content.subarray(-1))
    // The file is stored.
    latest.write(Buffer.alloc(500, 8))
    expect((await latest.answer()).status).toBe(409)
    latest.cut()
    expect((await fileIn()).equals(content)).toBe(true)
  })

  test('what one protocol began the other does not touch', async () => {
    const url = await begin(10)
    const uploadId = url.slice(path.length + 1)
    const part = await ask('PUT', `/services2/upload/part/${uploadId}/1`, {}, 'abcdefghij')
    expect(part.json()).toMatchObject({ result: codes.notFound.code })
    const own = await anna.call('uploadOpen', { folderId: anna.library, fileName: 'b.bin', fileSize: 10 })
    expect((await send(`${path}/${own.uploadId}`, 0, 'abcde')).statusCode).toBe(404)
  })

  test('the upload of somebody else, one whose folder may not be written any more, and one that was ended are not there', async () => {
    const ben = await world.person(`ben${runs}`)
    const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'f' })
    await anna.shares({ folderId }, [{ to: ben, rights: 510 }])
    const annas = await begin(10, { folderId: String(folderId) })
    for (const method of ['HEAD', 'PATCH', 'DELETE'] as const) {
      expect((await ask(method, annas, { ...bytesType, 'upload-offset': 0 }, 'x', ben)).statusCode).toBe(404)
    }
    const asBen = await ask(
      'POST',
      path,
      { 'upload-length': 10, 'upload-metadata': encode({ folderId: String(folderId), filename: 'b' }) },
      undefined,
      ben,
    )
    const bens = String(asBen.headers['location'])
    await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
    expect((await send(bens, 0, 'x', {}, ben)).statusCode).toBe(403)
    expect((await ask('DELETE', bens, {}, undefined, ben)).statusCode).toBe(204)
    expect((await ask('DELETE', bens, {}, undefined, ben)).statusCode).toBe(404)
    expect((await ask('HEAD', annas)).statusCode).toBe(200)
  })

  test('a file that is refused at its last byte is refused again, and stored by HEAD as soon as it can be', async () => {
    const url = await begin(10)
    const taken = await anna.upload(anna.library, 'a.bin', 'somebody was faster')
    const refused = await send(url, 0, 'abcdefghij')
    expect([refused.statusCode, refused.json()]).toMatchObject([422, { result: codes.alreadyExists.code }])
    // A client would take an upload with all its bytes and no error for a stored file.
    expect((await ask('HEAD', url)).statusCode).toBe(422)
    await anna.call('renameFile', { fileId: taken, fileName: 'b.bin' })
    expect((await ask('HEAD', url)).headers['cloudoc-file-id']).toBeDefined()
    expect((await fileIn()).toString()).toBe('abcdefghij')
  })

  test('[R398] asked while it is being finished, an upload becomes one file', async () => {
    const url = await begin(10)
    await send(url, 0, 'abcde')
    const stop = pauses.hold('content kept')
    const finishing = send(url, 5, 'fghij')
    await stop.reached
    const asking = [finishing, ask('HEAD', url), ask('HEAD', url)]
    stop.release()
    const answers = await Promise.all(asking)
    const ids = answers.map(({ headers }) => headers['cloudoc-file-id'])
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toBeDefined()
    expect((await fileIn()).toString()).toBe('abcdefghij')
    expect(await anna.names(anna.library)).toEqual(['a.bin'])
  })
})

/** Forwards connections to the ports in rotation and cuts each after a number of bytes. */
class Proxy {
  connections = 0
  private readonly server: Server
  private readonly open = new Set<Socket>()
  private most = Number.POSITIVE_INFINITY

  private constructor(server: Server) {
    this.server = server
  }

  static async open(ports: readonly number[]): Promise<Proxy> {
    const server = createServer()
    const proxy = new Proxy(server)
    server.on('connection', (client) => proxy.pass(client, ports[proxy.connections % ports.length] ?? 0))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return proxy
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}`
  }

  cutAfter(bytes: number): void {
    this.most = bytes
    for (const socket of this.open) socket.destroy()
  }

  close(): void {
    this.server.close()
    for (const socket of this.open) socket.destroy()
  }

  private pass(client: Socket, port: number): void {
    this.connections += 1
    const server = connect(port, '127.0.0.1')
    let passed = 0
    client.on('data', (bytes) => {
      passed += bytes.length
      server.write(bytes)
      if (passed > this.most) server.end(() => client.destroy())
    })
    server.pipe(client)
    for (const socket of [client, server]) {
      this.open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.open.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
  }
}
