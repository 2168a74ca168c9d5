// @vitest-environment happy-dom
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { act, cleanUp, render, screenText } from '../../../test/render.tsx'
import { en as appEn } from '../../app/texts.en.ts'
import { zh as appZh } from '../../app/texts.zh.ts'
import { en as driveEn } from '../../drive/texts.en.ts'
import { zh as driveZh } from '../../drive/texts.zh.ts'
import { en as peopleEn } from '../../people/texts.en.ts'
import { zh as peopleZh } from '../../people/texts.zh.ts'
import { en as coreEn } from './core.en.ts'
import { zh as coreZh } from './core.zh.ts'
import { addTexts, currentLocale, followLocale, setLocale, t, useT } from './i18n.ts'

const zh: Readonly<Record<string, string>> = { ...coreZh, ...peopleZh, ...driveZh, ...appZh }
const en: Readonly<Record<string, string>> = { ...coreEn, ...peopleEn, ...driveEn, ...appEn }
const holes = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').sort()

afterEach(async () => {
  await cleanUp()
  setLocale('zh')
  localStorage.clear()
})

describe('the texts', () => {
  it('are the same in both languages, none of them empty [R002]', () => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(zh).sort())
    expect(Object.entries({ ...zh, ...en }).filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('name the same values in both languages', () => {
    for (const [key, text] of Object.entries(zh)) expect([key, holes(en[key] ?? '')]).toEqual([key, holes(text)])
  })

  it('belong to one area each', () => {
    const all = [coreZh, peopleZh, driveZh, appZh].flatMap((texts) => Object.keys(texts))
    expect(all.filter((key, i) => all.indexOf(key) !== i)).toEqual([])
  })

  it('have no Chinese in English but the name of the language [R002]', () => {
    expect(Object.entries(en).filter(([key, text]) => key !== 'locale.zh' && /\p{Script=Han}/u.test(text))).toEqual([])
  })
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
