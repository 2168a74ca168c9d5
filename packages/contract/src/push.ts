// The pushes of the live channel, and the frames they travel in (decisions "JSON channel").
import { z } from 'zod'
import { Time } from './fields.ts'

/** How long a push lives: replayed by position, stored for a person until confirmed, or never stored. */
export type PushLife = 'folder' | 'personal' | 'ephemeral'

export interface Push<T extends number = number, S extends z.ZodType = z.ZodType> {
  readonly type: T
  readonly life: PushLife
  readonly payload: S
}
const push = <const T extends number, S extends z.ZodType>(declaration: Push<T, S>): Push<T, S> => declaration

/**
 * One change to one item, as one receiver may know it. A receiver who could see the item before and no longer can gets
 * operateType 4 with the old place and no name.
 */
const ItemChange = z.strictObject({
  serverId: z.int(),
  fId: z.int(),
  /** The change is one to this link ([R121]); fId is 0 then. */
  linkId: z.int().optional(),
  fType: z.union([z.literal(1), z.literal(2)]),
  fName: z.string(),
  /** [R091]: 2 add, 3 edit, 4 delete, 5 restore, 6 copy, 7 move, 8 rename, 11 rights, 12 folder, 13 file deleted. */
  operateType: z.int(),
  operateTime: Time,
  operatorId: z.int(),
  operatorName: z.string(),
  /** Where the item is now; where it was for one that is gone. */
  parentFolderId: z.int(),
  /** Where it was before a move, if the receiver saw it there. */
  beforeParentFolderId: z.int().optional(),
  version: z.int(),
  fileSize: z.int(),
})
export type ItemChange = z.output<typeof ItemChange>

export const pushes = {
  /** Somebody signed in with the same account and client type; this session has ended ([R034], [R312]). */
  loginElsewhere: push({ type: 5, life: 'ephemeral', payload: z.strictObject({ serverId: z.int(), time: Time }) }),
  /** A file was added, changed, moved, deleted … ([R314]). */
  fileChange: push({ type: 7, life: 'folder', payload: ItemChange }),
  /** The same for a folder ([R315]). */
  folderChange: push({ type: 8, life: 'folder', payload: ItemChange }),
  /** Somebody gave the receiver rights on an item, changed or took them ([R214], [R333]). shareType 1 = cancelled. */
  shareRemind: push({
    type: 55,
    life: 'personal',
    payload: z.strictObject({
      serverId: z.int(),
      operatorName: z.string(),
      targetName: z.string(),
      shareType: z.int(),
      docName: z.string(),
      fileId: z.int(),
      folderId: z.int(),
      createTime: Time,
    }),
  }),
}

export type Pushes = typeof pushes
export type PushName = keyof Pushes
export type PushPayload<N extends PushName> = z.output<Pushes[N]['payload']>
/** A reaction to every push; leaving one out does not compile. */
export type PushHandlers<Context> = { [N in PushName]: (payload: PushPayload<N>, context: Context) => void }

/** Frames a client sends. */
export const ClientFrame = z.discriminatedUnion('cmd', [
  z.strictObject({
    cmd: z.literal('login'),
    accountId: z.int().optional(),
    /** Empty where the session cookie of the page serves. */
    token: z.string().max(200).default(''),
    clientType: z.int().min(0).max(255).default(6),
    serverId: z.int().default(0),
    machineId: z.string().max(200).optional(),
    /** The last identity the client has seen, in this epoch. */
    lastIdentity: z
      .string()
      .regex(/^\d{0,18}$/)
      .default(''),
    epoch: z.string().max(64).default(''),
  }),
  z.strictObject({ cmd: z.literal('heartbeat') }),
])
export type ClientFrame = z.input<typeof ClientFrame>

const frame = (name: PushName) =>
  z.strictObject({
    pushType: z.literal(pushes[name].type),
    identity: z.string(),
    epoch: z.string(),
    data: pushes[name].payload,
  })

/** Frames a server sends: 18 after login, 19 when it failed, 1 heartbeat, and the pushes. */
export const ServerFrame = z.union([
  z.strictObject({ pushType: z.literal(1), identity: z.literal('0'), epoch: z.string(), data: z.strictObject({}) }),
  z.strictObject({
    pushType: z.literal(18),
    identity: z.literal('0'),
    epoch: z.string(),
    data: z.strictObject({
      serverTime: Time,
      epoch: z.string(),
      /** The newest identity at login; the client continues from here. */
      lastIdentity: z.string(),
      /** How many pushes follow at once from the replay. */
      backlog: z.int(),
      /** True when the gap is too long to replay: fetch again what is shown. */
      refetch: z.boolean(),
    }),
  }),
  z.strictObject({
    pushType: z.literal(19),
    identity: z.literal('0'),
    epoch: z.string(),
    data: z.strictObject({ code: z.int(), msg: z.string() }),
  }),
  frame('loginElsewhere'),
  frame('fileChange'),
  frame('folderChange'),
  frame('shareRemind'),
])
export type ServerFrame = z.output<typeof ServerFrame>

/** The path of the JSON push channel, below the API's base ([R308]). */
export const PUSH_PATH = '/services2/ws/pushMessage'
