// Repeated measurements of two alternatives, interleaved so that both run under the same machine conditions.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchServer } from './server.ts'

export interface Measured {
  readonly what: string
  readonly bar: number
  readonly unit: string
  readonly ours: number
  readonly yardstick: number
  /** Our result relative to the baseline: the median of the runs' ratios, and the lowest and highest. */
  readonly ratio: number
  readonly spread: readonly [number, number]
  /** Further observations. */
  readonly note?: string
}

/** A figure without a baseline, with an upper limit. */
export interface AtMost {
  readonly what: string
  readonly value: number
  readonly most: number
  readonly unit: string
}

/** Proportional set size of a process in MB, if the system provides it. */
export async function memoryOf({ pid }: { readonly pid: number }): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const kilobytes = /^Pss:\s+(\d+)/m.exec(text)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1000
}

/** The same for the server with all its child processes, in particular its database; shared memory is counted once. */
export async function memoryOfAll({ pid, database }: BenchServer): Promise<number | undefined> {
  const postmaster = Number.parseInt(await readFile(join(database.host, 'postmaster.pid'), 'utf8'), 10)
  const family = new Set([pid, postmaster])
  // A child usually has a higher id than its parent, but ids wrap around: repeats until no process is added.
  const parents = await parentsOfAll()
  for (let before = 0; before !== family.size; ) {
    before = family.size
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child)
  }
  const each = await Promise.all([...family].map((one) => memoryOf({ pid: one })))
  return each[0] === undefined ? undefined : each.reduce<number>((sum, one) => sum + (one ?? 0), 0)
}

async function parentsOfAll(): Promise<[child: number, parent: number][]> {
  const names = await readdir('/proc').catch(() => [])
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid))
  return Promise.all(
    pids.map(async (pid): Promise<[number, number]> => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return [pid, Number(text.slice(text.lastIndexOf(')')).split(' ')[2])]
    }),
  )
}

/** CPU milliseconds that a process has used, if the system provides it. */
export async function cpuOf({ pid }: { readonly pid: number }): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [user = 0, system = 0] = text.slice(text.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return (user + system) * 10
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Runs both alternately, `runs` times each; each returns its rate. */
export async function compare(
  about: Pick<Measured, 'what' | 'bar' | 'unit'>,
  runs: number,
  yardstick: (run: number) => Promise<number>,
  ours: (run: number) => Promise<number>,
): Promise<Measured> {
  const rates: { yardstick: number; ours: number }[] = []
  for (let run = 0; run < runs; run += 1) rates.push({ yardstick: await yardstick(run), ours: await ours(run) })
  const ratios = rates.map((rate) => rate.ours / rate.yardstick)
  return {
    ...about,
    ours: median(rates.map((rate) => rate.ours)),
    yardstick: median(rates.map((rate) => rate.yardstick)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  }
}

/** Runs `count` operations, eight at a time, each with its worker's number; returns the rate per second. */
export async function runEightWorkers(
  count: number,
  work: (n: number, worker: number) => Promise<unknown>,
): Promise<number> {
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      for (let n = next++; n < count; n = next++) await work(n, worker)
    }),
  )
  return (count / (performance.now() - started)) * 1000
}
