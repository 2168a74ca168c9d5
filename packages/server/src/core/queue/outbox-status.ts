// The state of outgoing messages for an administrator: how many wait, how many failed, and why the latest failed.
import type { Locale } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

interface Row {
  readonly due: number | null
  readonly ended_at: number | null
  readonly error_code: string | null
  readonly error_message: string | null
}

/** The state of the outgoing messages of a kind of job. */
export async function outboxStatus(
  db: Db,
  kind: string,
  words: (code: string, said: string) => Readonly<Record<Locale, string>>,
  locale: Locale,
) {
  // Uses the indexes that contain only jobs that are not successfully done.
  const { rows } = await sql<Row>`
    select due, ended_at, error_code, error_message from job where kind = ${kind} and due is not null
    union all
    select due, ended_at, error_code, error_message from job where kind = ${kind} and state = 'failed'`.execute(db)
  const waiting = rows.filter(({ due }) => due !== null).length
  const latest = rows
    .filter(({ error_code }) => error_code !== null)
    .toSorted((a, b) => (b.ended_at ?? b.due ?? 0) - (a.ended_at ?? a.due ?? 0))[0]
  return {
    waiting,
    failed: rows.length - waiting,
    latest:
      latest === undefined
        ? null
        : { at: latest.ended_at, why: words(latest.error_code ?? '', latest.error_message ?? '')[locale] },
  }
}
