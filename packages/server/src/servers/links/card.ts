// Reading the name and key of a server that is not linked yet.
import { calls } from '@cloudoc/contract'
import { greetingMs } from './greeting.ts'
import { fingerprintOf } from './keys.ts'
import { parseKnown } from './newer-answers.ts'
import { dataOf, type PeerAddress, PeerFailure, requestPeer } from './transport.ts'

/** Asks a server who it is. Nothing of the answer is trusted before administrators have compared the key. */
export async function readCard(server: PeerAddress, signal: AbortSignal, now: number) {
  const started = performance.now()
  const { method, path } = calls.getServerCard
  const data = await dataOf(await requestPeer(server, path, { method, signal, timeMs: greetingMs }))
  const parsed = parseKnown(calls.getServerCard.data, data)
  if (!parsed.success || !/^[\w-]{43}$/.test(parsed.data.publicKey))
    throw new PeerFailure('interconnectedServerFaulty', 'answer', 'getServerCard: not its schema')
  const { time, ...card } = parsed.data
  return {
    ...card,
    fingerprint: fingerprintOf(card.publicKey),
    ms: Math.round(performance.now() - started),
    aheadSeconds: Math.round((time - now) / 1000),
  }
}
