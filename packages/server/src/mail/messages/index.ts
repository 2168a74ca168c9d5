// Mails: lists by period, reading, flags, attachments ([R290]).
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Answer, features, type ListedMail, type MailPerson } from '@cloudoc/contract'
import { extNameOf, fail, itemName, type Locale } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { AccountActor } from '../../core/actor.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type Context, whileAsked } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import { ConfinedFailure } from '../../core/confined/confined.ts'
import type { Db } from '../../core/db/database.ts'
import { type Secrets, sameSecret } from '../../core/secrets.ts'
import { likeAnywhere } from '../../core/text-keys.ts'
import { storeNewFile } from '../../drive/content/index.ts'
import { sendRendition, userContentHeaders } from '../../drive/transfer/index.ts'
import { peopleKnownTo } from '../../people/organisation/index.ts'
import { requireMail } from '../boxes/index.ts'
import { changeHandlers } from './change-handlers.ts'
import { skeletonOf } from './confusables.ts'
import { type MailRow, mailObjects } from './mail-objects.ts'
import type { MailSummary, ReadAttachment } from './mime.ts'
import { attachmentOf, contentOf, pageOf } from './read-mails.ts'
import { queryTerms } from './search-words.ts'
import type { MailPeople } from './tables.ts'

export { recordChanges } from './changes.ts'
export { fetchNow } from './fetching.ts'
export { type MailRow, mailObjects } from './mail-objects.ts'
export { attachmentOf } from './read-mails.ts'

const listColumns = sql`
  m.id as "mailId", m.mailbox_id as "boxId", m.folder_id as "mailFolderId", m.subject as "mailTitle",
  m.from_name as "senderName", m.from_address as "senderAddress",
  (select coalesce(string_agg(coalesce(nullif(p ->> 'name', ''), p ->> 'address'), '、'), '')
    from (select p from jsonb_array_elements(m.people -> 'to') p limit 5) t) as receivers,
  m.received_at as "mailTime", m.summary, m.is_read as "isRead", m.is_starred as "isStarred",
  m.is_answered as "isAnswered", m.size,
  (select count(*)::int from jsonb_array_elements(m.attachments) a where a ->> 'contentId' = '') as "attachmentCount"`

interface ListInput {
  readonly boxId?: number | undefined
  readonly mailFolderId?: number | undefined
  readonly role?: string | undefined
  readonly beginTime?: number | undefined
  readonly endTime?: number | undefined
  readonly keyword: string
  readonly unread: boolean
  readonly starred: boolean
  readonly attached: boolean
  readonly before: string
  readonly rows: number
}

/**
 * One page of a list. Mails of folders are read from each folder's index by time, as many as the page needs, so that the
 * cost does not grow with the mailbox.
 */
