// Markdown syntax highlighting.
import { StreamLanguage } from '@codemirror/language'
import { classHighlighter, highlightTree } from '@lezer/highlight'
import { expect, it } from 'vitest'
import { markdown } from './markdown-mode.ts'

function coloured(text: string): string[] {
  const found: string[] = []
  const tree = StreamLanguage.define(markdown).parser.parse(text)
  highlightTree(tree, classHighlighter, (from, to, names) => found.push(`${names.slice(4)}:${text.slice(from, to)}`))
  return found
}

// [R171] Markdown is highlighted while typing; source code by its language.
it('[R171] Markdown is coloured: headings, what is emphasised, links, lists and blocks of code', () => {
  expect(coloured('## 目标\n- [x] **签约** 与 *回款*，a_b_c\n> 见 [合同](https://a.example/b)')).toEqual([
    'heading:## 目标',
    'meta:- [x] ',
    'strong:**签约**',
    'emphasis:*回款*',
    'meta:> ',
    'link:[合同](https://a.example/b)',
  ])
  // Code contains no other markup, and a block ends at its fence.
  expect(coloured('`**a**` \\*b*\n```js\n# 1\n```\n# 2')).toEqual([
    'string:`**a**`',
    'string:```js',
    'string:# 1',
    'string:```',
    'heading:# 2',
  ])
})
