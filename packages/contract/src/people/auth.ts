// Sign-in, sign-out, and the calls that a client makes right after sign-in ([R014]-[R016], [R026], [R031], [R032],
// [R037], [R046]).
import { capabilityNames, delegatedTasks, modules, powers } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, ownAccount, signedIn } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { ClientType, Count, Flag, Id, Nothing, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { WebAddress } from '../setting.ts'

const SignedIn = z
  .strictObject({
    accessToken: z.string(),
    expiresAt: Time,
    accountInfo: z.strictObject({ userId: z.int(), account: z.string(), accountName: z.string() }),
    serverId: z.int(),
  })
  .meta({ id: 'SignedIn' })

const AccountInfo = z
  .strictObject({
    userId: z.int(),
    accountId: z.int(),
    account: z.string(),
    accountName: z.string(),
    groupId: z.int(),
    groupName: z.string(),
    secretLevel: z.int(),
    level: z.int(),
    gender: z.int().describe('0 a woman, 1 a man, 2 not told.'),
    avatar: z.string().describe('The name of the picture (getPicture); empty without one.'),
    isAdmin: z.boolean(),
    mustChangePassword: z.boolean(),
    needsSecondFactor: z.boolean().describe('Nothing else is answered until a second factor is set up.'),
  })
  .meta({ id: 'AccountInfo' })

const signsIn = 'this is how a session begins; every credential path is throttled'

const authCalls = {
  login3: call({
    summary: 'Signs in with account and password',
    kind: 'staged',
    method: 'POST',
    path: '/services/json/login/login3',
    auth: 'none',
    payload: 'form',
    origin: 'spec',
    open: signsIn,
    input: z.strictObject({
      serverId: Id.default(0),
      clientType: ClientType,
      userName: text(200),
      password: text(1000),
      captcha: text(20).optional(),
      /** Visitor mode: signs in with the visitor password of the account and creates a guest session ([R021], X27). */
      visitor: Flag.default(false),
      /** Authenticator code or recovery code, after the server asked for it with -420. */
      factorCode: text(20).optional(),
    }),
    data: SignedIn,
    codes: [
      'wrongPassword',
      'wrongVerificationCode',
      'accountLocked',
      'accountFrozen',
      'accountRestricted',
      'guestPasswordInvalid',
      'guestPasswordExpired',
      'secondFactorDue',
      'wrongSecondFactor',
    ],
  }),
  login3ByLoginKey: call({
    summary: 'Signs in with a key that a session or this browser was given',
    kind: 'staged',
    method: 'POST',
    path: '/services/json/login/login3ByLoginKey',
    auth: 'none',
    payload: 'form',
    origin: 'spec',
    open: signsIn,
    input: z.strictObject({ serverId: Id.default(0), clientType: ClientType, loginKey: text(200) }),
    data: SignedIn,
    codes: ['notLoggedIn', 'accountLocked', 'accountFrozen', 'accountRestricted'],
  }),
  getLoginKey2: call({
    summary: 'Gives a key for signing in elsewhere, and what an encrypted sign-in needs',
    // Issues data that expires by itself. It must not write to the audit log, otherwise any stranger could fill it.
    kind: 'staged',
    method: 'GET',
    path: '/services/json/organization/getLoginKey2/{clientType}',
    auth: 'optional',
    payload: 'none',
    origin: 'spec',
    open: 'gives a key for the caller itself; without a session only what an encrypted login needs',
    input: z.strictObject({ clientType: ClientType }),
    codes: ['sendingTooOften'],
    data: z.strictObject({
      /** Single use, valid 60 s; empty without a session. */
      loginKey: z.string(),
      /** Public key in SPKI PEM format, for RSA-OAEP-SHA256. */
      publicKey: z.string(),
      csrf_token: z.string(),
      nonce: z.string(),
    }),
  }),
  saveLoginKey: call({
    summary: 'Keeps this browser signed in',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/login/saveLoginKey',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: accountHolder,
    input: z.strictObject({}),
    /** For login3ByLoginKey from this browser only, until it expires or the password changes. */
    data: z.strictObject({ authKey: z.string(), expiredAt: Time }),
    codes: ['sendingTooOften'],
  }),
  forgetLoginKey: call({
    summary: 'Ends a key that kept a browser signed in',
    // Revokes the key that its holder presents. There is no user to record, and the answer for an unknown key is the
    // same.
    kind: 'staged',
    method: 'POST',
    path: '/services2/login/forgetLoginKey',
    auth: 'none',
    payload: 'json',
    origin: 'ours',
    quiet: true,
    open: 'ends a key, which only its holder knows',
    input: z.strictObject({ loginKey: text(200) }),
    data: Nothing,
  }),
  loginInEncrypt: call({
    summary: 'Signs in with encrypted credentials',
    kind: 'staged',
    method: 'POST',
    path: '/services2/login/loginInEncrypt',
    auth: 'none',
    payload: 'text',
    bodyField: 'body',
    origin: 'spec',
    open: signsIn,
    input: z.strictObject({
      csrf_token: text(200),
      clientType: ClientType,
      /** base64(RSA-OAEP-SHA256(JSON {userName, password, captcha?, visitor?, factorCode?, nonce})). */
      body: text(4000),
    }),
    data: SignedIn,
  }),
  getCaptcha: call({
    summary: 'Draws a captcha',
    answers: 'image/svg+xml',
    kind: 'stream',
    method: 'GET',
    path: '/services2/safety/getCaptcha/{width}/{height}',
    auth: 'none',
    payload: 'none',
    origin: 'spec',
    open: 'a picture with a fresh code, bound to a cookie, used once ([R013])',
    input: z.strictObject({
      width: Count.pipe(z.int().min(60).max(400)),
      height: Count.pipe(z.int().min(24).max(200)),
    }),
    data: z.never(),
    codes: ['sendingTooOften'],
  }),
  logout2: call({
    summary: 'Ends the session',
    kind: 'write',
    method: 'GET',
    path: '/services2/login/logout2',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    quiet: true,
    timeoutMs: 3000,
    guard: ownAccount,
    input: z.strictObject({}),
    data: Nothing,
  }),
  getUserAccessTokenByServerId: call({
    summary: 'Gives back the token that the request was made with',
    kind: 'read',
    method: 'GET',
    path: '/services2/login/getUserAccessTokenByServerId/{serverId}',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ serverId: Id }),
    data: z.string(),
  }),
  getMyAccountInfo: call({
    summary: 'Tells who the caller is',
    kind: 'read',
    method: 'GET',
    path: '/services2/user/getMyAccountInfo',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({}),
    data: AccountInfo,
  }),
  getMyUserInfo: call({
    summary: 'Tells who the caller is, under its other name',
    kind: 'read',
    method: 'GET',
    path: '/services2/user/getMyUserInfo',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({}),
    data: AccountInfo,
  }),
  getServerSetting: call({
    summary: 'Reads what the server offers, as JSON text',
    kind: 'read',
    method: 'GET',
    path: '/services2/setting/getServerSetting',
    aliases: ['/services2/setting/serverSetting'],
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({ code: text(100).default('') }),
    /** JSON text, as documented ([R032]); its shape is `ServerSetting` in settings.ts. */
    data: z.string(),
  }),
  getUserPermissionInfo: call({
    summary: 'Tells what the caller administers and may do',
    kind: 'read',
    method: 'GET',
    path: '/services2/user/getUserPermissionInfo',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({}),
    data: z.strictObject({
      isAdmin: z.boolean(),
      isGuest: z.boolean(),
      secretLevel: z.int(),
      powers: z.array(z.enum(powers)).describe('What the caller administers.'),
      delegated: z
        .array(z.enum(delegatedTasks))
        .optional()
        .describe('What the caller may do in some departments; absent where nothing was delegated.'),
      capabilities: z.array(z.enum(capabilityNames)).describe('What the caller may do at all, by their roles.'),
    }),
  }),
  getSafeStrategyInfo: call({
    summary: 'Tells the rules for passwords and captchas',
    kind: 'read',
    method: 'GET',
    path: '/services2/setting/getSafeStrategyInfo',
    auth: 'optional',
    payload: 'none',
    origin: 'ours',
    open: 'the password rules a person must follow, shown before signing in as well',
    input: z.strictObject({}),
    data: z.strictObject({
      pwdLength: z.int(),
      captchaAlways: z.boolean(),
      /** Further password policy, only for signed-in callers; 0 days: passwords do not expire. */
      policy: z
        .strictObject({
          pwdAgeDays: z.int(),
          captchaAfter: z.int(),
          lockAfter: z.int(),
          lockMinutes: z.int(),
          sessionIdleHours: z.int(),
          sessionDays: z.int(),
          severalSessions: z.boolean(),
          visitorMode: z.boolean(),
          visitorDays: z.int(),
          secondFactorAdmins: z.boolean(),
        })
        .optional(),
    }),
  }),
  getModuleSetting: call({
    summary: 'Lists the modules that the caller may use',
    kind: 'read',
    method: 'GET',
    path: '/services2/setting/getModuleSetting',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({}),
    data: z.strictObject({ modules: z.array(z.enum(modules)) }),
  }),
  getUseSpaceSizeInfo: call({
    summary: 'Tells how much space the caller uses and may use',
    kind: 'read',
    method: 'GET',
    path: '/services2/user/getUseSpaceSizeInfo',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({}),
    /** Bytes; total 0: no limit. */
    data: z.strictObject({ used: z.int(), total: z.int() }),
  }),
  /**
   * Counters of pending work for the caller, per feature: requested after sign-in and shown on menu entries ([R033]).
   */
  getCounters: call({
    summary: 'Counts what waits for the caller',
    kind: 'read',
    method: 'GET',
    path: '/services2/user/getCounters',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    quiet: true,
    guard: ownAccount,
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(z.strictObject({ name: z.string(), count: z.int() })) }),
  }),
  getUserJwt: call({
    summary: 'Issues a short-lived JWT for services that trust this server',
    kind: 'read',
    method: 'GET',
    path: '/services2/user/getUserJwt',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: accountHolder,
    input: z.strictObject({}),
    data: z.strictObject({ jwt: z.string() }),
  }),
  modifyPwd2: call({
    summary: 'Changes the password of the caller',
    kind: 'staged',
    method: 'POST',
    path: '/services2/user/modifyPwd2',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    guard: accountHolder,
    input: z.strictObject({ oldPassword: text(1000), newPassword: text(1000), confirmPassword: text(1000).optional() }),
    data: Nothing,
    codes: ['wrongPassword', 'passwordRequirements', 'sameAsOld', 'sameAsAccount', 'sameAsGuestPassword'],
  }),
}

