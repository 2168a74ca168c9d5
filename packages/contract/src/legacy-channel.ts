/*
 * The old push channel on the wire (decisions "Binary push framing"): each message of the WebSocket is one frame, a header
 * of 13 bytes and a body of UTF-8 JSON. Everything that knows the bytes is here, so that a frame of another program that
 * turns out to look otherwise changes this module alone.
 *
 *   0-3   length of the body, big endian
 *   4     pushType
 *   5-12  identity, big endian; 0 for what has no place among the events
 */
import { z } from 'zod'
import { type ClientFrame, channelFrames, noIdentity, type ReadClientFrame } from './channel.ts'

/** The path of the old channel on the main port. */
export const LEGACY_PUSH_PATH = '/services2/ws/oldPush'
/** The port that clients of the documents look for it on ([R307]). */
export const LEGACY_PUSH_PORT = 8016

export const headerBytes = 13

/** A frame, taken out of its bytes. */
export interface BinaryFrame {
  readonly pushType: number
  readonly identity: string
  readonly body: string
}

// Node and browsers have both; the contract is written for neither.
declare const TextEncoder: new () => { encode(text: string): Uint8Array }
declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string }

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The bytes of a frame. */
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

/** Reads a frame; undefined for bytes that are none: too few, another length than they say, a body that is no UTF-8. */
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

/** What a login says. A program of another hand may say more than we know of. */
const Login = z.object({
  accountId: z.int().optional(),
  token: z.string().max(200).default(''),
  clientType: z.int().min(0).max(255).default(6),
  serverId: z.int().default(0),
  machineId: z.string().max(200).optional(),
  lastIdentity: z.union([z.string().regex(/^\d{0,18}$/), z.int().min(0).transform(String)]).default(''),
  epoch: z.string().max(64).default(''),
})

/** What a client says, as bytes. */
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

/** Reads what a client says; undefined for what is no frame, and for one that clients do not send. */
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

/** Reads what a server says, in the shape that the JSON channel has; undefined for what is no frame. */
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
