// Two servers behind a load balancer, configured as in deploy/, are restarted one after the other under load. No user
// may notice. The balancers run with their files of deploy/; only addresses, ports and TLS differ.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { calls } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { afterAll, beforeAll, describe, expect, inject, vi } from 'vitest'
import { freePort } from './free-port.ts'
import { longTest } from './full.ts'
import { describeError, Page } from './open-page.ts'
import type { Remote } from './remote.ts'
import { type Installation, Site } from './several-servers.ts'

const deploy = join(import.meta.dirname, '../../../deploy')
/**
 * Size of the file that is uploaded and downloaded continuously: 200 MB over about ten seconds, so that each restart
 * hits some transfers.
 */
const bigBytes = 200 * 1024 * 1024
const chunkBytes = 2 * 1024 * 1024
const chunkEveryMs = 100
/** Longer than the balancer takes to notice that a server is about to stop. */
const stopping = { STOP_DELAY: '6', STOP_TRANSFERS: '60', TRUSTED_PROXIES: '127.0.0.1' }
/** The time until a balancer uses a server again: HAProxy after two healthy answers, nginx after its fail_timeout. */
const backMs = 11_000

let site: Site
const balancers: ChildProcess[] = []

beforeAll(async () => {
  if (inject('full')) site = await Site.open()
})
afterAll(async () => {
  for (const balancer of balancers) balancer.kill('SIGTERM')
  await Promise.all(balancers.map(async (balancer) => balancer.exitCode === null && (await once(balancer, 'exit'))))
  await site?.close()
})

/** The number of calls that a server has answered. */
async function answered(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return [...text.matchAll(/^cloudoc_call_results_total\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
}

/** Waits until a server gets more than the one request with which nginx probes it. */
async function isUsed(origin: string): Promise<void> {
  let before = await answered(origin)
  await vi.waitFor(
    async () => {
      const now = await answered(origin)
      const more = now - before
      before = now
      if (more < 20) throw new Error(`${origin} was given ${more} requests in half a second`)
    },
    { timeout: 120_000, interval: 500 },
  )
}

type Balancer = 'nginx' | 'haproxy'

/** Starts a balancer in front of servers at these ports; returns its address once it answers. */
async function balance(name: Balancer, [one, two]: readonly [number, number]): Promise<string> {
  const program = inject(name)
  if (program === '') throw new Error(`This test needs ${name}: install it, or set ${name.toUpperCase()} to its path`)
  const folder = join(site.folder, name)
  await mkdir(folder)
  const port = await freePort()
  const example = await readFile(join(deploy, name === 'nginx' ? 'nginx.conf' : 'haproxy.cfg'), 'utf8')
  const here = example.replace('10.0.0.21:8080', `127.0.0.1:${one}`).replace('10.0.0.22:8080', `127.0.0.1:${two}`)
  const config = join(folder, 'config')
  const [text, args] =
    name === 'nginx'
      ? [
          `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 2;
events {}
http {
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`).join('\n')}
${here
  .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
  .replace(/^ *ssl_.*$/gm, '')
  .replace('/var/log/nginx/cloudoc.log', `${folder}/access.log`)}
}`,
          ['-c', config],
        ]
      : [
          here.replace(/bind :443 ssl crt \S+/, `bind 127.0.0.1:${port}`).replace('maxconn 50000', 'maxconn 1000'),
          ['-f', config, '-db'],
        ]
  await writeFile(config, text)
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  balancers.push(child)
  const origin = `http://127.0.0.1:${port}`
  await vi.waitFor(async () => expect((await fetch(`${origin}/healthz`)).status).toBe(200), {
    timeout: 120_000,
    interval: 200,
  })
  return origin
}

/** Users who work without a pause and record errors. */
class Crowd {
  readonly failures: string[] = []
  /** The acknowledged folders, in order. */
  readonly made: string[] = []
  requests = 0
  transfers = 0
  private ends = false
  private readonly working: Promise<void>[] = []
  private readonly origin: string
  private readonly person: Remote
  private readonly folderId: number
  private readonly big = randomBytes(bigBytes)

  constructor(origin: string, person: Remote, folderId: number) {
    this.origin = origin
    this.person = person
    this.folderId = folderId
  }

