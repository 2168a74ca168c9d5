// Offboarding: a user leaves, and a successor takes over (issue "A company sets itself up in an hour").
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, text } from '../fields.ts'

const Plan = {
  parts: z.array(
    z.strictObject({
      kind: z
        .string()
        .describe('files, libraries, rights, departments, roles …; of a table that nobody speaks for its column.'),
      count: z.int(),
      bytes: z.int(),
      passes: z.int(),
      merges: z.int(),
      ends: z.int(),
      waits: z.int(),
      items: z
        .array(
          z.strictObject({
            name: z.string(),
            detail: z.string().describe('Where it is, or whose.'),
            outcome: z.enum(['passes', 'merges', 'ends', 'waits']),
            why: z.string().describe('Why it does not simply pass; empty where it does.'),
          }),
        )
        .describe('The first 200 of them, what waits before the others.'),
    }),
  ),
  sessions: z.int().describe('How many sessions of theirs end.'),
  seen: z.string().describe('Stands for the whole list.'),
}

const ours = { auth: 'required', origin: 'ours', guard: systemAdministrator } as const

const leaverCalls = {
  getHandover: call({
    summary: 'Tells what would be handed over when somebody leaves',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getHandover/{userId}/{successorId}',
    payload: 'none',
    input: z.strictObject({ userId: Id, successorId: Id }),
    sample: (ids) => ({ userId: ids.userId, successorId: ids.successorId }),
    data: z.strictObject(Plan),
    codes: ['notFound', 'ownAccount', 'adminAccount'],
  }),
  handOver: call({
    summary: 'Freezes somebody and hands over what was theirs',
    title: { zh: '离职移交', en: 'Handed over' },
    audits: ['userId', 'successorId'],
    notes: 'Nothing is done, and the new list is answered, where it is not the one that was seen any more.',
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/handOver',
    payload: 'json',
    timeoutMs: 120_000,
    input: z.strictObject({ userId: Id, successorId: Id, seen: text(100) }),
    sample: (ids) => ({ userId: ids.userId, successorId: ids.successorId, seen: 'x' }),
    data: z.strictObject({ ...Plan, done: z.boolean() }),
    codes: ['notFound', 'ownAccount', 'adminAccount', 'workspaceCountExceeded'],
  }),
}

export const leavers = feature({
  about: { name: 'leavers', text: 'Handing over what belongs to people who leave' },
  calls: leaverCalls,
})
