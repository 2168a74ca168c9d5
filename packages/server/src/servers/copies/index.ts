// Copies between linked servers ([R123]).
import { features } from '@cloudoc/contract'
import { actorOf, whileAsked } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { openRemote, type RemoteTimes } from '../links/index.ts'
import { copyFrom } from './copy.ts'

/** The handlers of copies between servers. */
export function copyHandlers(services: Pick<Services, 'blobs' | 'db' | 'secrets' | 'now'>, times: RemoteTimes) {
  const { blobs } = services
  const caller = { ...services, times }
  return implement(features.serverCopies.calls, {
    async copyFilesAndFolders(context, input) {
      const { sourceServerId, sourceFileIds, sourceFolderIds, targetFolderId, conflict } = input
      return whileAsked(context, async (signal) => {
        const remote = await openRemote(caller, sourceServerId, actorOf(context), signal)
        try {
          const wanted = [
            ...sourceFolderIds.map((fId) => ({ fType: 2 as const, fId })),
            ...sourceFileIds.map((fId) => ({ fType: 1 as const, fId })),
          ]
          const place = { folderId: targetFolderId, conflict }
          return await copyFrom(context, blobs, remote, wanted, place, localeOf(context.request))
        } finally {
          await remote.close()
        }
      })
    },
  })
}
