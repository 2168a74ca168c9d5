// Starts the registry of linked servers for the signed-in page ([R035], [R343]).
import { parseItemIdStr } from '@cloudoc/domain'
import { queryClient } from '../../core/call/query.ts'
import { startServers } from '../../core/session/linked-servers.ts'
import { openWindow } from '../../core/windows/index.ts'
import { refreshDrive } from '../../items/lists/lists.ts'

/** Whether the address of the page names an item of this server. */
function uses(serverId: number): boolean {
  const ids = (new URLSearchParams(location.search).get('itemIdStr') ?? '').split(',')
  return ids.some((id) => parseItemIdStr(id)?.serverId === serverId)
}

/** Reads the linked servers and signs in there. Guests use their server alone (X51). */
export function startLinkedServers(): () => void {
  return startServers({
    uses,
    askSignIn: async (serverId) => (await openWindow('cloudoc-linked-sign-in', { serverId, ended: true })) === true,
    // The page starts again with its first page: nothing of that server remains on it.
    restart: () => location.assign('/doc/folder/files'),
    changed() {
      void queryClient.invalidateQueries({ queryKey: ['drive', 'folder'] })
      refreshDrive()
    },
  })
}
