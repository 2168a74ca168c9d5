/*
 * Conversations: the list of a person, what the person keeps of each, and groups. The list shows the present state from
 * the same rows that messages are read from, so counts are the same after a reload and on every device ([R399]).
 */
import { features } from '@cloudoc/contract'
import { fail, limits, mainFolder } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { foldTyped } from '../../core/folding.ts'
import type { Rooms } from '../../core/push/index.ts'
import { knownOf } from '../../people/organisation/index.ts'
import { readMessages } from '../messages/index.ts'
import { readChat, readChats, unreadTotal } from './chats.ts'
import { groupHandlers } from './groups.ts'
import { libraryGroupHandlers } from './library-groups.ts'
import { ownStateHandlers } from './own-state.ts'
import { typingMs } from './typing.ts'

export { unreadTotal } from './chats.ts'
export { dissolve } from './groups.ts'

type Ability = { readonly ability: boolean; readonly reason: '' | 'self' | 'gone' | 'guest' | 'rule' }

/**
 * Whether a person may write to another (X74): to everybody they see in the organisation who
 * is still there, as far as the company's rules allow.
 */
export async function abilityOf(db: Db, actor: Account, userId: number): Promise<Ability> {
  const [known] = await knownOf(db, actor, [{ subjectType: 'user' as const, subjectId: userId }])
  const { rows } = await sql<{ state: string; refused: boolean }>`
    select state, talk_refused(${actor.accountId}, id) as refused from account where id = ${userId}`.execute(db)
  const state = rows[0]?.state
  if (known === undefined || state === undefined) return fail('notFound')
  if (userId === actor.accountId) return { ability: false, reason: 'self' }
  if (state === 'disabled') return { ability: false, reason: 'gone' }
  return rows[0]?.refused === true ? { ability: false, reason: 'rule' } : { ability: true, reason: '' }
}

const refusedBecause = {
  self: { zh: '不能给自己发消息', en: 'nobody writes to themselves' },
  gone: { zh: '对方已离开公司', en: 'this person has left the company' },
  guest: { zh: '访客不能聊天', en: 'guests do not chat' },
  rule: { zh: '公司不允许你给这位同事发消息', en: 'the company does not let you write to this person' },
} as const

async function sendPicture({ db, reply }: Context, pictureId: string): Promise<void> {
  const found = await db.selectFrom('picture').select(['type', 'bytes']).where('id', '=', pictureId).executeTakeFirst()
  if (found === undefined) return fail('notFound')
  await reply
    .type(found.type)
    .header('cache-control', 'private, max-age=300')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(found.bytes)
}

