// @vitest-environment happy-dom
// The page of the audit: what is looked for, what a row says, and what is wrong with the chain.

import type { Answer, calls } from '@cloudoc/contract'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type FakeApi, fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import * as admin from '../../admin/area.ts'
import { joinArea } from '../../core/area/area.ts'
import { MenuLayer } from '../../core/menu/menu-layer.tsx'
import { confirmBox } from '../../core/windows/boxes.ts'
import * as system from '../area.ts'
import type { AuditEntry } from './audit-labels.ts'
import { AuditPage } from './audit-page.tsx'

vi.mock('../../core/windows/boxes.ts', () => ({ confirmBox: vi.fn<() => Promise<boolean>>() }))

beforeAll(() => {
  joinArea(admin)
  joinArea(system)
  // A DOM without layout has no heights, and a virtual list draws no rows without them.
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 600 })
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const entry = (seq: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  seq,
  at: 1_795_000_000_000 + seq,
  kind: 'file',
  call: 'renameFile',
  by: { userId: 3, account: 'wangmin', accountName: '王敏', groupName: '市场' },
  outsider: null,
  address: '192.168.10.31',
  items: [{ fId: 9, fType: 1, fName: '采购框架.docx' }],
  itemCount: 1,
  people: [],
  peopleCount: 0,
  objects: [],
  refused: '',
  detail: '{"log":256}',
  hash: 'ab'.repeat(32),
  ...more,
})
const whole = { progress: null, last: null }

type Archived = Answer<typeof calls.getAuditList>['archived']

async function open(list: AuditEntry[], more = false, archived: Archived = null): Promise<FakeApi> {
  const server = fakeApi({
    getAuditList: { list, more, archived },
    getAuditVerification: whole,
    getAuditPeople: { list: [{ userId: 3, account: 'wangmin', accountName: '王敏', groupName: '市场' }] },
  })
  await render(<AuditPage />)
  await until(() => server.inputsOf('getAuditList').length > 0 && !screenText().includes('正在读取'))
  return server
}

it('says who did what to which item from where, and how it ended; what somebody tried who is nobody too', async () => {
  const detail = '{"account":"zhouzimo"}'
  await open([
    entry(2, { by: null, call: 'login3', items: [], itemCount: 0, refused: 'wrongPassword', detail }),
    entry(1),
  ])
  await until(() => screenText().includes('采购框架.docx'))
  expect(screenText()).toContain('重命名')
  expect(screenText()).toContain('zhouzimo')
  expect(screenText()).toContain('密码错误')
})

it('asks for a kind, a person and an item, and drops what it was told to', async () => {
  const server = await open([entry(1)])
  await click(button('权限变更'))
  await until(() => server.inputsOf('getAuditList').at(-1)?.['kind'] === 'rights')
  await until(() => document.querySelector('[role=option]') !== null)
  await click(element('[role=option]'))
  expect(screenText()).toContain('ab'.repeat(32))
  const [onlyPerson] = [...document.querySelectorAll<HTMLElement>('.ad-audit-detail button')].filter(
    ({ textContent }) => textContent === '只看这个',
  )
  if (onlyPerson !== undefined) await click(onlyPerson)
  await until(() => server.inputsOf('getAuditList').at(-1)?.['accountId'] === '3')
  await click(button('清除条件'))
  await until(() => button('全部').getAttribute('aria-selected') === 'true')
})

it('fetches the next rows after the last one, when they come near', async () => {
  const server = await open(
    Array.from({ length: 30 }, (_, i) => entry(100 - i)),
    true,
  )
  await until(() => server.inputsOf('getAuditList').length > 1)
  expect(server.inputsOf('getAuditList')[1]).toMatchObject({ afterSeq: '71', afterAt: '1795000000071' })
})

