/*
 * PATCH (RFC 7644, 3.5.2), with the dialects that systems speak: operations in any case, booleans as texts, keys with dots
 * in place of a path, paths with URNs. The members of groups are apart (`memberChanges`): a change names rows.
 */
import { z } from 'zod'
import { equalities, parseFilter, passes } from './filter.ts'
import { refuse } from './refusal.ts'
import {
  type Attribute,
  attributeIn,
  type Complex,
  isComplex,
  type Json,
  type Kind,
  onePrimary,
  placeOf,
  type Resource,
  readValue,
  splitUrn,
} from './schema.ts'

const mostOperations = 1000

const Body = z.object({
  Operations: z
    .array(z.object({ op: z.string(), path: z.string().max(2000).optional(), value: z.unknown().optional() }))
    .min(1)
    .max(mostOperations),
})

export interface Operation {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string | undefined
  readonly value: Json | undefined
}

const lowerFirst = (body: Json): Json =>
  isComplex(body)
    ? Object.fromEntries(
        Object.entries(body).map(([key, value]) => [key.toLowerCase() === 'operations' ? 'Operations' : key, value]),
      )
    : body

/** Reads the operations of a request. A value without a path becomes one operation for each of its attributes. */
export function operationsOf(kind: Kind, body: Json): Operation[] {
  const read = Body.safeParse(lowerFirst(body))
  if (!read.success) return refuse(400, 'Operations: a list of operations is expected', 'invalidSyntax')
  return read.data.Operations.flatMap(({ op: written, path, value: given }) => {
    const op = written.toLowerCase()
    const value = given as Json | undefined
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      return refuse(400, `${written.slice(0, 50)}: add, replace or remove`, 'invalidSyntax')
    if (path !== undefined && path !== '') {
      const { extension, rest } = splitUrn(kind, path)
      if (extension !== undefined && rest === '') return inside(kind, op, value, `${extension}:`)
      return [{ op, path, value }]
    }
    if (op === 'remove') return refuse(400, 'remove: a path is needed', 'noTarget')
    return inside(kind, op, value, '')
  })
}

/** The operations of the attributes of an object. */
function inside(kind: Kind, op: Operation['op'], value: Json | undefined, prefix: string): Operation[] {
  if (op === 'remove')
    return (kind.extensions[prefix.slice(0, -1)] ?? []).map(({ name }) => ({
      op,
      path: `${prefix}${name}`,
      value: undefined,
    }))
  if (!isComplex(value)) return refuse(400, 'the value without a path is an object', 'invalidValue')
  return Object.entries(value).flatMap(([key, one]) => {
    const { extension, rest } = splitUrn(kind, key)
    if (prefix === '' && extension !== undefined && rest === '') return inside(kind, op, one, `${extension}:`)
    const path = `${prefix}${key}`
    const place = pathOf(kind, path, true)
    // An attribute that we do not have, or that only the server sets, does no harm beside others.
    return place === undefined || place.attribute.mutability === 'readOnly' ? [] : [{ op, path, value: one }]
  })
}

interface Path {
  readonly extension: string | undefined
  readonly attribute: Attribute
  readonly filter: ReturnType<typeof parseFilter> | undefined
  readonly sub: Attribute | undefined
}

/** Reads a path such as `emails[type eq "work"].value`. */
function pathOf(kind: Kind, path: string, isLenient = false): Path | undefined {
  const unknown = (): undefined =>
    isLenient ? undefined : refuse(400, `${path.slice(0, 200)}: unknown attribute`, 'invalidPath')
  const { rest } = splitUrn(kind, path)
  const urn = path.slice(0, path.length - rest.length)
  const [, name = '', written, part] = /^([^[\].]+)(?:\[(.*)\])?(?:\.([^[\].]+))?$/s.exec(rest) ?? []
  const place = placeOf(kind, `${urn}${name}`)
  if (place === undefined) return unknown()
  const { extension, attribute } = place
  const sub = part === undefined ? undefined : attributeIn(attribute.sub ?? [], part)
  if (part !== undefined && sub === undefined) return unknown()
  if (written !== undefined && attribute.multi !== true) return unknown()
  return { extension, attribute, filter: written === undefined ? undefined : parseFilter(written), sub }
}

