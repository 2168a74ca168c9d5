// OpenDocument: words, tables and slides in order; how words and slides look is left to an office program.
import type { Block, Flow, Paragraph, Run, Sheets, SlideShape, Slides, TableCell } from '@cloudoc/contract'
import { Refused } from '../refusal.ts'
import { chartIn } from './odf-charts.ts'
import { sheetsOf } from './odf-sheets.ts'
import { pixels } from './odf-size.ts'
import { type OfficePackage, openPackage } from './package.ts'
import type { Reader } from './reader.ts'
import { at, child, children, descendants, type Element, numberAt } from './xml.ts'

export const readOdf: Reader = (reading): Flow | Sheets | Slides => {
  const office = openPackage(reading.bytes, reading.parts)
  if (office.zip.bytes('META-INF/manifest.xml')?.includes('encryption-data') === true)
    throw new Refused('sourceEncrypted')
  const body = at(office.xml('content.xml'), 'office:body')
  const text = child(body, 'office:text')
  if (text !== undefined) return { kind: 'flow', blocks: blocksOf(text, office, 0) }
  const book = child(body, 'office:spreadsheet')
  if (book !== undefined) return sheetsOf(book, office, reading.parts, reading.mostCells)
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
        const drawing = chartIn(one, office)
        if (drawing !== undefined) return [{ drawing }]
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

function slidesOf(deck: Element, office: OfficePackage): Slides {
  const slides = children(deck, 'draw:page').map((page) => ({
    shapes: children(page).flatMap((one): SlideShape[] => {
      if (!/^draw:(frame|custom-shape|rect)$/.test(one.name)) return []
      const place = {
        x: pixels(one, 'svg:x'),
        y: pixels(one, 'svg:y'),
        width: pixels(one, 'svg:width'),
        height: pixels(one, 'svg:height'),
      }
      const drawing = chartIn(one, office)
      if (drawing !== undefined) return [{ ...place, drawing }]
      const path = child(one, 'draw:image')?.attributes['xlink:href'] ?? ''
      const image = path === '' ? undefined : office.picture(path)
      const blocks = blocksOf(child(one, 'draw:text-box') ?? one, office, 0)
      if (image === undefined && blocks.length === 0) return []
      return [{ ...place, ...(image === undefined ? {} : { image }), ...(blocks.length === 0 ? {} : { blocks }) }]
    }),
  }))
  return { kind: 'slides', width: 1058, height: 595, slides }
}
