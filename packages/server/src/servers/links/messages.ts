/*
 * Signed messages between two servers. The sender signs the name of the call and all other fields of its input with its
 * key; the message names the key of the receiver. The receiver takes it once, within some minutes by its own clock.
 *
 *   cloudoc-server-1 \n call \n the fields but `signature` as JSON, with sorted names
 */
import { randomBytes } from 'node:crypto'
import type { CallInput, CallName, Fields } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import type { Db } from '../../core/db/database.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import type { Secrets } from '../../core/secrets.ts'
import { currentKey, isSignedBy, type OwnKey, ownKey } from './keys.ts'

type Sealing = Pick<Secrets, 'signingKey'>

/** The fields by which a message is signed. */
export type SignedFields = {
  readonly from: string
  readonly to: string
  readonly sentAt: number
  readonly nonce: string
  readonly signature: string
}

/** A linked server, as messages to and from it need it. */
export interface Peer {
  readonly id: number
  readonly name: string
  readonly api_host: string
  readonly ca_certificate: string
  readonly public_key: string
  readonly told_key: string
  readonly admits: boolean
  readonly visits: boolean
  readonly same_names: boolean
  readonly is_paused: boolean
}

/** The columns of a {@link Peer}. */
export const peerColumns = [
  'linked_server.id',
  'name',
  'api_host',
  'ca_certificate',
  'linked_server.public_key',
  'told_key',
  'admits',
  'visits',
  'same_names',
  'is_paused',
] as const

/** How far the clocks of two servers may differ. */
export const clockTolerance = 300_000
/** The messages that were taken. */
const takenMessages = oneTimeToken<Record<string, never>>('serverMessage')

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]))
}

function signedText(call: string, { signature: _, ...fields }: Fields): string {
  return `cloudoc-server-1\n${call}\n${JSON.stringify(sorted(fields))}`
}

/** The key with which this server signs messages to the other one: the newest that the other knows. */
export async function keyFor(db: Db, secrets: Sealing, peer: Peer, now: number): Promise<OwnKey> {
  const told = peer.told_key === '' ? undefined : await ownKey(db, secrets, peer.told_key)
  return told ?? currentKey(db, secrets, now)
}

/** Adds the fields that prove to the other server who sends an input. Nothing in the input may be a default. */
export function signMessage<I extends Fields>(
  call: string,
  input: I,
  { key, peer, now }: { readonly key: OwnKey; readonly peer: Peer; readonly now: number },
): I & SignedFields {
  const message = {
    ...input,
    ...{ from: key.publicKey, to: peer.public_key, sentAt: now, nonce: randomBytes(24).toString('base64url') },
  }
  return { ...message, signature: key.sign(signedText(call, message)) }
}

/** Why a message is not taken, and from which server it is. */
export type Refusal = 'unknown' | 'revoked' | 'paused' | 'clock' | 'forged' | 'otherKey'

/** Finds out who has sent a message. Does not consume it. */
export async function readMessage(
  db: Db,
  secrets: Sealing,
  call: string,
  input: SignedFields & Fields,
  now: number,
): Promise<{ readonly peer: Peer; readonly isOldKey: boolean } | Refusal> {
  if (!isSignedBy(input.from, signedText(call, input), input.signature)) return 'forged'
  if ((await ownKey(db, secrets, input.to)) === undefined) return 'otherKey'
  const row = await db
    .selectFrom('linked_server_key as k')
    .innerJoin('linked_server', 'linked_server.id', 'k.server_id')
    .select([...peerColumns, 'k.retired_at', 'k.revoked_at'])
    .where('k.public_key', '=', input.from)
    .executeTakeFirst()
  if (row === undefined) return 'unknown'
  if (row.revoked_at !== null) return 'revoked'
  if (row.is_paused) return 'paused'
  if (Math.abs(now - input.sentAt) > clockTolerance) return 'clock'
  return { peer: row, isOldKey: row.retired_at !== null }
}

/**
 * Takes a message of a linked server: returns who has sent it, once. Refused (-13) if it is not from a linked server,
 * has been taken already, or is too old. Not valid in `readMessage` alone: a copy of a message would be taken again.
 */
export async function takeMessage(
  db: Db,
  secrets: Sealing,
  call: string,
  input: SignedFields & Fields,
  now: number,
): Promise<Peer> {
  const read = await readMessage(db, secrets, call, input, now)
  if (typeof read === 'string') return fail('interconnectedServerInvalid', reasons[read])
  if (read.isOldKey) return fail('interconnectedServerInvalid', reasons.revoked)
  const isNew = await takenMessages.issueAs(db, `${input.from} ${input.nonce}`, {
    value: {},
    expiresAt: now + 2 * clockTolerance,
  })
  return isNew ? read.peer : fail('interconnectedServerInvalid', reasons.forged)
}

const reasons = {
  unknown: { zh: '对方没有登记本服务器', en: 'the other server does not know this one' },
  revoked: { zh: '密钥已更换或被撤销', en: 'the key was replaced or revoked' },
  paused: { zh: '互联已暂停', en: 'the link is paused' },
  clock: { zh: '两台服务器的时钟相差超过 5 分钟', en: 'the clocks of the two servers differ by more than 5 minutes' },
  forged: { zh: '签名无效，或消息已用过', en: 'the signature is wrong, or the message was used' },
  otherKey: { zh: '消息不是给本服务器的密钥的', en: 'the message is for another key' },
} as const

type Messages = { readonly [N in CallName]: Omit<CallInput<N>, keyof SignedFields> }
/** The input of a call that a linked server signs, without the fields that sign it. */
export type Message<N extends CallName> = Messages[N]
