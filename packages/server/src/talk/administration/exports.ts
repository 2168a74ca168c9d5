/*
 * Exports of messages (X75). One administrator asks, two others agree, and the one who asked downloads within a week.
 * Each of these steps is a row of the audit. An export contains what recalled messages said, as long as that is sealed.
 */
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Secrets } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { sendTable } from '../../drive/transfer/index.ts'
import { type SealedContent, unsealRecalled } from '../messages/index.ts'

type Exporting = Pick<
  Handlers<typeof features.talkAdministration.calls>,
  'getTalkExports' | 'askTalkExport' | 'voteTalkExport' | 'downloadTalkExport'
>

/** People who have to agree, beside the one who asks. */
const votesNeeded = 2
const downloadMs = 7 * 24 * 60 * 60_000
const mostListed = 200
const rowBatch = 1000

interface ExportRow {
  readonly exportId: number
  readonly askedById: number
  readonly askedByName: string
  readonly reason: string
  readonly type: 'user' | 'group'
  readonly id: number
  readonly name: string
  readonly fromTime: number
  readonly toTime: number
  readonly time: number
  readonly state: 'waiting' | 'agreed' | 'refused'
  readonly endedAt: number | null
  readonly votes: { userId: number; name: string; agrees: boolean; time: number }[]
}

async function readExports(db: Db, exportId?: number): Promise<ExportRow[]> {
  const { rows } = await sql<ExportRow>`
    select e.id as "exportId", e.asked_by as "askedById", a.name as "askedByName", e.reason,
      case when e.account_id is null then 'group' else 'user' end as type,
      coalesce(e.account_id, e.conversation_id) as id, coalesce(p.name, c.name) as name, e.from_at as "fromTime",
      e.to_at as "toTime", e.created_at as time, e.state, e.ended_at as "endedAt", (
        select coalesce(json_agg(json_build_object('userId', v.account_id, 'name', b.name, 'agrees', v.agrees,
          'time', v.voted_at) order by v.voted_at), '[]')
        from talk_export_vote v join account b on b.id = v.account_id where v.export_id = e.id) as votes
    from talk_export e join account a on a.id = e.asked_by left join account p on p.id = e.account_id
    left join talk_conversation c on c.id = e.conversation_id
    where ${exportId === undefined ? sql`true` : sql`e.id = ${exportId}`}
    order by e.id desc limit ${mostListed}`.execute(db)
  return rows
}

interface ExportedMessage {
  readonly id: number
  readonly chat: string
  readonly chatId: number
  readonly at: number
  readonly account: string
  readonly sender: string
  readonly type: string
  readonly value: string
  readonly data: { readonly name?: string; readonly url?: string; readonly fId?: number }
  readonly fileName: string | null
  readonly editedAt: number | null
  readonly recalledAt: number | null
  readonly sealed: SealedContent | null
}

async function* messagesOf(db: Db, secrets: Secrets, asked: ExportRow): AsyncGenerator<(string | number | Date)[][]> {
  const whose =
    asked.type === 'group'
      ? sql`m.conversation_id = ${asked.id}`
      : sql`m.conversation_id in (select conversation_id from talk_stay where account_id = ${asked.id})
          and exists (select 1 from talk_stay s where s.conversation_id = m.conversation_id
            and s.account_id = ${asked.id} and m.number > s.after_position
            and (s.until_position is null or m.number <= s.until_position))`
  for (let after = 0; ; ) {
    const { rows } = await sql<ExportedMessage>`
      select m.id, coalesce(nullif(c.name, ''), concat(l.name, ' / ', h.name)) as chat, c.id as "chatId",
        m.created_at as at, a.account, a.name as sender, m.type, m.value, m.data, f.name as "fileName",
        m.edited_at as "editedAt", m.recalled_at as "recalledAt", m.sealed
      from talk_message m join talk_conversation c on c.id = m.conversation_id join account a on a.id = m.sender_id
      left join account l on l.id = c.low_id left join account h on h.id = c.high_id
      left join talk_file f on f.id = m.file_id
      where ${whose} and m.id > ${after} and m.created_at >= ${asked.fromTime} and m.created_at < ${asked.toTime}
      order by m.id limit ${rowBatch}`.execute(db)
    if (rows.length > 0)
      yield rows.map((row) => {
        const recalled = row.sealed === null ? undefined : unsealRecalled(secrets, row.sealed)
        return [
          ...[new Date(row.at), row.chatId, row.chat, row.account, row.sender, row.type],
          recalled?.value ?? row.value,
          row.fileName ?? row.data.name ?? recalled?.data.name ?? row.data.url ?? '',
          row.editedAt === null ? '' : new Date(row.editedAt),
          row.recalledAt === null ? '' : new Date(row.recalledAt),
        ]
      })
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowBatch) return
    after = last.id
  }
}

