// @vitest-environment happy-dom
// Binding an Outlook mailbox at the screen.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, refused } from '../../test/fake-api.ts'
import { button, cleanUp, click, render, screenText, type, until } from '../../test/render.tsx'
import { loadSignedIn } from '../app/join-areas.ts'
import { BoxesWindow } from './boxes-window.tsx'
import { OutlookReturn } from './outlook.tsx'
import { withTexts } from './page-texts.ts'

beforeAll(loadSignedIn)
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const box = {
  ...{ boxId: 4, account: 'fritz@example.com', loginName: '', senderName: '弗里茨', mailProtocol: 'imap' as const },
  ...{ imapAddress: 'outlook.office365.com', imapPort: 993, popAddress: '', popPort: 0, exchangeUrl: '' },
  ...{ smtpAddress: 'smtp.office365.com', smtpPort: 587, ssl: true, fetch: true, isDefault: true, isOutlook: true },
  ...{ state: 'signIn' as const, problem: '授权已结束', fetchTime: 0, isFetching: false, unread: 0 },
  ...{ spaceUsed: 0, spaceTotal: 0, aliases: [] },
}

beforeEach(() => withTexts(() => Promise.resolve()))

it('a bound mailbox shows no servers, says what is wrong, and is bound again', async () => {
  const server = fakeApi({
    getMailboxes: { list: [box], canBindOutlook: true },
    startOutlookBinding: refused('providerUnavailable'),
    updateMailbox: {},
  })
  await render(<BoxesWindow close={() => undefined} setDirty={() => undefined} />)
  await until(() => screenText().includes('fritz@example.com 通过 Outlook 授权登录'))
  expect(screenText()).toContain('授权已结束')
  expect(screenText()).not.toContain('收信服务器')
  await click(button('重新绑定'))
  await until(() => server.inputsOf('startOutlookBinding').length === 1)
  expect(server.inputsOf('startOutlookBinding')).toEqual([{ boxId: 4 }])
  await type('显示名称', 'Fritz')
  await click(button('保存'))
  await until(() => server.inputsOf('updateMailbox').length === 1)
  expect(server.inputsOf('updateMailbox')).toMatchObject([{ boxId: '4', senderName: 'Fritz' }])
})

it('without an application of the administrator no binding is offered', async () => {
  fakeApi({ getMailboxes: { list: [], canBindOutlook: false } })
  await render(<BoxesWindow close={() => undefined} setDirty={() => undefined} />)
  await until(() => screenText().includes('添加邮箱'))
  expect(screenText()).not.toContain('Outlook 邮箱')
})

it('who comes back from Microsoft without a permission is told why, and can try again', async () => {
  fakeApi({
    getMailboxes: { list: [], canBindOutlook: true },
    finishOutlookBinding: refused('signInRejected'),
  })
  await render(<OutlookReturn />, '/doc/folder/email/outlook?error=access_denied&state=s')
  await until(() => screenText().includes('没有绑定成功'))
  await until(() => screenText().includes('绑定 Outlook 邮箱'))
})
