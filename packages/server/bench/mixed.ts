/*
 * A company's daily mix, 32 requests at a time: 70 % pages of a folder, 20 % downloads, 10 % uploads, against nginx
 * that answers the same requests with the same bytes from files, and uploads as no-ops.
 *
 * The load is realistic: 32 people with a session each send the web client's requests (200 rows, sorted) for ten
 * folders, and upload into the same folders, so that about every seventh page has changed since it was last read. The
 * mix runs once uncompressed, to which the limit applies, and once compressed as for browsers, which is shown beside
 * it: then nginx has precompressed pages, while ours change with every upload. The requests go over bare sockets,
 * because a more convenient client would take longer than nginx. The client runs on the same machine, equally long for
 * both.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { constants, gzipSync } from 'node:zlib'
import { rightsGroup } from '@cloudoc/domain'
import { Line } from './line.ts'
import { type AtMost, compare, cpuOf, type Measured, median, memoryOf, memoryOfAll } from './measure.ts'
import { type Nginx, startNginx } from './nginx.ts'
import type { BenchServer } from './server.ts'

const concurrency = 32
const count = 8000
/** Requests until the server's code is compiled: the first 8,000 take 44 µs each for it, later ones 10. */
const warmUp = 4 * count
const folders = 10
const pageRows = 250
/** Files of each folder that are large enough for downloads. */
const files = 10
const fileSize = 100 * 1024
const uploadSize = 10 * 1024

type Kind = 'list' | 'download' | 'upload'

/** The kind of the n-th request. */
const kindOf = (n: number): Kind => (['upload', 'download', 'download'] as const)[n % 10] ?? 'list'

/** Builds the n-th request of one client. */
type Request = (kind: Kind, n: number, asker: number) => Buffer

/** The index of one of ten objects for the n-th request; each gets a tenth of the requests of each kind. */
const oneOf = (n: number): number => Math.floor(n / 10) % 10

/** Creates folders, files and people, and builds their requests. */
async function prepare(server: BenchServer) {
  const folderIds = await runWorkers(folders, (n) => server.makeFolder(`mixed ${n}`))
  const ids = await runWorkers(folders * pageRows, (n) =>
    server.upload(folderIds[n % folders] ?? 0, `document ${n}.bin`, randomBytes(n < folders * files ? fileSize : 100)),
  )
  const people = await runWorkers(concurrency, (n) => server.person(`mixed${n}`))
  const { groupId: everybody } = (await server.call('/services2/organization/getGroupInfo/0')) as { groupId: number }
  for (const folderId of folderIds) {
    const entry = { subjectType: 'group', subjectId: everybody, rights: rightsGroup.edit }
    await server.post('/services2/share/setShareList', { folderId, inherit: true, entries: [entry] })
  }
  const list = (n: number): string =>
    `/services2/file/query/getSubItemList3/${folderIds[oneOf(n)] ?? 0}?sort=name&order=asc&keyword=&foldersOnly=false&rows=200&from=0`
  const pages = await runWorkers(folders, async (n) =>
    Buffer.from(JSON.stringify({ result: -1, data: await server.call(list(n * 10)), msg: '' })),
  )

  let uploaded = 0
  const requests = (compressed: boolean): Request => {
    const accepted = compressed ? 'accept-encoding: gzip\r\n' : ''
    const head = (line: string, asker: number): string =>
      `${line} HTTP/1.1\r\nhost: 127.0.0.1\r\n${accepted}${people[asker] ?? ''}\r\n`
    return (kind, n, asker) => {
      if (kind === 'list') return Buffer.from(`${head(`GET ${list(n)}`, asker)}\r\n`)
      const fileId = ids[Math.floor(n / 10) % (folders * files)] ?? 0
      if (kind === 'download') return Buffer.from(`${head(`GET /DownloadServlet?fileId=${fileId}`, asker)}\r\n`)
      uploaded += 1
      const query = `folderId=${folderIds[oneOf(n)] ?? 0}&fileName=${uploaded}.bin`
      const type = 'content-type: application/octet-stream'
      return Buffer.concat([
        Buffer.from(
          `${head(`PUT /services2/upload/raw?${query}`, asker)}${type}\r\ncontent-length: ${uploadSize}\r\n\r\n`,
        ),
        randomBytes(uploadSize),
      ])
    }
  }
  return { requests, pages, list, uploaded: () => uploaded }
}

