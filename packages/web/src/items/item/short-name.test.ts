// Names within sentences.
import { expect, it } from 'vitest'
import { nameInSentence } from './short-name.ts'

// [R130] A name within the sentence of a window is shortened in the middle.
it('[R130] a name in a sentence keeps its beginning and its end, and is never so long that the sentence is lost', () => {
  expect(nameInSentence('华东区渠道合作协议.docx')).toBe('华东区渠道合作协议.docx')
  const long = nameInSentence(`${'关于渠道合作协议补充条款的说明'.repeat(16)}终稿.docx`)
  expect(Array.from(long)).toHaveLength(40)
  expect(long).toMatch(/^关于渠道合作协议补充条款的说明.*….*终稿\.docx$/)
  expect(nameInSentence('W'.repeat(240))).toHaveLength(40)
})
