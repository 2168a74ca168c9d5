// Limits of kind, size and space: keeping them, and setting them ([R207], [R288]).
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { implement } from '../../core/call/implement.ts'

export { checkCopy, checkFile, hasSpaceLimit, holdSpace, holdWorkspaces, roomFor, type Space } from './space.ts'

/** The handlers of the administrator's limits. */
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
      context.audit({ userId, quota })
      return {}
    },

    async setLibraryQuota(context, { folderId, quota, fileLimit }) {
      const changed = await context.tx
        .updateTable('library')
        .set({ quota, file_limit: fileLimit })
        .where('id', '=', folderId)
        .returning('id')
        .executeTakeFirst()
      if (changed === undefined) return fail('notFound')
      context.audit({ folderId, quota, fileLimit })
      return {}
    },
  })
}
