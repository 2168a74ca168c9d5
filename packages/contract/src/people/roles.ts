// Roles and their members: by name, by department, by position ([R348]).
import { z } from 'zod'
import { roleAdministrator, securityAdministrator, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { Id, Nothing, text } from '../fields.ts'

const ours = { auth: 'required', origin: 'ours', guard: systemAdministrator } as const

export const roleCalls = {
  getRoles: call({
    summary: 'Lists roles',
    ...ours,
    guard: roleAdministrator,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getRoles',
    payload: 'none',
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(z.strictObject({ roleId: z.int(), roleName: z.string(), people: z.int() })),
      /** The positions of the user. */
      titles: z.array(z.string()),
    }),
  }),
  getRole: call({
    summary: 'Tells who has a role',
    ...ours,
    guard: roleAdministrator,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getRole/{roleId}',
    payload: 'none',
    input: z.strictObject({ roleId: Id }),
    sample: (ids) => ({ roleId: ids.roleId }),
    data: z.strictObject({
      users: z.array(z.strictObject({ userId: z.int(), accountName: z.string(), account: z.string() })),
      groups: z.array(z.strictObject({ groupId: z.int(), groupName: z.string(), path: z.string() })),
      titles: z.array(z.string()),
      secondFactor: z.boolean().describe('Whether its holders need a second factor.'),
    }),
    codes: ['notFound'],
  }),
  renameRole: call({
    summary: 'Renames a role',
    title: { zh: '角色改名', en: 'Role renamed' },
    audits: ['roleId'],
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/renameRole',
    payload: 'json',
    input: z.strictObject({ roleId: Id, roleName: text(64) }),
    sample: (ids) => ({ roleId: ids.roleId, roleName: '新角色' }),
    data: Nothing,
    codes: ['notFound', 'alreadyExists', 'illegalName'],
  }),
  /** Deletes the role together with everything granted to it. No user is deleted. */
  deleteRole: call({
    summary: 'Deletes a role with what it was given',
    title: { zh: '删除角色', en: 'Role deleted' },
    audits: ['roleId'],
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/deleteRole',
    payload: 'json',
    input: z.strictObject({ roleId: Id }),
    sample: (ids) => ({ roleId: ids.roleId }),
    data: Nothing,
    codes: ['notFound'],
  }),
  setRoleSecondFactor: call({
    summary: 'Sets whether the holders of a role need a second factor',
    title: { zh: '角色的两步验证', en: 'Two-step sign-in of a role' },
    audits: ['roleId', 'needed'],
    ...ours,
    guard: securityAdministrator,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/setRoleSecondFactor',
    payload: 'json',
    input: z.strictObject({ roleId: Id, needed: z.boolean() }),
    sample: (ids) => ({ roleId: ids.roleId, needed: true }),
    data: Nothing,
    codes: ['notFound', 'secondFactorMissing'],
  }),
  /** Sets the members of a role. */
  setRoleMembers: call({
    summary: 'Sets who has a role',
    title: { zh: '修改角色成员', en: 'Members of a role' },
    audits: ['roleId'],
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/setRoleMembers',
    payload: 'json',
    input: z.strictObject({
      roleId: Id,
      userIds: z.array(Id).max(10_000),
      groupIds: z.array(Id).max(1000),
      titles: z.array(text(64)).max(200),
    }),
    sample: (ids) => ({ roleId: ids.roleId, userIds: [ids.userId], groupIds: [ids.groupId], titles: ['工程师'] }),
    data: z.strictObject({ people: z.int().describe('How many have it then.') }),
    codes: ['notFound'],
  }),
} as const
