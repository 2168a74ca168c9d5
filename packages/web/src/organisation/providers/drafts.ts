// What is typed on the page of sign-in providers, before it is saved.
import type {
  Answer,
  calls,
  LdapSettings,
  OAuthSettings,
  OidcSettings,
  ProviderSettings,
  SamlSettings,
  ScimSettings,
} from '@cloudoc/contract'
import { oauthPresets } from '@cloudoc/contract/oauth-presets'

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
  rules: [],
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
  mailClaim: 'email',
  phoneClaim: 'phone_number',
  titleClaim: '',
  departmentClaim: '',
  groupsClaim: '',
  rules: [],
  applies: false,
  absentIsNone: false,
  domains: [],
  creates: true,
  trustsFactor: false,
}

const saml: SamlSettings = {
  ...{
    kind: 'saml',
    issuer: '',
    entryPoint: '',
    metadataUrl: '',
    certificates: '',
    idAttribute: '',
    accountAttribute: '',
  },
  ...{ nameAttribute: '', mailAttribute: '', phoneAttribute: '', titleAttribute: '' },
  ...{ departmentAttribute: '', groupsAttribute: '', rules: [], applies: false, absentIsNone: false, domains: [] },
  ...{ creates: true, trustsFactor: false },
}

const scim: ScimSettings = {
  ...{ kind: 'scim', serviceAccountId: 0, departments: false, creates: true },
  ...{ signInProviderId: 0, signInBy: 'externalId' },
}

/** A provider that is not stored yet. */
export const newDraft = (kind: Exclude<ProviderSettings['kind'], 'oauth'>): Draft => ({
  ...{ providerId: 0, name: '', enabled: true, secret: '' },
  settings: { ldap, oidc, saml, scim }[kind],
})

/** A provider of OAuth 2.0 with the starting values of a preset. */
export const newOAuthDraft = (preset: keyof typeof oauthPresets, name: string): Draft => ({
  ...{ providerId: 0, name, enabled: true, secret: '' },
  settings: oauthPresets[preset],
})

export const draftOf = ({ providerId, name, enabled, settings }: Provider): Draft => ({
  ...{ providerId, name, enabled, settings, secret: '' },
})

/** The settings of providers with rules for what they say of a person. */
export type RuledSettings = Exclude<ProviderSettings, ScimSettings>
/** Those whose rules apply at a sign-in. */
export type MappedSettings = OidcSettings | OAuthSettings | SamlSettings
export type Preview = Answer<typeof calls.previewMapping>
export type Change = Preview['changes'][number]

export const isMapped = (settings: ProviderSettings): settings is MappedSettings =>
  settings.kind === 'oidc' || settings.kind === 'oauth' || settings.kind === 'saml'
