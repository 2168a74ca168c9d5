/*
 * The push channel: JSON ([R308], "JSON channel") or the old binary protocol ([R307]), with the same content. The
 * session cookie authenticates the page. The first frame contains the client's position (the last identity of this
 * epoch). The answer contains the size of the backlog, or says that the gap is too long and all shown data must be
 * loaded again. Delivery is at least once: duplicates are dropped by identity, across both channels. Pushes to a user
 * are confirmed in batches, or they are sent again. Ephemeral pushes have no identity.
 *
 * If the JSON channel cannot be opened or breaks, the old one is used if the server has it (X25). Neither reconnects by
 * itself; reconnect.ts decides when to open them again.
 */
import {
  type ClientFrame,
  decodeServerFrame,
  encodeClientFrame,
  isFrame,
  LEGACY_PUSH_PATH,
  noIdentity,
  PUSH_PATH,
  type PushHandlers,
  pushes,
  pushNames,
  ServerFrame,
  servesOldChannel,
} from '@cloudoc/contract'
import { ClientType, limits } from '@cloudoc/domain'
import { connectionStore } from './connection.ts'

export { useOnline } from './connection.ts'

export interface Confirmation {
  readonly pushType: number
  readonly identity: string
}

/** A channel the server offers: `old` is the binary one. */
export interface ChannelEndpoint {
  readonly kind: 'json' | 'old'
  readonly url: string
}

export interface ChannelOptions<Context> {
  /** The channels to try, in this order. */
  readonly endpoints: readonly ChannelEndpoint[]
  readonly accountId: number
  /** The position to start from: the page read its data after it. */
  readonly from?: { readonly epoch: string; readonly lastIdentity: string }
  /** A push without a handler is left alone: it is not confirmed either. */
  readonly handlers: Partial<PushHandlers<Context>>
  readonly context: Context
  /** Changes a payload before it is handled. */
  readonly read?: (payload: unknown) => unknown
  /** Receives the state of the channel. Default: it is that of the page. */
  readonly shown?: ChannelView
  /** All shown data must be loaded again. */
  readonly refetch: () => void
  /** The server does not accept the session (refusal). */
  readonly refused: (code: number) => void
  readonly confirm: (list: Confirmation[]) => Promise<unknown>
}

/** Where the state of a channel is shown. */
export interface ChannelView {
  readonly state: (state: 'connecting' | 'online' | 'offline' | 'refused') => void
  /** The channel was lost, is open again, and all missed pushes were delivered. */
  readonly caughtUp: () => void
}

const ofPage: ChannelView = {
  state: (channel) => connectionStore.setState({ channel }),
  caughtUp: () => connectionStore.setState((before) => ({ caughtUp: before.caughtUp + 1 })),
}

export interface Channel {
  /** Opens the channel unless it is open or opening. */
  readonly open: () => void
  /** If only the old channel exists, dials it again, as its policy requires ([R307]). Returns whether that is so. */
  readonly redial: () => boolean
  /** Closes and reopens it, because the session changed. */
  readonly reopen: () => void
  readonly close: () => void
}

/** The number of identities remembered to drop duplicates. */
const maxSeenIdentities = 2000

const nameOf = pushNames(pushes)

