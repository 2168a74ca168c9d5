/*
 * What returning a folder to a moment changes. The plan compares the items that changed since the moment with what they
 * were. It is made for the preview, and again under locks by the act itself, so that both follow the same rules.
 *
 * An item belongs to the folder if it is below it now or was at the moment. What was created since goes to the recycle
 * bin with the topmost folder that was created since. An item that must not change now (it is edited, being signed, in
 * a process) stays as it is, and so does a new folder that contains such an item.
 */
import type { RollbackKind, RollbackSkip } from '@cloudoc/contract'
import { ItemStatusBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { extensionPoint } from '../../core/extension-points.ts'
import { presentOf } from '../../people/organisation/index.ts'
import { type Changes, changesSince, type EntryRow, type Past } from './history.ts'

/** What a return must neither remove nor move nor rename, such as items under legal hold. */
export interface RollbackProtection {
  /** Which of the items are protected themselves. */
  items(db: Db, ids: readonly number[]): Promise<readonly number[]>
  /** Which of the folders contain something that is protected. */
  foldersAround(db: Db, ids: readonly number[]): Promise<readonly number[]>
}
export const rollbackProtections = extensionPoint<RollbackProtection>('rollbackProtections')

export interface Entry {
  readonly subjectType: 'user' | 'group' | 'role'
  readonly subjectId: number
  readonly rights: number
  readonly expiresAt: number | null
  readonly createdBy: number
  readonly createdAt: number
}

/** The state of an item; in a step only what changes. */
export interface State {
  readonly name?: string
  readonly parentId?: number
  readonly deleted?: boolean
  /** The number of the version that is the content. */
  readonly version?: number
  readonly inherit?: boolean
  readonly restricted?: boolean
  readonly entries?: readonly Entry[]
}

/** The current row of an item. */
export interface Row {
  readonly id: number
  readonly library_id: number
  readonly parent_id: number | null
  readonly f_type: 1 | 2
  readonly link_to: number | null
  readonly name: string
  readonly version: number
  readonly size: number
  readonly created_at: number
  readonly created_by: number
  readonly inherit: boolean
  readonly restricted: boolean
  readonly deleted: boolean
  readonly state: '' | 'edited' | 'signing' | 'process'
  readonly blob_id: number | null
  /** The newest stored version of the moment, or the one that was asked for. */
  readonly old_number: number | null
  readonly old_blob: number | null
  readonly old_size: number | null
  readonly old_problem: '' | 'infected' | 'versionMissing'
  readonly entries: readonly EntryRow[]
  readonly modifier: string
  readonly changed_at: number
}

/** What happens to one item. */
export interface Step {
  readonly row: Row
  readonly before: State
  readonly after: State
  readonly kinds: readonly RollbackKind[]
  /** Why it stays, or why a part of it stays. */
  readonly skipped: RollbackSkip | ''
  /** Bytes of the content that becomes a new version. */
  readonly bytes: number
}

/** An item that existed at the moment and is permanently deleted. */
export interface Gone {
  readonly id: number
  readonly name: string
}

export interface Plan {
  readonly steps: readonly Step[]
  readonly gone: readonly Gone[]
  readonly changes: Changes
  /** Whether an item belongs to the folder, now or at the moment. */
  readonly isWithin: (id: number) => boolean
  readonly nameOf: (folderId: number) => string
}

export interface Asked {
  readonly folderId: number
  readonly libraryId: number
  readonly at: number
  readonly withRights: boolean
}

const signingBit = sql.lit(ItemStatusBit.signing)
/** The states of a file whose process has ended. */
const endedBits = sql.lit(ItemStatusBit.workflowUnsubmitted | ItemStatusBit.approved | ItemStatusBit.rejected)

/** Reads items as they are now, with the version of the moment, or with the versions that are named. */
export async function readRows(
  db: Db,
  ids: readonly number[],
  at: number,
  versions: ReadonlyMap<number, number> = new Map(),
): Promise<Row[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Row>`
    select i.id, i.library_id, i.parent_id, i.f_type, i.link_to, i.name, i.version, i.size, i.created_at, i.created_by,
      i.inherit, i.restricted, i.deleted_at is not null as deleted,
      case when i.editor_id is not null or exists (select 1 from shared_edit s where s.item_id = i.id) then 'edited'
        when i.status & ${signingBit} <> 0 then 'signing'
        when i.process_id is not null and i.status & ${endedBits} = 0 then 'process' else '' end as state,
      c.blob_id, v.number as old_number, v.blob_id as old_blob, v.size as old_size,
      case when v.number is null then 'versionMissing'
        when v.held or v.uninspected or exists (select 1 from scan s where s.blob_id = v.blob_id and s.virus is not null)
        then 'infected' else '' end as old_problem,
      coalesce((select json_agg(to_jsonb(e) order by e.id) from entry e
        where e.item_id = i.id and e.kind = 'independent'), '[]') as entries,
      coalesce(m.name, '') as modifier, coalesce(i.deleted_at, i.modified_at) as changed_at
    from unnest(${[...ids]}::bigint[], ${ids.map((id) => versions.get(id) ?? 0)}::int[]) as w (id, number)
    join item i on i.id = w.id
    left join version c on c.item_id = i.id and c.number = i.version
    left join lateral (
      select number, blob_id, size, held, uninspected from version
      where item_id = i.id and case when w.number = 0 then created_at <= ${at}::bigint else number = w.number end
      order by number desc limit 1) v on true
    left join account m on m.id = coalesce(i.deleted_by, i.modified_by)
    where not i.purged
    order by i.id`.execute(db)
  return rows
}

interface Folder {
  readonly id: number
  readonly parent_id: number | null
  readonly name: string
}

/** The folders and all folders above them, as they are now. */
async function foldersAbove(db: Db, ids: readonly number[]): Promise<Map<number, Folder>> {
  const { rows } = await sql<Folder>`
    with recursive up as (
      select id, parent_id, name from item where id = any(${[...ids]}::bigint[]) and not purged
      union
      select p.id, p.parent_id, p.name from up join item p on p.id = up.parent_id where not p.purged
    ) select id, parent_id, name from up`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export const entryOf = (row: EntryRow): Entry => ({
  subjectType: row.subject_type,
  subjectId: row.subject_id,
  rights: row.rights,
  expiresAt: row.expires_at,
  createdBy: row.created_by,
  createdAt: row.created_at,
})

/** Entries in a form that is equal for equal rights, whoever granted them and when. */
export const sameEntries = (entries: readonly Entry[]): string =>
  JSON.stringify(
    entries
      .map(({ subjectType, subjectId, rights, expiresAt }) => `${subjectType} ${subjectId} ${rights} ${expiresAt}`)
      .toSorted(),
  )

function entriesThen(row: Row, past: Past | undefined): Entry[] {
  const then = new Map<number, EntryRow>(row.entries.map((entry) => [entry.id, entry]))
  for (const [id, before] of past?.entries ?? []) {
    if (before === null) then.delete(id)
    else then.set(id, before)
  }
  return [...then.values()].toSorted((a, b) => a.id - b.id).map(entryOf)
}

/** Plans the return of a folder. `lock` locks the items, for the act. */
export async function planReturn(
  db: Db,
  asked: Asked,
  protections: readonly RollbackProtection[],
  lock: (ids: readonly number[]) => Promise<void> = () => Promise.resolve(),
): Promise<Plan> {
  const { folderId, libraryId, at } = asked
  const changes = await changesSince(db, libraryId, at)
  await lock(changes.ids)
  const rows = new Map((await readRows(db, changes.ids, at)).map((row) => [row.id, row]))
  const parentThen = (id: number, parentId: number | null): number | null => {
    const item = changes.past.get(id)?.item
    return item === undefined ? parentId : item.parentId
  }
  const parents = new Set(
    [...changes.ids.flatMap((id) => changes.past.get(id)?.item?.parentId ?? []), folderId].concat(
      [...rows.values()].flatMap((row) => row.parent_id ?? []),
      changes.links.map(({ itemId }) => itemId),
    ),
  )
  const folders = await foldersAbove(db, [...parents])
  const parentNow = (id: number): number | null => rows.get(id)?.parent_id ?? folders.get(id)?.parent_id ?? null
  const reach = (from: number, up: (id: number) => number | null): number[] => {
    const passed: number[] = []
    for (let id = up(from); id !== null && !passed.includes(id); id = up(id)) passed.push(id)
    return passed
  }
  const then = (id: number): number | null => parentThen(id, parentNow(id))
  const within = new Map<number, boolean>()
  const isBelow = (id: number): boolean => {
    const known = within.get(id)
    if (known !== undefined) return known
    const is = folderId === libraryId || reach(id, parentNow).includes(folderId) || reach(id, then).includes(folderId)
    within.set(id, is)
    return is
  }
  const ofFolder = new Set(reach(folderId, parentNow))
  const isNew = (row: Row): boolean => row.created_at > at

  const steps: Step[] = []
  const stays = new Set<number>()
  const mine = [...rows.values()].filter((row) => row.id === folderId || isBelow(row.id))
  const present = await subjectsThere(db, mine, changes, asked)
  const mineIds = mine.map(({ id }) => id)
  const kept = new Set((await Promise.all(protections.map((one) => one.items(db, mineIds)))).flat())

  for (const row of mine) {
    const past = changes.past.get(row.id)
    const goal = goalOf(row)
    if (goal === undefined) continue
    // A folder that now contains the folder to return cannot be moved into it.
    const isAbove = ofFolder.has(row.id)
    const refused: RollbackSkip | '' = row.state !== '' ? row.state : isAbove ? 'holdsOther' : ''
    // Versions of the moment that were removed since.
    const removed = [...(past?.versions ?? [])].flatMap(([number, createdAt]) => (createdAt <= at ? [number] : []))
    const step = stepOf(row, goal, removed, refused, kept.has(row.id))
    if (step === undefined) continue
    steps.push(step)
    if (step.skipped !== '' && step.skipped !== 'versionMissing' && step.skipped !== 'infected') stays.add(row.id)
  }
  for (const id of kept) if (rows.get(id)?.deleted === false) stays.add(id)
  // A folder that would be removed stays if something in it must stay.
  const holding = new Set([...stays].flatMap((id) => reach(id, parentNow)))
  for (const id of await around(db, protections, steps)) holding.add(id)
  const all = steps.map((step) => (step.after.deleted === true && holding.has(step.row.id) ? staying(step) : step))
  const gone = [...changes.past].flatMap(([id, { item }]) =>
    item !== undefined && !rows.has(id) && !item.deleted && item.parentId !== null && isBelow(id)
      ? [{ id, name: item.name }]
      : [],
  )
  return {
    steps: all,
    gone,
    changes,
    isWithin: (id) => id === folderId || isBelow(id),
    nameOf: (id) => folders.get(id)?.name ?? rows.get(id)?.name ?? '',
  }

  /** The state to which an item returns; undefined if nothing about it changes. */
  function goalOf(row: Row): State | undefined {
    if (row.id === folderId) return rightsThen(row)
    if (isNew(row)) {
      const parent = row.parent_id === null ? undefined : rows.get(row.parent_id)
      const goesWithParent = parent !== undefined && isNew(parent) && parent.id !== folderId
      return row.deleted || goesWithParent ? undefined : { deleted: true }
    }
    const item = changes.past.get(row.id)?.item
    const deleted = item?.deleted ?? row.deleted
    if (deleted) return row.deleted ? undefined : { deleted: true }
    const parentId = item?.parentId ?? row.parent_id ?? libraryId
    return {
      name: item?.name ?? row.name,
      // Its folder is permanently deleted: it is placed in the folder that returns.
      parentId: parentId === row.parent_id || folders.has(parentId) ? parentId : folderId,
      deleted: false,
      ...(row.f_type === 1 && row.link_to === null && { version: row.old_number ?? 0 }),
      ...rightsThen(row),
    }
  }

  function rightsThen(row: Row): State {
    if (!asked.withRights) return {}
    const past = changes.past.get(row.id)
    return {
      inherit: past?.item?.inherit ?? row.inherit,
      restricted: past?.item?.restricted ?? row.restricted,
      entries: entriesThen(row, past).filter((entry) => present(entry)),
    }
  }
}

/** The step of a folder that stays because of what it contains. */
export const staying = (step: Step): Step => ({
  ...step,
  ...{ after: {}, before: {}, kinds: [], bytes: 0, skipped: 'holdsOther' },
})

/** The folders among those that would be removed which contain something protected, also what did not change. */
export async function around(
  db: Db,
  protections: readonly RollbackProtection[],
  steps: readonly Step[],
): Promise<readonly number[]> {
  const ids = steps.flatMap(({ row, after }) => (after.deleted === true && row.f_type === 2 ? [row.id] : []))
  if (ids.length === 0) return []
  return (await Promise.all(protections.map((one) => one.foldersAround(db, ids)))).flat()
}

/** Whether the subject of an entry still exists. Entries that exist now are not examined. */
async function subjectsThere(
  db: Db,
  rows: readonly Row[],
  { past }: Changes,
  { withRights }: Asked,
): Promise<(entry: Entry) => boolean> {
  if (!withRights) return () => true
  const named = rows.flatMap((row) =>
    [...(past.get(row.id)?.entries.values() ?? [])].flatMap((entry) => (entry === null ? [] : [entryOf(entry)])),
  )
  if (named.length === 0) return () => true
  const there = new Set((await presentOf(db, named)).map(({ subjectType, subjectId }) => `${subjectType}:${subjectId}`))
  const known = new Set(named.map(({ subjectType, subjectId }) => `${subjectType}:${subjectId}`))
  return ({ subjectType, subjectId }) => {
    const key = `${subjectType}:${subjectId}`
    return !known.has(key) || there.has(key)
  }
}

/** Compares an item with the state to which it returns. Undefined if they are equal. */
export function stepOf(
  row: Row,
  goal: State,
  removed: readonly number[],
  refused: RollbackSkip | '',
  isProtected: boolean,
): Step | undefined {
  const before: Mutable<State> = {}
  const after: Mutable<State> = {}
  const kinds: RollbackKind[] = []
  let skipped: RollbackSkip | '' = ''
  let bytes = 0
  if (goal.deleted !== undefined && goal.deleted !== row.deleted) {
    before.deleted = row.deleted
    after.deleted = goal.deleted
    kinds.push(goal.deleted ? 'remove' : 'restore')
  }
  if (goal.deleted !== true) {
    if (goal.parentId !== undefined && goal.parentId !== row.parent_id) {
      before.parentId = row.parent_id ?? 0
      after.parentId = goal.parentId
      if (after.deleted === undefined) kinds.push('move')
    }
    if (goal.name !== undefined && goal.name !== row.name) {
      before.name = row.name
      after.name = goal.name
      kinds.push('rename')
    }
    const changed = goal.version === undefined ? undefined : contentOf(row, goal.version, removed)
    if (changed !== undefined) {
      if (changed === 'changes') {
        before.version = row.version
        after.version = row.old_number ?? 0
        bytes = row.old_size ?? 0
        kinds.push('content')
      } else skipped = changed
    }
    const own = row.entries.map(entryOf)
    const isOther =
      (goal.inherit !== undefined && goal.inherit !== row.inherit) ||
      (goal.restricted !== undefined && goal.restricted !== row.restricted) ||
      (goal.entries !== undefined && sameEntries(goal.entries) !== sameEntries(own))
    if (isOther) {
      Object.assign(before, { inherit: row.inherit, restricted: row.restricted, entries: own })
      Object.assign(after, {
        inherit: goal.inherit ?? row.inherit,
        restricted: goal.restricted ?? row.restricted,
        entries: goal.entries ?? own,
      })
      kinds.push('rights')
    }
  }
  if (kinds.length === 0 && skipped === '') return undefined
  if (refused !== '') return { row, before: {}, after: {}, kinds: [], skipped: refused, bytes: 0 }
  // What is protected may get a new version, but is not removed, moved or renamed.
  if (isProtected && (after.deleted === true || after.parentId !== undefined || after.name !== undefined)) {
    for (const field of ['deleted', 'parentId', 'name'] as const) {
      delete before[field]
      delete after[field]
    }
    const left = kinds.filter((kind) => kind === 'content' || kind === 'rights')
    return { row, before, after, kinds: left, skipped: 'protected', bytes }
  }
  return { row, before, after, kinds, skipped, bytes }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Whether the content changes, or why it cannot return. */
function contentOf(
  row: Row,
  version: number,
  removed: readonly number[],
): 'changes' | 'versionMissing' | 'infected' | undefined {
  if (row.f_type !== 1 || row.link_to !== null || version === row.version) return undefined
  // A later version that existed at the moment has been removed since.
  if (version === 0 || removed.some((number) => number > version)) return 'versionMissing'
  if (row.old_blob === row.blob_id) return undefined
  return row.old_problem === '' ? 'changes' : row.old_problem
}
