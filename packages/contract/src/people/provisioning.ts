// Provisioning: a system of the company keeps accounts and groups here by SCIM 2.0 (RFC 7643, 7644).
import { z } from 'zod'
import { securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, integer, Time } from '../fields.ts'
import { push } from '../push.ts'

const ProviderId = integer(1, 1_000_000_000)
const own = { auth: 'required', origin: 'ours', guard: securityAdministrator, payload: 'json' } as const

/** Below this address programs provision. */
export const scimPath = '/scim/v2'

const provisioningPushes = {
  /** Sent to security administrators: a provisioning system wants to freeze more people than usual. */
  leaversWaiting: push({
    summary: 'People wait to be frozen',
    type: 159,
    delivery: 'confirmed',
    notice: {
      group: 'reminder',
      key: ({ providerId }) => `leavers ${providerId}`,
      merge: 'later',
      sentence: ({ providerName }) => ({
        zh: '“{name}”要停用的人比平常多，等待确认',
        en: '“{name}” wants to disable more people than usual; please confirm',
        values: { name: providerName },
      }),
      path: () => '/doc/admin/providers',
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      providerId: z.int(),
      providerName: z.string(),
    }),
  }),
}

export const provisioning = feature({
  about: { name: 'provisioning', text: 'A system of the company keeps accounts and groups here by SCIM 2.0' },
  pushes: provisioningPushes,
  calls: {
    getProvisioning: call({
      summary: 'Shows what a provisioning system has sent, and who waits to be frozen',
      ...own,
      kind: 'read',
      method: 'GET',
      path: '/services2/provisioning/getProvisioning/{providerId}',
      payload: 'none',
      input: z.strictObject({ providerId: ProviderId }),
      sample: () => ({ providerId: 1 }),
      data: z.strictObject({
        address: z.string().describe('The address to enter in the provisioning system.'),
        tokens: z.int().describe('Valid tokens of its service account with the scope provisioning.'),
        people: z.int(),
        waiting: z
          .array(z.strictObject({ userId: z.int(), account: z.string(), accountName: z.string(), time: Time }))
          .describe('People who would be frozen; more than usual, so that an administrator has to decide.'),
        waitingTotal: z.int(),
        groups: z.array(
          z.strictObject({
            groupId: z.int(),
            name: z.string(),
            members: z.int(),
            roleId: z.int().describe('The role that its members get; 0: none.'),
          }),
        ),
        changes: z
          .array(
            z.strictObject({
              changeId: z.int(),
              time: Time,
              what: z.enum([
                'create',
                'update',
                'freeze',
                'thaw',
                'wait',
                'groupCreate',
                'groupUpdate',
                'groupDelete',
                'refuse',
              ]),
              name: z.string(),
              detail: z.string(),
              status: z.int().describe('The status of the answer.'),
            }),
          )
          .describe('The last requests that changed something or were refused, newest first.'),
      }),
      codes: ['notFound'],
    }),
    decideProvisionedLeavers: call({
      summary: 'Freezes the people who wait to be frozen, or keeps them',
      title: { zh: '处理待停用人员', en: 'Waiting leavers decided' },
      ...own,
      kind: 'write',
      method: 'POST',
      path: '/services2/provisioning/decideProvisionedLeavers',
      audits: ['providerId', 'freeze'],
      input: z.strictObject({
        providerId: ProviderId,
        freeze: z.boolean().describe('Whether they are frozen; otherwise they stay as they are.'),
        total: integer(0, 10_000_000).describe('How many the administrator has seen: more are not frozen.'),
      }),
      sample: () => ({ providerId: 1, freeze: false, total: 0 }),
      data: z.strictObject({ frozen: z.int(), kept: z.int() }),
      codes: ['notFound'],
    }),
    setProvisionedGroupRole: call({
      summary: 'Gives the members of a provisioned group a role, or tells what that would change',
      title: { zh: '设定同步组的角色', en: 'Role of a provisioned group set' },
      ...own,
      kind: 'write',
      method: 'POST',
      path: '/services2/provisioning/setProvisionedGroupRole',
      audits: ['groupId', 'roleId', 'dry'],
      input: z.strictObject({
        groupId: Id.describe('The provisioned group.'),
        roleId: Id.describe('The role; 0: none.'),
        dry: z.boolean().default(false).describe('Nothing is changed.'),
      }),
      sample: () => ({ groupId: 1, roleId: 0, dry: true }),
      data: z.strictObject({ gain: z.int().describe('People who get the role.'), lose: z.int() }),
      codes: ['notFound'],
    }),
  },
})