it('says which row of the chain is wrong', async () => {
  fakeApi({
    getAuditList: { list: [entry(1)], more: false, archived: null },
    getAuditVerification: {
      progress: null,
      last: {
        at: 1_795_000_000_000,
        tookMs: 41,
        rows: 4730,
        problems: [{ what: 'altered', seq: 1046, auditId: 1, count: 1 }],
        problemCount: 1,
      },
    },
  })
  await render(<AuditPage />)
  await until(() => screenText().includes('第 1,046 条被修改过'))
  expect(screenText()).toContain('完整性校验未通过')
})

// [R287] The end of the audit list says which days are in archives and links to them.
it('[R287] says where the list ends which days lie in archives, and leads to them', async () => {
  const archived = { since: Date.UTC(2026, 0, 1, 12), until: Date.UTC(2026, 5, 30, 12), archives: 2, rows: 1234 }
  const server = await open([entry(1)], false, archived)
  server.now({ getAuditArchives: { list: [], used: 0, limit: 0, progress: null, problem: '' } })
  await until(() => screenText().includes('2026-01-01 至 2026-06-30 的 1,234 条记录在归档中'))
  await click(button('查看归档'))
  await until(() => server.inputsOf('getAuditArchives').length > 0)
  await cleanUp()
  await open([], false, archived)
  await until(() => screenText().includes('没有符合条件的记录'))
  expect(button('查看归档')).toBeDefined()
})

// [R287] The audit page lists the archives and creates the next.
it('[R287] lists the archives with the room they take, and makes the next one once it is meant', async () => {
  const month = 1_790_000_000_000
  const archived = { archiveId: 1, fromSeq: 1, toSeq: 4096, rows: 4096, since: month, until: month, bytes: 2048 }
  const server = fakeApi({
    getAuditList: { list: [entry(1)], more: false, archived: null },
    getAuditVerification: whole,
    getAuditArchives: {
      list: [{ ...archived, createTime: month }],
      used: 2048,
      limit: 4096,
      progress: null,
      problem: 'full',
    },
    archiveAudit: {},
  })
  await render(
    <>
      <AuditPage />
      <MenuLayer />
    </>,
  )
  await click(button('归档'))
  await until(() => screenText().includes('归档文件已用 2.0 KB，上限 4.0 KB'))
  expect(screenText()).toContain('1 – 4,096')
  expect(screenText()).toContain('归档空间不足')
  expect(document.querySelector('[aria-label="下载 audit-1-4096.jsonl.gz"]')).not.toBeNull()
  expect(screenText()).not.toContain('按当前条件')
  vi.mocked(confirmBox).mockResolvedValueOnce(false).mockResolvedValueOnce(true)
  for (let n = 0; n < 2; n += 1) {
    expect(server.inputsOf('archiveAudit')).toEqual([])
    await click(button('归档更早的记录'))
    await until(() => document.querySelector('[role^=menuitem]') !== null)
    await click(element('[role^=menuitem]'))
  }
  await until(() => server.inputsOf('archiveAudit').length === 1)
  const yearAgo = Date.now() - 360 * 24 * 60 * 60_000
  expect(Number(server.inputsOf('archiveAudit')[0]?.['before'])).toBeLessThan(yearAgo)
})

it('[R286] shows what a row records under labels and with readable values, and objects that are no items by name', async () => {
  const detail = JSON.stringify({ groupId: 4, name: '华南部', members: 3, readOnly: true, until: 86_400_000, right: 6 })
  await open([
    entry(1, { call: 'createGroup', kind: 'administration', items: [], itemCount: 0, objects: ['华南部'], detail }),
  ])
  await until(() => document.querySelector('[role=option]') !== null)
  const row = element('[role=option]')
  expect(row.textContent).toContain('华南部')
  await click(row)
  const shown = element('.ad-audit-detail').textContent ?? ''
  for (const words of ['成员数3', '只读是', '有效期至1970-01-02 00:00:00', '权限可见、预览'])
    expect(shown).toContain(words)
  expect(shown).not.toMatch(/createGroup|groupId|members|readOnly/)
})
