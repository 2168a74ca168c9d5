// Documents are opened by the engines of the page, one word is typed, and they are saved. Other readers find the word,
// and all untouched content is byte for byte the same.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { demoFiles } from '@cloudoc/devkit/demo'
import { insertedPartPosition, linkAttrs, newTable, openDocument, pictureAttrs } from '@cloudoc/office/document'
import { openSlides } from '@cloudoc/office/presentation'
import { openWorkbook } from '@cloudoc/office/workbook'
import { strFromU8, unzipSync } from 'fflate'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { few, longTest } from '../../test/full.ts'
import { officeTemplates, openedByOffice } from '../../test/libreoffice.ts'
import { emptyDocument } from './empty-documents.ts'
import { extractText } from './index.ts'

const word = 'Zwischenruf'
/** Per format of the demo files. */
const most = 10

interface Sample {
  readonly name: string
  readonly ext: string
  readonly bytes: () => Uint8Array | Promise<Uint8Array>
}

function corpus(): Sample[] {
  const real = join(dirname(createRequire(import.meta.url).resolve('mammoth/package.json')), 'test/test-data')
  const written = readdirSync(real).filter((name) => name.endsWith('.docx'))
  const files = [...demoFiles(emptyDocument)]
  const made = ['docx', 'xlsx', 'pptx'].flatMap((ext) =>
    files
      .filter(({ name }) => name.endsWith(`.${ext}`))
      .slice(0, most)
      .map((file) => ({ name: file.name, ext, bytes: () => file.bytes() })),
  )
  return [
    ...written.map((name) => ({ name, ext: 'docx', bytes: () => new Uint8Array(readFileSync(join(real, name))) })),
    ...made,
  ]
}

/** The file with one word added. */
function typedInto(bytes: Uint8Array, ext: string): Uint8Array {
  if (ext === 'xlsx') {
    const book = openWorkbook(bytes)
    expect(book.type(book.sheets[0]?.part ?? '', [{ row: 1, column: 0, text: word }])).toBeUndefined()
    return book.bytes()
  }
  if (ext === 'pptx') {
    const deck = openSlides(bytes)
    deck.type(0, `${word} ${deck.words(0)}`)
    return deck.bytes()
  }
  const document = openDocument(bytes)
  let place: { readonly at: number; readonly node: Node } | undefined
  document.doc.descendants((node, at) => {
    if (node.isTextblock) place ??= { at: at + 1, node }
    return place === undefined
  })
  if (place === undefined) throw new Error('no place for a word')
  const { at, node } = place
  const text = document.schema.text(`${word} `, node.firstChild?.isText === true ? node.firstChild.marks : [])
  return document.bytes(document.doc.replace(at, at, new Slice(Fragment.from(text), 0, 0)))
}

const source = (bytes: Uint8Array, ext: string) => ({
  content: Readable.from([Buffer.from(bytes)], { objectMode: false }),
  size: bytes.length,
  ext,
})
const wordsIn = async (bytes: Uint8Array, ext: string): Promise<string> =>
  (await extractText(source(bytes, ext))).map(({ text }) => text).join('\n')

/** The elements of a part that are preserved whole: paragraphs, cells. */
const pieces = (xml: string): string[] => xml.match(/<(w:p|a:p|c)(?:\s[^>]*)?(?:\/>|>[\s\S]*?<\/\1>)/g) ?? []

