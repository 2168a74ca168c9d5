// @vitest-environment happy-dom
// An archive is gone through by keys, as a list of files is, and its names are read as one chooses.
import type { ListedEntry } from '@cloudoc/contract'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { cleanUp, element, press, render, screenText, until } from '../../../test/render.tsx'
import { loadSignedIn } from '../../app/join-areas.ts'
import { addTexts } from '../../core/i18n/i18n.ts'
import { previewEn } from '../shared/texts.en.ts'
import { previewZh } from '../shared/texts.zh.ts'
import { decodeEntries } from './archive-names.ts'
import { ListingViewer } from './listing-viewer.tsx'

addTexts(previewZh, previewEn)
beforeAll(loadSignedIn)
afterEach(cleanUp)

const entry = (path: string, more: Partial<ListedEntry> = {}): ListedEntry => ({
  path,
  size: 10,
  packed: 5,
  modified: 0,
  encrypted: false,
  ...more,
})
const entries = [
  entry('合同/甲方.txt', { crc: 0xab12 }),
  entry('合同/补充/附件.txt'),
  entry('readme.md'),
  entry('report.txt'),
]
const opened = vi.fn<(path: string) => void>()
const show = () =>
  render(
    <ListingViewer
      listing={{ kind: 'listing', entries, cut: false }}
      name="资料.zip"
      access={{
        download: () => undefined,
        save: () => undefined,
        saveAll: () => undefined,
        open: ({ path }) => {
          opened(path)
          return Promise.resolve('blob:x')
        },
      }}
      Entry={() => <p>shown</p>}
      onFail={() => undefined}
      onRefused={() => undefined}
    />,
  )
/** The name in the selected row, after its icon, which may contain letters. */
const here = (): string =>
  document.querySelector('tr[aria-selected="true"] .rd-entry')?.textContent?.trim().split(' ').at(-1) ?? ''

beforeEach(() => opened.mockClear())

// [R163] An archive is navigated by keys; a file's checksum and sizes are shown (for rar, 7z, iso and cab the library
// gives neither checksums, packed sizes nor times, and names that are not UTF-8 are read as GB18030 without a choice:
// its build has no such functions).
test('[R163] arrows, letters, Enter and Backspace go through an archive', async () => {
  await show()
  await until(() => document.activeElement === element('table'))
  await press('ArrowDown')
  expect(here()).toBe('合同')
  await press('End')
  expect(here()).toBe('report.txt')
  await press('r')
  expect(here()).toBe('readme.md')
  await press('e')
  await press('p')
  expect(here()).toBe('report.txt')
  await press('Home')
  await press('Enter')
  await press('ArrowDown')
  await press('ArrowDown')
  expect(here()).toBe('甲方.txt')
  expect(element('.rd-side').textContent).toContain('0000AB12')
  await press('Enter')
  await until(() => screenText().includes('shown'))
  expect(opened).toHaveBeenCalledWith('合同/甲方.txt')
  await press('Backspace')
  await until(() => !screenText().includes('shown'))
  expect(here()).toBe('甲方.txt')
  await press('Backspace')
  // The folder that was left is selected.
  expect(here()).toBe('合同')
})

test('[R163] names that are read another way have that in what is asked of the server', () => {
  const raw = entry('¦X¬ù', { rawName: btoa('\u00a6\u0058\u00ac\u00f9') })
  expect(decodeEntries([raw], 'big5')).toMatchObject([{ path: '合約', names: 'big5' }])
  expect(decodeEntries([raw], undefined)).toEqual([raw])
})
