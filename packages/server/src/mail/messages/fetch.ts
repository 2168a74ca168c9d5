/*
 * The jobs that talk to the servers of mailboxes: fetching, and telling the server what the person did here. A failed
 * sign-in pauses the mailbox until its owner acts, on all processes, so that the provider does not lock the account.
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../core/db/database.ts'
import { writeEvents } from '../../core/events.ts'
import { MailFailure } from '../../core/mail/index.ts'
import { type Job, job } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { enqueueAll } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import {
  type BoxRow,
  boxSettings,
  findBox,
  imapProblem,
  mailChanged,
  openImap,
  openPop,
  passwordOf,
  popProblem,
} from '../boxes/index.ts'
import { openEws } from '../exchange/index.ts'
import { applyChanges, hasChanges } from './changes.ts'
import { syncExchange } from './sync-exchange.ts'
import { syncImap } from './sync-imap.ts'
import { syncPop } from './sync-pop.ts'

type Parts = Pick<Services, 'db' | 'blobs' | 'now' | 'pause' | 'secrets' | 'settings' | 'log'>

const minuteMs = 60_000
/** A mailbox whose owner is here is fetched this often, others less. */
const presentEveryMs = minuteMs
const absentEveryMs = 15 * minuteMs
/** One attempt fetches older mails for this long; the next goes on. */
const sliceMs = 2 * minuteMs
const retryMs = 5 * minuteMs

const Asked = z.object({ boxId: z.int() })
type Asked = z.output<typeof Asked>

/** Fetches one mailbox. */
export const fetching: JobKind<Asked, void> = {
  name: 'mail.fetch',
  input: Asked,
  key: ({ boxId }) => String(boxId),
  retentionMs: 1000,
}

/** Whether more is to be fetched at once, and until when it can wait otherwise. */
async function fetchBox(parts: Parts, box: BoxRow, signal: AbortSignal): Promise<boolean> {
  const settings = boxSettings(box)
  const { mailbox_local_hosts: localHosts } = (await parts.settings.current()).inner
  const reaching = { localHosts, signal }
  const password = passwordOf(parts.secrets, box)
  const until = parts.now() + sliceMs
  const sync = { ...parts, signal }
  if (settings.overEws) {
    const ews = openEws(settings, password, reaching)
    await applyChanges(parts.db, box.boxId, { ews })
    return syncExchange(ews, sync, box, until)
  }
  if (settings.protocol === 'pop3') {
    const client = await openPop(settings, password, reaching)
    try {
      await applyChanges(parts.db, box.boxId, { pop: client })
      const isLeft = await syncPop(client, sync, box, until)
      await client.QUIT()
      return isLeft
    } catch (error) {
      await client.QUIT().catch(() => {})
      throw popProblem(error)
    }
  }
  const client = await openImap(settings, password, reaching)
  try {
    await applyChanges(parts.db, box.boxId, { imap: client })
    const isLeft = await syncImap(client, sync, box, until)
    await client.logout()
    return isLeft
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof MailFailure || isOurs(error) ? error : imapProblem(error)
  } finally {
    client.close()
  }
}

/** An error of our own database or store, which says nothing about the mail server. */
const isOurs = (error: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test((error as { code?: string }).code ?? '') && 'severity' in (error as object)

export function fetchJob(parts: Parts): Job<Asked> {
  return job({
    ...fetching,
    attempts: 1000,
    concurrency: 4,
    timeoutMs: 30 * minuteMs,
    backoffMs: () => retryMs,
    async run({ signal, log }, { boxId }) {
      const box = await findBox(parts.db, boxId)
      if (box === undefined || box.state === 'signIn') return
      try {
        while ((await fetchBox(parts, box, signal)) || (await hasChanges(parts.db, boxId))) signal.throwIfAborted()
        await settle(parts, box, 'ok')
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof MailFailure)) throw error
        log.info({ mailbox: boxId, problem: error.code }, 'a mailbox could not be fetched')
        await settle(parts, box, error.code === 'signIn' ? 'signIn' : 'unreachable', error)
      }
    },
  })
}

/**
 * Records what a fetch came to, unless the password was changed meanwhile. The end of each complete fetch is told to the
 * pages of the owner, which show that it runs.
 */
async function settle(
  { db, now }: Parts,
  box: BoxRow,
  state: 'ok' | 'signIn' | 'unreachable',
  failure?: MailFailure,
): Promise<void> {
  const at = now()
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      update mailbox set state = ${state}, problem = ${failure?.code ?? ''}, said = ${failure?.message ?? ''},
        fetched_at = case when ${state} = 'ok' then ${at}::bigint else fetched_at end
      where id = ${box.boxId} and password = ${box.sealed}
        and (${state} = 'ok' or (state, problem) is distinct from (${state}, ${failure?.code ?? ''}))
      returning 1`.execute(tx)
    if (rows.length > 0) await writeEvents(tx, [mailChanged(box.accountId, box.boxId)], at)
  })
}

const dueAtOnce = 200

/**
 * Enqueues the mailboxes that are due. Returns their number. Runs in every process, because each knows only the accounts
 * with an open page on itself (`present`), whose mailboxes are fetched more often.
 */
export async function enqueueDue(db: Db, now: number, present: ReadonlySet<number>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await sql`
      update mailbox set next_fetch = least(next_fetch, ${now + presentEveryMs}::bigint)
      where fetches and state <> 'signIn' and account_id = any(${[...present]}::bigint[])
        and next_fetch > ${now + presentEveryMs}::bigint`.execute(tx)
    const { rows } = await sql<{ id: number }>`
      update mailbox set next_fetch = ${now + absentEveryMs}::bigint
      where id in (
        select id from mailbox where fetches and state <> 'signIn' and next_fetch <= ${now}::bigint
        order by next_fetch limit ${dueAtOnce} for no key update skip locked)
      returning id`.execute(tx)
    await enqueueAll(
      { tx, now },
      fetching,
      rows.map(({ id }) => ({ boxId: id })),
      { retryFailed: true },
    )
    return rows.length
  })
}
