/*
 * What the rules of a provider make of a person. A claim is a list, an empty list, or unknown: one that is absent, that a
 * provider keeps back because it is too long, or that cannot be read. What follows from an unknown claim stays as it is
 * (ADR 0333).
 */
import { createHash } from 'node:crypto'
import type { MappingRule, OAuthSettings, OidcSettings, ProviderSettings, SamlSettings } from '@cloudoc/contract'

/** Claims or attributes by name. Null: the provider says that there are values, but not which. */
export type Values = Readonly<Record<string, readonly string[] | null>>

/** The settings of providers whose rules apply at a sign-in. */
export type MappedSettings = OidcSettings | OAuthSettings | SamlSettings

/** Whether people go to a provider by a browser, and its rules apply when they come back. */
export const isMapped = (settings: ProviderSettings): settings is MappedSettings =>
  settings.kind === 'oidc' || settings.kind === 'oauth' || settings.kind === 'saml'

/** The name under which the NameID of a SAML answer is kept. */
export const nameIdName = 'NameID'

const protocolClaims = new Set(
  'iss aud exp iat nbf nonce at_hash c_hash s_hash auth_time acr amr azp sid jti sub rat uti ver xms_st hasgroups'.split(
    ' ',
  ),
)
const deepest = 3

/** The values of OpenID claims. A nested one is named with dots, such as `realm_access.roles`. */
export function valuesOfClaims(claims: Readonly<Record<string, unknown>>): Values {
  const found: [string, readonly string[] | null][] = []
  const scalar = (value: unknown): string | undefined =>
    typeof value === 'string' ? value.trim() : ['number', 'boolean'].includes(typeof value) ? String(value) : undefined
  const read = (name: string, value: unknown, depth: number): void => {
    if (value === null || value === undefined) return
    if (Array.isArray(value)) {
      const list = value.map(scalar)
      // A list of which a part cannot be read is no list.
      found.push([name, list.every((one) => one !== undefined) ? list : null])
    } else if (typeof value === 'object') {
      if (depth < deepest) for (const [key, one] of Object.entries(value)) read(`${name}.${key}`, one, depth + 1)
    } else found.push([name, [scalar(value) ?? '']])
  }
  for (const [name, value] of Object.entries(claims))
    if (!protocolClaims.has(name) && !name.startsWith('_claim_')) read(name, value, 1)
  // Lists that are too long for a token are named elsewhere (OpenID Connect Core 5.6.2; `hasgroups` of Entra).
  const elsewhere = claims['_claim_names']
  if (typeof elsewhere === 'object' && elsewhere !== null)
    for (const name of Object.keys(elsewhere)) found.push([name, null])
  if (String(claims['hasgroups']) === 'true') found.push(['groups', null])
  return Object.fromEntries(found)
}

/** The values of one claim. Undefined: unknown. */
export function valuesFor(
  { absentIsNone }: Pick<MappedSettings, 'absentIsNone'>,
  values: Values,
  name: string,
): readonly string[] | undefined {
  if (name === '') return undefined
  const own = Object.hasOwn(values, name) ? values[name] : undefined
  if (own === null) return undefined
  return own ?? (absentIsNone ? [] : undefined)
}

const first = (values: Values, name: string): string =>
  name !== '' && Object.hasOwn(values, name) ? (values[name]?.[0] ?? '') : ''

const verified = (values: Values, name: string, mark: string): boolean =>
  first(values, mark) === 'true' || (name !== 'email' && name !== 'phone_number')

/** The attributes of an account. */
export interface Attributes {
  readonly account: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly title: string
}

/** The attributes that the values of a person give. An empty one is not told. */
export function attributesOf(settings: MappedSettings, values: Values): Attributes {
  const read = (name: string): string => first(values, name)
  if (settings.kind === 'saml') {
    return {
      account: read(settings.accountAttribute || nameIdName).normalize('NFKC'),
      name: read(settings.nameAttribute),
      email: read(settings.mailAttribute),
      phone: read(settings.phoneAttribute),
      title: read(settings.titleAttribute),
    }
  }
  const { mailClaim, phoneClaim } = settings
  // Only OpenID defines how a provider says that it has verified a value.
  const isVerified = (name: string, mark: string): boolean =>
    settings.kind === 'oauth' ? first(values, `${name}_verified`) !== 'false' : verified(values, name, mark)
  return {
    account: read(settings.accountClaim).normalize('NFKC'),
    name: read(settings.nameClaim),
    // Whose mail address the provider has not verified may not own it.
    email: isVerified(mailClaim, 'email_verified') ? read(mailClaim) : '',
    phone: isVerified(phoneClaim, 'phone_number_verified') ? read(phoneClaim) : '',
    title: read(settings.titleClaim),
  }
}

