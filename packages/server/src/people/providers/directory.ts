/*
 * Reads a company's directory (LDAP, Active Directory). A directory may be down, slow, or answer with half a list:
 * every function here either returns something complete or rejects with a `DirectoryFailure`. What a person typed is
 * escaped before it becomes part of a filter.
 */
import { connect } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { LdapSettings } from '@cloudoc/contract'
import { Client, type Entry, escapeFilter, InvalidCredentialsError, NoSuchObjectError } from 'ldapts'
import { isForbiddenHost, lookupAllowed } from '../../core/outbound-http.ts'
import { usableName } from './accounts.ts'

const connectMs = 5000
const answerMs = 30_000
const pageSize = 500
/** Depth of nested groups. A cycle ends before, because each group is read once. */
const maxGroups = 5000

export type DirectoryProblem = 'unreachable' | 'encryption' | 'credentials' | 'base' | 'search'

/** Why a directory has not answered completely. */
export class DirectoryFailure extends Error {
  override name = 'DirectoryFailure'
  readonly kind: DirectoryProblem

  constructor(kind: DirectoryProblem, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/** A person of the directory, as its attributes say. */
export interface DirectoryPerson {
  readonly externalId: string
  readonly dn: string
  readonly account: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly title: string
  /** The names from the company down. Undefined: the directory does not say. */
  readonly department: readonly string[] | undefined
  readonly disabled: boolean
  /** The values of the attributes that rules name. One without values is absent. */
  readonly values: Readonly<Record<string, readonly string[]>>
}

/** An open, bound connection. */
export interface Directory {
  /** The address that answered. */
  readonly url: string
  /** Looks for the person with this account name. Undefined: none, or more than one. */
  find(account: string): Promise<DirectoryPerson | undefined>
  /** All people, page by page, to the last page. */
  people(): AsyncIterable<DirectoryPerson | { readonly unusable: string }>
  /**
   * The people in a group, also through groups in it. Those of `people` are no groups and are not read.
   */
  membersOf(groupDn: string, people: ReadonlySet<string>): Promise<GroupMembers>
  /** Whether this is the password of that entry. */
  checkPassword(dn: string, password: string): Promise<PasswordAnswer>
}

/** The people in a group. */
export interface GroupMembers {
  /** Their normalized names (DN). */
  readonly members: ReadonlySet<string>
  /**
   * Members that another directory would have to tell of (a referral), such as a group of another domain: whether
   * others are in the group through them is unknown.
   */
  readonly elsewhere: readonly string[]
}

/** What a directory says about a password. `unusable`: the account is disabled, locked or expired, whatever it was. */
export type PasswordAnswer = 'right' | 'wrong' | 'unusable'

/** Connects to the first address that answers, binds, and does the work. */
export async function withDirectory<T>(
  settings: LdapSettings,
  secret: string,
  work: (directory: Directory) => Promise<T>,
): Promise<T> {
  let failure: DirectoryFailure | undefined
  for (const url of settings.urls) {
    const client = clientFor(settings, url)
    try {
      await open(client, settings, url)
      await bind(client, settings, secret)
    } catch (error) {
      await client.unbind().catch(() => undefined)
      failure = failureOf(error)
      // Another address would refuse the same password, and each refusal counts towards a lock of the account.
      if (failure.kind === 'credentials') break
      continue
    }
    try {
      return await work(directoryOf(client, settings, url))
    } catch (error) {
      throw isLdapError(error) ? failureOf(error) : error
    } finally {
      await client.unbind().catch(() => undefined)
    }
  }
  throw failure ?? new DirectoryFailure('unreachable', 'no address')
}

function tlsOptionsOf(settings: LdapSettings, url: string): ConnectionOptions {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return { host, servername: host, ...(settings.certificate !== '' && { ca: settings.certificate }) }
}

function clientFor(settings: LdapSettings, url: string): Client {
  if (isForbiddenHost(url.replace(/^ldap/i, 'http'))) {
    throw new DirectoryFailure('unreachable', 'an address that is never asked')
  }
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const at = { host, port: Number(port) || (protocol === 'ldaps:' ? 636 : 389), lookup: lookupAllowed }
  return new Client({
    url,
    timeout: answerMs,
    connectTimeout: connectMs,
    createConnection: () => connect(at),
    createSecureConnection: (...given: unknown[]) =>
      // The client passes the options alone when it upgrades a connection that is open.
      connectTls(
        typeof given[0] === 'object' ? (given[0] as ConnectionOptions) : { ...at, ...tlsOptionsOf(settings, url) },
      ),
  })
}

async function open(client: Client, settings: LdapSettings, url: string): Promise<void> {
  if (!/^ldaps:/i.test(url) && settings.startTls) await client.startTLS(tlsOptionsOf(settings, url))
}

async function bind(client: Client, settings: LdapSettings, secret: string): Promise<void> {
  if (settings.bindDn !== '') await client.bind(settings.bindDn, secret)
}

const isLdapError = (error: unknown): boolean => error instanceof Error && !(error.name === 'ResultError')

/** The kind of a failure, from the error of the connection or of the directory. */
export function failureOf(error: unknown): DirectoryFailure {
  if (error instanceof DirectoryFailure) return error
  const said = error instanceof Error ? error.message : String(error)
  const code = (error as { readonly code?: unknown }).code
  if (error instanceof InvalidCredentialsError) return new DirectoryFailure('credentials', said, error)
  if (error instanceof NoSuchObjectError) return new DirectoryFailure('base', said, error)
  if (typeof code === 'string' && /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code))
    return new DirectoryFailure('encryption', said, error)
  if (typeof code === 'number') return new DirectoryFailure('search', said, error)
  return new DirectoryFailure('unreachable', said, error)
}

const one = (value: Entry[string] | undefined): string => {
  const first = Array.isArray(value) ? value[0] : value
  return (typeof first === 'string' ? first : (first?.toString('utf8') ?? '')).trim()
}

/** An id as text: that of Active Directory is sixteen bytes. */
function idOf(value: Entry[string] | undefined, attribute: string): string {
  const first = Array.isArray(value) ? value[0] : value
  if (first === undefined) return ''
  if (/^objectguid$/i.test(attribute)) return Buffer.from(first as Buffer).toString('hex')
  return typeof first === 'string' ? first : first.toString('utf8')
}

const lifeAttributes = ['userAccountControl', 'accountExpires', 'nsAccountLock', 'pwdAccountLockedTime', 'shadowExpire']
const dayMs = 24 * 60 * 60_000
/** 100 ns units since 1601, as Active Directory counts. */
const fileTimeEpochMs = 11_644_473_600_000

/** Whether the directory has disabled the entry. */
function isDisabled(entry: Entry): boolean {
  const now = Date.now()
  if ((Number(one(entry['userAccountControl'])) & 2) !== 0) return true
  if (one(entry['nsAccountLock']).toLowerCase() === 'true') return true
  // The time of a permanent lock (draft-behera-ldap-password-policy).
  if (one(entry['pwdAccountLockedTime']).startsWith('000001010000')) return true
  const shadow = one(entry['shadowExpire'])
  if (/^\d+$/.test(shadow) && Number(shadow) > 0 && Number(shadow) * dayMs < now) return true
  const expires = one(entry['accountExpires'])
  if (!/^\d+$/.test(expires) || expires === '0' || expires === '9223372036854775807') return false
  return Number(BigInt(expires) / 10_000n) - fileTimeEpochMs < now
}

/** The parts of a distinguished name, unescaped (RFC 4514). */
export function dnParts(dn: string): { readonly name: string; readonly value: string }[] {
  const parts: { name: string; value: string }[] = []
  let name = ''
  let bytes: number[] = []
  let inName = true
  const end = (): void => {
    if (name !== '') parts.push({ name: name.trim().toLowerCase(), value: Buffer.from(bytes).toString('utf8').trim() })
    name = ''
    bytes = []
    inName = true
  }
  for (let at = 0; at < dn.length; at += 1) {
    const sign = dn[at] ?? ''
    if (inName) {
      if (sign === '=') inName = false
      else name += sign
    } else if (sign === '\\') {
      const hex = /^[\da-f]{2}/i.exec(dn.slice(at + 1, at + 3))?.[0]
      if (hex === undefined) bytes.push(...Buffer.from(dn[at + 1] ?? ''))
      else bytes.push(Number.parseInt(hex, 16))
      at += hex === undefined ? 1 : 2
    } else if (sign === ',' || sign === '+' || sign === ';') end()
    else {
      const whole = String.fromCodePoint(dn.codePointAt(at) ?? 0)
      bytes.push(...Buffer.from(whole))
      at += whole.length - 1
    }
  }
  end()
  return parts
}

/** A distinguished name in a form for comparison. */
export const dnKey = (dn: string): string =>
  dnParts(dn)
    .map(({ name, value }) => `${name}=${value.normalize('NFKC').toLowerCase()}`)
    .join(',')

/** The department of an entry as names from the company down. */
function departmentOf(settings: LdapSettings, entry: Entry): readonly string[] | undefined {
  if (settings.departments === 'none') return undefined
  if (settings.departments === 'attribute') {
    const names = one(entry[settings.departmentAttribute])
      .split(/[/\\>＞／]/)
      .map((part) => part.trim())
      .filter((part) => part !== '')
    // An attribute that is missing or empty says nothing: the person stays where they are.
    return names.length === 0 ? undefined : names
  }
  const below = dnParts(entry.dn).slice(0, -dnParts(settings.base).length)
  return below
    .filter(({ name }) => name === 'ou')
    .map(({ value }) => value)
    .reverse()
}

function personOf(settings: LdapSettings, entry: Entry): DirectoryPerson | { readonly unusable: string } {
  const externalId = idOf(entry[settings.idAttribute], settings.idAttribute)
  const account = one(entry[settings.accountAttribute]).normalize('NFKC')
  if (externalId === '' || account === '') return { unusable: entry.dn }
  const read = (attribute: string): string => (attribute === '' ? '' : one(entry[attribute]))
  return {
    externalId,
    dn: entry.dn,
    account,
    name: usableName(one(entry[settings.nameAttribute])) || account,
    email: read(settings.mailAttribute),
    phone: read(settings.phoneAttribute),
    title: read(settings.titleAttribute),
    department: departmentOf(settings, entry),
    disabled: isDisabled(entry),
    values: Object.fromEntries(
      ruleAttributes(settings).flatMap((attribute) => {
        const list = [entry[attribute] ?? []].flat().map((value) => String(value).trim())
        return list.length === 0 ? [] : [[attribute, list]]
      }),
    ),
  }
}

/** The attributes that rules name; a rule without one is about groups. */
const ruleAttributes = ({ rules }: LdapSettings): string[] => [
  ...new Set(rules.flatMap(({ claim }) => (claim === '' ? [] : [claim]))),
]

function directoryOf(client: Client, settings: LdapSettings, url: string): Directory {
  const attributes = [
    ...new Set([
      settings.idAttribute,
      settings.accountAttribute,
      settings.nameAttribute,
      ...[settings.mailAttribute, settings.phoneAttribute, settings.titleAttribute].filter((name) => name !== ''),
      ...(settings.departments === 'attribute' ? [settings.departmentAttribute] : []),
      ...ruleAttributes(settings),
      ...lifeAttributes,
    ]),
  ]
  const asked = { scope: 'sub' as const, attributes, explicitBufferAttributes: ['objectGUID'] }
  return {
    url,

    async find(account) {
      const filter = `(&${settings.filter}(${settings.accountAttribute}=${escapeFilter`${account}`}))`
      const { searchEntries } = await client.search(settings.base, { ...asked, filter, sizeLimit: 2 })
      const [entry] = searchEntries
      if (entry === undefined || searchEntries.length > 1) return undefined
      const person = personOf(settings, entry)
      return 'unusable' in person ? undefined : person
    },

    async *people() {
      const pages = client.searchPaginated(settings.base, {
        ...asked,
        filter: settings.filter,
        paged: { pageSize },
      })
      for await (const { searchEntries } of pages) {
        for (const entry of searchEntries) yield personOf(settings, entry)
      }
    },

    membersOf: (groupDn, people) => membersOf(client, settings.base, groupDn, people),

    async checkPassword(dn, password) {
      // An empty password is an anonymous bind, which succeeds for everybody (RFC 4513).
      if (password === '') return 'wrong'
      const own = clientFor(settings, url)
      try {
        await open(own, settings, url)
        await own.bind(dn, password)
        return 'right'
      } catch (error) {
        if (error instanceof InvalidCredentialsError) return isUnusable(error.message) ? 'unusable' : 'wrong'
        throw failureOf(error)
      } finally {
        await own.unbind().catch(() => undefined)
      }
    },
  }
}

/**
 * Whether a refusal of Active Directory is about the account and not about the password: `data` names the Windows error,
 * such as 533 (disabled), 701 (expired), 773 (has to change the password) and 775 (locked). 525 and 52e are a wrong name
 * and a wrong password.
 */
function isUnusable(message: string): boolean {
  const data = /AcceptSecurityContext error, data ([\da-f]+)/i.exec(message)?.[1]?.toLowerCase()
  return data !== undefined && !['525', '52e'].includes(data)
}

type Searching = Pick<Client, 'search' | 'searchPaginated'>

/** The people in a group, also through groups in it. `base`: where the people are. */
export async function membersOf(
  client: Searching,
  base: string,
  groupDn: string,
  people: ReadonlySet<string>,
): Promise<GroupMembers> {
  const members = new Set<string>()
  const elsewhere: string[] = []
  const read = new Set<string>()
  const waiting = [groupDn]
  for (let dn = waiting.pop(); dn !== undefined; dn = waiting.pop()) {
    const key = dnKey(dn)
    if (people.has(key)) members.add(key)
    if (people.has(key) || read.has(key)) continue
    read.add(key)
    if (read.size > maxGroups) throw new DirectoryFailure('search', `more than ${maxGroups} groups in ${groupDn}`)
    const group = await groupMembers(client, base, dn)
    // The group that was named must be there; another member that is no group is a person whom nobody asks for.
    if (group === undefined && dn === groupDn) throw new DirectoryFailure('base', dn)
    if (group === 'elsewhere') elsewhere.push(dn)
    else waiting.push(...(group ?? []))
  }
  return { members, elsewhere }
}

/** The result code of a server that refers to another one (RFC 4511). */
const referral = 10

const memberAttributes = ['member', 'uniqueMember']

/** All members of a group; undefined if the entry is no group, `elsewhere` if another directory has it. */
async function groupMembers(client: Searching, base: string, dn: string): Promise<string[] | 'elsewhere' | undefined> {
  // Active Directory tells the number of a group only if it is asked for.
  const attributes = ['objectClass', 'primaryGroupToken', ...memberAttributes]
  const found = await client
    .search(dn, { scope: 'base', filter: '(objectClass=*)', attributes })
    .catch((error: unknown) => {
      // A member that was removed.
      if (error instanceof NoSuchObjectError) return { searchEntries: [], searchReferences: [] }
      if ((error as { readonly code?: unknown }).code === referral) return 'elsewhere' as const
      throw error
    })
  if (found === 'elsewhere') return found
  const [entry] = found.searchEntries
  if (entry === undefined) return found.searchReferences.length > 0 ? 'elsewhere' : undefined
  const classes = [entry['objectClass'] ?? []].flat().map((value) => String(value).toLowerCase())
  if (!classes.some((name) => ['group', 'groupofnames', 'groupofuniquenames'].includes(name))) return undefined
  const members: string[] = []
  for (const attribute of memberAttributes) {
    members.push(...[entry[attribute] ?? []].flat().map(String))
    members.push(...(await restOfRange(client, dn, attribute, entry)))
  }
  members.push(...(await primaryMembers(client, base, one(entry['primaryGroupToken']))))
  return members.filter((member) => member !== '')
}

/** The people whose primary group this is. Active Directory does not list them as members. */
async function primaryMembers(client: Searching, base: string, token: string): Promise<string[]> {
  if (!/^\d+$/.test(token)) return []
  const pages = client.searchPaginated(base, {
    ...{ scope: 'sub' as const, attributes: ['objectClass'], paged: { pageSize } },
    filter: `(primaryGroupID=${token})`,
  })
  const members: string[] = []
  for await (const { searchEntries } of pages) members.push(...searchEntries.map(({ dn }) => dn))
  return members
}

/**
 * The values that Active Directory returns in ranges, `member;range=0-1499`: the attribute itself is then empty. The
 * last range ends with `*`.
 */
async function restOfRange(client: Searching, dn: string, attribute: string, first: Entry): Promise<string[]> {
  const rangeIn = (entry: Entry): [string, string] | undefined => {
    const name = Object.keys(entry).find((key) => key.toLowerCase().startsWith(`${attribute.toLowerCase()};range=`))
    return name === undefined ? undefined : [name, name.slice(name.lastIndexOf('-') + 1)]
  }
  const members: string[] = []
  let entry = first
  for (let range = rangeIn(entry); range !== undefined; range = rangeIn(entry)) {
    const [name, last] = range
    members.push(...[entry[name] ?? []].flat().map(String))
    if (last === '*') break
    const attributes = [`${attribute};range=${Number(last) + 1}-*`]
    const { searchEntries } = await client.search(dn, { scope: 'base', filter: '(objectClass=*)', attributes })
    if (searchEntries[0] === undefined) throw new DirectoryFailure('search', `${dn} has gone while it was read`)
    entry = searchEntries[0]
    if (rangeIn(entry) === undefined) throw new DirectoryFailure('search', `${dn}: a range of members is missing`)
  }
  return members
}
