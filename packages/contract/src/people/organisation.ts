// Accounts, departments ("groups" on the wire) and roles, for users and for administrators ([R347], decisions "Wire
// shapes").
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
    title: { zh: '新建账号', en: 'New account' },
    audits: ['groupId'],
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
      /** If absent, the user sets it by a link that the administrator passes on (createPasswordLinks). */
      password: text(1000).optional(),
      groupId: Id,
      secretLevel: Count.pipe(z.int().max(100)).default(0),
      /** The user must choose their own password before any other call ([R047], -80). */
      mustChangePassword: z.boolean().default(false),
      title: text(64).default(''),
      email: text(254).default(''),
      phone: text(32).default(''),
      /** Bytes; null: the default for all users applies. */
      quota: z.int().min(0).nullable().default(null),
      /** When the account is frozen; null: never. */
      expireTime: Time.min(0).nullable().default(null),
    }),
    sample: (ids) => ({ account: 'newcomer', accountName: '新人', groupId: ids.groupId }),
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
  createGroup: call({
    summary: 'Creates a department',
    title: { zh: '新建部门', en: 'New department' },
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/createGroup',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: peopleAdministrator,
    /** parentId 0: the company itself. */
    input: z.strictObject({ groupName: text(64), parentId: Id }),
    sample: (ids) => ({ groupName: '新部门', parentId: ids.folderId }),
    data: z.strictObject({ groupId: z.int() }),
    codes: ['alreadyExists', 'illegalName', 'notFound', 'workspaceCountExceeded'],
  }),
  createRole: call({
    summary: 'Creates a role',
    title: { zh: '新建角色', en: 'New role' },
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/createRole',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ roleName: text(64) }),
    sample: () => ({ roleName: '新角色' }),
    data: z.strictObject({ roleId: z.int() }),
    codes: ['alreadyExists', 'illegalName'],
  }),
  setAccountState: call({
    summary: 'Freezes, locks or opens an account',
    title: { zh: '修改账号状态', en: 'Account state' },
    audits: ['userId'],
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/setAccountState',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: peopleAdministrator,
    input: z.strictObject({ userId: Id, state: z.enum(['normal', 'locked', 'frozen', 'restricted', 'disabled']) }),
    sample: (ids) => ({ userId: ids.userId, state: 'normal' }),
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
      /** Names of the secret levels, starting with level 1. */
      secret_names: z.array(z.string().max(50)).max(100).default(['内部', '秘密', '机密', '绝密']),
      company_name: z.string().default(''),
      /** Whether one account may have several of the three powers. */
      combined_powers: z.boolean().default(false),
      /** Maximum number of accounts, not counting users who left; 0: no limit. */
      account_limit: z.int().min(0).default(0),
    },
    administered: {
      company_name: {
        label: { zh: '公司名称', en: 'Company name' },
        note: {
          zh: '显示在登录页、标题栏和发出的通知里。',
          en: 'Shown on the sign-in page, in the title bar and in what is sent out.',
        },
        power: 'system',
        group: 'site',
        as: 'text',
        entered: text(64).min(1).regex(/\S/),
      },
      combined_powers: {
        label: { zh: '一人可兼多项管理权', en: 'One person may hold several powers' },
        note: {
          zh: '系统、安全、审计三项管理权默认由不同的人担任。只在人手不足时打开；有人兼任时不能关闭。',
          en: 'By default, system, security and audit are in different hands. Turn this on only if there are too few people. It cannot be turned off while somebody holds several.',
        },
        power: 'security',
        group: 'password',
        as: 'switch',
      },
      secret_names: {
        label: { zh: '密级名称', en: 'Names of secret levels' },
        note: {
          zh: '每行一个，由低到高；第一行是 1 级。',
          en: 'One in each line, the lowest first; the first line is level 1.',
        },
        power: 'security',
        group: 'levels',
        as: 'lines',
        entered: z.array(text(50).min(1)).min(1).max(100),
      },
    },
  },
})
