// Sign-in providers of a company: directories (LDAP, Active Directory), OpenID, OAuth and SAML ([R019], ADR 0234, 0378).
import { z } from 'zod'
import { accountHolder, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { ClientType, Id, integer, Nothing, Time, text } from '../fields.ts'
import { push } from '../push.ts'

const ProviderId = integer(1, 1_000_000_000)
/** The name of an attribute of a directory or of a claim. Empty: not read. */
const Attribute = text(64).regex(/^[A-Za-z][\w;.:-]*$/)
const OptionalAttribute = Attribute.or(z.literal(''))

/** The name of a SAML attribute, often a URI. Empty: not read. */
const SamlAttribute = text(300).regex(/^\S*$/).default('')

/** Whoever has this value of a claim or an attribute gets a role, or is in a department. */
const MappingRule = z.strictObject({
  /** The claim or attribute; empty: the groups of the person. */
  claim: text(300).regex(/^\S*$/).default(''),
  value: text(500).min(1),
  gives: z.enum(['role', 'department']),
  /** Of the role or the department. */
  id: Id,
})
export type MappingRule = z.output<typeof MappingRule>

/** All matching rules give their role; of those that give a department the first one counts. */
const rules = z.array(MappingRule).max(200).default([])

/** How the rules of a provider apply whose people sign in by a browser. */
const ruleUse = {
  rules,
  /** The rules and the attributes apply at each sign-in; otherwise only what the provider says is recorded. */
  applies: z.boolean().default(false),
  /** A claim that is absent has no values; otherwise it is unknown, and changes nothing. */
  absentIsNone: z.boolean().default(false),
}

const Domains = z
  .array(text(253).regex(/^[^\s@]+\.[^\s@]+$/))
  .max(50)
  .default([])

/** What a provider to which the browser leads has beside its addresses. */
const browserUse = {
  ...ruleUse,
  /** Mail domains whose people are sent to this provider. */
  domains: Domains,
  creates: z.boolean().default(true),
  /** The provider has asked for a second factor: none is asked for here. */
  trustsFactor: z.boolean().default(false),
}

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
  rules,
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
  /** `email` and `phone_number` count once the provider has verified them. */
  mailClaim: OptionalAttribute.default('email'),
  phoneClaim: OptionalAttribute.default('phone_number'),
  titleClaim: OptionalAttribute.default(''),
  /** Names the department of people for whom no rule does: `A/B` is B below A. */
  departmentClaim: OptionalAttribute.default(''),
  groupsClaim: OptionalAttribute.default(''),
  ...browserUse,
})
export type OidcSettings = z.output<typeof OidcSettings>

