/*
 * Libraries of users who leave. The personal library is transferred to the successor unchanged, with its rights,
 * versions and recycle bin: nothing is copied or moved, and other users' work in it continues. The leaver gets an empty
 * library in case they return.
 */
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import { actorOf } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import { idsOf, type Leaver } from '../../core/leavers.ts'
import { lockWorkspaces } from '../quotas/index.ts'
import { itemEvent, nameColumns } from '../tree/index.ts'
import { createPersonalLibraries } from './index.ts'

/** Maximum number of files named that are too secret for the successor; there may be more. */
const mostNamed = 100
/** Maximum number of top-level items named. */
const maxListed = 1000

const personalOf = async (tx: Tx, accountId: number): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    select id from library where kind = 'personal' and owner_id = ${accountId}`.execute(tx)
  return rows[0]?.id ?? 0
}

/** Returns a name that no shared library has. */
async function freeName(tx: Tx, wanted: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted} (${n})`
    const { rows } = await sql`
      select 1 from library l join item i on i.id = l.id
      where l.kind <> 'personal' and i.deleted_at is null and i.name_key = ${nameColumns(name, 2).name_key} limit 1`.execute(
      tx,
    )
    if (rows.length === 0) return name
  }
}

export const ownFiles: Leaver = {
  kind: 'files',
  columns: ['library.owner_id'],
  async list(tx, { leaverId, successorId, now }) {
    const id = await personalOf(tx, leaverId)
    const inIt = sql`i.library_id = ${id} and i.id <> ${id} and i.deleted_at is null and not i.purged`
    const { rows: sums } = await sql<{ count: number; bytes: number }>`
      select (select count(*) from item i where ${inIt}) as count,
        (coalesce((select bytes from library_total where library_id = ${id}), 0)
          + coalesce((select sum(bytes) from tally where library_id = ${id}), 0))::bigint as bytes`.execute(tx)
    const { count, bytes } = sums[0] ?? { count: 0, bytes: 0 }
    if (count === 0 && bytes === 0) return { items: [] }
    const { rows: top } = await sql<{ id: number; name: string }>`
      select i.id, i.name from item i where ${inIt} and i.parent_id = ${id}
      order by i.f_type desc, i.name_sort, i.id limit ${maxListed}`.execute(tx)
    const { rows: secret } = await sql<{ id: number; name: string }>`
      select i.id, i.name from item i
      where ${inIt} and i.secret_level > (select secret_level from account where id = ${successorId})
        and (i.secret_until is null or i.secret_until > ${now})
      order by i.name_sort, i.id limit ${mostNamed}`.execute(tx)
    return {
      count,
      bytes,
      items: [
        ...top.map((row) => ({ ...row, outcome: 'passes' as const })),
        // These files are in the transferred library. Users with the required secret level can open them.
        ...secret.map((row) => ({ ...row, outcome: 'waits' as const, why: 'level' })),
      ],
    }
  },
  async carryOut(context, { leaverId, successorId, now }, items) {
    const { tx } = context
    if (items.length === 0) return
    const actor = actorOf(context)
    await lockWorkspaces(tx, actor)
    const id = await personalOf(tx, leaverId)
    const { rows } = await sql<ItemRow & { owner: string }>`
      select i.*, a.name as owner from item i join account a on a.id = ${leaverId} where i.id = ${id}
      for no key update of i`.execute(tx)
    const root = rows[0] ?? fail('notFound')
    const columns = nameColumns(await freeName(tx, `${root.owner} 移交`), 2)
    await sql`update library set kind = 'project', owner_id = ${successorId} where id = ${id}`.execute(tx)
    await tx
      .updateTable('item')
      .set({ ...columns, modified_by: actor.accountId, modified_at: now, modifier_outsider: null })
      .where('id', '=', id)
      .execute()
    context.event(itemEvent(root, 'rename', actor.name, { name: columns.name }))
    await createPersonalLibraries(tx, [{ accountId: leaverId, name: root.owner, now }])
  },
}

interface Shared {
  readonly id: number
  readonly name: string
  readonly owns: boolean
  readonly manages: boolean
  readonly has: boolean
}

export const sharedLibraries: Leaver = {
  kind: 'libraries',
  columns: ['library.owner_id', 'library_manager.account_id'],
  async list(tx, { leaverId, successorId }) {
    const { rows } = await sql<Shared>`
      select i.id, i.name, l.owner_id is not distinct from ${leaverId}::bigint as owns,
        exists (select 1 from library_manager m where m.library_id = l.id and m.account_id = ${leaverId}) as manages,
        exists (select 1 from library_manager m where m.library_id = l.id and m.account_id = ${successorId}) as has
      from library l join item i on i.id = l.id
      where l.kind <> 'personal' and not i.purged and (l.owner_id = ${leaverId}
        or l.id in (select library_id from library_manager where account_id = ${leaverId}))
      order by i.name_sort, i.id`.execute(tx)
    return {
      items: rows.map(({ id, name, owns, has }) => ({ id, name, outcome: !owns && has ? 'merges' : 'passes' })),
    }
  },
  async carryOut({ tx }, { leaverId, successorId }, items) {
    const ids = [...idsOf(items, 'passes'), ...idsOf(items, 'merges')]
    await sql`update library set owner_id = ${successorId} where owner_id = ${leaverId} and id = any(${ids})`.execute(
      tx,
    )
    await sql`
      with gone as (
        delete from library_manager where account_id = ${leaverId} and library_id = any(${ids}) returning library_id
      )
      insert into library_manager (library_id, account_id) select library_id, ${successorId}::bigint from gone
      on conflict do nothing`.execute(tx)
  },
}
