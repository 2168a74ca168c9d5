// The push channel of the page, opened when a session needs it.
import { ClientType, codes, codeText, usesWebSocket } from '@cloudoc/domain'
import { pushHandlers, refetchAll } from '../core/area/area.ts'
import { api } from '../core/call/api.ts'
import { currentLocale, t } from '../core/i18n/i18n.ts'
import { loadRules } from '../core/notices/notice-groups.ts'
import { loadChunk } from '../core/page/chunks.tsx'
import { reachServer } from '../core/push/connection.ts'
import type { Channel } from '../core/push/push-client.ts'
import { keepOpen } from '../core/push/reconnect.ts'
import { linkedServersStore } from '../core/session/linked-servers.ts'
import { reloadSettings, type Session } from '../core/session/session.ts'
import { toast } from '../core/toast/toast.ts'

let opened: Channel | undefined

/**
 * Opens the push channel of this session and keeps it open until it is closed. Returns undefined if the server has no
 * push channel. The code that decodes pushes is loaded after the first page.
 */
export async function openChannel({ account, setting, serverSetting, place }: Session): Promise<Channel | undefined> {
  const [{ createChannel, endpointsOf }] = await Promise.all([
    loadChunk(() => import('../core/push/push-client.ts')),
    loadRules(),
  ])
  const { best_server_property: bestServerProperty } = serverSetting
  const use_websocket = usesWebSocket({ bestServerProperty, serverSetting: { setting } }, location.hostname)
  const ways = endpointsOf({ ...serverSetting, use_websocket })
  if (ways.length === 0) return undefined
  const channel = createChannel({
    endpoints: ways,
    accountId: account.accountId,
    ...(place && { from: place }),
    handlers: pushHandlers(),
    context: undefined,
    refetch() {
      refetchAll()
      // The missed pushes may include a change of the user's permissions.
      void reloadSettings().catch(() => undefined)
    },
    refused,
    confirm: (list) => api.confirmMsg({ clientType: ClientType.web, list }),
  })
  const leave = keepOpen(channel, reachServer)
  const leaveLinked = followLinked()
  channel.open()
  opened = {
    ...channel,
    close() {
      leave()
      leaveLinked()
      channel.close()
    },
  }
  return opened
}

/** Opens the channels of linked servers, once there are any. */
function followLinked(): () => void {
  let leave: (() => void) | undefined
  let isOver = false
  const look = (): void => {
    if (linkedServersStore.getState().list.length === 0) return
    stop()
    void loadChunk(() => import('./linked-channels.ts')).then(({ followLinkedServers }) => {
      if (!isOver) leave = followLinkedServers()
    })
  }
  const stop = linkedServersStore.subscribe(look)
  look()
  return () => {
    isOver = true
    stop()
    leave?.()
  }
}

/** Opens the push channel again, on request of the user. */
export function reconnect(): void {
  opened?.open()
}

/**
 * The server refused the channel (X46). An expired session is renewed by the next call or by a click in the status bar,
 * never during a drag or while a name is typed. Any other reason is shown.
 */
function refused(code: number): void {
  if (code !== codes.notLoggedIn.code) {
    toast({ kind: 'error', text: t('app.channel.refusedWhy', { reason: codeText(code, currentLocale()) }) })
  }
}
