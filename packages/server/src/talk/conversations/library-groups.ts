/*
 * Groups of libraries: each library offers one, without anybody making it. Whoever sees the library becomes a member by
 * opening the group; its managers manage the group. A chore ends the membership of who no longer sees the library.
 */
import { randomUUID } from 'node:crypto'
import type { features } from '@cloudoc/contract'
import { denial, fail, gates, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { writeEvents } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import { textKeys } from '../../core/text-keys.ts'
import { visibleLibraries } from '../../drive/libraries/index.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { append } from '../messages/index.ts'
import { readChat } from './chats.ts'
import { chatChanged } from './events.ts'
import { admit, dismiss, line, type Person } from './membership.ts'

type OfLibraries = Pick<Handlers<typeof features.talkConversations.calls>, 'imOpenLibraryGroup' | 'imLibraryGroups'>

/** Makes the caller a member. The group's history is theirs to read: so are the files that it is about. */
async function join(context: WriteContext, conversationId: number, manages: boolean): Promise<void> {
  const { tx, now } = context
  const { accountId, name } = actorOf(context)
  await sql`select 1 from talk_conversation where id = ${conversationId} for no key update`.execute(tx)
  const { rows } = await sql<{ n: number; isMember: boolean }>`
    select count(*)::int as n, coalesce(bool_or(account_id = ${accountId}), false) as "isMember" from talk_member
    where conversation_id = ${conversationId} and is_member`.execute(tx)
  if (rows[0]?.isMember !== true) {
    if ((rows[0]?.n ?? 0) >= limits.talkMembersMost) return fail('accountCountExceeded')
    await admit(tx, conversationId, [{ userId: accountId, name }], { after: 0, now })
    await line(context, conversationId, 'joined', [{ userId: accountId, name }])
  }
  await sql`
    update talk_member set role = ${manages ? 'manager' : 'member'}, hidden_position = null
    where conversation_id = ${conversationId} and account_id = ${accountId} and role <> 'owner'`.execute(tx)
}

export const libraryGroupHandlers: OfLibraries = {
  async imOpenLibraryGroup(context, { libraryId }) {
    const { tx, now } = context
    const actor = actorOf(context)
    const { row, library, facts } = context.item({ fType: 2, fId: libraryId })
    if (row.parent_id !== null || library.kind === 'personal') return fail('notFound')
    // A library has one group, however many people open it at once.
    await sql`
      insert into talk_conversation (kind, name, search_text, library_id, shows_history, last_at, created_at)
      values ('group', ${row.name}, ${textKeys(row.name).text}, ${libraryId}, true, ${now}, ${now})
      on conflict do nothing`.execute(tx)
    const { rows } = await sql<{ id: number }>`
      select id from talk_conversation where library_id = ${libraryId} and dissolved_at is null`.execute(tx)
    const id = rows[0]?.id ?? fail('notFound')
    await join(context, id, denial(gates.grant, facts) === undefined)
    return (await readChat(tx, actor.accountId, id)) ?? fail('notFound')
  },

  async imLibraryGroups(context) {
    const { db, now } = context
    const actor = actorOf(context)
    const seen = (await visibleLibraries(db, actor, now)).filter(({ library }) => library.kind !== 'personal')
    const { rows } = await sql<{ libraryId: number; conversationId: number; members: number; isMember: boolean }>`
      select c.library_id as "libraryId", c.id as "conversationId", count(m.account_id)::int as members,
        coalesce(bool_or(m.account_id = ${actor.accountId}), false) as "isMember"
      from talk_conversation c left join talk_member m on m.conversation_id = c.id and m.is_member
      where c.library_id = any(${seen.map(({ row }) => row.id)}) and c.dissolved_at is null group by c.id`.execute(db)
    const groups = new Map(rows.map((one) => [one.libraryId, one]))
    return {
      list: seen.flatMap(({ row, library: { kind } }) => {
        if (kind === 'personal') return []
        const { conversationId = 0, members = 0, isMember = false } = groups.get(row.id) ?? {}
        return [{ libraryId: row.id, name: row.name, kind, conversationId, members, isMember }]
      }),
    }
  },
}

/** Ends the membership of people who no longer see the library of a group. Returns their number. */
export async function endLostMemberships(services: Pick<Services, 'db' | 'settings' | 'now'>): Promise<number> {
  const { db, settings } = services
  const { rows } = await sql<{ id: number; libraryId: number; people: Person[] }>`
    select c.id, c.library_id as "libraryId", json_agg(json_build_object('userId', a.id, 'name', a.name)) as people
    from talk_conversation c join talk_member m on m.conversation_id = c.id and m.is_member
    join account a on a.id = m.account_id
    where c.library_id is not null and c.dissolved_at is null group by c.id`.execute(db)
  const ids = [...new Set(rows.flatMap(({ people }) => people.map(({ userId }) => userId)))]
  if (ids.length === 0) return 0
  const now = services.now()
  const accounts = await loadAccounts(db, settings, ids, now)
  const lost = new Map<number, Person[]>()
  for (const [userId, account] of accounts) {
    const theirs = rows.filter(({ people }) => people.some((one) => one.userId === userId))
    const found = await accessToMany(
      db,
      account,
      theirs.map(({ libraryId }) => libraryId),
      now,
    )
    for (const { id, libraryId, people } of theirs) {
      const access = found.get(libraryId)
      if (access !== undefined && denial(gates.see, access.facts) === undefined) continue
      const person = people.find((one) => one.userId === userId)
      if (person !== undefined) lost.set(id, [...(lost.get(id) ?? []), person])
    }
  }
  for (const [conversationId, people] of lost)
    await db.transaction().execute(async (tx) => {
      await sql`select 1 from talk_conversation where id = ${conversationId} for no key update`.execute(tx)
      const { number, events } = await append(
        tx,
        conversationId,
        {
          uuid: randomUUID(),
          senderId: people[0]?.userId ?? 0,
          type: 'notify',
          value: '',
          data: { what: 'left', people: people.slice(0, 20) },
        },
        now,
      )
      await dismiss(
        tx,
        conversationId,
        people.map(({ userId }) => userId),
        number,
      )
      await writeEvents(tx, [...events, chatChanged(conversationId, number)], now)
    })
  return [...lost.values()].flat().length
}
