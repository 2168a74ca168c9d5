/*
 * Detects the invisible mark (trace-code.ts) in a screenshot or photo whose offset and scale are unknown.
 *
 * The measure is how much bluer a pixel is than its surroundings. High-contrast content (text, lines, pictures) is
 * weighted less, as it drowns the mark. For each tried scale the whole picture is folded onto one square, in steps of
 * half a field, and compared with the fixed fields at each possible offset. If they match, the other fields are
 * decoded; the checksum decides whether it is a mark.
 */
import { traceFields, traceSquare } from '@cloudoc/domain'
import sharp from 'sharp'
import { Refused } from '../refusal.ts'
import { readTrace, traceLayout, traceValues } from './trace-code.ts'

const mostPixels = 50_000_000
/** The longer side of the examined picture. */
const longest = 4096
/** Scales that screens and programs commonly produce. */
const usual = [1, 2, 1.5, 1.25, 0.5, 0.75, 1.75]
const [smallest, largest] = [0.4, 2.4]
/** From this scale on, half of the resolution is enough. */
const halfFrom = 0.8
/** A lower score is not a mark: noise reaches about 4. */
const leastScore = 5
const cells = traceFields * 2
/** The side of a field at scale 1. */
const traceField = traceSquare / traceFields

interface Plane {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

export interface FoundTrace {
  /** Undefined if no mark was found. */
  readonly id: string | undefined
  /** The detected scale. */
  readonly scale: number
  readonly width: number
  readonly height: number
}

export async function findTrace(bytes: Uint8Array): Promise<FoundTrace> {
  const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' })
  const known = await picture.metadata().catch(() => undefined)
  if (known === undefined) throw new Refused('conversionUnsupported')
  const { data, info } = await picture
    .autoOrient()
    .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = known.autoOrient
  const { channels } = info
  // A picture without colours cannot contain the mark.
  if (channels < 3) return { id: undefined, scale: 1, width, height }
  const full = blueness(data, info.width, info.height, channels)
  const found = search(full)
  return { id: found?.id, scale: found?.scale ?? 1, width, height }
}

/** How much bluer each pixel is than its surroundings, weighted less in high-contrast areas. */
function blueness(data: Uint8Array, width: number, height: number, channels: number): Plane {
  const values = new Float32Array(width * height)
  for (let n = 0, at = 0; n < values.length; n += 1, at += channels)
    values[n] = (data[at + 2] ?? 0) - ((data[at] ?? 0) + (data[at + 1] ?? 0)) / 2
  const around = means(values, width, height, traceField * 4)
  for (let n = 0; n < values.length; n += 1) values[n] = Math.max(-8, Math.min(8, (values[n] ?? 0) - (around[n] ?? 0)))
  const power = means(
    values.map((value) => value * value),
    width,
    height,
    6,
  )
  for (let n = 0; n < values.length; n += 1) values[n] = (values[n] ?? 0) / ((power[n] ?? 0) + 2)
  return { width, height, values }
}

/** The mean around each pixel, within `reach` to each side. */
function means(values: Float32Array, width: number, height: number, reach: number): Float32Array {
  const across = new Float32Array(values.length)
  const both = new Float32Array(values.length)
  const pass = (from: Float32Array, to: Float32Array, length: number, lines: number, step: number, next: number) => {
    for (let line = 0; line < lines; line += 1) {
      const at = line * next
      let [sum, count] = [0, 0]
      for (let n = 0; n < Math.min(reach, length); n += 1, count += 1) sum += from[at + n * step] ?? 0
      for (let n = 0; n < length; n += 1) {
        if (n + reach < length) {
          sum += from[at + (n + reach) * step] ?? 0
          count += 1
        }
        if (n > reach) {
          sum -= from[at + (n - reach - 1) * step] ?? 0
          count -= 1
        }
        to[at + n * step] = sum / count
      }
    }
  }
  pass(values, across, width, height, 1, width)
  pass(across, both, height, width, width, 1)
  return both
}

function halved({ width, height, values }: Plane): Plane {
  const [across, down] = [width >> 1, height >> 1]
  const half = new Float32Array(across * down)
  for (let y = 0; y < down; y += 1)
    for (let x = 0; x < across; x += 1) {
      const at = 2 * y * width + 2 * x
      half[y * across + x] =
        ((values[at] ?? 0) + (values[at + 1] ?? 0) + (values[at + width] ?? 0) + (values[at + width + 1] ?? 0)) / 4
    }
  return { width: across, height: down, values: half }
}

/** A scale to try: the plane to search, and the side of a field in it. */
interface Tried {
  readonly plane: Plane
  readonly field: number
  readonly scale: number
}

function search(full: Plane): { readonly id: string; readonly scale: number } | undefined {
  const half = halved(full)
  const at = (scale: number): Tried =>
    scale >= halfFrom
      ? { plane: half, field: (traceField / 2) * scale, scale }
      : { plane: full, field: traceField * scale, scale }
  for (const scale of usual) {
    const { id } = attempt(at(scale))
    if (id !== undefined) return { id, scale }
  }
  /** The step between scales: two scales this far apart differ by half a field at the edge of the picture. */
  const stepAt = ({ plane, field }: Tried): number => (0.8 * field) / Math.max(plane.width, plane.height)
  const near: { readonly tried: Tried; readonly score: number }[] = []
  for (let scale = smallest; scale <= largest; ) {
    const tried = at(scale)
    const { id, score } = attempt(tried)
    if (id !== undefined) return { id, scale }
    near.push({ tried, score })
    scale *= 1 + stepAt(tried)
  }
  // Refines between the best matches.
  for (const { tried } of near.toSorted((a, b) => b.score - a.score).slice(0, 6))
    for (const part of [-0.4, -0.2, 0.2, 0.4]) {
      const scale = tried.scale * (1 + part * stepAt(tried))
      const { id } = attempt({ ...tried, field: tried.field * (scale / tried.scale) })
      if (id !== undefined) return { id, scale }
    }
  return undefined
}

function attempt({ plane, field }: Tried): { readonly id?: string | undefined; readonly score: number } {
  const folded = fold(plane, field)
  const { score, right, down } = place(folded)
  return score < leastScore ? { score } : { score, id: read(folded, right, down) }
}

/** Folds the picture onto one square: for each half of a field, the sum of a field that begins there. */
function fold({ width, height, values }: Plane, field: number): Float64Array {
  const cellOf = (n: number, length: number): number =>
    (((Math.floor((n + 0.5 - length / 2) / (field / 2)) % cells) + cells) % cells) | 0
  const columns = Int32Array.from({ length: width }, (_, x) => cellOf(x, width))
  const sums = new Float64Array(cells * cells)
  const [across, along] = [new Float64Array(cells), new Float64Array(cells)]
  for (const column of columns) across[column] = (across[column] ?? 0) + 1
  for (let y = 0; y < height; y += 1) {
    const row = cellOf(y, height)
    along[row] = (along[row] ?? 0) + 1
    const [to, from] = [row * cells, y * width]
    for (let x = 0; x < width; x += 1) {
      const cell = to + (columns[x] ?? 0)
      sums[cell] = (sums[cell] ?? 0) + (values[from + x] ?? 0)
    }
  }
  for (let row = 0; row < cells; row += 1)
    for (let column = 0; column < cells; column += 1) {
      const count = (across[column] ?? 0) * (along[row] ?? 0)
      if (count > 0) sums[row * cells + column] = (sums[row * cells + column] ?? 0) / count
    }
  level(sums, cells, 1)
  level(sums, 1, cells)
  const folded = new Float64Array(cells * cells)
  for (let row = 0; row < cells; row += 1)
    for (let column = 0; column < cells; column += 1) {
      const [below, beside] = [((row + 1) % cells) * cells, (column + 1) % cells]
      folded[row * cells + column] =
        (sums[row * cells + column] ?? 0) +
        (sums[row * cells + beside] ?? 0) +
        (sums[below + column] ?? 0) +
        (sums[below + beside] ?? 0)
    }
  return folded
}

/** Subtracts the mean of each line: table stripes and text lines are not a mark, whose fields vary along every line. */
function level(sums: Float64Array, next: number, step: number): void {
  for (let line = 0; line < cells; line += 1) {
    let mean = 0
    for (let n = 0; n < cells; n += 1) mean += (sums[line * next + n * step] ?? 0) / cells
    for (let n = 0; n < cells; n += 1) sums[line * next + n * step] = (sums[line * next + n * step] ?? 0) - mean
  }
}

const { signs, values: valueAt } = traceLayout
const known = Array.from(valueAt.keys()).filter((field) => (valueAt[field] ?? 0) < 0)

/** Finds the offset of the square and its score: how well the fixed fields match there, in standard deviations. */
function place(folded: Float64Array): { readonly score: number; readonly right: number; readonly down: number } {
  const fits = new Float64Array(cells * cells)
  for (const field of known) {
    const [top, left] = [Math.floor(field / traceFields) * 2, (field % traceFields) * 2]
    const sign = signs[field] ?? 0
    for (let down = 0; down < cells; down += 1) {
      const [row, to] = [((top + down) % cells) * cells, down * cells]
      for (let right = 0, column = left; right < cells; right += 1) {
        fits[to + right] = (fits[to + right] ?? 0) + sign * (folded[row + column] ?? 0)
        column = column + 1 === cells ? 0 : column + 1
      }
    }
  }
  const mean = folded.reduce((sum, value) => sum + value, 0) / folded.length
  const deviation = Math.sqrt(folded.reduce((sum, value) => sum + (value - mean) ** 2, 0) / folded.length)
  let best = 0
  for (const [n, fit] of fits.entries()) if (fit > (fits[best] ?? 0)) best = n
  const score = deviation === 0 ? 0 : (fits[best] ?? 0) / (deviation * Math.sqrt(known.length))
  return { score, right: best % cells, down: Math.floor(best / cells) }
}

function read(folded: Float64Array, right: number, down: number): string | undefined {
  const soft = new Float64Array(traceValues)
  for (const [field, value] of valueAt.entries()) {
    if (value < 0) continue
    const row = (Math.floor(field / traceFields) * 2 + down) % cells
    const column = ((field % traceFields) * 2 + right) % cells
    soft[value] = (signs[field] ?? 0) * (folded[row * cells + column] ?? 0)
  }
  return readTrace(soft)
}
