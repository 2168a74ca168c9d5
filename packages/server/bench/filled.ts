/*
 * Start and idle costs of a server with the demo company, compared with an earlier state: `node
 * packages/server/bench/filled.ts <checkout> <checkout>…`, each with its dependencies (`npm ci`). The checkouts run
 * alternately, under the same machine conditions.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cpuOf, median, memoryOf, memoryOfAll } from './measure.ts'
import { startServerOf } from './server.ts'

const starts = 3
const what = [
  'start until it answers, ms',
  'processor of it, ms',
  'server, idle for a minute, MB',
  'with its database, MB',
]

const checkouts = process.argv.slice(2)
const installations = await Promise.all(
  checkouts.map(async (checkout) => ({ checkout, data: await mkdtemp(join(tmpdir(), 'cloudoc-filled-')) })),
)
const read: number[][][] = checkouts.map(() => [])
try {
  for (const { checkout, data } of installations) {
    const server = await startServerOf(checkout, [], data, '--demo')
    while ((await waitingAt(server.origin)) > 0) await delay(1000)
    await server.stop()
  }
  for (let start = 0; start < starts; start += 1) {
    for (const [index, { checkout, data }] of installations.entries()) {
      const began = performance.now()
      const server = await startServerOf(checkout, [], data)
      const took = [performance.now() - began, await cpuOf(server)]
      await delay(60_000)
      read[index]?.push([...took, (await memoryOf(server)) ?? 0, (await memoryOfAll(server)) ?? 0])
      await server.stop()
    }
  }
} finally {
  for (const { data } of installations) await rm(data, { recursive: true, force: true })
}

/** The number of unfinished jobs: reading and rendering documents continues after the data is loaded. */
async function waitingAt(origin: string): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  const counts = metrics.matchAll(/^cloudoc_jobs\{[^}]*state="(?:waiting|running)"[^}]*\} (\d+)/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

console.log(`|  | ${checkouts.join(' | ')} |\n|---|${'---|'.repeat(checkouts.length)}`)
for (const [row, name] of what.entries()) {
  const cells = read.map((runs) => {
    const values = runs.map((run) => run[row] ?? 0)
    return [median(values), Math.min(...values), Math.max(...values)].map(Math.round)
  })
  console.log(`| ${name} | ${cells.map(([middle, least, most]) => `${middle} (${least} to ${most})`).join(' | ')} |`)
}
