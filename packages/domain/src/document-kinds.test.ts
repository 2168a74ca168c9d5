import { expect, test } from 'vitest'
import { documentKind, shownBy, usualFormats } from './document-kinds.ts'

test('[R164] [R165] the lists say what shows a file: what is to be downloaded before all, an office server before this one', () => {
  expect(documentKind('DOCX')).toBe('docx')
  expect(shownBy('DOCX', usualFormats, false)).toBe('server')
  expect(shownBy('docx', usualFormats, true)).toBe('office')
  expect(shownBy('png', usualFormats, true)).toBe('server')
  expect(shownBy('mp4', { ...usualFormats, video: [] }, true)).toBeUndefined()
  expect(shownBy('docx', { ...usualFormats, download: ['docx'] }, true)).toBeUndefined()
  expect(shownBy('dwg', usualFormats, true)).toBeUndefined()
})
