// The check of contents reads what documents contain and do not show, at its place; search reads nothing of it.
import { documentKind } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import {
  formDocument,
  hiddenDocuments,
  nested,
  shownDocuments,
  withFormula,
  withUnknownObject,
} from '../../test/hidden-documents.ts'
import { type TextSection, textParts, textSectionsOf } from './extracted-text.ts'
import { inspect } from './inspect.ts'
import { pdfTexts } from './readers/pdf.ts'
import { readers } from './readers/readers.ts'

const value = '11010519491231002X'
const columnName = (column: number): string => String.fromCharCode(65 + column)

/** The places of the value in a document. */
async function placesIn(bytes: Buffer, ext: string) {
  const { sections, left, isCut } = await inspect(bytes, ext)
  expect([left, isCut]).toEqual([[], false])
  return sections.flatMap(({ place = '', name, path, text, cells = [] }) => [
    ...(text.includes(value) ? [{ place, name, path, cell: '' }] : []),
    ...cells.flatMap(([row, column, own]) =>
      own.includes(value) ? [{ place, name, path, cell: `${columnName(column)}${row + 1}` }] : [],
    ),
  ])
}

/** The text that search has of a document. */
async function searched(bytes: Buffer, ext: string): Promise<string> {
  const kind = documentKind(ext)
  if (kind === undefined || kind === 'archive') return ''
  if (kind === 'pdf') return (await pdfTexts(bytes, () => {})).join('\n')
  const reader = await readers[kind]()
  const parts = textParts()
  const rendition = await reader({ bytes, ext, parts, mostCells: 1000, progress: () => {} })
  return textSectionsOf(rendition, parts.values)
    .map(({ text }: TextSection) => text)
    .join('\n')
}

test.each(Object.entries(hiddenDocuments))(
  'the check of contents finds %s once, at its place, and search does not',
  async (_, { ext, place, name = '', cell = '', path = '', make }) => {
    const bytes = await make(value)
    expect(await placesIn(bytes, ext)).toEqual([{ place, name, path, cell }])
    expect(await searched(bytes, ext)).not.toContain(value)
  },
)

test.each(Object.entries(shownDocuments))(
  '%s is found once by the check of contents as by search',
  async (_, { ext, make }) => {
    const bytes = await make(value)
    expect((await placesIn(bytes, ext)).map(({ place }) => place)).toEqual([''])
    expect(await searched(bytes, ext)).toContain(value)
  },
)

test('what is filled into a form of a PDF is found once', async () => {
  expect((await placesIn(await formDocument(value), 'pdf')).map(({ place }) => place)).toEqual([''])
})

test('an embedded object of an unknown kind, and what is embedded too deep, are said to be not inspected', async () => {
  const unknown = await inspect(withUnknownObject(), 'docx')
  expect(unknown.left).toEqual([{ path: 'oleObject1.bin', reason: 'conversionUnsupported' }])
  expect((await inspect(withFormula(), 'docx')).left).toEqual([])
  const deep = await inspect(nested(6, value), 'docx')
  expect(deep.left).toEqual([{ path: Array(6).fill('inner.docx').join('/'), reason: 'tooDeep' }])
  const [found] = (await inspect(nested(5, value), 'docx')).sections.filter(({ text }) => text.includes(value))
  expect(found).toMatchObject({ place: 'embedded', path: Array(5).fill('inner.docx').join('/') })
})
