/*
 * Carries out the steps of a return in one transaction, so that all of it becomes visible at once or nothing does. A
 * bounded number of statements per two thousand items changes the rows; the events and audit rows are those of the same
 * changes made by hand, so lists, logs, search and followers learn of them.
 */
import {
  type CodeName,
  fail,
  infectedDocument,
  LogBit,
  mayWithhold,
  numberedName,
  type OperateTypeName,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account, Actor } from '../../core/actor.ts'
import type { Tx } from '../../core/db/database.ts'
import type { Change, LevelBefore } from '../../core/events.ts'
import { itemEvent, maxDepth, nameColumns } from '../tree/index.ts'
import type { Entry, State, Step } from './plan.ts'

const chunkSize = 2000

export interface Act {
  readonly tx: Tx
  readonly now: number
  readonly account: Pick<Account, 'accountId' | 'name'>
  readonly actor: Actor
  readonly call: 'startRollback' | 'undoRollback'
  readonly rollbackId: number
  readonly folderId: number
  readonly libraryId: number
  readonly pause: (point: string) => Promise<void>
  readonly progress: (thousandths: number) => void
}

function* chunks<T>(list: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from < list.length; from += chunkSize) yield list.slice(from, from + chunkSize)
}

const movesIn = ({ after }: Step): boolean =>
  after.name !== undefined || after.parentId !== undefined || after.deleted !== undefined
const nameAfter = ({ row, after }: Step): string => after.name ?? row.name
const parentAfter = ({ row, after }: Step): number => after.parentId ?? row.parent_id ?? 0
const deletedAfter = ({ row, after }: Step): boolean => after.deleted ?? row.deleted
const slotOf = (parentId: number, key: string): string => `${parentId}/${key}`
const keyOf = (name: string, fType: 1 | 2): string => nameColumns(name, fType).name_key

/** Changes the items. Returns the steps as they were carried out: a name that is taken is numbered. */
export async function apply(act: Act, planned: readonly Step[]): Promise<Step[]> {
  const changing = planned.filter(({ kinds }) => kinds.length > 0)
  const steps = await place(act, changing)
  await act.pause('rollback placed')
  act.progress(500)
  await putContentsBack(act, steps)
  act.progress(650)
  await putRightsBack(act, steps)
  await checkTree(act, steps)
  act.progress(750)
  return steps
}

/**
 * The steps with the names that items end with: a name that is taken is numbered. `vacated` are the items of the same
 * act that leave names to others or exchange them.
 */
export async function withFreeNames(
  tx: Tx,
  changing: readonly Step[],
): Promise<{ readonly steps: Step[]; readonly vacated: ReadonlySet<number> }> {
  const own = new Map(changing.filter(movesIn).map((step) => [step.row.id, step]))
  const arriving = [...own.values()].filter((step) => !deletedAfter(step))
  const taken = await occupants(tx, arriving)
  const vacated = new Set<number>()
  for (const [slot, id] of taken) {
    if (!own.has(id)) continue
    vacated.add(id)
    taken.delete(slot)
  }
  const renamed = new Map<number, Step>()
  for (const step of arriving) {
    const { row } = step
    const name = await freeName(tx, taken, vacated, step)
    taken.set(slotOf(parentAfter(step), keyOf(name, row.f_type)), row.id)
    if (name === nameAfter(step)) continue
    const after: State = { ...step.after, name }
    const kinds = step.kinds.includes('rename') ? step.kinds : [...step.kinds, 'rename' as const]
    renamed.set(row.id, { ...step, before: { ...step.before, name: row.name }, after, kinds })
  }
  return { steps: changing.map((step) => renamed.get(step.row.id) ?? step), vacated }
}

