/*
 * The job that sends a mail. Its states only go forward: queued, handing, accepted, filed. `handing` is committed before
 * the server receives the first byte, and `accepted` after its answer; once accepted, nothing sends it again, and only
 * the copy is filed. A process that ends in between leaves `handing`: whether the server has the mail is then unknown,
 * and the mail becomes `unsure`, unless the copy that the provider filed proves that it was sent.
 */
import { domainToASCII } from 'node:url'
import type { ImapFlow } from 'imapflow'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Db } from '../../core/db/database.ts'
import { writeEvents } from '../../core/events.ts'
import { MailFailure } from '../../core/mail/index.ts'
import { type Job, type JobContext, job } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { enqueueAll } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import {
  type BoxSettings,
  boxSettings,
  type Credential,
  credentialOf,
  findBox,
  mailChanged,
  openImap,
  passwordIn,
  takesUnicodeNames,
  withSmtp,
} from '../boxes/index.ts'
import { isSentByExchange, openEws, sendByExchange } from '../exchange/index.ts'
import { fetchNow, recordChanges } from '../messages/index.ts'
import { attachedTo, type IsSensitive, isWithheld } from './attachments.ts'
import { buildMessage, type WrittenMail } from './message.ts'
import type { Receivers } from './tables.ts'

type Parts = Pick<Services, 'db' | 'now' | 'pause' | 'secrets' | 'settings'> & {
  readonly contents: Contents
  readonly isSensitive: IsSensitive
}

const minuteMs = 60_000
/** Providers that file sent mail themselves need a moment for it. */
const filingWaitMs = 10_000

const Asked = z.object({ outgoingId: z.int() })
type Asked = z.output<typeof Asked>

/** Sends one mail. */
export const delivering: JobKind<Asked, void> = {
  name: 'mail.deliver',
  input: Asked,
  key: ({ outgoingId }) => String(outgoingId),
  retentionMs: 1000,
}

interface OutgoingRow {
  readonly id: number
  readonly accountId: number
  readonly boxId: number
  readonly state: string
  readonly sender: string
  readonly people: Receivers
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly messageId: string
  readonly replyOf: number | null
  readonly isForward: boolean
  readonly sendTime: number
}

async function rowOf(db: Db, id: number): Promise<OutgoingRow | undefined> {
  const { rows } = await sql<OutgoingRow>`
    select id, account_id as "accountId", mailbox_id as "boxId", state, sender, people, subject, html, text,
      message_id as "messageId", reply_of as "replyOf", is_forward as "isForward", send_at as "sendTime"
    from outgoing_mail where id = ${id}`.execute(db)
  return rows[0]
}

const mostAtOnce = 100
/** A mail on its way for longer than this has no job any more, as after a restore. */
const lostAfterMs = 60 * minuteMs

/**
 * Enqueues the mails whose time has come, and those on their way whose job is gone. Returns true if more are waiting.
 */
export async function enqueueSending(db: Db, now: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    (select id from outgoing_mail where state = 'queued' and send_at <= ${now}::bigint
      order by send_at limit ${mostAtOnce})
    union all
    (select id from outgoing_mail where state in ('handing', 'accepted') and modified_at <= ${now - lostAfterMs}::bigint
      order by modified_at limit ${mostAtOnce})`.execute(db)
  if (rows.length === 0) return false
  await db.transaction().execute((tx) =>
    enqueueAll(
      { tx, now },
      delivering,
      rows.map(({ id }) => ({ outgoingId: id })),
      { retryFailed: true },
    ),
  )
  return rows.length >= mostAtOnce
}

export function deliverJob(parts: Parts): Job<Asked> {
  return job({
    ...delivering,
    attempts: 100,
    concurrency: 4,
    timeoutMs: 10 * minuteMs,
    backoffMs: (attempt) => Math.min(minuteMs * 2 ** (attempt - 1), 60 * minuteMs),
    async run(context, { outgoingId }) {
      const row = await rowOf(parts.db, outgoingId)
      if (row?.state === 'queued') await handOver(parts, context, row)
      if (row?.state === 'handing') await settleUnsure(parts, context, row)
      const now = await rowOf(parts.db, outgoingId)
      if (now?.state === 'accepted') await file(parts, context, now)
    },
  })
}

/** Moves a mail from one state to the next. False if it is not in that state any more. */
async function advance(
  { db, now }: Parts,
  row: OutgoingRow,
  from: string,
  to: string,
  more: { readonly problem?: string; readonly said?: string; readonly refused?: readonly string[] } = {},
): Promise<boolean> {
  const at = now()
  const { problem = '', said = '', refused = [] } = more
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      update outgoing_mail set state = ${to}, problem = ${problem}, said = ${said}, modified_at = ${at},
        -- Who has not received it stays named when the copy is filed.
        refused = case when ${to} = 'filed' then refused else ${JSON.stringify(refused)} end
      where id = ${row.id} and state = ${from} returning 1`.execute(tx)
    if (rows.length === 0) return false
    if (to === 'accepted' && row.replyOf !== null && !row.isForward) {
      await sql`update mail set is_answered = true where id = ${row.replyOf}`.execute(tx)
      await recordChanges(tx, [row.replyOf], 'answered')
    }
    await writeEvents(tx, [mailChanged(row.accountId, row.boxId)], at)
    return true
  })
}

