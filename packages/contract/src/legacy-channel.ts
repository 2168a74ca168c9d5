/*
 * The wire format of the old push channel (decisions "Binary push framing"). Each WebSocket message is one frame: a
 * header of 13 bytes and a UTF-8 JSON body. All knowledge of the format is in this module, so only this module changes
 * if a foreign program uses a different frame.
 *
 * - bytes 0-3: length of the body, big endian
 * - byte 4: pushType
 * - bytes 5-12: identity, big endian; 0 for frames without a position in the event sequence
 */
import { z } from 'zod'
import { type ClientFrame, channelFrames, noIdentity, type ReadClientFrame } from './channel.ts'

/** Path of the old channel on the main port. */
export const LEGACY_PUSH_PATH = '/services2/ws/oldPush'

/** True if the server offers the old channel: it is enabled, or it is the only channel of the pages ([R342], X25). */
export const servesOldChannel = (setting: { readonly use_websocket: boolean; readonly old_push: boolean }): boolean =>
  setting.old_push || !setting.use_websocket
/** Separate port that clients built to the spec use for it ([R307]). */
export const LEGACY_PUSH_PORT = 8016

export const headerBytes = 13

/** A decoded frame. */
export interface BinaryFrame {
  readonly pushType: number
  readonly identity: string
  readonly body: string
}

// Node and browsers both provide these globals; the contract package has no type library of either.
declare const TextEncoder: new () => { encode(text: string): Uint8Array }
declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string }

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function encodeBinaryFrame({ pushType, identity, body }: BinaryFrame): Uint8Array<ArrayBuffer> {
  const text = encoder.encode(body)
  const bytes = new Uint8Array(headerBytes + text.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, text.length)
  view.setUint8(4, pushType)
  view.setBigUint64(5, BigInt(identity))
  bytes.set(text, headerBytes)
  return bytes
}

/** Decodes a frame; undefined for invalid bytes: too short, wrong length field, or a body that is not UTF-8. */
export function decodeBinaryFrame(bytes: Uint8Array): BinaryFrame | undefined {
  if (bytes.length < headerBytes) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0) !== bytes.length - headerBytes) return undefined
  try {
    const body = decoder.decode(bytes.subarray(headerBytes))
    return { pushType: view.getUint8(4), identity: String(view.getBigUint64(5)), body }
  } catch {
    return undefined
  }
}

/** Fields of a login. Unknown fields from third-party programs are ignored. */
const Login = z.object({
  accountId: z.int().optional(),
  token: z.string().max(200).default(''),
  clientType: z.int().min(0).max(255).default(6),
  serverId: z.int().default(0),
  machineId: z.string().max(200).optional(),
  lastIdentity: z.union([z.string().regex(/^\d{0,18}$/), z.int().min(0).transform(String)]).default(''),
  epoch: z.string().max(64).default(''),
})

export function encodeClientFrame(frame: ClientFrame): Uint8Array<ArrayBuffer> {
  if (frame.cmd === 'heartbeat') {
    return encodeBinaryFrame({ pushType: channelFrames.heartbeat.type, identity: noIdentity, body: '' })
  }
  const { cmd: _, ...said } = frame
  return encodeBinaryFrame({
    pushType: channelFrames.welcome.type,
    identity: noIdentity,
    body: JSON.stringify(said),
  })
}

/** Decodes a client frame; undefined for invalid bytes and for frame types that clients do not send. */
export function decodeClientFrame(bytes: Uint8Array): ReadClientFrame | undefined {
  const frame = decodeBinaryFrame(bytes)
  if (frame?.pushType === channelFrames.heartbeat.type && frame.body === '') return { cmd: 'heartbeat' }
  if (frame?.pushType !== channelFrames.welcome.type) return undefined
  try {
    const said = Login.safeParse(JSON.parse(frame.body))
    return said.success ? { cmd: 'login', ...said.data } : undefined
  } catch {
    return undefined
  }
}

/** Decodes a server frame into the shape of the JSON channel; undefined for invalid bytes. */
export function decodeServerFrame(
  bytes: Uint8Array,
  epoch: string,
): { pushType: number; identity: string; epoch: string; data: unknown } | undefined {
  const frame = decodeBinaryFrame(bytes)
  if (frame === undefined) return undefined
  const { pushType, identity, body } = frame
  try {
    return { pushType, identity, epoch, data: body === '' ? {} : JSON.parse(body) }
  } catch {
    return undefined
  }
}
