// @vitest-environment happy-dom
// When the menu of mentions opens, and what pasting means.
import { describe, expect, it } from 'vitest'
import { mentionBefore, pastedFrom } from './typing.ts'

describe('the menu of mentions', () => {
  it.each([
    ['@', ''],
    ['@林', '林'],
    ['@linx', 'linx'],
    ['@lx', 'lx'],
    ['好的@林夏', '林夏'],
    ['好的＠林', '林'],
    ['，@林', '林'],
    ['(@a', 'a'],
    ['第一行\n@林', '林'],
    ['@甲 @乙', '乙'],
    ['😀@林', '林'],
    ['é@林', '林'],
  ])('opens after %j', (text, word) => {
    const found = mentionBefore(text)
    expect(found?.word).toBe(word)
    expect(text.slice(found?.from)).toMatch(new RegExp(`^[@＠]${word}$`))
  })

  it.each(['anna@', 'anna@example', 'a.b_c-d@x', '9@x', '@林 夏', '没有', '@a ', `@${'长'.repeat(21)}`])(
    'stays shut after %j',
    (text) => expect(mentionBefore(text)).toBeUndefined(),
  )
})

const picture = new File(['png'], 'image.png', { type: 'image/png' })
const clipboard = (files: readonly File[], text = '') =>
  ({ files, getData: (type: string) => (type === 'text/plain' ? text : '') }) as unknown as DataTransfer

describe('pasting', () => {
  // The types that the clipboard of each program has beside the picture are texts; only the plain one counts.
  it.each([
    ['cells of Excel', 'a\tb\r\n1\t2'],
    ['a paragraph of Word', '第一段\r\n第二段'],
    ['a note of OneNote', '待办'],
    ['cells of WPS', '甲\t乙'],
  ])('%s is text, with its picture offered', (_, text) => {
    expect(pastedFrom(clipboard([picture], text))).toEqual({ files: [], picture })
  })

  it('a screenshot is a picture', () => expect(pastedFrom(clipboard([picture]))).toEqual({ files: [picture] }))

  it.each(['合同.docx', '/Users/lin/合同.docx', 'C:\\文档\\合同.docx', ''])(
    'a file copied in the file manager is sent, with %j as text beside it',
    (text) => {
      const file = new File(['x'], '合同.docx')
      expect(pastedFrom(clipboard([file], text))).toEqual({ files: [file] })
    },
  )

  it('words alone are text', () => expect(pastedFrom(clipboard([], '你好'))).toEqual({ files: [], picture: undefined }))
})
