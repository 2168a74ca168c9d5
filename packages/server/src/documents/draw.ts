// Draws a rough small picture of the first page of a rendition: its content is recognisable, not readable.

import type {
  Block,
  Drawing,
  Flow,
  Mail,
  Rendition,
  SheetBody,
  Sheets,
  Slide,
  SlideShape,
  Slides,
  Table,
  TableCell,
} from '@cloudoc/contract'
import { gradientLine } from '@cloudoc/office/presentation'
import { type Canvas, createCanvas, loadImage, Path2D, type SKRSContext2D } from '@napi-rs/canvas'

/** Reads a part of the rendition back. */
export interface PartValues {
  value(part: number): unknown
  bytes(part: number): Uint8Array
}

const family = '"Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif'
const [pageWidth, pageHeight] = [794, 1123]

/** Returns the picture; undefined if the rendition has nothing to show. `side` is its longer side. */
export async function drawFirst(rendition: Rendition, parts: PartValues, side: number): Promise<Canvas | undefined> {
  switch (rendition.kind) {
    case 'flow':
    case 'mail':
      return drawFlow(rendition, parts, side)
    case 'slides':
      return drawSlides(rendition, parts, side)
    case 'sheets':
      return drawSheet(rendition, parts, side)
    case 'text':
      return drawText(String(parts.value(rendition.part)), side)
    default:
      return undefined
  }
}

function sheetOf(width: number, height: number, side: number): { canvas: Canvas; context: SKRSContext2D } {
  const scale = side / Math.max(width, height)
  const canvas = createCanvas(Math.round(width * scale), Math.round(height * scale))
  const context = canvas.getContext('2d')
  context.scale(scale, scale)
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, height)
  context.textBaseline = 'alphabetic'
  return { canvas, context }
}

interface Box {
  readonly left: number
  readonly right: number
  readonly bottom: number
}

/** Lays out blocks from `top` downwards; returns their bottom edge. */
async function layOut(
  context: SKRSContext2D,
  blocks: readonly Block[],
  parts: PartValues,
  box: Box,
  top: number,
  usual: { size: number; color: string },
): Promise<number> {
  let y = top
  for (const block of blocks) {
    if (y > box.bottom || block.is === 'pageBreak') break
    if (block.is === 'rule') {
      context.fillStyle = '#d0d3da'
      context.fillRect(box.left, y + 6, box.right - box.left, 1)
      y += 16
    } else if (block.is === 'code') y = drawLines(context, block.text.split('\n'), box, y, 13)
    else if (block.is === 'quote') {
      y = await layOut(context, block.blocks, parts, { ...box, left: box.left + 20 }, y, usual)
    } else if (block.is === 'table') {
      y = await drawTable(context, block, parts, box, y, usual)
    } else y = await drawParagraph(context, block, parts, box, y, usual)
  }
  return y
}

