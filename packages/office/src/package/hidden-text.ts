/*
 * The text that an office document contains beside what its reader shows, for the check of sensitive content: comments,
 * tracked changes, hidden text, descriptions of pictures, properties, copies of data. The readers show nothing of it and
 * search does not find it, because a reader of the document is not meant to see it.
 */
import { child, children, type Element, isOn } from './elements.ts'

/** A document with tracked changes as it is now, or as it was before them. */
type Reading = 'now' | 'before'

/** A line of a part. */
interface Line {
  text: string
  /** It contains a tracked change. */
  isChanged: boolean
  isHidden: boolean
}

const localName = ({ name }: Element): string => name.slice(name.indexOf(':') + 1)

/** Elements whose text is one line, over however many runs it is split. */
const lineElements: ReadonlySet<string> = new Set(['p', 'text', 'si', 'is'])
/** Elements of a line whose white space counts. */
const textElements: ReadonlySet<string> = new Set(['t', 'delText', 'text'])
/** Text that is not of the document: instructions of fields, positions and settings of drawings, phonetic guides. */
const settings: ReadonlySet<string> = new Set([
  'instrText',
  'delInstrText',
  'posOffset',
  'align',
  'ClientData',
  'rPh',
  'Fallback',
])
const breaks: Readonly<Record<string, string>> = { tab: '\t', ptab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-' }
const gone: Readonly<Record<Reading, ReadonlySet<string>>> = {
  now: new Set(['del', 'moveFrom']),
  before: new Set(['ins', 'moveTo']),
}

/** The styles of a Word document whose text is hidden, by id. */
export function hiddenStyles(styles: Element | undefined): ReadonlySet<string> {
  const hidden = new Set<string>()
  const all = children(styles, 'w:style')
  const idOf = ({ attributes }: Element): string => attributes['w:styleId'] ?? ''
  for (let before = -1; before < hidden.size; ) {
    before = hidden.size
    for (const style of all) {
      const own = child(child(style, 'w:rPr'), 'w:vanish')
      const based = child(style, 'w:basedOn')?.attributes['w:val'] ?? ''
      if (own === undefined ? hidden.has(based) : isOn(own)) hidden.add(idOf(style))
    }
  }
  return hidden
}

const noStyles: ReadonlySet<string> = new Set()

/** The lines of a part, and whether they are hidden or changed. */
function linesOf(root: Element, reading: Reading, styles: ReadonlySet<string>): Line[] {
  const lines: Line[] = []
  const begin = (isHidden: boolean): Line => {
    const line = { text: '', isChanged: false, isHidden }
    lines.push(line)
    return line
  }
  const isStyled = (properties: Element | undefined, name: string): boolean =>
    styles.has(child(properties, name)?.attributes['w:val'] ?? '')
  const walk = (element: Element, line: Line | undefined): void => {
    for (const one of element.children) {
      if (typeof one === 'string') {
        const isText =
          line === undefined ? one.trim() !== '' : textElements.has(localName(element)) || one.trim() !== ''
        if (isText) (line ?? begin(false)).text += one
        continue
      }
      const name = localName(one)
      if (settings.has(name) || name.endsWith('Pr')) continue
      if (line !== undefined && breaks[name] !== undefined) line.text += breaks[name]
      const isChange = gone.now.has(name) || gone.before.has(name)
      if (isChange && line !== undefined) line.isChanged = true
      if (gone[reading].has(name)) continue
      if (lineElements.has(name)) walk(one, begin(isStyled(child(one, 'w:pPr'), 'w:pStyle')))
      else {
        if (one.name === 'w:r' && line !== undefined) {
          const look = child(one, 'w:rPr')
          line.isHidden ||= children(look, 'w:vanish').some(isOn) || isStyled(look, 'w:rStyle')
        }
        walk(one, line)
      }
    }
  }
  walk(root, lineElements.has(localName(root)) ? begin(false) : undefined)
  return lines.filter(({ text }) => text.trim() !== '')
}

const joined = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n')

/** The text of a part of which nothing is shown; a line with tracked changes is also told as it was before them. */
export function wholeText(root: Element): string {
  const before = linesOf(root, 'before', noStyles).filter(({ isChanged }) => isChanged)
  return joined([...linesOf(root, 'now', noStyles), ...before])
}

/** The lines of a part, each as a string of its own. */
export const partLines = (root: Element): string[] => linesOf(root, 'now', noStyles).map(({ text }) => text)

/** What a shown part of a Word document contains beside what is shown: lines before tracked changes, and hidden ones. */
export function unshownText(root: Element, styles: ReadonlySet<string>): { revision: string; hidden: string } {
  return {
    revision: joined(linesOf(root, 'before', styles).filter(({ isChanged }) => isChanged)),
    hidden: joined(linesOf(root, 'now', styles).filter(({ isHidden }) => isHidden)),
  }
}

function* everyElement(root: Element): Generator<Element> {
  yield root
  for (const one of children(root)) yield* everyElement(one)
}

/** Attributes that describe a picture, a table, a link or a cell to a person. */
const describing = ['descr', 'alt', 'tooltip', 'w:tooltip', 'promptTitle', 'prompt', 'errorTitle', 'error']
const titled: ReadonlySet<string> = new Set(['docPr', 'cNvPr', 'shape', 'rect'])
const captions: ReadonlySet<string> = new Set(['tblCaption', 'tblDescription'])

/** The descriptions in a part: alternative text of pictures and tables, tips of links, messages of cells. */
export function alternativeText(root: Element): string {
  const found: string[] = []
  for (const one of everyElement(root)) {
    const { attributes } = one
    const name = localName(one)
    if (titled.has(name) && attributes['title'] !== undefined) found.push(attributes['title'])
    if (captions.has(name)) found.push(attributes['w:val'] ?? '')
    for (const attribute of describing) if (attributes[attribute] !== undefined) found.push(attributes[attribute])
  }
  return [...new Set(found)].filter((text) => text.trim() !== '').join('\n')
}

/** The properties of a document, one a line, behind the names that its writer gave to them. */
export function propertiesText(root: Element): string {
  const found: string[] = []
  const walk = (element: Element, name: string): void => {
    for (const one of element.children) {
      if (typeof one !== 'string') walk(one, one.attributes['name'] ?? name)
      else if (one.trim() !== '') found.push(`${name} ${one.trim()}`.trim())
    }
  }
  walk(root, '')
  return found.join('\n')
}

/** The values that a pivot table keeps of the cells it was made from. */
export function cachedValues(root: Element): string {
  const found: string[] = []
  for (const one of everyElement(root)) {
    const value = one.attributes['v']
    if (value !== undefined && ['s', 'n', 'd'].includes(localName(one))) found.push(value)
  }
  return found.join('\n')
}

/** The comments of a sheet, each with the address of its cell. */
export function cellComments(root: Element): { readonly address: string; readonly text: string }[] {
  return [...everyElement(root)].flatMap((one) => {
    const name = localName(one)
    const address = one.attributes['ref']
    if ((name !== 'comment' && name !== 'threadedComment') || address === undefined) return []
    const text = wholeText(one)
    return text === '' ? [] : [{ address, text }]
  })
}
