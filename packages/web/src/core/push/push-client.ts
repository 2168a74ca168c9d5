/*
 * The push channel: the JSON one ([R308], "JSON channel") and the old binary one ([R307]), which say the same. The page is
 * known by its cookie; the first frame says where the client stood (the last identity of this epoch), the answer says what
 * follows: so many pushes at once, or that the gap is too long and everything shown is to be fetched again. Delivery is at
 * least once: what came already is dropped by its identity, whichever channel it came by. Pushes of a person are confirmed
 * in batches, or they come again. What is said to who listens alone (ephemeral) has no identity.
 *
 * Where the JSON channel cannot be opened or breaks, the old one is, if the server has it (X25). Neither redials itself
 * here; reconnect.ts says what opens them again.
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
} from '@cloudoc/contract'
import { ClientType, limits } from '@cloudoc/domain'
import { connectionStore } from './connection.ts'

export { useOnline } from './connection.ts'

export interface Confirmation {
  readonly pushType: number
  readonly identity: string
}

/** A channel that the server has: `old` is the binary one. */
export interface ChannelEndpoint {
  readonly kind: 'json' | 'old'
  readonly url: string
}

export interface ChannelOptions<Context> {
  /** Which are tried, in this order. */
  readonly endpoints: readonly ChannelEndpoint[]
  readonly accountId: number
  /** From where on the server is to tell: what the page shows was read after it. */
  readonly from?: { readonly epoch: string; readonly lastIdentity: string }
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
  /** Where there is none but the old channel, dials it again, which is its policy ([R307]); answers whether that is so. */
  readonly redial: () => boolean
  /** Closes and opens it: the session is another one. */
  readonly reopen: () => void
  readonly close: () => void
}

/** Identities remembered for dropping what comes twice. */
const maxSeenIdentities = 2000

const nameOf = pushNames(pushes)

/** One channel for the page, over whichever way can be opened; it is opened by `open`. */
export function createChannel<Context>(options: ChannelOptions<Context>): Channel {
  let socket: WebSocket | undefined
  /** Says something over the socket that is open. */
  let speak: (frame: ClientFrame) => void = () => undefined
  let { lastIdentity, epoch } = options.from ?? { lastIdentity: '', epoch: '' }
  /** Pushes still to come of the replay, and where the client stands when they have come. */
  let replay = { left: 0, newest: '' }
  let heartbeat: ReturnType<typeof setInterval> | undefined
  let heardAt = 0
  /** Whether the channel was open before, so that something may have been missed. */
  let wasOpen = false
  const seen = new Set<string>()
  let unconfirmed: Confirmation[] = []
  let confirmTimer: ReturnType<typeof setTimeout> | undefined

  /** Opens the nth way; those behind it are tried where it fails. */
  const openWay = (n: number): void => {
    const way = options.endpoints[n]
    if (socket !== undefined || way === undefined) return
    connectionStore.setState({ channel: 'connecting' })
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
      // The first login broke off before it was known from where on things are told: what came after it is known to nobody.
      const isUnplaced = epoch !== '' && lastIdentity === ''
      if (data.epoch !== epoch) {
        lastIdentity = ''
        seen.clear()
      }
      epoch = data.epoch
      replay = { left: data.backlog, newest: data.lastIdentity }
      connectionStore.setState({ channel: 'online' })
      keepAlive()
      if (data.refetch || isUnplaced) options.refetch()
      if (data.backlog === 0) {
        lastIdentity = data.lastIdentity
        caughtUp()
      }
      return
    }
    const name = nameOf.get(frame.pushType)
    // What is only said has no place among what is told: each of them counts, and none says where this page stands.
    if (frame.identity === noIdentity) {
      if (name !== undefined) hand(name, frame.data)
      return
    }
    if (replay.left > 0) {
      // Fewer follow than were announced where another page has confirmed some meanwhile.
      const isLive = BigInt(frame.identity) > BigInt(replay.newest)
      replay.left = isLive ? 0 : replay.left - 1
      if (replay.left === 0) {
        lastIdentity = isLive ? frame.identity : replay.newest
        caughtUp()
      }
    } else lastIdentity = frame.identity
    if (name === undefined) return
    if (pushes[name].delivery === 'confirmed') confirmSoon({ pushType: frame.pushType, identity: frame.identity })
    if (seen.has(frame.identity)) return
    remember(frame.identity)
    hand(name, frame.data)
  }

  const hand = (name: keyof typeof pushes, payload: unknown): void => {
    const handle = options.handlers[name] as (payload: unknown, context: Context) => void
    handle(payload, options.context)
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
    // What is not confirmed comes again after the next login.
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

/** The JSON channel's address on the server that sent the page. */
export function pushUrl(): string {
  return urlOf(PUSH_PATH)
}

/** The channels of the server that sent the page, as it is set ([R342], X25). */
export function endpointsOf(setting: {
  readonly use_websocket: boolean
  readonly old_push: boolean
}): ChannelEndpoint[] {
  return [
    ...(setting.use_websocket ? [{ kind: 'json' as const, url: pushUrl() }] : []),
    ...(setting.old_push ? [{ kind: 'old' as const, url: urlOf(LEGACY_PUSH_PATH) }] : []),
  ]
}
