// Sign-in providers of a company: directories (LDAP, Active Directory) and OpenID providers ([R019], ADR 0234).
import { z } from 'zod'
import { accountHolder, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { ClientType, Id, integer, Nothing, Time, text } from '../fields.ts'

const ProviderId = integer(1, 1_000_000_000)
/** The name of an attribute of a directory or of a claim. Empty: not read. */
const Attribute = text(64).regex(/^[A-Za-z][\w;.:-]*$/)
const OptionalAttribute = Attribute.or(z.literal(''))

/** The name of a SAML attribute, often a URI. Empty: not read. */
const SamlAttribute = text(300).regex(/^\S*$/).default('')

/** Members of a group of the provider get a role of this server. */
const GroupRole = z.strictObject({ group: text(500).min(1), roleId: Id })
const groupRoles = z.array(GroupRole).max(100).default([])

const Domains = z
  .array(text(253).regex(/^[^\s@]+\.[^\s@]+$/))
  .max(50)
  .default([])

/** What a directory is asked, and how its attributes are read. */
export const LdapSettings = z.strictObject({
  kind: z.literal('ldap'),
  /** Tried in order: the next one when one does not answer. */
  urls: z
    .array(text(300).regex(/^ldaps?:\/\/[^\s/?#@]+$/))
    .min(1)
    .max(5),
  /** Upgrades ldap:// connections to TLS before anything is sent. */
  startTls: z.boolean().default(true),
  /** Certificate authority in PEM; empty: those that this machine trusts. */
  certificate: text(20_000).default(''),
  bindDn: text(500).default(''),
  base: text(500).min(1),
  filter: text(500)
    .regex(/^\(.*\)$/s)
    .default('(objectClass=person)'),
  /** The immutable id of an entry: entryUUID, objectGUID. */
  idAttribute: Attribute.default('entryUUID'),
  accountAttribute: Attribute.default('uid'),
  nameAttribute: Attribute.default('cn'),
  mailAttribute: OptionalAttribute.default('mail'),
  phoneAttribute: OptionalAttribute.default('mobile'),
  titleAttribute: OptionalAttribute.default('title'),
  /** Where the department comes from: an attribute, the organisational units of the entry, or not from the directory. */
  departments: z.enum(['none', 'attribute', 'units']).default('none'),
  departmentAttribute: Attribute.default('departmentNumber'),
  groupRoles,
  /** Creates accounts for people of the directory who have none. */
  creates: z.boolean().default(true),
  /** Minutes between two synchronizations; 0: only on request. */
  syncMinutes: z.int().min(0).max(10_080).default(0),
})
export type LdapSettings = z.output<typeof LdapSettings>

export const OidcSettings = z.strictObject({
  kind: z.literal('oidc'),
  issuer: text(500).regex(/^https?:\/\/[^\s?#]+$/),
  clientId: text(300).min(1),
  scope: text(300).default('openid profile email'),
  accountClaim: Attribute.default('preferred_username'),
  nameClaim: Attribute.default('name'),
  groupsClaim: OptionalAttribute.default(''),
  groupRoles,
  /** Mail domains whose people are sent to this provider. */
  domains: Domains,
  creates: z.boolean().default(true),
  /** The provider has asked for a second factor: none is asked for here. */
  trustsFactor: z.boolean().default(false),
})
export type OidcSettings = z.output<typeof OidcSettings>

/** A certificate in PEM, or several. */
const Certificates = text(40_000)

export const SamlSettings = z.strictObject({
  kind: z.literal('saml'),
  /** How the provider calls itself (entity id). */
  issuer: text(500).min(1),
  /** Where people are sent to sign in (HTTP-Redirect). */
  entryPoint: text(1000).regex(/^https?:\/\/[^\s#]+$/),
  /** Signing certificates in PEM; old and new ones hold together. */
  certificates: Certificates,
  /** The immutable id of a person; empty: the NameID. */
  idAttribute: SamlAttribute,
  accountAttribute: SamlAttribute,
  nameAttribute: SamlAttribute,
  mailAttribute: SamlAttribute,
  groupsAttribute: SamlAttribute,
  groupRoles,
  /** Mail domains whose people are sent to this provider. */
  domains: Domains,
  creates: z.boolean().default(true),
  /** The provider has asked for a second factor: none is asked for here. */
  trustsFactor: z.boolean().default(false),
})
export type SamlSettings = z.output<typeof SamlSettings>

export const ProviderSettings = z.discriminatedUnion('kind', [LdapSettings, OidcSettings, SamlSettings])
export type ProviderSettings = z.output<typeof ProviderSettings>

/** What a synchronization does, or would do, with one person. */
const SyncChange = z.strictObject({
  what: z.enum(['create', 'update', 'freeze', 'thaw', 'pending', 'kept', 'refused']),
  name: z.string(),
  account: z.string(),
  /** What differs, such as the old and the new name. */
  detail: z.string(),
})

const SyncRun = z.strictObject({
  runId: z.int(),
  dry: z.boolean(),
  /** `waiting`: too many people would be frozen; an administrator has to confirm. */
  state: z.enum(['running', 'done', 'waiting', 'failed']),
  startedTime: Time,
  endedTime: z.int(),
  /** People that the directory has. */
  read: z.int(),
  created: z.int(),
  updated: z.int(),
  frozen: z.int(),
  thawed: z.int(),
  unchanged: z.int(),
  pending: z.int(),
  refused: z.int(),
  problem: z.string(),
  changes: z.array(SyncChange),
})

const Step = z.strictObject({ ok: z.boolean(), warning: z.boolean(), text: z.string(), detail: z.string() })

const own = { auth: 'required', origin: 'ours', guard: securityAdministrator, payload: 'json' } as const

export const providers = feature({
  about: {
    name: 'sign-in providers',
    text: 'Directories and identity providers by which people of the company sign in',
  },
  calls: {
    getProviders: call({
      summary: 'Lists the sign-in providers',
      ...own,
      kind: 'read',
      method: 'GET',
      path: '/services2/provider/getProviders',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        list: z.array(
          z.strictObject({
            providerId: z.int(),
            name: z.string(),
            enabled: z.boolean(),
            settings: ProviderSettings,
            hasSecret: z.boolean(),
            people: z.int(),
            pending: z.int(),
            lastRun: SyncRun.omit({ changes: true }).nullable(),
          }),
        ),
        /** The address that a provider sends people back to: the id of the provider follows. */
        returnAddress: z.string(),
      }),
    }),
    saveProvider: call({
      summary: 'Adds or changes a sign-in provider',
      title: { zh: '保存登录提供方', en: 'Sign-in provider saved' },
      ...own,
      kind: 'write',
      method: 'POST',
      path: '/services2/provider/saveProvider',
      audits: ['providerId'],
      input: z.strictObject({
        /** 0: a new one. */
        providerId: Id.default(0),
        name: text(60).min(1),
        enabled: z.boolean().default(true),
        settings: ProviderSettings,
        /** The password or client secret. Absent: unchanged. */
        secret: text(500).optional(),
      }),
      sample: () => ({
        name: 'HUAXIN',
        enabled: false,
        settings: { kind: 'ldap', urls: ['ldap://127.0.0.1:1'], base: 'dc=huaxin,dc=example' },
      }),
      data: z.strictObject({ providerId: z.int() }),
      codes: ['notFound', 'alreadyExists'],
    }),
    removeProvider: call({
      summary: 'Removes a sign-in provider; its people keep their accounts',
      title: { zh: '移除登录提供方', en: 'Sign-in provider removed' },
      ...own,
      kind: 'write',
      method: 'POST',
      path: '/services2/provider/removeProvider',
      audits: ['providerId'],
      input: z.strictObject({ providerId: ProviderId }),
      sample: () => ({ providerId: 1 }),
      data: Nothing,
      codes: ['notFound'],
    }),
    testProvider: call({
      summary: 'Tries a provider and reports each step',
      title: { zh: '测试登录提供方', en: 'Sign-in provider tested' },
      ...own,
      kind: 'staged',
      method: 'POST',
      path: '/services2/provider/testProvider',
      audits: ['providerId'],
      input: z.strictObject({
        /** Of the provider whose stored secret is used; 0: none. */
        providerId: Id.default(0),
        settings: ProviderSettings,
        secret: text(500).optional(),
        /** Somebody to look for. */
        account: text(200).default(''),
      }),
      sample: () => ({
        settings: { kind: 'ldap', urls: ['ldap://127.0.0.1:1'], base: 'dc=huaxin,dc=example' },
      }),
      data: z.strictObject({
        steps: z.array(Step),
        /** The values of the person looked for, by field of an account. */
        values: z.array(z.strictObject({ field: z.string(), value: z.string() })),
      }),
      codes: ['notFound'],
    }),
    syncProvider: call({
      summary: 'Synchronizes the people of a directory, or tells what would change',
      title: { zh: '同步目录', en: 'Directory synchronized' },
      ...own,
      kind: 'write',
      method: 'POST',
      path: '/services2/provider/syncProvider',
      audits: ['providerId', 'dry'],
      input: z.strictObject({
        providerId: ProviderId,
        dry: z.boolean(),
        /** The run whose mass change is confirmed. */
        confirmedRunId: Id.default(0),
      }),
      sample: () => ({ providerId: 1, dry: true }),
      data: z.strictObject({ runId: z.int() }),
      codes: ['notFound', 'duplicateOperation'],
    }),
    getProviderRun: call({
      summary: 'Reads a synchronization with its changes',
      ...own,
      kind: 'read',
      method: 'GET',
      path: '/services2/provider/getProviderRun/{runId}',
      payload: 'none',
      input: z.strictObject({ runId: ProviderId }),
      sample: () => ({ runId: 1 }),
      data: SyncRun,
      codes: ['notFound'],
    }),
    getPendingIdentities: call({
      summary: 'Lists people of a provider whose account name belongs to an account that is not joined',
      ...own,
      kind: 'read',
      method: 'GET',
      path: '/services2/provider/getPendingIdentities/{providerId}',
      payload: 'none',
      input: z.strictObject({ providerId: ProviderId }),
      sample: () => ({ providerId: 1 }),
      data: z.strictObject({
        list: z.array(
          z.strictObject({
            identityId: z.int(),
            label: z.string(),
            account: z.string(),
            /** The account of that name; 0: none any more. */
            userId: z.int(),
            accountName: z.string(),
            administers: z.boolean(),
          }),
        ),
      }),
    }),
    joinIdentity: call({
      summary: 'Joins a person of a provider with the account of the same name',
      title: { zh: '关联账号', en: 'Identity joined' },
      ...own,
      kind: 'write',
      method: 'POST',
      path: '/services2/provider/joinIdentity',
      audits: ['identityId', 'userId'],
      input: z.strictObject({ identityId: ProviderId, userId: ProviderId }),
      sample: (ids) => ({ identityId: 1, userId: ids.userId }),
      data: Nothing,
      codes: ['notFound', 'adminAccount', 'alreadyExists'],
    }),
    startProviderSignIn: call({
      summary: 'Begins a sign-in by a provider: tells where to go',
      title: { zh: '单点登录', en: 'Single sign-on' },
      // Issues data that expires by itself. It must not write to the audit log, otherwise any stranger could fill it.
      kind: 'staged',
      method: 'POST',
      path: '/services2/provider/startProviderSignIn',
      audits: ['providerId'],
      auth: 'none',
      payload: 'json',
      origin: 'ours',
      open: 'this is how a session begins; the answer is an address of the provider that an administrator has set',
      input: z.strictObject({ providerId: ProviderId, redirect: text(2000).default('') }),
      sample: () => ({ providerId: 1 }),
      data: z.strictObject({ address: z.string() }),
      codes: ['notFound', 'sendingTooOften'],
    }),
    finishProviderSignIn: call({
      summary: 'Signs in with what a provider has sent back',
      title: { zh: '单点登录', en: 'Single sign-on' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/provider/finishProviderSignIn',
      audits: ['providerId'],
      auth: 'none',
      payload: 'json',
      origin: 'ours',
      open: 'this is how a session begins; what the provider sent is checked against the attempt of this browser',
      input: z.strictObject({
        providerId: ProviderId,
        clientType: ClientType.default(6),
        /** The query of the address that the provider sent the browser to. */
        query: text(20_000),
        /** The code of the second factor, after -420; the query is the same. */
        factorCode: text(20).optional(),
      }),
      sample: () => ({ providerId: 1, query: 'state=x&code=x' }),
      data: z.strictObject({
        accessToken: z.string(),
        expiresAt: Time,
        accountInfo: z.strictObject({ userId: z.int(), account: z.string(), accountName: z.string() }),
        serverId: z.int(),
        /** The page that was asked for when the sign-in began. */
        redirect: z.string(),
      }),
      codes: [
        'signInRejected',
        'signInAbnormal',
        'providerUnavailable',
        'identityNotJoined',
        'secondFactorDue',
        'wrongSecondFactor',
        'accountFrozen',
      ],
    }),
    getMyBindings: call({
      summary: 'Lists the identities by which the caller signs in, and the providers that can be bound',
      kind: 'read',
      method: 'GET',
      path: '/services2/provider/getMyBindings',
      auth: 'required',
      payload: 'none',
      origin: 'ours',
      guard: accountHolder,
      input: z.strictObject({}),
      data: z.strictObject({
        list: z.array(
          z.strictObject({
            providerId: z.int(),
            name: z.string(),
            kind: z.enum(['ldap', 'oidc', 'saml']),
            /** The name at the provider; empty: not bound. */
            label: z.string(),
          }),
        ),
      }),
    }),
    startBinding: call({
      summary: 'Begins to bind an identity of a provider to the account of the caller',
      title: { zh: '绑定外部账号', en: 'Binding of an identity' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/provider/startBinding',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      audits: ['providerId'],
      guard: accountHolder,
      input: z.strictObject({ providerId: ProviderId }),
      sample: () => ({ providerId: 1 }),
      data: z.strictObject({ address: z.string() }),
      codes: ['notFound', 'providerUnavailable'],
    }),
    finishBinding: call({
      summary: 'Binds the identity that a provider has sent back',
      title: { zh: '绑定外部账号', en: 'Identity bound' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/provider/finishBinding',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      audits: ['providerId'],
      guard: accountHolder,
      input: z.strictObject({ providerId: ProviderId, query: text(20_000) }),
      sample: () => ({ providerId: 1, query: 'state=x&code=x' }),
      data: z.strictObject({ name: z.string() }),
      codes: ['notFound', 'signInRejected', 'signInAbnormal', 'alreadyExists', 'adminAccount'],
    }),
    endBinding: call({
      summary: 'Ends the binding of an identity to the account of the caller',
      title: { zh: '解除绑定', en: 'Binding ended' },
      kind: 'write',
      method: 'POST',
      path: '/services2/provider/endBinding',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      audits: ['providerId'],
      guard: accountHolder,
      input: z.strictObject({ providerId: ProviderId }),
      sample: () => ({ providerId: 1 }),
      data: Nothing,
      codes: ['notFound', 'noPermission'],
    }),
    samlAnswer: call({
      summary: 'Takes the answer of a SAML provider and shows the page that began',
      notes:
        'SAML 2.0, HTTP-POST binding. The form comes from another site, without cookies: nothing is decided here. The page of the attempt hands the answer in by finishProviderSignIn.',
      title: { zh: 'SAML 登录应答', en: 'Answer by SAML' },
      answers: 'text/html',
      kind: 'stream',
      method: 'POST',
      path: '/services2/provider/samlAnswer/{providerId}',
      auth: 'none',
      payload: 'form',
      origin: 'ours',
      open: 'keeps a text for ten minutes, only under the state of an attempt that waits for it',
      input: z.strictObject({
        providerId: ProviderId,
        SAMLResponse: text(2_500_000).describe('The answer, in base64.'),
        RelayState: text(200).default('').describe('The state of the attempt.'),
      }),
      sample: () => ({ providerId: 1, SAMLResponse: 'x', RelayState: 'x' }),
      data: z.never(),
      codes: ['notFound', 'sendingTooOften'],
    }),
    backchannelLogout: call({
      summary: 'Ends sessions on the word of an OpenID provider',
      notes: 'OpenID Connect Back-Channel Logout 1.0: the logout token is verified with the keys of the provider.',
      title: { zh: '提供方注销', en: 'Sign-out by provider' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/provider/backchannelLogout/{providerId}',
      audits: ['providerId'],
      auth: 'none',
      payload: 'form',
      origin: 'ours',
      open: 'only a token signed by the provider ends sessions, and only those that this provider has opened',
      input: z.strictObject({ providerId: ProviderId, logout_token: text(20_000) }),
      sample: () => ({ providerId: 1, logout_token: 'x' }),
      data: Nothing,
      codes: ['notFound', 'badRequest'],
    }),
  },
})
