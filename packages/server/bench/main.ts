/*
 * Speed against baselines on the same machine, disk and database: `npm run bench`, or with names of parts (idle, small,
 * out, outside, big, page, folders, dav, phone, work, people, listeners, names, sockets, together, screen, looks,
 * opening, backup, words, sensitive, talk, watermarks, signing, mixed, soak, and hour, which runs only when it is named).
 * Prints tables and writes bench-results/{time}.json. Absolute figures describe the machine; ratios describe the server.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { backup } from './backup.ts'
import { bigFile } from './big-file.ts'
import { coediting } from './coediting.ts'
import { contentIndexing } from './content-indexing.ts'
import { dav } from './dav.ts'
import { firstPage } from './first-page.ts'
import { folderPages, folderWork } from './folders.ts'
import { type AtMost, type Measured, memoryOf } from './measure.ts'
import { hour, mixed, soak } from './mixed.ts'
import { nameSearch } from './names.ts'
import { opening } from './opening.ts'
import { peopleImport } from './people-import.ts'
import { phone } from './phone.ts'
import { previewLatency } from './preview-latency.ts'
import { screen } from './screen.ts'
import { sensitive } from './sensitive.ts'
import { type BenchServer, startServer, startServerWith } from './server.ts'
import { signingTime } from './signing.ts'
import { smallFiles, smallFilesOnOtherPostgres, smallFilesOut } from './small-files.ts'
import { sockets } from './sockets.ts'
import { talk } from './talk.ts'
import { watermarks } from './watermarks.ts'

const runs = 5
const root = join(import.meta.dirname, '../../..')
const results = join(root, 'bench-results')

interface Outcome {
  readonly measured?: readonly Measured[]
  readonly limits?: readonly AtMost[]
}

const parts: Record<string, (server: BenchServer) => Promise<Outcome>> = {
  async idle(server) {
    await delay(60_000)
    const value = await memoryOf(server)
    return value === undefined
      ? {}
      : { limits: [{ what: 'memory after 60 s idle (PSS)', value, most: 160, unit: 'MB' }] }
  },
  small: async (server) => ({ measured: [await smallFiles(server, runs)] }),
  async out(server) {
    const measured = await smallFilesOut(server, runs)
    return measured === undefined ? {} : { measured: [measured] }
  },
  async outside(server) {
    const place = await mkdtemp(join(results, 'outside-'))
    try {
      return { measured: [await smallFilesOnOtherPostgres(server, runs, place)] }
    } finally {
      await rm(place, { recursive: true, force: true })
    }
  },
  big: async (server) => ({ measured: await bigFile(server, runs, 1024) }),
  page: async (server) => ({ measured: [await firstPage(server, runs)] }),
  folders: (server) => folderPages(server, runs),
  dav: (server) => dav(server, runs),
  phone: (server) => phone(server, runs),
  work: async (server) => ({ measured: await folderWork(server, runs) }),
  people: async (server) => ({ measured: [await peopleImport(server, 3)] }),
  async listeners() {
    const place = await mkdtemp(join(results, 'listeners-'))
    const heard = await startServerWith([join(import.meta.dirname, 'listeners.ts')], join(place, 'data'))
    try {
      const work = await folderWork(heard, runs)
      return { measured: work.map((each) => ({ ...each, what: `${each.what}, heard of by three features` })) }
    } finally {
      await heard.stop()
      await rm(place, { recursive: true, force: true })
    }
  },
  names: async () => ({ measured: await nameSearch(join(results, 'installation'), runs) }),
  sockets: (server) => sockets(server, runs),
  together: (server) => coediting(server, runs),
  screen: async (server) => ({ measured: [await screen(server, runs)] }),
  looks: async () => ({ measured: await previewLatency(results, runs) }),
  opening: () => opening(results),
  backup: async (server) => ({ measured: [await backup(server, runs)] }),
  words: (server) => contentIndexing(server, runs),
  sensitive: (server) => sensitive(server, runs),
  talk: (server) => talk(server, runs),
  watermarks: async () => ({ measured: await watermarks(runs) }),
  signing: async () => ({ measured: await signingTime(runs) }),
  mixed: (server) => mixed(server, runs),
  soak,
  hour,
}

await mkdir(results, { recursive: true })
const wanted = process.argv.slice(2)
const folder = await mkdtemp(join(results, 'data-'))
const server = await startServer(join(folder, 'data'))
const measured: Measured[] = []
const limits: AtMost[] = []
try {
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 ? !wanted.includes(name) : name === 'hour') continue
    const outcome = await part(server)
    measured.push(...(outcome.measured ?? []))
    limits.push(...(outcome.limits ?? []))
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
for (const { what, note } of measured) if (note !== undefined) console.log(`${what}: ${note}`)
console.table(
  limits.map(({ what, value, most, unit }) => ({
    what,
    value: rounded(value),
    unit,
    'at most': most,
    reached: value <= most ? 'yes' : 'NO',
  })),
)
const file = join(results, `${new Date().toISOString().replaceAll(':', '-')}.json`)
await writeFile(file, `${JSON.stringify({ node: process.version, measured, limits }, null, 2)}\n`)
process.exitCode =
  measured.some(({ ratio, bar }) => ratio < bar) || limits.some(({ value, most }) => value > most) ? 1 : 0