const heads = {
  zh: ['时间', '会话编号', '会话', '账号', '姓名', '类型', '内容', '文件或链接', '编辑时间', '撤回时间'],
  en: [
    'Time',
    'Conversation number',
    'Conversation',
    'Account',
    'Name',
    'Kind',
    'Text',
    'File or link',
    'Edited',
    'Recalled',
  ],
} as const

/** The handlers of exports. */
export const exportHandlers = ({ secrets }: Pick<Services, 'secrets'>): Exporting => ({
  async getTalkExports(context) {
    const { accountId } = actorOf(context)
    const rows = await readExports(context.db)
    return {
      list: rows.map((row) => {
        const isOver = row.state === 'agreed' && (row.endedAt ?? 0) + downloadMs < context.now
        const isMine = row.askedById === accountId
        return {
          exportId: row.exportId,
          askedBy: { userId: row.askedById, name: row.askedByName },
          reason: row.reason,
          subject: { type: row.type, id: row.id, name: row.name },
          fromTime: row.fromTime,
          toTime: row.toTime,
          time: row.time,
          state: isOver ? ('ended' as const) : row.state,
          votes: row.votes,
          mayVote: row.state === 'waiting' && !isMine && row.votes.every(({ userId }) => userId !== accountId),
          mayDownload: row.state === 'agreed' && isMine && !isOver,
        }
      }),
    }
  },

  async askTalkExport(context, { reason, userId, conversationId, fromTime, toTime }) {
    const { tx, now } = context
    if ((userId === undefined) === (conversationId === undefined) || fromTime >= toTime)
      return fail('badRequest', userId === undefined ? 'conversationId' : 'toTime')
    const { rows } =
      userId === undefined
        ? await sql`select 1 from talk_conversation where id = ${conversationId ?? 0} and kind = 'group'`.execute(tx)
        : await sql`select 1 from account where id = ${userId}`.execute(tx)
    if (rows.length === 0) return fail('notFound')
    const { id } = await tx
      .insertInto('talk_export')
      .values({
        asked_by: actorOf(context).accountId,
        reason,
        account_id: userId ?? null,
        conversation_id: conversationId ?? null,
        from_at: fromTime,
        to_at: toTime,
        state: 'waiting',
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    context.audit({
      exportId: id,
      comment: reason,
      ...(userId !== undefined && { userId }),
      ...(conversationId !== undefined && { conversationId }),
    })
    return { exportId: id }
  },

  async voteTalkExport(context, { exportId, agrees }) {
    const { tx, now } = context
    const { accountId } = actorOf(context)
    await sql`select 1 from talk_export where id = ${exportId} for update`.execute(tx)
    const [asked] = await readExports(tx, exportId)
    if (asked === undefined) return fail('notFound')
    if (asked.askedById === accountId)
      return fail('noPermission', { zh: '不能审批自己的申请', en: 'nobody decides their own request' })
    if (asked.state !== 'waiting' || asked.votes.some(({ userId }) => userId === accountId))
      return fail('alreadyHandled')
    await tx
      .insertInto('talk_export_vote')
      .values({ export_id: exportId, account_id: accountId, agrees, voted_at: now })
      .execute()
    const isAgreed = agrees && asked.votes.length + 1 >= votesNeeded
    if (!agrees || isAgreed)
      await tx
        .updateTable('talk_export')
        .set({ state: agrees ? 'agreed' : 'refused', ended_at: now })
        .where('id', '=', exportId)
        .execute()
    context.audit({ agrees })
    return {}
  },

  async downloadTalkExport(context, { exportId }) {
    const { accountId } = actorOf(context)
    const [asked] = await readExports(context.db, exportId)
    if (asked === undefined) return fail('notFound')
    const isOpen = asked.state === 'agreed' && (asked.endedAt ?? 0) + downloadMs >= context.now
    if (asked.askedById !== accountId || !isOpen) return fail('noPermission')
    const locale = localeOf(context.request)
    await sendTable(context, {
      name: locale === 'zh' ? `聊天记录-${asked.name}` : `messages-${asked.name}`,
      heads: heads[locale],
      pages: messagesOf(context.db, secrets, asked),
      call: 'downloadTalkExport',
      detail: { exportId },
    })
  },
})
