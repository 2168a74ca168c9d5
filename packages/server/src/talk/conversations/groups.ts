// Groups: creating, members, roles, rules, leaving and dissolving. Every change is a system line of the conversation.
import { randomUUID } from 'node:crypto'
import type { features, TalkData } from '@cloudoc/contract'
import { fail, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import { foldTyped } from '../../core/folding.ts'
import { textKeys } from '../../core/text-keys.ts'
import { knownOf } from '../../people/organisation/index.ts'
import { replacePicture } from '../../people/pictures/index.ts'
import { append, conversationObjects } from '../messages/index.ts'
import { readChat } from './chats.ts'
import { chatChanged } from './events.ts'

type Grouping = Pick<
  Handlers<typeof features.talkConversations.calls>,
  | 'imCreateGroup'
  | 'imUpdateGroup'
  | 'imGroupMembers'
  | 'imAddMembers'
  | 'imDecideInvitation'
  | 'imRemoveMembers'
  | 'imSetRole'
  | 'imExitGroup'
  | 'imDissolveGroup'
  | 'imReadAnnouncement'
>
export type Person = { readonly userId: number; readonly name: string }

/** Those of the people whom the caller sees and may write to (X74), in the given order. */
export async function reachable(context: WriteContext, userIds: readonly number[]): Promise<Person[]> {
  const ids = [...new Set(userIds)]
  const known = await knownOf(
    context.tx,
    actorOf(context),
    ids.map((subjectId) => ({ subjectType: 'user' as const, subjectId })),
  )
  const { rows } = await sql<Person>`
    select id as "userId", name from account
    where id = any(${known.map(({ subjectId }) => subjectId)}) and state <> 'disabled'
      and not talk_refused(${actorOf(context).accountId}, id)`.execute(context.tx)
  const byId = new Map(rows.map((row) => [row.userId, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Writes a system line and reports the change to members. Returns its number. */
export async function line(
  context: WriteContext,
  conversationId: number,
  what: NonNullable<TalkData['what']>,
  people: readonly Person[] = [],
  value = '',
): Promise<number> {
  const { number, events } = await append(
    context.tx,
    conversationId,
    {
      uuid: randomUUID(),
      senderId: actorOf(context).accountId,
      type: 'notify',
      value,
      data: { what, people: people.slice(0, 20) },
    },
    context.now,
  )
  for (const event of events) context.event(event)
  context.event(chatChanged(conversationId, number))
  return number
}

/** Lets people in from a position on, or with the whole history. */
export async function admit(
  tx: Tx,
  conversationId: number,
  people: readonly Person[],
  { after, now, owner }: { readonly after: number; readonly now: number; readonly owner?: number },
): Promise<void> {
  const ids = people.map(({ userId }) => userId)
  await sql`
    insert into talk_member (conversation_id, account_id, role, joined_at, read_number)
    select ${conversationId}, id, case when id = ${owner ?? 0} then 'owner' else 'member' end, ${now}, ${after}
    from unnest(${ids}::bigint[]) as p (id)
    on conflict (conversation_id, account_id) do update set is_member = true, role = 'member', joined_at = ${now},
      hidden_position = null`.execute(tx)
  if (after === 0)
    await sql`
      delete from talk_stay where conversation_id = ${conversationId} and account_id = any(${ids})`.execute(tx)
  await sql`
    insert into talk_stay (conversation_id, account_id, after_position)
    select ${conversationId}, id, ${after}::bigint from unnest(${ids}::bigint[]) as p (id)`.execute(tx)
  await sql`
    delete from talk_invitation where conversation_id = ${conversationId} and account_id = any(${ids})`.execute(tx)
}

/** Ends memberships at a position: what is written after it is not theirs. */
export async function dismiss(tx: Tx, conversationId: number, ids: readonly number[], until: number): Promise<void> {
  await sql`
    update talk_member set is_member = false, role = 'member', draft = '', draft_at = null
    where conversation_id = ${conversationId} and account_id = any(${[...ids]})`.execute(tx)
  await sql`
    update talk_stay set until_position = ${until} where conversation_id = ${conversationId}
      and account_id = any(${[...ids]}) and until_position is null`.execute(tx)
}

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

/** Ends a group for everybody. What was written stays readable. The caller holds the lock of its row. */
export async function dissolve(context: WriteContext, conversationId: number): Promise<void> {
  const { tx, now } = context
  const number = await line(context, conversationId, 'dissolved')
  await sql`update talk_conversation set dissolved_at = ${now} where id = ${conversationId}`.execute(tx)
  await sql`
    update talk_stay set until_position = ${number}
    where conversation_id = ${conversationId} and until_position is null`.execute(tx)
  await sql`
    update talk_member set is_member = false, draft = '', draft_at = null
    where conversation_id = ${conversationId} and is_member`.execute(tx)
  await sql`delete from talk_invitation where conversation_id = ${conversationId}`.execute(tx)
}

/** The handlers of groups. */
export function groupHandlers(): Grouping {
  return {
    async imCreateGroup(context, { name, userIdArray }) {
      const { tx, now } = context
      const actor = actorOf(context)
      if (!actor.settings.setting.im_groups_by_all && actor.powers.length === 0) return fail('noPermission')
      const others = (await reachable(context, userIdArray)).filter(({ userId }) => userId !== actor.accountId)
      const people = [{ userId: actor.accountId, name: actor.name }, ...others]
      if (people.length > limits.talkMembersMost) return fail('accountCountExceeded')
      if (others.length === 0) return fail('badRequest', 'userIdArray')
      const title = name.trim() || [...people.map((one) => one.name).join('、')].slice(0, 30).join('')
      const { id } = await tx
        .insertInto('talk_conversation')
        .values({
          kind: 'group',
          low_id: null,
          high_id: null,
          name: title,
          search_text: textKeys(title).text,
          founder_id: actor.accountId,
          last_at: now,
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await admit(tx, id, people, { after: 0, now, owner: actor.accountId })
      await line(context, id, 'created', others)
      context.audit({ conversationId: id })
      return (await readChat(tx, actor.accountId, id)) ?? fail('notFound')
    },

    async imUpdateGroup(context, input) {
      const { tx, now } = context
      const {
        conversationId,
        name,
        announcement,
        allMuted,
        approvesInvites,
        leadersMentionAll,
        showsHistory,
        picture,
      } = input
      const { accountId } = actorOf(context)
      const { rows } = await sql<{ name: string; all_muted: boolean; picture_id: string }>`
        select name, all_muted, picture_id from talk_conversation where id = ${conversationId}`.execute(tx)
      const before = rows[0] ?? fail('notFound')
      const title = name?.trim()
      await tx
        .updateTable('talk_conversation')
        .set({
          ...(title !== undefined && { name: title, search_text: textKeys(title).text }),
          ...(announcement !== undefined && { announcement, announced_by: accountId, announced_at: now }),
          ...(allMuted !== undefined && { all_muted: allMuted }),
          ...(approvesInvites !== undefined && { approves_invites: approvesInvites }),
          ...(leadersMentionAll !== undefined && { leaders_mention_all: leadersMentionAll }),
          ...(showsHistory !== undefined && { shows_history: showsHistory }),
          ...(picture !== undefined && { picture_id: await replacePicture(tx, before.picture_id, picture) }),
          created_at: sql`created_at`,
        })
        .where('id', '=', conversationId)
        .execute()
      if (title !== undefined && title !== before.name) await line(context, conversationId, 'renamed', [], title)
      if (announcement !== undefined) await line(context, conversationId, 'announced', [], announcement)
      if (allMuted !== undefined && allMuted !== before.all_muted)
        await line(context, conversationId, allMuted ? 'muted' : 'unmuted')
      const { rows: at } = await sql<{ position: number }>`
        select position from talk_conversation where id = ${conversationId}`.execute(tx)
      context.event(chatChanged(conversationId, at[0]?.position ?? 0))
      return {}
    },

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

    async imExitGroup(context, { conversationId }) {
      const { accountId, name } = actorOf(context)
      const { role } = context.object(conversationObjects, conversationId).facts
      if (role === 'owner')
        return fail('noPermission', { zh: '群主需要先转让群聊', en: 'the owner hands the group over first' })
      const number = await line(context, conversationId, 'left', [{ userId: accountId, name }])
      await dismiss(context.tx, conversationId, [accountId], number)
      return {}
    },

    async imDissolveGroup(context, { conversationId }) {
      await dissolve(context, conversationId)
      return {}
    },

    async imReadAnnouncement(context, { conversationId }) {
      const { accountId } = actorOf(context)
      await sql`
        update talk_member set read_announcement_at = ${context.now}
        where conversation_id = ${conversationId} and account_id = ${accountId}`.execute(context.tx)
      return {}
    },
  }
}
