/*
 * The push channels of linked servers ([R343]): one for each server at which the user is signed in, through the server
 * of the page (docs/adr/0334). Only what concerns items is taken from them, with the number of their server.
 *
 * A channel is opened when its server is known to answer. While it does not, the server is asked at growing distances,
 * not while the page is hidden; the answer is also what its heading in the tree shows.
 */
import type { PushHandlers } from '@cloudoc/contract'
import { ClientType } from '@cloudoc/domain'
import { pushHandlers } from '../core/area/area.ts'
import { api } from '../core/call/api.ts'
import { readAtServer } from '../core/call/other-servers.ts'
import { type Channel, createChannel, linkedEndpoint } from '../core/push/push-client.ts'
import { type LinkedServer, linkedServersStore, readPersonAt } from '../core/session/linked-servers.ts'
import { refreshDrive } from '../items/lists/lists.ts'

/** Milliseconds until a server that does not answer is asked again. */
const [firstMs, longestMs] = [10_000, 5 * 60_000]

interface Followed {
  readonly channel: Channel
  readonly leave: () => void
}

const isReady = ({ session, state }: LinkedServer): boolean => session === 'signedIn' && state === 'ok'

/**
 * The handlers of what a linked server tells of items. What concerns requests, mail or conversations belongs to the page
 * of that server.
 */
function handlersAt(serverId: number): Partial<PushHandlers<undefined>> {
  const { commentsChanged, favoritesChanged, fileChange, fileLock, folderChange, followsChanged, tagsChanged } =
    pushHandlers()
  return {
    ...{ commentsChanged, favoritesChanged, fileChange, fileLock, folderChange, followsChanged, tagsChanged },
    // What the user may do there has changed.
    settingsChanged: () => void readPersonAt(serverId),
  }
}

function follow({ serverId, person }: LinkedServer): Followed | undefined {
  if (person === undefined) return undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  let wasOpen = false
  let isOver = false

  const askLater = (): void => {
    clearTimeout(timer)
    if (isOver) return
    const ms = Math.min(longestMs, firstMs * 2 ** asked * (1 + Math.random() / 2))
    asked += 1
    timer = setTimeout(() => {
      timer = undefined
      void ask()
    }, ms)
  }
  const ask = async (): Promise<void> => {
    // The page asks when it becomes visible.
    if (document.hidden) return askLater()
    const reached = await api
      .of({ serverId })
      .getPushPosition({}, { quiet: true, probe: true })
      .then(
        () => true,
        () => false,
      )
    if (isOver) return
    if (reached) channel.open()
    else askLater()
  }

  const channel = createChannel<undefined>({
    endpoints: [linkedEndpoint(`/linked/${serverId}`)],
    accountId: person.account.accountId,
    handlers: handlersAt(serverId),
    context: undefined,
    read: (payload) => readAtServer(payload, { serverId }),
    refetch: refreshDrive,
    refused: askLater,
    confirm: (list) => api.of({ serverId }).confirmMsg({ clientType: ClientType.web, list }, { quiet: true }),
    shown: {
      state(state) {
        if (state === 'offline') return askLater()
        if (state !== 'online') return
        asked = 0
        // What lists show may have been read before: changes between are not told.
        if (!wasOpen) refreshDrive()
        wasOpen = true
      },
      caughtUp: () => undefined,
    },
  })
  const onVisible = (): void => {
    if (!document.hidden && timer !== undefined) void ask()
  }
  document.addEventListener('visibilitychange', onVisible)
  window.addEventListener('online', onVisible)
  channel.open()
  return {
    channel,
    leave() {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
      window.removeEventListener('online', onVisible)
      channel.close()
    },
  }
}

/** Follows every linked server at which the user is signed in. Returns the function that stops it. */
export function followLinkedServers(): () => void {
  const followed = new Map<number, Followed>()
  const look = (): void => {
    const { list } = linkedServersStore.getState()
    for (const [serverId, one] of followed) {
      const server = list.find((listed) => listed.serverId === serverId)
      if (server?.session === 'signedIn' || server?.session === 'asking') continue
      one.leave()
      followed.delete(serverId)
    }
    for (const server of list) {
      const known = followed.get(server.serverId)
      // A call has reached a server whose channel is closed: it is opened without waiting.
      if (known !== undefined && isReady(server)) known.channel.open()
      const begun = known === undefined && isReady(server) ? follow(server) : undefined
      if (begun !== undefined) followed.set(server.serverId, begun)
    }
  }
  const stop = linkedServersStore.subscribe(look)
  look()
  return () => {
    stop()
    for (const one of followed.values()) one.leave()
    followed.clear()
  }
}
