// Administration of users and departments ([R047], [R347]-[R349]).
import { powers } from '@cloudoc/domain'
import { z } from 'zod'
import { peopleAdministrator, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { Count, Flag, Id, Nothing, pageOf, rows, Time, text } from '../fields.ts'

const State = z.enum(['normal', 'locked', 'frozen', 'restricted', 'disabled'])
/** Users of one call. */
const People = z.array(Id).min(1).max(1000)
const Level = z.int().min(0).max(100)
const Quota = z.int().min(0).nullable()
/** When the account is frozen; null: never. */
const Expiry = Time.min(0).nullable()

/** Filters of the user list. */
const wanted = {
  /** 0: the company. */
  groupId: Id.default(0),
  /** Whether to include users of subordinate departments. */
  below: Flag.default(true),
  /** Users who left are listed only on request. `waiting`: no password set yet. */
  state: z.enum(['all', 'normal', 'locked', 'frozen', 'restricted', 'disabled', 'waiting']).default('all'),
  roleId: Id.default(0),
  /** Part of the name, the account, or pinyin. */
  keyword: text(100).default(''),
}

const PersonRow = z.strictObject({
  userId: z.int(),
  account: z.string(),
  accountName: z.string(),
  groupId: z.int(),
  groupName: z.string(),
  title: z.string(),
  roles: z.array(z.string()),
  secretLevel: z.int(),
  state: State,
  isAdmin: z.boolean(),
  powers: z.array(z.enum(powers)).describe('What they administer, beside the first administrator.'),
  waiting: z.boolean().describe('Has not set a password yet.'),
  signedInTime: z.int().describe('0: never.'),
  expireTime: z.int().describe('0: never.'),
})

const Department = z.strictObject({
  groupId: z.int(),
  groupName: z.string(),
  parentId: z.int(),
  below: z.int().describe('Departments right below it.'),
  path: z.string().describe('The names from the company down to it.'),
})

const Answers = z.strictObject({
  list: z.array(z.strictObject({ userId: z.int(), name: z.string(), result: z.int() })),
})

/** 16 characters without easily confused ones; may be entered in any case and with dashes. */
const LinkCode = z
  .string()
  .max(40)
  .transform((typed) => typed.replace(/[\s-]/g, '').toUpperCase())
  .pipe(z.string().regex(/^[0-9A-HJKMNP-TV-Z]{16}$/))

/**
 * A delegated administrator sees and changes only the delegated part; the rest of the company does not exist for them
 * (decisions E1).
 */
const ours = { auth: 'required', origin: 'ours', guard: peopleAdministrator } as const
const wholeCompany = { ...ours, guard: systemAdministrator } as const

export const administration = {
  /** A page of users by name, from any position. */
  getPeople: call({
    summary: 'Lists people as their administrator sees them',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getPeople',
    payload: 'query',
    input: z.strictObject({ ...wanted, ...pageOf(100, 500) }),
    data: z.strictObject({ list: z.array(PersonRow) }),
    codes: ['notFound'],
  }),
  /** Number of matching users. Separate from the page, so that the page does not have to wait for it. */
  countPeople: call({
    summary: 'Counts people',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/countPeople',
    payload: 'query',
    input: z.strictObject(wanted),
    data: z.strictObject({ total: z.int() }),
    codes: ['notFound'],
  }),
  getPerson: call({
    summary: 'Tells everything an administrator sees of a person',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getPerson/{userId}',
    payload: 'none',
    input: z.strictObject({ userId: Id }),
    sample: (ids) => ({ userId: ids.userId }),
    data: z.strictObject({
      ...PersonRow.shape,
      roles: z.array(z.strictObject({ roleId: z.int(), roleName: z.string() })),
      groupPath: z.string(),
      otherGroups: z.array(z.strictObject({ groupId: z.int(), groupName: z.string() })),
      email: z.string(),
      phone: z.string(),
      quota: z.int().nullable(),
      used: z.int(),
      createTime: Time,
      secondFactor: z.boolean().describe('Whether the person has a second factor or a passkey, which can be removed.'),
      visitorUntil: z.int().describe('Until when the visitor password of the person is valid; 0: there is none.'),
      failures: z
        .strictObject({ count: z.int(), since: Time, until: z.int().describe('0: may try again.') })
        .nullable()
        .describe('Passwords that were typed wrongly lately.'),
      sessions: z.array(
        z.strictObject({
          sessionId: z.int(),
          clientType: z.int(),
          address: z.string(),
          createTime: Time,
          usedTime: Time,
          wiped: z.boolean(),
        }),
      ),
    }),
    codes: ['notFound'],
  }),
  /** Changes one user; absent fields stay unchanged. */
  modifyAccount: call({
    summary: 'Changes a person',
    title: { zh: '修改成员', en: 'Person changed' },
    audits: ['userId', 'groupId'],
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/modifyAccount',
    payload: 'json',
    input: z.strictObject({
      userId: Id,
      account: text(64).optional(),
      accountName: text(64).optional(),
      title: text(64).optional(),
      email: text(254).optional(),
      phone: text(32).optional(),
      groupId: Id.optional(),
      /** Further departments of the user. */
      otherGroupIds: z.array(Id).max(50).optional(),
      roleIds: z.array(Id).max(200).optional(),
      secretLevel: Level.optional(),
      quota: Quota.optional(),
      expireTime: Expiry.optional(),
    }),
    sample: (ids) => ({ userId: ids.userId }),
    data: Nothing,
    codes: ['notFound', 'alreadyExists', 'illegalName', 'ownAccount', 'adminAccount', 'noPermission'],
  }),
  /** Applies the same change to many users and answers for each; one refusal does not stop the others. */
  changePeople: call({
    summary: 'Changes many people in the same way',
    title: { zh: '批量修改成员', en: 'People changed' },
    audits: ['groupId'],
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/changePeople',
    payload: 'json',
    input: z.strictObject({
      userIds: People,
      state: State.optional(),
      /** Resets the counter of wrong passwords and unlocks the account. */
      unlock: z.literal(true).optional(),
      endSessions: z.literal(true).optional(),
      groupId: Id.optional(),
      secretLevel: Level.optional(),
      quota: Quota.optional(),
      expireTime: Expiry.optional(),
      addRoleId: Id.optional(),
      removeRoleId: Id.optional(),
    }),
    sample: (ids) => ({ userIds: [ids.userId] }),
    data: Answers,
    codes: ['notFound', 'accountCountExceeded', 'noPermission'],
  }),
  /** Ends one session of a user (push 5). With wipe, the device deletes its local data at its next request (-50). */
  endPersonSession: call({
    servesReading: true,
    summary: 'Ends a session of a person',
    title: { zh: '结束成员的会话', en: 'Session of a person ended' },
    audits: ['userId'],
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/endPersonSession',
    payload: 'json',
    input: z.strictObject({ userId: Id, sessionId: Id, wipe: Flag.default(false) }),
    sample: (ids) => ({ userId: ids.userId, sessionId: 1 }),
    data: Nothing,
    codes: ['notFound', 'adminAccount', 'noPermission'],
  }),
  /** Takes the visitor password of a user away; the user sets a new one. */
  endVisitorPassword: call({
    summary: 'Takes the visitor password of a person away, and ends the sessions that used it',
    title: { zh: '停用成员的访客密码', en: 'Visitor password of a person ended' },
    audits: ['userId'],
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/endVisitorPassword',
    payload: 'json',
    input: z.strictObject({ userId: Id }),
    sample: (ids) => ({ userId: ids.userId }),
    data: Nothing,
    codes: ['notFound', 'adminAccount', 'noPermission'],
  }),
  /** A device confirms that it has deleted its local data. */
  confirmWipe: call({
    summary: 'Says that a device has forgotten what it kept',
    title: { zh: '设备已清除', en: 'Device wiped' },
    kind: 'staged',
    method: 'POST',
    path: '/services2/login/confirmWipe',
    auth: 'none',
    payload: 'json',
    origin: 'ours',
    quiet: true,
    open: 'ends a session that was wiped, for who holds its token: it is good for nothing else any more',
    input: z.strictObject({}),
    data: Nothing,
  }),
  /** One-time codes with which users set their password; a new code invalidates the user's previous one. */
  createPasswordLinks: call({
    summary: 'Makes codes by which people set their password',
    title: { zh: '生成设密码链接', en: 'Password links made' },
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/createPasswordLinks',
    payload: 'json',
    input: z.strictObject({ userIds: People }),
    sample: (ids) => ({ userIds: [ids.userId] }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          userId: z.int(),
          account: z.string(),
          name: z.string(),
          groupName: z.string(),
          result: z.int(),
          linkCode: z.string().describe('Empty where it was refused.'),
          expireTime: z.int(),
        }),
      ),
    }),
  }),
  getPasswordLink: call({
    summary: 'Tells whose password a code sets',
    kind: 'read',
    method: 'GET',
    path: '/services2/login/getPasswordLink/{linkCode}',
    auth: 'none',
    payload: 'none',
    origin: 'ours',
    open: 'whoever holds a code of 80 random bits may read whose it is',
    input: z.strictObject({ linkCode: LinkCode }),
    sample: (ids) => ({ linkCode: ids.linkCode }),
    data: z.strictObject({ account: z.string(), accountName: z.string(), pwdLength: z.int() }),
    codes: ['notFound'],
  }),
  setPasswordByLink: call({
    summary: 'Sets a password by a code',
    title: { zh: '通过链接设密码', en: 'Password set by a link' },
    kind: 'staged',
    method: 'POST',
    path: '/services2/login/setPasswordByLink',
    auth: 'none',
    payload: 'json',
    origin: 'ours',
    open: 'a code of 80 random bits that the administrator made for one person stands for the old password, once',
    input: z.strictObject({ linkCode: LinkCode, newPassword: text(1000) }),
    sample: (ids) => ({ linkCode: ids.linkCode, newPassword: 'Test#2027' }),
    data: Nothing,
    codes: ['notFound', 'passwordRequirements', 'sameAsAccount', 'sameAsOld', 'sameAsGuestPassword'],
  }),
  /** Starts a password reset. The answer does not reveal whether the account exists. */
  beforeResetPwd: call({
    summary: 'Begins to set a password that was forgotten',
    notes: 'Refused where neither mail nor short messages can go out.',
    kind: 'staged',
    method: 'POST',
    path: '/services2/password/beforeResetPwd',
    auth: 'none',
    payload: 'json',
    origin: 'spec',
    audit: 'technical',
    open: 'answers alike for accounts that are there and that are not, so often for one address',
    input: z.strictObject({ userName: text(64) }),
    sample: () => ({ userName: 'anna' }),
    data: z.strictObject({
      verifyParam: z.string().describe('Good for one mail or one short message, for ten minutes.'),
    }),
    codes: ['mailNotSetUp', 'sendingTooOften'],
  }),
  /** Sends a code for setting the password (setPasswordByLink) to the mail address of the account. */
  sendResetPwMail: call({
    summary: 'Sends a mail with a code that sets a password',
    title: { zh: '发送找回密码邮件', en: 'Mail for a forgotten password' },
    notes:
      'Answers the same where there is no such account, or none with a mail address. Five mails an hour for a person.',
    kind: 'staged',
    method: 'POST',
    path: '/services2/password/sendResetPwMail',
    auth: 'none',
    payload: 'json',
    origin: 'spec',
    open: 'a mail goes to nobody but whom the account belongs to, for who has begun (beforeResetPwd)',
    input: z.strictObject({ verifyParam: text(100), locale: z.enum(['zh', 'en']).default('zh') }),
    sample: () => ({ verifyParam: 'x' }),
    data: Nothing,
    codes: ['notFound', 'mailNotSetUp'],
  }),
  /** Sends a six-digit code to the phone of the account, after beforeResetPwd. */
  sendResetPwSms: call({
    summary: 'Sends a short message with a code that proves whose a phone is',
    title: { zh: '发送找回密码短信', en: 'Message for a forgotten password' },
    notes:
      'Answers the same where there is no such account, or none with a mobile number. Three messages an hour for a person, ten a day.',
    kind: 'staged',
    method: 'POST',
    path: '/services2/password/sendResetPwSms',
    auth: 'none',
    payload: 'json',
    origin: 'ours',
    open: 'a message goes to nobody but whom the account belongs to, for who has begun (beforeResetPwd)',
    input: z.strictObject({ verifyParam: text(100) }),
    sample: () => ({ verifyParam: 'x' }),
    data: Nothing,
    codes: ['notFound', 'smsNotSetUp', 'sendingTooOften'],
  }),
  /** Exchanges the code from the message for the code that sets the password (setPasswordByLink). */
  checkResetPwCode: call({
    summary: 'Takes the code of a short message',
    title: { zh: '用短信验证码找回密码', en: 'Forgotten password proved by a message' },
    notes: 'Five tries, within ten minutes; the code it answers is good for as long.',
    kind: 'staged',
    method: 'POST',
    path: '/services2/password/checkResetPwCode',
    auth: 'none',
    payload: 'json',
    origin: 'ours',
    open: 'a code that went to the phone of the account, for who has begun (beforeResetPwd), five times at most',
    input: z.strictObject({ verifyParam: text(100), code: text(20) }),
    sample: () => ({ verifyParam: 'x', code: 'x' }),
    data: z.strictObject({ linkCode: z.string() }),
    codes: ['notFound', 'wrongVerificationCode', 'sendingTooOften', 'signInRejected'],
  }),
  setAccountLimit: call({
    summary: 'Sets how many accounts there may be',
    title: { zh: '设置账号上限', en: 'Limit of accounts' },
    ...wholeCompany,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/setAccountLimit',
    payload: 'json',
    input: z.strictObject({ accountLimit: Count }),
    sample: () => ({ accountLimit: 0 }),
    data: Nothing,
  }),

  /** The direct children of a department, or the departments that match a search word, each with its path. */
  getDepartments: call({
    summary: 'Lists departments',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getDepartments',
    payload: 'query',
    /** Without a parent: the company itself. */
    input: z.strictObject({ parentId: Id.optional(), keyword: text(100).default(''), rows: rows(1000, 1000) }),
    data: z.strictObject({ list: z.array(Department) }),
    codes: ['notFound'],
  }),
  /** Number of users in each of these departments, including subordinate ones. */
  countDepartments: call({
    summary: 'Counts the people of departments',
    ...ours,
    kind: 'read',
    method: 'POST',
    path: '/services2/organization/countDepartments',
    payload: 'json',
    input: z.strictObject({ groupIds: z.array(Id).max(1000) }),
    sample: (ids) => ({ groupIds: [ids.groupId] }),
    data: z.strictObject({ list: z.array(z.strictObject({ groupId: z.int(), people: z.int() })) }),
  }),
  getDepartment: call({
    summary: 'Tells everything an administrator sees of a department',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getDepartment/{groupId}',
    payload: 'none',
    input: z.strictObject({ groupId: Id }),
    sample: (ids) => ({ groupId: ids.groupId }),
    data: z.strictObject({
      ...Department.shape,
      people: z.int(),
      managers: z.array(z.strictObject({ userId: z.int(), accountName: z.string(), account: z.string() })),
    }),
    codes: ['notFound'],
  }),
  renameGroup: call({
    summary: 'Renames a department',
    title: { zh: '部门改名', en: 'Department renamed' },
    audits: ['groupId'],
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/renameGroup',
    payload: 'json',
    input: z.strictObject({ groupId: Id, groupName: text(64) }),
    sample: (ids) => ({ groupId: ids.groupId, groupName: '新部门' }),
    data: Nothing,
    codes: ['notFound', 'alreadyExists', 'illegalName'],
  }),
  /** Users affected by a move or merge, and the departments whose rights they lose and gain. */
  getGroupEffect: call({
    summary: 'Tells whom a move of a department concerns',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getGroupEffect/{groupId}/{parentId}',
    payload: 'none',
    input: z.strictObject({ groupId: Id, parentId: Id }),
    sample: (ids) => ({ groupId: ids.groupId, parentId: ids.groupId }),
    data: z.strictObject({ people: z.int(), loses: z.array(z.string()), gains: z.array(z.string()) }),
    codes: ['notFound'],
  }),
  /** Moves a department below another one, before one of its children or to the end. */
  moveGroup: call({
    summary: 'Moves a department',
    title: { zh: '移动部门', en: 'Department moved' },
    audits: ['groupId'],
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/moveGroup',
    payload: 'json',
    input: z.strictObject({ groupId: Id, parentId: Id, beforeId: Id.default(0) }),
    sample: (ids) => ({ groupId: ids.groupId, parentId: ids.folderId }),
    /** The previous position, for undo. */
    data: z.strictObject({ parentId: z.int(), beforeId: z.int() }),
    codes: ['notFound', 'alreadyExists', 'moveIntoSubfolder', 'noPermission'],
  }),
  /** Merges a department into another one, which takes over its users, child departments, rights and libraries. */
  mergeGroup: call({
    summary: 'Makes a department a part of another one',
    title: { zh: '合并部门', en: 'Departments merged' },
    audits: ['groupId'],
    ...wholeCompany,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/mergeGroup',
    payload: 'json',
    input: z.strictObject({ groupId: Id, intoId: Id }),
    sample: (ids) => ({ groupId: ids.groupId, intoId: 0 }),
    data: z.strictObject({ people: z.int() }),
    codes: ['notFound', 'alreadyExists', 'moveIntoSubfolder', 'sameFolder', 'noPermission'],
  }),
  /** Sets the heads of a department; they manage its library. */
  setGroupManagers: call({
    summary: 'Sets who leads a department',
    title: { zh: '设置部门负责人', en: 'Heads of a department' },
    audits: ['groupId'],
    ...wholeCompany,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/setGroupManagers',
    payload: 'json',
    input: z.strictObject({ groupId: Id, userIds: z.array(Id).max(50) }),
    sample: (ids) => ({ groupId: ids.groupId, userIds: [ids.userId] }),
    data: Nothing,
    codes: ['notFound'],
  }),
} as const
