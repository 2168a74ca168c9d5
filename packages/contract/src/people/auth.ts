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
    level: z.int().describe('The same as secretLevel, under the name that push 45 has for it. Colleagues are told 0.'),
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
    title: { zh: '登录', en: 'Sign in' },
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
    sample: () => ({ clientType: 6, userName: 'anna', password: 'Test#2026' }),
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
      'secondFactorSent',
      'wrongSecondFactor',
    ],
  }),
  login3ByLoginKey: call({
    summary: 'Signs in with a key that a session or this browser was given',
    title: { zh: '自动登录', en: 'Sign in by key' },
    kind: 'staged',
    method: 'POST',
    path: '/services/json/login/login3ByLoginKey',
    auth: 'none',
    payload: 'form',
    origin: 'spec',
    open: signsIn,
    input: z.strictObject({ serverId: Id.default(0), clientType: ClientType, loginKey: text(200) }),
    sample: () => ({ clientType: 6, loginKey: 'x' }),
    data: SignedIn,
    codes: ['notLoggedIn', 'accountLocked', 'accountFrozen', 'accountRestricted'],
  }),
  getLoginKey2: call({
    personOnly: true,
    servesReading: true,
    summary: 'Gives a key for signing in elsewhere, and what an encrypted sign-in needs',
    title: { zh: '取得登录密钥', en: 'Sign-in key' },
    // Issues data that expires by itself. It must not write to the audit log, otherwise any stranger could fill it.
    kind: 'staged',
    method: 'GET',
    path: '/services/json/organization/getLoginKey2/{clientType}',
    auth: 'optional',
    payload: 'none',
    origin: 'spec',
    open: 'gives a key for the caller itself; without a session only what an encrypted login needs',
    input: z.strictObject({ clientType: ClientType }),
    sample: () => ({ clientType: 6 }),
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
    personOnly: true,
    servesReading: true,
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
    title: { zh: '取消记住登录', en: 'Remembered sign-in ended' },
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
    sample: () => ({ loginKey: 'x' }),
    data: Nothing,
  }),
  loginInEncrypt: call({
    summary: 'Signs in with encrypted credentials',
    title: { zh: '登录', en: 'Sign in' },
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
    sample: () => ({ csrf_token: 'x', clientType: 6, body: 'x' }),
    data: SignedIn,
  }),
  getCaptcha: call({
    summary: 'Draws a captcha',
    title: { zh: '取得验证码', en: 'Captcha' },
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
    sample: () => ({ width: 130, height: 48 }),
    data: z.never(),
    codes: ['sendingTooOften'],
  }),
  logout2: call({
    summary: 'Ends the session',
    title: { zh: '退出', en: 'Sign out' },
    before: 'passwordChange',
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
    personOnly: true,
    summary: 'Gives back the token that the request was made with',
    kind: 'read',
    method: 'GET',
    path: '/services2/login/getUserAccessTokenByServerId/{serverId}',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ serverId: Id }),
    sample: () => ({ serverId: 0 }),
    data: z.string(),
  }),
  getMyAccountInfo: call({
    summary: 'Tells who the caller is',
    before: 'passwordChange',
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
    before: 'passwordChange',
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
    before: 'secondFactor',
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
    before: 'secondFactor',
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
    before: 'passwordChange',
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
    personOnly: true,
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
    title: { zh: '修改密码', en: 'Change password' },
    before: 'passwordChange',
    kind: 'staged',
    method: 'POST',
    path: '/services2/user/modifyPwd2',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    guard: accountHolder,
    input: z.strictObject({ oldPassword: text(1000), newPassword: text(1000), confirmPassword: text(1000).optional() }),
    sample: () => ({ oldPassword: 'Test#2026', newPassword: 'Test#2027' }),
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
    /** Not in the spec: `agent`, the user agent of the newer sign-in, if it is known. */
    payload: z.strictObject({ serverId: z.int(), time: Time, agent: z.string().optional() }),
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
      /** The proxy by which programs reach the server; its host gets the company code in front ([R346]). */
      proxy_address: z.string().default(''),
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
      /** From this level on people need one; 0: by level nobody does. */
      second_factor_level: z.int().min(0).max(100).default(0),
      /** Addresses and ranges; whoever signs in from elsewhere needs one. Empty: by network nobody does. */
      second_factor_trusted: z.array(z.string().max(50)).max(1000).default([]),
      /** Whether people may set up a phone as their second factor. */
      second_factor_sms: z.boolean().default(false),
      /** A new session does not end other sessions of the same account and client type. */
      several_sessions: z.boolean().default(false),
      /** Client addresses and CIDR ranges that are allowed; empty: all. */
      allowed_addresses: z.array(z.string().max(50)).max(1000).default([]),
    },
    administered: {
      pwd_age_days: {
        label: { zh: '密码有效天数', en: 'Password lifetime (days)' },
        note: {
          zh: '超过这么多天没换的密码，登录后必须先修改；0 表示一直有效。',
          en: 'An older one must be changed after signing in, before anything else; 0 for ever.',
        },
        power: 'security',
        group: 'password',
        as: 'number',
      },
      captcha_after: {
        label: { zh: '几次输错后要验证码', en: 'Wrong passwords before a captcha' },
        note: {
          zh: '同一账号输错密码这么多次后，登录要先输验证码。',
          en: 'After so many of one account, signing in asks for a captcha.',
        },
        power: 'security',
        group: 'lock',
        as: 'number',
      },
      lock_after: {
        label: { zh: '几次输错后锁定', en: 'Wrong passwords before a lock' },
        note: {
          zh: '同一账号输错密码这么多次后，暂时不能登录。',
          en: 'After so many of one account, nobody can sign in to it for a while.',
        },
        power: 'security',
        group: 'lock',
        as: 'number',
      },
      lock_minutes: {
        label: { zh: '锁定分钟数', en: 'Lock duration (minutes)' },
        note: {
          zh: '输错的次数只在这段时间内累计，锁定也到这段时间结束为止。',
          en: 'Wrong passwords count within this time, and a lock ends with it.',
        },
        power: 'security',
        group: 'lock',
        as: 'number',
      },
      session_idle_hours: {
        label: { zh: '闲置多少小时后退出', en: 'Idle sessions end after (hours)' },
        note: {
          zh: '这么久没有操作的登录自动结束；已打开的登录也按新值。',
          en: 'A session nobody has used for so long ends; open ones follow the new value.',
        },
        power: 'security',
        group: 'session',
        as: 'number',
      },
      session_days: {
        label: { zh: '登录最长天数', en: 'Longest session (days)' },
        note: { zh: '不论是否在用，一次登录最多保持这么多天。', en: 'Used or not, no session lasts longer.' },
        power: 'security',
        group: 'session',
        as: 'number',
      },
      several_sessions: {
        label: { zh: '允许同时多处登录', en: 'Several sessions at once' },
        note: {
          zh: '关闭时，同一账号在另一台电脑登录，原来的登录会下线。',
          en: 'Off, signing in on another computer ends the session on the first.',
        },
        power: 'security',
        group: 'session',
        as: 'switch',
      },
      visitor_mode: {
        label: { zh: '访客模式', en: 'Visitor mode' },
        note: {
          zh: '每个人可以设一个访客密码；用它登录只能查看和按权限操作文件，不能授权、彻底删除或改动账号。关闭后，访客会话立即结束。',
          en: 'People can set a visitor password; signed in with it one sees files and works by one’s rights, but neither grants, deletes for good nor changes the account. Switched off, visitor sessions end at once.',
        },
        power: 'security',
        group: 'session',
        as: 'switch',
      },
      visitor_days: {
        label: { zh: '访客密码最长天数', en: 'Longest life of a visitor password, in days' },
        note: {
          zh: '访客密码最多有效这么多天，到期自动停用。',
          en: 'A visitor password ends by itself after so many days.',
        },
        power: 'security',
        group: 'session',
        as: 'number',
      },
      second_factor_admins: {
        label: { zh: '管理员必须两步验证', en: 'Two-step sign-in for administrators' },
        note: {
          zh: '打开后，管理员登录时除密码外还要输入动态验证码；还没设置的，先设置才能继续。请先为自己设置。',
          en: 'Administrators enter a code of their authenticator beside the password; who has not set one up does so before anything else. Set up yours first.',
        },
        power: 'security',
        group: 'session',
        as: 'switch',
      },
      second_factor_level: {
        label: { zh: '从哪个密级起必须两步验证', en: 'Two-step sign-in from level' },
        note: {
          zh: '人员密级达到这个数的，登录时要输入验证码或使用通行密钥；0 表示不按密级要求。',
          en: 'People of this level or higher need a second factor or a passkey to sign in; 0 demands it of no level.',
        },
        power: 'security',
        group: 'session',
        as: 'number',
      },
      second_factor_trusted: {
        label: { zh: '不要求两步验证的网络', en: 'Networks without two-step sign-in' },
        note: {
          zh: '从其他网络登录的人要输入验证码或使用通行密钥；留空则不按网络要求。访客密码只能在这些网络里使用。',
          en: 'Whoever signs in from elsewhere needs a second factor or a passkey; empty demands it of no network. Visitor passwords work inside these networks only.',
        },
        power: 'security',
        group: 'session',
        as: 'lines',
        entered: z.array(text(50).regex(/^[\da-f:.]+(\/\d{1,3})?$/i)).max(1000),
      },
      second_factor_sms: {
        label: { zh: '允许用短信验证码两步验证', en: 'Text messages for two-step sign-in' },
        note: {
          zh: '打开后，员工可以选择用手机短信代替验证器；需要先设置短信网关。短信可能被冒领号码的人收到，不如验证器和通行密钥安全。关闭后不能新设置，已设置的继续使用。',
          en: 'People may choose text messages instead of an authenticator; a gateway for messages has to be set up. Whoever takes over a phone number reads them, so authenticators and passkeys are safer. Switched off, nobody sets one up any more; those who have one go on.',
        },
        power: 'security',
        group: 'session',
        as: 'switch',
      },
      allowed_addresses: {
        label: { zh: '允许的网络地址', en: 'Allowed addresses' },
        note: {
          zh: '只有这些地址或网段（如 192.168.10.0/24）可以访问；留空不限。必须包含你现在的地址。',
          en: 'Only these addresses or ranges, such as 192.168.10.0/24; empty allows all. Yours must be among them.',
        },
        power: 'security',
        group: 'session',
        as: 'lines',
        entered: z.array(text(50).regex(/^[\da-f:.]+(\/\d{1,3})?$/i)).max(1000),
      },
      logout_page: {
        label: { zh: '退出后转到', en: 'Page after signing out' },
        note: {
          zh: '退出登录后打开这个网页；留空则回到登录页。',
          en: 'Opened after signing out; left empty, the sign-in page is.',
        },
        power: 'system',
        group: 'network',
        as: 'address',
        entered: WebAddress,
      },
      web_context: {
        label: { zh: '可信的转向地址', en: 'Trusted redirect' },
        note: {
          zh: '服务器要求网页转到别处时，除本站外只允许转到这个站点。',
          en: 'Beside this site, the only one that the server may send a page to.',
        },
        power: 'system',
        group: 'network',
        as: 'address',
        entered: WebAddress,
      },
      proxy_address: {
        label: { zh: '代理地址', en: 'Proxy address' },
        note: {
          zh: '电脑上的编辑程序经过这个主机（可带端口）连接服务器；主机名不以企业代码开头时会自动加上。留空则直接连接。',
          en: 'The host, with a port if needed, by which editing programs on computers reach the server; the company code is put in front of it. Left empty they connect directly.',
        },
        power: 'system',
        group: 'network',
        as: 'host',
        entered: text(260).regex(/^(([a-z\d-]+\.)*[a-z\d-]+(:\d{1,5})?)?$/i),
      },
      pwdLength: {
        label: { zh: '密码最短长度', en: 'Minimum password length' },
        note: {
          zh: '新设的密码至少几位，现有密码到下次修改时才按这一项。',
          en: 'Characters of a new password; those in use follow when they are next changed.',
        },
        power: 'security',
        group: 'password',
        as: 'number',
      },
      captcha_always: {
        label: { zh: '每次登录都要验证码', en: 'Captcha at every sign-in' },
        note: {
          zh: '关闭时，只在输错几次密码之后才要求验证码。',
          en: 'Off, one is asked for only after some wrong passwords.',
        },
        power: 'security',
        group: 'lock',
        as: 'switch',
      },
    },
  },
})