/** Applies operations to a resource, and returns the new one. */
export function patched(kind: Kind, before: Resource, operations: readonly Operation[]): Resource {
  const resource: Resource = structuredClone(before)
  for (const { op, path = '', value } of operations) {
    const target = pathOf(kind, path) ?? refuse(400, `${path}: unknown attribute`, 'invalidPath')
    const { extension, attribute } = target
    if (attribute.mutability === 'readOnly') refuse(400, `${attribute.name} is set by the server`, 'mutability')
    if (attribute.mutability === 'writeOnly') continue
    const holder: Resource =
      extension === undefined ? resource : isComplex(resource[extension]) ? { ...resource[extension] } : {}
    const now =
      op === 'remove' ? removed(target, holder[attribute.name], path) : put(op, target, holder[attribute.name], value)
    if (now === undefined) {
      if (attribute.required === true) refuse(400, `${attribute.name} cannot be removed`, 'mutability')
      delete holder[attribute.name]
    } else holder[attribute.name] = now
    if (extension === undefined) continue
    if (Object.keys(holder).length === 0) delete resource[extension]
    else resource[extension] = holder
  }
  for (const { name, required } of kind.attributes) {
    const value = resource[name]
    if (required === true && (typeof value !== 'string' || value.trim() === ''))
      refuse(400, `${name} cannot be empty`, 'invalidValue')
  }
  return resource
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])

function removed({ attribute, filter, sub }: Path, own: Json | undefined, path: string): Json | undefined {
  if (attribute.multi !== true) {
    if (sub === undefined) return undefined
    const { [sub.name]: _, ...rest } = isComplex(own) ? own : {}
    return Object.keys(rest).length === 0 ? undefined : rest
  }
  if (filter === undefined && sub === undefined) return undefined
  const list = listOf(own)
  const isHit = (value: Json): boolean => isComplex(value) && (filter === undefined || passes(filter, attribute, value))
  if (!list.some(isHit)) return refuse(400, `${path}: nothing matches`, 'noTarget')
  const kept = list.flatMap((value): readonly Json[] => {
    if (!isHit(value) || !isComplex(value)) return [value]
    if (sub === undefined) return []
    const { [sub.name]: _, ...rest } = value
    return Object.keys(rest).length === 0 ? [] : [rest]
  })
  return kept.length === 0 ? undefined : kept
}

function put(op: 'add' | 'replace', target: Path, own: Json | undefined, value: Json | undefined): Json | undefined {
  const { attribute, filter, sub } = target
  const given = value ?? null
  if (attribute.multi === true) return putInList(op, target, listOf(own), given)
  if (filter !== undefined) return refuse(400, `${attribute.name} has no list of values`, 'invalidPath')
  if (sub !== undefined) {
    const part = readValue(sub, given)
    const { [sub.name]: _, ...rest } = isComplex(own) ? own : {}
    const merged = part === undefined ? rest : { ...rest, [sub.name]: part }
    return Object.keys(merged).length === 0 ? undefined : merged
  }
  const read = readValue(attribute, given)
  // The parts that are not named stay (3.5.2.1, 3.5.2.3).
  return attribute.type === 'complex' && isComplex(own) && isComplex(read) ? { ...own, ...read } : read
}

function putInList(
  op: 'add' | 'replace',
  { attribute, filter, sub }: Path,
  list: readonly Json[],
  given: Json,
): Json | undefined {
  if (filter === undefined && sub === undefined) {
    const read = listOf(readValue(attribute, given))
    if (op === 'replace') return read.length === 0 ? undefined : read
    const fresh = read.filter((one) => !list.some((other) => sameValue(one, other)))
    const all = [...list, ...fresh]
    const primary = all.findLastIndex((one) => isComplex(one) && one['primary'] === true)
    return all.length === 0 ? undefined : onePrimary(all, primary)
  }
  const part = sub === undefined ? undefined : readValue(sub, given)
  const whole =
    sub === undefined ? readValue({ ...attribute, multi: undefined } as unknown as Attribute, given) : undefined
  const change = (value: Complex): Complex => {
    if (sub === undefined) return isComplex(whole) ? { ...value, ...whole } : value
    const { [sub.name]: _, ...rest } = value
    return part === undefined ? rest : { ...rest, [sub.name]: part }
  }
  const hits = list.map((value) => isComplex(value) && (filter === undefined || passes(filter, attribute, value)))
  if (!hits.includes(true)) {
    // Systems add the value of a type that has none yet.
    const fresh = op === 'add' ? (filter === undefined ? {} : equalities(filter, attribute)) : undefined
    if (fresh === undefined) return refuse(400, `${attribute.name}: nothing matches the filter`, 'noTarget')
    return [...list, change(fresh)]
  }
  const all = list.map((value, at) => (hits[at] === true && isComplex(value) ? change(value) : value))
  const setsPrimary = sub?.name === 'primary' ? part === true : isComplex(whole) && whole['primary'] === true
  return setsPrimary ? onePrimary(all, hits.indexOf(true)) : all
}

