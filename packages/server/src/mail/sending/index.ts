// Mails that people write: drafts, attachments, sending, taking back ([R290]).
import { randomUUID } from 'node:crypto'
import { features, mailUndoMs, maxMailBytes, type OutgoingMail } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { foldTyped } from '../../core/folding.ts'
import { problemText } from '../../core/mail/index.ts'
import { likeAnywhere } from '../../core/text-keys.ts'
import { peopleKnownTo } from '../../people/organisation/index.ts'
import { boxSettings, findBox, mailChanged, ownObjects, requireMail, senderOf } from '../boxes/index.ts'
import { mailObjects } from '../messages/index.ts'
import { attachmentHandlers } from './attachment-handlers.ts'
import { hasSensitiveFile, type IsSensitive, shownAttachments } from './attachments.ts'
import type { Receivers } from './tables.ts'

export { deliverJob, enqueueSending } from './deliver.ts'

interface DraftRow {
  readonly id: number
  readonly accountId: number
  readonly boxId: number
  readonly version: number
  readonly state: OutgoingMail['state']
}

export const outgoingObjects = ownObjects(
  features.outgoingMails.objects.outgoingMail,
  sql`outgoing_mail`,
  sql`b.id, b.account_id as "accountId", b.mailbox_id as "boxId", b.version, b.state`,
  ({ state }: DraftRow, facts) => ({ ...facts, state }),
)

interface ShownRow {
  readonly outgoingId: number
  readonly version: number
  readonly state: OutgoingMail['state']
  readonly boxId: number
  readonly account: string
  readonly fromAddress: string
  readonly people: Receivers
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly replyOf: number
  readonly isForward: boolean
  readonly sendTime: number
  readonly modifyTime: number
  readonly problem: string
  readonly said: string
  readonly refused: string[]
}

const shownColumns = sql`
  o.id as "outgoingId", o.version, o.state, o.mailbox_id as "boxId",
  coalesce(nullif(o.sender, ''), b.address) as account, o.sender as "fromAddress", o.people, o.subject,
  coalesce(o.reply_of, 0) as "replyOf", o.is_forward as "isForward", o.send_at as "sendTime",
  o.modified_at as "modifyTime", o.problem, o.said, o.refused`

function shown(context: Context, row: ShownRow, attachments: OutgoingMail['attachments']): OutgoingMail {
  const { people, problem, said, refused, ...rest } = row
  return {
    ...rest,
    ...{ to: [...people.to], cc: [...people.cc], bcc: [...people.bcc] },
    attachments,
    problem: problem === '' ? '' : problemText(problem, said)[localeOf(context.request)],
    refusedReceivers: refused,
  }
}

async function detail(context: Context, db: Db, outgoingId: number): Promise<OutgoingMail> {
  const { rows } = await sql<ShownRow>`
    select ${shownColumns}, o.html, o.text from outgoing_mail o join mailbox b on b.id = o.mailbox_id
    where o.id = ${outgoingId}`.execute(db)
  const row = rows[0] ?? fail('notFound')
  return shown(context, row, [...((await shownAttachments(db, [outgoingId])).get(outgoingId) ?? [])])
}

const statesOf = { drafts: ['draft'], waiting: ['queued', 'handing', 'failed', 'unsure'], sent: ['accepted', 'filed'] }
const yearMs = 366 * 24 * 60 * 60_000
/** A person's drafts and mails on their way. */
const mostWaiting = 2000

interface Written {
  readonly boxId: number
  readonly fromAddress: string
  readonly to: Receivers['to']
  readonly cc: Receivers['cc']
  readonly bcc: Receivers['bcc']
  readonly subject: string
  readonly html: string
  readonly text: string
}

const columnsOf = ({ boxId, fromAddress, to, cc, bcc, subject, html, text }: Written) => ({
  mailbox_id: boxId,
  sender: fromAddress,
  people: JSON.stringify({ to, cc, bcc }),
  ...{ subject, html, text },
})

