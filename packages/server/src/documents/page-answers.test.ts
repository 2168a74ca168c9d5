// The documents of the page corpus, beside the answers of LibreOffice in test/page-answers.txt, which `npm run test:full`
// computes again.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Rendition } from '@cloudoc/contract'
import { documentKind } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { longTest } from '../../test/full.ts'
import {
  answerIn,
  answersText,
  letters,
  type PageAnswer,
  pictureDifference,
  readAnswers,
  wordsIn,
} from '../../test/page-answers.ts'
import { type PageSample, pageCorpus } from '../../test/page-corpus.ts'
import { findFonts } from '../core/confined/fonts.ts'
import { createOffice, findOffice } from '../core/confined/office.ts'
import { textParts, textSectionsOf } from './extracted-text.ts'
import { readers } from './readers/readers.ts'

const table = join(import.meta.dirname, '../../test/page-answers.txt')
const answers = new Map(readAnswers(readFileSync(table, 'utf8')).map((answer) => [answer.name, answer]))

/** The text that our reader has of a document. */
async function ourText({ ext, bytes }: PageSample): Promise<string> {
  const kind = documentKind(ext)
  if (kind === undefined) throw new Error(ext)
  const parts = textParts()
  const read = await readers[kind]()
  const rendition: Rendition = await read({
    bytes: Buffer.from(bytes()),
    ext,
    parts,
    mostCells: 500_000,
    progress: () => undefined,
  })
  return textSectionsOf(rendition, parts.values)
    .map(({ name, text }) => `${name}\n${text}`)
    .join('\n')
}

/** What the text of our readers does not have, by document. */
const known: Readonly<Record<string, readonly string[]>> = {
  // LibreOffice does not know levels that are written in Arabic numerals throughout (isLgl); Word writes 1.1.
  'levels-list': ['一.1', '一.2', '一.3', '二.1', '二.2', '二.3', '三.1', '三.2', '三.3'],
  // It shows the tracked changes; we show the document with them accepted.
  'tracked-changes': ['保留删去的文字插入的文字'],
  // A phonetic guide stands above its word and is not among the text.
  ruby: ['chóng'],
  // Our reader of doc has no headers, footers and numbers of lists, that of xls no charts.
  'report-doc': ['云上科技有限公司', '内部资料', '页', '共', '2.', '3.', '4.', '5.', '6.'],
  'charts-xls': ['收入对比'],
}

// [R163] What LibreOffice has on the pages of a document, our readers have in its text.
test.each(pageCorpus.map((sample) => [`${sample.name}.${sample.ext}`, sample] as const))(
  '[R163] our reader has the words that LibreOffice has of %s',
  async (_, sample) => {
    const { lines, pages } = answers.get(sample.name) ?? { lines: [], pages: 0 }
    expect(pages).toBeGreaterThan(0)
    const ours = letters(await ourText(sample))
    const missing = wordsIn(lines).filter((word) => !ours.includes(letters(word)))
    // The labels of the axes of charts are numbers that the text of a document leaves out.
    const told = /chart|deck/.test(sample.name) ? missing.filter((word) => !/^[\d.,%-]+$/.test(word)) : missing
    expect(told).toEqual(known[sample.name] ?? [])
  },
)

/** The largest difference of pictures between machines, whose fonts differ. */
const mostDifference = 24

const isEqual = (one: PageAnswer, other: PageAnswer | undefined): boolean =>
  other !== undefined &&
  one.pages === other.pages &&
  letters(one.lines.join('')) === letters(other.lines.join('')) &&
  pictureDifference(one.picture, other.picture) <= mostDifference

// [R163] The answers are what LibreOffice makes (test:full; `-u` writes them anew).
longTest('[R163] LibreOffice makes the pages that our readers are compared with', async () => {
  const soffice = findOffice(undefined)
  expect(soffice, 'npm run test:full installs it').toBeDefined()
  const office = createOffice(soffice ?? '', undefined, findFonts())
  const made: PageAnswer[] = []
  try {
    for (const { name, ext, bytes } of pageCorpus) {
      const content = Readable.from([Buffer.from(bytes())], { objectMode: false })
      made.push(await answerIn(name, await office.toPdf({ content, ext })))
    }
  } finally {
    await office.close()
  }
  const differing = made.filter((answer) => !isEqual(answer, answers.get(answer.name)))
  const now = made.map((answer) => (differing.includes(answer) ? answer : (answers.get(answer.name) ?? answer)))
  await expect(answersText(now)).toMatchFileSnapshot(table)
})
