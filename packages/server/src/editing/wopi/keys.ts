// Keys for co-editing a file: bound to a session, a file, and what its page can request.
import type { Access } from '../../core/access.ts'
import type { AccountActor } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { ticketTokens } from '../../people/auth/index.ts'
import { keyLifeMs, recordEditor } from './shared-lock.ts'

/** The stored key, as people/auth reads it. */
interface StoredKey {
  readonly sessionId: number
  readonly scope: readonly string[]
  readonly joined: number
}

/** Issues a key for a file in a folder. */
export async function issueKey(
  db: Db,
  { accountId, sessionId }: Pick<AccountActor, 'accountId' | 'sessionId'>,
  { id, parent_id: parentId }: Pick<Access['row'], 'id' | 'parent_id'>,
  now: number,
): Promise<{ key: string; expiresAt: number }> {
  const expiresAt = now + keyLifeMs
  const scope = [
    ...[`openTogether:1:${id}`, `editTogether:1:${id}`, `rename:1:${id}`, `upload:2:${parentId ?? 0}`],
    // A copy may overwrite another file of the folder, subject to the permissions on that file.
    'newVersion:1:*',
  ]
  const stored: StoredKey = { sessionId, scope, joined: id }
  const key = await ticketTokens.issue(db, stored, expiresAt)
  await recordEditor(db, id, accountId, expiresAt)
  return { key, expiresAt }
}
