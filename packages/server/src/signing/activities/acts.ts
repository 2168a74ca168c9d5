// What people do to a signing process beside signing. Everything happens while its row is locked.
import { fail, SignState, signLimits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { NewEvent } from '../../core/events.ts'
import { settleNotices } from '../../core/notices/index.ts'
import type { Write } from '../../core/queue/job.ts'
import { enqueue } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import { archiving } from './archive-kind.ts'
import { askedBy } from './askable.ts'
import { checkSigners } from './launch.ts'
import { checkOutsiders, type ExternalInput, mailOutsiders } from './outsiders.ts'
import {
  type ActingAccount,
  type ActivityRow,
  accountsOf,
  authorOfEntry,
  changed,
  isExternal,
  levelOf,
  lockActivity,
  markItem,
  notify,
  record,
  type SignerRow,
  signersOf,
} from './rows.ts'

const dayMs = 24 * 60 * 60_000

/** What mails to people without an account need. */
type Mailing = Pick<Services, 'secrets' | 'settings'>

/** What asked a person to sign is read once they have acted. */
export async function settle(write: Pick<WriteContext, 'tx' | 'now' | 'event'>, id: number, accountId: number) {
  const events = await settleNotices(write.tx, accountId, { group: 'fileSign', key: String(id) }, write.now)
  for (const event of events) write.event(event)
}

/** Asks the next signer. Returns whether everybody has signed. */
export async function advance(
  write: Pick<WriteContext, 'tx' | 'now' | 'event'>,
  parts: Mailing,
  row: ActivityRow,
): Promise<boolean> {
  const signers = await signersOf(write.tx, row.id)
  const open = signers.filter(({ state }) => state === 'now' || state === 'next')
  const [next] = open
  if (next === undefined) return signers.some(({ state }) => state === 'signed')
  if (open.some(({ state }) => state === 'now')) return false
  await sql`update sign_signer set state = 'now' where id = ${next.id}`.execute(write.tx)
  const said = { by: row.launcher, at: write.now, comments: row.comments }
  const people = await askedBy(write.tx, row, [next], write.now)
  for (const event of notify(row, SignState.launched, people, said)) write.event(event)
  await mailOutsiders(write, parts, row, { occasion: 'asked', signers: [next] })
  return false
}

/** Everybody has signed: the archive is written. */
export async function conclude({ tx, now }: Write, row: ActivityRow): Promise<void> {
  await sql`update sign_activity set state = 'signed' where id = ${row.id}`.execute(tx)
  await enqueue({ tx, now }, archiving, { activityId: row.id, folderId: row.archive_folder_id })
}

/** A signer leaves the company and nobody signs in their place: the others go on, or nothing is left to wait for. */
export async function leaveOut(
  write: Pick<WriteContext, 'tx' | 'now' | 'event'>,
  parts: Mailing,
  row: ActivityRow,
  leaver: { readonly id: number },
): Promise<void> {
  const { tx, now } = write
  const own = (await signersOf(tx, row.id)).filter(({ account_id }) => account_id === leaver.id)
  for (const one of await askedBy(tx, row, own, now)) await settle(write, row.id, one)
  await sql`
    update sign_activity set locked_signer = null, locked_until = 0
    where id = ${row.id} and locked_signer = any(${own.map(({ id }) => id)})`.execute(tx)
  await sql`
    update sign_signer set state = 'left'
    where activity_id = ${row.id} and account_id = ${leaver.id} and state in ('now', 'next')`.execute(tx)
  if (await advance(write, parts, row)) await conclude(write, row)
  else if ((await signersOf(tx, row.id)).every(({ state }) => state !== 'now')) {
    await record(tx, row.id, now, 'withdrawn')
    await endEarly({ tx, now, event: write.event.bind(write) }, parts, row, { state: 'withdrawn', by: '' })
    for (const event of notify(row, SignState.withdrawn, [row.launcher_id], { by: row.launcher, at: now }))
      write.event(event)
  }
  write.event(changed(row.id))
}

/** Ends a process before everybody has signed. The signatures made stay in its revisions. */
async function endEarly(
  { tx, now, event }: { readonly tx: Tx; readonly now: number; readonly event: (event: NewEvent) => void },
  parts: Mailing,
  row: ActivityRow,
  {
    state,
    by,
    words = '',
  }: { readonly state: 'rejected' | 'withdrawn' | 'expired'; readonly by: string; readonly words?: string },
): Promise<void> {
  await sql`
    update sign_activity set state = ${state}, ended_at = ${now}, locked_signer = null, locked_until = 0
    where id = ${row.id}`.execute(tx)
  const marked = await markItem(tx, row.item_id, false, by)
  if (marked !== undefined) event(marked)
  const signers = await signersOf(tx, row.id)
  const people = await peopleOf(tx, row, signers, now)
  // Nobody's turn is left; who has not acted keeps seeing what became of it.
  await sql`update sign_signer set state = 'next' where activity_id = ${row.id} and state = 'now'`.execute(tx)
  for (const id of people) await settle({ tx, now, event }, row.id, id)
  const asked = signers.filter((one) => one.state === 'now' || one.state === 'signed')
  const occasion = state === 'rejected' ? 'rejected' : 'withdrawn'
  await mailOutsiders({ tx, now }, parts, row, { occasion, signers: asked, words })
  event(changed(row.id))
}

/** Refuses to sign a revision that the signer has not seen, out of turn, or while somebody else signs. */
export function assertMaySign(
  row: ActivityRow,
  signer: SignerRow,
  { revision, accountId, now }: { readonly revision: number; readonly accountId: number | null; readonly now: number },
): void {
  if (row.state !== 'running' || signer.state === 'signed' || signer.state === 'rejected') fail('alreadyHandled')
  if (row.deadline !== null && row.deadline <= now) fail('alreadyHandled')
  if (signer.state !== 'now') fail('noPermission')
  if (row.revision !== revision)
    fail('fileConflict', {
      zh: '刚有人签过，请看过最新的文件再签',
      en: 'somebody has signed since: look at the file again before you sign',
    })
  const isOwnLock = row.locked_signer === signer.id && row.lock_holder === accountId
  if (row.locked_until > now && row.locked_signer !== null && !isOwnLock)
    fail('fileLocked', { zh: '有人正在签，请稍后再签', en: 'somebody is signing at this moment: try again later' })
}

/** Refuses to sign, with a reason. Launcher and all who have signed are told. */
export async function reject(
  write: WriteContext,
  parts: Mailing,
  id: number,
  {
    signerId,
    acting,
    comments,
  }: { readonly signerId: number; readonly acting: ActingAccount; readonly comments: string },
): Promise<void> {
  const { tx, now, address } = write
  if (comments === '') return fail('badRequest', { zh: '请写下拒签的原因', en: 'comments: say why' })
  const row = await lockActivity(tx, id)
  const signer = (await signersOf(tx, id)).find((one) => one.id === signerId) ?? fail('notFound')
  if (row.state !== 'running' || signer.state === 'signed' || signer.state === 'rejected') return fail('alreadyHandled')
  if (signer.state !== 'now') return fail('noPermission')
  const asked = await askedBy(tx, row, [signer], now)
  const actedBy = acting === null || acting.accountId === signer.account_id ? null : acting.accountId
  await sql`
    update sign_signer set state = 'rejected', acted_by = ${actedBy}, acted_at = ${now}, comments = ${comments}, address = ${address}
    where id = ${signerId}`.execute(tx)
  await record(tx, id, now, 'rejected', { ...authorOfEntry(signer, acting), text: comments })
  for (const one of asked) await settle(write, id, one)
  const by = acting?.name ?? signer.name
  await endEarly({ tx, now, event: write.event.bind(write) }, parts, row, { state: 'rejected', by, words: comments })
  const signed = accountsOf((await signersOf(tx, id)).filter(({ state }) => state === 'signed'))
  const told = [row.launcher_id, ...signed, ...accountsOf([signer])]
  const people = [...new Set(told)].filter((one) => one !== acting?.accountId)
  const said = { by, at: now, comments }
  for (const event of notify(row, SignState.rejected, people, said)) write.event(event)
}

/** The accounts of signers, and whoever may act for those whose turn it is. */
async function peopleOf(tx: Tx, row: ActivityRow, signers: readonly SignerRow[], now: number): Promise<number[]> {
  const due = signers.filter(({ state }) => state === 'now')
  return [...new Set([...accountsOf(signers), ...(await askedBy(tx, row, due, now))])]
}

/** The launcher withdraws it. Signers who were asked or have signed are told. Its call is gated by `withdraw`. */
export async function withdraw(write: WriteContext, parts: Mailing, id: number, comments: string): Promise<void> {
  const { tx, now } = write
  const { accountId, name } = actorOf(write)
  const row = await lockActivity(tx, id)
  const asked = (await signersOf(tx, id)).filter(({ state }) => state === 'now' || state === 'signed')
  const told = await peopleOf(tx, row, asked, now)
  await record(tx, id, now, 'withdrawn', { by: accountId, text: comments })
  const over = { state: 'withdrawn', by: name, words: comments } as const
  await endEarly({ tx, now, event: write.event.bind(write) }, parts, row, over)
  const people = told.filter((one) => one !== accountId)
  for (const event of notify(row, SignState.withdrawn, people, { by: name, at: now, comments })) write.event(event)
}

/** Ends a process whose time is over. Returns the events. */
export async function expire({ tx, now }: Write, parts: Mailing, id: number): Promise<NewEvent[]> {
  const row = await lockActivity(tx, id)
  if (row.state !== 'running' || row.deadline === null || row.deadline > now) return []
  const events: NewEvent[] = []
  const asked = (await signersOf(tx, id)).filter(({ state }) => state === 'now' || state === 'signed')
  const told = await peopleOf(tx, row, asked, now)
  await record(tx, id, now, 'expired')
  await endEarly({ tx, now, event: (event) => void events.push(event) }, parts, row, { state: 'expired', by: '' })
  const people = [...new Set([row.launcher_id, ...told])]
  return [...events, ...notify(row, SignState.withdrawn, people, { by: row.launcher, at: now })]
}

/** How often the launcher may still remind within these 24 hours. */
export async function remindsLeft(tx: Db, id: number, now: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from sign_entry where activity_id = ${id} and what = 'reminded' and at > ${now - dayMs}`.execute(
    tx,
  )
  return Math.max(0, signLimits.remindersPerDay - (rows[0]?.n ?? 0))
}

/** Reminds those whose turn it is. Returns how many. */
export async function remind(write: WriteContext, parts: Mailing, id: number): Promise<number> {
  const { tx, now } = write
  const { accountId, name } = actorOf(write)
  if ((await remindsLeft(tx, id, now)) === 0)
    return fail('duplicateOperation', {
      zh: `24 小时内最多提醒 ${signLimits.remindersPerDay} 次，请稍后再提醒`,
      en: `at most ${signLimits.remindersPerDay} times in 24 hours: try again later`,
    })
  const row = await lockActivity(tx, id)
  const waiting = (await signersOf(tx, id)).filter(({ state }) => state === 'now')
  await record(tx, id, now, 'reminded', { by: accountId })
  const said = { by: name, at: now, comments: row.comments }
  for (const event of notify(row, SignState.launched, await askedBy(tx, row, waiting, now), said)) write.event(event)
  await mailOutsiders(write, parts, row, { occasion: 'asked', signers: waiting })
  write.event(changed(id))
  return waiting.length
}

/** Gives what a signer has to sign to another person, at the same place. */
export async function passOn(
  write: Pick<WriteContext, 'tx' | 'now' | 'event'>,
  row: ActivityRow,
  { from, to, by, comments }: { from: number; to: number; by: number; comments: string },
): Promise<void> {
  const { tx, now } = write
  const signers = await signersOf(tx, row.id)
  const own = signers.find(({ account_id }) => account_id === from)
  const other = signers.find(({ account_id, acted_by }) => account_id === to || acted_by === to)
  if (own === undefined) return fail('notFound')
  if (other !== undefined)
    return fail('duplicateOperation', { zh: '对方已经是签署人', en: 'userId: they are one of the signers already' })
  const asked = new Set([from, ...(await askedBy(tx, row, [own], now))])
  await sql`
    update sign_activity set locked_signer = null, locked_until = 0
    where id = ${row.id} and locked_signer = ${own.id}`.execute(tx)
  await sql`update sign_signer set account_id = ${to} where id = ${own.id}`.execute(tx)
  await record(tx, row.id, now, 'handedOn', { by, to, text: comments })
  for (const one of asked) await settle(write, row.id, one)
  const said = { by: row.launcher, at: now, comments: comments === '' ? row.comments : comments }
  const people = own.state === 'now' ? await askedBy(tx, row, [own], now) : []
  for (const event of notify(row, SignState.launched, people, said)) write.event(event)
  write.event(changed(row.id))
}

/** A signer hands it on. Its call is gated by `sign`. */
export async function handOn(
  write: WriteContext,
  parts: Pick<Services, 'settings'>,
  id: number,
  { userId, comments }: { readonly userId: number; readonly comments: string },
): Promise<void> {
  const { accountId } = actorOf(write)
  const row = await lockActivity(write.tx, id)
  await checkSigners(write, parts, [userId], levelOf(row, write.now))
  await passOn(write, row, { from: accountId, to: userId, by: accountId, comments })
}

/** Corrects who signs without an account. The links that they got before open nothing any more. */
export async function changeExternalSigner(
  write: WriteContext,
  parts: Mailing & Pick<Services, 'settings'>,
  id: number,
  { signerId, outside }: { readonly signerId: number; readonly outside: ExternalInput },
): Promise<void> {
  const { tx, now } = write
  const row = await lockActivity(tx, id)
  const signers = await signersOf(tx, id)
  const own = signers.find((one) => one.id === signerId && isExternal(one)) ?? fail('notFound')
  if (own.state !== 'now' && own.state !== 'next') return fail('alreadyHandled')
  const others = signers.filter((one) => one.id !== signerId && isExternal(one))
  const { name, mail, phone } =
    checkOutsiders(await parts.settings.current(tx), [outside], others)[0] ?? fail('badRequest')
  await sql`
    update sign_outsider set name = ${name}, mail = ${mail}, phone = ${phone} where signer_id = ${signerId}`.execute(tx)
  await record(tx, id, now, 'handedOn', { by: actorOf(write).accountId, outside: name })
  if (own.state === 'now') await mailOutsiders(write, parts, row, { occasion: 'asked', signers: [own] })
  write.event(changed(id))
}

/** Keeps others from signing for a while. */
export async function lock(
  write: WriteContext,
  id: number,
  { signerId, acting }: { readonly signerId: number; readonly acting: ActingAccount },
): Promise<number> {
  const { tx, now } = write
  const row = await lockActivity(tx, id)
  const signer = (await signersOf(tx, id)).find((one) => one.id === signerId) ?? fail('notFound')
  const accountId = acting?.accountId ?? null
  assertMaySign(row, signer, { revision: row.revision, accountId, now })
  const until = now + signLimits.lockMs
  await sql`
    update sign_activity set locked_signer = ${signerId}, lock_holder = ${accountId}, locked_until = ${until}
    where id = ${id}`.execute(tx)
  if (row.locked_signer !== signerId || row.lock_holder !== accountId) {
    const author = authorOfEntry(signer, acting)
    const { rows } = await sql`
      select 1 from sign_entry where activity_id = ${id} and what = 'opened'
        and account_id is not distinct from ${author.by} and outside_name = ${author.outside} limit 1`.execute(tx)
    // Who opened it is recorded apart from who signed, once for each.
    if (rows.length === 0) await record(tx, id, now, 'opened', author)
    write.event(changed(id))
  }
  return until
}

/** Lets others sign again. */
export async function unlock(
  write: WriteContext,
  id: number,
  { signerId, acting }: { readonly signerId: number; readonly acting: ActingAccount },
): Promise<void> {
  const { rows } = await sql`
    update sign_activity set locked_signer = null, locked_until = 0
    where id = ${id} and locked_signer = ${signerId}
      and lock_holder is not distinct from ${acting?.accountId ?? null} returning 1`.execute(write.tx)
  if (rows.length > 0) write.event(changed(id))
}
