/*
 * External links when a folder returns to a moment: terms that changed are put back, links made since are cancelled,
 * and links cancelled since are in force again as far as the rules of today permit. A link about which an approval
 * decides stays as it is: its approval was given for the terms that it has.
 */
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import type { LinkPart, LinkState, LinkStep } from '../../drive/rollback/index.ts'
import { itemEvent } from '../../drive/tree/index.ts'
import { showOnItem } from './link-state.ts'

const columns = [
  'rights',
  'password',
  'starts_at',
  'ends_at',
  'visit_limit',
  'download_limit',
  'people',
  'mails',
  'paused_at',
  'cancelled_at',
] as const

interface Current {
  readonly id: number
  readonly item_id: number
  readonly f_type: 1 | 2
  readonly name: string
  readonly approval: string | null
  readonly state: LinkState
}

async function currentOf(db: Db, ids: readonly number[]): Promise<Map<number, Current>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Current>`
    select l.id, l.item_id, l.approval, i.f_type, i.name, to_jsonb(l) as state
    from external_link l join item i on i.id = l.item_id where l.id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, { ...row, state: termsOf(row.state) }]))
}

const termsOf = (row: LinkState): LinkState => Object.fromEntries(columns.map((name) => [name, row[name] ?? null]))
const isSame = (a: LinkState, b: LinkState): boolean => JSON.stringify(termsOf(a)) === JSON.stringify(termsOf(b))

/** How links take part in a return. */
export const linkRollback: LinkPart = {
  async plan(db, past, now) {
    const current = await currentOf(
      db,
      past.map(({ linkId }) => linkId),
    )
    return past.flatMap(({ linkId, before }): LinkStep[] => {
      const link = current.get(linkId)
      if (link === undefined) return []
      const { state } = link
      const after = before === null ? { ...state, cancelled_at: state['cancelled_at'] ?? now } : termsOf(before)
      if (isSame(after, state)) return []
      const isDecided = link.approval !== null || (before?.['approval'] ?? null) !== null
      const skipped = isDecided && before !== null ? 'protected' : ''
      return [stepOf(link, state, after, skipped)]
    })
  },

  async undo(db, done) {
    const current = await currentOf(
      db,
      done.map(({ linkId }) => linkId),
    )
    return done.flatMap((step): LinkStep[] => {
      const link = current.get(step.linkId)
      if (link === undefined) return []
      return [stepOf(link, link.state, step.before, isSame(link.state, step.after) ? '' : 'changedSince')]
    })
  },

  async apply(tx, steps, { name: operator, now }) {
    const rows = steps.map(({ linkId, after }) => ({ id: linkId, ...after }))
    await sql`
      update external_link l set rights = w.rights, password = w.password, starts_at = w.starts_at, ends_at = w.ends_at,
        visit_limit = w.visit_limit, download_limit = w.download_limit, people = w.people, mails = w.mails,
        paused_at = w.paused_at, cancelled_at = w.cancelled_at, modified_at = ${now}::bigint,
        -- Whoever is inside passes the link again.
        pass_version = l.pass_version + 1
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w (id bigint, rights int, password text, starts_at bigint,
        ends_at bigint, visit_limit int, download_limit int, people bigint[], mails text[], paused_at bigint,
        cancelled_at bigint)
      where l.id = w.id`.execute(tx)
    const items = [...new Set(steps.map(({ itemId }) => itemId))]
    for (const id of items) await showOnItem(tx, id, now)
    const { rows: shown } = await sql<Parameters<typeof itemEvent>[0] & { deleted_at: number | null }>`
      select id, library_id, parent_id, f_type, name, version, size, created_by, link_to, deleted_at
      from item where id = any(${items}::bigint[])`.execute(tx)
    return shown.filter((row) => row.deleted_at === null).map((row) => itemEvent(row, 'edit', operator))
  },
}

const stepOf = (link: Current, before: LinkState, after: LinkState, skipped: LinkStep['skipped']): LinkStep => ({
  ...{ linkId: link.id, itemId: link.item_id, fType: link.f_type, itemName: link.name, before, after, skipped },
})