async function drawTable(
  context: SKRSContext2D,
  { widths, rows }: Table,
  parts: PartValues,
  box: Box,
  top: number,
  usual: { size: number; color: string },
): Promise<number> {
  const said = widths.reduce((sum, one) => sum + one, 0)
  const columns = Math.max(1, ...rows.map((row) => row.reduce((sum, one) => sum + (one.across ?? 1), 0)))
  const isKnown = said > 0 && widths.length >= columns
  const room = box.right - box.left
  const scale = isKnown ? Math.min(1, room / said) : room / columns
  const wide = (column: number): number => (isKnown ? (widths[column] ?? 0) : 1) * scale
  const open: number[] = []
  let y = top
  for (const row of rows) {
    const cells: { cell: TableCell; x: number; right: number }[] = []
    let [x, column, end] = [box.left, 0, y + 24]
    const skipped = (): void => {
      for (; (open[column] ?? 0) > 0; column += 1) {
        open[column] = (open[column] ?? 0) - 1
        x += wide(column)
      }
    }
    for (const cell of row) {
      skipped()
      const from = x
      for (let k = 0; k < (cell.across ?? 1); k += 1, column += 1) {
        x += wide(column)
        open[column] = (cell.down ?? 1) - 1
      }
      cells.push({ cell, x: from, right: x })
      const inside = { left: from + 6, right: x - 6, bottom: Math.min(box.bottom, y + 120) }
      // A fill lies below the text, so the height of the row is measured first. Nested tables are drawn only once.
      if ((cell.down ?? 1) > 1 || cell.blocks.some((one) => one.is !== 'text')) continue
      context.save()
      context.globalAlpha = 0
      end = Math.max(end, await layOut(context, cell.blocks, parts, inside, y + 2, usual))
      context.restore()
    }
    skipped()
    for (const { cell, x: left, right } of cells) {
      if (cell.fill !== undefined || cell.head === true) {
        context.fillStyle = cell.fill ?? '#f2f3f5'
        context.fillRect(left, y, right - left, end - y)
      }
      const inside = { left: left + 6, right: right - 6, bottom: Math.min(box.bottom, y + 120) }
      const drawn = await layOut(context, cell.blocks, parts, inside, y + 2, usual)
      if ((cell.down ?? 1) === 1) end = Math.max(end, drawn)
      drawEdges(context, cell.edges, left, y, right, end)
    }
    y = end
    if (y > box.bottom) break
  }
  return y
}

function drawEdges(
  context: SKRSContext2D,
  edges: TableCell['edges'] = ['#c4c8d0', '#c4c8d0', '#c4c8d0', '#c4c8d0'],
  left: number,
  top: number,
  right: number,
  bottom: number,
): void {
  const lines = [
    [left, top, right, top],
    [right, top, right, bottom],
    [left, bottom, right, bottom],
    [left, top, left, bottom],
  ] as const
  for (const [n, [x, y, toX, toY]] of lines.entries()) {
    if (edges[n] === '') continue
    context.strokeStyle = edges[n] ?? '#c4c8d0'
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(toX, toY)
    context.stroke()
  }
}

const headingSizes = [0, 28, 24, 20, 18, 16, 15]

async function drawParagraph(
  context: SKRSContext2D,
  block: Extract<Block, { is: 'text' }>,
  parts: PartValues,
  box: Box,
  top: number,
  usual: { size: number; color: string },
): Promise<number> {
  let y = top + (block.before ?? 0)
  const left = box.left + (block.indent ?? 0)
  const heading = block.heading === undefined ? undefined : headingSizes[block.heading]
  const mark = block.mark === undefined ? '' : `${block.mark} `
  let first = Math.max(0, block.firstLine ?? 0)
  let line: { text: string; font: string; color: string; width: number }[] = []
  let [width, height] = [first, 0]
  const flush = (): void => {
    const room = box.right - left
    const shift = block.align === 'center' ? (room - width) / 2 : block.align === 'end' ? room - width : first
    let x = left + Math.max(0, shift)
    y += height * 0.8
    if (y < box.bottom + 20) {
      for (const piece of line) {
        context.font = piece.font
        context.fillStyle = piece.color
        context.fillText(piece.text, x, y)
        x += piece.width
      }
    }
    y += height * 0.2 + height * ((block.line ?? 1.3) - 1)
    line = []
    first = 0
    width = 0
  }
  for (const run of [...(mark === '' ? [] : [{ text: mark }]), ...block.runs]) {
    if ('image' in run && run.image !== undefined) {
      const image = await loadImage(Buffer.from(parts.bytes(run.image.part))).catch(() => undefined)
      if (image === undefined) continue
      const scale = Math.min(1, (box.right - left) / (run.image.width || image.width))
      const [w, h] = [(run.image.width || image.width) * scale, (run.image.height || image.height) * scale]
      const free = Math.max(0, box.right - left - w)
      const shift = block.align === 'center' ? free / 2 : block.align === 'end' ? free : 0
      context.drawImage(image, left + shift, y, w, Math.min(h, Math.max(1, box.bottom - y)))
      y += h + 4
      continue
    }
    if ('drawing' in run && run.drawing !== undefined) {
      const scale = Math.min(1, (box.right - left) / run.drawing.width)
      drawDrawing(context, run.drawing, { x: left, y, scale })
      y += run.drawing.height * scale + 4
      continue
    }
    if ('missing' in run && run.missing !== undefined) {
      const [w, h] = [Math.min(box.right - left, run.missing.width || 120), run.missing.height || 24]
      context.strokeStyle = '#9aa1ad'
      context.strokeRect(left, y, w, h)
      y += h + 4
      continue
    }
    const look = run as {
      readonly text?: string
      readonly size?: number
      readonly bold?: true
      readonly color?: string
    }
    const size = look.size ?? heading ?? usual.size
    const font = `${look.bold === true || heading !== undefined ? '700' : '400'} ${size}px ${family}`
    context.font = font
    for (const piece of (look.text ?? '').match(/\n|[\x21-\x7e]+ ?|\s|./gu) ?? []) {
      if (y > box.bottom) return y
      if (piece === '\n') {
        height = Math.max(height, size)
        flush()
        continue
      }
      const wide = context.measureText(piece).width
      if (width + wide > box.right - left && line.length > 0) flush()
      height = line.length === 0 ? size : Math.max(height, size)
      line.push({ text: piece, font, color: look.color ?? usual.color, width: wide })
      width += wide
    }
  }
  if (line.length > 0 || height === 0) {
    height ||= usual.size
    flush()
  }
  return y + (block.after ?? 0)
}

