// What two servers say to each other about an exchange. Whatever the other one says is parsed by these schemas.
import { itemName } from '@cloudoc/domain'
import { z } from 'zod'

const hex = z.string().regex(/^[0-9a-f]{64}$/)
const short = z.string().max(300)
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
/** The most files of a manifest; an installation permits at most as many. */
const mostFiles = 1000

/** A name that an item may have here. Names of another network are data: they are checked like typed ones. */
const name = z
  .string()
  .max(500)
  .refine((value) => 'name' in itemName(value), 'no name of a file')
/** Names of folders, each with a slash after it. */
const path = z
  .string()
  .max(4000)
  .refine(
    (value) =>
      value === '' ||
      (value.endsWith('/') &&
        value
          .split('/')
          .slice(0, -1)
          .every((part) => 'name' in itemName(part))),
    'no path',
  )

/** What an exchange consists of. */
export const Manifest = z.strictObject({
  number: z.string().regex(/^[\w-]{1,60}$/),
  /** The name of the sending network. */
  from: short,
  sender: z.strictObject({ name: short, group: short }),
  title: z.string().max(500),
  comment: z.string().max(1000),
  secretLevel: z.int().min(0).max(100),
  passwordHash: z.string().max(500),
  approvers: z.array(short).max(300),
  ruleName: short,
  keepDays: z.int().min(1).max(365),
  files: z
    .array(
      z.strictObject({ name, path, bytes: count, sha256: hex, version: count, secretLevel: z.int().min(0).max(100) }),
    )
    .min(1)
    .max(mostFiles),
  /** Ids of people here, or their accounts where there is no wire. */
  receivers: z
    .array(z.strictObject({ userId: count, account: short }))
    .min(1)
    .max(50),
})
export type Manifest = z.output<typeof Manifest>

const number = z.string().max(60)

/** The messages. */
export const Message = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ping') }),
  z.strictObject({
    kind: z.literal('receivers'),
    keyword: z.string().max(64),
    ids: z.array(count).max(50),
  }),
  z.strictObject({ kind: z.literal('offer'), manifest: Manifest }),
  z.strictObject({ kind: z.literal('finish'), number }),
  z.strictObject({ kind: z.literal('recall'), number }),
  z.strictObject({ kind: z.literal('states'), numbers: z.array(number).max(200) }),
])
export type Message = z.output<typeof Message>

/** The announcement of one content. */
export const ContentMessage = z.strictObject({ number, sha256: hex, bytes: count })

/**
 * What is signed: a message, when it was signed, and the fingerprint of the key of the server that it is for. Another
 * server to which it is passed on does not take it.
 */
export const signedEnvelope = <T extends z.ZodType>(message: T) =>
  z.strictObject({ at: z.int(), to: z.string().max(40), message })

/** The answers by kind of message. */
export const replies = {
  ping: z.strictObject({}),
  receivers: z.strictObject({
    list: z
      .array(z.strictObject({ userId: count, account: short, accountName: short, groups: z.array(short).max(70) }))
      .max(50),
  }),
  /** The contents that have not arrived yet. */
  offer: z.strictObject({ missing: z.array(hex).max(mostFiles) }),
  /** Who can pick it up. */
  finish: z.strictObject({ accepted: z.array(count).max(50), expiresAt: z.int() }),
  recall: z.strictObject({ recalled: count }),
  states: z.strictObject({
    list: z
      .array(
        z.strictObject({
          number,
          fetched: z.array(z.strictObject({ userId: count, at: z.int() })).max(50),
          isOver: z.boolean(),
        }),
      )
      .max(200),
  }),
} as const
export type Reply<K extends keyof typeof replies> = z.output<(typeof replies)[K]>