/** Samples the server's memory until `done` is called; `most` returns the maximum. */
function watchMemory(server: BenchServer): { most(): number; done(): void } {
  let memory = 0
  const watching = setInterval(() => {
    memoryOf(server).then(
      (now) => {
        memory = Math.max(memory, now ?? 0)
      },
      () => {},
    )
  }, 250)
  return { most: () => memory, done: () => clearInterval(watching) }
}

const soakMs = 200_000
const restMs = 60_000

/** The same mix without a pause for minutes: memory stays bounded, and is released afterwards. */
export async function soak(server: BenchServer): Promise<{ limits: AtMost[] }> {
  const { requests } = await prepare(server)
  const port = Number(new URL(server.origin).port)
  const mix = requests(false)
  const watching = watchMemory(server)
  const until = performance.now() + soakMs
  let asked = 0
  while (performance.now() < until) {
    await run(port, mix, count)
    asked += count
  }
  watching.done()
  await delay(restMs)
  const after = await memoryOf(server)
  if (after === undefined) return { limits: [] }
  return {
    limits: [
      { what: `memory in ${asked} requests of the mix (highest PSS)`, value: watching.most(), most: 450, unit: 'MB' },
      { what: 'memory a minute after them (PSS)', value: after, most: 300, unit: 'MB' },
    ],
  }
}

const uploadsBefore = 60_000
const hourMs = 3_600_000
/** The number of intervals of the hour. */
const stretches = 12

/**
 * The memory that a machine needs for the server and its database: after 60,000 uploads, during an hour of the mix, and
 * a minute after it. The mix pauses as long as it runs, because nobody sends requests at full speed for an hour.
 */
export async function hour(server: BenchServer): Promise<{ limits: AtMost[] }> {
  const read = async (when: string): Promise<number> => {
    const [all, own] = [await memoryOfAll(server), await memoryOf(server)]
    console.log(`${when}: ${all?.toFixed(0)} MB, of which the server ${own?.toFixed(0)} MB`)
    return all ?? 0
  }
  await read('at the start')
  const folderIds = await runWorkers(10, (n) => server.makeFolder(`before ${n}`))
  await runWorkers(uploadsBefore, (n) => server.upload(folderIds[n % 10] ?? 0, `${n}.bin`, randomBytes(uploadSize)))
  await delay(restMs)
  const uploaded = await read('a minute after 60,000 uploads')
  const { requests } = await prepare(server)
  const port = Number(new URL(server.origin).port)
  const mix = requests(false)
  const during: number[] = []
  let asked = 0
  for (let stretch = 1; stretch <= stretches; stretch += 1) {
    const until = performance.now() + hourMs / stretches
    while (performance.now() < until) {
      const started = performance.now()
      await run(port, mix, count)
      asked += count
      await delay(performance.now() - started)
    }
    during.push(await read(`after ${(stretch * 60) / stretches} minutes`))
  }
  await delay(restMs)
  const after = await read(`a minute after ${asked} requests of the mix`)
  const early = median(during.slice(0, stretches / 3))
  const late = median(during.slice(-stretches / 3))
  const unit = 'MB'
  return {
    limits: [
      { what: 'server and database a minute after 60,000 uploads (PSS)', value: uploaded, most: 400, unit },
      { what: 'the last twenty minutes beyond the first twenty', value: late - early, most: 20, unit },
      { what: 'server and database a minute after the mix (PSS)', value: after, most: 400, unit },
    ],
  }
}

