// Writes one report as PDF, in a process of its own (report.ts). The input is the report as JSON.
import { buffer } from 'node:stream/consumers'
import fontkit from '@cantoo/fontkit'
import { PDFDocument, type PDFFont, type PDFPage, rgb } from '@cantoo/pdf-lib'
import { fontBytes } from './marks/font.ts'
import { printable } from './marks/printable.ts'
import type { Report } from './report.ts'

const [pageWidth, pageHeight] = [595, 842]
const margin = 56
const labelWidth = 130
const size = 10.5
const lineHeight = 17

/** Breaks a text into lines of a width: between characters, as Chinese is. */
function linesOf(font: PDFFont, text: string, width: number, at: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const character of paragraph) {
      if (line !== '' && font.widthOfTextAtSize(line + character, at) > width) {
        lines.push(line)
        line = ''
      }
      line += character
    }
    return [...lines, line]
  })
}

async function pdfOf({ title, subtitle, lines }: Report): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.registerFontkit(fontkit)
  document.setTitle(title)
  const font = await document.embedFont(fontBytes(), { subset: true })
  let page: PDFPage = document.addPage([pageWidth, pageHeight])
  let y = pageHeight - margin
  const draw = (text: string, x: number, at: number, gray: number): void =>
    page.drawText(text, { x, y, size: at, font, color: rgb(gray, gray, gray) })
  const room = (height: number): void => {
    if (y - height > margin) return
    page = document.addPage([pageWidth, pageHeight])
    y = pageHeight - margin
  }
  for (const line of linesOf(font, printable(title), pageWidth - 2 * margin, 18)) {
    draw(line, margin, 18, 0.1)
    y -= 26
  }
  for (const line of linesOf(font, printable(subtitle), pageWidth - 2 * margin, size)) {
    draw(line, margin, size, 0.4)
    y -= lineHeight
  }
  y -= 8
  for (const { label, text, heading } of lines) {
    if (heading === true) {
      y -= 8
      room(2 * lineHeight)
      draw(printable(label), margin, 13, 0.1)
      y -= 22
      continue
    }
    const left = linesOf(font, printable(label), labelWidth - 12, size)
    const right = linesOf(font, printable(text), pageWidth - 2 * margin - labelWidth, size)
    for (let n = 0; n < Math.max(left.length, right.length); n += 1) {
      room(lineHeight)
      draw(left[n] ?? '', margin, size, 0.4)
      draw(right[n] ?? '', margin + labelWidth, size, 0.1)
      y -= lineHeight
    }
  }
  return document.save()
}

const report = JSON.parse((await buffer(process.stdin)).toString()) as Report
const bytes = await pdfOf(report)
process.stdout.write(bytes, () => process.exit(0))
