// @vitest-environment happy-dom
// What an application was used for, and the links by it.
import type { OperationApplicationDetail, ReviewProgress } from '@cloudoc/contract'
import { ApplyState, ApplyType, LinkStatus } from '@cloudoc/domain'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const use = {
  what: 'download',
  fName: '合同.txt',
  version: 2,
  person: '贝恩',
  address: '10.0.0.1',
  externalId: 0,
} as const
const detail: OperationApplicationDetail = {
  ...{ reviewId: 31, applicationId: 31, operateType: ApplyType.download, applicationTitle: '合同.txt', userId: 8 },
  ...{
    applicationTitleType: 1,
    itemCount: 1,
    nodeState: ApplyState.approved,
    handlerUserName: '马拉',
    userName: '贝恩',
  },
  ...{ groupName: '市场部', comments: '', createTime: 1, handleBefore: null, state: 'approved', handleTime: 2 },
  ...{ handledBy: { userId: 9, accountName: '马拉' }, answer: '', waitsFor: [], isAwaited: false },
  ...{ hasVersionLimit: false, validDays: 1, count: 5, endTime: 9, approvedCount: 1, externalId: 0, items: [] },
  ...{ pathString: '', applied: { validDays: 1, count: 5 }, link: null, recent: null },
  may: { decide: false, withdraw: false, remind: false, revoke: true, remove: false },
  links: [{ externalId: 4, fName: '合同.txt', note: '给渠道', status: LinkStatus.active, mayManage: true }],
  uses: [
    { ...use, time: 7, way: 'link', person: '王先生', externalId: 4 },
    { ...use, time: 6, way: 'webDav', version: 1 },
    { ...use, time: 5, way: 'zip', version: 0 },
  ],
}
const way: ReviewProgress = {
  ...{ reviewId: 31, kind: 'downloadApply', state: 'approved', launcher: { userId: 8, accountName: '贝恩' } },
  ...{ createTime: 1, handleBefore: null, round: 1, rounds: [], notes: [] },
  may: { decide: false, withdraw: false, remind: false, revoke: true },
}

async function show(shown: Partial<OperationApplicationDetail>): Promise<ReturnType<typeof fakeApi>> {
  signInAs(9)
  const server = fakeApi({ getApplyDetail: { ...detail, ...shown }, getReviewWay: way })
  void openWindow('cloudoc-apply-audit', { applicationId: 31, name: '合同.txt' })
  await render(<p>page</p>)
  await until(() => document.querySelector('.al-uses') !== null)
  return server
}

// [R254] The detail of an application names its links and each use with person, way and version.
it.each([
  ['zh', ['王先生 · 外链下载', '贝恩 · 网络驱动器', '贝恩 · 打包下载', '版本 2', '版本 1', '给渠道', '生效中']],
  [
    'en',
    ['王先生 · by a link', '贝恩 · network drive', '贝恩 · in a zip', 'version 2', 'version 1', '给渠道', 'Active'],
  ],
] as const)('names links and uses in %s [R254]', async (locale, texts) => {
  await setLocale(locale)
  const server = await show({})
  // Names are isolated from the direction of the text around them.
  const shown = screenText().replaceAll(/[\u2066-\u2069]/g, '')
  for (const text of texts) expect(shown).toContain(text)
  expect(shown).not.toContain('版本 0')
  await setLocale('zh')
  if (locale === 'en') return
  await click(element('[aria-label*=查看外链]'))
  await until(() => server.sent.some(({ name, input }) => name === 'getExternalInfo' && input['externalId'] === '4'))
})

it('tells of a link what its visitors did, and opens no link of somebody else [R254]', async () => {
  await setLocale('zh')
  await show({
    operateType: ApplyType.external,
    link: null,
    links: [{ externalId: 4, fName: '合同.txt', note: '', status: LinkStatus.refused, mayManage: false }],
    uses: [{ ...use, time: 7, what: 'open', way: 'link', person: '', version: 0, fName: '', externalId: 4 }],
  })
  expect(screenText()).toContain('未留名访客 · 打开')
  expect(screenText()).toContain('已拒绝')
  expect(document.querySelector('[aria-label*=查看外链]')).toBeNull()
})
