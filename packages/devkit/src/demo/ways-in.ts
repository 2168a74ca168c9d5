// Ways in that the demo company has prepared and not switched on: nobody could reach the servers that they name.
import { type Calling, known, type Loaded } from './load.ts'

const businessHours = { days: [1, 2, 3, 4, 5], from: 7 * 60, to: 21 * 60, outside: true }

/** Adds sign-in providers with rules, a service account that provisions people, and rules on access. */
export async function prepareWaysIn(admin: Calling, { ids }: Pick<Loaded, 'ids'>): Promise<void> {
  const role = known(ids.role, 'manager')
  const department = known(ids.group, 'sales')
  const portal = await admin('saveProvider', {
    name: '集团统一登录',
    enabled: false,
    settings: {
      ...({ kind: 'oidc', issuer: 'https://sso.huaxin.example', clientId: 'cloudoc' } as const),
      ...{ domains: ['huaxin.example'], groupsClaim: 'groups' },
      rules: [
        { value: 'managers', gives: 'role', id: role },
        { claim: 'site', value: '上海', gives: 'department', id: department },
      ],
    },
  })
  await admin('saveProvider', {
    name: '总部目录',
    enabled: false,
    settings: {
      ...({ kind: 'ldap', urls: ['ldaps://dc1.huaxin.example', 'ldaps://dc2.huaxin.example'] } as const),
      ...{ bindDn: 'CN=cloudoc,OU=Service,DC=huaxin,DC=example', base: 'OU=员工,DC=huaxin,DC=example' },
      ...{ filter: '(objectClass=user)', idAttribute: 'objectGUID', accountAttribute: 'sAMAccountName' },
      rules: [{ value: 'CN=部门经理,OU=组,DC=huaxin,DC=example', gives: 'role', id: role }],
    },
  })
  const { userId } = await admin('createServiceAccount', { account: 'svc-hr', accountName: '人事系统' })
  await admin('saveProvider', {
    name: '人事系统',
    enabled: false,
    settings: { kind: 'scim', serviceAccountId: userId, departments: true, signInProviderId: portal.providerId },
  })
  const rule = { minLevel: 0, networks: [], outside: false, clients: [], hours: null }
  await admin('setAccessRules', {
    list: [
      {
        ...{ ...rule, name: '机密人员只用公司认可的设备', enabled: false, minLevel: 2 },
        ...({ devices: 'unapproved', action: 'refuse' } as const),
      },
      {
        ...{ ...rule, name: '下班后在外面只读', enabled: false, networks: ['10.0.0.0/8'], outside: true },
        ...({ devices: 'any', action: 'readOnly', hours: businessHours } as const),
      },
    ],
  })
}
