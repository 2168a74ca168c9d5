// Encoding and decoding of the frames that servers and clients send.
import {
  ClientFrame,
  channelFrames,
  decodeClientFrame,
  encodeBinaryFrame,
  noIdentity,
  type PushCatalogue,
  pushNames,
  type ReadClientFrame,
  serverFrame,
} from '@cloudoc/contract'
import { type CodeName, codeMessage, codes } from '@cloudoc/domain'
import type { Account } from '../actor.ts'

/** What is needed to make frames. */
export interface FrameParts {
  /** The pushes that this server sends. */
  readonly pushes: PushCatalogue
  readonly epoch: string
  readonly now: () => number
  /** Validates every frame against its schema. */
  readonly strictAnswers: boolean
}

/** A push and its payload. `PushOf` of the contract defines which belong together. */
export interface PushMessage {
  readonly name: string
  readonly payload: object
}

/** An encoded frame for both channels. The old channel's encoding is made on demand. */
export interface Bytes {
  readonly json: Buffer
  readonly binary: Buffer
}

/** The wire format of a channel ([R307], [R308]). */
export interface Wire {
  readonly name: keyof Bytes
  /** Whether the answer to a WebSocket ping counts as a sign of life. */
  readonly pongCounts: boolean
  /** Parses what a client sent. Undefined if it is not a valid frame. */
  read(bytes: Buffer, isBinary: boolean): ReadClientFrame | undefined
}

export const wires: Readonly<Record<keyof Bytes, Wire>> = {
  json: {
    name: 'json',
    pongCounts: true,
    read: (bytes, isBinary) => (isBinary ? undefined : parseFrame(bytes)),
  },
  // Only heartbeats count as a sign of life: the documents define nothing else.
  binary: {
    name: 'binary',
    pongCounts: false,
    read: (bytes, isBinary) => (isBinary ? decodeClientFrame(bytes) : undefined),
  },
}

/** Encodes the frames of a server. */
export interface Frames {
  push(push: PushMessage, position: number): Bytes
  /** A stored push by its type number. Undefined if this build has no confirmable push of that type. */
  stored(pushType: number, payload: object, position: number): Bytes | undefined
  /** The answer to a login, and to a client that must fetch again: all events from this position on are sent. */
  welcome(position: number, more: { backlog: number; refetch: boolean }): Bytes
  refusal(code: CodeName): Bytes
  /** Whether pushes of this type, or name, are sent to the actor: those of a feature that is switched off are not. */
  isFor(actor: Account, push: number | string): boolean
  readonly heartbeat: Bytes
}

export function createFrames({ pushes, epoch, now, strictAnswers }: FrameParts): Frames {
  const schema = serverFrame(pushes)
  const nameOf = pushNames(pushes)
  const encode = ({ type }: { readonly type: number }, identity: string, data: object): Bytes => {
    const frame = { pushType: type, identity, epoch, data }
    if (strictAnswers) schema.parse(frame)
    let binary: Buffer | undefined
    return {
      json: Buffer.from(JSON.stringify(frame)),
      get binary() {
        const body = type === channelFrames.heartbeat.type ? '' : JSON.stringify(data)
        binary ??= Buffer.from(encodeBinaryFrame({ pushType: type, identity, body }).buffer)
        return binary
      },
    }
  }
  const frames: Frames = {
    push({ name, payload }, position) {
      const declared = pushes[name]
      if (declared === undefined) throw new Error(`the push ${name} is not declared`)
      return encode(declared, String(position), payload)
    },
    stored(pushType, payload, position) {
      const name = nameOf.get(pushType)
      if (name === undefined || pushes[name]?.delivery !== 'confirmed') return undefined
      // Its position is also the number of the notice (X53).
      return frames.push(
        { name, payload: pushes[name].notice ? { ...payload, remindId: position } : payload },
        position,
      )
    },
    welcome: (position, more) =>
      encode(channelFrames.welcome, noIdentity, { serverTime: now(), epoch, lastIdentity: String(position), ...more }),
    refusal: (code) =>
      encode(channelFrames.refusal, noIdentity, { code: codes[code].code, msg: codeMessage(code, 'zh') }),
    isFor(actor, push) {
      const name = typeof push === 'number' ? nameOf.get(push) : push
      const off = name === undefined ? undefined : pushes[name]?.switchedBy
      return off === undefined || !actor.settings.features_off.includes(off)
    },
    heartbeat: encode(channelFrames.heartbeat, noIdentity, {}),
  }
  return frames
}

function parseFrame(bytes: Buffer): ReadClientFrame | undefined {
  try {
    const parsed = ClientFrame.safeParse(JSON.parse(bytes.toString()))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