async function drawFlow(rendition: Flow | Mail, parts: PartValues, side: number): Promise<Canvas> {
  const page = rendition.kind === 'flow' ? rendition.page : undefined
  const { width, height, margins } = page ?? {
    width: pageWidth,
    height: pageHeight,
    margins: [64, 64, 64, 64] as const,
  }
  const { canvas, context } = sheetOf(width, height, side)
  const box = { left: margins[3], right: width - margins[1], bottom: height - margins[2] }
  const usual = { size: 15, color: '#1d2129' }
  const head: Block[] =
    rendition.kind === 'mail'
      ? [
          { is: 'text', runs: [{ text: rendition.subject }], heading: 2, after: 8 },
          { is: 'text', runs: [{ text: rendition.from, color: '#5e6b7b' }] },
          { is: 'rule' },
        ]
      : []
  if (rendition.kind === 'flow' && page !== undefined) {
    const small = { size: 12, color: '#5e6b7b' }
    const { header = [], footer = [] } = rendition.sections?.[0]?.first ?? rendition
    const above = { ...box, bottom: margins[0] }
    await layOut(context, header, parts, above, Math.max(16, margins[0] / 2 - 8), small)
    const below = { ...box, bottom: height }
    await layOut(context, footer, parts, below, height - Math.max(32, margins[2] / 2 + 8), small)
  }
  const begun = rendition.blocks.findIndex((one) => one.is !== 'pageBreak')
  await layOut(context, [...head, ...rendition.blocks.slice(Math.max(0, begun))], parts, box, margins[0], usual)
  return canvas
}

function drawLines(context: SKRSContext2D, lines: readonly string[], box: Box, top: number, size: number): number {
  let y = top
  context.font = `400 ${size}px "Noto Sans Mono CJK SC", monospace`
  context.fillStyle = '#1d2129'
  for (const line of lines) {
    y += size * 1.5
    if (y > box.bottom) break
    context.fillText(line.slice(0, 200), box.left, y)
  }
  return y
}

function drawText(text: string, side: number): Canvas {
  const { canvas, context } = sheetOf(pageWidth, pageHeight, side)
  const box = { left: 56, right: pageWidth - 56, bottom: pageHeight - 56 }
  drawLines(context, text.slice(0, 20_000).split('\n'), box, 40, 20)
  return canvas
}

