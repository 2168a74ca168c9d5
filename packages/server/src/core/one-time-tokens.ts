// Tokens that are valid for a while: login keys, device keys, nonces, captcha codes, download tickets. The client holds
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

/** Issues a token. Returns the text for the client. */
export async function issueToken(db: Db, kind: OneTimeTokenKind, value: object, expiresAt: number): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await db
    .insertInto('once')
    .values({ kind, id_hash: hashToken(token), value: JSON.stringify(value), expires_at: expiresAt })
    .execute()
  return token
}

/** Issues a token with a text chosen by the client. Returns false if it exists already. */
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

/** Changes the value of a token. Returns false if it is used up. */
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

/** Consumes a token: only the first of several callers gets its value. */
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

/** Whether a token still exists. It cannot be consumed until the caller's transaction ends. */
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

/** Removes expired tokens. */
export async function removeExpiredTokens(db: Db, now: number): Promise<void> {
  await db.deleteFrom('once').where('expires_at', '<=', now).execute()
}

/** Reads a token that can be used repeatedly until it expires. */
export async function peekToken<T>(db: Db, kind: OneTimeTokenKind, token: string, now: number): Promise<T | undefined> {
  const row = await db
    .selectFrom('once')
    .select(['value', 'expires_at'])
    .where('kind', '=', kind)
    .where('id_hash', '=', hashToken(token))
    .executeTakeFirst()
  return row !== undefined && row.expires_at > now ? (JSON.parse(row.value) as T) : undefined
}
