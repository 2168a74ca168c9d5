/*
 * The cost of ten rules for sensitive content: uploads of small texts with the rules on against as many without, and the
 * time until the last of these files is decided against the time until the words of as many are read for search.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { newSensitiveRule, numberPatterns } from '@cloudoc/domain'
import pg from 'pg'
import { type AtMost, compare, type Measured, median, runEightWorkers } from './measure.ts'
import type { BenchServer } from './server.ts'

const rules = 10
const files = 1000
const letters = 10 * 1024

const text = (): Buffer =>
  Buffer.from(Array.from({ length: letters / 10 }, () => randomBytes(5).toString('hex').slice(0, 9)).join(' '))

async function count(client: pg.Client, query: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(query)
  return rows[0]?.n ?? 0
}

/** Waits until the words of all files are read and all checks have ended. Returns the milliseconds. */
async function untilDone(client: pg.Client): Promise<number> {
  const from = performance.now()
  for (;;) {
    const left =
      (await count(client, 'select count(*)::int as n from job where due is not null')) +
      (await count(client, 'select count(*)::int as n from sensitive_file where pending'))
    if (left === 0) return performance.now() - from
    await delay(50)
  }
}

/** Adds ten rules with patterns, words and expressions; returns their ids. */
async function addRules(server: BenchServer): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < rules; n += 1) {
    const rule = {
      ...{ ...newSensitiveRule, name: `rule ${n}`, action: 'audit' },
      patterns: n % 2 === 0 ? numberPatterns.map((pattern) => ({ pattern, atLeast: 1 })) : [],
      words: Array.from({ length: 50 }, (_, word) => `机密词${n}号${word}`),
      expressions: [`HT-20[0-9]{2}-${n}[0-9]{4}`, `(内部|机密)[^。]{0,20}(价格|报价)${n}`],
    }
    const { ruleId } = (await server.post('/services2/sensitive/saveRule', { rule })) as { ruleId: number }
    ids.push(ruleId)
  }
  return ids
}

export async function sensitive(
  server: BenchServer,
  runs: number,
): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  const client = new pg.Client(server.database)
  await client.connect()
  const took = { words: [] as number[], decided: [] as number[] }
  const upload = async (what: 'words' | 'decided'): Promise<number> => {
    const folderId = await server.makeFolder(`${what} ${Date.now()}`)
    const from = performance.now()
    const rate = await runEightWorkers(files, (n) => server.upload(folderId, `${n}.txt`, text()))
    await untilDone(client)
    took[what].push(performance.now() - from)
    return rate
  }
  try {
    await upload('words')
    took.words = []
    const measured = await compare(
      { what: '10 KB of text in, 8 at a time, with ten rules for sensitive content', bar: 0.9, unit: 'files/s' },
      runs,
      () => upload('words'),
      async () => {
        const ids = await addRules(server)
        try {
          return await upload('decided')
        } finally {
          for (const ruleId of ids) await server.post('/services2/sensitive/deleteRule', { ruleId })
        }
      },
    )
    const [words, decided] = [median(took.words), median(took.decided)]
    console.log(`${files} files: words read after ${words.toFixed(0)} ms, decided after ${decided.toFixed(0)} ms`)
    return {
      measured: [measured],
      limits: [
        { what: 'until all are decided, in times of reading their words', value: decided / words, most: 2, unit: '' },
      ],
    }
  } finally {
    await client.end()
  }
}
