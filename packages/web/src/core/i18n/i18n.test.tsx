// @vitest-environment happy-dom
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { act, cleanUp, render, screenText } from '../../../test/render.tsx'
import { addTexts, currentLocale, followLocale, setLocale, t, useT } from './i18n.ts'

afterEach(async () => {
  await cleanUp()
  setLocale('zh')
  localStorage.clear()
})

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

  it('falls back to English and then to Chinese, and never shows a key for a text that exists [R002]', () => {
    addTexts<string>({ 'test.both': '中', 'test.zhOnly': '只有中文' }, { 'test.both': 'en' })
    const anyText = t as unknown as (key: string) => string
    setLocale('en')
    expect(anyText('test.zhOnly')).toBe('只有中文')
    addTexts<string>({}, { 'test.enOnly': 'English only' })
    setLocale('zh')
    expect(anyText('test.enOnly')).toBe('English only')
  })

  it('follows the choice made in another tab', () => {
    const stop = followLocale()
    window.dispatchEvent(new StorageEvent('storage', { key: 'locale', newValue: 'en' }))
    expect(currentLocale()).toBe('en')
    stop()
  })

  it('puts values into a text as they are', () => {
    expect(t('login.title', { company: '<b>&{x}</b>' })).toBe('登录<b>&{x}</b>')
  })
})
