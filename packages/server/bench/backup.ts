/*
 * A backup of ten thousand small contents, against the minimum that stores them: eight workers, each write + fsync +
 * rename, and a sync of the folders at the end, on the same disk.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openStore } from '../src/core/blobs/open-store.ts'
import { createLog } from '../src/core/log.ts'
import { installation } from '../src/installation.ts'
import { backUp } from '../src/system/backup/index.ts'
import { compare, type Measured, runEightWorkers } from './measure.ts'
import type { BenchServer } from './server.ts'

const size = 10 * 1024
const contents = 10_000

async function bare(folder: string): Promise<number> {
  await mkdir(folder)
  const started = performance.now()
  await runEightWorkers(contents, async (n) => {
    const file = await open(join(folder, `${n}.part`), 'wx')
    await file.write(randomBytes(size))
    await file.sync()
    await file.close()
    await rename(join(folder, `${n}.part`), join(folder, String(n)))
  })
  const parent = await open(folder, 'r')
  await parent.sync()
  await parent.close()
  return (contents / (performance.now() - started)) * 1000
}

/** Backs the server up, each time into an empty folder. */
export async function backup(server: BenchServer, runs: number): Promise<Measured> {
  const folderId = await server.makeFolder(`backed up ${Date.now()}`)
  await runEightWorkers(contents, (n) => server.upload(folderId, `${n}.bin`, randomBytes(size)))
  const store = await openStore({ blobDir: join(server.dataDir, 'blobs'), s3: undefined }, createLog('warn'))
  const cpu: number[] = []
  const one = await compare(
    { what: `backup of ${contents} contents of 10 KB`, bar: 0.3, unit: 'files/s' },
    runs,
    async (run) => {
      const folder = join(server.dataDir, `bare backup ${run}`)
      const rate = await bare(folder)
      await rm(folder, { recursive: true })
      return rate
    },
    async (run) => {
      const folder = join(server.dataDir, `backup ${run}`)
      const [started, before] = [performance.now(), process.cpuUsage()]
      const { copied } = await backUp({ ...installation, target: server.database, store, folder, product: 'bench' })
      const { user, system } = process.cpuUsage(before)
      cpu.push((user + system) / 1000 / copied.count)
      const rate = (copied.count / (performance.now() - started)) * 1000
      await rm(folder, { recursive: true })
      return rate
    },
  )
  return { ...one, note: `${(cpu.toSorted((a, b) => a - b)[0] ?? 0).toFixed(2)} ms of a processor for a content` }
}