/** Names, places and deletions. */
async function place(act: Act, changing: readonly Step[]): Promise<Step[]> {
  const { tx, now, account } = act
  const { steps, vacated } = await withFreeNames(tx, changing)
  // They must be free before the unique index looks at them.
  for (const some of chunks([...vacated]))
    await sql`update item set name_key = chr(1) || id where id = any(${[...some]}::bigint[])`.execute(tx)
  const moving = steps.filter(movesIn)
  let done = 0
  for (const some of chunks(moving)) {
    const rows = some.map((step) => ({
      id: step.row.id,
      parent_id: parentAfter(step),
      ...nameColumns(nameAfter(step), step.row.f_type),
      deleted: deletedAfter(step),
    }))
    await sql`
      update item i set parent_id = w.parent_id, name = w.name, name_key = w.name_key, name_sort = w.name_sort,
        search_text = w.search_text, ext = case when i.f_type = 1 then w.ext else i.ext end,
        deleted_at = case when not w.deleted then null when i.deleted_at is null then ${now}::bigint else i.deleted_at end,
        deleted_by = case when not w.deleted then null when i.deleted_at is null then ${account.accountId}::bigint
          else i.deleted_by end
      from json_to_recordset(${JSON.stringify(rows)}) as w (id bigint, parent_id bigint, name text, name_key text,
        name_sort text, search_text text, ext text, deleted boolean)
      where i.id = w.id`.execute(tx)
    done += some.length
    act.progress(Math.floor((done * 500) / moving.length))
  }
  const children = new Map<number, number>()
  const add = (folderId: number, by: number): void => void children.set(folderId, (children.get(folderId) ?? 0) + by)
  for (const step of moving) {
    if (!step.row.deleted) add(step.row.parent_id ?? 0, -1)
    if (!deletedAfter(step)) add(parentAfter(step), 1)
  }
  const sums = [...children].filter(([, by]) => by !== 0).map(([folder_id, by]) => ({ folder_id, children: by }))
  await sql`
    insert into tally (library_id, account_id, folder_id, bytes, children)
    select ${act.libraryId}::bigint, ${account.accountId}::bigint, folder_id, 0, children
    from json_to_recordset(${JSON.stringify(sums)}) as w (folder_id bigint, children bigint)`.execute(tx)
  return steps
}

/** The existing items at the places to which others return. */
async function occupants(tx: Tx, arriving: readonly Step[]): Promise<Map<string, number>> {
  const taken = new Map<string, number>()
  for (const some of chunks(arriving)) {
    const { rows } = await sql<{ id: number; parent_id: number; name_key: string }>`
      select i.id, i.parent_id, i.name_key
      from unnest(${some.map(parentAfter)}::bigint[],
        ${some.map((step) => keyOf(nameAfter(step), step.row.f_type))}::text[]) as w (parent_id, name_key)
      join item i on i.parent_id = w.parent_id and i.name_key = w.name_key collate "C" and i.deleted_at is null`.execute(
      tx,
    )
    for (const row of rows) taken.set(slotOf(row.parent_id, row.name_key), row.id)
  }
  return taken
}

/** The name of the moment, or the first numbered one that is free. */
async function freeName(
  tx: Tx,
  taken: ReadonlyMap<string, number>,
  vacated: ReadonlySet<number>,
  step: Step,
): Promise<string> {
  const { row } = step
  const name = nameAfter(step)
  const parentId = parentAfter(step)
  if (!taken.has(slotOf(parentId, keyOf(name, row.f_type)))) return name
  for (let n = 2; ; n += 1) {
    const candidate = numberedName(name, n, { isFolder: row.f_type === 2 })
    const key = keyOf(candidate, row.f_type)
    if (taken.has(slotOf(parentId, key))) continue
    const { rows } = await sql<{ id: number }>`
      select id from item where parent_id = ${parentId} and name_key = ${key} and deleted_at is null`.execute(tx)
    if (rows.every(({ id }) => id === row.id || vacated.has(id))) return candidate
  }
}

/** Adds the old contents as new versions, so nothing is lost. */
async function putContentsBack({ tx, now, account, libraryId }: Act, steps: readonly Step[]): Promise<void> {
  for (const some of chunks(steps.filter(({ after }) => after.version !== undefined))) {
    const rows = some.map(({ row, after }) => ({ id: row.id, number: after.version }))
    await sql`
      with w as (select * from json_to_recordset(${JSON.stringify(rows)}) as w (id bigint, number int)),
      changed as (
        update item i set version = i.version + 1, size = v.size, modified_by = ${account.accountId}::bigint,
          modified_at = ${now}::bigint, modifier_outsider = null, disk_time = v.disk_time,
          doc_flag = i.doc_flag & ~${infectedDocument}::int, uninspected_by = null
        from w join version v on v.item_id = w.id and v.number = w.number
        where i.id = w.id
        returning i.id, i.version, v.number, v.blob_id, v.size, v.disk_time
      ), added as (
        insert into version (item_id, number, blob_id, size, created_by, created_at, disk_time, restored_from)
        select id, version, blob_id, size, ${account.accountId}::bigint, ${now}::bigint, disk_time, number from changed
      )
      insert into tally (library_id, account_id, folder_id, bytes, children)
      select ${libraryId}::bigint, ${account.accountId}::bigint, null, coalesce(sum(size), 0), 0 from changed`.execute(
      tx,
    )
  }
}

