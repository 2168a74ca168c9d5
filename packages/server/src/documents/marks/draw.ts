// Draws watermarks as pictures.
import type { Watermark } from '@cloudoc/contract'
import { layOutWatermark, watermarkCell } from '@cloudoc/domain'
import { type Canvas, createCanvas, GlobalFonts, type Image, loadImage, type SKRSContext2D } from '@napi-rs/canvas'
import { fontFamily, fontPath } from './font.ts'

/** Maximum size of the picture in a watermark, in pixels. */
export const maxPictureArea = { width: 160, height: 80 }

let hasFont = false
function useFont(): void {
  if (!hasFont) GlobalFonts.registerFromPath(fontPath(), fontFamily)
  hasFont = true
}

/** One mark, ready to be drawn. */
interface Block {
  readonly width: number
  readonly height: number
  draw(pen: SKRSContext2D): void
}

export async function loadPicture(
  mark: Watermark,
): Promise<{ image: Image; width: number; height: number } | undefined> {
  if (mark.image === '') return undefined
  const image = await loadImage(Buffer.from(mark.image.slice(mark.image.indexOf(',') + 1), 'base64'))
  const scale = Math.min(1, maxPictureArea.width / image.width, maxPictureArea.height / image.height)
  return { image, width: image.width * scale, height: image.height * scale }
}

async function blockOf(mark: Watermark): Promise<Block> {
  useFont()
  const { lines, size, lineGap, color, opacity } = mark
  const font = `${size}px "${fontFamily}", sans-serif`
  const pen = createCanvas(1, 1).getContext('2d')
  pen.font = font
  const picture = await loadPicture(mark)
  const lineHeight = size * 1.2 + lineGap
  const above = picture === undefined ? 0 : picture.height + lineGap
  const width = Math.max(1, picture?.width ?? 0, ...lines.map((line) => pen.measureText(line).width))
  const height = Math.max(1, above + lines.length * lineHeight)
  return {
    width,
    height,
    draw(on) {
      on.save()
      on.globalAlpha = opacity
      if (picture !== undefined)
        on.drawImage(picture.image, -picture.width / 2, -height / 2, picture.width, picture.height)
      on.font = font
      on.fillStyle = color
      on.textAlign = 'center'
      on.textBaseline = 'middle'
      for (const [n, line] of lines.entries()) on.fillText(line, 0, -height / 2 + above + (n + 0.5) * lineHeight)
      on.restore()
    },
  }
}

/** Draws a watermark over an area of that many pixels, at `dense` canvas pixels per pixel. */
export async function drawSheet(
  mark: Watermark,
  area: { readonly width: number; readonly height: number },
  dense: number,
): Promise<Canvas> {
  const block = await blockOf(mark)
  const canvas = createCanvas(Math.max(1, Math.round(area.width * dense)), Math.max(1, Math.round(area.height * dense)))
  const pen = canvas.getContext('2d')
  const { positions, scale, rotate } = layOutWatermark(mark, block, area)
  for (const { x, y } of positions) {
    pen.save()
    pen.scale(dense, dense)
    pen.translate(x, y)
    pen.rotate((-rotate * Math.PI) / 180)
    pen.scale(scale, scale)
    block.draw(pen)
    pen.restore()
  }
  return canvas
}

/** Draws one tile of a tiled watermark. */
export async function drawCell(mark: Watermark, dense: number): Promise<Canvas> {
  const block = await blockOf(mark)
  return drawSheet({ ...mark, layout: 'tile' }, watermarkCell(block, mark), dense)
}
