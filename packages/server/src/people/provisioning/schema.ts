/*
 * The attributes of users and groups (RFC 7643). One table is the source of /Schemas, of the reading of what is sent, of
 * filters and of PATCH. Names are compared without regard to case; what the table does not have is left out.
 */
import { refuse } from './refusal.ts'

export const schemaUrns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
} as const
export const messageUrns = {
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type Complex = Readonly<Record<string, Json>>
/** The attributes of a resource as they are stored: by their names in the table. */
export type Resource = Record<string, Json>

export interface Attribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'complex' | 'dateTime' | 'reference' | 'binary'
  readonly description: string
  readonly multi?: true
  readonly caseExact?: true
  readonly required?: true
  readonly mutability?: 'readOnly' | 'writeOnly' | 'immutable'
  readonly returned?: 'always' | 'never'
  readonly uniqueness?: 'server'
  readonly sub?: readonly Attribute[]
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  ...{ name, type: 'string', description },
  ...more,
})
/** A list of values with a type and one primary value, as addresses and numbers are. */
const plural = (name: string, description: string, type: Attribute['type'] = 'string'): Attribute => ({
  ...{ name, type: 'complex', multi: true, description },
  sub: [
    { name: 'value', type, description: 'The value.' },
    text('display', 'How it is shown.'),
    text('type', 'What it is for, such as work.'),
    { name: 'primary', type: 'boolean', description: 'Whether it is the preferred one.' },
  ],
})

const common: readonly Attribute[] = [
  text('id', 'The id of the resource. It never changes.', {
    ...{ caseExact: true, mutability: 'readOnly', returned: 'always', uniqueness: 'server' },
  }),
  text('externalId', 'The id at the provisioning system.', { caseExact: true }),
  {
    ...{ name: 'meta', type: 'complex', description: 'Facts about the resource.', mutability: 'readOnly' },
    sub: [
      text('resourceType', 'User or Group.', { caseExact: true, mutability: 'readOnly' }),
      { name: 'created', type: 'dateTime', description: 'When it was created.', mutability: 'readOnly' },
      { name: 'lastModified', type: 'dateTime', description: 'When it was changed.', mutability: 'readOnly' },
      text('location', 'Its address.', { caseExact: true, mutability: 'readOnly' }),
      text('version', 'Its version, an entity tag.', { caseExact: true, mutability: 'readOnly' }),
    ],
  },
]

const userAttributes: readonly Attribute[] = [
  text('userName', 'The account to sign in with. Compared without regard to case.', {
    ...{ required: true, uniqueness: 'server' },
  }),
  {
    ...{ name: 'name', type: 'complex', description: 'The parts of the name.' },
    sub: ['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'].map((name) =>
      text(name, 'A part of the name.'),
    ),
  },
  text('displayName', 'The name that people see.'),
  text('nickName', 'Stored only.'),
  { name: 'profileUrl', type: 'reference', description: 'Stored only.' },
  text('title', 'The position.'),
  text('userType', 'Stored only.'),
  text('preferredLanguage', 'Stored only.'),
  text('locale', 'Stored only.'),
  text('timezone', 'Stored only.'),
  { name: 'active', type: 'boolean', description: 'False: the account is frozen. Its files stay.' },
  text('password', 'Never stored: people sign in by a provider, or set a password here.', {
    ...{ mutability: 'writeOnly', returned: 'never' },
  }),
  plural('emails', 'Mail addresses. The primary one, or the first, is the address of the account.'),
  plural('phoneNumbers', 'Telephone numbers. The one of type mobile, or the primary one, is that of the account.'),
  plural('ims', 'Stored only.'),
  plural('photos', 'Stored only.', 'reference'),
  {
    ...{ name: 'addresses', type: 'complex', multi: true, description: 'Stored only.' },
    sub: [
      ...['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country', 'type'].map((name) =>
        text(name, 'A part of the address.'),
      ),
      { name: 'primary', type: 'boolean', description: 'Whether it is the preferred one.' },
    ],
  },
  {
    ...{ name: 'groups', type: 'complex', multi: true, mutability: 'readOnly' },
    description: 'The groups of the person. They change by the groups.',
    sub: [
      text('value', 'The id of the group.', { mutability: 'readOnly' }),
      { name: '$ref', type: 'reference', description: 'Its address.', mutability: 'readOnly' },
      text('display', 'Its name.', { mutability: 'readOnly' }),
      text('type', 'direct', { mutability: 'readOnly' }),
    ],
  },
  plural('entitlements', 'Stored only.'),
  plural('roles', 'Stored only. Roles of this server follow from groups.'),
  plural('x509Certificates', 'Stored only.', 'binary'),
]

