// Settings of a user's own account ([R008], [R021], [R027], [R347], [R350]).
import { z } from 'zod'
import { accountHolder, ownAccount, securityAdministrator, signedIn } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, Time, text } from '../fields.ts'
import { Picture } from './pictures.ts'

/** 0 female, 1 male, 2 not specified. */
const Gender = z.int().min(0).max(2)
const own = { auth: 'required', origin: 'ours', guard: accountHolder } as const
const FactorCode = text(20)

const Contact = z
  .strictObject({
    userId: z.int(),
    accountId: z.int(),
    account: z.string(),
    accountName: z.string(),
    groupId: z.int(),
    groupName: z.string(),
    groupPath: z.string(),
    title: z.string(),
    avatar: z.string(),
    /** Absent if the server hides it (`show_gender`, `show_privacy`). */
    gender: Gender.optional(),
    email: z.string().optional(),
    phone: z.string().optional(),
  })
  .meta({ id: 'Contact' })

export const account = feature({
  about: { name: 'account', text: "Everybody's own account" },
  calls: {
    getAccountInfo: call({
      summary: 'Tells everything the caller has set of themselves',
      ...own,
      guard: ownAccount,
      kind: 'read',
      method: 'GET',
      path: '/services2/user/getAccountInfo',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        ...Contact.shape,
        gender: Gender,
        email: z.string(),
        phone: z.string(),
        passwordTime: Time.describe('When the password was set.'),
        passwordUntil: z.int().describe('When it is too old; 0: never.'),
        /** Profile fields that the company requests and that are still empty. */
        missing: z.array(z.enum(['email', 'phone', 'title'])),
      }),
    }),
    modifyUserInfo: call({
      summary: 'Changes what the caller says of themselves',
      title: { zh: '修改个人资料', en: 'Change of profile' },
      ...own,
      kind: 'write',
      method: 'POST',
      path: '/services2/user/modifyUserInfo',
      payload: 'json',
      /** Absent fields stay unchanged. Only an administrator can change name and department. */
      input: z.strictObject({
        title: text(64).optional(),
        email: text(254)
          .regex(/^([^\s@]+@[^\s@]+\.[^\s@]+)?$/)
          .optional(),
        phone: text(32)
          .regex(/^[+\d\s()-]*$/)
          .optional(),
        gender: Gender.optional(),
      }),
      data: Nothing,
    }),
    getContact: call({
      summary: 'Tells of a colleague what their card shows',
      ...own,
      guard: signedIn,
      kind: 'read',
      method: 'POST',
      path: '/services2/organization/getUserInfo',
      payload: 'json',
      input: z.strictObject({ accountId: Id }),
      sample: (ids) => ({ accountId: ids.userId }),
      data: Contact,
      codes: ['notFound'],
    }),
    setAvatar: call({
      summary: "Sets the caller's picture",
      title: { zh: '更换头像', en: 'Change of picture' },
      ...own,
      kind: 'write',
      method: 'POST',
      path: '/services2/user/setAvatar',
      payload: 'json',
      input: z.strictObject({ picture: Picture }),
      sample: () => ({ picture: '' }),
      data: z.strictObject({ avatar: z.string() }),
      codes: ['pictureRefused'],
    }),
    getMySessions: call({
      summary: 'Tells where the caller is signed in, and from where it was tried',
      ...own,
      kind: 'read',
      method: 'GET',
      path: '/services2/user/getMySessions',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        sessions: z.array(
          z.strictObject({
            sessionId: z.int(),
            clientType: z.int(),
            agent: z.string(),
            address: z.string(),
            createTime: Time,
            usedTime: Time,
            isGuest: z.boolean(),
            current: z.boolean(),
          }),
        ),
        recent: z.array(z.strictObject({ at: Time, address: z.string(), refused: z.string() })),
      }),
    }),
    endMySessions: call({
      servesReading: true,
      summary: 'Ends sessions of the caller',
      title: { zh: '结束自己的会话', en: 'End of own sessions' },
      ...own,
      kind: 'write',
      method: 'POST',
      path: '/services2/user/endMySessions',
      payload: 'json',
      input: z.strictObject({ sessionIds: z.array(Id).min(1).max(1000) }),
      sample: () => ({ sessionIds: [1] }),
      data: z.strictObject({ ended: z.int() }),
    }),

    getNetDiskPwdInfo: call({
      summary: 'Tells whether the caller has a visitor password',
      ...own,
      kind: 'read',
      method: 'GET',
      path: '/services2/user/getNetDiskPwdInfo',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        /** Whether the company allows visitor passwords. */
        allowed: z.boolean(),
        isSet: z.boolean(),
        until: z.int(),
        mostDays: z.int(),
      }),
    }),
    /** Sets the visitor password and ends the sessions that used the old one. */
    resetNetDiskPwd: call({
      summary: 'Sets the visitor password of the caller',
      title: { zh: '设置访客密码', en: 'Visitor password set' },
      kind: 'staged',
      method: 'POST',
      path: '/services2/user/resetNetDiskPwd',
      auth: 'required',
      payload: 'json',
      origin: 'spec',
      guard: accountHolder,
      input: z.strictObject({
        newPassword: text(1000),
        confirmPassword: text(1000).optional(),
        /** Validity in days; if absent, the maximum that the company allows. */
        days: Count.pipe(z.int().min(1).max(3650)).optional(),
      }),
      sample: () => ({ newPassword: 'Test#2027' }),
      data: z.strictObject({ until: Time }),
      codes: [
        'noPermission',
        'passwordRequirements',
        'sameAsAccount',
        'sameAsOld',
        'sameAsGuestPassword',
        'confirmDiffers',
      ],
    }),
    stopNetDiskPwd: call({
      summary: 'Takes the visitor password of the caller away',
      title: { zh: '停用访客密码', en: 'Visitor password ended' },
      ...own,
      kind: 'write',
      method: 'POST',
      path: '/services2/user/stopNetDiskPwd',
      payload: 'json',
      input: z.strictObject({}),
      data: Nothing,
    }),

    getSecondFactor: call({
      summary: 'Tells whether the caller signs in with a second factor',
      before: 'secondFactor',
      ...own,
      kind: 'read',
      method: 'GET',
      path: '/services2/safety/getSecondFactor',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        active: z.boolean(),
        recoveryLeft: z.int(),
        /** Whether the company requires the caller to use a second factor. */
        demanded: z.boolean(),
        phone: z.string().describe('The phone that is the factor, with its middle hidden; empty: an authenticator.'),
        sms: z.boolean().describe('Whether a phone may be set up as the factor.'),
        ownPhone: z.string().describe('The phone of the profile, as a proposal.'),
      }),
    }),
    /** Sends a code to a phone, which becomes the second factor when the user enters that code. */
    beginPhoneFactor: call({
      summary: 'Sends a code to the phone that is to be the second factor',
      before: 'secondFactor',
      ...own,
      kind: 'write',
      audit: 'technical',
      method: 'POST',
      path: '/services2/safety/beginPhoneFactor',
      payload: 'json',
      input: z.strictObject({ phone: text(32) }),
      sample: () => ({ phone: '13800000000' }),
      data: z.strictObject({ phone: z.string().describe('The phone, with its middle hidden.') }),
      codes: ['smsNotSetUp', 'invalidMobileNumber', 'sendingTooOften', 'alreadyExists', 'secondFactorDue'],
    }),
    /** Sends a code to the phone that is the second factor, to confirm something with it. */
    sendFactorCode: call({
      summary: 'Sends a code to the phone that is the second factor of the caller',
      ...own,
      kind: 'write',
      audit: 'technical',
      method: 'POST',
      path: '/services2/safety/sendFactorCode',
      payload: 'json',
      input: z.strictObject({}),
      data: z.strictObject({ phone: z.string().describe('The phone, with its middle hidden.') }),
      codes: ['smsNotSetUp', 'sendingTooOften', 'notFound'],
    }),
    /** Creates a new authenticator secret; it becomes active when the user enters a code from it. */
    beginSecondFactor: call({
      summary: 'Makes a secret for an authenticator',
      before: 'secondFactor',
      ...own,
      kind: 'write',
      audit: 'technical',
      method: 'POST',
      path: '/services2/safety/beginSecondFactor',
      payload: 'json',
      input: z.strictObject({}),
      data: z.strictObject({
        secret: z.string().describe('Base32 (RFC 4648), for a TOTP of 6 digits and 30 seconds (RFC 6238).'),
        uri: z.string().describe('The same as otpauth://, for a QR code.'),
      }),
      codes: ['alreadyExists'],
    }),
    confirmSecondFactor: call({
      summary: 'Switches the second factor on',
      title: { zh: '启用两步验证', en: 'Second factor on' },
      before: 'secondFactor',
      ...own,
      kind: 'staged',
      method: 'POST',
      path: '/services2/safety/confirmSecondFactor',
      payload: 'json',
      input: z.strictObject({ factorCode: FactorCode }),
      sample: () => ({ factorCode: '000000' }),
      data: z.strictObject({ recoveryCodes: z.array(z.string()).describe('Each stands for a code once.') }),
      codes: ['wrongSecondFactor', 'notFound', 'alreadyExists'],
    }),
    renewRecoveryCodes: call({
      summary: 'Makes other recovery codes',
      title: { zh: '更换恢复码', en: 'New recovery codes' },
      ...own,
      kind: 'staged',
      method: 'POST',
      path: '/services2/safety/renewRecoveryCodes',
      payload: 'json',
      input: z.strictObject({ factorCode: FactorCode }),
      sample: () => ({ factorCode: '000000' }),
      data: z.strictObject({ recoveryCodes: z.array(z.string()) }),
      codes: ['wrongSecondFactor', 'notFound'],
    }),
    endSecondFactor: call({
      summary: 'Switches the second factor off',
      title: { zh: '停用两步验证', en: 'Second factor off' },
      ...own,
      kind: 'staged',
      method: 'POST',
      path: '/services2/safety/endSecondFactor',
      payload: 'json',
      input: z.strictObject({ factorCode: FactorCode }),
      sample: () => ({ factorCode: '000000' }),
      data: Nothing,
      codes: ['wrongSecondFactor', 'notFound', 'secondFactorMissing'],
    }),
    /**
     * Removes the second factor of a user who has lost device and recovery codes, so that they can set up a new one.
     */
    removeSecondFactor: call({
      servesReading: true,
      summary: 'Takes the second factor of a person away',
      title: { zh: '解除两步验证', en: 'Second factor removed' },
      audits: ['userId'],
      kind: 'write',
      method: 'POST',
      path: '/services2/safety/removeSecondFactor',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      guard: securityAdministrator,
      input: z.strictObject({ userId: Id }),
      sample: (ids) => ({ userId: ids.userId }),
      data: Nothing,
      codes: ['notFound', 'ownAccount'],
    }),
  },
  settings: {
    beside: {
      /** Whether user cards show the gender and the contact data ([R008]). */
      show_gender: z.boolean().default(false),
      show_privacy: z.boolean().default(true),
      /** Whether users are asked after sign-in to complete their profile ([R025]). */
      ask_profile: z.boolean().default(false),
    },
    administered: {
      show_gender: {
        label: { zh: '显示性别', en: 'Show gender' },
        note: { zh: '在同事的名片上显示性别。', en: 'On the cards of colleagues.' },
        power: 'system',
        group: 'site',
        as: 'switch',
      },
      show_privacy: {
        label: { zh: '显示联系方式', en: 'Show how people are reached' },
        note: { zh: '在同事的名片上显示邮箱和手机。', en: 'E-mail and phone on the cards of colleagues.' },
        power: 'system',
        group: 'site',
        as: 'switch',
      },
      ask_profile: {
        label: { zh: '登录后请员工补全资料', en: 'Ask people for what is missing of their profile' },
        note: {
          zh: '资料里缺少邮箱、手机或职位的人，登录后先看到补全资料的页面，可以跳过。',
          en: 'Whoever has no e-mail, phone or position is asked for it after signing in, and may skip it.',
        },
        power: 'system',
        group: 'site',
        as: 'switch',
      },
    },
  },
})
