// The windows of users and departments.
import { t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import type { AccountLimitProps } from './people/account-limit.tsx'
import type { LeaverProps } from './people/leaver.tsx'
import type { NewPersonProps } from './people/new-person.tsx'
import type { PasswordLinksProps } from './people/password-links.tsx'
import type { PickedGroup, PickGroupProps } from './pick/pick-group.tsx'
import type { DelegationProps } from './roles/delegation.tsx'
import type { PersonCapabilitiesProps } from './roles/person-capabilities.tsx'
import type { Answers } from './shared/organisation-queries.ts'
import type { NameGroupProps, NameGroupResult } from './tree/name-group.tsx'

const people = ['王敏', '林夏', '李思远'].map((name, n) => ({
  userId: n + 1,
  name,
  accountName: name,
  account: `p${n}`,
}))

/** The windows that this area adds to the window catalogue. */
export const organisationWindows = {
  'organisation-answers': win<{ readonly list: Answers; readonly done: number }>({
    title: 'org.answers.title',
    size: { width: 480, height: 'auto' },
    load: () => import('./people/batch-result.tsx').then((module) => module.BatchResultWindow),
    sample: { list: people.map(({ userId, name }) => ({ userId, name, result: -57 })), done: 3 },
    crowded: () => ({
      list: Array.from({ length: 200 }, (_, n) => ({ userId: n, name: '名'.repeat(64), result: -58 })),
      done: 800,
    }),
  }),
  'organisation-leaver': win<LeaverProps, true>({
    title: ({ accountName }) => t('org.leaver.title', { name: accountName }),
    size: { width: 1030, height: 640 },
    single: true,
    load: () => import('./people/leaver.tsx').then((module) => module.Leaver),
    sample: { userId: 1, accountName: '冯越', account: 'fengyue', groupId: 2, groupName: '华南大区' },
  }),
  'organisation-delegation': win<DelegationProps, true>({
    title: 'org.admins.delegate',
    size: { width: 520, height: 'auto' },
    load: () => import('./roles/delegation.tsx').then((module) => module.Delegation),
    sample: {
      person: {
        userId: 1,
        accountName: '王敏',
        tasks: ['people', 'quota'],
        groups: [{ groupId: 2, groupName: '市场中心' }],
      },
    },
  }),
  'organisation-limit': win<AccountLimitProps, number>({
    title: 'org.limit.title',
    size: { width: 400, height: 'auto' },
    load: () => import('./people/account-limit.tsx').then((module) => module.AccountLimit),
    sample: { limit: 200, used: 128 },
  }),
  'organisation-password-links': win<PasswordLinksProps>({
    title: 'org.links.title',
    size: { width: 640, height: 'auto' },
    load: () => import('./people/password-links.tsx').then((module) => module.PasswordLinks),
    sample: {
      list: people.map(({ userId, name, account }) => ({
        userId,
        account,
        name,
        groupName: '市场中心',
        result: -1,
        linkCode: 'K7QM2PXD9RTA4HWN',
        expireTime: 1_900_000_000_000,
      })),
    },
  }),
  'organisation-new-person': win<NewPersonProps, { readonly userId: number }>({
    title: 'org.new',
    size: { width: 520, height: 'auto' },
    load: () => import('./people/new-person.tsx').then((module) => module.NewPerson),
    sample: { group: { groupId: 0, path: '公司' } },
  }),
  'organisation-token-key': win<object>({
    title: 'org.token.title',
    size: { width: 560, height: 'auto' },
    single: true,
    load: () => import('./providers/token-key.tsx').then((module) => module.TokenKeyWindow),
    sample: {},
  }),
  'organisation-pick-group': win<PickGroupProps, PickedGroup>({
    title: ({ title }) => title,
    size: { width: 440, height: 480 },
    load: () => import('./pick/pick-group.tsx').then((module) => module.PickGroup),
    sample: { title: '选择部门', ok: '确定' },
  }),
  'organisation-person-may': win<PersonCapabilitiesProps>({
    title: ({ accountName }) => accountName,
    size: { width: 480, height: 'auto' },
    load: () => import('./roles/person-capabilities.tsx').then((module) => module.PersonCapabilities),
    sample: { userId: 1, accountName: '林夏' },
  }),
  'organisation-name-group': win<NameGroupProps, NameGroupResult>({
    title: ({ title }) => title,
    size: { width: 400, height: 'auto' },
    load: () => import('./tree/name-group.tsx').then((module) => module.NameGroup),
    sample: { title: '重命名部门', name: '市场中心', of: { kind: 'department', groupId: 1 } },
  }),
}
