// The frames that a server sends, and those that clients send, between their bytes and what they say.
import {
  ClientFrame,
  type PushName,
  type PushPayload,
  pushes,
  type ServerFrame,
  ServerFrame as ServerFrameSchema,
} from '@cloudoc/contract'
import { type CodeName, codeMessage, codes } from '@cloudoc/domain'

/** What a frame is made with. */
export interface FrameParts {
  readonly epoch: string
  readonly now: () => number
  /** Checks every frame against its schema. */
  readonly strictAnswers: boolean
}

/** Makes the frames of a server, as bytes. */
export interface Frames {
  push<N extends PushName>(name: N, position: number, data: PushPayload<N>): Buffer
  /** The answer to a login, and to whoever must fetch again: from this position on everything is told. */
  welcome(position: number, more: { backlog: number; refetch: boolean }): Buffer
  refusal(code: CodeName): Buffer
  readonly heartbeat: Buffer
}

export function createFrames({ epoch, now, strictAnswers }: FrameParts): Frames {
  const encode = (frame: ServerFrame): Buffer => {
    if (strictAnswers) ServerFrameSchema.parse(frame)
    return Buffer.from(JSON.stringify(frame))
  }
  return {
    push: (name, position, data) => encode({ pushType: pushes[name].type, identity: String(position), epoch, data }),
    welcome: (position, more) =>
      encode({
        pushType: 18,
        identity: '0',
        epoch,
        data: { serverTime: now(), epoch, lastIdentity: String(position), ...more },
      }),
    refusal: (code) =>
      encode({
        pushType: 19,
        identity: '0',
        epoch,
        data: { code: codes[code].code, msg: codeMessage(code, 'zh') },
      }),
    heartbeat: encode({ pushType: 1, identity: '0', epoch, data: {} }),
  }
}

/** The name of a push to named people by its type; undefined for what no build knows. */
export function personalName(pushType: number): 'shareRemind' | undefined {
  return pushType === pushes.shareRemind.type ? 'shareRemind' : undefined
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
