// The further ways to sign in: codes by short message ([R017]), QR codes ([R018]), external tokens ([R020]), pages that
// a program opens ([R022]), and trial accounts ([R023]).
import { z } from 'zod'
import { accountHolder, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { ClientType, Nothing, Time, text } from '../fields.ts'

const SignedIn = z
  .strictObject({
    accessToken: z.string(),
    expiresAt: Time,
    accountInfo: z.strictObject({ userId: z.int(), account: z.string(), accountName: z.string() }),
    serverId: z.int(),
  })
  .meta({ id: 'SignedInAnotherWay' })

const signsIn = 'this is how a session begins; every credential path is throttled'
const Digits = text(12)
const before = { auth: 'none', origin: 'ours', kind: 'staged', method: 'POST', payload: 'json' } as const

export const ways = feature({
  about: { name: 'ways to sign in', text: 'Codes by short message, QR codes, external tokens and trial accounts' },
  calls: {
    getSignInWays: call({
      summary: 'Tells which ways to sign in the company offers',
      kind: 'read',
      method: 'GET',
      path: '/services2/login/getSignInWays',
      auth: 'none',
      payload: 'none',
      origin: 'ours',
      open: 'the buttons that the login page shows to everybody',
      input: z.strictObject({}),
      data: z.strictObject({
        providers: z.array(
          z.strictObject({
            providerId: z.int(),
            name: z.string(),
            kind: z.enum(['ldap', 'oidc', 'oauth', 'saml']),
            domains: z.array(z.string()).describe('Mail domains whose people sign in by this provider.'),
          }),
        ),
        sms: z.boolean(),
        qr: z.boolean(),
        trial: z.boolean(),
        passkeys: z.boolean(),
        quick: z.boolean().describe('The control program on the computer can vouch for its account.'),
      }),
    }),
    getLoginSmsCaptcha: call({
      ...before,
      summary: 'Sends a code by short message to sign in with',
      notes:
        'Answers alike whether or not the account exists and has a phone. The code goes with `smsKey` to loginBySmsCaptcha.',
      title: { zh: '发送登录短信', en: 'Sign-in code sent' },
      path: '/services2/safety/getLoginSmsCaptcha',
      origin: 'spec',
      open: 'sends a message to the owner of the account; throttled for the account and the network',
      // Not recorded for strangers: the handler records whom a message was sent to.
      input: z.strictObject({ userName: text(200) }),
      sample: () => ({ userName: 'nobody' }),
      data: z.strictObject({ smsKey: z.string(), expiresAt: Time }),
      codes: ['sendingTooOften', 'invalidMobileNumber', 'smsNotSetUp'],
    }),
    loginBySmsCaptcha: call({
      ...before,
      summary: 'Signs in with a code of a short message',
      title: { zh: '短信登录', en: 'Sign in by short message' },
      path: '/services2/login/loginBySmsCaptcha',
      open: signsIn,
      input: z.strictObject({
        smsKey: text(100),
        captcha: Digits,
        clientType: ClientType.default(6),
        factorCode: text(20).optional(),
      }),
      sample: () => ({ smsKey: 'x', captcha: '000000' }),
      data: SignedIn,
      codes: [
        ...(['wrongVerificationCode', 'sendingTooOften', 'secondFactorDue', 'wrongSecondFactor'] as const),
        ...(['accountFrozen', 'signInRejected'] as const),
      ],
    }),
    applyCode: call({
      summary: 'Makes a QR code to sign in with',
      notes:
        'A page on the home screen of a phone (client type 8) gets a short code besides: whoever confirms the sign-in in another browser types it there.',
      kind: 'staged',
      title: { zh: '申请二维码', en: 'QR code' },
      method: 'GET',
      path: '/services2/qrCode/applyCode/{clientType}',
      auth: 'none',
      payload: 'none',
      origin: 'spec',
      open: 'a fresh code, bound to the browser that asked for it; throttled',
      input: z.strictObject({ clientType: ClientType }),
      sample: () => ({ clientType: 1 }),
      data: z.strictObject({
        code: z.string(),
        expiresAt: Time,
        shortCode: z.string().describe('Empty where none is asked for.'),
      }),
      codes: ['sendingTooOften'],
    }),
    getQrCodeState: call({
      summary: 'Tells what has become of a QR code',
      notes:
        '`waiting` until it is scanned (-71), `confirmed` once: the same call signs in then. Handled, unknown or expired, and refused ones are -70, -72 and -73.',
      kind: 'staged',
      title: { zh: '扫码登录', en: 'Sign in by QR code' },
      method: 'GET',
      path: '/services2/qrCode/getQrCodeState/{code}',
      auth: 'none',
      payload: 'none',
      origin: 'spec',
      open: signsIn,
      input: z.strictObject({ code: text(100) }),
      sample: () => ({ code: 'x' }),
      data: z.strictObject({ state: z.enum(['waiting', 'confirmed']), signedIn: SignedIn.nullable() }),
      codes: ['qrHandled', 'qrScanned', 'qrInvalid', 'qrRefused'],
    }),
    scanQrCode: call({
      servesReading: true,
      summary: 'Scans a QR code: tells where it was made',
      kind: 'write',
      audit: 'technical',
      method: 'POST',
      path: '/services2/qrCode/scanQrCode',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      guard: accountHolder,
      input: z.strictObject({ code: text(100) }),
      sample: () => ({ code: 'x' }),
      data: z.strictObject({
        address: z.string(),
        agent: z.string(),
        expiresAt: Time,
        asksCode: z.boolean().describe('Whether the short code is asked for that the device shows.'),
      }),
      codes: ['qrHandled', 'qrInvalid', 'qrRefused'],
    }),
    answerQrCode: call({
      servesReading: true,
      summary: 'Allows or refuses the sign-in of a scanned QR code',
      title: { zh: '确认扫码登录', en: 'QR sign-in answered' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/qrCode/answerQrCode',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      guard: accountHolder,
      input: z.strictObject({
        code: text(100),
        allow: z.boolean(),
        shortCode: text(20).default('').describe('What the device shows, if `scanQrCode` says that it is asked for.'),
      }),
      sample: () => ({ code: 'x', allow: false }),
      data: Nothing,
      codes: ['qrHandled', 'qrInvalid', 'qrRefused', 'wrongVerificationCode', 'sendingTooOften'],
    }),
    onlineTokenAuthenticate: call({
      summary: 'Signs in with a token of a system that the company trusts',
      notes:
        'A JWT (RFC 7519) with `sub` (the account), `aud` (as set), `iat`, `exp` at most five minutes later and `jti`, signed with ES256, RS256, PS256 or EdDSA by the key that an administrator has registered.',
      title: { zh: '外部令牌登录', en: 'Sign in by external token' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/dxgj/onlineTokenAuthenticate',
      auth: 'none',
      payload: 'form',
      origin: 'spec',
      open: signsIn,
      input: z.strictObject({ account: text(200), token: text(8000), clientType: ClientType }),
      sample: () => ({ account: 'anna', token: 'x', clientType: 6 }),
      data: SignedIn,
      codes: ['signInRejected', 'accountLocked', 'accountFrozen'],
    }),
    getPhoneCode: call({
      ...before,
      summary: 'Sends a code to a phone number for a trial account',
      title: { zh: '发送试用验证码', en: 'Trial code sent' },
      path: '/services2/safety/getPhoneCode',
      open: 'only where the company offers trial accounts; a captcha is asked for first, and it is throttled',
      input: z.strictObject({ phone: text(32), captcha: text(20) }),
      sample: () => ({ phone: '13800000000', captcha: 'x' }),
      data: z.strictObject({ smsKey: z.string(), expiresAt: Time }),
      codes: ['noPermission', 'wrongVerificationCode', 'invalidMobileNumber', 'sendingTooOften'],
    }),
    createTrialUser: call({
      ...before,
      summary: 'Creates a trial account for a confirmed phone number, and signs in',
      title: { zh: '创建试用账号', en: 'Trial account' },
      path: '/services2/login/createTrialUser',
      open: 'only where the company offers trial accounts, for whoever has the code that was sent to the phone',
      input: z.strictObject({ smsKey: text(100), captcha: Digits, clientType: ClientType.default(6) }),
      sample: () => ({ smsKey: 'x', captcha: '000000' }),
      data: z.strictObject({ ...SignedIn.shape, expireTime: Time }),
      codes: ['noPermission', 'wrongVerificationCode', 'sendingTooOften', 'accountCountExceeded', 'alreadyExists'],
    }),
    setTokenKey: call({
      summary: 'Registers the key by which external tokens are signed',
      title: { zh: '登记外部令牌密钥', en: 'Key of external tokens' },
      kind: 'write',
      method: 'POST',
      path: '/services2/safety/setTokenKey',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      guard: securityAdministrator,
      input: z.strictObject({
        /** A public key in SPKI PEM; empty: external tokens are refused. */
        publicKey: text(5000),
        audience: text(200).default(''),
      }),
      sample: () => ({ publicKey: '' }),
      data: Nothing,
      codes: ['badRequest'],
    }),
    getTokenKey: call({
      summary: 'Tells by which key external tokens are signed',
      kind: 'read',
      method: 'GET',
      path: '/services2/safety/getTokenKey',
      auth: 'required',
      payload: 'none',
      origin: 'ours',
      guard: securityAdministrator,
      input: z.strictObject({}),
      data: z.strictObject({ publicKey: z.string(), audience: z.string() }),
    }),
  },
  settings: {
    inner: {
      /** Whether the login page offers codes by short message, and QR codes. */
      login_by_sms: z.boolean().default(true),
      login_by_qr: z.boolean().default(true),
      /** Whether strangers can create trial accounts, with their life, space and role (X80). */
      trial_accounts: z.boolean().default(false),
      trial_days: z.int().min(1).max(365).default(30),
      trial_space: z
        .int()
        .min(0)
        .default(5 * 1024 ** 3),
      trial_role: z.string().max(64).default(''),
    },
    administered: {
      login_by_sms: {
        label: { zh: '短信验证码登录', en: 'Sign-in by short message' },
        note: {
          zh: '已设置短信网关时，登录页可以用绑定手机的验证码登录。',
          en: 'With a gateway for short messages, the login page offers codes to the phone of the account.',
        },
        power: 'security',
        group: 'session',
        as: 'switch',
      },
      login_by_qr: {
        label: { zh: '扫码登录', en: 'Sign-in by QR code' },
        note: {
          zh: '登录页显示二维码，已登录的设备扫描并确认后登录。',
          en: 'The login page shows a code that a device already signed in scans and confirms.',
        },
        power: 'security',
        group: 'session',
        as: 'switch',
      },
      trial_accounts: {
        label: { zh: '试用账号', en: 'Trial accounts' },
        note: {
          zh: '任何人可以用手机号验证后创建一个有期限的试用账号。需要先设置短信网关。',
          en: 'Anybody can create an account for a while by confirming a phone number. Needs a gateway for short messages.',
        },
        power: 'security',
        group: 'session',
        as: 'switch',
      },
      trial_days: {
        label: { zh: '试用天数', en: 'Days of a trial' },
        note: { zh: '试用账号到期后停用。', en: 'A trial account is disabled after so many days.' },
        power: 'security',
        group: 'session',
        as: 'number',
      },
      trial_space: {
        label: { zh: '试用空间', en: 'Space of a trial' },
        note: { zh: '每个试用账号的空间。', en: 'How much a trial account may store.' },
        power: 'security',
        group: 'session',
        as: 'bytes',
      },
      trial_role: {
        label: { zh: '试用角色', en: 'Role of a trial' },
        note: {
          zh: '试用账号得到的角色名称；留空则没有角色。',
          en: 'The name of the role that a trial account gets; none if left empty.',
        },
        power: 'security',
        group: 'session',
        as: 'text',
        entered: text(64),
      },
    },
  },
})