/** Whether two values of a list are the same one; which of them is primary does not matter. */
function sameValue(one: Json, other: Json): boolean {
  if (!isComplex(one) || !isComplex(other)) return one === other
  const { primary: _, ...left } = one
  const { primary: __, ...right } = other
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].every((key) => JSON.stringify(left[key]) === JSON.stringify(right[key]))
}

/** What an operation does with the members of a group. */
export type MemberChange =
  | { readonly what: 'add' | 'remove' | 'replace'; readonly ids: readonly string[] }
  | { readonly what: 'removeWhere'; readonly filter: ReturnType<typeof parseFilter>; readonly attribute: Attribute }

/** The ids of members that a value names. */
function idsIn(value: Json | undefined): string[] {
  const list = value === undefined || value === null ? [] : Array.isArray(value) ? (value as readonly Json[]) : [value]
  return list.map((one) => {
    const id = isComplex(one) ? one['value'] : one
    if (isComplex(one) && typeof one['type'] === 'string' && one['type'].toLowerCase() === 'group')
      return refuse(400, 'members: groups in groups are not supported', 'invalidValue')
    return typeof id === 'string' || typeof id === 'number'
      ? String(id)
      : refuse(400, 'members: value is missing', 'invalidValue')
  })
}

/** Separates the changes of members from the other operations on a group. */
export function memberChanges(
  kind: Kind,
  operations: readonly Operation[],
): { readonly members: MemberChange[]; readonly rest: Operation[] } {
  const members: MemberChange[] = []
  const rest: Operation[] = []
  for (const operation of operations) {
    const { op, path = '', value } = operation
    const target = pathOf(kind, path)
    if (target?.attribute.name !== 'members') {
      rest.push(operation)
      continue
    }
    const { filter, attribute } = target
    if (target.sub !== undefined && target.sub.name !== 'value')
      refuse(400, 'the parts of a member do not change: remove and add it', 'mutability')
    if (op !== 'remove') {
      if (filter !== undefined) refuse(400, 'members: a filter is for remove', 'invalidPath')
      members.push({ what: op, ids: idsIn(value) })
      continue
    }
    if (filter === undefined) {
      const ids = idsIn(value)
      // A mistake of a system would empty the group.
      if (ids.length === 0) refuse(400, 'remove members: name them by a filter or by value', 'noTarget')
      members.push({ what: 'remove', ids })
      continue
    }
    const ids = idsOfFilter(filter)
    members.push(ids === undefined ? { what: 'removeWhere', filter, attribute } : { what: 'remove', ids })
  }
  return { members, rest }
}

/** The ids of a filter that names members one by one; undefined for any other filter. */
function idsOfFilter(filter: ReturnType<typeof parseFilter>): string[] | undefined {
  if (filter.op === 'or') {
    const parts = filter.filters.map(idsOfFilter)
    return parts.includes(undefined) ? undefined : parts.flatMap((ids) => ids ?? [])
  }
  return filter.op === 'eq' && filter.attrPath.toLowerCase() === 'value' ? [String(filter.compValue)] : undefined
}

/** The ids of the members of a whole group that is sent. */
export function membersIn(body: Json): string[] | undefined {
  if (!isComplex(body)) return undefined
  const given = Object.entries(body).find(([key]) => key.toLowerCase() === 'members')
  return given === undefined ? undefined : idsIn(given[1])
}
