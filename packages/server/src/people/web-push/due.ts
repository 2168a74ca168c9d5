/*
 * Finds the subscriptions with notices that were not told, and queues one push for each: its newest unread notice, and
 * how many more there are. Permissions are checked as when notices are read. In quiet hours a subscription waits.
 */
import { type NoticeGroup, noticeGroups, type PushCatalogue } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { isCurrent } from '../../core/notices/index.ts'
import { enqueue } from '../../core/queue/rows.ts'
import { seal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { loadAccounts } from '../auth/index.ts'
import { lineOf } from '../digest/index.ts'
import { pushing, wordsPurpose } from './send.ts'

type Parts = Pick<Services, 'db' | 'settings' | 'sees' | 'pushes' | 'secrets'>

interface Due {
  readonly session_id: number
  readonly account_id: number
  readonly locale: Locale
  readonly quiet_from: number | null
  readonly quiet_to: number | null
  readonly time_zone: string
  readonly told_up_to: number
}

interface Unread {
  readonly remind_id: number
  readonly notice_group: NoticeGroup
  readonly push_type: number
  readonly payload: object
  readonly item_type: 1 | 2 | null
  readonly item_id: number | null
}

const batch = 100
/** Maximum number of notices examined for one push. */
const lookedAt = 100
const longestTitle = 200
const quietCheckMs = 5 * 60_000

const texts = {
  zh: { some: '你有新通知', more: (n: number) => `还有 ${n} 条` },
  en: { some: 'You have new notices', more: (n: number) => `${n} more` },
} as const

/** Queues what is due. Returns true if more may be waiting. */
export async function enqueuePushes(parts: Parts, now: number): Promise<boolean> {
  const { db, settings } = parts
  const { inner } = await settings.current()
  if (!inner.web_push) return false
  const { rows: due } = await sql<Due>`
    select p.* from push_subscription p join session s on s.id = p.session_id
    where p.next_at <= ${now} and s.expires_at > ${now} and not s.wiped and exists (
      select 1 from notice n where n.account_id = p.account_id and n.remind_id > p.told_up_to and n.read_at is null)
    order by p.session_id limit ${batch}`.execute(db)
  const accountIds = due.map(({ account_id }) => account_id)
  const accounts = await loadAccounts(db, settings, accountIds, now)
  for (const one of due) {
    if (isQuiet(one, now)) await postpone(parts, one, now)
    else await tell(parts, accounts.get(one.account_id), one, { now, withTitle: inner.web_push_titles })
  }
  return due.length === batch
}

/** Whether it is in the quiet hours where the person is. */
export function isQuiet({ quiet_from, quiet_to, time_zone }: Due | QuietHours, now: number): boolean {
  if (quiet_from === null || quiet_to === null) return false
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: time_zone, hour: 'numeric', minute: 'numeric' })
  const part = (type: string): number => Number(clock.formatToParts(now).find((one) => one.type === type)?.value ?? 0)
  const minute = part('hour') * 60 + part('minute')
  return quiet_from <= quiet_to ? minute >= quiet_from && minute < quiet_to : minute >= quiet_from || minute < quiet_to
}
type QuietHours = Pick<Due, 'quiet_from' | 'quiet_to' | 'time_zone'>

async function postpone({ db }: Parts, { session_id }: Due, now: number): Promise<void> {
  await sql`update push_subscription set next_at = ${now + quietCheckMs} where session_id = ${session_id}`.execute(db)
}

async function tell(
  { db, sees, pushes, secrets }: Parts,
  account: Account | undefined,
  due: Due,
  { now, withTitle }: { readonly now: number; readonly withTitle: boolean },
): Promise<void> {
  const { list, upTo } = await unread({ db, sees, pushes }, account, due, now)
  await db.transaction().execute(async (tx) => {
    // Another process may have told it.
    const { rows } = await sql`
      update push_subscription set told_up_to = ${upTo}
      where session_id = ${due.session_id} and told_up_to = ${due.told_up_to} returning 1`.execute(tx)
    if (rows.length === 0 || list.length === 0) return
    const words = JSON.stringify(wordsOf(pushes, list, due.locale, withTitle))
    const sealed = seal(secrets, wordsPurpose, words)
    await enqueue({ tx, now }, pushing, { sessionId: due.session_id, upTo, sealed })
  })
}

/** The unread notices that were not told, newest first; none for whoever may not use their account any more. */
async function unread(
  { db, sees, pushes }: Pick<Parts, 'db' | 'sees' | 'pushes'>,
  actor: Account | undefined,
  { account_id, told_up_to }: Due,
  now: number,
): Promise<{ list: Unread[]; upTo: number }> {
  const { rows } = await sql<Unread>`
    select remind_id, notice_group, push_type, payload, item_type, item_id from notice
    where account_id = ${account_id} and read_at is null and remind_id > ${told_up_to}
      and notice_group = any(${[...noticeGroups]}) and ${actor === undefined ? sql`false` : isCurrent(pushes, actor, now)}
    order by remind_id desc limit ${lookedAt}`.execute(db)
  const { rows: newest } = await sql<{ up_to: number }>`
    select coalesce(max(remind_id), ${told_up_to}) as up_to from notice where account_id = ${account_id}`.execute(db)
  const upTo = rows[0]?.remind_id ?? newest[0]?.up_to ?? told_up_to
  if (actor === undefined) return { list: [], upTo }
  const asked = rows.flatMap((row) => {
    const { item_type: fType, item_id: fId } = row
    return fType === null || fId === null ? [] : [{ row, actor, item: { fType, fId } }]
  })
  const seen = asked.length === 0 ? [] : await sees(db, asked)
  const hidden = new Set(asked.filter((_, n) => seen[n] !== true).map(({ row }) => row))
  return { list: rows.filter((row) => !hidden.has(row)), upTo }
}

interface Words {
  readonly title: string
  readonly body: string
  readonly path: string
}

/** What is sent: a sentence and an address, or only that there is something. */
function wordsOf(pushes: PushCatalogue, list: readonly Unread[], locale: Locale, withTitle: boolean): Words {
  const { some, more } = texts[locale]
  const [newest] = list
  if (newest === undefined || !withTitle) return { title: some, body: '', path: '/m/notices' }
  const { push_type: pushType, notice_group: group, payload } = newest
  const { text, path } = lineOf(pushes, { pushType, group, payload }, locale)
  const body = list.length > 1 ? more(list.length - 1) : ''
  return { title: text.slice(0, longestTitle), body, path: mobilePath(path) }
}

/** The address on the pages for phones: a page of an area, or the list of notices. */
function mobilePath(path: string): string {
  const [, page] = /^\/doc\/folder\/((?:share|cooperate|security)\/.*)$/.exec(path) ?? []
  return page === undefined ? '/m/notices' : `/m/page/${page}`
}
