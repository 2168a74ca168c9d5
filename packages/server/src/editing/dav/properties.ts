// Properties of resources: those that the server knows, and those that clients store.
import { fail, hasRight, type Rights } from '@cloudoc/domain'
import { sql } from 'kysely'
import { lookup } from 'mrmime'
import type { Db, Tx } from '../../core/db/database.ts'
import { activeLock, type DavLock } from './locks.ts'
import { childOf, childrenOf, type Element, escapeXml, writeElement, writeXml } from './xml.ts'

const owncloud = 'http://owncloud.org/ns'

/** The namespaces and names of properties that the server knows; clients cannot change them. */
const known: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'DAV:',
    [
      ...['resourcetype', 'displayname', 'getcontentlength', 'getcontenttype', 'getetag', 'getlastmodified'],
      ...['creationdate', 'supportedlock', 'lockdiscovery', 'quota-available-bytes', 'quota-used-bytes'],
    ],
  ],
  [owncloud, ['id', 'fileid', 'permissions', 'size', 'checksums']],
])

/** Properties that only a request by name reads. */
const byNameOnly: ReadonlySet<string> = new Set(['quota-available-bytes', 'quota-used-bytes'])

export const isKnown = (ns: string, name: string): boolean => known.get(ns)?.includes(name) === true

/** What properties are made of. */
export interface Described {
  readonly href: string
  readonly isFolder: boolean
  readonly name: string
  /** 0 for the list of libraries, which is no item. */
  readonly id: number
  readonly size: number
  readonly modifiedAt: number
  readonly createdAt: number
  readonly rights: Rights
  /** The hash of the content in hexadecimal digits, if the caller may read it. */
  readonly sha256?: string | undefined
}

/** The strong ETag of a content: the same in GET, PUT and PROPFIND. */
export const etagOf = (sha256: string): string => `"${Buffer.from(sha256, 'hex').toString('base64url')}"`

/** Which properties a PROPFIND asks for. */
export type Asked =
  | { readonly kind: 'all' | 'names' }
  | { readonly kind: 'some'; readonly names: readonly { readonly ns: string; readonly name: string }[] }

const mostAsked = 500

/** Reads the body of a PROPFIND. Without one all properties are meant. */
export function askedOf(body: Element | undefined): Asked {
  if (body === undefined) return { kind: 'all' }
  if (body.ns !== 'DAV:' || body.name !== 'propfind') return fail('badRequest', 'propfind')
  if (childOf(body, 'propname') !== undefined) return { kind: 'names' }
  const prop = childOf(body, 'prop')
  if (prop !== undefined) {
    const names = childrenOf(prop).map(({ ns, name }) => ({ ns, name }))
    return names.length > mostAsked ? fail('badRequest', 'prop') : { kind: 'some', names }
  }
  return childOf(body, 'allprop') === undefined ? fail('badRequest', 'propfind') : { kind: 'all' }
}

/** The quota of the library in which a resource is. */
export interface Quota {
  readonly used: number
  /** Undefined where there is no limit. */
  readonly available: number | undefined
}

/** What a response about one resource reads beside the resource. */
export interface Surroundings {
  readonly stored: readonly StoredProperty[]
  readonly locks: readonly DavLock[]
  readonly quota: Quota | undefined
  readonly now: number
}

export interface StoredProperty {
  readonly item_id: number
  readonly ns: string
  readonly name: string
  readonly value: string
}

/** The rights in the letters of ownCloud's protocol, by which its clients allow changes. */
function lettersOf({ rights, isFolder }: Described): string {
  const letters: readonly (readonly [string, boolean])[] = [
    ['G', hasRight(rights, 'download')],
    ['D', hasRight(rights, 'delete')],
    ['NV', hasRight(rights, 'move')],
    ['W', !isFolder && hasRight(rights, 'modify')],
    ['CK', isFolder && hasRight(rights, 'upload')],
  ]
  return letters.flatMap(([letter, has]) => (has ? [letter] : [])).join('')
}

const dav = (name: string, inside = ''): string => writeElement('DAV:', name, inside)
const lockEntry = (scope: string): string =>
  dav('lockentry', dav('lockscope', dav(scope)) + dav('locktype', dav('write')))

