// Loads objects of mail for their gates: each belongs to one person and does not exist for anybody else.
import type { MailFacts, ObjectKind } from '@cloudoc/contract'
import { type RawBuilder, sql } from 'kysely'
import type { ObjectAccess } from '../../core/access.ts'
import type { Actor } from '../../core/actor.ts'
import type { Objects } from '../../core/loaders.ts'

/** What every gate of mail asks about its caller. */
export function mailFacts(actor: Actor): MailFacts {
  const isOwn = actor.kind === 'account'
  return {
    isOwn,
    isGuest: !isOwn || actor.isGuest,
    isOn: isOwn && actor.settings.setting.email,
  }
}

/** The loader of one kind: `from` is its table, `columns` what its handlers read. */
export function ownObjects<R extends { readonly id: number }, F extends MailFacts>(
  kind: ObjectKind<F>,
  from: RawBuilder<unknown>,
  columns: RawBuilder<unknown>,
  factsOf: (row: R, base: MailFacts) => F,
): Objects<ObjectAccess<F> & { readonly row: R }> {
  return {
    kind,
    async load(db, actor, ids) {
      if (actor.kind !== 'account') return new Map()
      const { rows } = await sql<R>`
        select ${columns} from ${from} b
        where b.id = any(${ids.map(Number)}::bigint[]) and b.account_id = ${actor.accountId}`.execute(db)
      return new Map(rows.map((row) => [row.id, { row, facts: factsOf(row, mailFacts(actor)) }]))
    },
    async lock(tx, id, lock) {
      const how = lock === 'hold' ? sql`for key share` : sql`for no key update`
      await sql`select 1 from ${from} where id = ${Number(id)} ${how}`.execute(tx)
    },
  }
}
