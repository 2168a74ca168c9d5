/*
 * 32 people open 200 documents at once, each in a different order, with contents that have not been viewed yet. Each
 * content is rendered once. Listing and uploading stay nearly as fast as before. Reader processes stay within their
 * memory limit, and a killed one costs one more attempt. The rates are compared with those of the same idle server,
 * before and after. Uses the built-in readers, one process per document.
 */
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codes, rightsGroup } from '@cloudoc/domain'
import pg from 'pg'
import { type AtMost, type Measured, median, memoryOf, runEightWorkers } from './measure.ts'
import { type BenchServer, startServer } from './server.ts'
import { demoDocuments } from './stamped.ts'

const people = 32
const documents = 200
const lists = 400
const uploads = 200
const quietRounds = 3
/** The memory that a reader may use besides its code: its heap and its buffers (documents). */
const readerMb = 1024 + 768
/** Long polling for a rendition in progress, as the page does it: an answer without progress is delayed. */
const [heldMs, atLeast] = [1000, 20]

type Rates = Record<'lists' | 'uploads', number[]>

export async function opening(results: string): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  const place = join(results, `opening-${randomBytes(4).toString('hex')}`)
  const server = await startServer(place, '--soffice', 'none')
  const client = new pg.Client(server.database)
  await client.connect()
  try {
    return await measure(server, client)
  } finally {
    await client.end()
    await server.stop()
  }
}

async function measure(server: BenchServer, client: pg.Client): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  const document = await demoDocuments()
  const [folderId, listed] = [await server.makeFolder('opened at once'), await server.makeFolder('listed')]
  const { groupId: everybody } = (await server.call('/services2/organization/getGroupInfo/0')) as { groupId: number }
  const entry = { subjectType: 'group', subjectId: everybody, rights: rightsGroup.edit }
  await server.post('/services2/share/setShareList', { folderId, inherit: true, entries: [entry] })
  const readers: string[] = []
  for (let n = 0; n < people; n += 1) readers.push(await server.person(`opening${n}`))
  const fileIds: number[] = []
  for (let n = 0; n < documents; n += 1) {
    const kind = (['docx', 'xlsx', 'pptx'] as const)[n % 3] ?? 'docx'
    fileIds.push(await server.upload(folderId, `${n}.${kind}`, document(kind)))
  }
  await runEightWorkers(250, (n) => server.upload(listed, `${n}.bin`, randomBytes(100)))
  // Text extraction of the uploads is not part of this measurement.
  await client.query(`delete from job where kind in ('words of contents', 'words of plain text')`)

  let made = 0
  const once = async (rates: Rates): Promise<void> => {
    rates.lists.push(
      await runEightWorkers(lists, () => server.call(`/services2/file/query/getSubItemList3/${listed}?rows=200`)),
    )
    rates.uploads.push(
      await runEightWorkers(uploads, () => server.upload(listed, `in ${made++}.bin`, randomBytes(10 * 1024))),
    )
  }
  const [rest, busy]: [Rates, Rates] = [
    { lists: [], uploads: [] },
    { lists: [], uploads: [] },
  ]
  await once({ lists: [], uploads: [] })
  for (let n = 0; n < quietRounds; n += 1) await once(rest)

  const watching = watchReaders(server.pid)
  let left = true
  const opened = Promise.all(readers.map((reader, n) => openAll(server, reader, fileIds, n))).finally(() => {
    left = false
  })
  const killed = watching.killOne()
  const since = performance.now()
  while (left) await once(busy)
  await opened
  const seconds = (performance.now() - since) / 1000
  await killed
  watching.done()
  for (let n = 0; n < quietRounds; n += 1) await once(rest)

  const { rows } = await client.query<{ blob: string; attempts: number; jobs: number; made: number }>(
    `select v.blob_id::text as blob, max(j.attempts)::int as attempts, count(distinct j.id)::int as jobs,
       count(distinct r.made_id)::int as made
     from version v join job j on j.kind = 'conversion' and j.key like v.blob_id || '-view-%'
       left join rendition r on r.blob_id = v.blob_id and r.form = 'view'
     where v.item_id = any($1) group by v.blob_id`,
    [fileIds],
  )
  const again = rows.reduce((sum, { attempts }) => sum + attempts - 1, 0)
  const odd = documents - rows.filter(({ jobs, made: results }) => jobs === 1 && results === 1).length
  console.log(
    `${documents} documents opened by ${people} people in ${seconds.toFixed(0)} s; ${busy.lists.length} rounds beside it`,
  )
  return {
    measured: (['lists', 'uploads'] as const).map((what) => {
      const yardstick = median(rest[what])
      const ratios = busy[what].map((rate) => rate / yardstick)
      return {
        what: `${what === 'lists' ? 'pages of a folder' : '10 KB files in'}, 8 at a time, while ${people} people open ${documents} documents, against rest`,
        bar: 0.7,
        unit: '1/s',
        ours: median(busy[what]),
        yardstick,
        ratio: median(ratios),
        spread: [Math.min(...ratios), Math.max(...ratios)],
      }
    }),
    limits: [
      { what: 'contents that were not made by one job', value: odd, most: 0, unit: '' },
      { what: 'attempts beyond the first, with one reader killed', value: again, most: 1, unit: '' },
      { what: 'memory of a reader (highest PSS)', value: watching.most(), most: readerMb, unit: 'MB' },
    ],
  }
}

