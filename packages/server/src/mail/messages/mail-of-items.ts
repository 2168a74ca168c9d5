// The mail that a file comes from, as its record names it ([R109]). A mail has one owner, so nobody else is told.
import { sql } from 'kysely'
import type { RecordFields } from '../../drive/tree/index.ts'

/** Takes the id of a mail that is gone, or was never the caller's, out of the records. */
export const mailsOfItems: RecordFields = async (db, actor, records) => {
  const named = records.filter(({ emailId }) => emailId !== 0)
  if (named.length === 0) return new Map()
  const { rows } = await sql<{ id: number }>`
    select id from mail
    where id = any(${named.map(({ emailId }) => emailId)}::bigint[]) and account_id = ${actor.accountId}`.execute(db)
  const known = new Set(actor.settings.setting.email ? rows.map(({ id }) => id) : [])
  return new Map(named.filter(({ emailId }) => !known.has(emailId)).map(({ fId }) => [fId, { emailId: 0 }]))
}
