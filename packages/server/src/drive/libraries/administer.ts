/*
 * Administration of libraries (decisions E3): owner and managers, storage limits and retention, rights, open or closed.
 * Administering a library gives no access to its contents.
 *
 * The read-only and closed states are stored in the row of the root item, which is read with every item anyway: as the
 * bit of read-only folders and as the deletion mark of the recycle bin.
 */
import { features, type Parsed } from '@cloudoc/contract'
import { fail, ItemStatusBit, mayWithhold } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import type { LibraryKind } from '../../core/db/schema.ts'
import { searchWords } from '../../core/text-keys.ts'
import { lockWorkspaces } from '../quotas/index.ts'
import { assertEntries, type ItemLevel, loadLevels } from '../rights/index.ts'
import { itemEvent, nameColumns, type SpaceEvent } from '../tree/index.ts'
import { askToThin } from './retention.ts'

type Change = Omit<Parsed<typeof features.libraries.calls.changeLibrary>, 'libraryId'>
type Entry = NonNullable<Change['entries']>[number]

interface LibraryRow {
  readonly libraryId: number
  readonly name: string
  readonly kind: LibraryKind
  readonly groupId: number
  readonly groupName: string
  readonly ownerId: number
  readonly ownerName: string
  readonly used: number
  readonly quota: number
  readonly fileLimit: number
  readonly keptVersions: number | null
  readonly keptDays: number | null
  readonly binDays: number | null
  readonly readOnly: boolean
  readonly closeTime: number
  readonly createTime: number
  readonly managers: { userId: number; accountName: string }[]
  readonly entries: (Entry & { subjectName: string })[]
}

const readOnlyBit = sql.lit(ItemStatusBit.folderReadOnly)

/** The bytes stored in a library. */
export const usedOf = (id: RawBuilder<unknown>): RawBuilder<number> => sql`
  (coalesce((select bytes from library_total where library_id = ${id}), 0)
    + coalesce((select sum(bytes) from tally where library_id = ${id}), 0))::bigint`

const peopleOf = sql`
  coalesce((select json_agg(json_build_object('userId', a.id, 'accountName', a.name) order by a.id)
    from library_manager m join account a on a.id = m.account_id where m.library_id = l.id), '[]') as managers,
  coalesce((select json_agg(json_build_object('subjectType', e.subject_type, 'subjectId', e.subject_id,
      'rights', e.rights, 'subjectName', coalesce(
        case e.subject_type when 'user' then (select name from account where id = e.subject_id)
          when 'group' then (select name from org_group where id = e.subject_id)
          else (select name from role where id = e.subject_id) end, '')) order by e.id)
    from entry e where e.item_id = l.id and e.kind = 'independent'), '[]') as entries`

/** The SQL filter for the libraries in a list. */
function wanted(input: {
  kind?: LibraryKind | undefined
  state: 'all' | 'open' | 'readOnly' | 'closed' | 'nearly'
  keyword: string
  libraryId?: number | undefined
  percent: number
}): RawBuilder<unknown> {
  const { kind, state, keyword, libraryId, percent } = input
  const all: RawBuilder<unknown>[] = [sql`not i.purged`]
  if (libraryId !== undefined) all.push(sql`l.id = ${libraryId}`)
  else all.push(kind === undefined ? sql`l.kind <> 'personal'` : sql`l.kind = ${kind}`)
  if (state === 'open') all.push(sql`i.deleted_at is null and i.status & ${readOnlyBit} = 0`)
  if (state === 'readOnly') all.push(sql`i.deleted_at is null and i.status & ${readOnlyBit} <> 0`)
  if (state === 'closed') all.push(sql`i.deleted_at is not null`)
  if (state === 'nearly') all.push(sql`l.quota > 0 and ${usedOf(sql`l.id`)} * 100 >= l.quota * ${percent}::bigint`)
  for (const word of searchWords(keyword))
    all.push(
      sql`(i.search_text like ${`%${word}%`} or exists (
        select 1 from account o where o.id = l.owner_id and o.search_text like ${`%${word}%`}))`,
    )
  return sql.join(all, sql` and `)
}

const { getRootFolderSetting: _, ...administered } = features.libraries.calls