  start(): void {
    const { origin, person, folderId } = this
    let n = 0
    for (let one = 0; one < 4; one += 1) {
      this.repeat('a folder', async () => {
        const folderName = `folder ${(n += 1)}`
        await person.call(origin, 'folderCreate', { parentId: folderId, folderName })
        this.made.push(folderName)
      })
      this.repeat('a list', () => person.call(origin, 'getSubItemList3', { folderId, rows: 50 }))
      this.repeat('a small file', () => person.upload(origin, folderId, `small ${(n += 1)}`, 'content'))
    }
    this.repeat('an upload of 200 MB', () => this.uploadBig())
    this.repeat('a download of 200 MB', () => this.downloadBig())
  }

  async end(): Promise<void> {
    this.ends = true
    await Promise.all(this.working)
  }

  private repeat(what: string, work: () => Promise<unknown>): void {
    const working = async (): Promise<void> => {
      while (!this.ends) {
        this.requests += 1
        await work().catch((error: unknown) => this.failures.push(`${what}: ${describeError(error)}`))
        await delay(20)
      }
    }
    this.working.push(working())
  }

  private bigFileId = 0

  private async uploadBig(): Promise<void> {
    const query = new URLSearchParams({ folderId: String(this.folderId), fileName: 'big', conflict: 'version' })
    const response = await fetch(`${this.origin}${calls.uploadRaw.path}?${query.toString()}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${this.person.token}`, 'content-length': String(bigBytes) },
      body: ReadableStream.from(slowly(this.big)),
      duplex: 'half',
    })
    const { result, data } = (await response.json()) as { result: number; data: { fileId: number } }
    if (result !== codes.success.code) throw new Error(`refused: ${result}`)
    this.bigFileId = data.fileId
    this.transfers += 1
  }

  private async downloadBig(): Promise<void> {
    if (this.bigFileId === 0) return delay(100)
    const response = await this.person.download(this.origin, this.bigFileId)
    const hash = createHash('sha256')
    let read = 0
    for await (const bytes of response.body as ReadableStream<Uint8Array>) {
      hash.update(bytes)
      read += bytes.length
      // About as fast as the upload.
      if (read % (16 * chunkBytes) < bytes.length) await delay(16 * chunkEveryMs)
    }
    if (hash.digest('hex') !== createHash('sha256').update(this.big).digest('hex')) {
      throw new Error(`${read} bytes of ${bigBytes} came, or others`)
    }
    this.transfers += 1
  }
}

async function* slowly(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += chunkBytes) {
    yield content.subarray(at, at + chunkBytes)
    await delay(chunkEveryMs)
  }
}

describe.each<Balancer>(['nginx', 'haproxy'])('behind %s', (name) => {
  longTest(
    'two servers are restarted one after the other, twice: no request fails, no push is lost or comes twice',
    async () => {
      const installation: Installation = await site.install(`behind_${name}`, stopping)
      const ports: [number, number] = [await freePort(), await freePort()]
      const servers = ports.map((port) => installation.start({}, port))
      await Promise.all(servers.map((server) => server.ready()))
      const origin = await balance(name, ports)
      const { ben, shared } = await installation.people(origin, 'ben')
      const pages = [new Page(origin, ben), new Page(origin, ben), new Page(origin, ben)]
      await vi.waitFor(() => expect(pages.map((page) => page.sockets)).toEqual([1, 1, 1]), 120_000)
      const crowd = new Crowd(origin, ben, shared)
      crowd.start()
      await vi.waitFor(() => expect(crowd.transfers).toBeGreaterThan(1), { timeout: 120_000 })
      for (const n of [0, 1, 0, 1]) {
        const server = servers[n]
        server?.child.kill('SIGTERM')
        expect(await server?.exited).toBe(0)
        const again = installation.start({}, ports[n])
        servers[n] = again
        const itself = await again.ready()
        await delay(backMs)
        await isUsed(itself)
      }
      await crowd.end()
      const last = 'the last of all'
      await ben.call(origin, 'folderCreate', { parentId: shared, folderName: last })
      const made = [...crowd.made, last]
      await vi.waitFor(() => expect(pages.every((page) => page.hears(last))).toBe(true), { timeout: 120_000 })
      await Promise.all(pages.map((page) => page.end()))
      console.log(
        `${name}: ${crowd.requests} requests, ${crowd.transfers} transfers of 200 MB, ${crowd.made.length} folders`,
      )
      expect(crowd.failures).toEqual([])
      for (const page of pages) {
        const folders = page.seen.filter((one) => made.includes(one))
        expect(folders.toSorted()).toEqual(made.toSorted())
        expect([page.sockets > 1, page.refetches]).toEqual([true, 0])
      }
    },
  )
})