const authPushes = {
  /** Another sign-in with the same account and client type has ended this session ([R034], [R312]). */
  loginElsewhere: push({
    type: 5,
    summary: 'Somebody signed in with the same account and client type; this session has ended',
    delivery: 'ephemeral',
    payload: z.strictObject({ serverId: z.int(), time: Time }),
  }),
}

export const auth = feature({
  about: { name: 'sign-in', text: 'Sessions, passwords, and what a client asks right after signing in' },
  calls: authCalls,
  pushes: authPushes,
  settings: {
    setting: {
      /** Redirect address after sign-out; empty: no redirect. */
      logout_page: z.string().default(''),
      /** Company code that users enter to select a server; empty: there is only this server. */
      server_code: z.string().default(''),
      web_context: z.string().default(''),
    },
    beside: {
      pwdLength: z.int().min(1).max(64).default(8),
      /** Requires a captcha at every sign-in, not only after failures. */
      captcha_always: z.boolean().default(false),
    },
    inner: {
      /** Days after which a password must be changed (-137); 0: never. */
      pwd_age_days: z.int().min(0).max(3650).default(0),
      /**
       * Number of wrong passwords of one account after which a captcha is required, and after which the account is
       * locked (-47).
       */
      captcha_after: z.int().min(1).max(100).default(2),
      lock_after: z.int().min(2).max(1000).default(10),
      /** Minutes for which wrong passwords are counted. */
      lock_minutes: z.int().min(1).max(1440).default(15),
      /** Session expiry: hours without a request, and maximum days. */
      session_idle_hours: z.int().min(1).max(720).default(12),
      session_days: z.int().min(1).max(365).default(30),
      /** Whether accounts can have visitor passwords, and their maximum validity in days ([R021]). */
      visitor_mode: z.boolean().default(true),
      visitor_days: z.int().min(1).max(3650).default(90),
      /** Whether all administrators need a second factor to sign in. */
      second_factor_admins: z.boolean().default(false),
      /** A new session does not end other sessions of the same account and client type. */
      several_sessions: z.boolean().default(false),
      /** Client addresses and CIDR ranges that are allowed; empty: all. */
      allowed_addresses: z.array(z.string().max(50)).max(1000).default([]),
    },
    administered: {
      pwd_age_days: { power: 'security', group: 'password', as: 'number' },
      captcha_after: { power: 'security', group: 'lock', as: 'number' },
      lock_after: { power: 'security', group: 'lock', as: 'number' },
      lock_minutes: { power: 'security', group: 'lock', as: 'number' },
      session_idle_hours: { power: 'security', group: 'session', as: 'number' },
      session_days: { power: 'security', group: 'session', as: 'number' },
      several_sessions: { power: 'security', group: 'session', as: 'switch' },
      visitor_mode: { power: 'security', group: 'session', as: 'switch' },
      visitor_days: { power: 'security', group: 'session', as: 'number' },
      second_factor_admins: { power: 'security', group: 'session', as: 'switch' },
      allowed_addresses: {
        power: 'security',
        group: 'session',
        as: 'lines',
        entered: z.array(text(50).regex(/^[\da-f:.]+(\/\d{1,3})?$/i)).max(1000),
      },
      logout_page: { power: 'system', group: 'network', as: 'address', entered: WebAddress },
      web_context: { power: 'system', group: 'network', as: 'address', entered: WebAddress },
      pwdLength: { power: 'security', group: 'password', as: 'number' },
      captcha_always: { power: 'security', group: 'lock', as: 'switch' },
    },
  },
})