const HttpAddress = text(1000).regex(/^https?:\/\/[^\s#@]+$/)
const OptionalAddress = HttpAddress.or(z.literal('')).default('')
/** The name of a parameter or a header. */
const Parameter = text(64).regex(/^[A-Za-z][\w-]*$/)

/**
 * A provider of OAuth 2.0 without OpenID Connect (WeCom, DingTalk, Feishu): it signs nothing, and who has signed in is
 * what its user-info address answers. Names and places of values differ, and are settings. A place in an answer is a
 * path such as `data.open_id`; `token.` precedes one in the answer of the token address.
 */
export const OAuthSettings = z.strictObject({
  kind: z.literal('oauth'),
  /** Where people are sent; parameters that are always the same are part of it. */
  authorizeUrl: HttpAddress,
  clientId: text(300).min(1),
  scope: text(300).default(''),
  /** The client id in the address that people are sent to. */
  clientIdParam: Parameter.default('client_id'),
  /** The code in the address that they come back to. */
  codeParam: Parameter.default('code'),
  pkce: z.boolean().default(true),
  /** Issues a token of the application itself, before anything else is asked. Empty: none is needed. */
  appTokenUrl: OptionalAddress,
  appTokenSends: z.enum(['query', 'json']).default('json'),
  appIdParam: Parameter.default('app_id'),
  appSecretParam: Parameter.default('app_secret'),
  appTokenPath: Attribute.default('app_access_token'),
  /** Exchanges the code. Empty: the code goes to the user-info address, with the token of the application. */
  tokenUrl: OptionalAddress,
  /** How the client authenticates: a form, a form with the Basic scheme, or JSON. */
  tokenAuth: z.enum(['post', 'basic', 'json']).default('post'),
  tokenIdParam: Parameter.default('client_id'),
  tokenSecretParam: Parameter.default('client_secret'),
  tokenGrantParam: Parameter.default('grant_type'),
  tokenPath: Attribute.default('access_token'),
  userUrl: HttpAddress,
  userTokenIn: z.enum(['bearer', 'header', 'query']).default('bearer'),
  /** The name of the header or parameter with the token. */
  userTokenName: Parameter.default('access_token'),
  /** Tells more of the person whose id it is asked for. Empty: the user-info address tells all. */
  profileUrl: OptionalAddress,
  profileIdParam: Parameter.default('userid'),
  /** The code of errors that are answered with HTTP 200; empty: none. */
  errorPath: OptionalAttribute.default(''),
  /** The code of a success; empty: a success has none. */
  errorGood: text(64).default('0'),
  /** The immutable id of a person. */
  idClaim: Attribute.default('id'),
  /** A value that all people of the company have, for providers that other people can use as well; empty: none. */
  companyClaim: OptionalAttribute.default(''),
  company: text(300).default(''),
  /** Empty, or not told: the id. */
  accountClaim: OptionalAttribute.default(''),
  nameClaim: OptionalAttribute.default('name'),
  mailClaim: OptionalAttribute.default(''),
  phoneClaim: OptionalAttribute.default(''),
  titleClaim: OptionalAttribute.default(''),
  departmentClaim: OptionalAttribute.default(''),
  groupsClaim: OptionalAttribute.default(''),
  ...browserUse,
})
export type OAuthSettings = z.output<typeof OAuthSettings>

/** A certificate in PEM, or several. */
const Certificates = text(40_000)

export const SamlSettings = z.strictObject({
  kind: z.literal('saml'),
  /** How the provider calls itself (entity id). */
  issuer: text(500).min(1),
  /** Where people are sent to sign in (HTTP-Redirect). */
  entryPoint: text(1000).regex(/^https?:\/\/[^\s#]+$/),
  /** The address of its metadata, read again each day; empty: none. */
  metadataUrl: text(1000)
    .regex(/^https?:\/\/\S+$/)
    .or(z.literal(''))
    .default(''),
  /** Signing certificates in PEM; old and new ones hold together. */
  certificates: Certificates,
  /** The immutable id of a person; empty: the NameID. */
  idAttribute: SamlAttribute,
  accountAttribute: SamlAttribute,
  nameAttribute: SamlAttribute,
  mailAttribute: SamlAttribute,
  phoneAttribute: SamlAttribute,
  titleAttribute: SamlAttribute,
  /** Names the department of people for whom no rule does: `A/B` is B below A. */
  departmentAttribute: SamlAttribute,
  groupsAttribute: SamlAttribute,
  ...browserUse,
})
export type SamlSettings = z.output<typeof SamlSettings>

/** A system that keeps accounts here by SCIM 2.0 (RFC 7643, 7644). Nobody signs in by it. */
export const ScimSettings = z.strictObject({
  kind: z.literal('scim'),
  /** The service account whose tokens of the scope `provisioning` may change the people of this provider. */
  serviceAccountId: Id,
  /** The attribute `department` names the department: `A/B` is B below A. */
  departments: z.boolean().default(false),
  creates: z.boolean().default(true),
  /** The provider by which the people sign in whose accounts are created; 0: none is bound for them. */
  signInProviderId: Id.default(0),
  /** What the sign-in provider calls the person id: the externalId or the userName of SCIM. */
  signInBy: z.enum(['externalId', 'userName']).default('externalId'),
})
export type ScimSettings = z.output<typeof ScimSettings>

export const ProviderSettings = z.discriminatedUnion('kind', [
  LdapSettings,
  OidcSettings,
  OAuthSettings,
  SamlSettings,
  ScimSettings,
])
export type ProviderSettings = z.output<typeof ProviderSettings>

/** What a synchronization does, or would do, with one person. */
const SyncChange = z.strictObject({
  what: z.enum(['create', 'update', 'freeze', 'thaw', 'pending', 'kept', 'refused', 'elsewhere']),
  name: z.string(),
  account: z.string(),
  /** What differs, such as the old and the new name. */
  detail: z.string(),
})

const SyncRun = z.strictObject({
  runId: z.int(),
  dry: z.boolean(),
  /** `waiting`: too many people would be frozen or moved; an administrator has to confirm. */
  state: z.enum(['running', 'done', 'waiting', 'failed']),
  startedTime: Time,
  endedTime: z.int(),
  /** People that the directory has. */
  read: z.int(),
  created: z.int(),
  updated: z.int(),
  frozen: z.int(),
  /** People who lose a role or change their department. */
  moved: z.int(),
  thawed: z.int(),
  unchanged: z.int(),
  pending: z.int(),
  refused: z.int(),
  problem: z.string(),
  changes: z.array(SyncChange),
})

/** What rules change, or would change, for one person. */
const MappingChange = z.strictObject({
  userId: z.int(),
  account: z.string(),
  accountName: z.string(),
  /** Attributes such as the name: the field, what it is and what it becomes. */
  fields: z.array(
    z.strictObject({ field: z.enum(['name', 'email', 'phone', 'title']), from: z.string(), to: z.string() }),
  ),
  gains: z.array(z.string()).describe('Names of roles.'),
  loses: z.array(z.string()).describe('Names of roles.'),
  /** The departments from the company down; equal: the person stays. */
  department: z.strictObject({ from: z.string(), to: z.string() }),
})

const MappingPreview = z.strictObject({
  /** People of the provider who have an account. */
  people: z.int(),
  /** Those of whom the provider has said something since it is recorded. */
  known: z.int(),
  changed: z.int(),
  gain: z.int().describe('People who get a role.'),
  lose: z.int().describe('People who lose a role.'),
  move: z.int().describe('People who change their department.'),
  /** People for whom a claim of a rule is unknown: what it gives stays as it is. */
  unknown: z.int(),
  /** More than usual: saveProvider demands that the number is confirmed. */
  many: z.boolean(),
  changes: z.array(MappingChange).describe('The first of them.'),
})

const Step = z.strictObject({ ok: z.boolean(), warning: z.boolean(), text: z.string(), detail: z.string() })

const own = { auth: 'required', origin: 'ours', guard: securityAdministrator, payload: 'json' } as const

const toAdministrators = { serverId: z.int(), remindId: z.int(), providerId: z.int(), providerName: z.string() }
const providersPage = (): string => '/doc/admin/providers'

const providerPushes = {
  /** Sent to security administrators: what a provider says would change more people than usual. */
  mappingWaiting: push({
    summary: 'Changes of roles and departments wait',
    type: 165,
    delivery: 'confirmed',
    notice: {
      group: 'reminder',
      key: ({ providerId }) => `mapping ${providerId}`,
      merge: 'later',
      sentence: ({ providerName }) => ({
        zh: '“{name}”要改变角色或部门的人比平常多，等待确认',
        en: '“{name}” would change the roles or departments of more people than usual; please confirm',
        values: { name: providerName },
      }),
      path: providersPage,
    },
    payload: z.strictObject(toAdministrators),
  }),
  /** Sent to security administrators 30 and 7 days before the last signing certificate of a SAML provider ends. */
  signingCertificateEnding: push({
    summary: 'The signing certificate of a provider ends soon',
    type: 166,
    delivery: 'confirmed',
    notice: {
      group: 'reminder',
      key: ({ providerId }) => `certificate ${providerId}`,
      merge: 'later',
      sentence: ({ providerName, until }) => ({
        zh: '“{name}”的签名证书将于 {day} 到期，之后没有人能用它登录，请换成新证书',
        en: 'The signing certificate of “{name}” ends on {day}; nobody can sign in by it afterwards. Put in the new one.',
        values: { name: providerName, day: new Date(until).toISOString().slice(0, 10) },
      }),
      path: providersPage,
    },
    payload: z.strictObject({ ...toAdministrators, until: Time }),
  }),
}

export const providers = feature({
  about: {
    name: 'sign-in providers',
    text: 'Directories and identity providers by which people of the company sign in',
  },
  pushes: providerPushes,
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
            /** SAML: when the last signing certificate ends; 0: none. */
            certificateEnd: z.int(),
            lastRun: SyncRun.omit({ changes: true }).nullable(),
          }),
        ),
        departments: z
          .array(z.strictObject({ groupId: z.int(), path: z.string() }))
          .describe('The departments that rules name.'),
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
        /** People whom an administrator has seen to change by new rules (previewMapping). */
        confirmed: integer(0, 10_000_000)
          .default(0)
          .describe('The number of people whose change by the rules was shown and confirmed.'),
      }),
      sample: () => ({
        name: 'HUAXIN',
        enabled: false,
        settings: { kind: 'ldap', urls: ['ldap://127.0.0.1:1'], base: 'dc=huaxin,dc=example' },
      }),
      data: z.strictObject({ providerId: z.int() }),
      codes: ['notFound', 'alreadyExists', 'mappingChangesMany'],
    }),
    previewMapping: call({
      summary: 'Tells what the rules of a provider would change, from what its people had at their last sign-in',
      ...own,
      kind: 'read',
      method: 'POST',
      path: '/services2/provider/previewMapping',
      input: z.strictObject({
        providerId: ProviderId,
        settings: ProviderSettings.describe('As typed, not yet saved.'),
      }),
      sample: () => ({
        providerId: 1,
        settings: { kind: 'oidc', issuer: 'https://idp.example', clientId: 'x' },
      }),
      data: MappingPreview,
      codes: ['notFound'],
    }),
    getMapping: call({
      summary: 'Lists the claims that the people of a provider have, and whose changes wait for an administrator',
      ...own,
      kind: 'read',
      method: 'GET',
      path: '/services2/provider/getMapping/{providerId}',
      payload: 'none',
      input: z.strictObject({ providerId: ProviderId }),
      sample: () => ({ providerId: 1 }),
      data: z.strictObject({
        claims: z
          .array(z.strictObject({ name: z.string(), people: z.int(), values: z.array(z.string()) }))
          .describe('Of the people who have signed in last, with the values that most of them have.'),
        waiting: z.array(MappingChange).describe('People whose roles or department would change.'),
        waitingTotal: z.int(),
      }),
      codes: ['notFound'],
    }),
    decideMappingChanges: call({
      summary: 'Carries out the changes of roles and departments that wait, or keeps the people as they are',
      title: { zh: '处理待确认的映射变化', en: 'Waiting changes of a mapping decided' },
      ...own,
      kind: 'write',
      method: 'POST',
      path: '/services2/provider/decideMappingChanges',
      audits: ['providerId', 'apply'],
      input: z.strictObject({
        providerId: ProviderId,
        apply: z.boolean().describe('Whether the changes are carried out; otherwise the people stay as they are.'),
        total: integer(0, 10_000_000).describe('How many the administrator has seen: more are not changed.'),
      }),
      sample: () => ({ providerId: 1, apply: false, total: 0 }),
      data: z.strictObject({ changed: z.int(), kept: z.int() }),
      codes: ['notFound'],
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
    readSamlMetadata: call({
      summary: 'Reads the metadata of a SAML provider at an address',
      title: { zh: '读取 SAML 元数据', en: 'SAML metadata read' },
      ...own,
      kind: 'staged',
      method: 'POST',
      path: '/services2/provider/readSamlMetadata',
      input: z.strictObject({ address: text(1000).min(1).describe('Where the provider publishes its metadata.') }),
      sample: () => ({ address: 'http://127.0.0.1:1/metadata' }),
      data: z.strictObject({
        issuer: z.string().describe('The entity id of the provider.'),
        entryPoint: z.string().describe('Where people are sent to sign in.'),
        certificates: z.string().describe('The signing certificates in PEM.'),
      }),
      codes: ['badRequest', 'providerUnavailable'],
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
        'secondFactorSent',
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
            kind: z.enum(['ldap', 'oidc', 'oauth', 'saml']),
            /** The name at the provider; empty: not bound. */
            label: z.string(),
            confirms: z.boolean().describe('Whether a fresh sign-in there confirms who the caller is.'),
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
    startConfirmation: call({
      summary: 'Begins a fresh sign-in at a provider of the caller, which confirms who they are for one act',
      notes: 'OpenID Connect only: the provider is asked to sign in again, and must say when it did.',
      title: { zh: '确认身份', en: 'Confirmation of identity' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/provider/startConfirmation',
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
    finishConfirmation: call({
      summary: 'Confirms the caller by what the provider has sent back',
      notes: 'It replaces the password of one act of this session, within five minutes.',
      title: { zh: '确认身份', en: 'Identity confirmed' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/provider/finishConfirmation',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      audits: ['providerId'],
      guard: accountHolder,
      input: z.strictObject({ providerId: ProviderId, query: text(20_000) }),
      sample: () => ({ providerId: 1, query: 'state=x&code=x' }),
      data: Nothing,
      codes: ['notFound', 'signInRejected', 'signInAbnormal', 'providerUnavailable'],
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
