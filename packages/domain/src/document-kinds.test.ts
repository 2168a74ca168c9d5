import { expect, test } from 'vitest'
import { defaultFormats, documentKind, viewerOf } from './document-kinds.ts'

test('[R164] [R165] the lists say what shows a file: what is to be downloaded before all, an office server before this one', () => {
  expect(documentKind('DOCX')).toBe('docx')
  expect(viewerOf('DOCX', defaultFormats, false)).toBe('server')
  expect(viewerOf('docx', defaultFormats, true)).toBe('office')
  expect(viewerOf('png', defaultFormats, true)).toBe('server')
  expect(viewerOf('mp4', { ...defaultFormats, video: [] }, true)).toBeUndefined()
  expect(viewerOf('docx', { ...defaultFormats, download: ['docx'] }, true)).toBeUndefined()
  expect(viewerOf('dwg', defaultFormats, true)).toBeUndefined()
})
