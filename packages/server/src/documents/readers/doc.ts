/*
 * Reader of Word 97 to 2003 documents ([MS-DOC]): text by the piece table, paragraphs, tables, character formatting and
 * inline pictures. Floating objects and page breaks are left to an office program.
 */
import type { Block, Flow, Paragraph, Run, TableCell } from '@cloudoc/contract'
import type { HiddenContentKind } from '@cloudoc/domain'
import type { Parts } from '../container.ts'
import { blockText } from '../extracted-text.ts'
import { Refused } from '../refusal.ts'
import { openOle, readerOfOther } from './ole.ts'
import { fromPoints, fromTwips, pictureType } from './package.ts'
import { appendRun, type Reader } from './reader.ts'

const mostLetters = 20_000_000

export const readDoc: Reader = async (reading) => {
  const { bytes, parts, hidden } = reading
  const other = await readerOfOther(bytes, async () => (await import('./docx.ts')).readDocx)
  if (other !== undefined) return other(reading)
  const file = openOle(bytes)
  const main = file.stream('WordDocument')
  if (main === undefined || main.length < 0x1aa || main.readUInt16LE(0) !== 0xa5ec)
    throw new Refused('conversionFailed', 'no document in it')
  const flags = main.readUInt16LE(0x0a)
  if ((flags & 0x100) !== 0) throw new Refused('sourceEncrypted')
  // Word 6 and 95 use the machine's own code page.
  if (main.readUInt16LE(2) < 0xc1) return early(main)
  const table = file.stream((flags & 0x200) !== 0 ? '1Table' : '0Table')
  if (table === undefined) throw new Refused('conversionFailed', 'no table in it')
  const body = main.readInt32LE(0x4c)
  const text = piecesOf(main, table)
  const looks = runsByPlace(main, table)
  const paragraphs = paragraphsByPlace(main, table)
  const data = file.stream('Data')
  const read = reader(text, { looks, paragraphs, parts, data })
  // After the body: notes, and headers and footers.
  const notes = main.readInt32LE(0x50)
  const blocks = read(0, body)
  const below = notes > 0 ? read(body, body + notes) : []
  if (hidden !== undefined) {
    let at = body + notes
    for (const [place, field] of besideText) {
      const length = Math.max(0, main.readInt32LE(field))
      const text = length === 0 || place === undefined ? '' : blockText(read(at, at + length))
      if (text !== '' && place !== undefined) hidden.add({ kind: 'whole', name: '', place, text })
      at += length
    }
  }
  return { kind: 'flow', blocks: below.length === 0 ? blocks : [...blocks, { is: 'rule' }, ...below] }
}

/** The texts behind the notes, in the order of the file, with the fields of their lengths. */
const besideText: readonly (readonly [place: HiddenContentKind | undefined, field: number])[] = [
  ['headerFooter', 0x54],
  [undefined, 0x58],
  ['comment', 0x5c],
  ['hidden', 0x60],
  ['hidden', 0x64],
  ['hidden', 0x68],
]

function early(main: Buffer): Flow {
  const text = new TextDecoder('gb18030').decode(main.subarray(main.readUInt32LE(0x18), main.readUInt32LE(0x1c)))
  const lines = text.replaceAll('\f', '\r').replaceAll('\u0007', '\r').split('\r').map(visible)
  return { kind: 'flow', blocks: lines.map((line): Paragraph => ({ is: 'text', runs: [{ text: line }], after: 4 })) }
}

/** A run of text that is contiguous in the file. */
interface Piece {
  readonly from: number
  readonly to: number
  readonly at: number
  readonly wide: boolean
  readonly text: string
}

function piecesOf(main: Buffer, table: Buffer): Piece[] {
  let at = main.readUInt32LE(0x1a2)
  const end = at + main.readUInt32LE(0x1a6)
  while (at < end && table[at] === 1) at += 3 + table.readUInt16LE(at + 1)
  if (table[at] !== 2) throw new Refused('conversionFailed', 'no pieces')
  const count = (table.readUInt32LE(at + 1) - 4) / 12
  const plc = at + 5
  const pieces: Piece[] = []
  let letters = 0
  for (let n = 0; n < count; n += 1) {
    const [from, to] = [table.readUInt32LE(plc + n * 4), table.readUInt32LE(plc + n * 4 + 4)]
    const fc = table.readUInt32LE(plc + (count + 1) * 4 + n * 8 + 2)
    const wide = (fc & 0x40000000) === 0
    const place = wide ? fc : (fc & 0x3fffffff) >> 1
    letters += to - from
    if (to < from || letters > mostLetters) throw new Refused('conversionFailed', 'pieces that cannot be')
    const bytes = main.subarray(place, place + (to - from) * (wide ? 2 : 1))
    pieces.push({ from, to, at: place, wide, text: wide ? bytes.toString('utf16le') : narrow.decode(bytes) })
  }
  return pieces
}

const narrow = new TextDecoder('windows-1252')

/** A value that applies to a range of bytes of the file. */
interface Stretch<T> {
  readonly from: number
  readonly to: number
  readonly value: T
}

type Sprm = (sprm: number, operand: Buffer) => void

