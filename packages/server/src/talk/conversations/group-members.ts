// The members of a group: who they are, letting people in and out, their roles.
import type { features } from '@cloudoc/contract'
import { fail, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import { foldTyped } from '../../core/folding.ts'
import { conversationObjects } from '../messages/index.ts'
import { chatChanged } from './events.ts'
import { admit, dismiss, line, type Person, reachable } from './membership.ts'

async function membersAmong(tx: Tx, conversationId: number, ids: readonly number[]) {
  const { rows } = await sql<Person & { role: 'owner' | 'manager' | 'member' }>`
    select a.id as "userId", a.name, m.role from talk_member m join account a on a.id = m.account_id
    where m.conversation_id = ${conversationId} and m.is_member and a.id = any(${[...ids]})`.execute(tx)
  return rows
}

/** Adds people within the largest number of members. */
async function addTo(context: WriteContext, conversationId: number, people: readonly Person[]): Promise<void> {
  if (people.length === 0) return
  const { tx, now } = context
  const access = context.object(conversationObjects, conversationId)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from talk_member where conversation_id = ${conversationId} and is_member`.execute(tx)
  if ((rows[0]?.n ?? 0) + people.length > limits.talkMembersMost) return fail('accountCountExceeded')
  // Their stay begins right before the line that names them.
  const { rows: at } = await sql<{ position: number }>`
    select position from talk_conversation where id = ${conversationId}`.execute(tx)
  await admit(tx, conversationId, people, { after: access.showsHistory ? 0 : (at[0]?.position ?? 0), now })
  await line(context, conversationId, 'joined', people)
}

/** The handlers of the members of a group. */
export function groupMemberHandlers(): Pick<
  Handlers<typeof features.talkConversations.calls>,
  'imGroupMembers' | 'imAddMembers' | 'imDecideInvitation' | 'imRemoveMembers' | 'imSetRole'
> {
  return {
    async imGroupMembers(context, { conversationId, keyword, from, rows: most }) {
      const { db } = context
      const access = context.object(conversationObjects, conversationId)
      const word = keyword.trim().toLowerCase()
      const { rows } = await sql<{
        userId: number
        name: string
        account: string
        groupName: string
        title: string
        avatar: string
        role: 'owner' | 'manager' | 'member'
        online: boolean
        readAnnouncement: boolean
      }>`
        select a.id as "userId", a.name, a.account, g.name as "groupName", a.title, a.avatar, m.role,
          exists (select 1 from presence p where p.account_id = a.id) as online,
          m.read_announcement_at is not null and m.read_announcement_at >= coalesce(c.announced_at, 0)
            as "readAnnouncement"
        from talk_member m join talk_conversation c on c.id = m.conversation_id join account a on a.id = m.account_id
        join org_group g on g.id = a.group_id
        where m.conversation_id = ${conversationId} and m.is_member
          and (${word} = '' or strpos(a.search_text, ${foldTyped(keyword)}) > 0 or strpos(lower(a.account), ${word}) > 0)
        order by case m.role when 'owner' then 0 when 'manager' then 1 else 2 end, a.name_sort, a.id
        limit ${most} offset ${from}`.execute(db)
      const { rows: counts } = await sql<{ total: number; read: number }>`
        select count(*)::int as total, count(*) filter (
          where m.read_announcement_at >= c.announced_at)::int as read
        from talk_member m join talk_conversation c on c.id = m.conversation_id
        where m.conversation_id = ${conversationId} and m.is_member`.execute(db)
      const { rows: waiting } =
        access.facts.role === 'member'
          ? { rows: [] }
          : await sql<{ userId: number; name: string; invitedBy: string; time: number }>`
              select a.id as "userId", a.name, b.name as "invitedBy", i.created_at as time
              from talk_invitation i join account a on a.id = i.account_id join account b on b.id = i.invited_by
              where i.conversation_id = ${conversationId} order by i.created_at limit 200`.execute(db)
      return {
        list: rows.map(({ online, ...person }) => ({ ...person, status: online ? 'ONLINE' : 'OFFLINE' })),
        total: counts[0]?.total ?? 0,
        announcementRead: counts[0]?.read ?? 0,
        waiting,
      }
    },

    async imAddMembers(context, { conversationId, userIdArray }) {
      const { tx, now } = context
      const access = context.object(conversationObjects, conversationId)
      const people = await reachable(context, userIdArray)
      const present = new Set((await membersAmong(tx, conversationId, userIdArray)).map(({ userId }) => userId))
      const fresh = people.filter(({ userId }) => !present.has(userId))
      const asks = access.facts.approvesInvites && access.facts.role === 'member'
      if (asks) {
        await sql`
          insert into talk_invitation (conversation_id, account_id, invited_by, created_at)
          select ${conversationId}, id, ${actorOf(context).accountId}, ${now}
          from unnest(${fresh.map(({ userId }) => userId)}::bigint[]) as p (id) on conflict do nothing`.execute(tx)
        context.event(chatChanged(conversationId, access.position))
      } else await addTo(context, conversationId, fresh)
      const added = new Set(fresh.map(({ userId }) => userId))
      return {
        list: [...new Set(userIdArray)].map((userId) => ({
          userId,
          outcome: present.has(userId) ? 'already' : added.has(userId) ? (asks ? 'asked' : 'added') : 'refused',
        })),
      }
    },

    async imDecideInvitation(context, { conversationId, userId, approve }) {
      const { tx } = context
      const { rows } = await sql<Person>`
        with gone as (delete from talk_invitation where conversation_id = ${conversationId} and account_id = ${userId}
          returning account_id)
        select a.id as "userId", a.name from gone g join account a on a.id = g.account_id`.execute(tx)
      const [person] = rows
      if (person === undefined) return fail('alreadyHandled', { zh: '邀请已处理', en: 'the invitation was decided' })
      const present = await membersAmong(tx, conversationId, [userId])
      if (approve && present.length === 0) await addTo(context, conversationId, [person])
      else {
        const { position } = context.object(conversationObjects, conversationId)
        context.event(chatChanged(conversationId, position))
      }
      return {}
    },

    async imRemoveMembers(context, { conversationId, userIdArray }) {
      const { accountId } = actorOf(context)
      const { role } = context.object(conversationObjects, conversationId).facts
      const found = await membersAmong(context.tx, conversationId, userIdArray)
      // A manager removes members; the owner everybody else.
      const able = found.filter(
        (one) => one.userId !== accountId && (role === 'owner' || (role === 'manager' && one.role === 'member')),
      )
      if (able.length === 0) return fail(found.length === 0 ? 'notFound' : 'noPermission')
      const people = able.map(({ userId, name }) => ({ userId, name }))
      const number = await line(context, conversationId, 'removed', people)
      await dismiss(
        context.tx,
        conversationId,
        people.map(({ userId }) => userId),
        number,
      )
      return {}
    },

    async imSetRole(context, { conversationId, userId, role }) {
      const { tx } = context
      const { accountId, name } = actorOf(context)
      const [person] = await membersAmong(tx, conversationId, [userId])
      if (person === undefined || userId === accountId) return fail('notFound')
      const set = (id: number, to: string) =>
        sql`update talk_member set role = ${to}
          where conversation_id = ${conversationId} and account_id = ${id}`.execute(tx)
      if (role === 'owner') {
        await set(accountId, 'manager')
        await sql`update talk_conversation set founder_id = ${userId} where id = ${conversationId}`.execute(tx)
      }
      await set(userId, role)
      await line(
        context,
        conversationId,
        role === 'owner' ? 'owner' : 'role',
        [{ userId, name: person.name }],
        role === 'owner' ? name : role,
      )
      return {}
    },
  }
}
