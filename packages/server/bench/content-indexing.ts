/*
 * The time from saving until a file is found by content, while a thousand documents wait for text extraction; and the
 * cost of the extraction for uploads: small text files against the same bytes of a kind that is not searched.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { strToU8, unzipSync, zipSync } from 'fflate'
import pg from 'pg'
import { emptyDocument } from '../src/documents/index.ts'
import { type AtMost, compare, type Measured, median, runEightWorkers } from './measure.ts'
import type { BenchServer } from './server.ts'

const waiting = 1000
const probes = 30
const pauseMs = 1000
const files = 1000
const letters = 10 * 1024

/** Documents that differ in one word. */
function documents(): (word: string) => Buffer {
  const parts = unzipSync(emptyDocument('docx') ?? new Uint8Array())
  const xml = new TextDecoder().decode(parts['word/document.xml'])
  return (word) => {
    const paragraph = `<w:p><w:r><w:t>${word}</w:t></w:r></w:p>`
    const document = strToU8(xml.replace('<w:p/>', paragraph.repeat(100)))
    return Buffer.from(zipSync({ ...parts, 'word/document.xml': document }, { level: 1 }))
  }
}

/** A word that no other text contains. */
const newWord = (): string => `q${randomBytes(8).toString('hex')}`

async function waits(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from job where kind in ('words of contents', 'words of plain text') and due is not null`,
  )
  return rows[0]?.n ?? 0
}

export async function contentIndexing(
  server: BenchServer,
  runs: number,
): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  const client = new pg.Client(server.database)
  await client.connect()
  try {
    const document = documents()
    const folderId = await server.makeFolder(`words ${Date.now()}`)
    const bulk = await server.makeFolder(`waiting ${Date.now()}`)
    await runEightWorkers(waiting + 200, (n) => server.upload(bulk, `${n}.docx`, document(newWord())))
    while ((await waits(client)) === 0) await delay(50)
    const [before, since] = [await waits(client), performance.now()]
    const took = { txt: [] as number[], docx: [] as number[] }
    const least = { n: before }
    await Promise.all(
      Array.from({ length: probes }, async (_, n) => {
        await delay(n * pauseMs)
        const kind = n % 2 === 0 ? 'txt' : 'docx'
        const word = newWord()
        await server.upload(folderId, `${word}-${n}.${kind}`, kind === 'txt' ? Buffer.from(word) : document(word))
        const saved = performance.now()
        for (;;) {
          const input = { keyword: word, scope: 'content', folderId }
          const { total } = (await server.post('/services2/search/searchDoc', input)) as { total: number }
          if (total > 0) break
          await delay(50)
        }
        took[kind].push(performance.now() - saved)
        least.n = Math.min(least.n, await waits(client))
      }),
    )
    const perSecond = ((before + probes - (await waits(client))) / (performance.now() - since)) * 1000
    console.log(`${before} waited at first, ${least.n} at least; ${perSecond.toFixed(1)} documents read a second`)
    const limits = (['txt', 'docx'] as const).flatMap((kind) => {
      const sorted = took[kind].toSorted((a, b) => a - b)
      const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0
      console.log(`${kind}: median ${median(sorted).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`)
      return [
        { what: `from save to found, ${kind}, p95 with ${before} waiting`, value: p95 / 1000, most: 3, unit: 's' },
      ]
    })
    await client.query(`delete from job where kind in ('words of contents', 'words of plain text')`)
    const text = (): Buffer => Buffer.from(Array.from({ length: letters / 20 }, () => newWord().slice(0, 9)).join(' '))
    const measured = await compare(
      {
        what: '10 KB of text in, 8 at a time, whose words are read, against as many that are not',
        bar: 0.8,
        unit: 'files/s',
      },
      runs,
      () => runEightWorkers(files, (n) => server.upload(folderId, `${Date.now()} ${n}.bin`, text())),
      () => runEightWorkers(files, (n) => server.upload(folderId, `${Date.now()} ${n}.txt`, text())),
    )
    return { measured: [measured], limits }
  } finally {
    await client.end()
  }
}
