/*
 * Mailboxes whose servers announce new mail (IMAP IDLE, RFC 2177). Each has one connection, which belongs to this module:
 * it waits in the inbox, and the job that fetches borrows it. The mailboxes of people with an open page are watched, up to
 * a number per process, each by one process (`mailbox.live_holder`). Others, and those of servers without IDLE, are polled.
 * A lost connection is opened again, later and later.
 */
import type { ImapFlow } from 'imapflow'
import { sql } from 'kysely'
import { pause } from '../../core/leader-election.ts'
import { MailFailure } from '../../core/mail/index.ts'
import { enqueueAll } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import { type BoxRow, boxSettings, credentialOf, openImap } from '../boxes/index.ts'
import { recordOutcome } from './fetch-outcome.ts'
import { fetching } from './fetching.ts'
import { createBoxLeases } from './live-leases.ts'

type Parts = Pick<Services, 'db' | 'now' | 'secrets' | 'settings' | 'log' | 'present'>

const roundMs = 5000
const firstRetryMs = 5000
const longestRetryMs = 15 * 60_000
/** A server without IDLE is asked again after this. */
const withoutIdleMs = 24 * 60 * 60_000
/** A connection that has held for this long was no failure. */
const heldMs = 2 * 60_000
/** Less than what servers and the boxes between wait: some close after five minutes without a word. */
const longestIdleMs = 4 * 60_000

/** A connection for a fetch: borrowed, or opened for it. */
interface Lent {
  readonly client: ImapFlow
  [Symbol.asyncDispose](): Promise<void>
}

export interface LiveBoxes {
  /** Watches mailboxes until the signal. */
  run(signal: AbortSignal): Promise<void>
  /** The connection of a mailbox for some work: its watched one, if it is here and answers, or a new one. */
  connectionFor(box: BoxRow, open: () => Promise<ImapFlow>, signal: AbortSignal): Promise<Lent>
}

/** A mailbox that is watched here. */
interface Entry {
  readonly box: BoxRow
  readonly stop: AbortController
  client: ImapFlow | undefined
  /** Resolves when the borrower gives the connection back. */
  lent: PromiseWithResolvers<void> | undefined
  /** The server has said that there is something to fetch. */
  isBehind: boolean
}

/** What a connection depends on: with other settings it is opened anew. */
const settingsOf = (box: BoxRow): string =>
  JSON.stringify([box.imapAddress, box.imapPort, box.ssl, box.loginName, box.account, box.sealed])

/** Whether the inbox at the server has mails that are not here. */
async function isBehind(
  db: Services['db'],
  boxId: number,
  at: { uidValidity: bigint; uidNext: number },
): Promise<boolean> {
  const { rows } = await sql<{ high: number; validity: string }>`
    select uid_high as high, uid_validity as validity from mail_folder
    where mailbox_id = ${boxId} and role = 'inbox'`.execute(db)
  const [known] = rows
  return known === undefined || known.validity !== String(at.uidValidity) || known.high < at.uidNext - 1
}

