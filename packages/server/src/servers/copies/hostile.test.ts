// A malicious linked server: whatever it answers, memory and time of a copy are bounded, and other users are not
// affected.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { few, longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { type Copied, copyAcross, fakePeer } from '../../../test/linked-worlds.ts'
import { allFeatures } from '../../installation.ts'
import { serverCopies, serverCopiesWithin } from './feature.ts'

const MiB = 1024 * 1024
const peer = fakePeer()
/** Timeouts of malicious answers in this test, in milliseconds. */
/** Short, and long enough for a busy machine to read what is answered. */
const times = { answerMs: 5000, idleMs: 2000, visitMs: 10_000, retryMs: 0 }
const block = Buffer.alloc(64 * 1024, '[],')
const bomb = gzipSync(Buffer.alloc(512 * MiB))

let world: World
let anna: Person
let ben: Person
let file: Record<string, unknown>
let folder: Record<string, unknown>
/** The behaviour of the other server; where it returns false, the server answers correctly. */
let answers: (path: string, response: ServerResponse, request: IncomingMessage) => boolean = () => false

const envelope = (data: unknown) => JSON.stringify({ result: -1, data, msg: '' })
const json = (response: ServerResponse, data: unknown): true => {
  response.setHeader('content-type', 'application/json').end(envelope(data))
  return true
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url')
const contentHeaders = (bytes: Uint8Array) => ({
  'content-disposition': 'attachment',
  'content-length': bytes.length,
  etag: `"${sha256(bytes)}"`,
})

/** Writes as fast as the data is read, enough to reveal a reader that buffers it all, and then nothing more. */
function pour(response: ServerResponse, left = 256 * MiB): true {
  if (left <= 0) return true
  let sent = block.length
  while (!response.destroyed && response.write(block)) sent += block.length
  if (!response.destroyed) response.once('drain', () => pour(response, left - sent))
  return true
}

function drip(response: ServerResponse): true {
  const timer = setInterval(() => response.write('['), 10)
  response.once('close', () => clearInterval(timer))
  return true
}

beforeAll(async () => {
  world = await openWorld({
    features: allFeatures.map((each) => (each === serverCopies ? serverCopiesWithin(times) : each)),
  })
  anna = await world.person('anna')
  ben = await world.person('ben')
  const made = await anna.upload(anna.library, 'sample.txt', 'x')
  file = { ...(await anna.call('getFileInfo', { fileId: made })), fName: '文件.txt' }
  folder = { ...(await anna.call('getFolderInfo', { folderId: anna.library })), fName: '文件夹', parentFolderId: 1 }
  const server = createServer((asked, response) => {
    const path = asked.url ?? ''
    if (answers(path, response, asked)) return void asked.resume()
    if (path.includes('loginByServer')) return void peer.signIn(asked).then((data) => json(response, data))
    if (path.includes('greetServer')) return void peer.greet(asked).then((data) => json(response, data))
    asked.resume()
    if (path.includes('getFileInfo')) return void json(response, file)
    if (path.includes('getFolderInfo')) return void json(response, folder)
    json(response, {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const apiHost = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await (await world.admin()).call('setLinkedServer', {
    serverId: 1,
    serverName: '敌',
    publicKey: peer.publicKey,
    apiHost,
  })
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const held = (): number => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Copies while monitoring memory, and whether other users are served. */
async function hostile(input: object): Promise<Copied> {
  collectGarbage()
  const before = held()
  let most = 0
  const look = setInterval(() => {
    // Unreferenced memory does not count, so it is collected before measuring.
    if (held() - before > 32 * MiB) collectGarbage()
    most = Math.max(most, held() - before)
  }, 20)
  try {
    const copying = copyAcross(anna, input)
    expect(await ben.names(ben.library)).toEqual([])
    const copied = await copying
    // One that waits for the server would go on.
    await anna.wire('cancelServerCopy', { copyId: copied.copyId })
    return copied
  } finally {
    clearInterval(look)
    expect(most).toBeLessThan(32 * MiB)
  }
}

const aFile = { sourceFileIds: [7] }
const aFolder = { sourceFolderIds: [7] }
const ofPath = (part: string, respond: (response: ServerResponse) => boolean) => {
  answers = (path, response) => path.includes(part) && respond(response)
}

test.each(few(1, ['loginByServer', 'getFileInfo', 'DownloadServlet']))(
  '%s without an end, or as a bomb',
  async (part) => {
    ofPath(part, (response) => pour(response.writeHead(200)))
    expect(await hostile(aFile)).toMatchObject({ code: 'interconnectedServerFaulty' })
    ofPath(part, (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
      return true
    })
    expect(await hostile(aFile)).toMatchObject({ code: 'interconnectedServerFaulty' })
  },
)

test.each(few(1, ['loginByServer', 'getFileInfo', 'DownloadServlet']))('%s that hangs, or drips', async (part) => {
  ofPath(part, () => true)
  expect(await hostile(aFile)).toMatchObject({ code: 'interconnectedServerNotResponding' })
  ofPath(part, (response) => drip(response.writeHead(200)))
  expect(await hostile(aFile)).toMatchObject({ code: 'interconnectedServerNotResponding' })
})

test('a small text that is many values', async () => {
  ofPath('getFileInfo', (response) => {
    const many = `{"result":-1,"data":{"editorList":[${'[],'.repeat(MiB)}[]]}}`
    response.end(many)
    return true
  })
  expect(await hostile(aFile)).toMatchObject({ code: 'interconnectedServerFaulty' })
})

longTest('redirects, and contents that are longer or shorter than they say or compressed', async () => {
  ofPath('getFileInfo', (response) => {
    response.writeHead(302, { location: '/services2/file/query/getFileInfo/7' }).end()
    return true
  })
  expect(await hostile(aFile)).toMatchObject({ code: 'interconnectedServerFaulty' })
  const bytes = Buffer.from('0123456789')
  const sent = (write: (response: ServerResponse) => void) =>
    ofPath('DownloadServlet', (response) => {
      write(response)
      return true
    })
  const raw = (head: string, body: Uint8Array) =>
    sent((response) => {
      const headers = Object.entries(contentHeaders(bytes)).map(([name, value]) => `${name}: ${value}\r\n`)
      response.socket?.write(`HTTP/1.1 200 OK\r\n${headers.join('')}${head}\r\n`)
      response.socket?.end(body)
    })
  raw('', bytes.subarray(1))
  expect(await hostile(aFile)).toMatchObject({ code: 'interconnectedServerNotResponding' })
  raw('content-encoding: gzip\r\n', bytes)
  expect(await hostile(aFile)).toMatchObject({ code: 'interconnectedServerFaulty' })
  sent((response) => {
    const { 'content-length': _, ...headers } = contentHeaders(bytes)
    pour(response.writeHead(200, headers))
  })
  expect(await hostile(aFile)).toMatchObject({ code: 'interconnectedServerFaulty' })
  sent((response) => drip(response.writeHead(200, { ...contentHeaders(bytes), 'content-length': 10 * MiB })))
  expect(await hostile(aFile)).toMatchObject({ code: 'interconnectedServerNotResponding' })
  expect(await anna.names(anna.library)).toEqual(['sample.txt'])
  // Longer content ends at its declared length.
  raw('', Buffer.concat([bytes, block]))
  expect(await hostile(aFile)).toMatchObject({ code: 'success' })
})

longTest('a folder without an end', async () => {
  const pages = (page: () => { list: object[]; next: string | null }) =>
    ofPath('getSubItemList3', (response) => json(response, { total: 1e9, from: 0, ...page() }))
  pages(() => ({ list: [], next: 'on' }))
  expect(await hostile(aFolder)).toMatchObject({ code: 'interconnectedServerFaulty' })
  pages(() => ({ list: Array.from({ length: 101 }, () => file), next: null }))
  expect(await hostile({ ...aFolder, conflict: 'keepBoth' })).toMatchObject({ code: 'interconnectedServerFaulty' })
  let made = 0
  pages(() => ({ list: Array.from({ length: 100 }, () => ({ ...file, linkId: (made += 1) })), next: 'on' }))
  const endless = await hostile({ ...aFolder, conflict: 'keepBoth' })
  // Its items and its time are limited.
  expect(endless.code).toMatch(/^interconnectedServer(Faulty|NotResponding)$/)
})

test('[R123] a copy ends when it is cancelled, also in the middle of a content', async () => {
  let ended = (): void => {}
  const isOver = new Promise<void>((resolve) => {
    ended = resolve
  })
  const begun = new Promise<void>((resolve) => {
    ofPath('DownloadServlet', (response) => {
      response.writeHead(200, { ...contentHeaders(block), 'content-length': 1024 * MiB })
      response.once('close', ended)
      resolve()
      return pour(response)
    })
  })
  const { copyId } = await anna.call('copyFilesAndFolders', {
    ...{ sourceServerId: 1, targetFolderId: anna.library, conflict: 'keepBoth', ...aFile },
  })
  await begun
  await anna.call('cancelServerCopy', { copyId })
  await isOver
})
