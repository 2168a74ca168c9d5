// Groups: creating, members, roles, rules, leaving and dissolving. Every change is a system line of the conversation.
import type { features } from '@cloudoc/contract'
import { fail, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { textKeys } from '../../core/text-keys.ts'
import { replacePicture } from '../../people/pictures/index.ts'
import { conversationObjects } from '../messages/index.ts'
import { readChat } from './chats.ts'
import { chatChanged } from './events.ts'
import { groupMemberHandlers } from './group-members.ts'
import { admit, dismiss, line, reachable } from './membership.ts'

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

    ...groupMemberHandlers(),

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