/** Iterates over the property changes (sprms). */
function eachSprm(grpprl: Buffer, told: Sprm): void {
  for (let at = 0; at + 2 <= grpprl.length; ) {
    const sprm = grpprl.readUInt16LE(at)
    at += 2
    const sizes = [1, 1, 2, 4, 2, 2, -1, 3]
    let size = sizes[sprm >> 13] ?? 1
    if (size < 0) {
      if (sprm === 0xd608) size = at + 2 <= grpprl.length ? grpprl.readUInt16LE(at) + 1 : 0
      else size = (grpprl[at] ?? 0) + 1
    }
    if (at + size > grpprl.length) return
    told(sprm, grpprl.subarray(at, at + size))
    at += size
  }
}

/**
 * Reads formatting pages of 512 bytes, which map byte ranges to properties. `read` is called for each range with its
 * position on the page.
 */
function stretches<T>(
  main: Buffer,
  table: Buffer,
  plcAt: number,
  read: (page: Buffer, n: number, count: number) => T | undefined,
): Stretch<T>[] {
  const [at, size] = [main.readUInt32LE(plcAt), main.readUInt32LE(plcAt + 4)]
  const count = Math.max(0, (size - 4) / 8)
  const found: Stretch<T>[] = []
  for (let n = 0; n < count; n += 1) {
    const where = at + (count + 1) * 4 + n * 4
    if (where + 4 > table.length) break
    const place = (table.readUInt32LE(where) & 0x3fffff) * 512
    const page = main.subarray(place, place + 512)
    if (page.length < 512) continue
    const runs = page[511] ?? 0
    for (let run = 0; run < runs && (run + 2) * 4 <= 511; run += 1) {
      const value = read(page, run, runs)
      if (value !== undefined)
        found.push({ from: page.readUInt32LE(run * 4), to: page.readUInt32LE(run * 4 + 4), value })
    }
  }
  return found.sort((a, b) => a.from - b.from)
}

function stretchAt<T>(list: readonly Stretch<T>[], place: number): T | undefined {
  let [low, high] = [0, list.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const one = list[middle]
    if (one === undefined || place < one.from) high = middle - 1
    else if (place >= one.to) low = middle + 1
    else return one.value
  }
  return undefined
}

type RunFormat = { -readonly [K in keyof Omit<Run, 'text' | 'image'>]: Run[K] } & { picture?: number; hidden?: true }

function runsByPlace(main: Buffer, table: Buffer): Stretch<RunFormat>[] {
  return stretches(main, table, 0xfa, (page, n, count) => {
    const at = (page[(count + 1) * 4 + n] ?? 0) * 2
    if (at === 0) return undefined
    const look: RunFormat = {}
    eachSprm(page.subarray(at + 1, at + 1 + (page[at] ?? 0)), (sprm, operand) => {
      const on = operand[0] === 1
      if (sprm === 0x0835 && on) look.bold = true
      else if (sprm === 0x0836 && on) look.italic = true
      else if (sprm === 0x0837 && on) look.strike = true
      else if (sprm === 0x083c && on) look.hidden = true
      else if (sprm === 0x2a3e && operand[0] !== 0) look.underline = true
      else if (sprm === 0x4a43) look.size = fromPoints(operand.readUInt16LE(0) / 2)
      else if (sprm === 0x2a48) {
        if (operand[0] === 1) look.raised = 'super'
        else if (operand[0] === 2) look.raised = 'sub'
      } else if (sprm === 0x6870 && operand[3] === 0) look.color = `#${operand.toString('hex', 0, 3)}`
      else if (sprm === 0x6a03) look.picture = operand.readUInt32LE(0)
    })
    return look
  })
}

interface ParagraphFormat {
  heading?: number
  inTable?: true
  endsRow?: true
  align?: 'center' | 'end' | 'justify'
  indent?: number
  firstLine?: number
}

const alignments = [undefined, 'center', 'end', 'justify'] as const

function paragraphsByPlace(main: Buffer, table: Buffer): Stretch<ParagraphFormat>[] {
  return stretches(main, table, 0x102, (page, n, count) => {
    const at = (page[(count + 1) * 4 + n * 13] ?? 0) * 2
    if (at === 0) return undefined
    const short = page[at] ?? 0
    const [from, size] = short === 0 ? [at + 2, (page[at + 1] ?? 0) * 2] : [at + 1, short * 2 - 1]
    const papx = page.subarray(from, from + size)
    if (papx.length < 2) return undefined
    const style = papx.readUInt16LE(0)
    const look: ParagraphFormat = style >= 1 && style <= 9 ? { heading: Math.min(6, style) } : {}
    eachSprm(papx.subarray(2), (sprm, operand) => {
      if (sprm === 0x2416 && operand[0] === 1) look.inTable = true
      else if (sprm === 0x2417 && operand[0] === 1) look.endsRow = true
      else if (sprm === 0x2403 || sprm === 0x2461) {
        const align = alignments[operand[0] ?? 0]
        if (align !== undefined) look.align = align
      } else if (sprm === 0x840f || sprm === 0x845e) look.indent = Math.max(0, fromTwips(operand.readInt16LE(0)))
      else if (sprm === 0x8411 || sprm === 0x8460) look.firstLine = fromTwips(operand.readInt16LE(0))
    })
    return look
  })
}

