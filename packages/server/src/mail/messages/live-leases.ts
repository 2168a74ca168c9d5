// Leases of watched mailboxes: of several processes one watches a mailbox (`mailbox.live_holder`).
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Services } from '../../core/services.ts'
import { type BoxRow, boxColumns } from '../boxes/index.ts'

/** Mailboxes that one process watches. */
const mostLive = 200
const leaseMs = 60_000

/** The leases of this process. */
export function createBoxLeases({ db, now, present }: Pick<Services, 'db' | 'now' | 'present'>) {
  const holder = randomUUID()

  return {
    /** The mailboxes that this process watches from now on, with a lease that others respect. */
    async claim(isResting: (box: BoxRow, at: number) => boolean): Promise<BoxRow[]> {
      const at = now()
      const { rows } = await sql<BoxRow & { until: number }>`
        select ${boxColumns}, case when b.live_holder = ${holder} then b.live_until else 0 end as until from mailbox b
        where b.fetches and b.state = 'ok' and b.account_id = any(${[...present()]}::bigint[])
          and (b.protocol = 'imap' or b.protocol = 'exchange' and b.imap_host <> '')
          and (b.live_holder = ${holder} or b.live_until < ${at}::bigint)
        order by b.live_holder = ${holder} desc, b.id limit ${mostLive}`.execute(db)
      const wanted = rows.filter((box) => !isResting(box, at))
      const due = wanted.filter(({ until }) => until < at + leaseMs / 2).map(({ boxId }) => boxId)
      if (due.length === 0) return wanted
      // Another process may have taken some of them meanwhile: each update looks at the lease again.
      const { rows: taken } = await sql<{ id: number }>`
        update mailbox set live_holder = ${holder}, live_until = ${at + leaseMs}::bigint
        where id = any(${due}::bigint[]) and (live_holder = ${holder} or live_until < ${at}::bigint)
        returning id`.execute(db)
      const ids = new Set(taken.map(({ id }) => id))
      return wanted.filter(({ boxId }) => ids.has(boxId) || !due.includes(boxId))
    },

    /** Gives leases back, so that another process can watch at once. */
    async release(boxIds: readonly number[]): Promise<void> {
      await sql`
        update mailbox set live_until = 0 where id = any(${[...boxIds]}::bigint[]) and live_holder = ${holder}`.execute(
        db,
      )
    },
  }
}
