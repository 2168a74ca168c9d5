// @vitest-environment happy-dom
// Forced unlock at the screen: who is offered it, what it asks, and what the one is told whose lock it was.
import type { ItemRecord } from '@cloudoc/contract'
import { codes, ItemStatusBit, Right } from '@cloudoc/domain'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/fake-api.ts'
import { act, button, cleanUp, click, render, screenText, until } from '../../../test/render.tsx'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { actionsIn } from '../../core/area/area.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { openWindow, windowStore } from '../../core/windows/index.ts'
import type { ItemAction } from '../../items/actions/item-action.tsx'
import { sampleItem } from '../../items/item/sample-item.ts'
import { claimFile, isEditedInBrowser, registerEditor } from '../shared/open-editors.ts'
import { onForceUnlocked } from './force-unlocked.ts'

beforeAll(loadSignedIn)
beforeEach(() => {
  void setLocale('zh')
  signInAs(7)
})
afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

const edited = (fields: Partial<ItemRecord> = {}): ItemRecord =>
  sampleItem({
    ...{ fId: 5, fName: '报价.csv', editorId: 8, editorName: '陈晓', rights: Right.full },
    itemStatus: ItemStatusBit.editAlone | ItemStatusBit.documentManager,
    ...fields,
  })
const action = () => actionsIn<ItemAction>('files').find(({ id }) => id === 'forceUnlock')
const told = {
  serverId: 0,
  fileId: 5,
  fileName: '报价.csv',
  userId: 8,
  userName: '陆远',
  lockType: 1,
  handleTime: 1,
} as const

it('[R149] is offered for what is edited, alone or together, and for nothing else', () => {
  const show = action()?.show
  expect([edited(), edited({ itemStatus: ItemStatusBit.editMulti })].map((item) => show?.(item))).toEqual([true, true])
  expect([sampleItem({ fId: 5 }), edited({ linkId: 4 })].map((item) => show?.(item))).toEqual([false, false])
  expect(action()?.gate).toBe('forceUnlock')
})

// [R080] A forced unlock is confirmed in its own window, and reported to the editor in another that offers to save a
// copy of the typed content.
it('[R080] [R181] says whose editing it ends before it does', async () => {
  const answer = { id: 'f5', fType: 1 as const, name: '报价.csv', result: codes.success.code, msg: '' }
  const server = fakeApi({ forceUnlockFiles: [answer] })
  await render(<p>page</p>)
  let done: boolean | undefined
  await act(async () => {
    void openWindow('cloudoc-force-unlock', { items: [edited()] }).then((answer) => {
      done = answer
    })
  })
  await until(() => screenText().includes('结束'))
  expect(screenText()).toContain('陈晓')
  await click(button('强制解锁'))
  await until(() => done !== undefined)
  expect(done).toBe(true)
  expect(server.inputsOf('forceUnlockFiles')).toEqual([{ fileIdArray: [5], all: true }])
})

// [R339] A forced unlock opens a window at the editor, which submits nothing more and retains the typed content.
it('[R339] the editor is told that its lock is gone, and the window offers a copy of what stands in it', async () => {
  const saved: string[] = []
  const end = registerEditor(5, {
    lockLost: (why) => saved.push(why),
    saveCopy: () => saved.push('copy'),
    asked: () => undefined,
  })
  const done = onForceUnlocked(told)
  await until(() => windowStore.getState().open.length > 0)
  const [window] = windowStore.getState().open
  expect([window?.name, window?.props]).toEqual(['cloudoc-force-unlock-notice', { told, copies: true }])
  window?.resolve('saveAs')
  await done
  expect(saved).toEqual(['陆远 解除了锁定', 'copy'])
  end()
})

it('[R175] a file has one editor in a browser; another one of it is read until that is left', async () => {
  const leave = await claimFile(9, 5)
  expect([leave === undefined, await claimFile(9, 5), await isEditedInBrowser(9, 5)]).toEqual([false, undefined, true])
  expect(await isEditedInBrowser(9, 6)).toBe(false)
  leave?.()
  const again = await claimFile(9, 5)
  expect(again).toBeTypeOf('function')
  again?.()
})