async function listMails(db: Db, accountId: number, input: ListInput): Promise<{ list: ListedMail[]; next: string }> {
  const {
    boxId,
    mailFolderId,
    role,
    beginTime,
    endTime,
    keyword,
    unread,
    starred,
    attached,
    before,
    rows: most,
  } = input
  const [time, id] = before === '' ? [] : before.split('-').map(Number)
  const { terms, texts } = queryTerms(accountId, keyword)
  const conditions: RawBuilder<unknown>[] = [
    sql`m.account_id = ${accountId}`,
    ...(beginTime === undefined ? [] : [sql`m.received_at >= ${beginTime}`]),
    ...(endTime === undefined ? [] : [sql`m.received_at < ${endTime}`]),
    ...(unread ? [sql`not m.is_read`] : []),
    ...(starred ? [sql`m.is_starred`] : []),
    ...(attached
      ? [sql`exists (select 1 from jsonb_array_elements(m.attachments) a where a ->> 'contentId' = '')`]
      : []),
    ...(terms.length === 0 ? [] : [sql`m.words @> ${terms}::text[]`]),
    ...texts.map((text) => sql`m.search_text like ${likeAnywhere(text)}`),
    ...(time === undefined || id === undefined ? [] : [sql`(m.received_at, m.id) < (${time}, ${id})`]),
  ]
  const where = sql.join(conditions, sql` and `)
  const ordered = sql`order by m.received_at desc, m.id desc limit ${most + 1}`
  const isByFolder = mailFolderId !== undefined || role !== undefined || boxId !== undefined
  const folders = sql`
    select f.id from mail_folder f join mailbox b on b.id = f.mailbox_id
    where b.account_id = ${accountId} ${boxId === undefined ? sql`` : sql`and b.id = ${boxId}`}
      ${mailFolderId === undefined ? sql`` : sql`and f.id = ${mailFolderId}`} ${role === undefined ? sql`` : sql`and f.role = ${role}`}`
  const { rows } =
    isByFolder && terms.length === 0
      ? await sql<ListedMail>`
          select m.* from (${folders}) f cross join lateral (
            select ${listColumns} from mail m where m.folder_id = f.id and ${where} ${ordered}) m
          order by m."mailTime" desc, m."mailId" desc limit ${most + 1}`.execute(db)
      : await sql<ListedMail>`
          select ${listColumns} from mail m
          where ${where} ${isByFolder ? sql`and m.folder_id in (${folders})` : sql``} ${ordered}`.execute(db)
  const list = rows.slice(0, most)
  const last = list.at(-1)
  return { list, next: rows.length > most && last !== undefined ? `${last.mailTime}-${last.mailId}` : '' }
}

const problems: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  unreadable: {
    zh: '这封邮件的格式无法解析，请下载原文查看',
    en: 'This mail cannot be read here. Download the original to see it.',
  },
  tooManyParts: { zh: '附件过多，只显示前 1000 个', en: 'There are too many attachments; the first 1,000 are shown.' },
  htmlTooLong: { zh: '正文过长，只显示开头部分', en: 'The text is too long; its beginning is shown.' },
  encrypted: {
    zh: '这封邮件已加密，请下载原文后用持有密钥的程序打开',
    en: 'This mail is encrypted. Download the original and open it with the program that has the key.',
  },
  tooLarge: {
    zh: '这封邮件太大，没有收取完整内容；请到邮箱服务商的网页或其他邮件程序中查看',
    en: 'This mail is too large to be fetched whole. Read it on the site of your provider or in another mail program.',
  },
  tooLong: {
    zh: '这封邮件很大，只显示开头部分；完整内容请下载原文',
    en: 'This mail is very large; its beginning is shown. Download the original for the rest.',
  },
}
/** Larger mails are read by their stored beginning only. */
const largestShown = 64 * 1024 * 1024

interface DetailRow extends ListedMail {
  readonly people: MailPeople
  readonly messageId: string
  readonly refs: string[]
  readonly attachments: ReadAttachment[]
  readonly problem: string
  readonly thread: string
  readonly searchText: string
}

type Detail = Answer<typeof features.mails.calls.getMailDetail>

/** Subject and sender as they are read in a chosen character set. */
const namesIn = ({ subject, from }: MailSummary): Pick<ListedMail, 'mailTitle' | 'senderName'> => ({
  mailTitle: subject,
  senderName: from.name,
})

interface Parts {
  readonly blobs: BlobStore
  readonly contents: Contents
  readonly secrets: Secrets
}