interface FormatTables {
  readonly looks: readonly Stretch<RunFormat>[]
  readonly paragraphs: readonly Stretch<ParagraphFormat>[]
  readonly parts: Parts
  readonly data: Buffer | undefined
}

/** Removes control characters that stand for something other than a letter. */
const visible = (text: string): string =>
  [...text.replaceAll('\u000b', '\n').replaceAll('\u001e', '-')]
    .filter((char) => char >= ' ' || char === '\t' || char === '\n')
    .join('')

/** Reads a range of the text, by character positions. */
function reader(pieces: readonly Piece[], { looks, paragraphs, parts, data }: FormatTables) {
  return (start: number, end: number): Block[] => {
    const blocks: Block[] = []
    let runs: Run[] = []
    let cell: Block[] = []
    let row: TableCell[] = []
    let rows: TableCell[][] = []
    /** For each open field, whether its instructions are still being read. */
    const fields: boolean[] = []
    const endTable = (): void => {
      if (rows.length > 0) blocks.push({ is: 'table', widths: [], rows })
      rows = []
    }
    const put = (text: string, look: RunFormat | undefined): void => {
      if (fields.includes(true) || look?.hidden === true) return
      const shown = visible(text)
      if (shown === '') return
      const { picture: _, hidden: __, ...rest } = look ?? {}
      appendRun(runs, { ...rest, text: shown })
    }
    const paragraph = (look: ParagraphFormat | undefined): void => {
      const { heading, align, indent, firstLine } = look ?? {}
      const block: Paragraph = {
        is: 'text',
        runs,
        after: 4,
        ...(heading === undefined ? {} : { heading, before: 10 }),
        ...(align === undefined ? {} : { align }),
        ...(indent === undefined ? {} : { indent }),
        ...(firstLine === undefined ? {} : { firstLine }),
      }
      runs = []
      if (look?.inTable === true) cell.push(block)
      else {
        endTable()
        blocks.push(block)
      }
    }
    for (const piece of pieces) {
      const [from, to] = [Math.max(start, piece.from), Math.min(end, piece.to)]
      const width = piece.wide ? 2 : 1
      let [text, look]: [string, RunFormat | undefined] = ['', undefined]
      for (let n = from - piece.from; n < to - piece.from; n += 1) {
        const place = piece.at + n * width
        const found = stretchAt(looks, place)
        if (found !== look) {
          put(text, look)
          text = ''
          look = found
        }
        const char = piece.text[n] ?? ''
        const code = char.charCodeAt(0)
        if (code >= 0x20 || code === 9 || code === 0x0b || code === 0x1e) {
          text += char
          continue
        }
        put(text, look)
        text = ''
        if (code === 0x13) fields.push(true)
        else if (code === 0x14 && fields.length > 0) fields[fields.length - 1] = false
        else if (code === 0x15) fields.pop()
        else if (code === 1 && look?.picture !== undefined) {
          const image = pictureAt(data, look.picture, parts)
          if (image !== undefined) runs.push({ image })
        } else if (code === 0x0d) paragraph(stretchAt(paragraphs, place))
        else if (code === 0x0c) {
          if (runs.length > 0) paragraph(stretchAt(paragraphs, place))
          endTable()
          blocks.push({ is: 'pageBreak' })
        } else if (code === 7) {
          const about = stretchAt(paragraphs, place)
          if (about?.endsRow === true) {
            if (row.length > 0) rows.push(row)
            row = []
            runs = []
          } else {
            paragraph({ ...about, inTable: true })
            row.push({ blocks: cell })
            cell = []
          }
        }
      }
      put(text, look)
    }
    if (runs.length > 0) paragraph(undefined)
    if (row.length > 0) rows.push(row)
    endTable()
    return blocks
  }
}

/** An inline picture, if browsers support its type. */
function pictureAt(data: Buffer | undefined, at: number, parts: Parts): Run['image'] {
  if (data === undefined || at + 0x24 > data.length) return undefined
  const size = data.readUInt32LE(at)
  const held = data.subarray(at + data.readUInt16LE(at + 4), at + size)
  const found = findPicture(held)
  const type = found && pictureType(found)
  if (found === undefined || type === undefined) return undefined
  const scaled = (goal: number, scale: number): number =>
    fromTwips((data.readUInt16LE(at + goal) * (data.readUInt16LE(at + scale) || 1000)) / 1000)
  return { part: parts.bytes(type, found), width: scaled(0x1c, 0x20), height: scaled(0x1e, 0x22), alt: '' }
}

const pictureSigns = [Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a), Buffer.of(0xff, 0xd8, 0xff)]

/** Finds an embedded PNG or JPEG in other data. */
export function findPicture(bytes: Buffer): Buffer | undefined {
  const places = pictureSigns.map((sign) => bytes.indexOf(sign)).filter((place) => place >= 0)
  return places.length === 0 ? undefined : bytes.subarray(Math.min(...places))
}
