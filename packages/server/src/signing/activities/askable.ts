// The people who may act for the signers of a process.
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { type Acting, holdersOf, signaturesFor, standInsOf } from './entitled.ts'
import { type ActivityRow, levelOf, type SignerRow, signersOf } from './rows.ts'

/** The signer for whom an account acts in a process. */
export async function signerFor(
  db: Db,
  actor: Acting,
  activityId: number,
  now: number,
): Promise<SignerRow | undefined> {
  const { rows } = await sql<{ signer_id: number }>`
    select m.signer_id from ${signaturesFor(actor, now)} m where m.activity_id = ${activityId}`.execute(db)
  return (await signersOf(db, activityId)).find(({ id }) => id === rows[0]?.signer_id)
}

/** The people who may act for signers of a process now: themselves, their stand-ins, and the holders of roles. */
export async function askedBy(
  db: Db,
  row: ActivityRow,
  signers: readonly Pick<SignerRow, 'id'>[],
  now: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select x.id from sign_signer g cross join lateral (
      select g.account_id as id where g.account_id is not null
      union ${standInsOf(sql`g.account_id`, now)}
      union ${holdersOf(sql`g.role_id`)}) x join account a on a.id = x.id
    where g.id = any(${signers.map(({ id }) => id)}) and (x.id = g.account_id or (
      a.state = 'normal' and (a.expires_at is null or a.expires_at > ${now}) and a.secret_level >= ${levelOf(row, now)}
      and not exists (
        select 1 from sign_signer o where o.activity_id = ${row.id} and x.id in (o.account_id, o.acted_by))))
    order by x.id`.execute(db)
  return [...new Set(rows.map(({ id }) => id))]
}

/** A role that nobody could sign for. */
export interface EmptyRole {
  readonly name: string
  /** It has no member at all; otherwise none who may sign. */
  readonly isEmpty: boolean
}

/** Roles that nobody could sign for: without a holder whose level suffices and who is no signer already. */
export async function rolesWithoutHolder(
  db: Db,
  roleIds: readonly number[],
  { level: least, taken, now }: { readonly level: number; readonly taken: readonly number[]; readonly now: number },
): Promise<EmptyRole[]> {
  const { rows } = await sql<EmptyRole>`
    select w.name, not exists (select 1 from (${holdersOf(sql`w.id`)}) x join account a on a.id = x.id
        where a.state = 'normal' and (a.expires_at is null or a.expires_at > ${now})) as "isEmpty"
    from role w where w.id = any(${[...roleIds]}) and not exists (
      select 1 from (${holdersOf(sql`w.id`)}) x join account a on a.id = x.id
      where a.state = 'normal' and (a.expires_at is null or a.expires_at > ${now}) and a.secret_level >= ${least}
        and a.id <> all(${[...taken]}::bigint[]))
    order by w.name`.execute(db)
  return rows
}
