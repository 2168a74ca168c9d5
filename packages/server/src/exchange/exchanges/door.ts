/*
 * The door for other networks: messages signed with a key that an administrator has entered here, and contents as they
 * are. A message is taken if it is for this server, within five minutes by its clock. Whoever sends one twice changes nothing.
 */

import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { StagedContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { checkDisk, type PendingContent, persist, storeAtomically } from '../../drive/content/index.ts'
import { attempt } from '../../people/auth/index.ts'
import { isSignedBy, ownKeys, peerKeyOf, readNetworks } from '../rules/index.ts'
import {
  addArrived,
  announceArrival,
  findReceivers,
  finishArrival,
  lockArrival,
  type Origin,
  recallArrival,
  statesOf,
} from './arrivals.ts'
import { ContentMessage, Message, type Reply, type replies, signedEnvelope } from './messages.ts'
import { signedText } from './wire.ts'

/** How far the clocks of two servers may differ. */
const clockMs = 5 * 60_000

interface Signed {
  readonly envelope: string
  readonly signature: string
}

/** The network that has signed a message; whoever is none of the known ones is refused, and slowed down. */
async function signerOf(context: StagedContext, call: string, { envelope, signature }: Signed): Promise<Origin> {
  const { db, now, address } = context
  const networks = await readNetworks(db)
  const signer = networks.find(({ peerKeys }) => {
    const key = peerKeyOf(peerKeys)
    return key !== undefined && isSignedBy(key, signedText(call, envelope), signature)
  })
  if (signer !== undefined) return (await isPaused(db, signer.serverId)) ? fail('interconnectedServerInvalid') : signer
  const tried = await attempt(db, undefined, address, now)
  return tried.wrong('interconnectedServerInvalid', true, { call, accountId: null })
}

async function isPaused(db: Db, serverId: number | null): Promise<boolean> {
  const { rows } = await sql`select 1 from linked_server where id = ${serverId} and is_paused`.execute(db)
  return rows.length > 0
}

/** Reads a message for this server; `keys` are the fingerprints of the keys that it has had. */
function parsed<T>(
  schema: z.ZodType<T>,
  { envelope }: Signed,
  { keys, now }: { readonly keys: readonly string[]; readonly now: number },
): T {
  let json: unknown
  try {
    json = JSON.parse(envelope)
  } catch {
    return fail('badRequest', 'envelope')
  }
  const read = signedEnvelope(schema).safeParse(json)
  if (!read.success) return fail('badRequest', 'envelope')
  const { at, to, message } = read.data
  if (!keys.includes(to))
    return fail('interconnectedServerInvalid', { zh: '这不是给本服务器的', en: 'this is for another server' })
  const ahead = Math.round((at - now) / 1000)
  if (Math.abs(at - now) > clockMs)
    return fail('interconnectedServerInvalid', {
      zh: `两台服务器的时钟相差 ${ahead} 秒`,
      en: `the clocks of the two servers differ by ${ahead} seconds`,
    })
  return message
}

const keysOf = async (db: Db, secrets: Services['secrets']): Promise<string[]> =>
  (await ownKeys(db, secrets)).map(({ fingerprint }) => fingerprint)

type Answer = { [K in keyof typeof replies]: Reply<K> }[keyof typeof replies]

/** Receives a message of another network. */
export async function receiveMessage(
  context: StagedContext,
  { secrets }: Pick<Services, 'secrets'>,
  signed: Signed,
): Promise<{ reply: string }> {
  const { db, now } = context
  const origin = await signerOf(context, 'exchangeMessage', signed)
  const message = parsed(Message, signed, { keys: await keysOf(db, secrets), now })
  const answer = await context.commit(async (write): Promise<Answer> => {
    switch (message.kind) {
      case 'ping':
        return {}
      case 'receivers':
        return findReceivers(write.tx, message, write.now)
      case 'states':
        return statesOf(write.tx, origin.code, message.numbers)
      case 'offer':
        write.audit({ number: message.manifest.number, targetServerCode: origin.code })
        return { missing: [...(await announceArrival(write, origin, message.manifest))] }
      case 'finish': {
        write.audit({ number: message.number, targetServerCode: origin.code })
        const { accepted, expiresAt } = await finishArrival(write, origin, message.number)
        return { accepted: [...accepted], expiresAt }
      }
      default:
        write.audit({ number: message.number, targetServerCode: origin.code })
        return recallArrival(write, origin.code, message.number)
    }
  })
  return { reply: JSON.stringify(answer) }
}

async function* upTo(most: number, content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const piece of content) {
    size += piece.length
    if (size > most) fail('uploadInterrupted')
    yield piece
  }
}

/** Receives a content that an announced exchange contains. */
export async function receiveContent(
  context: StagedContext,
  { blobs, secrets }: Pick<Services, 'blobs' | 'secrets'>,
  signed: Signed,
): Promise<Record<string, never>> {
  const { db, now } = context
  const origin = await signerOf(context, 'exchangeContent', signed)
  const { number, sha256, bytes } = parsed(ContentMessage, signed, { keys: await keysOf(db, secrets), now })
  const arrival = await db
    .selectFrom('exchange_arrival')
    .select('manifest')
    .where('origin', '=', origin.code)
    .where('number', '=', number)
    .where('complete_at', 'is', null)
    .executeTakeFirst()
  const isPart = arrival?.manifest.files.some((file) => file.sha256 === sha256 && file.bytes === bytes)
  if (context.upload === undefined || isPart !== true) return fail('notFound')
  await checkDisk(blobs, bytes)
  const staged = await blobs.stage(upTo(bytes, context.upload.content))
  if (staged.size !== bytes || staged.sha256.toString('hex') !== sha256) {
    await staged.discard()
    return fail('uploadInterrupted', 'sha256')
  }
  const content: PendingContent = await persist(staged)
  return storeAtomically(context, blobs, [content], async (write) => {
    const { id, complete_at } = await lockArrival(write.tx, origin.code, number)
    if (complete_at !== null) return { made: {}, keys: new Set<string>() }
    return { made: {}, keys: new Set([await addArrived(write, id, content)]) }
  })
}
