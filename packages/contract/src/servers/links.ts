// Linked servers: the registry, its trust and keys, and the sign-in of their people ([R343], [R345]). The main server is
// always 0, linked servers are 1 and up (X28).
import { z } from 'zod'
import { signedIn, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { ClientType, Count, Flag, Id, Nothing, Time, text } from '../fields.ts'
import { ServerKey, signedFields, unsignedSample } from './message.ts'

const ServerId = z.int().min(1).max(1_000_000)
const ApiHost = text(500).regex(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*[^\s?#/])?$/)

/** `paused`: by an administrator of this server. The others are the documented states -13 to -16. */
export const serverStates = ['ok', 'paused', 'invalid', 'missing', 'notResponding', 'faulty'] as const
export const ServerState = z.enum(serverStates)
export type ServerState = z.output<typeof ServerState>

/**
 * Why a server is not usable. `name`: its host name is unknown. `route`: nothing answers at its address. `time`: it did
 * not answer in time. `tls`: its certificate is not trusted or has expired. `host`: its certificate is for another host name. `key`: the keys of the two do not match, or were revoked. `clock`: the
 * clocks differ too much. `unknown`: it does not know this server. `paused`: it has paused the link. `answer`: its
 * answers are no answers of a server of ours.
 */
export const serverCauses = [
  '',
  'name',
  'route',
  'time',
  'tls',
  'host',
  'key',
  'clock',
  'unknown',
  'paused',
  'answer',
] as const
export const ServerCause = z.enum(serverCauses)
export type ServerCause = z.output<typeof ServerCause>

/** What one server tells another about itself. */
const Greeting = z.strictObject({
  /** `ok`, or why it does not take messages of the other. */
  answer: z.enum(['ok', 'unknown', 'revoked', 'paused', 'clock']),
  time: Time,
  version: z.string(),
  serverName: z.string(),
  /** Its signature of the nonce and the other fields, by the key that the message was for. */
  signature: z.string(),
})

/** Certificates in PEM. */
const CaCertificate = text(50_000)
  .default('')
  .describe('Only certificates of these authorities are trusted for the server; empty: those that the machine trusts.')

const Key = z.strictObject({
  publicKey: z.string(),
  fingerprint: z.string(),
  since: Time,
  state: z.enum(['current', 'retired', 'revoked']),
})

const LinkedServer = z.strictObject({
  serverId: z.int(),
  serverName: z.string(),
  apiHost: z.string(),
  caCertificate: z.string(),
  /** The certificates in it. */
  authorities: z.array(z.strictObject({ subject: z.string(), until: Time, fingerprint: z.string() })),
  serverCode: z.string(),
  bestServer: z.string(),
  admits: z.boolean(),
  visits: z.boolean(),
  sameNames: z.boolean(),
  isPaused: z.boolean(),
  checkedWith: z.string(),
  checkedAt: Time,
  state: ServerState,
  cause: ServerCause,
  detail: z.string(),
  since: Time,
  seenAt: Time,
  failures: z.int(),
  latencyMs: z.int(),
  version: z.string(),
  /** Whether it knows the current key of this server. */
  knowsKey: z.boolean(),
  keys: z.array(Key),
  /** People of the other server who have confirmed an account here by its password. */
  confirmed: z.int(),
})

const serverCalls = {
  getServerList: call({
    summary: 'Lists the servers that the caller can use: the main one, and those linked to it',
    kind: 'read',
    method: 'GET',
    path: '/services2/servers/getServerList',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          serverId: z.int(),
          serverName: z.string(),
          isMain: z.boolean(),
          serverCode: z.string(),
          /** Protocol, host, port and context. Empty for the main server, which the client knows. */
          apiHost: z.string(),
          /** Four parts separated by `|`: the third is the file port, the fourth the push port. */
          bestServer: z.string(),
          state: ServerState,
          since: Time,
          latencyMs: z.int(),
        }),
      ),
    }),
  }),
  getLinkedServers: call({
    summary: 'Lists the linked servers with their trust, keys and states, for administrators',
    audit: 'technical',
    kind: 'staged',
    method: 'GET',
    path: '/services2/servers/getLinkedServers',
    auth: 'required',
    payload: 'none',
    unrecorded: true,
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(LinkedServer), keys: z.array(Key) }),
  }),
  probeServer: call({
    summary: 'Reads the name and key of a server that is not linked yet',
    title: { zh: '查看其他服务器', en: 'Other server looked up' },
    kind: 'staged',
    method: 'POST',
    path: '/services2/servers/probeServer',
    auth: 'required',
    payload: 'json',
    unrecorded: true,
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ apiHost: ApiHost, caCertificate: CaCertificate }),
    sample: () => ({ apiHost: 'http://127.0.0.1:1' }),
    data: z.strictObject({
      serverName: z.string(),
      serverCode: z.string(),
      version: z.string(),
      publicKey: z.string(),
      fingerprint: z.string(),
      ms: z.int(),
      /** How far its clock is ahead, in seconds. */
      aheadSeconds: z.int(),
    }),
    codes: ['interconnectedServerNotResponding', 'interconnectedServerFaulty'],
  }),
  /** Both servers name each other and have each other's key, which their administrators compare. */
  setLinkedServer: call({
    summary: 'Links another server, or changes a link',
    title: { zh: '修改互联服务器', en: 'Linked server' },
    notes:
      'Without `serverId` the next number is taken that no server has had. A new `publicKey` retires the one before; a key that was revoked is refused.',
    kind: 'write',
    method: 'POST',
    path: '/services2/servers/setLinkedServer',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({
      serverId: ServerId.optional(),
      serverName: text(100).min(1),
      apiHost: ApiHost,
      publicKey: ServerKey,
      caCertificate: CaCertificate,
      serverCode: text(100).default(''),
      bestServer: text(300).default(''),
      admits: Flag.default(true).describe('People of the other server may come here.'),
      visits: Flag.default(true).describe('People of this server may go there.'),
      sameNames: Flag.default(true).describe('Accounts of the same name belong to the same person.'),
      checkedWith: text(200).default('').describe('With whom the keys were compared.'),
    }),
    sample: () => ({ serverId: 1, serverName: '分公司', apiHost: 'http://127.0.0.1:1', publicKey: 'k'.repeat(43) }),
    data: z.strictObject({ serverId: z.int() }),
    codes: ['alreadyExists'],
  }),
  pauseLinkedServer: call({
    summary: 'Pauses or resumes the link with another server, in both directions',
    title: { zh: '暂停或恢复互联', en: 'Link with a server paused or resumed' },
    kind: 'write',
    method: 'POST',
    path: '/services2/servers/pauseLinkedServer',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ serverId: ServerId, paused: Flag }),
    sample: () => ({ serverId: 1, paused: true }),
    data: Nothing,
    codes: ['interconnectedServerMissing'],
  }),
  checkLinkedServer: call({
    summary: 'Asks a linked server now, and answers what was found',
    title: { zh: '检测互联服务器', en: 'Linked server checked' },
    kind: 'staged',
    method: 'POST',
    path: '/services2/servers/checkLinkedServer',
    auth: 'required',
    payload: 'json',
    unrecorded: true,
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ serverId: ServerId }),
    sample: () => ({ serverId: 1 }),
    data: z.strictObject({ state: ServerState, cause: ServerCause, detail: z.string(), ms: z.int() }),
    codes: ['interconnectedServerMissing'],
  }),
  /** Purely local: it succeeds whatever the other server does. */
  removeLinkedServer: call({
    summary: 'Ends the link with another server',
    title: { zh: '移除互联服务器', en: 'Unlink server' },
    kind: 'write',
    method: 'POST',
    path: '/services2/servers/removeLinkedServer',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ serverId: ServerId }),
    sample: () => ({ serverId: 1 }),
    data: Nothing,
    codes: ['interconnectedServerMissing'],
  }),
  rotateServerKey: call({
    summary: 'Makes a new key for this server',
    title: { zh: '更换本服务器密钥', en: 'Server key rotated' },
    notes:
      'Linked servers are told, signed with the key that they know; each goes on with that one until it has answered. With `revoke` the old keys are worthless at once: the administrators of the other servers enter the new one.',
    kind: 'write',
    method: 'POST',
    path: '/services2/servers/rotateServerKey',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ revoke: Flag.default(false).describe('The old keys are no longer secret.') }),
    data: z.strictObject({ publicKey: z.string(), fingerprint: z.string() }),
  }),
  revokeLinkedKey: call({
    summary: 'No longer trusts a key of a linked server, neither now nor for old receipts',
    title: { zh: '撤销互联服务器密钥', en: 'Key of a linked server revoked' },
    kind: 'write',
    method: 'POST',
    path: '/services2/servers/revokeLinkedKey',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ serverId: ServerId, publicKey: ServerKey }),
    sample: () => ({ serverId: 1, publicKey: 'k'.repeat(43) }),
    data: Nothing,
    codes: ['notFound'],
  }),
  linkServerAccount: call({
    summary: 'Confirms the account that the caller has on a linked server, with its password there',
    title: { zh: '登录互联服务器', en: 'Signed in at a linked server' },
    kind: 'staged',
    audit: 'signIn',
    method: 'POST',
    path: '/services2/servers/linkServerAccount',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({
      serverId: ServerId,
      userName: text(200).min(1),
      password: text(1000).min(1),
      factorCode: text(20).optional(),
    }),
    sample: () => ({ serverId: 1, userName: 'lin.hao', password: 'x' }),
    data: z.strictObject({ account: z.string(), accountName: z.string() }),
    codes: [
      'interconnectedServerInvalid',
      'interconnectedServerMissing',
      'interconnectedServerNotResponding',
      'interconnectedServerFaulty',
      'wrongPassword',
      'secondFactorDue',
      'secondFactorSent',
    ],
  }),

  getServerCard: call({
    summary: 'Tells other servers the name and key of this one',
    audit: 'technical',
    kind: 'staged',
    method: 'GET',
    path: '/services2/servers/getServerCard',
    auth: 'none',
    payload: 'none',
    unrecorded: true,
    origin: 'ours',
    open: 'whoever links this server reads its public key, and compares it with its administrator',
    input: z.strictObject({}),
    data: z.strictObject({
      serverName: z.string(),
      serverCode: z.string(),
      version: z.string(),
      publicKey: z.string(),
      time: Time,
    }),
  }),
  greetServer: call({
    summary: 'Tells a linked server whether this one takes its messages',
    audit: 'technical',
    kind: 'staged',
    method: 'POST',
    path: '/services2/servers/greetServer',
    auth: 'none',
    payload: 'json',
    origin: 'ours',
    unrecorded: true,
    open: 'only who holds the private key of a server learns whether that server is known here',
    input: z.strictObject({ ...signedFields }),
    sample: () => unsignedSample,
    data: Greeting,
    codes: ['interconnectedServerInvalid'],
  }),
  announceServerKey: call({
    summary: 'A linked server has a new key',
    title: { zh: '互联服务器更换密钥', en: 'Linked server changed its key' },
    kind: 'write',
    method: 'POST',
    path: '/services2/servers/announceServerKey',
    auth: 'none',
    payload: 'json',
    origin: 'ours',
    open: 'signed with the key before, and by the new one that the sender holds it',
    input: z.strictObject({
      ...signedFields,
      newKey: ServerKey.describe('The new key of the sender.'),
      proof: z
        .string()
        .regex(/^[\w-]{86}$/)
        .describe('The signature of both keys by the new one.'),
    }),
    sample: () => ({ ...unsignedSample, newKey: 'k'.repeat(43), proof: 'p'.repeat(86) }),
    data: Nothing,
    codes: ['interconnectedServerInvalid'],
  }),
  loginByServer: call({
    summary: 'Signs somebody in on the word of a linked server',
    title: { zh: '互联登录', en: 'Sign in from server' },
    kind: 'staged',
    method: 'POST',
    path: '/services2/login/loginByServer',
    auth: 'none',
    payload: 'json',
    origin: 'ours',
    open: 'a linked server vouches for one of its people with its key; throttled, good once and for some minutes',
    input: z.strictObject({
      ...signedFields,
      account: text(64).describe('The account name at the other server.'),
      accountId: Id.describe('The account at the other server.'),
      clientType: ClientType,
    }),
    sample: () => ({ ...unsignedSample, account: 'newcomer', accountId: 1, clientType: 6 }),
    data: z.strictObject({
      accessToken: z.string(),
      account: z.string(),
      accountName: z.string(),
      userId: z.int(),
      /** The signature of the nonce and the token, by which the other server knows this one. */
      signature: z.string(),
    }),
    codes: ['interconnectedServerInvalid', 'notFound', 'accountLocked'],
  }),
  acceptServerAccount: call({
    summary: 'The caller is the given person of a linked server',
    title: { zh: '确认互联账号', en: 'Account of a linked server confirmed' },
    kind: 'write',
    audit: 'signIn',
    method: 'POST',
    path: '/services2/servers/acceptServerAccount',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({
      ...signedFields,
      account: text(64).describe('The account name at the other server.'),
      accountId: Count.describe('The account at the other server.'),
    }),
    sample: () => ({ ...unsignedSample, account: 'newcomer', accountId: 1 }),
    data: Nothing,
    codes: ['interconnectedServerInvalid'],
  }),
}

export const servers = feature({
  about: { name: 'linked servers', text: 'Other servers whose people and files this one knows' },
  calls: serverCalls,
})
