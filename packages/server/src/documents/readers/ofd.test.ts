// Pages of OFD files, as electronic invoices are made.
import type { SlideShape, Slides } from '@cloudoc/contract'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { textParts, textSectionsOf } from '../extracted-text.ts'
import { readOfd } from './ofd.ts'

const namespace = 'xmlns:ofd="http://www.ofdspec.org/2016"'
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0)
const mm = (value: number): number => (value * 96) / 25.4

/** Reads a file of one page with this content. */
function pageOf(
  content: string,
  {
    head = '',
    document = '',
    files = {},
  }: { head?: string; document?: string; files?: Record<string, string | Uint8Array> } = {},
): { readonly shapes: readonly SlideShape[]; readonly words: string } {
  const parts = textParts()
  const bytes = zipSync({
    'OFD.xml': strToU8(
      `<ofd:OFD ${namespace}><ofd:DocBody><ofd:DocRoot>Doc_0/Document.xml</ofd:DocRoot></ofd:DocBody></ofd:OFD>`,
    ),
    'Doc_0/Document.xml': strToU8(
      `<ofd:Document ${namespace}><ofd:CommonData><ofd:PageArea><ofd:PhysicalBox>0 0 210 140</ofd:PhysicalBox></ofd:PageArea></ofd:CommonData><ofd:Pages><ofd:Page ID="1" BaseLoc="Pages/Page_0/Content.xml"/></ofd:Pages>${document}</ofd:Document>`,
    ),
    'Doc_0/Pages/Page_0/Content.xml': strToU8(
      `<ofd:Page ${namespace}>${head}<ofd:Content><ofd:Layer>${content}</ofd:Layer></ofd:Content></ofd:Page>`,
    ),
    ...Object.fromEntries(
      Object.entries(files).map(([path, one]) => [path, typeof one === 'string' ? strToU8(one) : one]),
    ),
  })
  const read = readOfd({ bytes: Buffer.from(bytes), ext: 'ofd', parts, mostCells: 1, progress: () => {} }) as Slides
  return { shapes: read.slides[0]?.shapes ?? [], words: textSectionsOf(read, parts.values)[0]?.text ?? '' }
}
const text = (boundary: string, code: string, words: string, more = ''): string =>
  `<ofd:TextObject Boundary="${boundary}" Size="4"${more}><ofd:TextCode ${code}>${words}</ofd:TextCode></ofd:TextObject>`
const lettersOf = (shapes: readonly SlideShape[]): string[] =>
  shapes.flatMap(({ blocks }) => (blocks ?? []).flatMap((one) => (one.is === 'text' ? (one.runs[0]?.text ?? '') : '')))

// [R163] In an OFD each letter is where the file puts it, below or beside the one before, and the words are still found
// as words.
test('[R163] letters of an OFD stand at their own places and are found as words', () => {
  const upright = pageOf(text('10 10 6 40', 'X="1" Y="4" DeltaY="6 6"', '购买方'))
  expect(lettersOf(upright.shapes)).toEqual(['购', '买', '方'])
  const [first, second] = upright.shapes
  expect((second?.y ?? 0) - (first?.y ?? 0)).toBeCloseTo(mm(6), 1)
  expect(upright.words).toBe('购买方')

  const boxes = pageOf(text('10 10 80 6', 'X="0" Y="4" DeltaX="g 3 8"', '9144'))
  expect(boxes.shapes.map(({ x }) => Math.round(x))).toEqual([0, 8, 16, 24].map((one) => Math.round(mm(10 + one))))
  expect(boxes.words).toBe('9144')

  // Letters about where they would follow by themselves stay one text.
  expect(lettersOf(pageOf(text('10 10 80 6', 'X="0" Y="4" DeltaX="g 3 4"', '电子发票')).shapes)).toEqual(['电子发票'])
  // A repetition that no page can mean is cut off.
  expect(pageOf(text('1 1 9 9', 'X="0" Y="4" DeltaX="g 999999999 1"', 'ab')).words).toBe('ab')
})

// [R163] Text of an OFD that its matrix turns is shown turned, starting where the matrix puts it.
test('[R163] text of an OFD is turned by its matrix', () => {
  const { shapes } = pageOf(text('150 20 5 60', 'X="10" Y="2" DeltaX="4 4 4"', '下载次数', ' CTM="0 1 -1 0 4 0"'))
  const [one] = shapes
  expect(one).toMatchObject({ turn: 90 })
  // The matrix puts the start of the baseline at (150 - 2 + 4, 20 + 10); turned, the text runs down from there.
  const { x = 0, y = 0, width = 0, height = 0 } = one ?? {}
  expect(y + height / 2 - width / 2).toBeCloseTo(mm(30), 0)
  expect(x + width / 2).toBeGreaterThan(mm(151))
})

// [R163] Pictures that a page of an OFD keeps for itself and its annotations, as stamps are, are shown.
test('[R163] pictures of a page and annotations of an OFD are shown', () => {
  const { shapes } = pageOf('<ofd:ImageObject Boundary="20 20 30 30" ResourceID="50"/>', {
    head: '<ofd:PageRes>PageRes.xml</ofd:PageRes>',
    files: {
      'Doc_0/Pages/Page_0/PageRes.xml': `<ofd:Res ${namespace} BaseLoc="Res"><ofd:MultiMedias><ofd:MultiMedia ID="50"><ofd:MediaFile>a.png</ofd:MediaFile></ofd:MultiMedia></ofd:MultiMedias></ofd:Res>`,
      'Doc_0/Pages/Page_0/Res/a.png': png,
    },
  })
  expect(shapes).toHaveLength(1)
  expect(shapes[0]?.image).toBeDefined()
  expect(shapes[0]?.width).toBeCloseTo(mm(30), 1)

  const annotation = (more: string, words: string): string =>
    `<ofd:Annot Type="Stamp"${more}><ofd:Appearance Boundary="100 20 40 10">${text('0 0 40 10', 'X="0" Y="5"', words)}</ofd:Appearance></ofd:Annot>`
  const stamped = pageOf(text('10 10 50 6', 'X="0" Y="4"', '正文'), {
    document: '<ofd:Annotations>Annotations.xml</ofd:Annotations>',
    files: {
      'Doc_0/Annotations.xml': `<ofd:Annotations ${namespace}><ofd:Page PageID="1"><ofd:FileLoc>Annots/Annotation.xml</ofd:FileLoc></ofd:Page></ofd:Annotations>`,
      'Doc_0/Annots/Annotation.xml': `<ofd:PageAnnot ${namespace}>${annotation('', '已报销')}${annotation(' Visible="false"', '看不见')}</ofd:PageAnnot>`,
    },
  })
  expect(stamped.words).toBe('正文\n已报销')
  expect(stamped.shapes[1]?.x).toBeCloseTo(mm(100), 1)
})
