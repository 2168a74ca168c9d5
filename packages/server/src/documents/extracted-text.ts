// Extracts the text of a document, for search and comparison.
import type { Block, Drawing, Rendition, Run, SheetBody, SlideShape } from '@cloudoc/contract'
import type { Parts } from './container.ts'

/** A section of a document's text: a page, a sheet, a slide, or the whole document if it has none. */
export interface TextSection {
  readonly kind: 'whole' | 'page' | 'sheet' | 'slide'
  /** The number of a page or slide, or the name of a sheet. */
  readonly name: string
  readonly text: string
}

/** Collects the parts of a rendition if only its text is needed. */
export function textParts(): Parts & { readonly values: unknown[] } {
  const values: unknown[] = [undefined]
  return {
    values,
    json: (value) => values.push(value) - 1,
    text: (text) => values.push(text) - 1,
    bytes: () => 0,
  }
}

export function textSectionsOf(rendition: Rendition, values: readonly unknown[]): TextSection[] {
  switch (rendition.kind) {
    case 'flow': {
      const { header = [], blocks, footer = [], sections } = rendition
      const edges = sections?.flatMap(({ usual, first, even }) => [usual, first, even]) ?? [{ header, footer }]
      // Sections share headers and footers; each is told once.
      const heads = new Set(edges.map((one) => blockText(one?.header ?? [])))
      const feet = new Set(edges.map((one) => blockText(one?.footer ?? [])))
      const text = [...heads, blockText(blocks), ...feet].filter((one) => one !== '').join('\n')
      return [{ kind: 'whole', name: '', text }]
    }
    case 'mail': {
      const { subject, from, to, cc, blocks, attachments } = rendition
      const around = [subject, from, to, cc].filter((one) => one !== '')
      const attached = attachments.map(({ name }) => name)
      return [{ kind: 'whole', name: '', text: [...around, blockText(blocks), ...attached].join('\n') }]
    }
    case 'sheets':
      return rendition.sheets.map(({ name, part }) => {
        const { rows, drawings = [] } = values[part] as SheetBody
        return {
          kind: 'sheet',
          name,
          text: [
            ...rows.map(([, cells]) => cells.map(([, text]) => text).join('\t')),
            ...drawings.map((one) => drawnText(one.drawing)),
          ].join('\n'),
        }
      })
    case 'slides':
      return rendition.slides.map(({ shapes, notes }, n) => {
        const text: string[] = []
        for (const { blocks, drawing, joined } of shapes) {
          const own = [blockText(blocks ?? []), drawing === undefined ? '' : drawnText(drawing)]
          const [first = '', ...more] = own.filter((one) => one !== '')
          if (joined === true && text.length > 0) text.push(`${text.pop()}${first}`, ...more)
          else if (first !== '') text.push(first, ...more)
        }
        return {
          kind: rendition.paper === true ? 'page' : 'slide',
          name: String(n + 1),
          text: [...text, ...namesOfMissing(shapes), ...(notes === undefined ? [] : [notes])].join('\n'),
        }
      })
    case 'text':
      return [{ kind: 'whole', name: '', text: String(values[rendition.part]) }]
    case 'pages':
      return rendition.pages.map(({ text }, n) => ({ kind: 'page', name: String(n + 1), text }))
    case 'listing':
      return [{ kind: 'whole', name: '', text: rendition.entries.map(({ path }) => path).join('\n') }]
    case 'picture':
    case 'pdf':
      return []
  }
}

const textIn = ({ text = '', drawing, missing }: Run): string =>
  drawing === undefined ? (missing?.name ?? text) : drawnText(drawing)

/** The names of what cannot be drawn on a slide. */
const namesOfMissing = (shapes: readonly SlideShape[]): string[] =>
  shapes.flatMap(({ missing }) => (missing === undefined || missing.name === '' ? [] : [missing.name]))

/** The text of a chart, without its numeric labels. */
function drawnText({ marks }: Drawing): string {
  return marks.flatMap(({ text = '' }) => (/^[\d,.%\u2212-]*$/.test(text) ? [] : [text])).join(' ')
}

/** The text of blocks, a line for each. */
export function blockText(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block): string[] => {
      switch (block.is) {
        case 'text':
          return [(block.mark === undefined ? '' : `${block.mark} `) + block.runs.map(textIn).join('')]
        case 'table':
          return block.rows.map((row) => row.map((cell) => blockText(cell.blocks)).join('\t'))
        case 'quote':
          return [blockText(block.blocks)]
        case 'code':
          return [block.text]
        default:
          return []
      }
    })
    .join('\n')
}
