/*
 * The jobs that talk to the servers of mailboxes: fetching, and telling the server what the person did here. A failed
 * sign-in pauses the mailbox until its owner acts, on all processes, so that the provider does not lock the account.
 */
import type { ImapFlow } from 'imapflow'
import { sql } from 'kysely'
import { ConfinedFailure } from '../../core/confined/confined.ts'
import type { Db } from '../../core/db/database.ts'
import { MailFailure, type MailProblem } from '../../core/mail/index.ts'
import { type Job, job } from '../../core/queue/job.ts'
import { enqueueAll } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import {
  type BoxRow,
  boxSettings,
  credentialOf,
  findBox,
  imapProblem,
  openImap,
  openPop,
  passwordIn,
  popProblem,
} from '../boxes/index.ts'
import { openEws } from '../exchange/index.ts'
import { applyChanges, hasChanges } from './changes.ts'
import { recordOutcome } from './fetch-outcome.ts'
import { type FetchAsked, fetching } from './fetching.ts'
import { type LiveBoxes } from './live-boxes.ts'
import { syncExchange } from './sync-exchange.ts'
import { syncImap } from './sync-imap.ts'
import { syncPop } from './sync-pop.ts'

type Parts = Pick<Services, 'db' | 'blobs' | 'now' | 'pause' | 'secrets' | 'settings' | 'log'> & {
  readonly live: LiveBoxes
}

const minuteMs = 60_000
/** A mailbox whose owner is here is fetched this often, others less. */
const presentEveryMs = minuteMs
/** A mailbox whose server was out of reach: new mail is here within a minute of its return. */
const lostEveryMs = 20_000
const lostProblems: readonly MailProblem[] = ['unknownHost', 'unreachable', 'silent', 'brokeOff']
const absentEveryMs = 15 * minuteMs
/** One whose server announces new mail, for its other folders. */
const liveEveryMs = 5 * minuteMs
/** One attempt fetches older mails for this long; the next goes on. */
const sliceMs = 2 * minuteMs
const retryMs = 5 * minuteMs

/** Whether more is to be fetched at once, and until when it can wait otherwise. */
async function fetchBox(parts: Parts, box: BoxRow, signal: AbortSignal): Promise<boolean> {
  const settings = boxSettings(box)
  const { mailbox_local_hosts: localHosts } = (await parts.settings.current()).inner
  const reaching = { localHosts, signal }
  const credential = await credentialOf(parts, box)
  const until = parts.now() + sliceMs
  const sync = { ...parts, signal }
  if (settings.overEws) {
    const ews = openEws(settings, passwordIn(credential), reaching)
    await applyChanges(parts.db, box.boxId, { ews })
    return syncExchange(ews, sync, box, until)
  }
  if (settings.protocol === 'pop3') {
    const client = await openPop(settings, credential, reaching)
    try {
      await applyChanges(parts.db, box.boxId, { pop: client })
      const isLeft = await syncPop(client, sync, box, until)
      await client.QUIT()
      return isLeft
    } catch (error) {
      await client.QUIT().catch(() => {})
      throw isOurs(error) ? error : popProblem(error)
    }
  }
  await using lent = await parts.live.connectionFor(box, () => openImap(settings, credential, reaching), signal)
  const { client } = lent
  try {
    await applyChanges(parts.db, box.boxId, { imap: client })
    const isLeft = await syncImap(client, sync, box, until)
    await storeSpace(parts.db, box.boxId, client)
    return isLeft
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof MailFailure || isOurs(error) ? error : imapProblem(error)
  }
}

/** Whether the mailbox was to be fetched again since: folders that had been fetched by then may have new mail. */
async function isAskedSince({ db, now }: Pick<Parts, 'db' | 'now'>, boxId: number, begun: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from mailbox where id = ${boxId} and next_fetch > ${begun}::bigint and next_fetch <= ${now()}::bigint`.execute(
    db,
  )
  return rows.length > 0
}

/** Stores how much of its space a mailbox uses, where the server says so. Otherwise the total is 0. */
async function storeSpace(db: Db, boxId: number, client: ImapFlow): Promise<void> {
  const { storage } = (await client.getQuota('INBOX')) || {}
  const { usage = 0, limit = 0 } = storage ?? {}
  await sql`
    update mailbox set space_used = ${usage}, space_total = ${limit}
    where id = ${boxId} and (space_used, space_total) is distinct from (${usage}, ${limit})`.execute(db)
}

/** An error of our own database, store or reader, which says nothing about the mail server. */
const isOurs = (error: unknown): boolean =>
  error instanceof ConfinedFailure ||
  (/^[0-9A-Z]{5}$/.test((error as { code?: string }).code ?? '') && 'severity' in (error as object))

export function fetchJob(parts: Parts): Job<FetchAsked> {
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
        let begun: number
        do {
          signal.throwIfAborted()
          begun = parts.now()
        } while (
          (await fetchBox(parts, box, signal)) ||
          (await hasChanges(parts.db, boxId)) ||
          (await isAskedSince(parts, boxId, begun))
        )
        await recordOutcome(parts, box, 'ok')
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof MailFailure)) throw error
        log.info({ mailbox: boxId, problem: error.code }, 'a mailbox could not be fetched')
        await recordOutcome(parts, box, error.code === 'signIn' ? 'signIn' : 'unreachable', error)
      }
    },
  })
}

const dueAtOnce = 200

/**
 * Enqueues the mailboxes that are due. Returns their number. Runs in every process, because each knows only the accounts
 * with an open page on itself (`present`), whose mailboxes are fetched more often.
 */
export async function enqueueDue(db: Db, now: number, present: ReadonlySet<number>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const next = sql`${now}::bigint + case
      when live_until > ${now}::bigint and state = 'ok' then ${liveEveryMs}::bigint
      when state = 'unreachable' and problem = any(${lostProblems}::text[]) then ${lostEveryMs}::bigint
      else ${presentEveryMs}::bigint end`
    await sql`
      update mailbox set next_fetch = least(next_fetch, ${next})
      where fetches and state <> 'signIn' and account_id = any(${[...present]}::bigint[])
        and next_fetch > ${next}`.execute(tx)
    const { rows } = await sql<{ id: number }>`
      update mailbox set next_fetch = ${now + absentEveryMs}::bigint
      where id in (
        select id from mailbox where fetches and state <> 'signIn' and next_fetch <= ${now}::bigint
          and exists (select 1 from account a where a.id = account_id and a.state = 'normal')
          -- One that is being fetched remains due: it may have been asked for since.
          and not exists (select 1 from job j where j.kind = ${fetching.name} and j.key = mailbox.id::text
            and j.state = 'running')
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
