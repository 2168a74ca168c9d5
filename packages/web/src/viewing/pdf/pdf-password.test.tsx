// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { button, cleanUp, click, element, render, type } from '../../../test/render.tsx'
import '../shared/texts.ts'
import { PdfPassword } from './pdf-password.tsx'

afterEach(cleanUp)

// [R163] A PDF with a password says so in the previewer and asks for it; a wrong one is said and asked for again. The
// password stays in the page.
test('[R163] a PDF with a password asks for it', async () => {
  const given: string[] = []
  const form = (isWrong: boolean) => <PdfPassword isWrong={isWrong} onPassword={(password) => given.push(password)} />
  await render(form(false))
  expect(element('h2').textContent).toBe('这个文件有打开密码')
  expect(button('打开').disabled).toBe(true)
  await type('打开密码', 'abcd')
  await click(button('打开'))
  expect(given).toEqual(['abcd'])
  await render(form(true))
  expect(element('[role=alert]').textContent).toBe('密码不对，请再输入一次')
})
