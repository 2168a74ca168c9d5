/*
 * The JSON push channel ([R308], "JSON channel"). The page is known by its cookie; the first frame says where the client
 * stood (the last identity of this epoch), the answer says what follows: so many pushes at once, or that the gap is too
 * long and everything shown is to be fetched again. Delivery is at least once: what came already is dropped by its
 * identity. Pushes of a person are confirmed in batches, or they come again.
 *
 * The channel does not redial itself ([R308], X25); reconnect.ts says what opens it again.
 */
import {
  type ClientFrame,
  isFrame,
  PUSH_PATH,
  type PushHandlers,
  pushes,
  pushNames,
  ServerFrame,
} from '@cloudoc/contract'
import { ClientType, limits } from '@cloudoc/domain'
import { connectionStore } from './connection.ts'

export { useOnline } from './connection.ts'

export interface Confirmation {
  readonly pushType: number
  readonly identity: string
}

export interface ChannelOptions<Context> {
  readonly url: string
  readonly accountId: number
  readonly handlers: PushHandlers<Context>
  readonly context: Context
  /** Everything shown is to be fetched again. */
  readonly refetch: () => void
  /** The server does not accept the session (refusal). */
  readonly refused: (code: number) => void
  readonly confirm: (list: Confirmation[]) => Promise<unknown>
}

export interface Channel {
  /** Opens the channel unless it is open or about to be. */
  readonly open: () => void
  /** Closes and opens it: the session is another one. */
  readonly reopen: () => void
  readonly close: () => void
}

/** Identities remembered for dropping what comes twice. */
const mostSeen = 2000

const nameOf = pushNames(pushes)

/** One channel for the page; it is opened by `open`. */
export function createChannel<Context>(options: ChannelOptions<Context>): Channel {
  let socket: WebSocket | undefined
  let lastIdentity = ''
  let epoch = ''
  /** Pushes still to come of the replay, and where the client stands when they have come. */
  let replay = { left: 0, newest: '' }
  let heartbeat: ReturnType<typeof setInterval> | undefined
  let heardAt = 0
  /** Whether the channel was open before, so that something may have been missed. */
  let wasOpen = false
  const seen = new Set<string>()
  let unconfirmed: Confirmation[] = []
  let confirmTimer: ReturnType<typeof setTimeout> | undefined

  const open = (): void => {
    if (socket !== undefined) return
    connectionStore.setState({ channel: 'connecting' })
    const opened = new WebSocket(options.url)
    socket = opened
    opened.onopen = () => {
      send(opened, { cmd: 'login', accountId: options.accountId, clientType: ClientType.web, lastIdentity, epoch })
    }
    opened.onmessage = ({ data }) => {
      heardAt = Date.now()
      const frame = ServerFrame.safeParse(JSON.parse(String(data)))
      if (!frame.success) console.error('a push that this client does not know was dropped', frame.error)
      else receive(opened, frame.data)
    }
    // An error is always followed by the close.
    opened.onclose = () => drop(opened)
  }

  const drop = (closed: WebSocket, to: 'offline' | 'refused' = 'offline'): void => {
    if (socket !== closed) return
    socket = undefined
    clearInterval(heartbeat)
    connectionStore.setState({ channel: to })
  }

  const close = (to: 'offline' | 'refused' = 'offline'): void => {
    const closing = socket
    if (closing === undefined) return
    drop(closing, to)
    closing.close()
  }

  const caughtUp = (): void => {
    if (wasOpen) connectionStore.setState((before) => ({ caughtUp: before.caughtUp + 1 }))
    wasOpen = true
  }

  const keepAlive = (alive: WebSocket): void => {
    clearInterval(heartbeat)
    heartbeat = setInterval(() => {
      if (Date.now() - heardAt > limits.heartbeatLostMs) close()
      else send(alive, { cmd: 'heartbeat' })
    }, limits.heartbeatMs)
  }

  const receive = (from: WebSocket, frame: ServerFrame): void => {
    if (from !== socket || isFrame(frame, 'heartbeat')) return
    if (isFrame(frame, 'refusal')) {
      close('refused')
      options.refused(frame.data.code)
      return
    }
    if (isFrame(frame, 'welcome')) {
      const { data } = frame
      if (data.epoch !== epoch) {
        lastIdentity = ''
        seen.clear()
      }
      epoch = data.epoch
      replay = { left: data.backlog, newest: data.lastIdentity }
      connectionStore.setState({ channel: 'online' })
      keepAlive(from)
      if (data.refetch) options.refetch()
      if (data.backlog === 0) {
        lastIdentity = data.lastIdentity
        caughtUp()
      }
      return
    }
    if (replay.left > 0) {
      replay.left -= 1
      if (replay.left === 0) {
        lastIdentity = replay.newest
        caughtUp()
      }
    } else lastIdentity = frame.identity
    const name = nameOf.get(frame.pushType)
    if (name === undefined) return
    if (pushes[name].delivery === 'confirmed') confirmSoon({ pushType: frame.pushType, identity: frame.identity })
    if (seen.has(frame.identity)) return
    remember(frame.identity)
    const handle = options.handlers[name] as (payload: unknown, context: Context) => void
    handle(frame.data, options.context)
  }

  const remember = (identity: string): void => {
    seen.add(identity)
    for (const oldest of seen) {
      if (seen.size <= mostSeen) break
      seen.delete(oldest)
    }
  }

  const confirmSoon = (confirmation: Confirmation): void => {
    unconfirmed.push(confirmation)
    clearTimeout(confirmTimer)
    if (unconfirmed.length >= limits.confirmBatch) confirmNow()
    else confirmTimer = setTimeout(confirmNow, limits.confirmDebounceMs)
  }

  const confirmNow = (): void => {
    const list = unconfirmed
    unconfirmed = []
    // What is not confirmed comes again after the next login.
    options.confirm(list).catch(() => undefined)
  }

  return {
    open,
    close: () => close(),
    reopen() {
      close()
      open()
    },
  }
}

function send(socket: WebSocket, frame: ClientFrame): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
}

/** The channel's address on the server that sent the page. */
export function pushUrl(): string {
  const { protocol, host } = location
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${PUSH_PATH}`
}
