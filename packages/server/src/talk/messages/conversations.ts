// Conversations as objects of gates, and the change of one: one position after the other, under the lock of its row.
import { type FactsOfConversation, features } from '@cloudoc/contract'
import type { Stay, TalkRole } from '@cloudoc/domain'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ObjectAccess } from '../../core/access.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Objects } from '../../core/loaders.ts'

/** A conversation as one person sees it. */
export interface ConversationAccess extends ObjectAccess<FactsOfConversation> {
  readonly id: number
  readonly kind: 'user' | 'group'
  readonly name: string
  /** The other person of a conversation of two. */
  readonly peerId: number | null
  readonly founderId: number | null
  readonly position: number
  readonly lastNumber: number
  readonly showsHistory: boolean
  readonly readNumber: number
  readonly stays: readonly Stay[]
}

interface Row {
  readonly id: number
  readonly kind: 'user' | 'group'
  readonly name: string
  readonly low_id: number | null
  readonly high_id: number | null
  readonly founder_id: number | null
  readonly position: number
  readonly last_number: number
  readonly shows_history: boolean
  readonly all_muted: boolean
  readonly approves_invites: boolean
  readonly leaders_mention_all: boolean
  readonly dissolved: boolean
  readonly role: TalkRole
  readonly is_member: boolean
  readonly read_number: number
  readonly peer_there: boolean
  readonly allowed: boolean
  readonly library_id: number | null
  readonly stays: readonly Stay[]
}

/** Conversations of which the actor is or was a member; others do not exist for the actor. Guests do not chat (X74). */
export const conversationObjects: Objects<ConversationAccess> = {
  kind: features.talkMessages.objects.conversation,
  async load(db, actor, ids) {
    if (actor.kind !== 'account' || actor.isGuest) return new Map()
    const { accountId } = actor
    const { rows } = await sql<Row>`
      select c.id, c.kind, c.name, c.low_id, c.high_id, c.founder_id, c.position, c.last_number, c.shows_history,
        c.all_muted, c.approves_invites, c.leaders_mention_all, c.dissolved_at is not null as dissolved, m.role, m.is_member, m.read_number,
        coalesce(p.state <> 'disabled', true) as peer_there, c.library_id,
        p.id is null or not talk_refused(${accountId}, p.id) as allowed,
        (select coalesce(json_agg(json_build_object('after', s.after_position, 'until', s.until_position)), '[]')
          from talk_stay s where s.conversation_id = c.id and s.account_id = ${accountId}) as stays
      from talk_member m join talk_conversation c on c.id = m.conversation_id
      left join account p on p.id = case when c.low_id = ${accountId} then c.high_id else c.low_id end
      where m.account_id = ${accountId} and c.id = any(${ids.map(Number)})`.execute(db)
    return new Map(
      rows.map((row) => [
        row.id,
        {
          id: row.id,
          kind: row.kind,
          name: row.name,
          peerId: row.low_id === accountId ? row.high_id : row.low_id,
          founderId: row.founder_id,
          position: row.position,
          lastNumber: row.last_number,
          showsHistory: row.shows_history,
          readNumber: row.read_number,
          stays: row.stays,
          facts: {
            isGroup: row.kind === 'group',
            isMember: row.is_member,
            role: row.role,
            isDissolved: row.dissolved,
            allMuted: row.all_muted,
            isPeerThere: row.peer_there,
            isAllowed: row.allowed,
            isOfLibrary: row.library_id !== null,
            approvesInvites: row.approves_invites,
            leadersMentionAll: row.leaders_mention_all,
          },
        },
      ]),
    )
  },
  async lock(tx, id) {
    await sql`select 1 from talk_conversation where id = ${Number(id)} for no key update`.execute(tx)
  },
}

/** Takes the next position of a conversation. Its row is locked until the commit, so positions are one order. */
export async function nextPosition(tx: Tx, conversationId: number): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    update talk_conversation set position = position + 1 where id = ${conversationId} returning position`.execute(tx)
  return rows[0]?.position ?? fail('notFound')
}

/** Takes the next position for a message, which moves the conversation to the top of lists. */
export async function nextNumber(tx: Tx, conversationId: number, now: number): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    update talk_conversation set position = position + 1, last_number = position + 1, last_at = ${now}
    where id = ${conversationId} returning position`.execute(tx)
  return rows[0]?.position ?? fail('notFound')
}

/** The present members of a conversation. */
export async function memberIds(db: Db, conversationId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select account_id as id from talk_member where conversation_id = ${conversationId} and is_member`.execute(db)
  return rows.map(({ id }) => id)
}
