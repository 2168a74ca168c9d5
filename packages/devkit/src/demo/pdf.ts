import { readFileSync } from 'node:fs'
import fontkit, { type Font } from '@cantoo/fontkit'
import { PDFDocument, rgb } from '@cantoo/pdf-lib'
import { lines, type Writing } from './writing.ts'

/** Reads an asset file beside this module; `npm run release` copies the folder unchanged. */
export function asset(name: string): Uint8Array {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url))
}

/** The Chinese font for PDFs and images, loaded and parsed on first use. */
export function font(): Font {
  if (!loaded) {
    const made = fontkit.create(asset('noto-sans-sc.woff'))
    if ('fonts' in made) throw new Error('the asset is a collection of fonts')
    loaded = made
  }
  return loaded
}
let loaded: Font | undefined

/**
 * Renders the document as an A4 PDF with embedded glyphs, so that Chinese text is displayed and searchable everywhere.
 */
export async function pdf(writing: Writing): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  document.registerFontkit({ ...fontkit, create: font })
  // The bytes are not used: `create` returns the font that is already parsed.
  const face = await document.embedFont(new Uint8Array(4), { subset: true })
  document.setTitle(writing.title)
  document.setAuthor(writing.author)
  document.setCreationDate(new Date(`${writing.date}T09:00:00+08:00`))
  document.setLanguage('zh-CN')

  const missing = [...lines(writing).join('')].filter((char) => !font().hasGlyphForCodePoint(char.codePointAt(0) ?? 0))
  if (missing.length > 0) throw new Error(`the demo's font has no ${missing.join(' ')}`)

  const margin = 64
  const [width, height] = [595.28, 841.89]
  let page = document.addPage([width, height])
  let y = height - margin
  const line = (text: string, size: number, x = margin) => {
    if (y < margin + size) {
      page = document.addPage([width, height])
      y = height - margin
    }
    y -= size * 1.7
    page.drawText(text, { x, y, size, font: face, color: rgb(0.13, 0.13, 0.15) })
  }
  const block = (text: string, size: number) => {
    const perLine = Math.floor((width - 2 * margin) / size)
    for (const part of wrap(text, perLine)) line(part, size)
  }
  for (const part of wrap(writing.title, 22)) {
    line(part, 20, (width - face.widthOfTextAtSize(part, 20)) / 2)
  }
  const byline = `${writing.author}  ${writing.date}`
  line(byline, 10, (width - face.widthOfTextAtSize(byline, 10)) / 2)
  for (const { heading, paragraphs } of writing.sections) {
    y -= 10
    line(heading, 14)
    for (const text of paragraphs) block(`　　${text}`, 11)
  }
  y -= 16
  const step = (width - 2 * margin) / writing.table.columns.length
  for (const row of [writing.table.columns, ...writing.table.rows]) {
    line('', 10)
    page.drawLine({ start: { x: margin, y: y - 4 }, end: { x: width - margin, y: y - 4 }, thickness: 0.4 })
    row.forEach((cell, index) => {
      const text = wrap(String(cell), Math.floor(step / 9))[0] ?? ''
      page.drawText(text, { x: margin + index * step, y, size: 9, font: face })
    })
  }
  for (const [index, each] of document.getPages().entries()) {
    each.drawText(`第 ${index + 1} 页`, { x: width / 2 - 16, y: 32, size: 9, font: face })
  }
  return document.save()
}

/** Wraps at full-width positions; closing punctuation may overhang the line end instead of starting a line. */
function wrap(text: string, perLine: number): string[] {
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const char of text) {
    const size = char.charCodeAt(0) < 0x2e80 ? 0.58 : 1
    if (used + size > perLine && !/[，。、；：）》]/.test(char)) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += char
    used += size
  }
  return [...parts, part]
}