export async function mixed(server: BenchServer, runs: number): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  const { requests, pages, list, uploaded } = await prepare(server)
  const port = Number(new URL(server.origin).port)
  const nginx = await startYardstick(join(server.dataDir, 'yardstick'), pages)
  const memory = watchMemory(server)
  try {
    const measured: Measured[] = []
    for (const compressed of [false, true]) {
      const [ours, theirs] = [requests(compressed), nginx?.requests(compressed)]
      // The first requests compile code and plan statements. The requests of a normal day do not.
      await run(port, ours, warmUp)
      const times: (Record<Kind, number> & { cpu: number })[] = []
      const one = await compare(
        {
          what: `70 % lists, 20 % downloads, 10 % uploads, ${concurrency} at a time${compressed ? ', compressed' : ''}`,
          bar: nginx === undefined || compressed ? 0 : 0.3,
          unit: 'requests/s',
        },
        runs,
        async () =>
          nginx === undefined || theirs === undefined
            ? Number.POSITIVE_INFINITY
            : (await run(nginx.port, theirs, count)).rate,
        async () => {
          const before = await cpuOf(server)
          const { rate, p95 } = await run(port, ours, count)
          times.push({ ...p95, cpu: ((await cpuOf(server)) - before) / count })
          return rate
        },
      )
      const middle = (what: keyof (typeof times)[number]): number => median(times.map((time) => time[what]))
      const p95 = (kind: Kind): string => `${kind} ${middle(kind).toFixed(0)} ms`
      const note = `p95: ${p95('list')}, ${p95('download')}, ${p95('upload')}; ${middle('cpu').toFixed(2)} ms of a processor for a request in the server`
      measured.push({ ...one, note })
    }
    const totals = await runWorkers(folders, (n) => server.call(list(n * 10)) as Promise<{ total: number }>)
    const arrived = totals.reduce((sum, { total }) => sum + total, 0) - folders * pageRows
    if (arrived !== uploaded()) throw new Error(`${arrived} of ${uploaded()} uploads arrived`)
    return {
      measured,
      limits:
        memory.most() === 0
          ? []
          : [{ what: 'memory under mixed load (highest PSS)', value: memory.most(), most: 400, unit: 'MB' }],
    }
  } finally {
    memory.done()
    await nginx?.stop()
  }
}

/** Runs `count` operations, eight at a time; returns their results. */
async function runWorkers<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let n = next++; n < count; n = next++) results[n] = await work(n)
    }),
  )
  return results
}

/** Sends the mix; returns the requests per second and the 95th percentile of the latency. */
async function run(
  port: number,
  request: Request,
  requests: number,
): Promise<{ rate: number; p95: Record<Kind, number> }> {
  const took: Record<Kind, number[]> = { list: [], download: [], upload: [] }
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async (_, asker) => {
      const line = await Line.open(port)
      for (let n = next++; n < requests; n = next++) {
        const kind = kindOf(n)
        const bytes = request(kind, n, asker)
        const at = performance.now()
        await line.ask(bytes)
        took[kind].push(performance.now() - at)
      }
      line.close()
    }),
  )
  const rate = (requests / (performance.now() - started)) * 1000
  const p95 = (kind: Kind): number => took[kind].toSorted((a, b) => a - b)[Math.floor(took[kind].length * 0.95)] ?? 0
  return { rate, p95: { list: p95('list'), download: p95('download'), upload: p95('upload') } }
}

/** nginx with the same pages and files, and uploads as no-ops. */
async function startYardstick(
  folder: string,
  pages: readonly Buffer[],
): Promise<(Nginx & { requests(compressed: boolean): Request }) | undefined> {
  await mkdir(folder)
  for (const [n, page] of pages.entries()) {
    await writeFile(join(folder, `list-${n}`), page)
    await writeFile(join(folder, `list-${n}.gz`), gzipSync(page, { level: constants.Z_BEST_SPEED }))
  }
  for (let n = 0; n < files; n += 1) await writeFile(join(folder, `file-${n}`), randomBytes(fileSize))
  const nginx = await startNginx(folder, {
    http: 'open_file_cache max=1000; gzip_static on;',
    server: `location /upload { return 200 '{"result":-1}'; }`,
  })
  if (nginx === undefined) return undefined
  const requests = (compressed: boolean): Request => {
    const head = `HTTP/1.1\r\nhost: 127.0.0.1\r\n${compressed ? 'accept-encoding: gzip\r\n' : ''}`
    const put = Buffer.from(`PUT /upload ${head}content-length: ${uploadSize}\r\n\r\n`)
    return (kind, n) => {
      if (kind === 'list') return Buffer.from(`GET /list-${oneOf(n)} ${head}\r\n`)
      if (kind === 'download') return Buffer.from(`GET /file-${Math.floor(n / 10) % files} ${head}\r\n`)
      return Buffer.concat([put, randomBytes(uploadSize)])
    }
  }
  return { ...nginx, requests }
}