/** The call handlers of library administration. */
export function libraryAdministration() {
  return implement(administered, {
    async getLibraries(context, { from, rows: most, ...input }) {
      const { db } = context
      const { personal_space_percent: percent } = actorOf(context).settings
      const which = wanted({ ...input, percent })
      const [{ rows: list }, { rows: counts }, { rows: personal }] = await Promise.all([
        sql<LibraryRow>`
          select l.id as "libraryId", i.name, l.kind, coalesce(l.group_id, 0) as "groupId",
            coalesce(g.name, '') as "groupName", coalesce(l.owner_id, 0) as "ownerId", coalesce(o.name, '') as "ownerName",
            ${usedOf(sql`l.id`)} as used, l.quota, l.file_limit as "fileLimit", l.kept_versions as "keptVersions",
            l.kept_days as "keptDays", l.bin_days as "binDays", i.status & ${readOnlyBit} <> 0 as "readOnly",
            coalesce(i.deleted_at, 0) as "closeTime", i.created_at as "createTime", ${peopleOf}
          from library l join item i on i.id = l.id
          left join org_group g on g.id = l.group_id left join account o on o.id = l.owner_id
          where ${which}
          order by array_position(array['company', 'department', 'project', 'archive', 'personal'], l.kind),
            i.name_sort, l.id
          limit ${most} offset ${from}`.execute(db),
        sql<{ n: number }>`select count(*) as n from library l join item i on i.id = l.id where ${which}`.execute(db),
        sql<{ count: number; used: number }>`
          select count(*) as count, coalesce(sum(t.bytes), 0)::bigint as used
          from library l left join library_total t on t.library_id = l.id where l.kind = 'personal'`.execute(db),
      ])
      return { list, total: counts[0]?.n ?? 0, personal: personal[0] ?? { count: 0, used: 0 } }
    },

    async createLibrary(context, { name, kind, groupId, ...kept }) {
      const { tx, now } = context
      const actor = actorOf(context)
      await lockNames(tx)
      await lockWorkspaces(tx, actor)
      await assertFree(tx, name)
      if (groupId !== undefined) await assertThere(tx, 'org_group', [groupId])
      const columns = nameColumns(name, 2)
      const { rows } = await sql<{ id: number }>`
        insert into item (id, library_id, parent_id, f_type, name, name_key, name_sort, search_text,
          created_by, created_at, modified_by, modified_at)
        overriding system value
        select n, n, null, 2, ${columns.name}, ${columns.name_key}, ${columns.name_sort}, ${columns.search_text},
          ${actor.accountId}::bigint, ${now}::bigint, ${actor.accountId}::bigint, ${now}::bigint
        from nextval(pg_get_serial_sequence('item', 'id')) as n returning id`.execute(tx)
      const id = rows[0]?.id ?? fail('serverException')
      await tx
        .insertInto('library')
        .values({ id, kind, group_id: groupId ?? null })
        .execute()
      await saveLibrary(context, await rootOf(tx, id), kept)
      context.event(itemEvent(await rootOf(tx, id), 'add', actor.name))
      context.audit({ libraryId: id, name: columns.name, kind })
      return { libraryId: id }
    },

    async changeLibrary(context, { libraryId, ...change }) {
      const { tx } = context
      await lockNames(tx)
      const root = await rootOf(tx, libraryId)
      if (change.name !== undefined && change.name !== root.name) await assertFree(tx, change.name)
      if (change.closed === false && root.deleted_at !== null) await lockWorkspaces(tx, actorOf(context))
      await saveLibrary(context, root, change)
      const { entries, managerIds, ...said } = change
      context.audit({
        libraryId,
        ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
        ...(managerIds && { managers: managerIds.join(' ') }),
        ...(entries && { entries: JSON.stringify(entries) }),
      })
      return {}
    },
  })
}

