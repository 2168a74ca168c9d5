// The frames that a server sends, and those that clients send, between their bytes and what they say.
import { ClientFrame, channelFrames, noIdentity, type PushCatalogue, pushNames, serverFrame } from '@cloudoc/contract'
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
export interface SaidPush {
  readonly name: string
  readonly payload: object
}

/** Makes the frames of a server, as bytes. */
export interface Frames {
  push(push: SaidPush, position: number): Buffer
  /** A push that was stored by its number; undefined for one that this build does not have people confirm. */
  stored(pushType: number, payload: object, position: number): Buffer | undefined
  /** The answer to a login, and to whoever must fetch again: from this position on everything is told. */
  welcome(position: number, more: { backlog: number; refetch: boolean }): Buffer
  refusal(code: CodeName): Buffer
  readonly heartbeat: Buffer
}

export function createFrames({ pushes, epoch, now, strictAnswers }: FrameParts): Frames {
  const schema = serverFrame(pushes)
  const nameOf = pushNames(pushes)
  const encode = ({ type }: { readonly type: number }, identity: string, data: object): Buffer => {
    const frame = { pushType: type, identity, epoch, data }
    if (strictAnswers) schema.parse(frame)
    return Buffer.from(JSON.stringify(frame))
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

/** Reads what a client sent; undefined for what is no frame. */
export function parseFrame(bytes: Buffer): ClientFrame | undefined {
  try {
    const parsed = ClientFrame.safeParse(JSON.parse(bytes.toString()))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