export function mailHandlers({ blobs, contents, secrets }: Parts) {
  /** Opens the bytes of a mail. */
  const open = async (db: Db, { blobId }: Pick<MailRow, 'blobId'>) => {
    const content = await db
      .selectFrom('blob')
      .select(['id as blobId', 'key', 'size', 'sha256'])
      .where('id', '=', blobId)
      .executeTakeFirst()
    if (content === undefined) return fail('notFound')
    return { size: content.size, bytes: await contents.open(content) }
  }

  /** The bytes of an attachment, read in a confined process. */
  const attachment = async (context: Context, row: MailRow, number: number, signal: AbortSignal): Promise<Buffer> => {
    const mail = await open(context.db, row)
    try {
      return (
        (await attachmentOf(Readable.from(mail.bytes, { objectMode: false }), mail.size, number, signal)) ??
        fail('notFound')
      )
    } catch (error) {
      if (error instanceof ConfinedFailure) return fail('conversionFailed')
      throw error
    }
  }

  return implement(features.mails.calls, {
    async getMailFolders({ db }, { boxId }) {
      const { rows } = await sql<Answer<typeof features.mails.calls.getMailFolders>['list'][number]>`
        select f.id as "mailFolderId", f.mailbox_id as "boxId", f.name, f.role,
          (select count(*)::int from mail m where m.folder_id = f.id and not m.is_read) as unread
        from mail_folder f where f.mailbox_id = ${boxId}
        order by array_position(array['inbox','drafts','sent','archive','junk','trash','other'], f.role), f.name`.execute(
        db,
      )
      return { list: rows }
    },

    async getMailList(context, input) {
      return listMails(context.db, requireMail(context).accountId, input)
    },

    async getMailDetail(context, { mailId, charset }) {
      const { row } = context.object(mailObjects, mailId)
      const { db } = context
      const { rows } = await sql<DetailRow>`
        select ${listColumns}, m.people, m.message_id as "messageId", m.refs, m.attachments, m.problem, m.thread
        from mail m where m.id = ${mailId}`.execute(db)
      const found = rows[0] ?? fail('notFound')
      const { people, refs, problem, thread, ...listed } = found
      const isWhole = found.size <= largestShown && problem !== 'tooLong'
      const read = isWhole
        ? await whileAsked(context, async (signal) => {
            const mail = await open(db, row)
            return contentOf(Readable.from(mail.bytes, { objectMode: false }), mail.size, signal, charset)
          })
        : undefined
      const detail: Detail = {
        ...listed,
        ...(charset !== undefined && read !== undefined && namesIn(read.summary)),
        ...{ to: [...people.to], cc: [...people.cc], bcc: [...people.bcc], replyTo: [...people.replyTo] },
        references: refs,
        deliveredTo: [...(read?.deliveredTo ?? [])],
        text: read?.text ?? found.summary,
        html: read?.html ?? '',
        bodyKey: bodyKeyOf(secrets, mailId, (Math.floor(context.now / bodyKeyMs) + 2) * bodyKeyMs),
        attachments: [...(read?.summary.attachments ?? found.attachments)],
        meetings: [...(read?.meetings ?? [])],
        problem:
          problems[read?.summary.problem === 'unreadable' ? 'unreadable' : problem]?.[localeOf(context.request)] ?? '',
        thread: await threadOf(db, listed, thread),
        ...(await aboutSender(db, actorOf(context), { name: found.senderName, address: found.senderAddress })),
      }
      return detail
    },

    async getMailBody(context, { mailId, key, pictures, charset }) {
      if (!isBodyKey(secrets, mailId, key, context.now)) return fail('notFound')
      const row = await context.db
        .selectFrom('mail')
        .select('blob_id as blobId')
        .where('id', '=', mailId)
        .executeTakeFirst()
      const mail = await open(context.db, row ?? fail('notFound'))
      if (mail.size > largestShown) return fail('notFound')
      const page = await whileAsked(context, (signal) =>
        pageOf(Readable.from(mail.bytes, { objectMode: false }), mail.size, { withRemote: pictures, charset }, signal),
      )
      await context.reply
        .headers({
          'content-security-policy': `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:${pictures ? ' https: http:' : ''}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'private, no-store',
        })
        .type('text/html; charset=utf-8')
        .send(page)
    },

    async getMailAttachment(context, { mailId, number }) {
      const { row } = context.object(mailObjects, mailId)
      const name = row.attachments.find((one) => one.number === number)?.name ?? fail('notFound')
      const bytes = await whileAsked(context, (signal) => attachment(context, row, number, signal))
      await context.reply.headers(userContentHeaders(name)).type('application/octet-stream').send(bytes)
    },

    async getMailAttachmentPreview(context, { mailId, number }) {
      const { row } = context.object(mailObjects, mailId)
      const name = row.attachments.find((one) => one.number === number)?.name ?? fail('notFound')
      await sendRendition(context, async (signal) => {
        const bytes = await attachment(context, row, number, signal)
        return { name, size: bytes.length, bytes: Readable.from([bytes]) }
      })
    },

    async getMailSource(context, { mailId }) {
      const { row } = context.object(mailObjects, mailId)
      const mail = await open(context.db, row)
      await context.reply
        .headers({ ...userContentHeaders(`${titleOf(row)}.eml`), 'content-length': String(mail.size) })
        .type('message/rfc822')
        .send(Readable.from(mail.bytes, { objectMode: false }))
    },

    ...changeHandlers(),

    async saveMailAttachment(context, { mailId, folderId, number, fileName }) {
      const { row } = context.object(mailObjects, mailId)
      const own =
        number === undefined
          ? `${titleOf(row)}.eml`
          : (row.attachments.find((one) => one.number === number)?.name ?? fail('notFound'))
      const checked = itemName(fileName ?? own)
      const name = 'name' in checked ? checked.name : `attachment.${extNameOf(own) || 'bin'}`
      const content =
        number === undefined
          ? (await open(context.db, row)).bytes
          : [await whileAsked(context, (signal) => attachment(context, row, number, signal))]
      const {
        fileId,
        fileSize: _size,
        sha256: _hash,
        ...item
      } = await storeNewFile(context, blobs, {
        ...{ folderId, name, conflict: 'keepBoth', content, mailId },
      })
      return { fileId, ...item }
    },
  })
}

const bodyKeyMs = 10 * 60_000

/** The key to the text of a mail until a time, the same for some minutes, so that the frame is not loaded again: the frame that shows it sends no session. */
function bodyKeyOf({ signingKey }: Secrets, mailId: number, until: number): string {
  const signature = createHmac('sha256', signingKey).update(`mail-body ${mailId} ${until}`).digest('base64url')
  return `${until}.${signature}`
}

function isBodyKey(secrets: Secrets, mailId: number, key: string, now: number): boolean {
  const until = Number(key.split('.')[0])
  return until > now && sameSecret(key, bodyKeyOf(secrets, mailId, until))
}

const titleOf = ({ subject }: MailRow): string => {
  const checked = itemName(subject.replaceAll(/[\\/:*?"<>|]/g, '_').slice(0, 100))
  return 'name' in checked ? checked.name : 'mail'
}

const mostInThread = 50

async function threadOf(db: Db, { boxId, mailId }: ListedMail, thread: string): Promise<ListedMail[]> {
  if (thread === '') return []
  const { rows } = await sql<ListedMail>`
    select ${listColumns} from mail m join mail_folder f on f.id = m.folder_id
    where m.mailbox_id = ${boxId} and m.thread = ${thread} and m.id <> ${mailId} and f.role not in ('trash', 'junk')
    order by m.received_at limit ${mostInThread}`.execute(db)
  return rows
}

/** What a reader should know about the sender: an outsider, or somebody with the name of a colleague. */
async function aboutSender(db: Db, actor: AccountActor, { name, address }: MailPerson) {
  const { rows } = await sql<{ isTrusted: boolean; isColleague: boolean; isNamesake: boolean }>`
    select exists (select 1 from mail_trust where account_id = ${actor.accountId} and address = ${address.toLowerCase()}) as "isTrusted",
      exists (select 1 from account a
        where lower(a.email) = ${address.toLowerCase()} and a.email <> '' and ${peopleKnownTo(actor)}) as "isColleague",
      exists (select 1 from account a where a.name = any(${[name, skeletonOf(name)]}::text[]) and a.email <> ''
        and ${peopleKnownTo(actor)}) as "isNamesake"`.execute(db)
  const { isTrusted = false, isColleague = false, isNamesake = false } = rows[0] ?? {}
  const named = /[\w.+-]+@[\w.-]+/.exec(name)?.[0]?.toLowerCase()
  return {
    isTrusted,
    isOutside: !isColleague,
    isSuspicious:
      !isColleague && ((name !== '' && isNamesake) || (named !== undefined && named !== address.toLowerCase())),
  }
}

export type { MailSummary }
