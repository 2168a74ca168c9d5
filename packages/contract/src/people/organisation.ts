// Accounts, departments ("groups" on the wire) and roles, for everybody and for the administrator ([R347], decisions "Wire shapes").
import { z } from 'zod'
import { peopleAdministrator, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, Time, text } from '../fields.ts'
import { administration } from './administration.ts'
import { administratorCalls } from './administrators.ts'
import { capabilityCalls } from './capabilities.ts'
import { directory } from './directory.ts'
import { sheetCalls } from './import.ts'
import { roleCalls } from './roles.ts'

const peopleCalls = {
  createAccount: call({
    summary: 'Creates an account',
    kind: 'staged',
    method: 'POST',
    path: '/services2/organization/createAccount',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: peopleAdministrator,
    input: z.strictObject({
      account: text(64),
      accountName: text(64),
      /** Without one the person sets it by a link that the administrator hands over (createPasswordLinks). */
      password: text(1000).optional(),
      groupId: Id,
      secretLevel: Count.pipe(z.int().max(100)).default(0),
      /** The person must choose a password of their own before anything else ([R047], -80). */
      mustChangePassword: z.boolean().default(false),
      title: text(64).default(''),
      email: text(254).default(''),
      phone: text(32).default(''),
      /** Bytes; null is what holds for everybody. */
      quota: z.int().min(0).nullable().default(null),
      /** From when on the account is frozen; null: never. */
      expireTime: Time.min(0).nullable().default(null),
    }),
    data: z.strictObject({ userId: z.int() }),
    codes: [
      'accountCountExceeded',
      'alreadyExists',
      'illegalName',
      'passwordRequirements',
      'sameAsAccount',
      'notFound',
      'noPermission',
    ],
  }),
  /** Gives somebody a new password; their sessions end, and they choose one of their own before anything else. */
  resetPassword: call({
    summary: 'Gives an account a new password',
    kind: 'staged',
    method: 'POST',
    path: '/services2/organization/resetPassword',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: peopleAdministrator,
    input: z.strictObject({ userId: Id, password: text(1000), mustChangePassword: z.boolean().default(true) }),
    data: Nothing,
    codes: ['notFound', 'ownAccount', 'adminAccount', 'noPermission', 'passwordRequirements', 'sameAsAccount'],
  }),
  createGroup: call({
    summary: 'Creates a department',
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/createGroup',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: peopleAdministrator,
    /** parentId 0 is the company itself. */
    input: z.strictObject({ groupName: text(64), parentId: Id }),
    data: z.strictObject({ groupId: z.int() }),
    codes: ['alreadyExists', 'illegalName', 'notFound', 'workspaceCountExceeded'],
  }),
  createRole: call({
    summary: 'Creates a role',
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/createRole',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ roleName: text(64) }),
    data: z.strictObject({ roleId: z.int() }),
    codes: ['alreadyExists', 'illegalName'],
  }),
  addRoleAccount: call({
    summary: 'Gives an account a role',
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/addRoleAccount',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ roleId: Id, userId: Id }),
    data: Nothing,
    codes: ['notFound'],
  }),
  setAccountState: call({
    summary: 'Freezes, locks or opens an account',
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/setAccountState',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: peopleAdministrator,
    input: z.strictObject({ userId: Id, state: z.enum(['normal', 'locked', 'frozen', 'restricted', 'disabled']) }),
    data: Nothing,
    codes: ['notFound', 'ownAccount', 'adminAccount', 'noPermission'],
  }),
}

export const people = feature({
  about: { name: 'people', text: 'Accounts, departments and roles' },
  calls: {
    ...peopleCalls,
    ...directory,
    ...administration,
    ...administratorCalls,
    ...sheetCalls,
    ...roleCalls,
    ...capabilityCalls,
  },
  settings: {
    beside: {
      /** What the secret levels are called, from 1 on. */
      secret_names: z.array(z.string().max(50)).max(100).default(['内部', '秘密', '机密', '绝密']),
      company_name: z.string().default(''),
      /** How many accounts there may be, those of people who left not counted; 0 sets no limit. */
      account_limit: z.int().min(0).default(0),
    },
    administered: {
      company_name: { power: 'system', group: 'site', as: 'text', entered: text(64).min(1).regex(/\S/) },
      secret_names: {
        power: 'security',
        group: 'levels',
        as: 'lines',
        entered: z.array(text(50).min(1)).min(1).max(100),
      },
    },
  },
})
