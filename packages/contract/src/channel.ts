// The JSON push channel (decisions "JSON channel"): the catalogue of pushes and the frames that carry them.
import { z } from 'zod'
import { type ContractFeature, type Join, join } from './feature.ts'
import * as features from './features.ts'
import { Time } from './fields.ts'
import type { Delivery, Push, PushCatalogue } from './push.ts'

/** Every push of the product by name. */
export const pushes = join<PushCatalogue>(
  (Object.values(features) as readonly ContractFeature[]).map((feature) => feature.pushes),
  'push',
) as Join<typeof features, 'pushes'>
type Pushes = typeof pushes
export type PushName = keyof Pushes
/** The payload of a push, of the product or of another catalogue. */
export type PushPayload<N extends keyof C, C extends PushCatalogue = Pushes> = z.output<C[N]['payload']>
/** The pushes with a given delivery mode. */
export type PushesBy<D extends Delivery, C extends PushCatalogue = Pushes> = {
  [N in keyof C]: C[N]['delivery'] extends D ? N : never
}[keyof C]
/** The pushes that are stored as notices. */
export type NoticeName<C = Pushes> = {
  [N in keyof C]: C[N] extends { readonly notice: object } ? N : never
}[keyof C]
/** The input for creating a push. A notice gets its id (`remindId`) when it is stored. */
export type PushContent<N extends keyof C, C extends PushCatalogue = Pushes> =
  N extends NoticeName<C> ? Omit<PushPayload<N, C>, 'remindId'> : PushPayload<N, C>
/** A push with its payload. */
export type PushOf<N extends keyof C, C extends PushCatalogue = Pushes> = {
  [K in N]: { readonly name: K; readonly payload: PushPayload<K, C> }
}[N]
/** One handler per push; a missing one is a compile error. */
export type PushHandlers<Context> = { [N in PushName]: (payload: PushPayload<N>, context: Context) => void }

/** Path of the JSON push channel, relative to the API base ([R308]). */
export const PUSH_PATH = '/services2/ws/pushMessage'
/** The same channel under the base path of instant messaging ([R299]). */
export const TALK_PUSH_PATH = '/im/ws'

/** Frames sent by a client. */
export const ClientFrame = z.discriminatedUnion('cmd', [
  z.strictObject({
    cmd: z.literal('login'),
    accountId: z.int().optional(),
    /** Empty when the session cookie of the page is used. */
    token: z.string().max(200).default(''),
    clientType: z.int().min(0).max(255).default(6),
    serverId: z.int().default(0),
    machineId: z.string().max(200).optional(),
    /** The last event identity that the client has received in this epoch. */
    lastIdentity: z
      .string()
      .regex(/^\d{0,18}$/)
      .default(''),
    epoch: z.string().max(64).default(''),
  }),
  z.strictObject({ cmd: z.literal('heartbeat') }),
])
export type ClientFrame = z.input<typeof ClientFrame>
/** A client frame as parsed by the server. */
export type ReadClientFrame = z.output<typeof ClientFrame>

/** Identity of frames that have no position in the event sequence. */
export const noIdentity = '0'

/** Frames of the channel itself. They are not pushes, are not stored and have no position in the event sequence. */
export const channelFrames = {
  heartbeat: { type: 1, summary: 'The server is there', payload: z.strictObject({}) },
  /** Answers a login; also sent to clients that must fetch again. */
  welcome: {
    type: 18,
    summary: 'The login is accepted; or later: read again what you show',
    payload: z.strictObject({
      serverTime: Time,
      epoch: z.string().describe('Of this installation and its database; positions of another epoch mean nothing.'),
      lastIdentity: z.string().describe('The newest identity at login; the client continues from here.'),
      backlog: z.int().describe('How many pushes follow at once from the replay.'),
      refetch: z.boolean().describe('True when the gap is too long to replay: fetch again what is shown.'),
    }),
  },
  /** The login is rejected, or the session has ended. */
  refusal: {
    type: 19,
    summary: 'The login is not accepted, or the session has ended; the socket closes',
    payload: z.strictObject({ code: z.int(), msg: z.string() }),
  },
} as const

type Frames = Pushes & typeof channelFrames
type FrameName = keyof Frames

const frameOf = <const T extends number, S extends z.ZodType, I extends z.ZodType<string>>(
  { type, payload }: { readonly type: T; readonly payload: S },
  identity: I,
) => z.strictObject({ pushType: z.literal(type), identity, epoch: z.string(), data: payload })

type FrameOf<P> = P extends Push<infer T, Delivery, infer S> ? ReturnType<typeof frameOf<T, S, z.ZodString>> : never

/** Returns the schema of the frames of a server with this push catalogue. */
export function serverFrame<C extends PushCatalogue>(catalogue: C) {
  const own = z.literal(noIdentity)
  return z.discriminatedUnion('pushType', [
    frameOf(channelFrames.heartbeat, own),
    frameOf(channelFrames.welcome, own),
    frameOf(channelFrames.refusal, own),
    ...(Object.values(catalogue).map((push) => frameOf(push, z.string())) as FrameOf<C[keyof C]>[]),
  ])
}

/** Frames sent by a server. */
export const ServerFrame = serverFrame(pushes)
export type ServerFrame = z.output<typeof ServerFrame>

const types: Readonly<Record<string, { readonly type: number }>> = { ...pushes, ...channelFrames }

/** Returns whether a frame has one of the given names. */
export function isFrame<N extends FrameName>(
  frame: ServerFrame,
  ...names: readonly N[]
): frame is Extract<ServerFrame, { pushType: Frames[N]['type'] }> {
  return names.some((name) => types[name]?.type === frame.pushType)
}

/** Maps the numbers on the wire to the push names of a catalogue; undefined for unknown numbers. */
export function pushNames<N extends string>(catalogue: Readonly<Record<N, Push>>): ReadonlyMap<number, N> {
  return new Map(Object.entries<Push>(catalogue).map(([name, { type }]) => [type, name as N]))
}