/** The handlers of conversations. */
export function conversationHandlers(rooms: Rooms) {
  return implement(features.talkConversations.calls, {
    ...groupHandlers(),
    ...libraryGroupHandlers,

    imServerInfo(context) {
      const { settings } = actorOf(context)
      // An address with a port of its own leads to one listener for everything.
      const { port: asked } = context.request
      const port = asked === 80 || asked === 443 ? undefined : asked
      return Promise.resolve({
        chatFolder: '/im' as const,
        mainFolder,
        webPort: port ?? 333,
        pushPort: port ?? 444,
        socket: '/im/ws' as const,
        longestMessage: limits.longestMessage,
        largestFile: limits.largestTalkFile,
        recallMs: settings.setting.im_recall_minutes * 60_000,
        fileDays: settings.setting.im_file_days,
      })
    },

    imChatAbility: (context, { userId }) => abilityOf(context.db, actorOf(context), userId),

    async imOpenChat(context, { userId }) {
      const { tx, now } = context
      const actor = actorOf(context)
      const { ability, reason } = await abilityOf(tx, actor, userId)
      if (!ability) return fail('noPermission', refusedBecause[reason === '' ? 'rule' : reason])
      const [low, high] = [Math.min(actor.accountId, userId), Math.max(actor.accountId, userId)]
      const { rows: made } = await sql<{ id: number }>`
        insert into talk_conversation (kind, low_id, high_id, last_at, created_at)
        values ('user', ${low}, ${high}, ${now}, ${now}) on conflict do nothing returning id`.execute(tx)
      const { rows } =
        made.length > 0
          ? { rows: made }
          : await sql<{ id: number }>`
              select id from talk_conversation where kind = 'user' and low_id = ${low} and high_id = ${high}`.execute(
              tx,
            )
      const id = rows[0]?.id ?? fail('notFound')
      if (made.length > 0) {
        // The other person's list shows it once something is written.
        await sql`
          insert into talk_member (conversation_id, account_id, joined_at, hidden_position)
          values (${id}, ${actor.accountId}, ${now}, null), (${id}, ${userId}, ${now}, 0)`.execute(tx)
        await sql`
          insert into talk_stay (conversation_id, account_id, after_position)
          values (${id}, ${low}, 0), (${id}, ${high}, 0)`.execute(tx)
      } else
        await sql`
          update talk_member set hidden_position = null
          where conversation_id = ${id} and account_id = ${actor.accountId} and hidden_position is not null`.execute(tx)
      return (await readChat(tx, actor.accountId, id)) ?? fail('notFound')
    },

    async imChatList(context, { unread, keyword, from, rows: most }) {
      const { db } = context
      const { accountId } = actorOf(context)
      const word = foldTyped(keyword)
      const conditions = [sql`(w.hidden_position is null or c.last_number > w.hidden_position)`]
      if (word !== '') conditions.push(sql`strpos(coalesce(p.search_text, c.search_text), ${word}) > 0`)
      if (unread) conditions.push(sql`(c.last_number > w.read_number or w.marked_unread)`)
      const list = await readChats(db, accountId, sql.join(conditions, sql` and `), { from, most: most + 1 })
      const shown = list.slice(0, most)
      return {
        list: unread ? shown.filter((chat) => chat.unread > 0) : shown,
        more: list.length > most,
        unread: await unreadTotal(db, accountId),
      }
    },

    async imGetChat(context, { conversationId }) {
      return (await readChat(context.db, actorOf(context).accountId, conversationId)) ?? fail('notFound')
    },

    ...ownStateHandlers(),

    async imTyping(context, { conversationId, open, typing }) {
      await context.commit(async (write) => {
        const { accountId, sessionId } = actorOf(write)
        if (open)
          await sql`
            insert into talk_open (conversation_id, session_id, account_id, typing_until, seen_at)
            values (${conversationId}, ${sessionId}, ${accountId}, ${typing ? write.now + typingMs : 0}, ${write.now})
            on conflict (conversation_id, session_id)
              do update set typing_until = excluded.typing_until, seen_at = excluded.seen_at`.execute(write.tx)
        else
          await sql`
            delete from talk_open where conversation_id = ${conversationId} and session_id = ${sessionId}`.execute(
            write.tx,
          )
      })
      rooms.changed(conversationId)
      return {}
    },

    async imReadStatus(context, { conversationId, number, rows: most }) {
      const { db } = context
      const { accountId } = actorOf(context)
      const [row] = await readMessages(db, conversationId, [number])
      if (row === undefined || row.sender_id !== accountId) return fail('notFound')
      // Of those who could read it and are still members.
      const { rows } = await sql<{ userId: number; name: string; read: boolean }>`
        select a.id as "userId", a.name, m.read_number >= ${number} as read
        from talk_member m join account a on a.id = m.account_id
        where m.conversation_id = ${conversationId} and m.is_member and a.id <> ${accountId} and exists (
          select 1 from talk_stay s where s.conversation_id = m.conversation_id and s.account_id = m.account_id
            and s.after_position < ${number} and (s.until_position is null or s.until_position >= ${number}))
        order by a.name_sort, a.id`.execute(db)
      const part = (read: boolean) => rows.filter((one) => one.read === read)
      const named = (read: boolean) =>
        part(read)
          .slice(0, most)
          .map(({ userId, name }) => ({ userId, name }))
      return {
        read: named(true),
        unread: named(false),
        readCount: part(true).length,
        unreadCount: part(false).length,
      }
    },

    async imUserAvatar(context, { userId }) {
      const [known] = await knownOf(context.db, actorOf(context), [{ subjectType: 'user', subjectId: userId }])
      if (known === undefined) return fail('notFound')
      const { rows } = await sql<{ id: string }>`
        select avatar as id from account where id = ${userId}`.execute(context.db)
      await sendPicture(context, rows[0]?.id ?? '')
    },

    async imGroupAvatar(context, { conversationId }) {
      const { rows } = await sql<{ id: string }>`
        select picture_id as id from talk_conversation where id = ${conversationId}`.execute(context.db)
      await sendPicture(context, rows[0]?.id ?? '')
    },
  })
}
