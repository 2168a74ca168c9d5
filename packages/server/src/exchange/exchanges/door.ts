/*
 * The door for other networks: messages signed with a key that an administrator has entered here, and contents as they
 * are. A message is taken within five minutes by the clock of this server. Whoever sends one twice changes nothing.
 */

import { fail } from '@cloudoc/domain'
import type { StagedContext } from '../../core/call/context.ts'
import type { Services } from '../../core/services.ts'
import { checkDisk, type PendingContent, persist, storeAtomically } from '../../drive/content/index.ts'
import { attempt } from '../../people/auth/index.ts'
import { isSignedBy, peerKeyOf, readNetworks } from '../rules/index.ts'
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
import { ContentMessage, Message, type Reply, type replies } from './messages.ts'
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
  if (signer !== undefined) return signer
  const tried = await attempt(db, undefined, address, now)
  return tried.wrong('interconnectedServerInvalid', true, { call, accountId: null })
}

function parsed<T extends { readonly at: number }>(
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
  envelope: string,
  now: number,
): T {
  let json: unknown
  try {
    json = JSON.parse(envelope)
  } catch {
    return fail('badRequest', 'envelope')
  }
  const read = schema.safeParse(json)
  if (!read.success) return fail('badRequest', 'envelope')
  const ahead = Math.round((read.data.at - now) / 1000)
  if (Math.abs(read.data.at - now) > clockMs)
    return fail('interconnectedServerInvalid', {
      zh: `两台服务器的时钟相差 ${ahead} 秒`,
      en: `the clocks of the two servers differ by ${ahead} seconds`,
    })
  return read.data
}

type Answer = { [K in keyof typeof replies]: Reply<K> }[keyof typeof replies]

/** Receives a message of another network. */
export async function receiveMessage(context: StagedContext, signed: Signed): Promise<{ reply: string }> {
  const origin = await signerOf(context, 'exchangeMessage', signed)
  const message = parsed(Message, signed.envelope, context.now)
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
  { blobs }: Pick<Services, 'blobs'>,
  signed: Signed,
): Promise<Record<string, never>> {
  const origin = await signerOf(context, 'exchangeContent', signed)
  const { number, sha256, bytes } = parsed(ContentMessage, signed.envelope, context.now)
  const arrival = await context.db
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
