// The last requests of a provisioning system, for the page of its provider.
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

/** Requests that are kept of each provider. */
const kept = 500
const longestDetail = 300

/** Keeps a request, and forgets the oldest. */
export async function noteRequest(
  db: Db,
  providerId: number,
  now: number,
  { what, name, detail }: { readonly what: string; readonly name: string; readonly detail: string },
  status: number,
): Promise<void> {
  await db
    .insertInto('scim_request')
    .values({
      ...{ provider_id: providerId, at: now, what, status },
      ...{ name: name.slice(0, 100), detail: detail.slice(0, longestDetail) },
    })
    .execute()
  await sql`
    delete from scim_request where provider_id = ${providerId} and id <= coalesce((
      select id from scim_request where provider_id = ${providerId} order by id desc offset ${kept} limit 1), 0)`.execute(
    db,
  )
}
