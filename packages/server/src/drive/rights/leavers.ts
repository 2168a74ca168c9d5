/*
 * Handles rights entries of users who leave. If the successor has an entry on the same item, the two are merged: the
 * rights of both, never longer than the successor's own expiry. Entries from the leaver's requests and denies of the
 * leaver are removed.
 */
import { Right } from '@cloudoc/domain'
import { sql } from 'kysely'
import { idsOf, type Leaver } from '../../core/leavers.ts'

interface Row {
  readonly id: number
  readonly name: string
  readonly library: string
  readonly kind: 'independent' | 'application'
  readonly rights: number
  readonly lasts: boolean
  readonly has: number | null
}

export const ownRights: Leaver = {
  kind: 'rights',
  columns: ['entry.subject_id'],
  async list(tx, { leaverId, successorId, now }) {
    const { rows } = await sql<Row>`
      select e.id, i.name, r.name as library, e.kind, e.rights, o.rights as has,
        e.expires_at is null or (o.expires_at is not null and e.expires_at >= o.expires_at) as lasts
      from entry e join item i on i.id = e.item_id join item r on r.id = i.library_id
      left join entry o on o.item_id = e.item_id and o.kind = 'independent' and o.subject_type = 'user'
        and o.subject_id = ${successorId}
      where e.subject_type = 'user' and e.subject_id = ${leaverId} and not i.purged
        and (e.expires_at is null or e.expires_at > ${now})
      order by r.name_sort, i.name_sort, e.id`.execute(tx)
    return {
      items: rows.map(({ id, name, library, kind, rights, lasts, has }) => {
        const item = { id, name, detail: library }
        if (kind === 'application') return { ...item, outcome: 'ends', why: 'applied' }
        if ((rights & Right.deny) !== 0) return { ...item, outcome: 'ends', why: 'denied' }
        if (has === null) return { ...item, outcome: 'passes' }
        if ((has & Right.deny) !== 0) return { ...item, outcome: 'ends', why: 'deniedToThem' }
        return lasts ? { ...item, outcome: 'merges' } : { ...item, outcome: 'ends', why: 'shorter' }
      }),
    }
  },
  async carryOut({ tx }, { successorId }, items) {
    await sql`
      update entry set subject_id = ${successorId} where id = any(${idsOf(items, 'passes')})`.execute(tx)
    await sql`
      update entry o set rights = o.rights | e.rights from entry e
      where e.id = any(${idsOf(items, 'merges')}) and o.item_id = e.item_id and o.kind = 'independent'
        and o.subject_type = 'user' and o.subject_id = ${successorId}`.execute(tx)
    await sql`
      delete from entry where id = any(${[...idsOf(items, 'merges'), ...idsOf(items, 'ends')]})`.execute(tx)
  },
}
