// @vitest-environment happy-dom
import { afterEach, describe, expect, test } from 'vitest'
import { sampleItem } from '../item/sample-item.ts'
import { clearClipboard, clip, shareClipboard, useClipboard } from './clipboard.ts'

const key = 'drive.clipboard'
const file = sampleItem({ fId: 7, fName: '合同.docx' })
let stop = (): void => {}
const signIn = (userId: number): void => {
  stop()
  stop = shareClipboard(userId)
}
const names = (): string[] => useClipboard.getState().items.map((item) => item.fName)
/** Simulates a change made by another tab: the browser reports it as a storage event. */
const fromOtherTab = (value: string | null): void => {
  if (value === null) localStorage.removeItem(key)
  else localStorage.setItem(key, value)
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: value }))
}

afterEach(() => {
  stop()
  localStorage.clear()
})

describe('[R127] the clipboard', () => {
  test('lies in the browser as entries of format 1, with which another tab pastes', () => {
    signIn(3)
    clip('cut', [file])
    const written = localStorage.getItem(key) ?? ''
    expect(JSON.parse(written)).toMatchObject({
      mode: 'cut',
      entries: [{ format: 1, serverId: 0, fId: 7, fType: 1, fName: '合同.docx' }],
    })
    signIn(3)
    expect([useClipboard.getState().mode, names()]).toEqual(['cut', ['合同.docx']])
    fromOtherTab(written.replaceAll('合同', '发票'))
    expect(names()).toEqual(['发票.docx'])
    fromOtherTab(null)
    expect(names()).toEqual([])
  })

  test('is empty everywhere once it was pasted or cleared', () => {
    signIn(3)
    clip('cut', [file])
    clearClipboard()
    const written = localStorage.getItem(key)
    expect(names()).toEqual([])
    clip('copy', [file])
    fromOtherTab(written)
    expect(names()).toEqual([])
  })

  test('is one person’s: who signs in after them finds nothing, and tells nothing of theirs', () => {
    signIn(3)
    clip('copy', [file])
    const written = localStorage.getItem(key)
    signIn(4)
    expect(names()).toEqual([])
    fromOtherTab(written)
    expect(names()).toEqual([])
  })

  test.each(['', 'x', '3', 'null', '{"userId":3}', '{"userId":3,"mode":"cut","entries":[{"format":2,"fName":"x"}]}'])(
    'takes %j for nothing',
    (text) => {
      signIn(3)
      clip('copy', [file])
      fromOtherTab(text)
      expect(names()).toEqual([])
    },
  )
})
