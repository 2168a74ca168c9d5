/*
 * The addresses of mail servers that people name. Those of this machine and of a cloud's metadata service are refused,
 * because settings of a mailbox would otherwise probe services that nobody but this machine may reach.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { isNeverAsked } from '../outbound-http.ts'
import { MailFailure } from './problems.ts'

/** Hosts of this machine that the operator allows, and when to give up. */
export interface Reaching {
  readonly localHosts: readonly string[]
  readonly signal: AbortSignal
}

const own = new BlockList()
own.addSubnet('127.0.0.0', 8)
own.addSubnet('0.0.0.0', 8)
own.addAddress('::1', 'ipv6')
own.addAddress('::', 'ipv6')
own.addSubnet('::ffff:127.0.0.0', 104, 'ipv6')

/** Resolves a host to one address that may be connected to. Fails with a {@link MailFailure}. */
export async function allowedAddress(host: string, localHosts: readonly string[]): Promise<string> {
  const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true }).catch((error: unknown) => {
    throw new MailFailure('unknownHost', '', false, error)
  })
  for (const { address } of found) {
    const isOwn = own.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
    if (isNeverAsked(address) || (isOwn && !localHosts.includes(host))) throw new MailFailure('forbidden')
  }
  return found[0]?.address ?? Promise.reject(new MailFailure('unknownHost'))
}
