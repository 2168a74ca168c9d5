// The devices from which people sign in, and the rules on access from them ([R047], [R351]).
import { z } from 'zod'
import { accountHolder, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { ClientType, Count, Id, Nothing, rows, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { AccessRule } from './access-rules.ts'

const own = { auth: 'required', origin: 'ours', guard: accountHolder } as const
const security = { auth: 'required', origin: 'ours', guard: securityAdministrator } as const
const DeviceId = Id.describe('The number of the device.')
const State = z.enum(['waiting', 'approved', 'refused', 'wiped'])
const Description = text(200).describe('What is noted of it.')

const Device = z.strictObject({
  deviceId: z.int(),
  name: z.string().describe('What its owner calls it; empty if unnamed.'),
  agent: z.string().describe('The user agent of its last sign-in.'),
  clientType: z.int(),
  state: State,
  description: z.string(),
  sandbox: z.string().describe('The version of its sandbox driver; empty: none.'),
  address: z.string().describe('The address of its last sign-in.'),
  createTime: Time,
  usedTime: Time,
  clearTime: z.int().describe('When it has said that it has forgotten what it kept; 0: not yet.'),
})

const Answers = z.strictObject({ list: z.array(z.strictObject({ deviceId: z.int(), result: z.int() })) })

const devicePushes = {
  /** Sent to security administrators: somebody signs in from a device that has to be approved ([R047]). */
  deviceWaiting: push({
    summary: 'A device waits to be approved',
    type: 157,
    delivery: 'confirmed',
    notice: {
      group: 'reminder',
      key: ({ deviceId }) => `device ${deviceId}`,
      merge: 'later',
      sentence: ({ accountName }) => ({
        zh: '{name} 用新设备登录，等待批准',
        en: '{name} has signed in from a new device, which waits to be approved',
        values: { name: accountName },
      }),
      path: () => '/doc/admin/devices',
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      deviceId: z.int(),
      accountName: z.string(),
      address: z.string(),
    }),
  }),
}

export const devices = feature({
  about: { name: 'devices', text: 'Devices from which people sign in, their approval, and rules on access' },
  pushes: devicePushes,
  calls: {
    getMyDevices: call({
      ...own,
      summary: 'Lists the devices from which the caller has signed in',
      kind: 'read',
      method: 'GET',
      path: '/services2/device/getMyDevices',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        demanded: z.boolean().describe('Whether new devices have to be approved.'),
        list: z.array(Device.extend({ current: z.boolean().describe('Whether this session is on it.') })),
      }),
    }),
    renameMyDevice: call({
      ...own,
      summary: 'Names a device of the caller',
      title: { zh: '重命名设备', en: 'Device renamed' },
      kind: 'write',
      method: 'POST',
      path: '/services2/device/renameMyDevice',
      audits: ['deviceId'],
      payload: 'json',
      input: z.strictObject({ deviceId: DeviceId, name: text(60).describe('What its owner calls it.') }),
      sample: () => ({ deviceId: 1, name: 'x' }),
      data: Nothing,
      codes: ['notFound'],
    }),
    removeMyDevice: call({
      ...own,
      summary: 'Forgets a device of the caller and ends its sessions',
      notes: 'The next sign-in from it is that of a new device.',
      title: { zh: '移除设备', en: 'Device removed' },
      kind: 'write',
      method: 'POST',
      path: '/services2/device/removeMyDevice',
      audits: ['deviceId'],
      payload: 'json',
      servesReading: true,
      input: z.strictObject({ deviceId: DeviceId }),
      sample: () => ({ deviceId: 1 }),
      data: Nothing,
      codes: ['notFound'],
    }),
    reportSandbox: call({
      ...own,
      summary: 'Says which sandbox driver the device of this session has',
      title: { zh: '登记沙箱设备', en: 'Sandbox reported' },
      kind: 'write',
      audit: 'technical',
      method: 'POST',
      path: '/services2/device/reportSandbox',
      payload: 'json',
      servesReading: true,
      input: z.strictObject({
        version: text(40).describe('The version of the driver; empty: none.'),
        name: text(60).default('').describe('The name of the machine, if it is to be named.'),
      }),
      sample: () => ({ version: '2.4.1' }),
      data: Nothing,
      codes: ['invalidDeviceId'],
    }),
    getSandboxEquipment: call({
      ...own,
      summary: 'Lists the devices of the caller that have a sandbox',
      kind: 'read',
      method: 'GET',
      path: '/services2/device/getSandboxEquipment',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({ list: z.array(Device) }),
    }),
    setSandboxDescription: call({
      ...own,
      summary: 'Describes a device of the caller that has a sandbox',
      title: { zh: '修改沙箱设备说明', en: 'Sandbox described' },
      kind: 'write',
      method: 'POST',
      path: '/services2/device/setSandboxDescription',
      audits: ['deviceId'],
      payload: 'json',
      input: z.strictObject({ deviceId: DeviceId, description: Description }),
      sample: () => ({ deviceId: 1, description: 'x' }),
      data: Nothing,
      codes: ['notFound'],
    }),
    getDevices: call({
      ...security,
      summary: 'Lists the devices of everybody',
      kind: 'read',
      method: 'GET',
      path: '/services2/device/getDevices',
      payload: 'query',
      input: z.strictObject({
        state: State.optional().describe('Only devices in this state.'),
        sandbox: z.enum(['true']).optional().describe('Only devices with a sandbox.'),
        keyword: text(100).default('').describe('A part of the name of the person, the device or its description.'),
        from: Count.default(0).describe('The position of the first row.'),
        rows: rows(100, 500).describe('The number of rows.'),
      }),
      data: z.strictObject({
        demanded: z.boolean(),
        counts: z.strictObject({
          waiting: z.int(),
          approved: z.int(),
          refused: z.int(),
          wiped: z.int(),
          sandbox: z.int(),
        }),
        list: z.array(
          Device.extend({
            userId: z.int(),
            account: z.string(),
            accountName: z.string(),
            groupName: z.string(),
            decidedBy: z.string().describe('Who has decided about it; empty: nobody.'),
            decideTime: z.int(),
          }),
        ),
      }),
    }),
    decideDevices: call({
      ...security,
      summary: 'Approves devices, or refuses them and ends their sessions',
      title: { zh: '审核设备', en: 'Devices decided' },
      kind: 'write',
      method: 'POST',
      path: '/services2/device/decideDevices',
      payload: 'json',
      servesReading: true,
      input: z.strictObject({
        deviceIds: z.array(Id).min(1).max(1000).describe('The numbers of the devices.'),
        approve: z.boolean().describe('Whether they may be used.'),
      }),
      sample: () => ({ deviceIds: [1], approve: true }),
      data: Answers,
      codes: ['notFound'],
    }),
    wipeDevice: call({
      ...security,
      summary: 'Has a lost device forget what it keeps',
      notes:
        'Its sessions answer -50 from their next request on; pages then delete their databases. Until it is approved again nobody signs in from it.',
      title: { zh: '清除设备数据', en: 'Device to be wiped' },
      kind: 'write',
      method: 'POST',
      path: '/services2/device/wipeDevice',
      audits: ['deviceId'],
      payload: 'json',
      servesReading: true,
      input: z.strictObject({ deviceId: DeviceId }),
      sample: () => ({ deviceId: 1 }),
      data: Nothing,
      codes: ['notFound'],
    }),
    describeDevice: call({
      ...security,
      summary: 'Notes something about a device',
      title: { zh: '修改设备说明', en: 'Device described' },
      kind: 'write',
      method: 'POST',
      path: '/services2/device/describeDevice',
      audits: ['deviceId'],
      payload: 'json',
      input: z.strictObject({ deviceId: DeviceId, description: Description }),
      sample: () => ({ deviceId: 1, description: 'x' }),
      data: Nothing,
      codes: ['notFound'],
    }),
    getAccessRules: call({
      ...security,
      summary: 'Tells the rules on access, in their order',
      kind: 'read',
      method: 'GET',
      path: '/services2/device/getAccessRules',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({ list: z.array(AccessRule), zone: z.string().describe('The time zone of the hours.') }),
    }),
    setAccessRules: call({
      ...security,
      summary: 'Replaces the rules on access',
      notes: 'Rules that would refuse the caller here and now are refused. The first administrator is exempt from all.',
      title: { zh: '修改访问条件', en: 'Access rules' },
      kind: 'write',
      method: 'POST',
      path: '/services2/device/setAccessRules',
      payload: 'json',
      input: z.strictObject({ list: z.array(AccessRule).max(100).describe('The rules in their order.') }),
      sample: () => ({ list: [] }),
      data: Nothing,
      codes: ['badRequest', 'accessRefused', 'accessReadOnly'],
    }),
    tryAccess: call({
      ...security,
      summary: 'Tells which rule would decide about an access',
      kind: 'read',
      method: 'POST',
      path: '/services2/device/tryAccess',
      payload: 'json',
      input: z.strictObject({
        userId: Id.describe('Who comes.'),
        address: text(60).describe('The address that they come from.'),
        clientType: ClientType.default(6).describe('The kind of client.'),
        isProgram: z.boolean().default(false).describe('Whether it is a token of a program.'),
        isApprovedDevice: z.boolean().default(true).describe('Whether the device is approved.'),
        at: Time.optional().describe('When; absent: now.'),
        list: z.array(AccessRule).max(100).optional().describe('Rules that are not saved yet; absent: those in force.'),
      }),
      sample: (ids) => ({ userId: ids.userId, address: '192.0.2.1' }),
      data: z.strictObject({
        action: AccessRule.shape.action,
        rule: z.int().describe('The position of the rule that decides; -1: none.'),
        passed: z
          .array(z.enum(['off', 'level', 'network', 'device', 'time', 'client']))
          .describe('Of each rule before it, why it does not apply.'),
        exempt: z.boolean().describe('Whether no rule applies to the person.'),
        level: z.int(),
      }),
      codes: ['notFound', 'badRequest'],
    }),
  },
  settings: {
    inner: {
      /** Whether a new device has to be approved before anybody signs in from it (-49). */
      device_approval: z.boolean().default(false),
      /** The rules on access, in their order. */
      access_rules: z.array(AccessRule).max(100).default([]),
    },
    administered: {
      device_approval: {
        label: { zh: '新设备需要审核', en: 'New devices need approval' },
        note: {
          zh: '从没有用过的设备登录时提示“设备标识无效”，安全管理员认可后才能登录。已经用过的设备不受影响；没有设备标识的程序不能登录。',
          en: 'Signing in from a new device is refused until a security administrator approves it. Devices that are known stay; programs that name no device cannot sign in.',
        },
        power: 'security',
        group: 'session',
        as: 'switch',
      },
    },
  },
})