async function drawSlides({ width, height, slides }: Slides, parts: PartValues, side: number): Promise<Canvas> {
  const { canvas, context } = sheetOf(width, height, side)
  const [slide] = slides
  if (slide !== undefined) await drawSlide(context, slide, parts, width, height)
  return canvas
}

async function drawSlide(
  context: SKRSContext2D,
  slide: Slide,
  parts: PartValues,
  width: number,
  height: number,
): Promise<void> {
  if (slide.fill !== undefined) {
    context.fillStyle =
      slide.gradient === undefined ? slide.fill : paintOf(context, slide.gradient, 0, 0, width, height)
    context.fillRect(0, 0, width, height)
  }
  if (slide.image !== undefined) {
    const image = await loadImage(Buffer.from(parts.bytes(slide.image))).catch(() => undefined)
    if (image !== undefined) context.drawImage(image, 0, 0, width, height)
  }
  for (const shape of slide.shapes) await drawShape(context, shape, parts)
}

/** The paint of a gradient in a box. */
function paintOf(
  context: SKRSContext2D,
  { angle, isRadial, stops }: NonNullable<SlideShape['gradient']>,
  x: number,
  y: number,
  width: number,
  height: number,
): ReturnType<SKRSContext2D['createLinearGradient']> {
  const [x1, y1, x2, y2] = gradientLine(angle, width, height)
  const [middleX, middleY] = [x + width / 2, y + height / 2]
  const paint =
    isRadial === true
      ? context.createRadialGradient(middleX, middleY, 0, middleX, middleY, Math.hypot(width, height) / 2)
      : context.createLinearGradient(x + x1, y + y1, x + x2, y + y2)
  for (const [at, color] of stops) paint.addColorStop(at, color)
  return paint
}

/** The outline of a shape at its place. */
function outlineOf({ outline = '', x, y, width, height, flip: [across, down] = [false, false] }: SlideShape): Path2D {
  const path = new Path2D()
  path.addPath(new Path2D(outline), {
    ...{ a: across ? -1 : 1, b: 0, c: 0, d: down ? -1 : 1 },
    ...{ e: across ? x + width : x, f: down ? y + height : y },
  })
  return path
}

async function drawShape(context: SKRSContext2D, shape: SlideShape, parts: PartValues): Promise<void> {
  const { x, y, width, height } = shape
  context.save()
  if (shape.turn !== undefined) {
    context.translate(x + width / 2, y + height / 2)
    context.rotate((shape.turn * Math.PI) / 180)
    context.translate(-x - width / 2, -y - height / 2)
  }
  context.beginPath()
  const outline = shape.outline === undefined ? undefined : outlineOf(shape)
  if (shape.form === 'ellipse') context.ellipse(x + width / 2, y + height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI)
  else if (shape.form === 'line') {
    const [across = false, down = false] = shape.flip ?? []
    context.moveTo(across ? x + width : x, down ? y + height : y)
    context.lineTo(across ? x : x + width, down ? y : y + height)
  } else context.rect(x, y, width, height)
  if (shape.fill !== undefined && shape.form !== 'line') {
    context.fillStyle =
      shape.gradient === undefined ? shape.fill : paintOf(context, shape.gradient, x, y, width, height)
    if (outline === undefined) context.fill()
    else context.fill(outline)
  }
  if (shape.line !== undefined) {
    context.strokeStyle = shape.line.color
    context.lineWidth = shape.line.width
    if (outline === undefined) context.stroke()
    else context.stroke(outline)
  }
  if (shape.image !== undefined) {
    const image = await loadImage(Buffer.from(parts.bytes(shape.image))).catch(() => undefined)
    if (image !== undefined) context.drawImage(image, x, y, width, height)
  }
  if (shape.drawing !== undefined) drawDrawing(context, shape.drawing, { x, y, scale: 1 })
  if (shape.blocks !== undefined) {
    const [top, right, bottom, left] = shape.insets ?? [5, 10, 5, 10]
    const box = { left: x + left, right: x + width - right, bottom: y + height - bottom }
    const usual = { size: 24, color: '#1d2129' }
    const lines = shape.blocks.filter((one) => one.is === 'text').length
    const size = Math.max(
      ...shape.blocks.flatMap((one) => (one.is === 'text' ? one.runs.map((run) => run.size ?? 24) : [24])),
      12,
    )
    const free = height - top - bottom - lines * size * 1.3
    const shift = free <= 0 ? 0 : shape.anchor === 'middle' ? free / 2 : shape.anchor === 'bottom' ? free : 0
    await layOut(context, shape.blocks, parts, box, y + top + shift, usual)
  }
  context.restore()
}

