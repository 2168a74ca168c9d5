// Which cause a failure of the network is shown with ([R345]).
import { expect, test } from 'vitest'
import { OutboundFailure } from '../../core/outbound-http.ts'
import { PeerFailure, peerFailure } from './transport.ts'

const causeOf = (code: string): string | undefined => {
  const below = Object.assign(new Error(code), { code })
  const found = peerFailure(new OutboundFailure('silent', 'no answer', new TypeError('failed', { cause: below })))
  return found instanceof PeerFailure ? found.reason : undefined
}

test.each([
  ['ENOTFOUND', 'name'],
  ['EAI_AGAIN', 'name'],
  ['ECONNREFUSED', 'route'],
  ['EHOSTUNREACH', 'route'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'host'],
  ['ETIMEDOUT', 'time'],
])('[R345] %s is shown as the cause %s', (code, cause) => {
  expect(causeOf(code)).toBe(cause)
})

test('[R345] what is no answer of a server of ours has the cause answer, and our own failures none', () => {
  const found = peerFailure(new OutboundFailure('unusable', 'too long'))
  expect(found).toMatchObject({ code: 'interconnectedServerFaulty', reason: 'answer' })
  const own = new Error('ours')
  expect(peerFailure(own)).toBe(own)
})