interface Opened {
  readonly settings: BoxSettings
  readonly credential: Credential
  readonly localHosts: readonly string[]
  readonly mail: WrittenMail
}

async function opened(parts: Parts, row: OutgoingRow): Promise<Opened | undefined> {
  const box = await findBox(parts.db, row.boxId)
  if (box === undefined) return undefined
  const { mailbox_local_hosts: localHosts } = (await parts.settings.current()).inner
  const { rows } = await sql<{ messageId: string; refs: string[] }>`
    select message_id as "messageId", refs from mail where id = ${row.replyOf}`.execute(parts.db)
  const [answered] = rows
  const inReplyTo = row.isForward ? '' : (answered?.messageId ?? '')
  return {
    settings: boxSettings(box),
    credential: await credentialOf(parts, box),
    localHosts,
    mail: {
      ...{ messageId: row.messageId, people: row.people, subject: row.subject, html: row.html, text: row.text },
      from: { name: box.senderName, address: row.sender || box.account },
      sentAt: row.sendTime,
      inReplyTo,
      references: inReplyTo === '' ? [] : [...(answered?.refs ?? []), inReplyTo].slice(-20),
      attachments: await attachedTo(parts.db, row.id),
    },
  }
}

/** Addresses that are named in a refusal. */
const mostNamed = 5

/** An address as servers know it: its domain in ASCII. What stands before the @ has no such form. */
function wireAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = domainToASCII(address.slice(at))
  return domain === '' ? address : address.slice(0, at) + domain
}

const hasUnicodeName = (address: string): boolean => /[^\x20-\x7e]/.test(address.slice(0, address.lastIndexOf('@')))

async function handOver(parts: Parts, { signal, attempt }: JobContext, row: OutgoingRow): Promise<void> {
  const found = await opened(parts, row)
  if (found === undefined) return
  // Rules and files may have changed since the mail was written.
  if (await isWithheld(parts.db, parts.isSensitive, row.id))
    return void (await advance(parts, row, 'queued', 'failed', { problem: 'sensitive' }))
  const { settings, credential, localHosts, mail } = found
  const typed = [...new Set([...row.people.to, ...row.people.cc, ...row.people.bcc].map(({ address }) => address))]
  /** Who was typed, by the address on the wire. */
  const to = new Map(typed.map((address) => [wireAddress(address), address]))
  let isHanding = false
  try {
    if (settings.overEws) {
      // Exchange takes hidden receivers from the message, and files its copy.
      const message = await buildMessage(mail, parts.contents, true)
      if (!(await advance(parts, row, 'queued', 'handing'))) return
      isHanding = true
      await parts.pause('mail handed over')
      await sendByExchange(openEws(settings, passwordIn(credential), { localHosts, signal }), message)
      await parts.pause('mail accepted')
      return void (await advance(parts, row, 'handing', 'accepted'))
    }
    const message = await buildMessage(mail, parts.contents, false)
    const refused = await withSmtp(settings, credential, { localHosts, signal }, async (connection, step) => {
      const unusual = [mail.from.address, ...typed].filter(hasUnicodeName)
      if (unusual.length > 0 && !takesUnicodeNames(connection))
        throw new MailFailure('unicodeAddress', unusual.slice(0, mostNamed).join('、'), true)
      // From here on a lost process leaves the mail unsure instead of sending it twice.
      if (!(await advance(parts, row, 'queued', 'handing'))) return undefined
      isHanding = true
      await parts.pause('mail handed over')
      const info = await step<{ rejected?: readonly string[] }>((done) =>
        connection.send({ from: wireAddress(mail.from.address), to: [...to.keys()] }, message, done),
      )
      return (info?.rejected ?? []).map((address) => to.get(address) ?? address)
    })
    if (refused === undefined) return
    await parts.pause('mail accepted')
    await advance(parts, row, 'handing', 'accepted', { refused })
  } catch (error) {
    signal.throwIfAborted()
    const failure = error instanceof MailFailure ? error : undefined
    if (failure === undefined) throw error
    const said = { problem: failure.code, said: failure.message }
    const from = isHanding ? 'handing' : 'queued'
    // The connection broke after the mail was sent: the server may have it.
    if (isHanding && settings.overEws && failure.code !== 'signIn') return settleUnsure(parts, { signal }, row)
    if (isHanding && ['brokeOff', 'silent', 'unreachable'].includes(failure.code))
      return void (await advance(parts, row, 'handing', 'unsure', said))
    if (
      failure.isFinal ||
      failure.code === 'signIn' ||
      failure.code === 'notSetUp' ||
      failure.code === 'forbidden' ||
      attempt >= 8
    )
      return void (await advance(parts, row, from, 'failed', said))
    if (isHanding) await advance(parts, row, 'handing', 'queued', said)
    throw error
  }
}

