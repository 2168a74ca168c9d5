// OpenDocument: words, tables and slides in order; how they look is left to an office program.
import type { Block, Flow, Paragraph, Run, SheetBody, SheetCell, Sheets, Slides, TableCell } from '@cloudoc/contract'
import { Refused } from '../refusal.ts'
import { type OfficePackage, openPackage } from './package.ts'
import type { Reader } from './reader.ts'
import { at, child, children, descendants, type Element, numberAt } from './xml.ts'

const mostRepeated = 1000

export const readOdf: Reader = (reading): Flow | Sheets | Slides => {
  const office = openPackage(reading.bytes, reading.parts)
  if (office.zip.bytes('META-INF/manifest.xml')?.includes('encryption-data') === true)
    throw new Refused('sourceEncrypted')
  const body = at(office.xml('content.xml'), 'office:body')
  const text = child(body, 'office:text')
  if (text !== undefined) return { kind: 'flow', blocks: blocksOf(text, office, 0) }
  const book = child(body, 'office:spreadsheet')
  if (book !== undefined) return sheetsOf(book, reading.parts, reading.mostCells)
  const deck = child(body, 'office:presentation')
  if (deck === undefined) throw new Refused('conversionFailed', 'no document in it')
  return slidesOf(deck, office)
}

function blocksOf(element: Element | undefined, office: OfficePackage, level: number): Block[] {
  return children(element).flatMap((one): Block[] => {
    switch (one.name) {
      case 'text:h':
        return [
          {
            is: 'text',
            runs: runsOf(one, office),
            heading: Math.min(6, numberAt(one, 'text:outline-level') ?? 1),
            before: 12,
            after: 6,
          },
        ]
      case 'text:p':
        return [{ is: 'text', runs: runsOf(one, office), after: 6, ...(level === 0 ? {} : { indent: level * 24 }) }]
      case 'text:list':
        return children(one, 'text:list-item').flatMap((item) =>
          blocksOf(item, office, level + 1).map((block, n): Block => {
            return block.is === 'text' && n === 0 && block.mark === undefined
              ? ({ ...block, mark: '•' } satisfies Paragraph)
              : block
          }),
        )
      case 'table:table':
        return [
          {
            is: 'table',
            widths: [],
            rows: [...descendants(one, 'table:table-row')].map((row) => cellsOf(row, office)),
          },
        ]
      case 'text:section':
      case 'text:index-body':
      case 'text:table-of-content':
        return blocksOf(one, office, level)
      default:
        return []
    }
  })
}

function cellsOf(row: Element, office: OfficePackage): TableCell[] {
  return children(row, 'table:table-cell').map((cell) => {
    const across = numberAt(cell, 'table:number-columns-spanned') ?? 1
    const down = numberAt(cell, 'table:number-rows-spanned') ?? 1
    return { blocks: blocksOf(cell, office, 0), ...(across > 1 ? { across } : {}), ...(down > 1 ? { down } : {}) }
  })
}

function runsOf(element: Element, office: OfficePackage): Run[] {
  return element.children.flatMap((one): Run[] => {
    if (typeof one === 'string') return one === '' ? [] : [{ text: one.replace(/\s+/g, ' ') }]
    switch (one.name) {
      case 'text:s':
        return [{ text: ' '.repeat(Math.min(200, numberAt(one, 'text:c') ?? 1)) }]
      case 'text:tab':
        return [{ text: '\t' }]
      case 'text:line-break':
        return [{ text: '\n' }]
      case 'draw:frame': {
        const path = child(one, 'draw:image')?.attributes['xlink:href'] ?? ''
        const part = path === '' ? undefined : office.picture(path)
        return part === undefined
          ? []
          : [{ image: { part, width: pixels(one, 'svg:width'), height: pixels(one, 'svg:height'), alt: '' } }]
      }
      case 'office:annotation':
      case 'text:note':
        return []
      default:
        return runsOf(one, office)
    }
  })
}

const perUnit: Readonly<Record<string, number>> = { cm: 37.8, mm: 3.78, in: 96, pt: 96 / 72, px: 1 }

function pixels(element: Element, attribute: string): number {
  const found = /^([\d.]+)(cm|mm|in|pt|px)$/.exec(element.attributes[attribute] ?? '')
  return found === null ? 0 : Math.round(Number(found[1]) * (perUnit[found[2] ?? ''] ?? 1))
}

function sheetsOf(book: Element, parts: { json: (value: unknown) => number }, mostCells: number): Sheets {
  let left = mostCells
  let cut = false
  const sheets = children(book, 'table:table').map((table, n) => {
    const rows: [number, SheetCell[]][] = []
    let [row, columns] = [0, 0]
    for (const one of descendants(table, 'table:table-row')) {
      const cells: SheetCell[] = []
      let column = 0
      for (const cell of children(one)) {
        const repeated = numberAt(cell, 'table:number-columns-repeated') ?? 1
        const text = children(cell, 'text:p')
          .map((p) => runsText(p))
          .join('\n')
        if (text !== '') {
          for (let k = 0; k < Math.min(repeated, mostRepeated); k += 1) cells.push([column + k, text, 0])
        }
        column += repeated
      }
      const again = Math.min(cells.length === 0 ? 1 : mostRepeated, numberAt(one, 'table:number-rows-repeated') ?? 1)
      for (let k = 0; k < again && cells.length > 0; k += 1) {
        left -= cells.length
        if (left < 0) cut = true
        else rows.push([row + k, cells])
      }
      if (cells.length > 0) columns = Math.max(columns, (cells.at(-1)?.[0] ?? 0) + 1)
      row += numberAt(one, 'table:number-rows-repeated') ?? 1
    }
    const last = (rows.at(-1)?.[0] ?? -1) + 1
    const part = parts.json({ rows, widths: {}, heights: {}, merges: [], images: [] } satisfies SheetBody)
    return { name: table.attributes['table:name'] ?? `${n + 1}`, part, rows: last, columns, frozen: [0, 0] as const }
  })
  return { kind: 'sheets', sheets, styles: [{}], cut }
}

function runsText(element: Element): string {
  return element.children.map((one) => (typeof one === 'string' ? one : runsText(one))).join('')
}

function slidesOf(deck: Element, office: OfficePackage): Slides {
  const slides = children(deck, 'draw:page').map((page) => ({
    shapes: children(page).flatMap((one) => {
      if (!/^draw:(frame|custom-shape|rect)$/.test(one.name)) return []
      const place = {
        x: pixels(one, 'svg:x'),
        y: pixels(one, 'svg:y'),
        width: pixels(one, 'svg:width'),
        height: pixels(one, 'svg:height'),
      }
      const path = child(one, 'draw:image')?.attributes['xlink:href'] ?? ''
      const image = path === '' ? undefined : office.picture(path)
      const blocks = blocksOf(child(one, 'draw:text-box') ?? one, office, 0)
      if (image === undefined && blocks.length === 0) return []
      return [{ ...place, ...(image === undefined ? {} : { image }), ...(blocks.length === 0 ? {} : { blocks }) }]
    }),
  }))
  return { kind: 'slides', width: 1058, height: 595, slides }
}