/** Opens all of them one after another, as a page does. */
async function openAll(server: BenchServer, who: string, fileIds: readonly number[], n: number): Promise<void> {
  const headers = { authorization: who.replace('authorization: ', '') }
  const ask = async (path: string): Promise<{ url: string; previewKey: string; state: number }> => {
    const response = await fetch(`${server.origin}${path}`, { headers })
    return ((await response.json()) as { data: { url: string; previewKey: string; state: number } }).data
  }
  for (const at of fileIds.keys()) {
    const fileId = fileIds[(at + 7 * n) % fileIds.length] ?? 0
    const { url, previewKey } = await ask(`/services2/preview/getDocumentPreviewURL/${fileId}`)
    for (;;) {
      const { state } = await ask(`/services2/preview/getPreviewStatus/${previewKey}?wait=${heldMs}`)
      if (state === codes.success.code) break
      if (state !== codes.converting.code) throw new Error(`${fileId} came to nothing: ${state}`)
      await delay(atLeast)
    }
    await (await fetch(`${server.origin}${url}`)).arrayBuffer()
  }
}

/** Watches the reader processes of a server: their memory, and a way to kill one of them. */
function watchReaders(server: number): { most(): number; killOne(): Promise<void>; done(): void } {
  let most = 0
  const look = async (): Promise<number[]> => {
    const pids = await readersBelow(server)
    for (const pid of pids) most = Math.max(most, (await memoryOf({ pid })) ?? 0)
    return pids
  }
  const watching = setInterval(() => void look().catch(() => {}), 100)
  return {
    most: () => most,
    async killOne() {
      // Not the first one: by then the server is warm.
      await delay(3000)
      for (;;) {
        const [pid] = await look()
        if (pid !== undefined) return void process.kill(pid, 'SIGKILL')
        await delay(20)
      }
    },
    done: () => clearInterval(watching),
  }
}

/** The reader processes below a server process. */
async function readersBelow(server: number): Promise<number[]> {
  const all = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => ({
        pid: Number(name),
        parent: Number((await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ')[1]),
        command: await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''),
      })),
  )
  const shells = new Set(all.filter(({ parent }) => parent === server).map(({ pid }) => pid))
  return all
    .filter(
      ({ pid, parent, command }) => shells.has(parent) && !shells.has(pid) && command.includes('document-process'),
    )
    .filter(({ command }) => /\0(rendition|ahead)\0/.test(command) && !command.startsWith('/bin/sh'))
    .map(({ pid }) => pid)
}
