// @vitest-environment happy-dom
import { Right } from '@cloudoc/domain'
import { Route, Routes } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type FakeApi, fakeApi, refused } from '../../test/fake-api.ts'
import { cleanUp, element, render, screenText, until } from '../../test/render.tsx'
import { signInAs } from '../../test/session.ts'
import { setLocale } from '../core/i18n/i18n.ts'
import { sessionStore } from '../core/session/session.ts'
import { windowStore } from '../core/windows/index.ts'
import { sampleItem } from '../items/item/sample-item.ts'
import { loadSignedIn } from './join-areas.ts'
import { WindowPage, windowOfAddress } from './window-page.tsx'

beforeAll(loadSignedIn)
let server: FakeApi
beforeEach(() => {
  void setLocale('zh')
  signInAs(7)
  server = fakeApi({ getFileItemInfo: sampleItem({ fId: 5, fName: '报价.docx', rights: Right.full }) })
})
afterEach(async () => {
  await cleanUp()
  windowStore.setState({ open: [] })
  vi.unstubAllGlobals()
})

const visit = (address: string): Promise<void> => {
  vi.stubGlobal('location', new URL(address, 'http://cloudoc.test'))
  return render(
    <Routes>
      <Route path="/window/:name" element={<WindowPage />} />
      <Route path="*" element={<p>the files</p>} />
    </Routes>,
    address,
  )
}

/** The documented windows that exist, with their sizes as far as these are documented. */
const documented: Record<string, string> = {
  ...{
    previewer: '',
    'cloudoc-setting': '550x480',
    'cloudoc-personalSettings': '',
    'connection-diagnostics': '470x450',
  },
  ...{ 'cloudoc-authorization-apply': '680x500', 'cloudoc-authorization-review': '680x550' },
  ...{ 'cloudoc-link-list': '900x515' },
  ...{ 'cloudoc-link-create': '630x690', 'cloudoc-link-detail': '1030x690', 'cloudoc-link-detail-lite': '660x480' },
  ...{ 'cloudoc-link-sendMail': '', 'cloudoc-permission': '1030x622', 'cloudoc-tag': '', 'cloudoc-secret': '500x300' },
  ...{ 'cloudoc-property': '938x580', 'cloudoc-change-password': '', 'cloudoc-recent-edit': '' },
  ...{ 'cloudoc-technical-support': '', 'cloudoc-app-version': '', 'cloudoc-watermark-custom-template': '' },
  ...{ 'cloudoc-watermark-custom': '' },
  ...{ 'web-transfer-detail': '', 'cloudoc-files-pick': '', 'cloudoc-files-tree-pick': '', 'cloudoc-files-sort': '' },
  ...{ 'cloudoc-apply-download': '738x580', 'cloudoc-apply-download-detail': '738x580' },
  ...{ 'cloudoc-apply-link': '738x580', 'cloudoc-apply-link-detail': '738x580', 'cloudoc-apply-audit': '738x580' },
  ...{ 'cloudoc-apply-folder-detail': '738x580', 'cloudoc-auditLog': '' },
  ...{ 'cloudoc-clients': '550x480', 'log-report': '470x450', 'app-updater': '', 'editor-plugin-updater': '' },
  ...{
    'file-exchange-send': '700x540',
    'file-exchange-detail': '700x660',
    'file-exchange-required-password': '410x220',
  },
  'cloudoc-dmcdFilelist': '400x500',
  ...{ 'cloudoc-file-comment': '520x600', 'cloudoc-file-tag': '580x310' },
  ...{ 'cloudoc-urge': '920x660', 'cloudoc-urge-info': '', 'cloudoc-file-sendEmail': '690x608' },
  ...{ 'cloudoc-email-detail': '', 'cloudoc-workflow-template': '480x500', 'cloudoc-workflow-detail': '930x580' },
  ...{ 'cloudoc-process-manager': '', 'template-window': '', 'cloudoc-sign-launch': '610x670' },
  ...{ 'cloudoc-sign-setting': '', 'cloudoc-sign-detail': '580x610', 'cloudoc-concat-group-create': '' },
  ...{
    'im-friends-picker': '',
    'im-chat-log': '',
    'im-chat-log-context': '',
    'im-search': '',
    'im-share-pick': '710x480',
    'im-img-viewer': '',
  },
}

// [R068] Each documented window opens at its /window address, under its documented name.
// [R078] Connection diagnostics, the details of applications and of signing, and the list of files have the documented
// sizes.
// [R075] The windows permission, urge, workflow template, workflow detail, sign launch and secret have the documented sizes.
// [R076] The windows of requests for rights and of links have the documented sizes.
// [R077] The windows file-sendEmail, property, file-comment, file-tag and the three of exchange have the documented sizes.
test('[R068] [R075] [R076] [R077] [R078] every documented window that exists has its address and its size', () => {
  const found = Object.entries(documented).map(([name, size]) => {
    const definition = windowOfAddress(name)
    const { width = 0, height = 0 } = definition?.size ?? {}
    return [name, definition?.fromQuery !== undefined, size === '' ? '' : `${width}x${height}`]
  })
  expect(found).toEqual(Object.entries(documented).map(([name, size]) => [name, true, size]))
})

// [R350] The window of technical support has its documented address.
test('[R068] [R350] a window about an item reads it from the server, and one that is not there leads to the files', async () => {
  await visit('/window/cloudoc-property?serverId=0&fType=1&fId=5')
  await until(() => screenText().includes('报价.docx'))
  expect(server.inputsOf('getFileItemInfo')).toEqual([{ itemIdStr: 's0f5' }])
  await cleanUp()
  windowStore.setState({ open: [] })
  server.now({ getFileItemInfo: refused('notFound') })
  await visit('/window/cloudoc-property?serverId=0&fType=1&fId=6')
  await until(() => screenText().includes('the files'))
  await cleanUp()
  windowStore.setState({ open: [] })
  await visit('/window/cloudoc-technical-support')
  await until(() => element('[role=dialog]').textContent.includes('技术支持'))
})

test('support_contact is whom the window of technical support names', async () => {
  const named = async (support_contact: string): Promise<string> => {
    sessionStore.setState(({ session }) => ({
      session: session && { ...session, serverSetting: { ...session.serverSetting, support_contact } },
    }))
    await visit('/window/cloudoc-technical-support')
    await until(() => screenText().includes('复制'))
    const text = screenText()
    await cleanUp()
    windowStore.setState({ open: [] })
    return text
  }
  expect(await named('')).not.toContain('信息中心')
  expect(await named('信息中心 8899')).toContain('信息中心 8899')
})
