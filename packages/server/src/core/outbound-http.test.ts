// What an external machine can do to a caller: send nothing, never end, send too much or too little.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isPrivateHost, OutboundFailure, parseOutboundJson, readResponse, requestOutbound } from './outbound-http.ts'

const MiB = 1024 * 1024
const block = Buffer.alloc(64 * 1024)
const limits = { bytes: MiB, inflatedBytes: 4 * MiB }
const pace = { idleMs: 1000, slowest: 64 }

/** A machine that answers like this. Also reports when its connection has ended. */
async function machine(respond: (response: ServerResponse) => void) {
  let ended = (): void => {}
  const isOver = new Promise<void>((resolve) => {
    ended = resolve
  })
  const server = createServer((_request, response) => {
    response.socket?.once('close', ended)
    respond(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, isOver }
}

/** Writes endlessly, as fast as it is read. */
function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write(block));
  if (!response.destroyed) response.once('drain', () => pour(response))
}

/** Writes a byte now and then. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 10)
  response.once('close', () => clearInterval(timer))
}

const ask = (timeMs = 5000) => ({ timeMs, signal: new AbortController().signal })
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof OutboundFailure ? error.kind : String(error)),
  )
const counted = async (bytes: AsyncIterable<Uint8Array>): Promise<number> => {
  let count = 0
  for await (const chunk of bytes) count += chunk.length
  return count
}

test('an answer is read whole, compressed or not', async () => {
  const plain = await machine((response) => response.writeHead(418).end('plain'))
  expect(await readResponse(plain.address, { ...ask(), ...limits })).toMatchObject({
    status: 418,
    body: Buffer.from('plain'),
  })
  const gzip = await machine((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('gz')))
  expect((await readResponse(gzip.address, { ...ask(), ...limits })).body.toString()).toBe('gz')
})

test('an answer without an end, a bomb and an unknown encoding are unusable, and their connection ends', async () => {
  const endless = await machine((response) => pour(response.writeHead(200)))
  expect(await kindOf(readResponse(endless.address, { ...ask(), ...limits }))).toBe('unusable')
  await endless.isOver
  const bomb = gzipSync(Buffer.alloc(64 * MiB))
  expect(bomb.length).toBeLessThan(limits.bytes)
  const bombs = await machine((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  expect(await kindOf(readResponse(bombs.address, { ...ask(), ...limits }))).toBe('unusable')
  const other = await machine((response) => pour(response.writeHead(200, { 'content-encoding': 'br' })))
  expect(await kindOf(readResponse(other.address, { ...ask(), ...limits }))).toBe('unusable')
  await other.isOver
})

test('an answer that does not begin, or drips, is given up after its whole time', async () => {
  const silent = await machine(() => {})
  expect(await kindOf(readResponse(silent.address, { ...ask(50), ...limits }))).toBe('silent')
  await silent.isOver
  const dripping = await machine((response) => drip(response.writeHead(200)))
  expect(await kindOf(readResponse(dripping.address, { ...ask(50), ...limits }))).toBe('silent')
  await dripping.isOver
})

test('a content has the length that it declares', async () => {
  const declared = (length: number, bytes: number) =>
    machine((response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`)
      response.socket?.end(Buffer.alloc(bytes))
    })
  const longer = await requestOutbound((await declared(1000, 100_000)).address, ask())
  expect(await counted(longer.content(pace).bytes)).toBe(1000)
  const shorter = await requestOutbound((await declared(1000, 999)).address, ask())
  expect(await kindOf(counted(shorter.content(pace).bytes))).toBe('silent')
  const undeclared = await machine((response) => pour(response.writeHead(200)))
  const answer = await requestOutbound(undeclared.address, ask())
  expect(() => answer.content(pace)).toThrow(OutboundFailure)
  await undeclared.isOver
})

test('a content may be long in being read, but neither stop nor drip', async () => {
  const length = { 'content-length': 8 * MiB }
  const whole = await machine((response) => response.writeHead(200, length).end(Buffer.alloc(8 * MiB)))
  const slowly = (await requestOutbound(whole.address, ask())).content(pace)
  let read = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  for await (const chunk of slowly.bytes) {
    vi.advanceTimersByTime(60_000)
    read += chunk.length
  }
  vi.useRealTimers()
  expect(read).toBe(8 * MiB)
  const stopping = await machine((response) => response.writeHead(200, length).write(block))
  const stopped = (await requestOutbound(stopping.address, ask(60_000))).content({ idleMs: 50, slowest: 64 })
  expect(await kindOf(counted(stopped.bytes))).toBe('silent')
  await stopping.isOver
  const dripping = await machine((response) => drip(response.writeHead(200, length)))
  const dripped = (await requestOutbound(dripping.address, ask(2000))).content({ idleMs: 60_000, slowest: 64 })
  expect(await kindOf(counted(dripped.bytes))).toBe('silent')
  await dripping.isOver
})

test('an answer ends with whoever it is for, before it begins and within it', async () => {
  const gone = () => {
    const caller = new AbortController()
    return { caller, asked: { timeMs: 60_000, signal: caller.signal } }
  }
  const silent = await machine(() => first.caller.abort(new Error('gone')))
  const first = gone()
  expect(await kindOf(requestOutbound(silent.address, first.asked))).toBe('Error: gone')
  await silent.isOver
  const second = gone()
  const stopping = await machine((response) => response.writeHead(200, { 'content-length': 5 }).write('x'))
  const answer = await requestOutbound(stopping.address, second.asked)
  const reading = kindOf(counted(answer.content({ idleMs: 60_000, slowest: 64 }).bytes))
  second.caller.abort(new Error('gone'))
  expect(await reading).toBe('Error: gone')
  await stopping.isOver
  expect(await kindOf(requestOutbound(stopping.address, second.asked))).toBe('Error: gone')
})

test('a redirect leads nowhere', async () => {
  const around = await machine((response) => response.writeHead(302, { location: '/' }).end())
  expect((await readResponse(around.address, { ...ask(), ...limits })).status).toBe(302)
})

test('JSON may hold so many values; what stands in its texts is no value', () => {
  expect(parseOutboundJson(Buffer.from('{"a":[1,2,"[{,\\"[[["]}'), 6)).toEqual({ a: [1, 2, '[{,"[[['] })
  expect(() => parseOutboundJson(Buffer.from('[[],[],[]]'), 6)).toThrow(OutboundFailure)
  expect(() => parseOutboundJson(Buffer.from('<html>'), 6)).toThrow(OutboundFailure)
})

test('no link-local address and no metadata service is asked, and others are', async () => {
  const ask = (address: string) => requestOutbound(address, { timeMs: 1000, signal: AbortSignal.timeout(5000) })
  for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:a9fe:a9fe]', '100.100.100.200'])
    await expect(ask(`http://${host}:1/`)).rejects.toThrow('an address that is never asked')
  const { address } = await machine((response) => void response.end('ok'))
  const named = await ask(address.replace('127.0.0.1', 'localhost'))
  expect((await named.whole(limits)).toString()).toBe('ok')
})

test('an address that others name is asked only where it is public, also by its name', async () => {
  const { address } = await machine((response) => void response.end('ok'))
  const ask = (url: string) =>
    requestOutbound(url, { timeMs: 1000, signal: AbortSignal.timeout(5000), publicOnly: true })
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '10.1.2.3', '192.168.0.1', '[::1]', '[fd12::1]'])
    expect(isPrivateHost(`http://${host}:1/`), host).toBe(true)
  expect(isPrivateHost('https://192.0.2.1/')).toBe(false)
  await expect(ask(address)).rejects.toThrow('an address that is never asked')
})