function drawSheet({ sheets, styles }: Sheets, parts: PartValues, side: number): Canvas | undefined {
  const [sheet] = sheets
  if (sheet === undefined) return undefined
  const body = parts.value(sheet.part) as SheetBody
  const [width, height, rowHeight] = [880, 620, 26]
  const { canvas, context } = sheetOf(width, height, side)
  const lefts = [0]
  for (let column = 0; (lefts.at(-1) ?? 0) < width; column += 1)
    lefts.push((lefts.at(-1) ?? 0) + Math.max(20, body.widths[column] ?? 88))
  const isInside = new Map(body.merges.map(([row, column, , to]) => [`${row} ${column}`, to]))
  for (const [row, cells] of body.rows) {
    const y = row * rowHeight
    if (y > height) break
    for (const [column, text, number] of cells) {
      const x = lefts[column]
      if (x === undefined) continue
      const style = styles[number] ?? {}
      const end = lefts[(isInside.get(`${row} ${column}`) ?? column) + 1] ?? width
      if (style.fill !== undefined) {
        context.fillStyle = style.fill
        context.fillRect(x, y, end - x, rowHeight)
      }
      context.save()
      context.beginPath()
      context.rect(x, y, end - x, rowHeight)
      context.clip()
      context.font = `${style.bold === true ? 700 : 400} 16px ${family}`
      context.fillStyle = style.color ?? '#1d2129'
      const wide = context.measureText(text).width
      const at = style.align === 'end' ? end - wide - 5 : style.align === 'center' ? (x + end - wide) / 2 : x + 5
      context.fillText(text, at, y + 19)
      context.restore()
    }
  }
  context.fillStyle = '#dfe2e7'
  for (let y = rowHeight; y < height; y += rowHeight) context.fillRect(0, y, width, 1)
  for (const x of lefts) context.fillRect(x, 0, 1, height)
  for (const { drawing, row, column } of body.drawings ?? [])
    drawDrawing(context, drawing, { x: lefts[column] ?? width, y: row * rowHeight, scale: 1 })
  return canvas
}

/** Draws a chart at a position. */
function drawDrawing(
  context: SKRSContext2D,
  { marks }: Drawing,
  { x, y, scale }: { readonly x: number; readonly y: number; readonly scale: number },
): void {
  context.save()
  context.translate(x, y)
  context.scale(scale, scale)
  for (const mark of marks) {
    if (mark.path === undefined) {
      context.font = `400 ${mark.size}px ${family}`
      context.fillStyle = mark.color
      context.textAlign = mark.anchor === undefined ? 'left' : mark.anchor === 'end' ? 'right' : 'center'
      context.fillText(mark.text, mark.x, mark.y)
      continue
    }
    const path = new Path2D(mark.path)
    if (mark.fill !== undefined) {
      context.fillStyle = mark.fill
      // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a form is filled, no array
      context.fill(path)
    }
    if (mark.line !== undefined) {
      context.strokeStyle = mark.line
      context.lineWidth = mark.thick ?? 1
      context.stroke(path)
    }
  }
  context.restore()
}
