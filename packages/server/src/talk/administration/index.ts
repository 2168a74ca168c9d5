// Rules about who may write to whom (X74), and the groups of the company.
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import { foldTyped } from '../../core/folding.ts'
import type { Services } from '../../core/services.ts'
import { likeAnywhere } from '../../core/text-keys.ts'
import { dissolve } from '../conversations/index.ts'
import { exportHandlers } from './exports.ts'

type Side = { readonly type: 'all' | 'user' | 'group' | 'role'; readonly id: number }

async function assertSide(tx: Tx, { type, id }: Side): Promise<void> {
  if (type === 'all') return id === 0 ? undefined : fail('badRequest')
  const table = { user: 'account', group: 'org_group', role: 'role' }[type]
  const { rows } = await sql`select 1 from ${sql.table(table)} where id = ${id}`.execute(tx)
  if (rows.length === 0) return fail('notFound')
}

const nameOf = (side: 'from' | 'to') => sql`case ${sql.ref(`r.${side}_type`)}
  when 'user' then (select name from account where id = ${sql.ref(`r.${side}_id`)})
  when 'group' then (select name from org_group where id = ${sql.ref(`r.${side}_id`)})
  when 'role' then (select name from role where id = ${sql.ref(`r.${side}_id`)}) end`

export const talkAdministrationHandlers = (services: Pick<Services, 'secrets'>) =>
  implement(features.talkAdministration.calls, {
    ...exportHandlers(services),

    async getTalkRules({ db }) {
      const { rows } = await sql<{
        ruleId: number
        fromType: Side['type']
        fromId: number
        toType: Side['type']
        toId: number
        bothWays: boolean
        allows: boolean
        fromName: string
        toName: string
      }>`
      select r.id as "ruleId", r.from_type as "fromType", r.from_id as "fromId", r.to_type as "toType",
        r.to_id as "toId", r.both_ways as "bothWays", r.allows, coalesce(${nameOf('from')}, '') as "fromName",
        coalesce(${nameOf('to')}, '') as "toName"
      from talk_rule r order by r.allows, r.id`.execute(db)
      return { list: rows }
    },

    async addTalkRule(context, { fromType, fromId, toType, toId, bothWays, allows }) {
      const { tx, now } = context
      await assertSide(tx, { type: fromType, id: fromId })
      await assertSide(tx, { type: toType, id: toId })
      const { id } = await tx
        .insertInto('talk_rule')
        .values({
          from_type: fromType,
          from_id: fromId,
          to_type: toType,
          to_id: toId,
          both_ways: bothWays,
          allows,
          created_by: actorOf(context).accountId,
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      context.audit({ ruleId: id, from: `${fromType} ${fromId}`, to: `${toType} ${toId}`, agrees: allows })
      return { ruleId: id }
    },

    async removeTalkRule({ tx }, { ruleId }) {
      const gone = await tx.deleteFrom('talk_rule').where('id', '=', ruleId).executeTakeFirst()
      return gone.numDeletedRows === 0n ? fail('notFound') : {}
    },

    async getTalkGroups({ db }, { keyword, from, rows: most }) {
      const word = foldTyped(keyword)
      const { rows } = await sql<{
        conversationId: number
        name: string
        owner: string
        members: number
        messages: number
        time: number
        dissolved: boolean
        libraryId: number
      }>`
      select c.id as "conversationId", coalesce(i.name, c.name) as name, coalesce(a.name, '') as owner,
        (select count(*)::int from talk_member m where m.conversation_id = c.id and m.is_member) as members,
        (select count(*)::int from talk_message m where m.conversation_id = c.id and m.type <> 'notify') as messages,
        c.last_at as time, c.dissolved_at is not null as dissolved, coalesce(c.library_id, 0) as "libraryId"
      from talk_conversation c left join account a on a.id = c.founder_id left join item i on i.id = c.library_id
      where c.kind = 'group' and ${word === '' ? sql`true` : sql`c.search_text like ${likeAnywhere(word)}`}
      order by c.last_at desc, c.id desc limit ${most + 1} offset ${from}`.execute(db)
      return { list: rows.slice(0, most), more: rows.length > most }
    },

    async endTalkGroup(context, { conversationId }) {
      const { rows } = await sql<{ dissolved: boolean }>`
      select dissolved_at is not null as dissolved from talk_conversation
      where id = ${conversationId} and kind = 'group' for no key update`.execute(context.tx)
      const [group] = rows
      if (group === undefined) return fail('notFound')
      if (group.dissolved) return fail('alreadyHandled')
      await dissolve(context, conversationId)
      return {}
    },
  })
