// @vitest-environment happy-dom
import { LinkStatus, linkRights } from '@cloudoc/domain'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { openWindow } from '../../core/windows/index.ts'
import { LinksForMe } from './link-pages.tsx'

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const link = {
  ...{
    externalId: 4,
    fType: 1 as const,
    fId: 21,
    fName: '报价.pdf',
    extName: 'pdf',
    greeting: '',
    note: '',
    creatorId: 9,
  },
  ...{ creatorName: '陈晓', createTime: 1, rights: linkRights.preview, hasPassword: false, startTime: 1, endTime: 0 },
  ...{ visitLimit: 0, downloadLimit: 0, visits: 0, downloads: 0, people: [], mails: [], isNamed: true },
  ...{ status: LinkStatus.active, reason: 'active' as const, mayManage: false, linkToken: 'abc', password: '' },
  ...{ notify: false, watermark: false, watermarkTemplateId: 0, item: null },
}

// [R051] The page link-shared lists the links that were made for the person.
// [R230] A link that the browser does not open says what to check.
it('lists a link for the person, and says what to look at where the browser does not open it [R051] [R230]', async () => {
  signInAs(7)
  fakeApi({ getLinkSharedList: { list: [link], total: 1 } })
  const opened = vi.fn<typeof window.open>(() => null)
  vi.stubGlobal('open', opened)
  await render(<LinksForMe />)
  await until(() => screenText().includes('报价.pdf'))
  await click(element('.sl-name'))
  await until(() => screenText().includes('请检查是否设置了默认浏览器'))
  expect(String(opened.mock.calls[0]?.[0])).toMatch(/\/s\/abc$/)
})

it('says so from the window of a link as well [R230]', async () => {
  signInAs(7)
  fakeApi({
    getExternalInfo: { ...link, mayManage: true, fileKey: 'key', applicationId: 0 },
    getExternalVisitList: { list: [], total: 0, days: [], addresses: 0, wrongPasswords: 0, bytes: 0 },
  })
  vi.stubGlobal('open', () => null)
  void openWindow('cloudoc-link-detail', { externalId: link.externalId, name: '报价.pdf' })
  await render(<p>page</p>)
  await until(() => document.querySelector('[aria-label=打开链接]') !== null)
  await click(element('[aria-label=打开链接]'))
  await until(() => screenText().includes('请检查是否设置了默认浏览器'))
})

// [R254] From a link one reaches the application by which it opens.
it('leads from the window of a link to the application that approved it [R254]', async () => {
  signInAs(7)
  const server = fakeApi({
    getExternalInfo: { ...link, mayManage: true, fileKey: 'key', applicationId: 31 },
    getExternalVisitList: { list: [], total: 0, days: [], addresses: 0, wrongPasswords: 0, bytes: 0 },
  })
  void openWindow('cloudoc-link-detail', { externalId: link.externalId, name: '报价.pdf' })
  await render(<p>page</p>)
  await until(() => screenText().includes('查看审批申请'))
  await click(button('查看审批申请'))
  await until(() => server.sent.some(({ name, input }) => name === 'getApplyDetail' && input['applicationId'] === '31'))
})
