// The allowed client addresses, as configured for the installation.
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { InstallationSetting } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'

/** Parses addresses and ranges as entered into a list to match against. Fails if an entry is neither. */
export function addressList(lines: readonly string[]): BlockList {
  const list = new BlockList()
  for (const line of lines) {
    const [address = '', prefix] = line.split('/')
    const type = isIPv6(address) ? 'ipv6' : 'ipv4'
    const bits = prefix === undefined ? undefined : Number(prefix)
    if (isIP(address) === 0 || (bits !== undefined && bits > (type === 'ipv6' ? 128 : 32))) fail('badRequest', line)
    if (bits === undefined) list.addAddress(address, type)
    else list.addSubnet(address, bits, type)
  }
  return list
}

/** Parsed lists, cached by the array in the settings, which is read once per version. */
const lists = new WeakMap<readonly string[], BlockList>()

export function isAllowed({ inner }: Pick<InstallationSetting, 'inner'>, address: string): boolean {
  return inner.allowed_addresses.length === 0 || isListed(inner.allowed_addresses, address)
}

/** Whether an address is in a list of addresses and ranges of the settings. */
export function isListed(lines: readonly string[], address: string): boolean {
  const list = lists.get(lines) ?? addressList(lines)
  lists.set(lines, list)
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.split('%')[0] ?? ''
  return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

export function assertAddress(settings: Pick<InstallationSetting, 'inner'>, address: string): void {
  if (!isAllowed(settings, address)) fail('addressNotAllowed')
}
