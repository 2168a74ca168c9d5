// Contact groups: private lists of people, with a name that the person uses once ([R300]).
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { knownOf } from '../../people/organisation/index.ts'

/** The caller's own group, locked; others do not exist. */
async function ownGroup(context: WriteContext, contactGroupId: number): Promise<number> {
  const { accountId } = actorOf(context)
  const { rows } = await sql<{ id: number }>`
    select id from talk_contact_group where id = ${contactGroupId} and account_id = ${accountId} for update`.execute(
    context.tx,
  )
  return rows[0]?.id ?? fail('notFound')
}

/** Adds those of the people whom the caller may see. */
async function addPeople(context: WriteContext, groupId: number, userIds: readonly number[]): Promise<void> {
  const named = userIds.map((subjectId) => ({ subjectType: 'user' as const, subjectId }))
  const known = await knownOf(context.tx, actorOf(context), named)
  await sql`
    insert into talk_contact (group_id, account_id)
    select ${groupId}, id from unnest(${known.map(({ subjectId }) => subjectId)}::bigint[]) as k (id)
    on conflict do nothing`.execute(context.tx)
}

export const contactHandlers = implement(features.talkContacts.calls, {
  async getContactGroups(context) {
    const { accountId } = actorOf(context)
    const { rows } = await sql<{
      contactGroupId: number
      name: string
      members: { userId: number; name: string }[]
    }>`
      select g.id as "contactGroupId", g.name, (
        select coalesce(json_agg(json_build_object('userId', a.id, 'name', a.name) order by a.name_sort, a.id), '[]')
        from talk_contact c join account a on a.id = c.account_id where c.group_id = g.id) as members
      from talk_contact_group g where g.account_id = ${accountId} order by g.created_at, g.id`.execute(context.db)
    return { list: rows }
  },

  async saveContactGroup(context, { contactGroupId, name, userIdArray }) {
    const { tx, now } = context
    const id =
      contactGroupId === undefined
        ? (
            await tx
              .insertInto('talk_contact_group')
              .values({ account_id: actorOf(context).accountId, name: name.trim(), created_at: now })
              .returning('id')
              .executeTakeFirstOrThrow()
          ).id
        : await ownGroup(context, contactGroupId)
    if (contactGroupId !== undefined)
      await tx.updateTable('talk_contact_group').set({ name: name.trim() }).where('id', '=', id).execute()
    if (userIdArray !== undefined) {
      await tx.deleteFrom('talk_contact').where('group_id', '=', id).execute()
      await addPeople(context, id, userIdArray)
    }
    return { contactGroupId: id }
  },

  async deleteContactGroup(context, { contactGroupId }) {
    const id = await ownGroup(context, contactGroupId)
    await context.tx.deleteFrom('talk_contact_group').where('id', '=', id).execute()
    return {}
  },

  async addContactGroupAccounts(context, { contactGroupId, userIdArray }) {
    await addPeople(context, await ownGroup(context, contactGroupId), userIdArray)
    return {}
  },

  async deleteContactGroupAccounts(context, { contactGroupId, userIdArray }) {
    const id = await ownGroup(context, contactGroupId)
    await sql`delete from talk_contact where group_id = ${id} and account_id = any(${userIdArray})`.execute(context.tx)
    return {}
  },
})
