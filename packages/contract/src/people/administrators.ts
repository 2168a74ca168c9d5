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
    }),
  }),
  /** Sets the holders of a power. No user has two powers, and no user grants or revokes their own (-57). */
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
