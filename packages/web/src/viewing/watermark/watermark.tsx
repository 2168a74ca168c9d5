/*
 * The watermark over a file ([R279], [R280]). It is restored if it is removed or hidden in the page. A user of browser
 * developer tools can only remove it on their own screen; copies made by the server contain it.
 */
import type { Watermark } from '@cloudoc/contract'
import { traceBits, traceFields, traceSquare, traceStrength, watermarkCell, watermarkZIndex } from '@cloudoc/domain'
import { type ReactNode, useEffect, useRef } from 'react'

const pictureRoom = { width: 160, height: 80 }
const dense = 2
const family = '"Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif'

/** A watermark as a picture with its size in CSS pixels; one with tile layout repeats. */
export interface WatermarkImage {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** Draws a mark; undefined if it is empty. */
export async function drawWatermark(mark: Watermark): Promise<WatermarkImage | undefined> {
  const { lines, size, lineGap, color, opacity, layout } = mark
  const picture = mark.image === '' ? undefined : await loaded(mark.image)
  if (lines.length === 0 && picture === undefined) return undefined
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  if (pen === null) return undefined
  const font = `${size}px ${family}`
  pen.font = font
  const lineHeight = size * 1.2 + lineGap
  const above = picture === undefined ? 0 : picture.height + lineGap
  const block = {
    width: Math.max(1, picture?.width ?? 0, ...lines.map((line) => pen.measureText(line).width)),
    height: Math.max(1, above + lines.length * lineHeight),
  }
  const isCorner = layout === 'corner'
  const look = isCorner
    ? { rotate: 0, padding: 0 }
    : { rotate: mark.rotate, padding: layout === 'tile' ? mark.padding : 0 }
  const cell = watermarkCell(block, look)
  canvas.width = Math.ceil(cell.width * dense)
  canvas.height = Math.ceil(cell.height * dense)
  pen.scale(dense, dense)
  pen.translate(cell.width / 2, cell.height / 2)
  pen.rotate((-look.rotate * Math.PI) / 180)
  pen.globalAlpha = opacity
  if (picture !== undefined)
    pen.drawImage(picture.image, -picture.width / 2, -block.height / 2, picture.width, picture.height)
  pen.font = font
  pen.fillStyle = color
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  for (const [n, line] of lines.entries()) pen.fillText(line, 0, -block.height / 2 + above + (n + 0.5) * lineHeight)
  return { url: canvas.toDataURL('image/png'), ...cell }
}

async function loaded(src: string) {
  const image = new Image()
  image.src = src
  await image.decode()
  const scale = Math.min(1, pictureRoom.width / image.width, pictureRoom.height / image.height)
  return { image, width: image.width * scale, height: image.height * scale }
}

/** The CSS that places a mark over an element. */
export function watermarkStyle({ url, width, height }: WatermarkImage, { layout }: Pick<Watermark, 'layout'>): string {
  const place =
    layout === 'tile'
      ? `0 0 / ${width}px ${height}px repeat`
      : layout === 'corner'
        ? `right 24px bottom 24px / ${width}px ${height}px no-repeat`
        : `center / min(80%, ${width * 3}px) auto no-repeat`
  return `position:absolute;inset:0;pointer-events:none;background:url(${url}) ${place};print-color-adjust:exact;`
}

/** The CSS of the invisible mark: one layer reduces the blue channel, one increases it. */
function traceStyles(written: string): string[] {
  const fields = traceBits(written)
  return [false, true].flatMap((isBluer) => {
    const canvas = document.createElement('canvas')
    canvas.width = traceFields
    canvas.height = traceFields
    const pen = canvas.getContext('2d')
    if (pen === null) return []
    const pixels = pen.createImageData(traceFields, traceFields)
    for (const [n, field] of fields.entries())
      pixels.data.set([0, 0, field === isBluer ? traceStrength : 0, 255], n * 4)
    pen.putImageData(pixels, 0, 0)
    const place = `0 0 / ${traceSquare}px ${traceSquare}px repeat`
    const blend = isBluer ? 'plus-lighter' : 'difference'
    return [
      `position:absolute;inset:0;pointer-events:none;background:url(${canvas.toDataURL('image/png')}) ${place};image-rendering:pixelated;mix-blend-mode:${blend};`,
    ]
  })
}

export interface WatermarkOverlayProps {
  readonly watermark: Watermark
  readonly zIndex?: number
}

/** Covers its parent element, which must be positioned. */
export function WatermarkOverlay({ watermark, zIndex = watermarkZIndex }: WatermarkOverlayProps): ReactNode {
  const anchor = useRef<HTMLSpanElement>(null)
  const key = JSON.stringify(watermark)
  useEffect(() => {
    const room = anchor.current?.parentElement
    if (room === null || room === undefined) return
    let gone = false
    let overs: readonly HTMLElement[] = []
    let styles: readonly string[] = []
    const put = (): void => {
      for (const over of overs) over.remove()
      overs = styles.map((style) => {
        const over = document.createElement('div')
        over.className = 'pv-mark'
        over.setAttribute('aria-hidden', 'true')
        over.setAttribute('style', style)
        return over
      })
      room.append(...overs)
    }
    const watch = new MutationObserver(() => {
      const isAsPut = (over: HTMLElement, n: number): boolean =>
        over.parentElement === room &&
        over.getAttribute('style') === styles[n] &&
        !over.hidden &&
        over.className === 'pv-mark'
      if (overs.every(isAsPut)) return
      put()
      watch.takeRecords()
    })
    const mark = JSON.parse(key) as Watermark
    void drawWatermark(mark).then((drawn) => {
      if (gone) return
      const seen = drawn === undefined ? [] : [watermarkStyle(drawn, mark)]
      const unseen = mark.trace === undefined ? [] : traceStyles(mark.trace)
      styles = [...unseen, ...seen].map((style) => `${style}z-index:${zIndex}`)
      if (styles.length === 0) return
      put()
      watch.observe(room, { childList: true })
      if (overs.length > 0)
        watch.observe(room, {
          childList: true,
          subtree: true,
          attributes: true,
          attributeFilter: ['style', 'hidden', 'class'],
        })
    })
    return () => {
      gone = true
      watch.disconnect()
      for (const over of overs) over.remove()
    }
  }, [key, zIndex])
  return <span ref={anchor} hidden />
}
