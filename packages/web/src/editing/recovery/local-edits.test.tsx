// @vitest-environment happy-dom
// Files that are open in local programs, as the control program tells of them.
import { editControlAddress, type LocalEditView } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { LocalEdits } from './local-edits.tsx'

type Message = Readonly<Record<string, unknown>>
let sent: Message[]
let asked: string[]
let edits: readonly LocalEditView[]
class Socket {
  static readonly OPEN = 1
  readonly readyState = 1
  onopen: (() => void) | undefined
  onmessage: ((event: { data: string }) => void) | undefined
  onclose: (() => void) | undefined
  constructor(address: string) {
    asked.push(address)
    queueMicrotask(() => this.onopen?.())
  }
  send(text: string): void {
    const message = JSON.parse(text) as Message
    sent.push(message)
    const answer = message['command'] === 'handshake' ? { result: -1, edits } : { id: message['id'], result: -1 }
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(answer) }))
  }
  close(): void {}
}

const edit: LocalEditView = {
  ...{ id: '5-x', fileId: 5, fileName: '图纸.dwg', localPath: '/home/a/edit_files/0-7/5-x/图纸.dwg', version: 3 },
  ...{ state: 2, closed: false, conflict: 0, failure: 0, createTime: 1 },
}

beforeAll(loadSignedIn)
beforeEach(() => {
  void setLocale('zh')
  ;[sent, asked, edits] = [[], [], [edit]]
  vi.stubGlobal('WebSocket', Socket)
  fakeApi({})
  signInAs(7)
  sessionStore.setState(({ session }) => ({
    session: session && { ...session, setting: { ...session.setting, local_edit: true, server_code: 'cd' } },
  }))
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

// [R361] The page makes the handshake as a web client with company code and account, and sends commands of a file.
it('[R176] [R361] what a local program has not handed in is submitted, or given up after a question', async () => {
  await render(<LocalEdits />)
  await until(() => screenText().includes('图纸.dwg'))
  expect(asked).toEqual([editControlAddress])
  expect(sent[0]).toMatchObject({
    command: 'handshake',
    client_type: 'web',
    code: 'cd',
    token: expect.any(String) as string,
  })
  await click(button('提交'))
  expect(sent[1]).toMatchObject({ command: 'submitEdit', fileId: 5, code: 'cd' })
  await click(button('放弃改动'))
  await until(() => document.querySelector('[role=alertdialog],[role=dialog]') !== null)
  expect(sent).toHaveLength(2)
})

it('[R174] a newer version on the server asks: on top of it, as another file, or later', async () => {
  edits = [{ ...edit, conflict: 4 }]
  await render(<LocalEdits />)
  await until(() => screenText().includes('服务器上有更新的版本 4'))
  await click(button('处理冲突'))
  await until(() => screenText().includes('另存为新文件'))
  await click(button('另存为新文件'))
  await until(() => sent.length === 2)
  expect(sent[1]).toMatchObject({ command: 'resolveConflict', answer: 'saveAs', fileId: 5 })
})

it('[R361] what is handed in is given back by unlockFile', async () => {
  edits = [{ ...edit, state: 1 }]
  await render(<LocalEdits />)
  await until(() => screenText().includes('已提交'))
  await click(button('结束编辑'))
  await until(() => sent.length === 2)
  expect(sent[1]).toMatchObject({ command: 'unlockFile', fileId: 5 })
})
