/*
 * Determines who is notified that their rights on an item changed (push 55, [R214]), and how. It compares the effective
 * rights before and after, not the written entries. A user who sees the item neither before nor after is not notified,
 * so not even its name is disclosed. A wrong result is a data leak, so this is one separately tested function.
 */
import { hasRight, OperateType, type Rights, rightsStateAt, ShareType } from '@cloudoc/domain'
import type { ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Tx } from '../../core/db/database.ts'
import { type PersonalEvent, personal } from '../../core/events.ts'
import type { Settings } from '../../core/settings.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { managersOf, rightsAt } from './audience.ts'
import type { ItemLevel } from './levels.ts'

/** A change of the rights on one item. */
export interface RightsChange {
  readonly row: Pick<ItemRow, 'id' | 'f_type' | 'name' | 'library_id'>
  /** The levels down to the item before the change. */
  readonly levels: readonly ItemLevel[]
  readonly after: readonly ItemLevel[]
  readonly author: Account
  readonly now: number
  /** The author's message to users who gain rights; empty for none. */
  readonly message?: string
}

/** How a user's rights changed; undefined if nothing changed or if the user must not learn of the item. */
export function shareTypeOf(before: Rights, after: Rights): (typeof ShareType)[keyof typeof ShareType] | undefined {
  const [saw, sees] = [hasRight(before, 'display'), hasRight(after, 'display')]
  if (!saw && !sees) return undefined
  if (!sees) return ShareType.cancelled
  if (!saw) return ShareType.given
  if (before === after) return undefined
  return (after & ~before) !== 0 ? ShareType.given : ShareType.reduced
}

/** Creates push 55 for each user whom an entry names, according to the effect on them. The author is not notified. */
export async function reminders(
  tx: Tx,
  settings: Settings,
  { row, levels, after, author, now, message = '' }: RightsChange,
): Promise<PersonalEvent[]> {
  const [placeBefore, placeAfter] = [rightsStateAt(levels, now), rightsStateAt(after, now)]
  const named = new Set(
    [...placeBefore.inForce, ...placeAfter.inForce]
      .filter(({ subjectType, subjectId }) => subjectType === 'user' && subjectId !== author.accountId)
      .map(({ subjectId }) => subjectId),
  )
  if (named.size === 0) return []
  const managers = (await managersOf(tx, [row.library_id])).get(row.library_id)
  const [parent, placeAbove] = [after.at(-2), rightsStateAt(after.slice(0, -1), now)]
  const found: PersonalEvent[] = []
  for (const [id, account] of await loadAccounts(tx, settings, [...named], now)) {
    const isManager = managers?.has(id) === true
    const shareType = shareTypeOf(rightsAt(placeBefore, account, isManager), rightsAt(placeAfter, account, isManager))
    if (shareType === undefined) continue
    const told = {
      serverId: 0,
      operatorName: author.name,
      targetName: account.name,
      shareType,
      docName: row.name,
      fId: row.id,
      fileId: row.f_type === 1 ? row.id : 0,
      folderId: row.f_type === 2 ? row.id : 0,
      parentId: hasRight(rightsAt(placeAbove, account, isManager), 'display') ? (parent?.itemId ?? 0) : 0,
      operate: OperateType.rights,
      createTime: now,
      ...(message !== '' && shareType === ShareType.given && { message }),
    }
    found.push(personal('shareRemind', [id], told))
  }
  return found
}
