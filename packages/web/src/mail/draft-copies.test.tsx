// @vitest-environment happy-dom
// What is written in a mail outlives a closed window that could not save it.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi, refused, unreachable } from '../../test/fake-api.ts'
import { button, cleanUp, click, element, render, screenText, type, until } from '../../test/render.tsx'
import { signInAs } from '../../test/session.ts'
import { loadSignedIn } from '../app/join-areas.ts'
import { Compose } from './compose.tsx'
import { withTexts } from './page-texts.ts'

const draft = {
  ...{ outgoingId: 5, version: 3, state: 'draft' as const, boxId: 1, account: 'linxia@example.com', fromAddress: '' },
  ...{
    to: [{ name: '', address: 'ben@example.com' }],
    cc: [],
    bcc: [],
    subject: '合同',
    html: '<p>正文</p>',
    text: '正文',
  },
  ...{ replyOf: 0, isForward: false, attachments: [], sendTime: 0, modifyTime: 0, problem: '', refusedReceivers: [] },
}
const subject = (): string => (element('#em-subject') as HTMLInputElement).value
const open = (): Promise<void> => render(<Compose outgoingId={5} close={() => undefined} setDirty={() => undefined} />)

/** A server that has the draft, and saves nothing unless told otherwise. */
const serve = (more: Parameters<typeof fakeApi>[0] = {}) =>
  fakeApi({
    getMailboxes: { list: [], canBindOutlook: false },
    getOutgoingMail: draft,
    saveMailDraft: unreachable,
    getOutgoingMails: { list: [], drafts: 0, waiting: 0 },
    ...more,
  })

/** Writes a subject, and closes the window without the server having it. */
async function writeUnsaved(): Promise<void> {
  const server = serve()
  await open()
  await until(() => subject() === '合同')
  await type('主题', '合同第二版')
  await cleanUp()
  await until(() => server.inputsOf('saveMailDraft').length > 0)
}

beforeAll(loadSignedIn)
beforeEach(async () => {
  localStorage.clear()
  signInAs(7)
  await withTexts(() => Promise.resolve())
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

it('what did not reach the server is there again, is saved, and is then kept no more', async () => {
  await writeUnsaved()
  const server = serve({ saveMailDraft: { version: 4, modifyTime: 1 } })
  await open()
  await until(() => subject() === '合同第二版')
  await until(() => server.inputsOf('saveMailDraft').length === 1)
  expect(server.inputsOf('saveMailDraft')).toMatchObject([{ version: 3, subject: '合同第二版', html: '<p>正文</p>' }])
  await until(() => screenText().includes('草稿已保存'))
  expect(localStorage.length).toBe(0)
})

it('where the server has a later version, both are there and the person chooses', async () => {
  await writeUnsaved()
  const server = serve({
    getOutgoingMail: { ...draft, version: 8, subject: '别处写的' },
    saveMailDraft: { version: 9, modifyTime: 1 },
  })
  await open()
  await until(() => screenText().includes('这台电脑上还有这封邮件未保存的内容'))
  expect(subject()).toBe('别处写的')
  // Opened is not written: the copy remains until the person decides.
  await until(() => document.querySelector('.em-editor') !== null)
  expect(Object.values(localStorage).join('')).toContain('合同第二版')
  expect(screenText()).toContain('草稿已保存')
  await click(button('恢复'))
  expect(subject()).toBe('合同第二版')
  await until(() => server.inputsOf('saveMailDraft').length === 1)
  expect(server.inputsOf('saveMailDraft')).toMatchObject([{ version: 8, subject: '合同第二版' }])
})

it('who else signs in at this browser does not get it', async () => {
  await writeUnsaved()
  signInAs(8)
  serve()
  await open()
  await until(() => subject() === '合同')
  expect(screenText()).not.toContain('恢复')
})

it('what was changed in two places is kept, although the server refuses it', async () => {
  serve({ saveMailDraft: refused('fileConflict') })
  await open()
  await until(() => subject() === '合同')
  await type('主题', '这里写的')
  await until(() => screenText().includes('这份草稿已在别处修改'))
  await cleanUp()
  serve({ getOutgoingMail: { ...draft, version: 4, subject: '别处写的' } })
  await open()
  await until(() => screenText().includes('这台电脑上还有这封邮件未保存的内容'))
})

it('a mail that was sent leaves nothing behind', async () => {
  serve({
    saveMailDraft: { version: 4, modifyTime: 1 },
    sendMail: { undoUntil: 0 },
  })
  await open()
  await until(() => subject() === '合同')
  await type('主题', '合同第二版')
  expect(localStorage.length).toBe(1)
  await click(button('发送'))
  await until(() => screenText().includes('邮件将在 10 秒后发出'))
  expect(localStorage.length).toBe(0)
})
