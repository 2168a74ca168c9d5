/*
 * 10 KB files, eight at a time. Uploads: against the minimum of a durable store: eight workers, each write + fsync +
 * rename + fsync of the folder + one committed INSERT, on the same disk and in the same database. Downloads: against
 * nginx.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { openOtherPostgres, urlOf } from '../test/stock-postgres.ts'
import { Line } from './line.ts'
import { compare, cpuOf, type Measured, median, runEightWorkers } from './measure.ts'
import { startNginx } from './nginx.ts'
import { type BenchServer, startServer } from './server.ts'

const fileSize = 10 * 1024
const workers = 8
const files = 1500

export async function smallFiles(server: BenchServer, runs: number): Promise<Measured> {
  // The measurement is of a warm server: compiling its code takes a few thousand files.
  await uploads(server, 2 * files)
  return compare(
    { what: '10 KB files in, 8 at a time', bar: 0.5, unit: 'files/s' },
    runs,
    (run) => bareLoop(server, run),
    () => uploads(server, files),
  )
}

async function bareLoop(server: BenchServer, run: number): Promise<number> {
  const folder = join(server.dataDir, `bare-${run}`)
  await mkdir(folder)
  const pool = new pg.Pool({ ...server.database, max: workers })
  await pool.query(
    'create table if not exists bare (id bigint generated always as identity primary key, name text, size int)',
  )
  await Promise.all(Array.from({ length: workers }, () => pool.query('select 1')))
  const rate = await runEightWorkers(files, async (n) => {
    const path = join(folder, `${n}.part`)
    const file = await open(path, 'wx')
    await file.write(randomBytes(fileSize))
    await file.sync()
    await file.close()
    await rename(path, join(folder, String(n)))
    const parent = await open(folder, 'r')
    await parent.sync()
    await parent.close()
    const text = 'insert into bare (name, size) values ($1, $2)'
    await pool.query({ name: 'bare', text, values: [String(n), fileSize] })
  })
  await pool.end()
  return rate
}

/** Downloads of 10 KB files, each for the first time, eight at a time, against nginx with the same files. */
export async function smallFilesOut(server: BenchServer, runs: number): Promise<Measured | undefined> {
  const folder = join(server.dataDir, 'bare-out')
  await mkdir(folder)
  const nginx = await startNginx(folder)
  if (nginx === undefined) return undefined
  const count = 2 * files
  try {
    const folderId = await server.makeFolder('small out')
    const ids: number[] = []
    // One more run than is measured, to warm up: until then the server's code is still being compiled.
    await runEightWorkers((runs + 1) * count, async (n) => {
      ids[n] = await server.upload(folderId, `${n}.bin`, randomBytes(fileSize))
    })
    const fetchAll = async (port: number, request: (n: number) => string): Promise<number> => {
      const lines = await Promise.all(Array.from({ length: workers }, () => Line.open(port)))
      const rate = await runEightWorkers(count, async (n, worker) => {
        await lines[worker]?.ask(Buffer.from(`${request(n)}\r\n\r\n`))
      })
      for (const line of lines) line.close()
      return rate
    }
    const port = Number(new URL(server.origin).port)
    const cpu: number[] = []
    const ours = async (run: number): Promise<number> => {
      const before = await cpuOf(server)
      const rate = await fetchAll(port, (n) => {
        const fileId = ids[run * count + n] ?? 0
        return `GET /DownloadServlet?fileId=${fileId} HTTP/1.1\r\nhost: 127.0.0.1\r\n${server.authorization}`
      })
      cpu.push(((await cpuOf(server)) - before) / count)
      return rate
    }
    await ours(runs)
    const one = await compare(
      { what: '10 KB files out, each for the first time, 8 at a time', bar: 0.4, unit: 'files/s' },
      runs,
      async (run) => {
        const each = Array.from({ length: count }, (_, n) =>
          writeFile(join(folder, `${run}-${n}`), randomBytes(fileSize)),
        )
        await Promise.all(each)
        return fetchAll(nginx.port, (n) => `GET /${run}-${n} HTTP/1.1\r\nhost: 127.0.0.1`)
      },
      ours,
    )
    return { ...one, note: `${median(cpu).toFixed(2)} ms of a processor for each in the server` }
  } finally {
    await nginx.stop()
  }
}

/** The same on an external PostgreSQL with default settings, against the embedded one. */
export async function smallFilesOnOtherPostgres(server: BenchServer, runs: number, folder: string): Promise<Measured> {
  const postgres = await openOtherPostgres(folder)
  if (!postgres.isStock) throw new Error('There is no other PostgreSQL to measure: install postgresql.')
  const outside = await startServer(join(folder, 'data'), '--database-url', urlOf(postgres.target))
  try {
    for (const one of [server, outside]) await uploads(one, 2 * files)
    return await compare(
      {
        what: '10 KB files in, 8 at a time, outside PostgreSQL as it comes against the embedded one',
        bar: 0.7,
        unit: 'files/s',
      },
      runs,
      () => uploads(server, files),
      () => uploads(outside, files),
    )
  } finally {
    await outside.stop()
    await postgres.stop()
  }
}

/** How a file is sent: its address and who sends it. */
interface Sending {
  readonly authorization: string
  readonly pathOf: (place: {
    readonly folderId: number
    readonly folderName: string
    readonly fileName: string
  }) => string
}

const byCall = ({ authorization }: BenchServer): Sending => ({
  authorization,
  pathOf: ({ folderId, fileName }) => `/services2/upload/raw?folderId=${folderId}&fileName=${fileName}`,
})

/** Uploads files of 10 KB into a folder of their own, eight at a time; returns the rate per second. */
export async function uploads(server: BenchServer, count: number, sending = byCall(server)): Promise<number> {
  const folderName = `small ${randomBytes(6).toString('hex')}`
  const folderId = await server.makeFolder(folderName)
  const port = Number(new URL(server.origin).port)
  const lines = await Promise.all(Array.from({ length: workers }, () => Line.open(port)))
  const rate = await runEightWorkers(count, async (n, worker) => {
    const head = [
      `PUT ${sending.pathOf({ folderId, folderName, fileName: `${n}.bin` })} HTTP/1.1`,
      'host: 127.0.0.1',
      sending.authorization,
      'content-type: application/octet-stream',
      `content-length: ${fileSize}`,
    ]
    await lines[worker]?.ask(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), randomBytes(fileSize)]))
  })
  for (const line of lines) line.close()
  const { total } = (await server.call(`/services2/file/query/getSubItemList3/${folderId}?rows=1`)) as { total: number }
  if (total !== count) throw new Error(`${total} of ${count} files arrived`)
  return rate
}
