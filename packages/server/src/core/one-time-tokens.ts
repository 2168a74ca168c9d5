// Things that are good for a while: login keys, keys of devices, nonces, captcha codes, download tickets. The client holds
// a random text, the database only its hash.
import { randomBytes } from 'node:crypto'
import type { Db, Tx } from './db/database.ts'
import { hashToken } from './secrets.ts'

export type OneTimeTokenKind =
  | 'loginKey'
  | 'deviceKey'
  | 'nonce'
  | 'captcha'
  | 'ticket'
  | 'serverTicket'
  | 'passwordLink'
  | 'findPassword'
  | 'messageCode'
  | 'endedElsewhere'
  | 'linkPass'
  | 'linkCode'
  | 'peopleImport'
  | 'copy'

/** Makes one; answers the text that the client holds. */
export async function issueToken(db: Db, kind: OneTimeTokenKind, value: object, expiresAt: number): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await db
    .insertInto('once')
    .values({ kind, id_hash: hashToken(token), value: JSON.stringify(value), expires_at: expiresAt })
    .execute()
  return token
}

/** The same by a text that the client has chosen; false where there is one already. */
export async function issueTokenAs(
  db: Db,
  kind: OneTimeTokenKind,
  token: string,
  { value, expiresAt }: { readonly value: object; readonly expiresAt: number },
): Promise<boolean> {
  const row = await db
    .insertInto('once')
    .values({ kind, id_hash: hashToken(token), value: JSON.stringify(value), expires_at: expiresAt })
    .onConflict((c) => c.doNothing())
    .returning('kind')
    .executeTakeFirst()
  return row !== undefined
}

/** Says something else of one; false where it is used up. */
export async function updateToken(db: Db, kind: OneTimeTokenKind, token: string, value: object): Promise<boolean> {
  const row = await db
    .updateTable('once')
    .set({ value: JSON.stringify(value) })
    .where('kind', '=', kind)
    .where('id_hash', '=', hashToken(token))
    .returning('kind')
    .executeTakeFirst()
  return row !== undefined
}

/** Uses one up: only the first of any number of callers gets it. */
export async function consumeToken<T>(
  db: Db,
  kind: OneTimeTokenKind,
  token: string,
  now: number,
): Promise<T | undefined> {
  const row = await db
    .deleteFrom('once')
    .where('kind', '=', kind)
    .where('id_hash', '=', hashToken(token))
    .returning(['value', 'expires_at'])
    .executeTakeFirst()
  return row !== undefined && row.expires_at > now ? (JSON.parse(row.value) as T) : undefined
}

/** Whether one is there still; nobody uses it up before the transaction has ended that asks. */
export async function lockToken(tx: Tx, kind: OneTimeTokenKind, token: string): Promise<boolean> {
  const row = await tx
    .selectFrom('once')
    .select('kind')
    .where('kind', '=', kind)
    .where('id_hash', '=', hashToken(token))
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Removes those that are good no more. */
export async function removeExpiredTokens(db: Db, now: number): Promise<void> {
  await db.deleteFrom('once').where('expires_at', '<=', now).execute()
}

/** Reads one that may be used again until it expires. */
export async function peekToken<T>(db: Db, kind: OneTimeTokenKind, token: string, now: number): Promise<T | undefined> {
  const row = await db
    .selectFrom('once')
    .select(['value', 'expires_at'])
    .where('kind', '=', kind)
    .where('id_hash', '=', hashToken(token))
    .executeTakeFirst()
  return row !== undefined && row.expires_at > now ? (JSON.parse(row.value) as T) : undefined
}