/** Serializes calls that set library names. */
async function lockNames(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x6c6e616d})`.execute(tx)
}

/** Refuses a name that another shared library has. Closed libraries are not counted. */
async function assertFree(tx: Tx, name: string): Promise<void> {
  const { rows } = await sql`
    select 1 from library l join item i on i.id = l.id
    where l.kind <> 'personal' and i.deleted_at is null and i.name_key = ${nameColumns(name, 2).name_key} limit 1`.execute(
    tx,
  )
  if (rows.length > 0) fail('alreadyExists')
}

async function assertThere(tx: Tx, table: 'account' | 'org_group' | 'role', ids: readonly number[]): Promise<void> {
  const wantedIds = new Set(ids)
  if (wantedIds.size === 0) return
  const { rows } = await sql`select 1 from ${sql.table(table)} where id = any(${[...wantedIds]}) for share`.execute(tx)
  if (rows.length !== wantedIds.size) fail('notFound', table === 'account' ? 'people' : 'entries')
}

type Root = ItemRow & { readonly kind: LibraryKind; readonly owner_id: number | null }

async function rootOf(tx: Tx, libraryId: number): Promise<Root> {
  const { rows } = await sql<Root>`
    select i.*, l.kind, l.owner_id from item i join library l on l.id = i.id
    where i.id = ${libraryId} and not i.purged for no key update of i`.execute(tx)
  return rows[0] ?? fail('notFound')
}

/** Writes the changes to a library and publishes the events. */
async function saveLibrary(context: WriteContext, root: Root, change: Change): Promise<void> {
  const { tx, now } = context
  const actor = actorOf(context)
  const { id } = root
  const isPersonal = root.kind === 'personal'
  // The owner and existence of a personal library depend on its user.
  if (isPersonal && (change.ownerId !== undefined || change.closed !== undefined)) fail('noPermission')
  const ownerId = change.ownerId === undefined ? root.owner_id : change.ownerId || null
  await assertThere(tx, 'account', [...(change.managerIds ?? []), ...(change.ownerId ? [change.ownerId] : [])])

  const columns = {
    ...(change.ownerId !== undefined && { owner_id: ownerId }),
    ...(change.quota !== undefined && { quota: change.quota }),
    ...(change.fileLimit !== undefined && { file_limit: change.fileLimit }),
    ...(change.keptVersions !== undefined && { kept_versions: change.keptVersions }),
    ...(change.keptDays !== undefined && { kept_days: change.keptDays }),
    ...(change.binDays !== undefined && { bin_days: change.binDays }),
  }
  if (Object.keys(columns).length > 0) await tx.updateTable('library').set(columns).where('id', '=', id).execute()
  if (change.keptVersions !== undefined || change.keptDays !== undefined) await askToThin(context, id)
  const people = await setPeople(tx, id, { before: root.owner_id, after: ownerId }, change.managerIds)
  // Only these users' set of libraries has changed.
  if (people.length > 0) context.event({ kind: 'refetch', accountIds: people })

  const isRenamed = change.name !== undefined && change.name !== root.name
  const row = isRenamed ? { ...root, name: change.name ?? root.name } : root
  if (isRenamed)
    await tx
      .updateTable('item')
      .set({ ...nameColumns(row.name, 2), modified_by: actor.accountId, modified_at: now, modifier_outsider: null })
      .where('id', '=', id)
      .execute()
  if (isRenamed) context.event(itemEvent(row, 'rename', actor.name))

  const before = (await loadLevels(tx, [id])).get(id)?.at(-1) ?? fail('notFound')
  if (change.entries !== undefined) await setEntries(context, id, change.entries, before)
  const status = (root.status & ~ItemStatusBit.folderReadOnly) | (change.readOnly ? ItemStatusBit.folderReadOnly : 0)
  const isOtherwise = change.readOnly !== undefined && status !== root.status
  if (isOtherwise) await tx.updateTable('item').set({ status }).where('id', '=', id).execute()
  // Rights and the read-only state apply to all items in the library, so clients that display any of them reload.
  if (change.entries !== undefined || isOtherwise || change.quota !== undefined) {
    const { inherit, restricted, entries } = before
    context.event(itemEvent(row, 'rights', actor.name, { before: { inherit, restricted, entries } }))
  }
  if (change.quota !== undefined && isPersonal && root.owner_id !== null) {
    const changed: SpaceEvent = { kind: 'space.changed', accountIds: [root.owner_id] }
    context.event(changed)
  }

  if (change.closed === undefined || change.closed === (root.deleted_at !== null)) return
  if (!change.closed) await assertFree(tx, row.name)
  await tx
    .updateTable('item')
    .set(change.closed ? { deleted_at: now, deleted_by: actor.accountId } : { deleted_at: null, deleted_by: null })
    .where('id', '=', id)
    .execute()
  context.event(itemEvent(row, change.closed ? 'delete' : 'restore', actor.name))
}

/** Sets the managers of a library. Returns the users affected by the change of owner and managers. */
async function setPeople(
  tx: Tx,
  id: number,
  owner: { readonly before: number | null; readonly after: number | null },
  managerIds: readonly number[] | undefined,
): Promise<number[]> {
  const concerned = new Set<number>()
  if (owner.before !== owner.after) for (const one of [owner.before, owner.after]) if (one !== null) concerned.add(one)
  if (managerIds === undefined) return [...concerned]
  const gone = await tx
    .deleteFrom('library_manager')
    .where('library_id', '=', id)
    .where('account_id', '<>', sql<number>`all(${[...managerIds]}::bigint[])`)
    .returning('account_id')
    .execute()
  const { rows: added } = await sql<{ account_id: number }>`
    insert into library_manager (library_id, account_id) select ${id}, a from unnest(${[...managerIds]}::bigint[]) a
    on conflict do nothing returning account_id`.execute(tx)
  for (const { account_id: one } of [...gone, ...added]) concerned.add(one)
  return [...concerned]
}

async function setEntries(
  context: WriteContext,
  id: number,
  entries: readonly Entry[],
  before: ItemLevel,
): Promise<void> {
  const { tx, now } = context
  await assertEntries(tx, actorOf(context), entries, [before], now)
  await tx.deleteFrom('entry').where('item_id', '=', id).where('kind', '=', 'independent').execute()
  const author = actorOf(context).accountId
  const rows = entries.map(({ subjectType, subjectId, rights }) => ({
    item_id: id,
    subject_type: subjectType,
    subject_id: subjectId,
    rights,
    kind: 'independent' as const,
    expires_at: null,
    created_by: author,
    created_at: now,
  }))
  if (rows.length > 0) await tx.insertInto('entry').values(rows).execute()
  const applied = before.entries.some(({ kind }) => kind === 'application')
  await tx
    .updateTable('item')
    .set({
      own_rules: !before.inherit || before.restricted || applied || rows.length > 0,
      withholds: mayWithhold([...before.entries.filter(({ kind }) => kind === 'application'), ...rows]),
    })
    .where('id', '=', id)
    .execute()
}
