// @vitest-environment happy-dom
// Who administers what, and somebody who leaves, as the administrator sees it.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, refused } from '../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, type, until } from '../../test/render.tsx'
import { signInAs } from '../../test/session.ts'
import * as admin from '../admin/area.ts'
import { joinArea } from '../core/area/area.ts'
import { sessionStore } from '../core/session/session.ts'
import { openWindow } from '../core/windows/index.ts'
import * as organisation from './area.ts'
import { PersonDrawer } from './people/person-drawer.tsx'
import { RolesPage } from './roles/roles-page.tsx'

beforeAll(() => {
  joinArea(admin)
  joinArea(organisation)
})
beforeEach(() => signInAs(1, '林夏'))
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

function as(permission: { powers: ('system' | 'security' | 'audit')[]; isAdmin?: boolean }): void {
  sessionStore.setState(({ session }) => ({
    session: session && { ...session, permission: { ...session.permission, ...permission } },
  }))
}

const holder = { userId: 7, accountName: '吴静', account: 'wujing', groupName: '审计部', usedTime: 0, address: '' }
const administrators = {
  combined: false,
  proposals: [],
  first: [{ ...holder, userId: 1, accountName: '林夏', account: 'admin' }],
  separated: [
    { power: 'system' as const, people: [] },
    { power: 'security' as const, people: [] },
    { power: 'audit' as const, people: [{ ...holder, since: 1 }] },
  ],
  delegated: [
    {
      ...{ ...holder, userId: 9, accountName: '王敏', account: 'wangmin', since: 1 },
      tasks: ['people' as const, 'quota' as const],
      groups: [{ groupId: 3, groupName: '市场中心', path: '华信 / 市场中心', people: 42 }],
    },
  ],
}

it('shows three powers, who has them and what each cannot do, and takes a department back', async () => {
  as({ powers: ['system', 'audit'], isAdmin: true })
  const server = fakeApi({ getAdministrators: administrators, setDelegation: {} })
  await render(<RolesPage />, '/doc/admin/roles/administrators')
  await until(() => screenText().includes('市场中心 及下级，42 人'))
  expect(screenText()).toContain('首次安装的账号同时有三项管理权')
  expect(element('[aria-label=审计管理员]').textContent).toContain('什么都不能改')
  expect(element('[aria-label=系统管理员]').textContent).toContain('还没有指定')
  await click(button('收回'))
  await until(() => screenText().includes('收回 王敏 的部门管理？'))
  await click(element('[role=dialog] .is-danger'))
  await until(() => server.inputsOf('setDelegation').length === 1)
  expect(server.inputsOf('setDelegation')).toEqual([{ userId: 9, groupIds: [], tasks: [] }])
})

