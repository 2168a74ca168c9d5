// @vitest-environment happy-dom
// Addresses that are given to others.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { signInAs } from '../../../test/session.ts'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { toastStore } from '../../core/toast/toast.ts'
import type { ItemAction } from '../actions/item-action.tsx'
import { copyLink } from '../actions/menu.tsx'
import { itemRecord } from './item-record.ts'
import { isLoopback, publicAddress } from './public-address.ts'

const copied = vi.fn<(text: string) => Promise<void>>(async () => undefined)
beforeAll(loadSignedIn)
beforeEach(async () => {
  await setLocale('zh')
  signInAs(7)
  copied.mockClear()
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('navigator', { clipboard: { writeText: copied } })
  toastStore.setState({ toasts: [] })
})
afterEach(() => vi.unstubAllGlobals())

function setPublicAddress(web_context: string): void {
  const { session } = sessionStore.getState()
  if (session === undefined) throw new Error('nobody is signed in')
  sessionStore.setState({ session: { ...session, setting: { ...session.setting, web_context } } })
}

const run = (action: ItemAction, items: readonly ReturnType<typeof itemRecord>[]) =>
  action.run({
    items,
    withAll: (act: (all: typeof items) => unknown) => void act(items),
    folder: undefined,
    by: 'menu',
    page: undefined,
  } as never)

it('a copied link has the public address of the installation, a line for each item', async () => {
  setPublicAddress('https://drive.example.com')
  run(copyLink, [itemRecord({ fId: 5, fType: 2, fName: '合同' }), itemRecord({ fId: 9, fType: 1, fName: 'a.txt' })])
  await vi.waitFor(() => expect(copied).toHaveBeenCalled(), 60_000)
  const lines = copied.mock.calls[0]?.[0].split('\n') ?? []
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).toMatch(/^https:\/\/drive\.example\.com\/doc\/folder\/files\?itemIdStr=/)
  await vi.waitFor(() => expect(toastStore.getState().toasts.map(({ kind }) => kind)).toEqual(['success']), 60_000)
})

it('an address that only this machine can open is copied with a warning', async () => {
  setPublicAddress('http://127.0.0.1:8080')
  run(copyLink, [itemRecord({ fId: 9, fType: 1, fName: 'a.txt' })])
  await vi.waitFor(() => expect(toastStore.getState().toasts).toHaveLength(2), 60_000)
  expect(toastStore.getState().toasts.at(-1)?.text).toContain('只有本机能打开')
})

it('knows the addresses of the own machine', () => {
  for (const url of ['http://localhost/', 'http://127.0.0.1:8080/a', 'http://[::1]:80/'])
    expect(isLoopback(url)).toBe(true)
  for (const url of ['http://10.0.0.7/', 'https://localhost.example.com/']) expect(isLoopback(url)).toBe(false)
  setPublicAddress('')
  expect(publicAddress('/s/abc')).toBe(new URL('/s/abc', location.origin).href)
})
