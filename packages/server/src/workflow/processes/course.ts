// The course of a process: who did what, when, on which version.
import type { ProcessEntry } from '@cloudoc/contract'
import { nodeOf } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { bodyOf } from '../templates/index.ts'
import type { ProcessRow } from './process-row.ts'

/** The number by which people speak of a process. */
export function numberOf({ id, created_at: at }: Pick<ProcessRow, 'id' | 'created_at'>): string {
  return `LC-${new Date(at).getFullYear()}-${String(id).padStart(4, '0')}`
}

/** Lines of the course that are shown and archived. */
const most = 2000

/** The course, oldest first. */
export async function courseOf(db: Db, row: ProcessRow): Promise<ProcessEntry[]> {
  const body = await bodyOf(db, row.template_id, row.template_version)
  const { rows } = await sql<{
    at: number
    what: string
    node: string
    account_id: number | null
    by_id: number | null
    to_ids: number[]
    comments: string
    detail: string
    version: number
  }>`
    select * from (
      select id, at, what, node, account_id, by_id, to_ids, comments, detail, version from process_entry
      where process_id = ${row.id} order by id desc limit ${most}) e order by id`.execute(db)
  const ids = [...new Set(rows.flatMap((one) => [one.account_id ?? 0, one.by_id ?? 0, ...one.to_ids]))]
  const people = await sql<{ id: number; name: string }>`
    select id, name from account where id = any(${ids})`.execute(db)
  const names = new Map(people.rows.map(({ id, name }) => [id, name]))
  const personOf = (id: number) => ({ userId: id, accountName: names.get(id) ?? '' })
  const nameOf = (node: string): string => (body === undefined ? '' : (nodeOf(body, node)?.name ?? ''))
  return rows.map(({ at, what, node, account_id: account, by_id: by, to_ids: to, comments, detail, version }) => ({
    ...{ at, what, node, comments, version, nodeName: nameOf(node), to: to.map(personOf) },
    detail: what === 'back' ? nameOf(detail) : detail,
    ...(account !== null && { by: personOf(by ?? account) }),
    ...(account !== null && by !== null && { instead: personOf(account) }),
  }))
}
