/*
 * The rules of the shell that protect the computer from pages: what may be opened where, and what a page is permitted.
 * Everything that is not named is refused.
 */
import { isAbsolute } from 'node:path'
import {
  cloudLinkExt,
  encryptedExt,
  extNameOf,
  formatItemIdStr,
  localSchemes,
  mainServerId,
  readCloudLink,
  readEncryptedHeader,
} from '@cloudoc/domain'

/** Where a navigation or a new window of a page leads to. */
export type Leads = 'here' | 'browser' | 'nowhere'

/** The decision about an address, for pages of one server. Other web pages open in the browser of the system. */
export function leadsTo(address: string, server: string): Leads {
  let url: URL
  try {
    url = new URL(address)
  } catch {
    return 'nowhere'
  }
  if (url.username !== '' || url.password !== '') return 'nowhere'
  if (url.origin === server && (url.protocol === 'https:' || url.protocol === 'http:')) return 'here'
  return ['https:', 'http:', 'mailto:'].includes(url.protocol) ? 'browser' : 'nowhere'
}

const permitted: readonly string[] = [
  'clipboard-sanitized-write',
  'clipboard-read',
  'fullscreen',
  'notifications',
  'fileSystem',
]

/** Whether a page may use a function of the browser. Only pages of the server, and no camera, place or device. */
export function isPermitted(permission: string, address: string, server: string): boolean {
  return leadsTo(address, server) === 'here' && permitted.includes(permission)
}

/** The address of ours on a command line: the only argument after `--`; options after it do not count. */
export function deepLinkOf(args: readonly string[]): string | undefined {
  const at = args.indexOf('--')
  const [address, ...more] = at === -1 ? [] : args.slice(at + 1)
  return address !== undefined && more.length === 0 && isDeepLink(address) ? address : undefined
}

/** Whether an address is one of the schemes that the system hands to the program. */
export const isDeepLink = (address: string): boolean =>
  address.length <= 4096 && Object.values(localSchemes).some((scheme) => address.startsWith(`${scheme}://open?`))

/** The target of a router-change request ([R364]). */
export type RouteTarget =
  | { readonly kind: 'window'; readonly address: string }
  | { readonly kind: 'route'; readonly path: string }

/** `{address}` stands for the server; it, http:// and https:// lead the whole window there, all else is a route. */
export function routeTarget(target: string, server: string): RouteTarget {
  const address = target.replace(/^\{address\}/, server)
  return /^https?:\/\//.test(address) ? { kind: 'window', address } : { kind: 'route', path: target }
}

/** Whether the window comes to the front after a router change: always, but for /empty ([R364]). */
export const comesToFront = (target: string): boolean => !/^\/empty(?:[/?#]|$)/.test(target)

/** The path of a link file or an encrypted download that the system opens with the program: the last argument. */
export function openedFileOf(args: readonly string[]): string | undefined {
  const last = args.at(-1) ?? ''
  return isAbsolute(last) && [cloudLinkExt, encryptedExt].includes(extNameOf(last)) ? last : undefined
}

/** The address of the list of its items ([R131], [R132]); undefined if it is of another server or damaged. */
export function listAddressOf(path: string, content: Uint8Array, server: string): string | undefined {
  const ids = extNameOf(path) === cloudLinkExt ? idsOfLink(content, server) : idsOfEncrypted(content)
  return ids && `/window/cloudoc-dmcdFilelist?${new URLSearchParams(ids)}`
}

function idsOfLink(content: Uint8Array, server: string): Record<string, string> | undefined {
  const link = readCloudLink(new TextDecoder().decode(content))
  return link?.server === server ? { itemIdStr: link.items.map(formatItemIdStr).join(',') } : undefined
}

function idsOfEncrypted(content: Uint8Array): Record<string, string> | undefined {
  const header = readEncryptedHeader(content)
  if (header === undefined) return undefined
  const ids = header.files.split(',').map((one) => {
    const fType = one.startsWith('fo_') ? 2 : 1
    return formatItemIdStr({ serverId: mainServerId, fType, fId: Number(one.slice(3)) })
  })
  return { itemIdStr: ids.join(','), version: String(header.version) }
}