it('shows an auditor who administers, and lets them change nothing of it', async () => {
  as({ powers: ['audit'] })
  fakeApi({ getAdministrators: administrators })
  await render(<RolesPage />, '/doc/admin/roles')
  await until(() => screenText().includes('市场中心 及下级，42 人'))
  expect(screenText()).not.toContain('角色与能力')
  expect([...document.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([])
})

const part = { bytes: 0, passes: 0, merges: 0, ends: 0, waits: 0, items: [] }
const plan = {
  sessions: 2,
  seen: 'one',
  parts: [
    { ...part, kind: 'seat.keeper_id', count: 1, passes: 1, items: [] },
    {
      ...{ ...part, kind: 'files', count: 3, bytes: 2048, passes: 1, waits: 1 },
      items: [
        { name: '底价.txt', detail: '', outcome: 'waits' as const, why: 'level' },
        { name: '客户', detail: '', outcome: 'passes' as const, why: '' },
      ],
    },
  ],
}

it('shows what somebody leaves before it is handed over, again where it has changed, and what was done', async () => {
  as({ powers: ['system'] })
  const newer = { ...plan, seen: 'two' }
  const manager = { userId: 5, accountName: '陆远', account: 'luyuan' }
  const department = { groupId: 2, groupName: '华南大区', parentId: 1, below: 0, path: '华南大区', people: 2 }
  const server = fakeApi({
    getDepartment: { ...department, managers: [manager] },
    getHandover: plan,
    handOver: ({ seen }) => ({ ...newer, done: seen === 'two' }),
  })
  await render(<p>page</p>)
  void openWindow('organisation-leaver', {
    ...{ userId: 4, accountName: '冯越', account: 'fengyue', groupId: 2, groupName: '华南大区' },
  })
  await until(() => screenText().includes('整库归接收人'))
  expect(server.inputsOf('getHandover')).toEqual([{ userId: '4', successorId: '5' }])
  expect(screenText()).toContain('接收人的密级不够，打不开')
  expect(screenText()).toContain('其他（seat.keeper_id）')
  expect(screenText()).toContain('账号立即冻结，2 处登录结束')
  await click(button('冻结并移交'))
  await until(() => screenText().includes('内容刚刚有变化'))
  await click(button('冻结并移交'))
  await until(() => screenText().includes('已移交给 陆远，与预览一致'))
  expect(server.inputsOf('handOver').map(({ seen }) => seen)).toEqual(['one', 'two'])
})

const person = {
  ...{ userId: 7, account: 'wujing', accountName: '吴静', groupId: 3, groupName: '审计部', groupPath: '华信 / 审计部' },
  ...{
    title: '',
    secretLevel: 0,
    state: 'normal' as const,
    expireTime: 0,
    signedInTime: 1,
    isAdmin: false,
    powers: [],
  },
  ...{ roles: [], otherGroups: [], email: '', phone: '', quota: null, used: 0, createTime: 1, visitorUntil: 0 },
  ...{ failures: null, sessions: [], secondFactor: true, waiting: false },
}

// [R025] Of somebody who has lost the device, an administrator of security removes the second factor.
it('[R025] a second factor is removed by whoever administers security, and by nobody else', async () => {
  as({ powers: ['system'] })
  const server = fakeApi({ getPerson: person, getRoleList: { list: [] }, removeSecondFactor: {} })
  await render(<PersonDrawer userId={7} onClose={() => undefined} />)
  await until(() => screenText().includes('吴静'))
  await click(element('[role=tab]:last-child'))
  await until(() => screenText().includes('已启用两步验证或通行密钥'))
  expect([...document.querySelectorAll('button')].some(({ textContent }) => textContent === '解除两步验证')).toBe(false)
  await cleanUp()
  as({ powers: ['system', 'security'] })
  await render(<PersonDrawer userId={7} onClose={() => undefined} />)
  await until(() => screenText().includes('吴静'))
  await click(element('[role=tab]:last-child'))
  await until(() => screenText().includes('已启用两步验证或通行密钥'))
  await click(button('解除两步验证'))
  await until(() => screenText().includes('解除 吴静 的两步验证？'))
  await click(element('[role=dialog] .is-danger'))
  await until(() => screenText().includes('已解除 吴静 的两步验证'))
  expect(server.inputsOf('removeSecondFactor')).toEqual([{ userId: 7 }])
})

// [R020] The key of a system whose tokens sign people in is registered and removed on the page of ways to sign in.
it('[R020] the public key of another system is registered, and removed; what is no public key is named', async () => {
  as({ powers: ['security'] })
  const pem = '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----'
  const server = fakeApi({ getTokenKey: { publicKey: '', audience: '' }, setTokenKey: refused('badRequest') })
  await render(<p>page</p>)
  void openWindow('organisation-token-key', {})
  await until(() => document.querySelector('[role=dialog] textarea') !== null)
  await type('公钥（SPKI PEM）', 'secret')
  await click(button('保存'))
  await until(() => screenText().includes('请填入以“-----BEGIN PUBLIC KEY-----”开头的公钥'))
  await type('公钥（SPKI PEM）', pem)
  server.now({ setTokenKey: {}, getTokenKey: { publicKey: pem, audience: '' } })
  await click(button('保存'))
  await until(() => screenText().includes('公钥已登记'))
  void openWindow('organisation-token-key', {})
  await until(() => document.querySelector('[role=dialog] .is-danger') !== null)
  await click(button('移除公钥'))
  await until(() => screenText().includes('令牌不能再登录，已经登录的人不受影响'))
  await click([...document.querySelectorAll<HTMLElement>('[role=dialog] .is-danger')].at(-1) ?? document.body)
  await until(() => screenText().includes('已移除公钥'))
  expect(server.inputsOf('setTokenKey')).toEqual([
    { publicKey: 'secret', audience: '' },
    { publicKey: pem, audience: '' },
    { publicKey: '', audience: '' },
  ])
})
