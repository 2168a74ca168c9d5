// The items that somebody applies for.
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Context } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'

export const hourMs = 60 * 60_000

interface Asked {
  readonly fileIdArray: readonly number[]
  readonly folderIdArray: readonly number[]
}

/** The items of an input, each once. */
export const rootsOf = (context: Context, { fileIdArray, folderIdArray }: Asked): Access[] => [
  ...[...new Set(fileIdArray)].map((fId) => context.item({ fType: 1, fId })),
  ...[...new Set(folderIdArray)].map((fId) => context.item({ fType: 2, fId })),
]

/** The item by which reviewers are found: the most secret one, which the fewest may know. */
export function mostSecret(roots: readonly Access[]): Access {
  const [first, ...others] = roots
  if (first === undefined) return fail('badRequest', 'fileIdArray')
  return others.reduce((most, one) => (one.facts.secretLevel > most.facts.secretLevel ? one : most), first)
}

/** The departments of libraries. */
export async function departmentsOf(db: Db, roots: readonly Access[]): Promise<Map<number, number>> {
  const ids = [...new Set(roots.map(({ library }) => library.id))]
  const { rows } = await sql<{ id: number; group_id: number | null }>`
    select id, group_id from library where id = any(${ids})`.execute(db)
  return new Map(rows.flatMap(({ id, group_id }) => (group_id === null ? [] : [[id, group_id] as const])))
}