// [R397] A word typed into real and generated documents, workbooks and presentations is present for every reader; the
// rest is byte for byte unchanged (forty of them in test:full).
test('[R171] [R397] a word typed into each of forty documents (twelve of them without test:full) is there for whoever reads them; parts and pieces that were not touched are byte for byte as they were', async () => {
  const samples = corpus()
  expect(samples.length).toBeGreaterThanOrEqual(40)
  for (const { name, ext, bytes: make } of few(12, samples)) {
    const bytes = await make()
    const made = typedInto(bytes, ext)
    expect([name, await wordsIn(made, ext)]).toEqual([name, expect.stringContaining(word)])
    const [before, after] = [unzipSync(bytes), unzipSync(made)]
    expect([name, Object.keys(after)]).toEqual([name, Object.keys(before)])
    const differing = Object.keys(before).filter(
      (part) => !Buffer.from(before[part] ?? []).equals(after[part] ?? new Uint8Array()),
    )
    const content = differing.filter((part) => part !== 'xl/workbook.xml')
    expect([name, content.length]).toEqual([name, 1])
    const part = content[0] ?? ''
    const [old, now] = [before, after].map((all) => pieces(strFromU8(all[part] ?? new Uint8Array())))
    const kept = new Set(now)
    const lost = (old ?? []).filter((piece) => !kept.has(piece))
    expect(lost.length, name).toBeLessThanOrEqual(1)
  }
})

// [R397] LibreOffice opens edited files (test:full).
longTest('[R171] [R397] LibreOffice opens each of them, and shows the word', async () => {
  const files = corpus()
  const typed = await Promise.all(files.map(async ({ ext, bytes }) => ({ ext, bytes: typedInto(await bytes(), ext) })))
  const opened = await openedByOffice(typed)
  for (const [n, { name }] of files.entries()) {
    const pdf = opened[n] ?? Buffer.of()
    expect([name, (await wordsIn(pdf, 'pdf')).replace(/\s/g, '')]).toEqual([name, expect.stringContaining(word)])
  }
})

/** A picture of one pixel. */
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A document with a table, a picture and a link added at its end, and a word in each part besides its body. */
function richlyEdited(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly words: readonly string[] } {
  const document = openDocument(bytes, '', { asides: true })
  const { schema, doc } = document
  const words = [word, 'Tabellenwort', 'Verweis']
  const cellWith = (table: Node): Node => {
    const row = table.child(0)
    const cell = row.child(0).copy(Fragment.from(schema.node('paragraph', undefined, [schema.text(words[1] ?? '')])))
    return table.copy(table.content.replaceChild(0, row.copy(row.content.replaceChild(0, cell))))
  }
  const link = schema.text(words[2] ?? '', [schema.mark('wrap', linkAttrs('https://example.com/'))])
  const picture = schema.node('kept', pictureAttrs(dot, 20, 20))
  const made = doc.children.flatMap((node, n) => {
    if (node.type.name !== 'aside') {
      const isLast =
        doc.maybeChild(n + 1)?.type.name !== node.type.name &&
        doc.children.slice(n + 1).every(({ type }) => type.name === 'aside')
      const more = [
        schema.node('paragraph', undefined, [schema.text(`${word} `), link, picture]),
        cellWith(newTable(doc, 2, 2, 6000)),
        schema.node('paragraph'),
      ]
      return isLast ? [node, ...more] : [node]
    }
    const first = node.child(0)
    if (!first.isTextblock) return [node]
    return [node.copy(node.content.replaceChild(0, first.copy(first.content.addToEnd(schema.text(' Beiwort')))))]
  })
  return { words, bytes: document.bytes(schema.node('doc', undefined, made)) }
}

