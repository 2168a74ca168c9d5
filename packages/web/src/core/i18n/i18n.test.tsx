// @vitest-environment happy-dom
import { setImmediate } from 'node:timers/promises'
import { runInThisContext } from 'node:vm'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import page from '../../../index.html?raw'
import { act, cleanUp, render, screenText } from '../../../test/render.tsx'
import { addTexts, currentLocale, followLocale, setLocale, t, textsLoaded, useT } from './i18n.ts'

afterEach(async () => {
  await cleanUp()
  await setLocale('zh')
  localStorage.clear()
})

/** The script of the page that runs before the first paint. */
const [, earlyScript = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? []

describe('the chosen language', () => {
  function Sample(): ReactNode {
    return useT()('login.submit')
  }

  it('switches what is on the screen at once, the language of the document, and persists [R002]', async () => {
    await render(<Sample />)
    expect(screenText()).toBe('登录')
    await act(async () => setLocale('en'))
    expect(screenText()).toBe('Sign in')
    expect(document.documentElement.lang).toBe('en')
    expect(localStorage.getItem('locale')).toBe('en')
  })

  it('falls back to English and then to Chinese, and never shows a key for a text that exists [R002]', async () => {
    addTexts<string>({ 'test.both': '中', 'test.zhOnly': '只有中文' }, { 'test.both': 'en' })
    const anyText = t as unknown as (key: string) => string
    await setLocale('en')
    expect(anyText('test.zhOnly')).toBe('只有中文')
    addTexts<string>({}, { 'test.enOnly': 'English only' })
    await setLocale('zh')
    expect(anyText('test.enOnly')).toBe('English only')
  })

  it('follows the choice made in another tab', () => {
    const stop = followLocale()
    window.dispatchEvent(new StorageEvent('storage', { key: 'locale', newValue: 'en' }))
    expect(currentLocale()).toBe('en')
    stop()
  })

  it('shows once its texts are there, unless another was chosen meanwhile', async () => {
    const english = Promise.withResolvers<Record<string, string>>()
    addTexts<string>({ 'test.later': '后到' }, () => english.promise)
    const chosen = setLocale('en')
    expect(currentLocale()).toBe('zh')
    await setLocale('zh')
    english.resolve({ 'test.later': 'late' })
    await chosen
    expect(currentLocale()).toBe('zh')
    await setLocale('en')
    expect((t as unknown as (key: string) => string)('test.later')).toBe('late')
  })

  it('waits for the texts of an area that is added while English is loading [R002]', async () => {
    const [first, second] = [
      Promise.withResolvers<Record<string, string>>(),
      Promise.withResolvers<Record<string, string>>(),
    ]
    const anyText = t as unknown as (key: string) => string
    addTexts<string>({ 'test.first': '先' }, () => first.promise)
    const chosen = setLocale('en')
    addTexts<string>({ 'test.second': '后' }, () => second.promise)
    const area = textsLoaded()
    first.resolve({ 'test.first': 'first' })
    // The rest of the page stays Chinese until the last table is there, whatever follows on the first.
    await setImmediate()
    expect(currentLocale()).toBe('zh')
    second.resolve({ 'test.second': 'second' })
    await Promise.all([chosen, area])
    expect([currentLocale(), anyText('test.first'), anyText('test.second')]).toEqual(['en', 'first', 'second'])
  })

  // [R002] The language is Chinese before anybody has chosen, whatever the browser's language is.
  it('is Chinese before anybody has chosen, in every browser [R002]', async () => {
    const firstIn = async (language: string): Promise<string> => {
      vi.resetModules()
      Object.defineProperty(navigator, 'language', { value: language, configurable: true })
      // As index.html leaves the page before its first paint.
      document.documentElement.lang = 'zh-CN'
      document.title = '云文档'
      runInThisContext(earlyScript)
      return `${(await import('./i18n.ts')).currentLocale()} ${document.documentElement.lang} ${document.title}`
    }
    try {
      for (const language of ['zh-TW', 'zh', 'en-GB', 'fr'])
        expect(await firstIn(language), language).toBe('zh zh-CN 云文档')
      localStorage.setItem('locale', 'en')
      expect(await firstIn('zh-CN')).toBe('en en Cloudoc')
    } finally {
      Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
    }
  })

  it('tells one thing otherwise than many where the language does', async () => {
    addTexts<string>({ 'test.many': '{n} 项' }, { 'test.many': '{n} items', 'test.many_one': '{n} item' })
    const anyText = t as unknown as (key: string, values: object) => string
    await setLocale('en')
    expect([1, 1200].map((n) => anyText('test.many', { n }))).toEqual(['1 item', '1,200 items'])
    await setLocale('zh')
    expect(anyText('test.many', { n: 1 })).toBe('1 项')
  })

  it('puts values into a text as they are', () => {
    expect(t('login.title', { company: '<b>&{x}</b>' })).toBe('登录<b>&{x}</b>')
  })
})
