// Programs: personal tokens, app passwords, and service accounts, each with scopes, an end, and revocation at once.
import { z } from 'zod'
import { accountHolder, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing, Time, text } from '../fields.ts'

const own = { auth: 'required', origin: 'ours', guard: accountHolder, personOnly: true } as const
const security = { auth: 'required', origin: 'ours', guard: securityAdministrator, personOnly: true } as const

/** What a token permits. `read` goes without saying. */
export const programScopes = ['read', 'write', 'adminRead', 'provisioning'] as const
const Scope = z.enum(programScopes)

const Program = z.strictObject({
  programId: z.int(),
  kind: z.enum(['personal', 'service', 'app']),
  name: z.string(),
  scopes: z.array(Scope),
  libraries: z.array(z.strictObject({ libraryId: z.int(), name: z.string() })).describe('Empty: every library.'),
  ending: z.string().describe('The last characters of the token.'),
  createTime: Time,
  expireTime: Time,
  usedTime: z.int().describe('When it was last used, to five minutes; 0: never.'),
  ended: z.boolean().describe('Whether it is over: expired, or its account was shut.'),
})

const Name = text(60).min(1).describe('What it is for.')
const LibraryIds = z.array(Id).max(100).default([]).describe('The libraries it is limited to; none: every one.')
const Days = z.int().min(1).max(3650).describe('In how many days it ends.')

export const programs = feature({
  about: { name: 'programs', text: 'Tokens by which programs act for an account' },
  calls: {
    getMyPrograms: call({
      ...own,
      summary: 'Lists the tokens and app passwords of the caller',
      kind: 'read',
      method: 'GET',
      path: '/services2/program/getMyPrograms',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        allowed: z.boolean().describe('Whether people may make tokens.'),
        mostDays: z.int(),
        list: z.array(Program),
      }),
    }),
    createMyProgram: call({
      ...own,
      summary: 'Makes a token, or an app password, of the caller',
      notes:
        'The token is told once. Ten minutes after the sign-in the password is asked for once more, of accounts that have one: -21 without it.',
      title: { zh: '建立令牌', en: 'Token made' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/program/createMyProgram',
      payload: 'json',
      input: z.strictObject({
        kind: z.enum(['personal', 'app']).describe('A token, or the password of one program for WebDAV.'),
        name: Name,
        write: z.boolean().default(false).describe('Whether it may change something.'),
        libraryIds: LibraryIds,
        days: Days,
        password: text(1000).default('').describe('The password of the caller.'),
      }),
      sample: () => ({ kind: 'personal', name: 'x', days: 30 }),
      data: z.strictObject({ programId: z.int(), token: z.string(), expireTime: Time }),
      codes: ['wrongPassword', 'noPermission', 'tooMany', 'notFound'],
    }),
    revokeMyProgram: call({
      ...own,
      summary: 'Ends a token of the caller at once',
      title: { zh: '撤销令牌', en: 'Token revoked' },
      kind: 'write',
      method: 'POST',
      path: '/services2/program/revokeMyProgram',
      audits: ['programId'],
      payload: 'json',
      servesReading: true,
      input: z.strictObject({ programId: Id.describe('The number of the token.') }),
      sample: () => ({ programId: 1 }),
      data: Nothing,
      codes: ['notFound'],
    }),
    getPrograms: call({
      ...security,
      summary: 'Lists the service accounts, and the tokens of everybody',
      kind: 'read',
      method: 'GET',
      path: '/services2/program/getPrograms',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        accounts: z.array(
          z.strictObject({
            userId: z.int(),
            account: z.string(),
            accountName: z.string(),
            groupName: z.string(),
            programs: z.int(),
            state: z.string(),
          }),
        ),
        list: z.array(
          Program.extend({
            userId: z.int(),
            account: z.string(),
            accountName: z.string(),
            createdBy: z.string(),
          }),
        ),
      }),
    }),
    createServiceAccount: call({
      ...security,
      summary: 'Makes an account that only tokens of programs open',
      title: { zh: '建立服务账号', en: 'Service account made' },
      kind: 'write',
      method: 'POST',
      path: '/services2/program/createServiceAccount',
      payload: 'json',
      input: z.strictObject({
        account: text(64).min(1).describe('Its name for signing in.'),
        accountName: text(64).min(1).describe('What people see.'),
      }),
      sample: () => ({ account: 'svc-sample', accountName: '示例程序' }),
      data: z.strictObject({ userId: z.int() }),
      codes: ['alreadyExists', 'accountCountExceeded', 'illegalName'],
    }),
    createServiceProgram: call({
      ...security,
      summary: 'Makes a client of a service account, with its secret',
      notes:
        'The secret is told once. A program exchanges it for tokens at /services2/oauth/token (RFC 6749, client_credentials). `provisioning` permits SCIM alone; its secret is a token itself, for systems that know no exchange.',
      title: { zh: '建立服务令牌', en: 'Service client made' },
      kind: 'write',
      method: 'POST',
      path: '/services2/program/createServiceProgram',
      audits: ['userId'],
      payload: 'json',
      input: z.strictObject({
        userId: Id.describe('The service account.'),
        name: Name,
        scopes: z.array(Scope).min(1).max(programScopes.length).describe('What it permits.'),
        libraryIds: LibraryIds,
        days: Days,
      }),
      sample: (ids) => ({ userId: ids.userId, name: 'x', scopes: ['read'], days: 30 }),
      data: z.strictObject({ programId: z.int(), clientId: z.string(), clientSecret: z.string(), expireTime: Time }),
      codes: ['notFound', 'badRequest', 'tooMany'],
    }),
    revokeProgram: call({
      ...security,
      summary: 'Ends a token or a service client at once, with what it has been given',
      title: { zh: '撤销成员的令牌', en: 'Token of a person revoked' },
      kind: 'write',
      method: 'POST',
      path: '/services2/program/revokeProgram',
      audits: ['programId'],
      payload: 'json',
      servesReading: true,
      input: z.strictObject({ programId: Id.describe('The number of the token.') }),
      sample: () => ({ programId: 1 }),
      data: Nothing,
      codes: ['notFound'],
    }),
  },
  settings: {
    inner: {
      /** Whether people may make tokens and app passwords, and for how many days. */
      personal_tokens: z.boolean().default(true),
      token_days: z.int().min(1).max(3650).default(180),
    },
    administered: {
      personal_tokens: {
        label: { zh: '个人令牌和应用密码', en: 'Personal tokens and app passwords' },
        note: {
          zh: '员工可以为自己的程序建立令牌。关闭后不能新建，已有的照常，可以在“服务账号与令牌”里撤销。',
          en: 'People can make tokens for their programs. When off, no new ones are made; existing ones stay until they are revoked.',
        },
        power: 'security',
        group: 'session',
        as: 'switch',
      },
      token_days: {
        label: { zh: '令牌最长天数', en: 'Longest life of a token in days' },
        note: {
          zh: '新的个人令牌和应用密码最多有效这么多天。',
          en: 'New personal tokens and app passwords end after so many days at most.',
        },
        power: 'security',
        group: 'session',
        as: 'number',
      },
    },
  },
})
