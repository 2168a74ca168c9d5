// Keys to edit a file together with others: for a session, a file, and what its page can ask for.
import type { Access } from '../../core/access.ts'
import type { AccountActor } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { issueToken } from '../../core/one-time-tokens.ts'
import { keyLifeMs, recordEditor } from './shared-lock.ts'

/** What people/auth reads back. */
interface StoredKey {
  readonly sessionId: number
  readonly scope: readonly string[]
  readonly joined: number
}

/** Makes a key for a file that lies in a folder. */
export async function issueKey(
  db: Db,
  { accountId, sessionId }: Pick<AccountActor, 'accountId' | 'sessionId'>,
  { id, parent_id: parentId }: Pick<Access['row'], 'id' | 'parent_id'>,
  now: number,
): Promise<{ key: string; expiresAt: number }> {
  const expiresAt = now + keyLifeMs
  const scope = [
    ...[`openTogether:1:${id}`, `editTogether:1:${id}`, `rename:1:${id}`, `upload:2:${parentId ?? 0}`],
    // A copy may take the place of another file of the folder, by the rights on that one.
    'newVersion:1:*',
  ]
  const stored: StoredKey = { sessionId, scope, joined: id }
  const key = await issueToken(db, 'ticket', stored, expiresAt)
  await recordEditor(db, id, accountId, expiresAt)
  return { key, expiresAt }
}
