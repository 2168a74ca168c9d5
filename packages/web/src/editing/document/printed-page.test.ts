// @vitest-environment happy-dom
// What of a document comes on paper, and where.
import { expect, it } from 'vitest'
import { printedPage } from './printed-page.ts'

const aside = (kind: string, words: string, data: string): string =>
  `<section class="dc-aside is-${kind}" ${data}><small>name</small><div><p>${words}</p></div></section>`

function printed(asides: string): HTMLElement {
  const edited = document.createElement('div')
  edited.innerHTML = `<p>正文<span class="is-note">1</span></p>${asides}`
  return printedPage(document, edited)
}
const words = (of: Element | null): string => [...(of?.querySelectorAll('p') ?? [])].map((p) => p.textContent).join('|')

// [R171] A printed document has its header and footer on every page, and its notes with their numbers.
it('[R171] header and footer stand on every printed page, notes with their numbers behind the text', () => {
  const page = printed(
    aside('header', '首页', 'data-which="first"') +
      aside('header', '眉', 'data-which="default"') +
      aside('footer', '脚', 'data-which="default"') +
      aside('footnote', '注一', 'data-which="" data-n="1"'),
  )
  expect([words(page.querySelector('thead')), words(page.querySelector('tfoot'))]).toEqual(['眉', '脚'])
  expect(words(page.querySelector('tbody'))).toBe('正文1|注一')
  expect(page.querySelector('.pg-notes sup')?.textContent).toBe('1')
})

it('[R171] a header of the first page alone stands on the first, and nothing is put where there is nothing', () => {
  const page = printed(aside('header', '首页', 'data-which="first"'))
  expect(page.querySelector('thead, tfoot, .pg-notes')).toBe(null)
  expect(words(page.querySelector('tbody'))).toBe('首页|正文1')
})