export function createLiveBoxes(parts: Parts): LiveBoxes {
  const { db, now, log } = parts
  const leases = createBoxLeases(parts)
  const entries = new Map<number, Entry>()
  /** Mailboxes that a fetch has a connection of its own to. */
  const fetched = new Set<number>()
  const retries = new Map<number, { readonly at: number; readonly ms: number; readonly settings: string }>()

  const ask = async (boxId: number): Promise<void> =>
    db.transaction().execute((tx) => enqueueAll({ tx, now: now() }, fetching, [{ boxId }], { retryFailed: true }))

  /** Waits in the inbox, and asks for a fetch when something has changed, until the connection ends. */
  const wait = async (entry: Entry, client: ImapFlow): Promise<void> => {
    const { signal } = entry.stop
    const { boxId } = entry.box
    // The folder is selected again to learn its numbers.
    client.on('exists', () => {
      if (entry.lent === undefined) void client.noop().catch(() => {})
    })
    const isChanged = (): void => {
      if (entry.lent === undefined) void ask(boxId).catch(() => {})
    }
    client.on('expunge', isChanged)
    client.on('flags', isChanged)
    while (client.usable && !signal.aborted) {
      await entry.lent?.promise
      const lock = await client.getMailboxLock('INBOX', { readOnly: true })
      try {
        const inbox = await client.mailboxOpen('INBOX', { readOnly: true })
        entry.isBehind = await isBehind(db, boxId, inbox)
      } finally {
        lock.release()
      }
      if (entry.isBehind) await ask(boxId)
      if (entry.lent !== undefined) continue
      const began = performance.now()
      await client.idle()
      // A server that ends each wait at once is not asked without a pause.
      if (performance.now() - began < 500) await pause(500, signal)
    }
  }

  /** A mailbox is left alone for a while after its connection was cut or refused. */
  const rest = (box: BoxRow, ms: number): void =>
    void retries.set(box.boxId, { at: now() + ms, ms, settings: settingsOf(box) })
  const isResting = (box: BoxRow, at: number): boolean => {
    const retry = retries.get(box.boxId)
    return retry !== undefined && retry.at > at && retry.settings === settingsOf(box)
  }

  const watch = async (entry: Entry, localHosts: readonly string[]): Promise<void> => {
    const { box, stop } = entry
    const began = now()
    try {
      const credential = await credentialOf(parts, box)
      const client = await openImap(boxSettings(box), credential, { localHosts, signal: stop.signal }, longestIdleMs)
      entry.client = client
      if (!client.capabilities.has('IDLE')) return rest(box, withoutIdleMs)
      await wait(entry, client)
      throw new MailFailure('brokeOff', '', false)
    } catch (error) {
      if (stop.signal.aborted) return
      const code = error instanceof MailFailure ? error.code : 'brokeOff'
      const last = now() - began > heldMs ? undefined : retries.get(box.boxId)
      const ms =
        code === 'limit' ? longestRetryMs : Math.min(longestRetryMs, last === undefined ? firstRetryMs : last.ms * 2)
      rest(box, ms)
      log.info({ mailbox: box.boxId, problem: code }, 'a mailbox is not watched for a while')
      // The provider would lock the account if the sign-in were tried again.
      if (error instanceof MailFailure && code === 'signIn')
        await recordOutcome(parts, box, 'signIn', error).catch(() => {})
    } finally {
      entry.client?.close()
      entry.lent?.resolve()
      if (entries.get(box.boxId) === entry) entries.delete(box.boxId)
    }
  }

  const round = async (signal: AbortSignal): Promise<void> => {
    const { mailbox_local_hosts: localHosts } = (await parts.settings.current()).inner
    const boxes = new Map((await leases.claim(isResting)).map((box) => [box.boxId, box]))
    for (const [boxId, entry] of entries) {
      const box = boxes.get(boxId)
      if (entry.lent === undefined && (box === undefined || settingsOf(box) !== settingsOf(entry.box))) {
        entry.stop.abort()
        if (box === undefined) await leases.release([boxId])
      } else if (entry.isBehind && entry.lent === undefined) await ask(boxId)
    }
    for (const [boxId, box] of boxes) {
      if (entries.has(boxId) || fetched.has(boxId) || signal.aborted) continue
      const entry: Entry = { box, stop: new AbortController(), client: undefined, lent: undefined, isBehind: false }
      entries.set(boxId, entry)
      void watch(entry, localHosts)
    }
  }

  return {
    async run(signal) {
      try {
        while (!signal.aborted) {
          await round(signal)
          await pause(roundMs, signal)
        }
      } finally {
        const held = [...entries.keys()]
        for (const { stop } of entries.values()) stop.abort()
        if (held.length > 0) await leases.release(held).catch(() => {})
      }
    },

    async connectionFor(box, open, signal) {
      const { boxId } = box
      const entry = entries.get(boxId)
      const { client } = entry ?? {}
      if (entry !== undefined && client?.usable === true && settingsOf(entry.box) === settingsOf(box)) {
        const lent = Promise.withResolvers<void>()
        entry.lent = lent
        const stop = (): void => client.close()
        const giveBack = (): void => {
          signal.removeEventListener('abort', stop)
          entry.lent = undefined
          lent.resolve()
        }
        try {
          await client.noop()
          signal.addEventListener('abort', stop, { once: true })
          return { client, [Symbol.asyncDispose]: () => Promise.resolve(giveBack()) }
        } catch {
          // It was cut, and nobody has noticed until now.
          client.close()
          giveBack()
        }
      }
      fetched.add(boxId)
      try {
        const own = await open()
        return {
          client: own,
          async [Symbol.asyncDispose]() {
            fetched.delete(boxId)
            await own.logout().catch(() => {})
            own.close()
          },
        }
      } catch (error) {
        fetched.delete(boxId)
        throw error
      }
    },
  }
}
