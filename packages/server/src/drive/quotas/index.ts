// Limits on file type, size and space: enforcing and setting them ([R207], [R288]).
import { features } from '@cloudoc/contract'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { itemEvent } from '../tree/index.ts'
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
  spaceLeft,
  takeMoved,
} from './space.ts'

/** The call handlers of the limits of folders. */
export function quotaHandlers() {
  return implement(features.quotas.calls, {
    async setFolderLimit(context, { folderId, limit }) {
      const { row } = context.item({ fType: 2, fId: folderId })
      const used = await limitFolder(context.tx, folderId, limit, context.now)
      context.event(itemEvent(row, 'edit', actorOf(context).name))
      context.audit({ limit })
      return { used }
    },
  })
}
