/*
 * Adds a watermark to each page of a PDF. Text remains text and forms remain forms. The marks are text too, with an
 * embedded font. Signatures are valid for the original only: they are removed from the copy, which says so.
 */

import fontkit from '@cantoo/fontkit'
import {
  beginText,
  concatTransformationMatrix,
  drawObject,
  endText,
  PDFDict,
  PDFDocument,
  type PDFFont,
  type PDFImage,
  PDFName,
  type PDFOperator,
  type PDFPage,
  type PDFRef,
  popGraphicsState,
  pushGraphicsState,
  rgb,
  setFillingColor,
  setFontAndSize,
  setGraphicsState,
  setTextMatrix,
  showText,
} from '@cantoo/pdf-lib'
import type { Watermark } from '@cloudoc/contract'
import { layOutWatermark } from '@cloudoc/domain'
import { createCanvas } from '@napi-rs/canvas'
import { Refused } from '../refusal.ts'
import { loadPicture } from './draw.ts'
import { fontBytes } from './font.ts'

const pointPx = 0.75
const copyLines = ['副本 · 签名以原件为准', 'Copy: the signature holds for the original']
const name = (text: string): PDFName => PDFName.of(text)

export async function markPdf(
  bytes: Uint8Array,
  mark: Watermark,
  progress: (share: number) => void,
): Promise<Uint8Array> {
  const document = await open(bytes)
  const isSigned = dropSignatures(document)
  await drawMarks(document, isSigned ? { ...mark, lines: [...mark.lines, ...copyLines] } : mark, progress)
  return document.save({ updateFieldAppearances: false, addDefaultPage: false })
}

/** Draws a watermark on each page of a document that is open. */
export async function drawMarks(
  document: PDFDocument,
  mark: Watermark,
  progress: (share: number) => void = () => {},
): Promise<void> {
  document.registerFontkit(fontkit)
  const font = await document.embedFont(fontBytes(), { subset: true })
  const picture = await pictureOf(document, mark)
  const drawn = createDrawn(document, mark, font, picture)
  const pages = document.getPages()
  for (const [n, page] of pages.entries()) {
    const [key, content] = drawn(page)
    page.node.setXObject(key, content)
    page.pushOperators(pushGraphicsState(), drawObject(key), popGraphicsState())
    progress((n + 1) / pages.length)
  }
}

async function open(bytes: Uint8Array): Promise<PDFDocument> {
  try {
    return await PDFDocument.load(bytes, { updateMetadata: false })
  } catch (error) {
    if (error instanceof Error && /encrypt/i.test(`${error.name} ${error.message}`))
      throw new Refused('sourceEncrypted')
    throw error
  }
}

/** Removes signature values; returns whether there were any. */
function dropSignatures({ context, catalog }: PDFDocument): boolean {
  let isSigned = false
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict)) continue
    const isField = object.lookup(name('FT')) === name('Sig')
    if (isField && object.has(name('V'))) {
      object.delete(name('V'))
      isSigned = true
    }
  }
  if (catalog.has(name('Perms'))) {
    catalog.delete(name('Perms'))
    isSigned = true
  }
  const form = catalog.lookup(name('AcroForm'))
  if (isSigned && form instanceof PDFDict) form.delete(name('SigFlags'))
  return isSigned
}

interface Drawable {
  readonly image: PDFImage
  readonly width: number
  readonly height: number
}

async function pictureOf(document: PDFDocument, mark: Watermark): Promise<Drawable | undefined> {
  const picture = await loadPicture(mark)
  if (picture === undefined) return undefined
  const { image, width, height } = picture
  const canvas = createCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  return { image: await document.embedPng(canvas.toBuffer('image/png')), width, height }
}

/** Returns a function that gives the drawn mark of a page: one object for all pages with the same size and rotation. */
function createDrawn(
  document: PDFDocument,
  mark: Watermark,
  font: PDFFont,
  picture: Drawable | undefined,
): (page: PDFPage) => [PDFName, PDFRef] {
  const { context } = document
  const { lines, size, lineGap, opacity, color } = mark
  const lineHeight = size * 1.2 + lineGap
  const above = picture === undefined ? 0 : picture.height + lineGap
  const widths = lines.map((line) => font.widthOfTextAtSize(line, size))
  const block = {
    width: Math.max(1, picture?.width ?? 0, ...widths),
    height: Math.max(1, above + lines.length * lineHeight),
  }
  const channel = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16) / 255
  // One mark, centred at the origin, in pixels of the template.
  const one: PDFOperator[] = [setGraphicsState('Seen'), setFillingColor(rgb(channel(1), channel(3), channel(5)))]
  if (picture !== undefined)
    one.push(
      pushGraphicsState(),
      concatTransformationMatrix(
        picture.width,
        0,
        0,
        picture.height,
        -picture.width / 2,
        block.height / 2 - picture.height,
      ),
      drawObject('Picture'),
      popGraphicsState(),
    )
  for (const [n, line] of lines.entries()) {
    const middle = block.height / 2 - above - (n + 0.5) * lineHeight
    one.push(
      beginText(),
      setFontAndSize('Letters', size),
      setTextMatrix(1, 0, 0, 1, -(widths[n] ?? 0) / 2, middle - size * 0.35),
      showText(font.encodeText(line)),
      endText(),
    )
  }
  const half = Math.ceil(Math.max(block.width, block.height) / 2) + size
  const markRef = context.register(
    context.formXObject(one, {
      BBox: [-half, -half, half, half],
      Group: { Type: 'Group', S: 'Transparency' },
      Resources: {
        Font: { Letters: font.ref },
        ExtGState: { Seen: { Type: 'ExtGState', ca: opacity, CA: opacity } },
        ...(picture === undefined ? {} : { XObject: { Picture: picture.image.ref } }),
      },
    }),
  )
  const made = new Map<string, [PDFName, PDFRef]>()
  return (page) => {
    const { x, y, width, height } = page.getCropBox()
    const turn = (((page.getRotation().angle % 360) + 360) % 360) / 90
    const key = [x, y, width, height, turn].join()
    const known = made.get(key)
    if (known !== undefined) return known
    const isTurned = turn % 2 === 1
    const area = { width: (isTurned ? height : width) / pointPx, height: (isTurned ? width : height) / pointPx }
    const { positions, scale, rotate } = layOutWatermark(mark, block, area)
    const angle = (rotate * Math.PI) / 180 + (turn * Math.PI) / 2
    const [cos, sin] = [Math.cos(angle) * scale * pointPx, Math.sin(angle) * scale * pointPx]
    const marks = positions.flatMap((place) => {
      // From the left and from the bottom of the displayed page.
      const [across, up] = [place.x * pointPx, (area.height - place.y) * pointPx]
      const [px, py] = [
        [across, up],
        [width - up, across],
        [width - across, height - up],
        [up, height - across],
      ][turn] as [number, number]
      return [
        pushGraphicsState(),
        concatTransformationMatrix(cos, sin, -sin, cos, x + px, y + py),
        drawObject('Mark'),
        popGraphicsState(),
      ]
    })
    const ref = context.register(
      context.formXObject(marks, { BBox: [x, y, x + width, y + height], Resources: { XObject: { Mark: markRef } } }),
    )
    const added: [PDFName, PDFRef] = [name(`CloudocMark${made.size}`), ref]
    made.set(key, added)
    return added
  }
}
