/*
 * The part of the company a user administers (decisions E1). Outside it nothing exists (-3); inside it a task that was
 * not delegated is refused (-4). Delegated administrators can neither lock nor take over accounts that have
 * administrative powers (-58).
 */
import { type CodeName, type DelegatedTask, delegatedTasks, fail } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { groupOrRoot } from './group-ids.ts'

type Administrator = Pick<Account, 'accountId' | 'powers' | 'delegated'>

/** The departments in which the user may do at least one of these tasks; undefined means the whole company. */
export function partOf(
  { powers, delegated }: Administrator,
  ...tasks: readonly DelegatedTask[]
): ReadonlySet<number> | undefined {
  if (powers.includes('system')) return undefined
  const asked = tasks.length === 0 ? delegatedTasks : tasks
  return new Set(asked.flatMap((task) => [...(delegated.get(task) ?? [])]))
}

export function isIn(part: ReadonlySet<number> | undefined, groupId: number): boolean {
  return part === undefined || part.has(groupId)
}

/** The people of a part, as a condition on `account a`: those whose main department is in it. */
export function peopleOf(part: ReadonlySet<number> | undefined): RawBuilder<unknown> {
  return part === undefined ? sql`true` : sql`a.group_id = any(${[...part]})`
}

/**
 * A department that the caller administers: -3 if it is outside their part, -4 if this task was not delegated there.
 */
export async function groupFor(
  db: Db,
  actor: Administrator,
  groupId: number,
  ...tasks: readonly DelegatedTask[]
): Promise<number> {
  const id = await groupOrRoot(db, groupId)
  if (!isIn(partOf(actor), id)) return fail('notFound', 'groupId')
  return isIn(partOf(actor, ...tasks), id) ? id : fail('noPermission', 'groupId')
}

/** Filters accounts to those with administrative powers. */
export async function administratorsAmong(db: Db, accountIds: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from account where is_admin and id = any(${[...accountIds]})
    union select account_id from administrator where account_id = any(${[...accountIds]})
    union select account_id from group_administrator where account_id = any(${[...accountIds]})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The requested changes of a person; only whether a field is present matters. */
export interface PersonChangeAsked {
  readonly state?: string | undefined
  readonly groupId?: number | undefined
  readonly quota?: unknown
  readonly secretLevel?: unknown
  readonly otherGroupIds?: unknown
  readonly roleIds?: unknown
  readonly addRoleId?: unknown
  readonly removeRoleId?: unknown
}

/** Only an administrator of the whole company can grant these: they reach beyond a department. */
const neverDelegated = ['secretLevel', 'otherGroupIds', 'roleIds', 'addRoleId', 'removeRoleId'] as const
const named = (value: unknown): boolean => value !== undefined

/**
 * Why an administrator may not make this change; undefined if they may. `administers` is whether the person has
 * administrative powers: such a person can be changed only by an administrator of the whole company.
 */
export function refusalIn(
  actor: Administrator,
  person: { readonly id: number; readonly group_id: number },
  administers: boolean,
  asked: PersonChangeAsked & Readonly<Record<string, unknown>>,
): CodeName | undefined {
  if (actor.powers.includes('system')) return undefined
  if (!isIn(partOf(actor), person.group_id)) return 'notFound'
  if (person.id === actor.accountId) return 'ownAccount'
  if (administers) return 'adminAccount'
  if (neverDelegated.some((name) => named(asked[name])) || asked.state === 'disabled') return 'noPermission'
  const { quota, ...rest } = asked
  if (named(quota) && !isIn(partOf(actor, 'quota'), person.group_id)) return 'noPermission'
  if (Object.values(rest).some(named) && !isIn(partOf(actor, 'people'), person.group_id)) return 'noPermission'
  return undefined
}
