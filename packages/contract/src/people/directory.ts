// The directory for all signed-in users ([R347], [R348]): search and list users, departments and roles. Data that only
// concerns administrators (level, state, users who left) is returned to administrators only.
import { z } from 'zod'
import { signedIn } from '../authority.ts'
import { call } from '../call.ts'
import { Count, Id, pageOf, rows, text } from '../fields.ts'

const Person = z
  .strictObject({
    userId: z.int(),
    account: z.string(),
    accountName: z.string(),
    groupId: z.int(),
    groupName: z.string(),
    secretLevel: z.int().optional().describe('To administrators alone, as what follows.'),
    state: z.enum(['normal', 'locked', 'frozen', 'restricted', 'disabled']).optional(),
    isAdmin: z.boolean().optional(),
  })
  .meta({ id: 'Person' })
const Group = z
  .strictObject({ groupId: z.int(), groupName: z.string(), parentId: z.int(), libraryId: z.int() })
  .meta({ id: 'Group' })
const Role = z.strictObject({ roleId: z.int(), roleName: z.string() })
const OrganisationItem = z
  .strictObject({
    type: z.enum(['user', 'group', 'role']),
    id: z.int(),
    name: z.string(),
    account: z.string().optional(),
    groupName: z.string().optional(),
    title: z.string().optional().describe('The position of a person who has one.'),
    path: z.string().optional().describe('The departments above a department that was searched for.'),
  })
  .meta({ id: 'OrganisationItem' })

/** Leaves out users whose secret level is below this one; capped at the caller's own level. */
const AtLeast = Count.pipe(z.int().max(100)).default(0)

const ours = { auth: 'required', origin: 'ours', guard: signedIn } as const

export const directory = {
  /**
   * Matches part of the name, the account, pinyin or initials. Each of several words matches the user or their
   * department: 市场 王 finds all users called 王 in departments called 市场.
   */
  searchItem2: call({
    summary: 'Finds people, departments and roles',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/searchItem2/{searchType}',
    payload: 'query',
    input: z.strictObject({
      searchType: z.enum(['all', 'user', 'group', 'role']),
      keyword: text(100),
      rows: rows(30, 200),
      secretLevel: AtLeast,
    }),
    sample: () => ({ searchType: 'all', keyword: '样' }),
    data: z.strictObject({ list: z.array(OrganisationItem) }),
  }),
  /**
   * parentType `group` with parentId 0 lists the top level of the company; `role` lists the members of a role, direct
   * or inherited. Departments come before users.
   */
  getSubItemList: call({
    summary: 'Lists what belongs to a department or role',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getSubItemList/{parentType}/{parentId}',
    payload: 'query',
    input: z.strictObject({
      parentType: z.enum(['group', 'role']),
      parentId: Id,
      ...pageOf(1000, 1000),
      secretLevel: AtLeast,
    }),
    sample: (ids) => ({ parentType: 'group', parentId: ids.groupId }),
    data: z.strictObject({ list: z.array(OrganisationItem) }),
    codes: ['notFound'],
  }),
  getAllAccount: call({
    summary: 'Lists the accounts, a page at a time',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getAllAccount',
    payload: 'query',
    input: z.strictObject(pageOf(100, 1000)),
    data: z.strictObject({ list: z.array(Person), total: z.int() }),
  }),
  getRoleList: call({
    summary: 'Lists the roles',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getRoleList',
    payload: 'none',
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(Role) }),
  }),
  getUserInfo: call({
    summary: 'Reads one account',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getUserInfo/{accountId}',
    payload: 'none',
    input: z.strictObject({ accountId: Id }),
    sample: (ids) => ({ accountId: ids.userId }),
    data: Person,
    codes: ['notFound'],
  }),
  getGroupInfo: call({
    summary: 'Reads one department',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getGroupInfo/{groupId}',
    payload: 'none',
    input: z.strictObject({ groupId: Id }),
    sample: (ids) => ({ groupId: ids.groupId }),
    data: Group,
    codes: ['notFound'],
  }),
} as const