async function putRightsBack({ tx, now, account }: Act, steps: readonly Step[]): Promise<void> {
  for (const some of chunks(steps.filter(({ after }) => after.entries !== undefined))) {
    const ids = some.map(({ row }) => row.id)
    await sql`delete from entry where item_id = any(${ids}::bigint[]) and kind = 'independent'`.execute(tx)
    const entries = some.flatMap(({ row, after }) =>
      (after.entries ?? []).map((entry) => ({
        item_id: row.id,
        subject_type: entry.subjectType,
        subject_id: entry.subjectId,
        rights: entry.rights,
        expires_at: entry.expiresAt,
        created_by: entry.createdBy,
        created_at: entry.createdAt,
      })),
    )
    await sql`
      insert into entry (item_id, subject_type, subject_id, rights, kind, expires_at, created_by, created_at)
      select item_id, subject_type, subject_id, rights, 'independent', expires_at, created_by, created_at
      from json_to_recordset(${JSON.stringify(entries)}) as e (item_id bigint, subject_type text, subject_id bigint,
        rights int, expires_at bigint, created_by bigint, created_at bigint)`.execute(tx)
    const levels = some.map(({ row, after }) => ({
      id: row.id,
      inherit: after.inherit,
      restricted: after.restricted,
      withholds: mayWithhold(plainEntries(after.entries ?? [])),
    }))
    await sql`
      update item i set inherit = w.inherit, restricted = w.restricted, withholds = w.withholds,
        own_rules = not w.inherit or w.restricted or exists (select 1 from entry e where e.item_id = i.id)
      from json_to_recordset(${JSON.stringify(levels)}) as w (id bigint, inherit boolean, restricted boolean,
        withholds boolean)
      where i.id = w.id`.execute(tx)
    const changes = some.map(({ row, before, after }) => ({
      item_id: row.id,
      before: levelOf(before),
      after: levelOf(after),
    }))
    await sql`
      insert into rights_change (item_id, account_id, created_at, what, before, after)
      select item_id, ${account.accountId}::bigint, ${now}::bigint, 'set', before, after
      from json_to_recordset(${JSON.stringify(changes)}) as c (item_id bigint, before jsonb, after jsonb)`.execute(tx)
  }
}

const plainEntries = (entries: readonly Entry[]): LevelBefore['entries'] =>
  entries.map(({ subjectType, subjectId, rights, expiresAt }) => ({
    subjectType,
    subjectId,
    rights,
    kind: 'independent',
    expireTime: expiresAt,
  }))

const levelOf = ({ inherit = true, restricted = false, entries = [] }: State): LevelBefore => ({
  inherit,
  restricted,
  entries: plainEntries(entries),
})

/** Refuses a result in which a folder is not reached from its library, or lies too deep. */
async function checkTree({ tx, libraryId }: Act, steps: readonly Step[]): Promise<void> {
  const moved = steps.filter(({ row, after }) => row.f_type === 2 && after.parentId !== undefined)
  if (moved.length === 0) return
  const { rows } = await sql<{ lost: number }>`
    with recursive up as (
      select id as start, id, parent_id, 0 as depth from item where id = any(${moved.map(({ row }) => row.id)}::bigint[])
      union all
      select up.start, p.id, p.parent_id, up.depth + 1 from up join item p on p.id = up.parent_id
      where up.depth <= ${maxDepth}
    )
    select count(*)::int as lost from (
      select start from up group by start having not bool_or(id = ${libraryId}::bigint)) astray`.execute(tx)
  if ((rows[0]?.lost ?? 0) > 0) fail('tooDeep' satisfies CodeName, `${maxDepth}`)
}

/** The changes for events and audit: one for each change of each item, as if each had been made by hand. */
export function changesOf(act: Act, steps: readonly Step[]): Change[] {
  const { now, actor, account, call, rollbackId } = act
  const changes: Change[] = []
  for (const step of steps) {
    const { row, before, after } = step
    const name = nameAfter(step)
    const parentId = parentAfter(step)
    const version = after.version === undefined ? row.version : row.version + 1
    const size = after.version === undefined ? row.size : (row.old_size ?? row.size)
    const add = (
      operate: OperateTypeName,
      log: number,
      changed: Parameters<typeof itemEvent>[3] = {},
      detail: Change['detail'] = {},
    ): void => {
      const event = itemEvent(row, operate, account.name, { name, parentId, version, size, ...changed })
      changes.push({
        ...{ events: [event], changed: [], actor, now, call, address: '', items: [row.id] },
        detail: { log, rollbackId, ...detail },
      })
    }
    if (after.deleted === true) {
      add('delete', LogBit.delete)
      continue
    }
    if (after.deleted === false) add('restore', LogBit.restore, {}, { name })
    else if (after.parentId !== undefined)
      add('move', LogBit.cut, row.parent_id === null ? {} : { beforeParentId: row.parent_id })
    if (after.name !== undefined) add('rename', LogBit.rename, {}, { from: row.name, to: name })
    if (after.version !== undefined) add('edit', LogBit.edit, {}, { version, restoredFrom: after.version })
    if (after.entries !== undefined) add('rights', LogBit.permissionChange, { before: levelOf(before) })
  }
  return changes
}