export function outgoingHandlers(blobs: BlobStore, isSensitive: IsSensitive) {
  return implement(features.outgoingMails.calls, {
    async getOutgoingMails(context, { what, from, rows: most }) {
      const { accountId } = requireMail(context)
      const { db } = context
      const { rows } = await sql<ShownRow & { summary: string }>`
        select ${shownColumns}, left(o.text, 200) as summary
        from outgoing_mail o join mailbox b on b.id = o.mailbox_id
        where o.account_id = ${accountId} and o.state = any(${statesOf[what]}::text[])
        order by o.modified_at desc, o.id desc offset ${from} limit ${most}`.execute(db)
      const counted = await sql<{ drafts: number; waiting: number }>`
        select count(*) filter (where state = 'draft')::int as drafts, count(*) filter (where state <> 'draft')::int as waiting
        from outgoing_mail
        where account_id = ${accountId} and state = any(${[...statesOf.drafts, ...statesOf.waiting]}::text[])`.execute(
        db,
      )
      const attachments = await shownAttachments(
        db,
        rows.map(({ outgoingId }) => outgoingId),
      )
      return {
        list: rows.map(({ summary, ...row }) => {
          const {
            html: _html,
            text: _text,
            ...listed
          } = shown(context, { ...row, html: '', text: '' }, [...(attachments.get(row.outgoingId) ?? [])])
          return { ...listed, summary }
        }),
        ...(counted.rows[0] ?? { drafts: 0, waiting: 0 }),
      }
    },

    getOutgoingMail: (context, { outgoingId }) => detail(context, context.db, outgoingId),

    async createMailDraft(context, { replyOf, isForward, withAttachments, ...written }) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from outgoing_mail
        where account_id = ${accountId} and state = any(${[...statesOf.drafts, ...statesOf.waiting]}::text[])`.execute(
        tx,
      )
      if ((rows[0]?.n ?? 0) >= mostWaiting) fail('tooMany')
      const box = (await findBox(tx, written.boxId)) ?? fail('notFound')
      senderOf(box, written.fromAddress)
      const made = await tx
        .insertInto('outgoing_mail')
        .values({
          ...columnsOf(written),
          account_id: accountId,
          version: 1,
          state: 'draft',
          reply_of: replyOf ?? null,
          is_forward: isForward,
          message_id: `${randomUUID()}@${box.account.split('@')[1] ?? 'localhost'}`,
          modified_at: now,
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (replyOf !== undefined && isForward && withAttachments) {
        const { row } = context.object(mailObjects, replyOf)
        // A forward takes the whole mail along as it was received: nothing of it can change on the way.
        if (row.attachments.some(({ contentId }) => contentId === ''))
          await sql`
            insert into mail_attachment (outgoing_id, blob_id, name, type, size)
            select ${made.id}, m.blob_id, left(regexp_replace(coalesce(nullif(m.subject, ''), 'mail'), '[\\\\/:*?"<>|]', '_', 'g'), 100) || '.eml',
              'message/rfc822', m.size
            from mail m where m.id = ${replyOf} and m.size <= ${maxMailBytes}`.execute(tx)
      }
      return detail(context, tx, made.id)
    },

    async saveMailDraft(context, { outgoingId, version, replyOf: _replyOf, isForward: _isForward, ...written }) {
      const { tx, now } = context
      senderOf((await findBox(tx, written.boxId)) ?? fail('notFound'), written.fromAddress)
      const { rows } = await sql<{ version: number }>`
        update outgoing_mail set version = version + 1, state = 'draft', problem = '', said = '', modified_at = ${now},
          mailbox_id = ${written.boxId}, sender = ${written.fromAddress}, people = ${columnsOf(written).people}, subject = ${written.subject},
          html = ${written.html}, text = ${written.text},
          -- A mail that may have been sent is another one when it is changed.
          message_id = case when state = 'unsure' then ${randomUUID()} || '@' || split_part(message_id, '@', 2) else message_id end
        where id = ${outgoingId} and version = ${version} returning version`.execute(tx)
      return {
        version:
          rows[0]?.version ?? fail('fileConflict', { zh: '草稿已在别处修改', en: 'the draft was changed elsewhere' }),
        modifyTime: now,
      }
    },

    async discardMail(context, { outgoingId }) {
      await context.tx.deleteFrom('outgoing_mail').where('id', '=', outgoingId).execute()
      return {}
    },

    ...attachmentHandlers(blobs, isSensitive),

    async sendMail(context, { outgoingId, version, sendTime }) {
      const { tx, now } = context
      const mail = await detail(context, tx, outgoingId)
      if (mail.version !== version)
        fail('fileConflict', { zh: '草稿已在别处修改', en: 'the draft was changed elsewhere' })
      if (mail.to.length + mail.cc.length + mail.bcc.length === 0)
        fail('badRequest', { zh: '请填写收件人', en: 'enter a receiver' })
      if (sendTime !== undefined && (sendTime < now || sendTime > now + yearMs))
        fail('badRequest', { zh: '发送时间须在一年以内', en: 'choose a time within the next year' })
      if (await hasSensitiveFile(tx, outgoingId)) fail('sensitiveFile')
      const box = await findBox(tx, mail.boxId)
      const sends = box === undefined ? undefined : boxSettings(box)
      if (box !== undefined) senderOf(box, mail.fromAddress)
      if (sends !== undefined && sends.send === undefined && !sends.overEws)
        fail('mailNotSetUp', { zh: '这个邮箱没有设置发信服务器', en: 'this mailbox has no server to send from' })
      const at = sendTime ?? now + mailUndoMs
      await sql`
        update outgoing_mail set state = 'queued', send_at = ${at}, version = version + 1, problem = '', said = '',
          modified_at = ${now}
        where id = ${outgoingId}`.execute(tx)
      context.audit({
        outgoingId,
        receivers: mail.to.length + mail.cc.length + mail.bcc.length,
        files: mail.attachments.length,
      })
      context.event(mailChanged(actorOf(context).accountId, mail.boxId))
      return { undoUntil: at }
    },

    async takeMailBack(context, { outgoingId }) {
      const { rows } = await sql<{ version: number; boxId: number }>`
        update outgoing_mail set state = 'draft', send_at = 0, version = version + 1, modified_at = ${context.now}
        where id = ${outgoingId} and state = 'queued' returning version, mailbox_id as "boxId"`.execute(context.tx)
      const row = rows[0] ?? fail('duplicateOperation')
      context.event(mailChanged(actorOf(context).accountId, row.boxId))
      return { version: row.version }
    },

    async getMailContacts(context, { keyword }) {
      const actor = requireMail(context)
      const { accountId } = actor
      const shows = actor.settings.show_privacy
      const pattern = likeAnywhere(keyword.toLowerCase().trim())
      const named = likeAnywhere(foldTyped(keyword))
      const { rows } = await sql<{ name: string; address: string; isColleague: boolean }>`
        select distinct on (lower(address)) name, address, "isColleague" from (
          (select a.name, a.email as address, true as "isColleague", 0 as place from account a
            where ${shows} and a.email <> '' and a.state <> 'disabled' and ${peopleKnownTo(actor)}
              and (a.search_text like ${named} or lower(a.email) like ${pattern})
            order by a.name_sort limit 8)
          union all
          (select p ->> 'name', p ->> 'address', false, 1 from (
              select people from outgoing_mail where account_id = ${accountId} order by modified_at desc limit 200) o
            cross join lateral jsonb_array_elements(o.people -> 'to' || (o.people -> 'cc')) p
            where lower(p ->> 'name') like ${pattern} or lower(p ->> 'address') like ${pattern} limit 8)
        ) found order by lower(address), place limit 10`.execute(context.db)
      return { list: rows }
    },
  })
}
