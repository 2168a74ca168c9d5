// Limits on file type, size and space: enforcing and setting them ([R207], [R288]).
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { itemEvent, type SpaceEvent } from '../tree/index.ts'
import { limitFolder } from './folders.ts'

export { measureBelow } from './folders.ts'
export { administratorsOf, logArchiveBytes, logBytes, measureServer, readSpace, spaceAudience } from './low-space.ts'
export {
  availableSpace,
  checkCopy,
  checkFile,
  hasSpaceLimit,
  lockSpace,
  lockWorkspaces,
  type Space,
  takeMoved,
} from './space.ts'

/** The space available to a user has changed. */
const changedFor = (accountId: number): SpaceEvent => ({ kind: 'space.changed', accountIds: [accountId] })

/** The call handlers of the administrator's limits. */
export function quotaHandlers() {
  return implement(features.quotas.calls, {
    async setAccountQuota(context, { userId, quota }) {
      const changed = await context.tx
        .updateTable('account')
        .set({ quota })
        .where('id', '=', userId)
        .returning('id')
        .executeTakeFirst()
      if (changed === undefined) return fail('notFound')
      context.event(changedFor(userId))
      context.audit({ userId, quota })
      return {}
    },

    async setLibraryQuota(context, { folderId, quota, fileLimit }) {
      const changed = await context.tx
        .updateTable('library')
        .set({ quota, file_limit: fileLimit })
        .where('id', '=', folderId)
        .returning('owner_id')
        .executeTakeFirst()
      if (changed === undefined) return fail('notFound')
      if (changed.owner_id !== null) context.event(changedFor(changed.owner_id))
      context.audit({ folderId, quota, fileLimit })
      return {}
    },

    async setFolderLimit(context, { folderId, limit }) {
      const { row } = context.item({ fType: 2, fId: folderId })
      const used = await limitFolder(context.tx, folderId, limit, context.now)
      context.event(itemEvent(row, 'edit', actorOf(context).name))
      context.audit({ limit })
      return { used }
    },
  })
}
