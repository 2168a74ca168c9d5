// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { en, zh } from '../../../test/all-texts.ts'
import { act, button, cleanUp, click, element, render, screenText, until } from '../../../test/render.tsx'
import { addTexts } from '../../core/i18n/i18n.ts'
import type { Clash, Decision } from '../../transfer/engine/upload-plan.ts'
import { UploadConflict } from './upload-conflict.tsx'

const clash = (name: string, modified: number, existing: Partial<Clash['existing']> = {}): Clash => ({
  name,
  folder: '',
  size: 10,
  modified,
  existing: {
    fType: 1,
    fileSize: 10,
    modifyTime: 50,
    version: 7,
    lastOperatorName: '王敏',
    editorName: '',
    sha256: 'x',
    ...existing,
  },
})
const close = vi.fn<(decision?: Decision) => void>()

let sameNames: readonly string[] = []
vi.mock('../../transfer/tasks/same-content.ts', () => ({
  isSameContent: ({ name }: Clash) => Promise.resolve(sameNames.includes(name)),
}))

async function ask(clashes: Clash[], same: readonly string[] = []): Promise<void> {
  sameNames = same
  await render(<UploadConflict target="合同" clashes={clashes} close={close} setDirty={() => undefined} />)
  await until(() => !screenText().includes('正在比较内容'))
}

const listed = (): string[] => [...document.querySelectorAll('aside li')].map((one) => one.textContent)
const radio = (words: string): HTMLInputElement => {
  const label = [...document.querySelectorAll('label')].find((one) => one.textContent.startsWith(words))
  const input = label?.querySelector('input')
  if (!input) throw new Error(`nothing can be chosen as ${words}`)
  return input
}

addTexts(zh, en)
afterEach(async () => {
  await cleanUp()
  close.mockClear()
})

// [R196] Name conflicts are listed newest first with version and the newer side; identical content is recognised by its
// hash and skipped unless chosen otherwise; a file being edited is uploaded beside it.
describe('names that are taken [R196]', () => {
  it('stand newest first, with version, people and the newer side, and one answer serves the rest', async () => {
    await ask([clash('旧.txt', 10), clash('新.txt', 100), clash('中.txt', 60)])
    expect(listed()).toEqual(['新.txt', '中.txt', '旧.txt'])
    expect(screenText()).toContain('已有文件 · 第 7 版')
    expect(screenText()).toContain('成为第 8 版，第 7 版会保留')
    expect(screenText()).toContain('王敏')
    const [ours, theirs] = [...document.querySelectorAll('.dr-conflict-side')].map((one) => one.textContent)
    expect([ours?.includes('较新'), theirs?.includes('较新')]).toEqual([true, false])
    await click(radio('保留两者'))
    await click(button('继续'))
    expect(close.mock.calls).toEqual([[{ ways: ['keepBoth', 'keepBoth', 'keepBoth'], sameWay: 'keepBoth' }]])
  })

  it('with the same content stand apart and are skipped, unless somebody says otherwise', async () => {
    await ask([clash('a.txt', 30), clash('b.txt', 20), clash('c.txt', 10)], ['a.txt', 'c.txt'])
    expect(listed()).toEqual(['b.txt', '内容相同，将跳过 2', 'a.txt', 'c.txt'])
    expect(element('h3').textContent).toBe('b.txt')
    await click(button('c.txt'))
    expect([radio('跳过').checked, screenText().includes('内容与已有文件相同')]).toEqual([true, true])
    await click(radio('保留两者'))
    await click(button('b.txt'))
    expect(radio('覆盖为新版本').checked).toBe(true)
    await click(button('继续'))
    expect(close.mock.calls).toEqual([[{ ways: ['skip', 'version', 'keepBoth'], sameWay: 'version' }]])
  })

  it('are gone through one by one where that is wanted, those with the same content not', async () => {
    await ask([clash('a.txt', 40), clash('b.txt', 30), clash('c.txt', 20)], ['b.txt'])
    await click(radio('对其余 1 项都这样做'))
    await click(radio('跳过'))
    await click(button('继续'))
    expect([close.mock.calls, element('h3').textContent]).toEqual([[], 'c.txt'])
    await click(radio('覆盖为新版本'))
    await click(button('继续'))
    expect(close.mock.calls).toEqual([[{ ways: ['skip', 'skip', 'version'], sameWay: undefined }]])
  })

  it('that a folder holds, or somebody edits, take no new version', async () => {
    await ask([clash('a.txt', 40), clash('b.txt', 30, { editorName: '陈晓' }), clash('c.txt', 20, { fType: 2 })])
    expect(screenText()).toContain('2 项正在被编辑或与文件夹同名，将改为保留两者')
    await act(async () => button('b.txt').click())
    expect(radio('覆盖为新版本').disabled).toBe(true)
    expect(screenText()).toContain('陈晓 正在编辑已有文件，不能覆盖')
    await click(button('继续'))
    expect(close.mock.calls[0]?.[0]?.ways).toEqual(['version', 'keepBoth', 'keepBoth'])
  })
})