const enterpriseAttributes: readonly Attribute[] = [
  text('employeeNumber', 'Stored only.'),
  text('costCenter', 'Stored only.'),
  text('organization', 'Stored only.'),
  text('division', 'Stored only.'),
  text('department', 'The department, where the provider is set up so: A/B is B below A.'),
  {
    ...{ name: 'manager', type: 'complex', description: 'Stored only.' },
    sub: [
      text('value', 'The id of the manager.'),
      { name: '$ref', type: 'reference', description: 'The address of the manager.' },
      text('displayName', 'The name of the manager.'),
    ],
  },
]

const groupAttributes: readonly Attribute[] = [
  text('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
  {
    ...{ name: 'members', type: 'complex', multi: true, description: 'The people of the group. No groups in groups.' },
    sub: [
      text('value', 'The id of the person.', { mutability: 'immutable' }),
      { name: '$ref', type: 'reference', description: 'The address of the person.', mutability: 'immutable' },
      text('display', 'The name of the person.', { mutability: 'readOnly' }),
      text('type', 'User', { mutability: 'immutable' }),
    ],
  },
]

export interface Kind {
  readonly name: 'User' | 'Group'
  readonly urn: string
  readonly attributes: readonly Attribute[]
  readonly extensions: Readonly<Record<string, readonly Attribute[]>>
}

export const userKind: Kind = {
  ...{ name: 'User', urn: schemaUrns.user, attributes: [...common, ...userAttributes] },
  extensions: { [schemaUrns.enterprise]: enterpriseAttributes },
}
export const groupKind: Kind = {
  ...{ name: 'Group', urn: schemaUrns.group, attributes: [...common, ...groupAttributes], extensions: {} },
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
export const attributeIn = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((attribute) => same(attribute.name, name))

/** An attribute, the extension that it belongs to, and a part of it. */
export interface Place {
  readonly extension: string | undefined
  readonly attribute: Attribute
  readonly sub: Attribute | undefined
}

/** Splits a leading URN off a path. An URN has colons and dots of its own, so it is compared as a whole. */
export function splitUrn(kind: Kind, path: string): { readonly extension: string | undefined; readonly rest: string } {
  const urns = [kind.urn, ...Object.keys(kind.extensions)]
  const urn = urns.find((one) => same(path.slice(0, one.length), one) && [':', ''].includes(path.charAt(one.length)))
  if (urn === undefined) return { extension: undefined, rest: path }
  return { extension: urn === kind.urn ? undefined : urn, rest: path.slice(urn.length + 1) }
}

/** The attribute at a path such as `name.familyName` or `urn:…:User:department`. */
export function placeOf(kind: Kind, path: string): Place | undefined {
  const { extension, rest } = splitUrn(kind, path)
  const [name = '', part, ...more] = rest.split('.')
  const attribute = attributeIn(extension === undefined ? kind.attributes : (kind.extensions[extension] ?? []), name)
  if (attribute === undefined || more.length > 0) return undefined
  const sub = part === undefined ? undefined : attributeIn(attribute.sub ?? [], part)
  return part !== undefined && sub === undefined ? undefined : { extension, attribute, sub }
}

export const isComplex = (value: Json | undefined): value is Complex =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const longestText = 4000
const mostValues = 200

/** One value of an attribute. Booleans may be texts, as Entra sends them. Undefined: nothing is set. */
function valueOf(attribute: Attribute, value: Json): Json | undefined {
  const { name, type, sub } = attribute
  const wrong = (): never => refuse(400, `${name}: ${type} expected`, 'invalidValue')
  if (value === null) return undefined
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value
    return typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : wrong()
  }
  if (type === 'complex') {
    // Some systems send the id of the manager alone.
    const given: Json = typeof value === 'string' ? { value } : value
    if (!isComplex(given)) return wrong()
    const kept = Object.entries(given).flatMap(([key, part]) => {
      const known = attributeIn(sub ?? [], key)
      const read = known && known.mutability !== 'readOnly' ? valueOf(known, part) : undefined
      return known === undefined || read === undefined ? [] : [[known.name, read] as const]
    })
    return kept.length === 0 ? undefined : Object.fromEntries(kept)
  }
  const written = typeof value === 'number' ? String(value) : value
  if (typeof written !== 'string') return wrong()
  if (written.length > longestText) return refuse(400, `${name}: too long`, 'invalidValue')
  return written
}

/** The value of an attribute as it is stored. Undefined: the attribute is not set. */
export function readValue(attribute: Attribute, value: Json): Json | undefined {
  if (attribute.multi !== true)
    return valueOf(attribute, isList(value) && value.length === 1 ? (value[0] ?? null) : value)
  if (value === null) return undefined
  const list = isList(value) ? value : [value]
  if (list.length > mostValues && attribute.name !== 'members')
    return refuse(400, `${attribute.name}: too many values`, 'tooMany')
  const read = list.flatMap((one) => valueOf(attribute, one) ?? [])
  return read.length === 0 ? undefined : onePrimary(read, read.findLastIndex(isPrimary))
}

const isPrimary = (value: Json): boolean => isComplex(value) && value['primary'] === true
/** At most one value of a list is the primary one. */
export const onePrimary = (list: readonly Json[], at: number): Json[] =>
  list.map((value, index) =>
    isComplex(value) && isPrimary(value) && index !== at ? { ...value, primary: false } : value,
  )

/** Reads a whole resource. What only the server sets, and the password, are left out. */
export function readResource(kind: Kind, body: Json): Resource {
  if (!isComplex(body)) return refuse(400, 'an object is expected', 'invalidSyntax')
  const resource: Resource = {}
  const put = (attributes: readonly Attribute[], from: Complex, into: Resource): void => {
    for (const [key, value] of Object.entries(from)) {
      const attribute = attributeIn(attributes, key)
      if (attribute === undefined || attribute.mutability !== undefined) continue
      const read = readValue(attribute, value)
      if (read !== undefined) into[attribute.name] = read
    }
  }
  put(kind.attributes, body, resource)
  for (const [urn, attributes] of Object.entries(kind.extensions)) {
    const given = Object.entries(body).find(([key]) => same(key, urn))?.[1]
    if (!isComplex(given)) continue
    const inside: Resource = {}
    put(attributes, given, inside)
    if (Object.keys(inside).length > 0) resource[urn] = inside
  }
  for (const { name, required } of kind.attributes) {
    const value = resource[name]
    if (required === true && (typeof value !== 'string' || value.trim() === ''))
      return refuse(400, `${name} is missing`, 'invalidValue')
  }
  return resource
}

/** The attributes that a request names, and that it leaves out. */
export interface Wanted {
  readonly attributes?: readonly string[] | undefined
  readonly excluded?: readonly string[] | undefined
}

/** Leaves what was asked for of an answer. The id and the schemas always stay. */
export function project(kind: Kind, full: Resource, { attributes, excluded }: Wanted): Resource {
  const always = ['schemas', 'id']
  const chosen = (names: readonly string[]): Place[] => names.flatMap((name) => placeOf(kind, name.trim()) ?? [])
  if (attributes !== undefined && attributes.length > 0) {
    const kept: Resource = Object.fromEntries(always.flatMap((key) => (key in full ? [[key, full[key] ?? null]] : [])))
    for (const { extension, attribute, sub } of chosen(attributes)) {
      const from = extension === undefined ? full : full[extension]
      const value = isComplex(from) ? from[attribute.name] : undefined
      if (value === undefined) continue
      const part = sub === undefined ? value : only(value, sub.name)
      const into = extension === undefined ? kept : { ...(isComplex(kept[extension]) && kept[extension]) }
      const before = into[attribute.name]
      into[attribute.name] = isComplex(before) && isComplex(part) ? { ...before, ...part } : part
      if (extension !== undefined) kept[extension] = into
    }
    return kept
  }
  const kept: Resource = { ...full }
  for (const { extension, attribute, sub } of chosen(excluded ?? [])) {
    if (always.includes(attribute.name)) continue
    const inside = extension === undefined ? kept : { ...(isComplex(kept[extension]) && kept[extension]) }
    const value = inside[attribute.name]
    if (sub === undefined) delete inside[attribute.name]
    else if (value !== undefined) inside[attribute.name] = without(value, sub.name)
    if (extension !== undefined) kept[extension] = inside
  }
  return kept
}

const mapParts = (value: Json, part: (one: Complex) => Complex): Json =>
  isList(value) ? value.map((one) => (isComplex(one) ? part(one) : one)) : isComplex(value) ? part(value) : value
const only = (value: Json, name: string): Json =>
  mapParts(value, (one): Complex => (name in one ? { [name]: one[name] ?? null } : {}))
const without = (value: Json, name: string): Json => mapParts(value, ({ [name]: _, ...rest }) => rest)

const described = ({ name, type, description, multi, sub, ...more }: Attribute): Record<string, unknown> => ({
  ...{ name, type, multiValued: multi ?? false, description },
  required: more.required ?? false,
  caseExact: more.caseExact ?? false,
  mutability: more.mutability ?? 'readWrite',
  returned: more.returned ?? 'default',
  uniqueness: more.uniqueness ?? 'none',
  ...(type === 'reference' && { referenceTypes: ['uri'] }),
  ...(sub !== undefined && { subAttributes: sub.map(described) }),
})

/** The schemas as /Schemas lists them. */
export const schemas = [
  { id: schemaUrns.user, name: 'User', description: 'An account', attributes: userAttributes },
  { id: schemaUrns.enterprise, name: 'EnterpriseUser', description: 'An employee', attributes: enterpriseAttributes },
  { id: schemaUrns.group, name: 'Group', description: 'A group of people', attributes: groupAttributes },
].map((schema) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  ...schema,
  attributes: schema.attributes.map(described),
}))
