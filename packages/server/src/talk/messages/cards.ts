// The cards of shared items: what they show to the reader, and who of the members can open them.
import type { features } from '@cloudoc/contract'
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { filterByRight } from '../../drive/rights/index.ts'

/** Members of whom the sender of a card is told whether they can open it. */
const mostReaders = 100

/** The handlers of cards. */
export function cardHandlers({
  meet,
  settings,
}: Pick<Services, 'meet' | 'settings'>): Pick<
  Handlers<typeof features.talkMessages.calls>,
  'imCards' | 'imCardReaders'
> {
  return {
    async imCards(context, { items }) {
      const actor = actorOf(context)
      const met = await meet(
        context.db,
        items.map((item) => ({ actor, item })),
      )
      return {
        list: items.flatMap(({ fType, fId }, n) => {
          const access = met[n]
          // What the caller may not see is left out, as if there were none.
          if (access === undefined || denial(gates.see, access.facts) !== undefined) return []
          const { row, path, facts } = access
          const { name, size, version, modified_at: modifyTime } = row
          const way = path.filter(({ visible }) => visible).map((folder) => folder.name)
          const isInside = path.at(-1)?.visible === true
          return {
            ...{ fType, fId, name, size, version, modifyTime, rights: facts.rights, path: way.join('/') },
            parentFolderId: isInside ? (row.parent_id ?? 0) : 0,
          }
        }),
      }
    },

    async imCardReaders(context, { conversationId, number }) {
      const { db } = context
      const actor = actorOf(context)
      const { rows } = await sql<{ fType: 1 | 2; fId: number }>`
        select (data->>'fType')::int as "fType", (data->>'fId')::bigint as "fId" from talk_message
        where conversation_id = ${conversationId} and number = ${number} and sender_id = ${actor.accountId}
          and type = 'share' and recalled_at is null`.execute(db)
      const [item] = rows
      const access = item && (await meet(db, [{ actor, item }]))[0]
      if (access === undefined) return fail('notFound')
      const { rows: members } = await sql<{ userId: number; name: string }>`
        select a.id as "userId", a.name from talk_member m join account a on a.id = m.account_id
        where m.conversation_id = ${conversationId} and m.is_member and a.id <> ${actor.accountId}
          and a.state = 'normal' order by a.name_sort, a.id limit ${mostReaders + 1}`.execute(db)
      const asked = members.slice(0, mostReaders)
      const able = await filterByRight(
        db,
        access,
        asked.map(({ userId }) => userId),
        { settings, now: context.now, right: 'preview' },
      )
      const ids = new Set(able.map(({ accountId }) => accountId))
      return {
        without: asked.filter(({ userId }) => !ids.has(userId)),
        more: members.length > mostReaders,
        mayGrant: denial(gates.grant, access.facts) === undefined,
      }
    },
  }
}
