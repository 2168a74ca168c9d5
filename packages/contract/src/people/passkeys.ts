// Passkeys: keys of a device or a password manager that sign in without a password (WebAuthn Level 3).
import { z } from 'zod'
import { accountHolder } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { ClientType, Id, Nothing, Time, text } from '../fields.ts'

const own = { auth: 'required', origin: 'ours', guard: accountHolder } as const
/** Before a person has the second factor that the company demands: a passkey is one. */
const factor = { ...own, before: 'secondFactor' } as const
const Credential = text(20_000).describe('The answer of the browser (…ResponseJSON of WebAuthn Level 3), as JSON text.')
const Name = text(60).min(1).describe('What its owner calls it.')
const Options = z.string().describe('The options for the browser (…OptionsJSON of WebAuthn Level 3), as JSON text.')

export const passkeys = feature({
  about: { name: 'passkeys', text: 'Keys of devices and password managers that sign in without a password' },
  calls: {
    getMyPasskeys: call({
      ...factor,
      summary: 'Lists the passkeys of the caller',
      kind: 'read',
      method: 'GET',
      path: '/services2/passkey/getMyPasskeys',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        list: z.array(
          z.strictObject({
            passkeyId: z.int(),
            name: z.string(),
            createTime: Time,
            usedTime: z.int().describe('When it last signed in; 0: never.'),
            host: z.string().describe('The host name that it belongs to.'),
            usable: z.boolean().describe('Whether it belongs to the host name of this page.'),
          }),
        ),
      }),
    }),
    beginPasskey: call({
      ...factor,
      summary: 'Begins to add a passkey',
      notes:
        'Ten minutes after the sign-in the password is asked for once more: -21 without it. Accounts without a password are not asked.',
      title: { zh: '准备添加通行密钥', en: 'Passkey begun' },
      kind: 'staged',
      audit: 'technical',
      method: 'POST',
      path: '/services2/passkey/beginPasskey',
      payload: 'json',
      input: z.strictObject({ password: text(1000).default('').describe('The password of the caller.') }),
      data: z.strictObject({ options: Options }),
      codes: ['wrongPassword', 'sendingTooOften', 'secondFactorDue', 'tooMany'],
    }),
    addPasskey: call({
      ...factor,
      summary: 'Adds a passkey that the browser has made',
      title: { zh: '添加通行密钥', en: 'Passkey added' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/passkey/addPasskey',
      payload: 'json',
      input: z.strictObject({ credential: Credential, name: Name }),
      sample: () => ({ credential: '{}', name: 'x' }),
      data: z.strictObject({ passkeyId: z.int() }),
      codes: ['passkeyRefused', 'alreadyExists', 'secondFactorDue'],
    }),
    renamePasskey: call({
      ...own,
      summary: 'Names a passkey of the caller anew',
      title: { zh: '重命名通行密钥', en: 'Passkey renamed' },
      kind: 'write',
      method: 'POST',
      path: '/services2/passkey/renamePasskey',
      audits: ['passkeyId'],
      payload: 'json',
      input: z.strictObject({ passkeyId: Id, name: Name }),
      sample: () => ({ passkeyId: 1, name: 'x' }),
      data: Nothing,
      codes: ['notFound'],
    }),
    removePasskey: call({
      ...own,
      summary: 'Removes a passkey of the caller',
      title: { zh: '移除通行密钥', en: 'Passkey removed' },
      kind: 'write',
      method: 'POST',
      path: '/services2/passkey/removePasskey',
      audits: ['passkeyId'],
      payload: 'json',
      input: z.strictObject({ passkeyId: Id }),
      sample: () => ({ passkeyId: 1 }),
      data: Nothing,
      codes: ['notFound', 'secondFactorMissing'],
    }),
    startPasskeySignIn: call({
      summary: 'Begins a sign-in by passkey',
      kind: 'staged',
      title: { zh: '通行密钥登录', en: 'Sign in by passkey' },
      method: 'POST',
      path: '/services2/passkey/startPasskeySignIn',
      auth: 'none',
      payload: 'json',
      origin: 'ours',
      open: 'this is how a session begins; the answer is a random challenge and names no account',
      input: z.strictObject({}),
      data: z.strictObject({ options: Options }),
      codes: ['sendingTooOften', 'addressNotAllowed'],
    }),
    finishPasskeySignIn: call({
      summary: 'Signs in with the answer of a passkey',
      title: { zh: '通行密钥登录', en: 'Sign in by passkey' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/passkey/finishPasskeySignIn',
      auth: 'none',
      payload: 'json',
      origin: 'ours',
      open: 'this is how a session begins; the signature is checked, and the path is throttled',
      input: z.strictObject({ credential: Credential, clientType: ClientType.default(6) }),
      sample: () => ({ credential: '{}' }),
      data: z
        .strictObject({
          accessToken: z.string(),
          expiresAt: Time,
          accountInfo: z.strictObject({ userId: z.int(), account: z.string(), accountName: z.string() }),
          serverId: z.int(),
        })
        .meta({ id: 'SignedInByPasskey' }),
      codes: ['passkeyRefused', 'accountFrozen', 'accountLocked', 'accountRestricted', 'addressNotAllowed'],
    }),
    proveByPasskey: call({
      ...factor,
      summary: 'Gives the second factor of this session by a passkey',
      title: { zh: '用通行密钥验证', en: 'Second factor by passkey' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/passkey/proveByPasskey',
      payload: 'json',
      input: z.strictObject({ credential: Credential }),
      sample: () => ({ credential: '{}' }),
      data: Nothing,
      codes: ['passkeyRefused'],
    }),
  },
  settings: {
    inner: {
      /** The host name that new passkeys belong to; empty: that of the page. */
      passkey_host: z.string().max(253).default(''),
    },
    administered: {
      passkey_host: {
        label: { zh: '通行密钥的域名', en: 'Host name of passkeys' },
        note: {
          zh: '新通行密钥属于这个域名，必须是网页域名或它的上级域名（如 huaxin.example）；留空则为网页域名。更改后，旧域名的通行密钥不能再用，密码和其他方式照常；有人会因此无法登录时不能更改。',
          en: 'New passkeys belong to it: that of the page or a parent of it, such as huaxin.example; empty takes that of the page. After a change the keys of the old name no longer sign in; passwords and other ways do. It cannot change while people would have no way in.',
        },
        power: 'security',
        group: 'session',
        as: 'host',
        entered: text(253).regex(/^([a-z\d-]+\.)*[a-z\d-]*$/i),
      },
    },
  },
})