/** Finds out whether a mail was sent before its process ended: some providers file what they send. */
async function settleUnsure(parts: Parts, { signal }: Pick<JobContext, 'signal'>, row: OutgoingRow): Promise<void> {
  const found = await opened(parts, row)
  if (found === undefined) return
  const { settings, credential, localHosts } = found
  if (settings.overEws) {
    const ews = openEws(settings, passwordIn(credential), { localHosts, signal })
    const isSent = await isSentByExchange(ews, row.messageId).catch(() => false)
    return void (await advance(parts, row, 'handing', isSent ? 'accepted' : 'unsure'))
  }
  if (settings.protocol !== 'pop3') {
    const isSent = await withSent(settings, credential, { localHosts, signal }, parts.db, row.boxId, (client, path) =>
      isFiled(client, path, row.messageId),
    ).catch(() => false)
    if (isSent) return void (await advance(parts, row, 'handing', 'filed'))
  }
  await advance(parts, row, 'handing', 'unsure')
}

/** Files the copy of an accepted mail in the folder of sent mail. Tried alone, again and again: it never sends. */
async function file(parts: Parts, { signal }: JobContext, row: OutgoingRow): Promise<void> {
  const found = await opened(parts, row)
  if (found === undefined) return
  const { settings, credential, localHosts, mail } = found
  // Exchange has filed it with the sending.
  if (settings.protocol !== 'pop3' && !settings.overEws) {
    const message = await buildMessage(mail, parts.contents, true)
    await withSent(settings, credential, { localHosts, signal }, parts.db, row.boxId, async (client, path) => {
      if (await isFiled(client, path, row.messageId)) return
      if (filesItself(settings)) {
        await waitFor(filingWaitMs, signal)
        if (await isFiled(client, path, row.messageId)) return
      }
      await client.append(path, message, ['\\Seen'], new Date(row.sendTime))
    })
  }
  if (await advance(parts, row, 'accepted', 'filed'))
    await parts.db.transaction().execute((tx) => fetchNow({ tx, now: parts.now() }, row.boxId))
}

/** Providers that put what they send into the folder of sent mail. */
const filesItself = ({ send }: BoxSettings): boolean =>
  /(gmail\.com|googlemail\.com|office365\.com|outlook\.com|qq\.com|163\.com|126\.com)$/.test(send?.host ?? '')

const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })

/** Runs work on a connection with the folder of sent mail, which is created where there is none. */
async function withSent<T>(
  settings: BoxSettings,
  credential: Credential,
  reaching: { readonly localHosts: readonly string[]; readonly signal: AbortSignal },
  db: Db,
  boxId: number,
  work: (client: ImapFlow, path: string) => Promise<T>,
): Promise<T> {
  const { rows } = await sql<{ path: string }>`
    select path from mail_folder where mailbox_id = ${boxId} and role = 'sent'`.execute(db)
  const client = await openImap(settings, credential, reaching)
  try {
    const path = rows[0]?.path ?? 'Sent'
    if (rows.length === 0) await client.mailboxCreate(path).catch(() => {})
    return await work(client, path)
  } finally {
    client.close()
  }
}

/** Whether the folder has a mail of that Message-ID. Numbers that the server made up are compared again. */
async function isFiled(client: ImapFlow, path: string, messageId: string): Promise<boolean> {
  const lock = await client.getMailboxLock(path, { readOnly: true })
  try {
    if (client.mailbox === false || client.mailbox.exists === 0) return false
    const recent = `${Math.max(1, client.mailbox.exists - 50)}:*`
    const found = await client.fetchAll(recent, { envelope: true })
    return found.some(({ envelope }) => envelope?.messageId === `<${messageId}>`)
  } finally {
    lock.release()
  }
}
