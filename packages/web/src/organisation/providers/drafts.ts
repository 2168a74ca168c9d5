// What is typed on the page of sign-in providers, before it is saved.
import type { Answer, calls, LdapSettings, OidcSettings, ProviderSettings, SamlSettings } from '@cloudoc/contract'

export type Provider = Answer<typeof calls.getProviders>['list'][number]
export type Run = Answer<typeof calls.getProviderRun>
export type Tried = Answer<typeof calls.testProvider>

export interface Draft {
  readonly providerId: number
  readonly name: string
  readonly enabled: boolean
  readonly settings: ProviderSettings
  /** Empty: unchanged. */
  readonly secret: string
  /** `group = role` per line. */
  readonly roles: string
}

const ldap: LdapSettings = {
  kind: 'ldap',
  urls: [],
  startTls: true,
  certificate: '',
  bindDn: '',
  base: '',
  filter: '(objectClass=person)',
  idAttribute: 'entryUUID',
  accountAttribute: 'uid',
  nameAttribute: 'cn',
  mailAttribute: 'mail',
  phoneAttribute: 'mobile',
  titleAttribute: 'title',
  departments: 'none',
  departmentAttribute: 'departmentNumber',
  groupRoles: [],
  creates: true,
  syncMinutes: 0,
}
const oidc: OidcSettings = {
  kind: 'oidc',
  issuer: '',
  clientId: '',
  scope: 'openid profile email',
  accountClaim: 'preferred_username',
  nameClaim: 'name',
  groupsClaim: '',
  groupRoles: [],
  domains: [],
  creates: true,
  trustsFactor: false,
}

const saml: SamlSettings = {
  ...{ kind: 'saml', issuer: '', entryPoint: '', certificates: '', idAttribute: '', accountAttribute: '' },
  ...{ nameAttribute: '', mailAttribute: '', groupsAttribute: '', groupRoles: [], domains: [] },
  ...{ creates: true, trustsFactor: false },
}

/** A provider that is not stored yet. */
export const newDraft = (kind: ProviderSettings['kind']): Draft => ({
  ...{ providerId: 0, name: '', enabled: true, secret: '', roles: '' },
  settings: { ldap, oidc, saml }[kind],
})

interface Role {
  readonly roleId: number
  readonly roleName: string
}

export function draftOf({ providerId, name, enabled, settings }: Provider, roles: readonly Role[]): Draft {
  const nameOf = (id: number): string => roles.find(({ roleId }) => roleId === id)?.roleName ?? String(id)
  const lines = settings.groupRoles.map(({ group, roleId }) => `${group} = ${nameOf(roleId)}`)
  return { providerId, name, enabled, settings, secret: '', roles: lines.join('\n') }
}

/** The roles of the lines; the name of a role that does not exist. */
export function rolesOf(
  text: string,
  roles: readonly Role[],
): ProviderSettings['groupRoles'] | { readonly missing: string } {
  const found: { group: string; roleId: number }[] = []
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    // The name of a group has equal signs of its own: the last one separates.
    const at = line.lastIndexOf('=')
    const [group, name] = [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    const role = roles.find(({ roleName }) => roleName === name)
    if (at < 1 || group === '' || role === undefined) return { missing: name }
    found.push({ group, roleId: role.roleId })
  }
  return found
}
