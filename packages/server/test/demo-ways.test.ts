// The ways in of the demo company, without its 10,000 files.
import { demoCompany, prepareWaysIn } from '@cloudoc/devkit/demo'
import { expect, test } from 'vitest'
import { openWorld } from './harness.ts'

test('the demo company has prepared its ways in, and the login page offers none of them', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const ids = { group: new Map<string, number>(), role: new Map<string, number>(), user: new Map<string, number>() }
  for (const { key, name } of demoCompany.groups)
    ids.group.set(key, (await admin.call('createGroup', { groupName: name, parentId: 0 })).groupId)
  for (const { key, name } of demoCompany.roles)
    ids.role.set(key, (await admin.call('createRole', { roleName: name })).roleId)
  await prepareWaysIn((name, input) => admin.call(name, input), { ids })
  const { list } = await admin.call('getProviders', {})
  expect(list.map(({ name, enabled, settings }) => [name, enabled, settings.kind])).toEqual([
    ['集团统一登录', false, 'oidc'],
    ['总部目录', false, 'ldap'],
    ['人事系统', false, 'scim'],
  ])
  expect((await admin.call('getAccessRules', {})).list.map(({ enabled }) => enabled)).toEqual([false, false])
  expect((await admin.call('getPrograms', {})).accounts).toMatchObject([{ account: 'svc-hr' }])
  expect(await world.wire('getSignInWays', {})).toMatchObject({ data: { providers: [] } })
})
