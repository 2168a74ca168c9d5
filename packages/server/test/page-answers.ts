// What LibreOffice makes of the documents of the page corpus: pages, words, and a coarse picture of the first page.
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { extractText, makeThumbnail } from '../src/documents/index.ts'

export interface PageAnswer {
  readonly name: string
  readonly pages: number
  /** The lines of all pages. */
  readonly lines: readonly string[]
  /** The greys of the first page in squares, a hexadecimal digit each, row by row. */
  readonly picture: string
}

const squares = 16

/** The answer in a PDF that LibreOffice has made. */
export async function answerIn(name: string, pdf: Buffer): Promise<PageAnswer> {
  const source = () => ({ content: Readable.from([pdf], { objectMode: false }), size: pdf.length, ext: 'pdf' })
  const sections = await extractText(source(), {})
  const lines = sections.flatMap(({ text }) => text.split('\n').map((line) => line.trim()))
  const small = await makeThumbnail(source(), {})
  const grey = await sharp(small)
    .flatten({ background: '#fff' })
    .resize(squares, squares, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer()
  const picture = [...grey].map((one) => (one >> 4).toString(16)).join('')
  return { name, pages: sections.length, lines: lines.filter((line) => line !== ''), picture }
}

/** A line of JSON for each document. */
export const answersText = (answers: readonly PageAnswer[]): string =>
  `${answers.map((answer) => JSON.stringify(answer)).join('\n')}\n`

export const readAnswers = (text: string): PageAnswer[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PageAnswer)

/** The mean difference of the squares of two pictures, 0 to 255. */
export function pictureDifference(one: string, other: string): number {
  const digits = [...one].map((digit, n) => Math.abs(Number.parseInt(digit, 16) - Number.parseInt(other[n] ?? '0', 16)))
  return (digits.reduce((sum, digit) => sum + digit, 0) / digits.length) * 17
}

/** A text without white space, bullets and leaders, in the usual forms of its characters. */
export const letters = (text: string): string =>
  text.normalize('NFKC').replaceAll(/[\s•\u{e000}-\u{f8ff}]|\.{4,}/gu, '')

/** The words of lines: what stands between white space, leaders and symbols of fonts. */
export const wordsIn = (lines: readonly string[]): string[] => [
  ...new Set(
    lines
      .flatMap((line) => line.normalize('NFKC').split(/\s+|\.{4,}|[\u{e000}-\u{f8ff}]+/u))
      .filter((word) => letters(word) !== ''),
  ),
]
