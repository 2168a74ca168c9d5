// @vitest-environment happy-dom
// Receivers that are pasted: each on a line of its own, and more than a mail takes.
import type { MailPerson } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { en, zh } from '../../test/all-texts.ts'
import { act, cleanUp, element, render, screenText } from '../../test/render.tsx'
import { addTexts, setLocale } from '../core/i18n/i18n.ts'
import { withTexts } from './page-texts.ts'
import { Receivers } from './receivers.tsx'

addTexts(zh, en)
await withTexts(() => Promise.resolve())
beforeEach(() => setLocale('zh'))
afterEach(cleanUp)

function Field(): ReactNode {
  const [people, setPeople] = useState<readonly MailPerson[]>([])
  return <Receivers label="收件人" people={people} onChange={setPeople} />
}

/** The receivers as their chips say them. */
const chips = (): string[] => [...document.querySelectorAll('.em-chip')].map(({ textContent }) => textContent)

async function paste(text: string): Promise<void> {
  await act(async () => {
    const event = new Event('paste', { bubbles: true, cancelable: true })
    Object.assign(event, { clipboardData: { getData: () => text } })
    element('.em-chips input').dispatchEvent(event)
  })
}

test('[R290] addresses on lines of their own are receivers of their own', async () => {
  await render(<Field />)
  await paste('a@example.com\n张三 <zhang@example.com>\r\n\nno address')
  expect(chips()).toEqual(['a@example.com', '张三zhang@example.com'])
  expect((element('.em-chips input') as HTMLInputElement).value).toBe('no address')
})

test('[R290] of 5,000 addresses those that fit are taken, and the others stay in the field with the reason', async () => {
  await render(<Field />)
  await paste(Array.from({ length: 5000 }, (_, n) => `p${n}@example.com`).join('\n'))
  expect(chips()).toHaveLength(500)
  expect(screenText()).toContain('每栏最多 500 个收件人，还有 4,500 个没有加入')
  const { value } = element('.em-chips input') as HTMLInputElement
  expect(value.split(', ')).toHaveLength(4500)
  expect(value).toContain('p4999@example.com')
})
