// The frames that a server sends, and those that clients send, between their bytes and what they say.
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

/** What a frame is made with. */
export interface FrameParts {
  /** The pushes that this server sends. */
  readonly pushes: PushCatalogue
  readonly epoch: string
  readonly now: () => number
  /** Checks every frame against its schema. */
  readonly strictAnswers: boolean
}

/** A push and what it says; `PushOf` of the contract says which go together. */
export interface PushMessage {
  readonly name: string
  readonly payload: object
}

/** A frame as bytes, for each of the two channels; the old one's are made when somebody wants them. */
export interface Bytes {
  readonly json: Buffer
  readonly binary: Buffer
}

/** How frames travel over a socket ([R307], [R308]). */
export interface Wire {
  readonly name: keyof Bytes
  /** An answer to a WebSocket ping says that the client is there. */
  readonly pongCounts: boolean
  /** Reads what a client sent; undefined for what is no frame. */
  read(bytes: Buffer, isBinary: boolean): ReadClientFrame | undefined
}

export const wires: Readonly<Record<keyof Bytes, Wire>> = {
  json: {
    name: 'json',
    pongCounts: true,
    read: (bytes, isBinary) => (isBinary ? undefined : parseFrame(bytes)),
  },
  // Whoever is there says so by heartbeats: that is all that the documents know of.
  binary: {
    name: 'binary',
    pongCounts: false,
    read: (bytes, isBinary) => (isBinary ? decodeClientFrame(bytes) : undefined),
  },
}

/** Makes the frames of a server, as bytes. */
export interface Frames {
  push(push: PushMessage, position: number): Bytes
  /** A push that was stored by its number; undefined for one that this build does not have people confirm. */
  stored(pushType: number, payload: object, position: number): Bytes | undefined
  /** The answer to a login, and to whoever must fetch again: from this position on everything is told. */
  welcome(position: number, more: { backlog: number; refetch: boolean }): Bytes
  refusal(code: CodeName): Bytes
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
      // Its position is the number that a notice is kept by (X53).
      return frames.push(
        { name, payload: pushes[name].notice ? { ...payload, remindId: position } : payload },
        position,
      )
    },
    welcome: (position, more) =>
      encode(channelFrames.welcome, noIdentity, { serverTime: now(), epoch, lastIdentity: String(position), ...more }),
    refusal: (code) =>
      encode(channelFrames.refusal, noIdentity, { code: codes[code].code, msg: codeMessage(code, 'zh') }),
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
