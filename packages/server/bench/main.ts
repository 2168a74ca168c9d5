/*
 * Speed against yardsticks on the same machine, disk and database: `npm run bench`, or with names of parts
 * (small, big, page) to run only those. Prints a table and writes bench-results/{time}.json. Absolute figures tell about
 * the machine; the ratios tell about the server.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { bigFile } from './big-file.ts'
import { firstPage } from './first-page.ts'
import type { Measured } from './measure.ts'
import { type BenchServer, startServer } from './server.ts'
import { smallFiles } from './small-files.ts'

const runs = 5
const root = join(import.meta.dirname, '../../..')
const results = join(root, 'bench-results')

/** Proportional set size of a process in MB, where the system tells it. */
async function memoryOf({ pid }: BenchServer): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const kilobytes = /^Pss:\s+(\d+)/m.exec(text)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1000
}

const parts: Record<string, (server: BenchServer) => Promise<Measured[]>> = {
  small: async (server) => [await smallFiles(server, runs)],
  big: (server) => bigFile(server, runs, 1024),
  page: async (server) => [await firstPage(server, runs)],
}

await mkdir(results, { recursive: true })
const wanted = process.argv.slice(2)
const folder = await mkdtemp(join(results, 'data-'))
const server = await startServer(join(folder, 'data'))
const measured: Measured[] = []
let memory: number | undefined
try {
  if (wanted.length === 0 || wanted.includes('idle')) {
    await delay(60_000)
    memory = await memoryOf(server)
  }
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(name)) measured.push(...(await part(server)))
  }
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

const rounded = (value: number): number => Number(value.toPrecision(3))
console.table(
  measured.map(({ what, ours, yardstick, unit, ratio, spread, bar }) => ({
    what,
    ours: rounded(ours),
    yardstick: rounded(yardstick),
    unit,
    ratio: rounded(ratio),
    spread: spread.map(rounded).join(' to '),
    bar: bar === 0 ? '' : bar,
    reached: bar === 0 ? '' : ratio >= bar ? 'yes' : 'NO',
  })),
)
if (memory !== undefined) console.log(`Memory after 60 s idle (PSS): ${rounded(memory)} MB, bar 160 MB`)
const file = join(results, `${new Date().toISOString().replaceAll(':', '-')}.json`)
await writeFile(file, `${JSON.stringify({ node: process.version, measured, memory }, null, 2)}\n`)
process.exitCode = measured.some(({ ratio, bar }) => ratio < bar) || (memory ?? 0) > 160 ? 1 : 0