/** One channel for the page, over the first protocol that can be opened. `open` opens it. */
export function createChannel<Context>(options: ChannelOptions<Context>): Channel {
  const { shown = ofPage } = options
  let socket: WebSocket | undefined
  /** Sends a frame over the open socket. */
  let speak: (frame: ClientFrame) => void = () => undefined
  let { lastIdentity, epoch } = options.from ?? { lastIdentity: '', epoch: '' }
  /** The remaining pushes of the replay, and the client's position after them. */
  let replay = { left: 0, newest: '' }
  let heartbeat: ReturnType<typeof setInterval> | undefined
  let heardAt = 0
  /** Whether the channel was open before, so pushes may have been missed. */
  let wasOpen = false
  const seen = new Set<string>()
  let unconfirmed: Confirmation[] = []
  let confirmTimer: ReturnType<typeof setTimeout> | undefined

  /** Opens the nth channel. If it fails, the following ones are tried. */
  const openWay = (n: number): void => {
    const way = options.endpoints[n]
    if (socket !== undefined || way === undefined) return
    shown.state('connecting')
    const opened = new WebSocket(way.url)
    opened.binaryType = 'arraybuffer'
    socket = opened
    speak = (frame) => {
      if (opened.readyState !== WebSocket.OPEN) return
      if (way.kind === 'old') opened.send(encodeClientFrame(frame))
      else opened.send(JSON.stringify(frame))
    }
    opened.onopen = () => {
      speak({ cmd: 'login', accountId: options.accountId, clientType: ClientType.web, lastIdentity, epoch })
    }
    opened.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      heardAt = Date.now()
      const said: unknown = typeof data === 'string' ? JSON.parse(data) : decodeServerFrame(new Uint8Array(data), epoch)
      const frame = ServerFrame.safeParse(said)
      if (!frame.success) console.error('a push that this client does not know was dropped', frame.error)
      else receive(opened, frame.data)
    }
    // An error is always followed by the close.
    opened.onclose = () => {
      if (socket !== opened) return
      drop(opened)
      openWay(n + 1)
    }
  }

  const open = (): void => openWay(0)

  const drop = (closed: WebSocket, to: 'offline' | 'refused' = 'offline'): void => {
    if (socket !== closed) return
    socket = undefined
    clearInterval(heartbeat)
    shown.state(to)
  }

  const close = (to: 'offline' | 'refused' = 'offline'): void => {
    const closing = socket
    if (closing === undefined) return
    drop(closing, to)
    closing.close()
  }

  const caughtUp = (): void => {
    if (wasOpen) shown.caughtUp()
    wasOpen = true
  }

  const keepAlive = (): void => {
    clearInterval(heartbeat)
    heartbeat = setInterval(() => {
      if (Date.now() - heardAt > limits.heartbeatLostMs) close()
      else speak({ cmd: 'heartbeat' })
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
      // The first connection broke off before the client had a position, so pushes may have been lost unnoticed.
      const isUnplaced = epoch !== '' && lastIdentity === ''
      if (data.epoch !== epoch) {
        lastIdentity = ''
        seen.clear()
      }
      epoch = data.epoch
      replay = { left: data.backlog, newest: data.lastIdentity }
      shown.state('online')
      keepAlive()
      if (data.refetch || isUnplaced) options.refetch()
      if (data.backlog === 0) {
        lastIdentity = data.lastIdentity
        caughtUp()
      }
      return
    }
    const name = nameOf.get(frame.pushType)
    // Ephemeral pushes have no identity: none is a duplicate, and none moves the position.
    if (frame.identity === noIdentity) {
      if (name !== undefined) hand(name, frame.data)
      return
    }
    if (replay.left > 0) {
      // The replay is shorter than announced if another page has confirmed some of its pushes meanwhile.
      const isLive = BigInt(frame.identity) > BigInt(replay.newest)
      replay.left = isLive ? 0 : replay.left - 1
      if (replay.left === 0) {
        lastIdentity = isLive ? frame.identity : replay.newest
        caughtUp()
      }
    } else lastIdentity = frame.identity
    if (name === undefined || options.handlers[name] === undefined) return
    if (pushes[name].delivery === 'confirmed') confirmSoon({ pushType: frame.pushType, identity: frame.identity })
    if (seen.has(frame.identity)) return
    remember(frame.identity)
    hand(name, frame.data)
  }

  const hand = (name: keyof typeof pushes, payload: unknown): void => {
    const handle = options.handlers[name] as ((payload: unknown, context: Context) => void) | undefined
    handle?.(options.read?.(payload) ?? payload, options.context)
  }

  const remember = (identity: string): void => {
    seen.add(identity)
    for (const oldest of seen) {
      if (seen.size <= maxSeenIdentities) break
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
    // Unconfirmed pushes are sent again after the next login.
    options.confirm(list).catch(() => undefined)
  }

  return {
    open,
    redial() {
      if (options.endpoints[0]?.kind !== 'old') return false
      openWay(0)
      return true
    },
    close: () => close(),
    reopen() {
      close()
      open()
    },
  }
}

const urlOf = (path: string): string => `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${path}`

/** The channel of a linked server, through the server of the page (docs/adr/0334). */
export const linkedEndpoint = (base: string): ChannelEndpoint => ({ kind: 'json', url: urlOf(base + PUSH_PATH) })

/** The JSON channel's address on the page's own server. */
export function pushUrl(): string {
  return urlOf(PUSH_PATH)
}

/** The channels of the page's own server: the old one alone if `use_websocket` is false ([R342], X25). */
export function endpointsOf(setting: {
  readonly use_websocket: boolean
  readonly old_push: boolean
}): ChannelEndpoint[] {
  return [
    ...(setting.use_websocket ? [{ kind: 'json' as const, url: pushUrl() }] : []),
    ...(servesOldChannel(setting) ? [{ kind: 'old' as const, url: urlOf(LEGACY_PUSH_PATH) }] : []),
  ]
}
