// Capabilities of roles and of all users ([R348], decisions E1).
import { capabilityNames } from '@cloudoc/domain'
import { z } from 'zod'
import { roleAdministrator, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { Id } from '../fields.ts'

const Capability = z.enum(capabilityNames)

export const capabilityCalls = {
  /** All roles with their capabilities; getRoles returns the effective members. */
  getCapabilities: call({
    summary: 'Tells what everybody may do and what roles give',
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getCapabilities',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: roleAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      everybody: z.array(Capability),
      roles: z.array(
        z.strictObject({
          roleId: z.int(),
          roleName: z.string(),
          people: z.int(),
          external: z.boolean().describe('Its holders have what their roles give, and nothing of what everybody has.'),
          capabilities: z.array(Capability),
        }),
      ),
      people: z.int().describe('How many people there are.'),
    }),
  }),
  /**
   * Single changes, so that concurrent changes of two administrators do not overwrite each other. Effective from the
   * next call.
   */
  setCapabilities: call({
    summary: 'Changes what everybody may do and what roles give',
    title: { zh: '修改能力', en: 'Capabilities changed' },
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/setCapabilities',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: securityAdministrator,
    input: z.strictObject({
      /** Role 0 means all users. */
      changes: z.array(z.strictObject({ roleId: Id, capability: Capability, allowed: z.boolean() })).max(1000),
      external: z
        .array(z.strictObject({ roleId: Id, external: z.boolean() }))
        .max(1000)
        .default([]),
    }),
    sample: () => ({ changes: [] }),
    data: z.strictObject({ people: z.int().describe('How many people it concerns.') }),
    codes: ['notFound'],
  }),
  /** The capabilities of one user, and the roles that grant them. */
  getPersonCapabilities: call({
    summary: 'Tells what a person may do and by which role',
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getPersonCapabilities/{userId}',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: roleAdministrator,
    input: z.strictObject({ userId: Id }),
    sample: (ids) => ({ userId: ids.userId }),
    data: z.strictObject({
      external: z.boolean(),
      list: z.array(
        z.strictObject({
          capability: Capability,
          allowed: z.boolean(),
          everybody: z.boolean().describe('It comes with what everybody may.'),
          roles: z.array(z.string()).describe('The roles that give it.'),
        }),
      ),
    }),
    codes: ['notFound'],
  }),
} as const