/** The names of a department that one text holds, from the company down. */
export const departmentNames = (text: string): readonly string[] =>
  text.split(/[/\\>＞／]/).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))

/** What rules give. */
export interface RuleOutcome {
  readonly roleIds: readonly number[]
  /** The department of the first rule that holds. `open`: it cannot be told. Undefined: no rule holds. */
  readonly groupId: number | 'open' | undefined
  /** A rule cannot be told. */
  readonly isOpen: boolean
}

/** What rules give to a person who has these roles by them. `holds` is undefined for a rule that cannot be told. */
export function applyRules(
  rules: readonly MappingRule[],
  hadRoleIds: readonly number[],
  holds: (rule: MappingRule) => boolean | undefined,
): RuleOutcome {
  const [given, open] = [new Set<number>(), new Set<number>()]
  let groupId: RuleOutcome['groupId']
  let isOpen = false
  for (const rule of rules) {
    const does = holds(rule)
    isOpen ||= does === undefined
    if (rule.gives === 'role') {
      if (does === undefined) open.add(rule.id)
      else if (does) given.add(rule.id)
    } else if (groupId === undefined) {
      if (does === undefined) groupId = 'open'
      else if (does) groupId = rule.id
    }
  }
  for (const id of hadRoleIds) if (open.has(id)) given.add(id)
  return { roleIds: [...given].sort((a, b) => a - b), groupId, isOpen }
}

const keyOf = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** A department in a form for comparison. */
export const departmentKey = (names: readonly string[]): string => names.map(keyOf).join('\n')

/** What the rules of a provider give, and the department that its claim names. */
export function planOf(
  settings: MappedSettings,
  values: Values,
  hadRoleIds: readonly number[],
): RuleOutcome & { readonly path: readonly string[] | undefined } {
  const groups = settings.kind === 'saml' ? settings.groupsAttribute : settings.groupsClaim
  const given = applyRules(settings.rules, hadRoleIds, ({ claim, value }) => {
    const wanted = keyOf(value)
    return valuesFor(settings, values, claim || groups)?.some((one) => keyOf(one) === wanted)
  })
  const named = settings.kind === 'saml' ? settings.departmentAttribute : settings.departmentClaim
  const path = given.groupId === undefined ? departmentNames(first(values, named)) : []
  return { ...given, path: path.length === 0 ? undefined : path }
}

/** Whether two lists of values lead to the same roles and department. */
export function isSamePlan(settings: MappedSettings, one: Values, other: Values, had: readonly number[]): boolean {
  const text = (values: Values): string => {
    const { roleIds, groupId, path } = planOf(settings, values, had)
    return JSON.stringify([roleIds, groupId, path])
  }
  return text(one) === text(other)
}

/** The settings from which roles, departments and attributes follow: a change of them is previewed. */
export function mappingPart(settings: MappedSettings): string {
  const { applies, absentIsNone, rules } = settings
  const names =
    settings.kind === 'saml'
      ? [settings.groupsAttribute, settings.departmentAttribute, settings.nameAttribute, settings.mailAttribute]
      : [settings.groupsClaim, settings.departmentClaim, settings.nameClaim, settings.mailClaim]
  const more =
    settings.kind === 'saml'
      ? [settings.phoneAttribute, settings.titleAttribute]
      : [settings.phoneClaim, settings.titleClaim]
  return JSON.stringify([applies, absentIsNone, rules, names, more])
}

/** A change that was declined, to recognize it again. */
export const hashOf = (change: unknown): string =>
  createHash('sha256').update(JSON.stringify(change)).digest('base64url').slice(0, 22)

const mostNames = 200
const mostBytes = 128 * 1024

/** The values that are kept. Lists that are too long for a row are kept as not told. */
export function storableValues(values: Values): Values {
  let kept: Values = Object.fromEntries(
    Object.entries(values)
      .slice(0, mostNames)
      .map(([name, list]) => [name.slice(0, 300), list]),
  )
  while (JSON.stringify(kept).length > mostBytes) {
    const [longest] = Object.entries(kept).sort(([, a], [, b]) => JSON.stringify(b).length - JSON.stringify(a).length)
    if (longest?.[1] === null || longest === undefined) return {}
    kept = { ...kept, [longest[0]]: null }
  }
  return kept
}