/** The value of a known property as XML; undefined if the resource has none. */
function valueOf(ns: string, name: string, one: Described, { locks, quota, now }: Surroundings): string | undefined {
  const ofFile = <T>(value: T): T | undefined => (one.isFolder ? undefined : value)
  if (ns === owncloud) {
    if (one.id === 0) return undefined
    switch (name) {
      case 'id':
      case 'fileid':
        return String(one.id)
      case 'permissions':
        return lettersOf(one)
      case 'size':
        return ofFile(String(one.size))
      default:
        return one.sha256 === undefined ? undefined : writeElement(owncloud, 'checksum', `SHA256:${one.sha256}`)
    }
  }
  switch (name) {
    case 'resourcetype':
      return one.isFolder ? dav('collection') : ''
    case 'displayname':
      return escapeXml(one.name)
    case 'getcontentlength':
      return ofFile(String(one.size))
    case 'getcontenttype':
      return ofFile(lookup(one.name) ?? 'application/octet-stream')
    case 'getetag':
      return one.sha256 === undefined ? undefined : escapeXml(etagOf(one.sha256))
    case 'getlastmodified':
      return one.id === 0 ? undefined : new Date(one.modifiedAt).toUTCString()
    case 'creationdate':
      return one.id === 0 ? undefined : new Date(one.createdAt).toISOString()
    case 'supportedlock':
      return one.id === 0 ? undefined : lockEntry('exclusive') + lockEntry('shared')
    case 'lockdiscovery':
      return one.id === 0 ? undefined : locks.map((lock) => activeLock(lock, one.href, now)).join('')
    case 'quota-used-bytes':
      return quota === undefined ? undefined : String(quota.used)
    default:
      return quota?.available === undefined ? undefined : String(quota.available)
  }
}

/** The response about one resource. */
export function responseOf(one: Described, asked: Asked, beside: Surroundings): string {
  const found: string[] = []
  const missing: string[] = []
  if (asked.kind === 'some') {
    for (const { ns, name } of asked.names) {
      const value = isKnown(ns, name)
        ? valueOf(ns, name, one, beside)
        : beside.stored.find((stored) => stored.ns === ns && stored.name === name)?.value
      if (value === undefined) missing.push(writeElement(ns, name, ''))
      else found.push(isKnown(ns, name) ? writeElement(ns, name, value) : value)
    }
  } else {
    const isNames = asked.kind === 'names'
    for (const [ns, names] of known) {
      for (const name of names) {
        if (byNameOnly.has(name) || (ns !== 'DAV:' && !isNames)) continue
        const value = valueOf(ns, name, one, beside)
        if (value !== undefined) found.push(writeElement(ns, name, isNames ? '' : value))
      }
    }
    for (const { ns, name, value } of beside.stored) found.push(isNames ? writeElement(ns, name, '') : value)
  }
  return dav(
    'response',
    dav('href', escapeXml(one.href)) +
      (found.length > 0 || missing.length === 0 ? propstat(found, 200) : '') +
      (missing.length > 0 ? propstat(missing, 404) : ''),
  )
}

const phrases: Readonly<Record<number, string>> = {
  200: 'OK',
  403: 'Forbidden',
  404: 'Not Found',
  424: 'Failed Dependency',
}

export const propstat = (props: readonly string[], status: number): string =>
  dav('propstat', dav('prop', props.join('')) + dav('status', `HTTP/1.1 ${status} ${phrases[status] ?? ''}`))

/** The properties that clients have stored on some items. */
export async function storedAt(db: Db, itemIds: readonly number[]): Promise<readonly StoredProperty[]> {
  return db
    .selectFrom('dav_property')
    .select(['item_id', 'ns', 'name', 'value'])
    .where('item_id', 'in', [0, ...itemIds])
    .orderBy('ns')
    .orderBy('name')
    .execute()
}

const mostStored = 200
const longestValue = 65_536

/** One instruction of a PROPPATCH. */
export interface Instruction {
  readonly kind: 'set' | 'remove'
  readonly property: Element
}

/** The instructions of a PROPPATCH in their order. */
export function instructionsOf(body: Element): readonly Instruction[] {
  if (body.ns !== 'DAV:' || body.name !== 'propertyupdate') return fail('badRequest', 'propertyupdate')
  return childrenOf(body).flatMap((part) => {
    if (part.ns !== 'DAV:' || (part.name !== 'set' && part.name !== 'remove')) return []
    const kind = part.name
    return childrenOf(childOf(part, 'prop')).map((property) => ({ kind, property }))
  })
}

/** Stores and removes properties of an item. */
export async function patch(tx: Tx, itemId: number, instructions: readonly Instruction[]): Promise<void> {
  for (const { kind, property } of instructions) {
    const { ns, name } = property
    if (kind === 'remove') {
      await tx
        .deleteFrom('dav_property')
        .where((at) => at.and({ item_id: itemId, ns, name }))
        .execute()
      continue
    }
    const value = writeXml(property)
    if (value.length > longestValue) fail('badRequest', name)
    await tx
      .insertInto('dav_property')
      .values({ item_id: itemId, ns, name, value })
      .onConflict((at) => at.columns(['item_id', 'ns', 'name']).doUpdateSet({ value }))
      .execute()
  }
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from dav_property where item_id = ${itemId}`.execute(tx)
  if ((rows[0]?.count ?? 0) > mostStored) fail('badRequest', 'propertyupdate')
}

/** Copies what clients stored on one item to another. */
export async function copyStored(tx: Tx, from: number, to: number): Promise<void> {
  await sql`
    insert into dav_property (item_id, ns, name, value)
    select ${to}, ns, name, value from dav_property where item_id = ${from}
    on conflict do nothing`.execute(tx)
}
