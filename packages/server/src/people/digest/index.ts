/*
 * A digest mail of a user's unread notices: each notice once, in the user's language, with links. Permissions are
 * checked when the mail is written, as they are when notices are read: nothing is reported about an item the user may
 * no longer see.
 */
import { features, type NoticeGroup, noticeGroups, type PushCatalogue } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import { isMailSetUp, type Mail, postMail } from '../../core/mail/index.ts'
import { isCurrent } from '../../core/notices/index.ts'
import type { Services } from '../../core/services.ts'
import { loadAccounts } from '../auth/index.ts'
import { lineOf, listPath } from './line.ts'
import { mailPage } from './page.ts'
import { around } from './texts.ts'
import { nextDigest } from './times.ts'

export { lineOf } from './line.ts'

export function digestHandlers({ publicUrl }: Pick<Services, 'publicUrl'>) {
  return implement(features.digest.calls, {
    async getDigest(context) {
      const { accountId, settings } = actorOf(context)
      const { rows } = await sql<{ email: string; every: 'hourly' | 'daily' | 'weekdays' | null }>`
        select a.email, d.every from account a left join digest d on d.account_id = a.id
        where a.id = ${accountId}`.execute(context.db)
      return { every: rows[0]?.every ?? 'never', email: rows[0]?.email ?? '', ready: isMailSetUp(settings) }
    },

    async setDigest(context, { every, timeZone }) {
      const { tx, now, request } = context
      const { accountId } = actorOf(context)
      await tx.deleteFrom('digest').where('account_id', '=', accountId).execute()
      if (every === 'never') return {}
      const origin = publicUrl ?? `${request.protocol}://${request.host}`
      // Earlier notices are treated as seen.
      await sql`
        insert into digest (account_id, every, locale, time_zone, origin, next_at, told_up_to)
        select ${accountId}, ${every}, ${localeOf(request)}, ${timeZone}, ${origin},
          ${nextDigest(every, timeZone, now)}, coalesce(max(remind_id), 0)
        from notice where account_id = ${accountId}`.execute(tx)
      return {}
    },
  })
}

interface Due {
  readonly account_id: number
  readonly every: 'hourly' | 'daily' | 'weekdays'
  readonly locale: Locale
  readonly time_zone: string
  readonly origin: string
  readonly next_at: number
  readonly told_up_to: number
  readonly email: string
}

interface Unseen {
  readonly remind_id: number
  readonly notice_group: NoticeGroup
  readonly push_type: number
  readonly payload: object
  readonly item_type: 1 | 2 | null
  readonly item_id: number | null
  readonly created_at: number
}

const digestBatch = 50
/** Maximum number of notices examined for one mail, and of those listed in it. */
const lookedAt = 500
const namedMost = 30

/** Sends the mails that are due. Returns true if more are waiting. */
export async function sendDigests(
  { db, settings, sees, pushes, secrets }: Pick<Services, 'db' | 'settings' | 'sees' | 'pushes' | 'secrets'>,
  now: number,
): Promise<boolean> {
  const { rows: due } = await sql<Due>`
    select d.*, a.email from digest d join account a on a.id = d.account_id
    where d.next_at <= ${now} order by d.next_at limit ${digestBatch}`.execute(db)
  if (due.length === 0) return false
  const set = await settings.current()
  const reached = due.filter(({ email }) => email !== '' && isMailSetUp(set))
  const accounts = await loadAccounts(
    db,
    settings,
    reached.map(({ account_id }) => account_id),
    now,
  )
  for (const one of due) {
    const account = accounts.get(one.account_id)
    const { list, upTo } =
      account === undefined ? { list: [], upTo: 0 } : await unseen({ db, sees, pushes }, account, one, now)
    await db.transaction().execute(async (tx) => {
      // A concurrent process has already moved the due time.
      const { rows } = await sql`
        update digest set next_at = ${nextDigest(one.every, one.time_zone, now)},
          told_up_to = greatest(told_up_to, ${upTo}::bigint)
        where account_id = ${one.account_id} and next_at = ${one.next_at} returning 1`.execute(tx)
      if (rows.length > 0 && list.length > 0)
        await postMail({ tx, now }, mailOf(pushes, one, list, set.company_name), secrets)
    })
  }
  return due.length === digestBatch
}

/** The user's unread notices since the last mail, newest first. */
async function unseen(
  { db, sees, pushes }: Pick<Services, 'db' | 'sees' | 'pushes'>,
  actor: Account,
  { told_up_to }: Due,
  now: number,
): Promise<{ list: Unseen[]; upTo: number }> {
  const { rows } = await sql<Unseen>`
    select remind_id, notice_group, push_type, payload, item_type, item_id, created_at from notice
    where account_id = ${actor.accountId} and read_at is null and remind_id > ${told_up_to}
      and notice_group = any(${[...noticeGroups]}) and ${isCurrent(pushes, actor, now)}
    order by remind_id desc limit ${lookedAt}`.execute(db)
  const asked = rows.flatMap((row) => {
    const { item_type: fType, item_id: fId } = row
    return fType === null || fId === null ? [] : [{ row, actor, item: { fType, fId } }]
  })
  const seen = asked.length === 0 ? [] : await sees(db, asked)
  const hidden = new Set(asked.filter((_, n) => seen[n] !== true).map(({ row }) => row))
  return { list: rows.filter((row) => !hidden.has(row)), upTo: rows[0]?.remind_id ?? 0 }
}

function mailOf(
  pushes: PushCatalogue,
  { locale, origin, email, time_zone }: Due,
  list: readonly Unseen[],
  company: string,
): Mail {
  const words = around[locale]
  const count = list.length < lookedAt ? String(list.length) : `${lookedAt}+`
  const times = new Intl.DateTimeFormat(locale === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: time_zone,
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  const named = list.slice(0, namedMost).map((notice) => {
    const { text, path } = lineOf(
      pushes,
      { pushType: notice.push_type, group: notice.notice_group, payload: notice.payload },
      locale,
    )
    return { text, when: times.format(notice.created_at), url: origin + path }
  })
  const more = list.length - named.length
  const rest = more > 0 ? words.rest(list.length < lookedAt ? String(more) : `${more}+`) : undefined
  const all = origin + listPath
  return {
    to: email,
    locale,
    subject: words.subject(company === '' ? words.company : company, count),
    text: [
      words.intro(count),
      '',
      ...named.flatMap(({ text, when, url }) => [`· ${text} (${when})`, `  ${url}`]),
      ...(rest === undefined ? [] : [rest]),
      '',
      `${words.all}: ${all}`,
      '',
      words.why,
    ].join('\n'),
    html: mailPage({
      ...{ locale, intro: words.intro(count), lines: named, rest, why: words.why },
      company: company === '' ? words.company : company,
      all: { text: words.all, url: all },
    }),
  }
}
