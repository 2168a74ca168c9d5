// OpenDocument: text documents, workbooks and slides.
import type { Flow, Sheets, Slides } from '@cloudoc/contract'
import { Refused } from '../refusal.ts'
import { reportHiddenOfOdf } from './hidden-odf.ts'
import { sheetsOf } from './odf-sheets.ts'
import { slidesOf } from './odf-slides.ts'
import { OdfText } from './odf-text.ts'
import { openPackage } from './package.ts'
import type { Reader } from './reader.ts'
import { at, child } from './xml.ts'

export const readOdf: Reader = (reading): Flow | Sheets | Slides => {
  const office = openPackage(reading.bytes, reading.parts)
  if (office.zip.bytes('META-INF/manifest.xml')?.includes('encryption-data') === true)
    throw new Refused('sourceEncrypted')
  const content = office.xml('content.xml')
  if (reading.hidden !== undefined) reportHiddenOfOdf(office, content, reading.hidden)
  const body = at(content, 'office:body')
  const text = child(body, 'office:text')
  if (text !== undefined) return new OdfText(office, 'content.xml').document(text)
  const book = child(body, 'office:spreadsheet')
  if (book !== undefined) return sheetsOf(book, office, reading.parts, reading.mostCells)
  const deck = child(body, 'office:presentation')
  if (deck === undefined) throw new Refused('conversionFailed', 'no document in it')
  return slidesOf(deck, office)
}
