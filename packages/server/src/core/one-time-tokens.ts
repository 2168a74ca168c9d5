// Tokens that are valid for a while: login keys, device keys, nonces, captcha codes, download tickets. The client holds
// a random text, the database only its hash. Each kind is declared by the feature that issues it.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from './db/database.ts'
import { hashToken } from './secrets.ts'

/** The tokens of one kind, with values of one type. */
export interface OneTimeTokens<T extends object> {
  /** Issues a token. Returns the text for the client. */
  issue(db: Db, value: T, expiresAt: number): Promise<string>
  /** Issues a token with a text chosen by the client. Returns false if it exists already. */
  issueAs(db: Db, token: string, more: { readonly value: T; readonly expiresAt: number }): Promise<boolean>
  /** Issues tokens of which only the hashes are known, with one value. Those that exist already remain. */
  issueHashed(db: Db, hashes: readonly Buffer[], more: { readonly value: T; readonly expiresAt: number }): Promise<void>
  /** Returns those of the tokens that can be used. */
  among(db: Db, tokens: readonly string[], now: number): Promise<ReadonlySet<string>>
  /** Changes the value of a token. Returns false if it is used up. */
  update(db: Db, token: string, value: T): Promise<boolean>
  /** Consumes a token: only the first of several callers gets its value. */
  consume(db: Db, token: string, now: number): Promise<T | undefined>
  /** Whether a token still exists. It cannot be consumed until the caller's transaction ends. */
  lock(tx: Tx, token: string): Promise<boolean>
  /** Whether a token still exists. Nobody else can change or consume it until the caller's transaction ends. */
  lockForUpdate(tx: Tx, token: string): Promise<boolean>
  /** Reads a token that can be used repeatedly until it expires. */
  peek(db: Db, token: string, now: number): Promise<T | undefined>
}

const declared = new Set<string>()

/** Declares a kind of token. Two kinds of one name end the start: each could be used in place of the other. */
export function oneTimeToken<T extends object>(kind: string): OneTimeTokens<T> {
  if (declared.has(kind)) throw new Error(`two kinds of one-time tokens are named ${kind}`)
  declared.add(kind)

  const valueOf = (row: { value: string; expires_at: number } | undefined, now: number): T | undefined =>
    row !== undefined && row.expires_at > now ? (JSON.parse(row.value) as T) : undefined

  return {
    async issue(db, value, expiresAt) {
      const token = randomBytes(24).toString('base64url')
      await db
        .insertInto('once')
        .values({ kind, id_hash: hashToken(token), value: JSON.stringify(value), expires_at: expiresAt })
        .execute()
      return token
    },
    async issueAs(db, token, { value, expiresAt }) {
      const row = await db
        .insertInto('once')
        .values({ kind, id_hash: hashToken(token), value: JSON.stringify(value), expires_at: expiresAt })
        .onConflict((c) => c.doNothing())
        .returning('kind')
        .executeTakeFirst()
      return row !== undefined
    },
    async issueHashed(db, hashes, { value, expiresAt }) {
      if (hashes.length === 0) return
      const rest = { kind, value: JSON.stringify(value), expires_at: expiresAt }
      await db
        .insertInto('once')
        .values(hashes.map((id_hash) => ({ ...rest, id_hash })))
        .onConflict((c) => c.doNothing())
        .execute()
    },
    async among(db, tokens, now) {
      if (tokens.length === 0) return new Set()
      const byHash = new Map(tokens.map((token) => [hashToken(token).toString('hex'), token]))
      const rows = await db
        .selectFrom('once')
        .select('id_hash')
        .where('kind', '=', kind)
        .where('expires_at', '>', now)
        .where('id_hash', '=', sql<Buffer>`any(${tokens.map(hashToken)})`)
        .execute()
      return new Set(rows.flatMap(({ id_hash }) => byHash.get(id_hash.toString('hex')) ?? []))
    },
    async update(db, token, value) {
      const row = await db
        .updateTable('once')
        .set({ value: JSON.stringify(value) })
        .where('kind', '=', kind)
        .where('id_hash', '=', hashToken(token))
        .returning('kind')
        .executeTakeFirst()
      return row !== undefined
    },
    async consume(db, token, now) {
      const row = await db
        .deleteFrom('once')
        .where('kind', '=', kind)
        .where('id_hash', '=', hashToken(token))
        .returning(['value', 'expires_at'])
        .executeTakeFirst()
      return valueOf(row, now)
    },
    async lock(tx, token) {
      const row = await tx
        .selectFrom('once')
        .select('kind')
        .where('kind', '=', kind)
        .where('id_hash', '=', hashToken(token))
        .forShare()
        .executeTakeFirst()
      return row !== undefined
    },
    async lockForUpdate(tx, token) {
      const row = await tx
        .selectFrom('once')
        .select('kind')
        .where('kind', '=', kind)
        .where('id_hash', '=', hashToken(token))
        .forUpdate()
        .executeTakeFirst()
      return row !== undefined
    },
    async peek(db, token, now) {
      const row = await db
        .selectFrom('once')
        .select(['value', 'expires_at'])
        .where('kind', '=', kind)
        .where('id_hash', '=', hashToken(token))
        .executeTakeFirst()
      return valueOf(row, now)
    },
  }
}

/** Removes expired tokens. */
export async function removeExpiredTokens(db: Db, now: number): Promise<void> {
  await db.deleteFrom('once').where('expires_at', '<=', now).execute()
}
