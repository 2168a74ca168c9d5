// @vitest-environment happy-dom
// The list of the editor: whatever can be put onto the canvas can be put in here, by the keyboard.
import type { TemplateBody } from '@cloudoc/contract'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { button, cleanUp, click, render, screenText } from '../../../test/render.tsx'
import { loadSignedIn } from '../../app/join-areas.ts'
import { setLocale } from '../../core/i18n/i18n.ts'
import { Outline } from './outline.tsx'
import { insertInto, newBody } from './template-draft.ts'
import './texts.ts'

beforeAll(loadSignedIn)
beforeEach(() => void setLocale('zh'))
afterEach(cleanUp)

function Drawn({ start }: { readonly start: TemplateBody }) {
  const [body, setBody] = useState(start)
  return (
    <Outline
      {...{ body, names: {}, selected: undefined, problems: new Map(), onSelect: () => undefined, onChange: setBody }}
      onInsert={(edge) => setBody(insertInto(body, edge, 'cc', () => '抄送').body)}
    />
  )
}

test('each exit of a condition is filled from the list, the default branch too', async () => {
  const plain = newBody({ start: '发起', task: '审核', end: '结束' })
  const { body } = insertInto(plain, 'e2', 'condition', (type) => ({ condition: '金额', task: '财务' })[type as 'task'])
  await render(<Drawn start={body} />)
  expect(screenText()).not.toContain('抄送')
  await click(button('在“金额”的分支“其他情况 → 结束”上插入'))
  expect(screenText()).toContain('抄送')
  // It is in that branch: the exit leads to it, and from it on to where the exit led.
  button('在“金额”的分支“其他情况 → 抄送”上插入')
  await click(button('在“抄送”之后插入'))
  await click(button('在“财务”之后插入'))
})
