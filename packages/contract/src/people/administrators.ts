// Administrators: three separated powers, and delegated parts of the company (decisions E1).
import { delegatedTasks, separatedPowers } from '@cloudoc/domain'
import { z } from 'zod'
import { administrator, firstAdministrator, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { Id, Nothing } from '../fields.ts'

const Holder = {
  userId: z.int(),
  accountName: z.string(),
  account: z.string(),
  groupName: z.string(),
  usedTime: z.int().describe('When they were last there; 0: never.'),
  address: z.string().describe('From where; empty where they are not signed in.'),
}

const ours = { auth: 'required', origin: 'ours' } as const

export const administratorCalls = {
  getAdministrators: call({
    summary: 'Tells who administers what',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getAdministrators',
    payload: 'none',
    guard: administrator,
    input: z.strictObject({}),
    data: z.strictObject({
      first: z.array(z.strictObject(Holder)).describe('Has all three powers: whoever sets the installation up.'),
      separated: z.array(
        z.strictObject({
          power: z.enum(separatedPowers),
          people: z.array(z.strictObject({ ...Holder, since: z.int() })),
        }),
      ),
      delegated: z.array(
        z.strictObject({
          ...Holder,
          since: z.int(),
          tasks: z.array(z.enum(delegatedTasks)),
          groups: z.array(
            z.strictObject({ groupId: z.int(), groupName: z.string(), path: z.string(), people: z.int() }),
          ),
        }),
      ),
      combined: z.boolean().describe('Whether the company lets an account have several powers.'),
      proposals: z
        .array(
          z.strictObject({
            proposalId: z.int(),
            power: z.enum(separatedPowers),
            people: z.array(z.strictObject({ userId: z.int(), accountName: z.string() })),
            proposerId: z.int(),
            proposerName: z.string(),
            createTime: z.int(),
            mayDecide: z.boolean().describe('Whether the caller may agree: not with their own, nor about themselves.'),
          }),
        )
        .describe('Changes of holders that wait for a second administrator.'),
    }),
  }),
  /** Sets the holders of a power. No user has two powers unless the company lets them, and no user grants or revokes their own (-57). */
  setPowerHolders: call({
    summary: 'Sets who has one of the three powers',
    title: { zh: '任免管理员', en: 'Gave or took a power' },
    notes:
      'It holds in sessions that are open. Who has another power, or administers a department, is refused with -4.',
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/setPowerHolders',
    payload: 'json',
    guard: firstAdministrator,
    input: z.strictObject({ power: z.enum(separatedPowers), userIds: z.array(Id).max(20) }),
    sample: (ids) => ({ power: 'audit', userIds: [ids.userId] }),
    data: Nothing,
    codes: ['notFound', 'ownAccount', 'noPermission'],
  }),
  /** The first administrator gives up the three powers, for good. From then on two administrators change the holders. */
  giveUpPowers: call({
    summary: 'Gives up the three powers of the first administrator',
    title: { zh: '交出三项管理权', en: 'Gave up the three powers' },
    notes:
      'Each power needs a holder other than the caller who has signed in before (-505). It cannot be undone: from then on one administrator proposes new holders and another agrees.',
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/giveUpPowers',
    payload: 'json',
    guard: firstAdministrator,
    input: z.strictObject({}),
    sample: () => ({}),
    data: Nothing,
    codes: ['noPermission', 'powersNotHeld'],
  }),
  proposePowerHolders: call({
    summary: 'Proposes who has one of the three powers',
    title: { zh: '提议任免管理员', en: 'Proposed to give or take a power' },
    notes: 'For companies whose first administrator has given up the powers. A new proposal replaces an open one.',
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/proposePowerHolders',
    payload: 'json',
    guard: administrator,
    input: z.strictObject({ power: z.enum(separatedPowers), userIds: z.array(Id).min(1).max(20) }),
    sample: (ids) => ({ power: 'audit', userIds: [ids.userId] }),
    data: z.strictObject({ proposalId: z.int() }),
    codes: ['notFound', 'ownAccount', 'noPermission', 'powersNotHeld'],
  }),
  decidePowerProposal: call({
    summary: 'Agrees to a proposed change of administrators, or refuses it',
    title: { zh: '决定任免管理员', en: 'Decided about a proposed administrator' },
    notes: 'Somebody else than the proposer agrees. Whoever proposed it may take it back.',
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/decidePowerProposal',
    payload: 'json',
    guard: administrator,
    input: z.strictObject({
      proposalId: Id.describe('The proposed change.'),
      agree: z.boolean().describe('Whether it is made; otherwise it is dropped.'),
    }),
    sample: (ids) => ({ proposalId: ids.userId, agree: false }),
    data: Nothing,
    codes: ['notFound', 'ownAccount', 'noPermission', 'powersNotHeld'],
  }),
  /** Delegates departments, including subordinate ones, to an administrator; an empty list revokes the delegation. */
  setDelegation: call({
    summary: 'Sets which departments somebody administers',
    title: { zh: '委派部门管理员', en: 'Delegated departments' },
    audits: ['userId'],
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/setDelegation',
    payload: 'json',
    guard: systemAdministrator,
    input: z.strictObject({
      userId: Id,
      groupIds: z.array(Id).max(50),
      tasks: z.array(z.enum(delegatedTasks)).max(delegatedTasks.length),
    }),
    sample: (ids) => ({ userId: ids.userId, groupIds: [ids.groupId], tasks: ['people'] }),
    data: Nothing,
    codes: ['notFound', 'ownAccount', 'noPermission'],
  }),
} as const