/** A document with a header, a footer and a footnote added, unless it has them. */
function begunIn(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly words: readonly string[] } {
  const document = openDocument(bytes, '', { asides: true })
  const { schema, begun } = document
  const firstDiffers = strFromU8(unzipSync(bytes)['word/document.xml'] ?? new Uint8Array()).includes('<w:titlePg')
  const words: string[] = []
  let { doc } = document
  const put = (at: number, node: Node): void => {
    doc = doc.replace(at, at, new Slice(Fragment.from(node), 0, 0))
  }
  for (const kind of ['header', 'footer', 'footnote'] as const) {
    const made = begun?.begin(kind, doc)
    if (made === undefined) continue
    const { aside, reference } = made
    const told = { header: 'Kopfwort', footer: 'Fußwort', footnote: 'Anmerkwort' }[kind]
    // A different first page has its own header or none: in a document of one page the other header is not visible.
    if (kind === 'footnote' || !firstDiffers) words.push(told)
    let place = -1
    doc.descendants((node, at) => {
      if (place < 0 && node.isTextblock) place = at + 1 + node.content.size
      return place < 0
    })
    if (reference !== undefined) put(place, schema.node('kept', reference))
    const first = aside.child(0)
    const worded = aside.copy(aside.content.replaceChild(0, first.copy(first.content.addToEnd(schema.text(told)))))
    put(insertedPartPosition(doc, worded), worded)
  }
  return { words, bytes: document.bytes(doc) }
}

// [R397] LibreOffice shows notes added to slides without any (test:full).
longTest('[R171] [R397] notes of slides that had none are shown by LibreOffice', async () => {
  const files = [...corpus(), ...(await officeTemplates(3))].filter(({ ext }) => ext === 'pptx')
  const edited = await Promise.all(
    files.map(async ({ name, ext, bytes }) => {
      const deck = openSlides(bytes instanceof Uint8Array ? bytes : await bytes())
      for (const { id, isNotes } of deck.places) if (isNotes && deck.words(id) === '') deck.type(id, `Notizwort${id}`)
      const words = deck.places.flatMap(({ id }) => (deck.words(id) === `Notizwort${id}` ? [deck.words(id)] : []))
      return { name, ext, words, bytes: deck.bytes() }
    }),
  )
  expect(edited.some(({ words }) => words.length > 0)).toBe(true)
  const opened = await openedByOffice(edited, 'odp')
  for (const [n, { name, words }] of edited.entries()) {
    const content = strFromU8(unzipSync(opened[n] ?? Buffer.of())['content.xml'] ?? new Uint8Array())
    for (const one of words) expect([name, content]).toEqual([name, expect.stringContaining(one)])
  }
})

// [R397] LibreOffice shows added headers, footers and footnotes (test:full).
longTest('[R171] [R397] headers, footers and footnotes that are begun are shown by LibreOffice', async () => {
  const files = [...corpus(), ...(await officeTemplates(3))].filter(({ ext }) => ext === 'docx')
  const edited = await Promise.all(
    files.map(async ({ name, ext, bytes }) => ({
      name,
      ext,
      ...begunIn(bytes instanceof Uint8Array ? bytes : await bytes()),
    })),
  )
  const opened = await openedByOffice(edited)
  for (const [n, { name, words }] of edited.entries()) {
    const text = (await wordsIn(opened[n] ?? Buffer.of(), 'pdf')).replace(/\s/g, '')
    for (const one of words) expect([name, text]).toEqual([name, expect.stringContaining(one)])
  }
})

// [R397] Thirty-three letters, agendas, reports and slides shipped with LibreOffice are edited, including tables,
// pictures, links and text in headers and notes, and opened by it again (test:full).
longTest(
  '[R171] [R397] the documents that come with LibreOffice are edited, richly too, and opened by it again',
  async () => {
    const templates = await officeTemplates(3)
    // Together with the seventeen third-party files of corpus(), more than forty real ones.
    expect(templates.length).toBeGreaterThan(23)
    const edited = templates.flatMap(({ name, ext, bytes }) => {
      const typed = { name, ext, bytes: typedInto(bytes, ext), words: [word] }
      return ext === 'docx' ? [typed, { name: `${name}, richly`, ext, ...richlyEdited(bytes) }] : [typed]
    })
    const opened = await openedByOffice(edited)
    for (const [n, { name, words }] of edited.entries()) {
      const text = (await wordsIn(opened[n] ?? Buffer.of(), 'pdf')).replace(/\s/g, '')
      for (const one of words) expect([name, text]).toEqual([name, expect.stringContaining(one)])
    }
  },
)
