// Writes Word documents: changed blocks are serialized, everything else is copied byte by byte.
import type { Attrs, Fragment, Node } from 'prosemirror-model'
import type { Placed } from '../package/index.ts'
import { escape } from '../package/index.ts'
import { elements, marks, type OpaqueAttrs, type Reader, type Source } from './model.ts'

interface Writing {
  readonly reader: Reader
  /** The last node of each source block that is still in the document, and the opaque pieces that are. */
  readonly last: ReadonlyMap<number, Node>
  readonly pieces: ReadonlySet<string>
  readonly used: Set<number>
}

/** Returns a part with one region rewritten. */
export function write(reader: Reader, region: Placed, content: Fragment): string {
  const { xml } = reader
  return xml.slice(0, region.inner) + writeInside(reader, region, content) + xml.slice(region.outer)
}

/** Returns the content of a region. */
export function writeInside(reader: Reader, region: Placed, content: Fragment): string {
  const last = new Map<number, Node>()
  const pieces = new Set<string>()
  content.descendants((node) => {
    if (typeof node.attrs['ref'] === 'number' && node.attrs['ref'] >= 0) last.set(node.attrs['ref'], node)
    if (node.type.name === 'kept') pieces.add((node.attrs as OpaqueAttrs).xml)
  })
  const writing: Writing = { reader, last, pieces, used: new Set() }
  return writeRegion(writing, region, region.inner, content)
}

/**
 * Writes the content of a region, with the text between the blocks that still exist. The properties of the region end
 * at `start`.
 */
function writeRegion(writing: Writing, region: Placed, start: number, content: Fragment): string {
  const { reader, last, used } = writing
  const { xml, sources, refs } = reader
  const own = elements(region).flatMap((element) => {
    const ref = refs.get(element)
    return ref === undefined ? [] : [ref]
  })
  const places = new Map(own.map((ref, place) => [ref, place]))
  let made = ''
  let next = 0
  const pass = (until: number): void => {
    for (; next < until; next++) {
      const ref = own[next] ?? -1
      const source = sources[ref]
      if (source === undefined) continue
      made += xml.slice(source.gap, source.element.from)
      // Range marks and section ends are preserved when their paragraph is deleted.
      if (!last.has(ref)) made += outliving(writing, source.element)
    }
  }
  content.forEach((node) => {
    const ref = Number(node.attrs['ref'] ?? -1)
    const place = places.get(ref) ?? -1
    const source = place >= next && !used.has(ref) ? sources[ref] : undefined
    if (source !== undefined) {
      pass(place)
      made += xml.slice(source.gap, source.element.from)
      next = place + 1
    }
    made += writeNode(writing, node, source !== undefined)
  })
  pass(own.length)
  const end = sources[own.at(-1) ?? -1]?.element.to ?? start
  return made + xml.slice(end, region.outer)
}

function outliving({ reader: { xml }, pieces }: Writing, element: Placed): string {
  const lost: string[] = []
  const look = (one: Placed): void => {
    if (marks.has(one.name) && !pieces.has(xml.slice(one.from, one.to))) lost.push(xml.slice(one.from, one.to))
    for (const inner of elements(one)) look(inner)
  }
  look(element)
  const section = elements(element).find(({ name }) => name === 'w:pPr')
  const sect = section && elements(section).find(({ name }) => name === 'w:sectPr')
  return lost.join('') + (sect === undefined ? '' : `<w:p><w:pPr>${xml.slice(sect.from, sect.to)}</w:pPr></w:p>`)
}

function writeNode(writing: Writing, node: Node, isInPlace: boolean): string {
  const { reader, used } = writing
  const ref = Number(node.attrs['ref'] ?? -1)
  const source = reader.sources[ref]
  const isFirst = source !== undefined && !used.has(ref)
  if (source !== undefined) used.add(ref)
  const original = reader.originals[ref]
  if (isFirst && source !== undefined && original !== undefined && (node === original || node.eq(original))) {
    node.descendants((inner) => {
      if (typeof inner.attrs['ref'] === 'number') used.add(inner.attrs['ref'])
      return !inner.isTextblock
    })
    return source.xml.slice(source.element.from, source.element.to)
  }
  // A block that comes from another part is written as a new one.
  const own = isFirst && source?.xml === reader.xml ? source : undefined
  switch (node.type.name) {
    case 'locked':
      return source === undefined ? '' : source.xml.slice(source.element.from, source.element.to)
    case 'table':
      return writePart(writing, node, source, own, { tag: 'w:tbl', head: tableHead(writing, node, source) })
    case 'row':
      return writePart(writing, node, source, own, { tag: 'w:tr', head: String(node.attrs['trPr']) })
    case 'cell': {
      const tcPr = String(node.attrs['tcPr'])
      const head = tcPr === '' ? '' : `<w:tcPr>${tcPr}</w:tcPr>`
      // Programs require a paragraph at the end of a cell.
      const tail = node.lastChild?.type.name === 'paragraph' ? '' : '<w:p/>'
      return writePart(writing, node, source, own, { tag: 'w:tc', head, tail })
    }
    default:
      return writeParagraph(writing, node, own, isInPlace)
  }
}

interface Part {
  readonly tag: string
  /** The XML of its properties. */
  readonly head: string
  readonly tail?: string
}

const heads = new Set(['w:tblPr', 'w:tblGrid', 'w:tblPrEx', 'w:trPr', 'w:tcPr'])

/**
 * Writes a table, row or cell. `own` is its source in the file, unless another node with the same source was already
 * written.
 */
function writePart(
  writing: Writing,
  node: Node,
  source: Source | undefined,
  own: Source | undefined,
  { tag, head, tail = '' }: Part,
): string {
  const { xml } = writing.reader
  if (own === undefined) {
    const inside = node.children.map((one) => writeNode(writing, one, false)).join('')
    return `<${tag}>${head}${inside}${tail}</${tag}>`
  }
  const { element } = own
  const start = elements(element).findLast(({ name }) => heads.has(name))?.to ?? element.inner
  const original = source === undefined ? undefined : writing.reader.originals[Number(node.attrs['ref'])]
  const isSame = ['trPr', 'tcPr', 'grid'].every((name) => node.attrs[name] === original?.attrs[name])
  const properties = isSame ? xml.slice(element.inner, start) : head
  const inside = writeRegion(writing, element, start, node.content)
  return xml.slice(element.from, element.inner) + properties + inside + tail + xml.slice(element.outer, element.to)
}

function tableHead({ reader: { tableStyle } }: Writing, node: Node, source: Source | undefined): string {
  const xml = source?.xml ?? ''
  const grid = String(node.attrs['grid'])
    .split(' ')
    .filter((width) => /^\d+$/.test(width))
  const columns = grid.map((width) => `<w:gridCol w:w="${width}"/>`).join('')
  const properties = source && elements(source.element).find(({ name }) => name === 'w:tblPr')
  const own = properties === undefined ? newTable(tableStyle) : xml.slice(properties.from, properties.to)
  const old = source && elements(source.element).find(({ name }) => name === 'w:tblGrid')
  if (old !== undefined && columns === '') return own + xml.slice(old.from, old.to)
  return `${own}<w:tblGrid>${columns}</w:tblGrid>`
}

/** The properties of a new table: grid lines by the grid style of the document, or direct borders if it has none. */
function newTable(style: string): string {
  const lines = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
    .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`)
    .join('')
  const borders = style === '' ? `<w:tblBorders>${lines}</w:tblBorders>` : ''
  const own = style === '' ? '' : `<w:tblStyle w:val="${escape(style)}"/>`
  return `<w:tblPr>${own}<w:tblW w:w="5000" w:type="pct"/>${borders}<w:tblLayout w:type="fixed"/></w:tblPr>`
}

function writeParagraph(writing: Writing, node: Node, source: Source | undefined, isInPlace: boolean): string {
  const { reader, last } = writing
  const { xml } = reader
  const { ref, pPr, sect } = node.attrs as { readonly ref: number; readonly pPr: string; readonly sect: string }
  const element = source?.element
  const open = element === undefined ? '<w:p>' : xml.slice(element.from, element.inner).replace(/\s*\/>$/, '>')
  const section = last.get(ref) === node ? sect : ''
  const properties = pPr + section === '' ? '' : `<w:pPr>${pPr}${section}</w:pPr>`
  const lost = element === undefined || !isInPlace ? '' : outliving(writing, element).replace(/<w:p><w:pPr>.*$/s, '')
  return `${open}${properties}${inlineXml(node)}${lost}</w:p>`
}

function inlineXml(paragraph: Node): string {
  let made = ''
  let wrap: Attrs | undefined
  let run: { readonly rPr: string; text: string } | undefined
  const endRun = (): void => {
    if (run !== undefined && run.text !== '') made += `<w:r>${run.rPr}${run.text}</w:r>`
    run = undefined
  }
  const inRun = (rPr: string): { readonly rPr: string; text: string } => {
    if (run === undefined || run.rPr !== rPr) {
      endRun()
      run = { rPr, text: '' }
    }
    return run
  }
  paragraph.forEach((node) => {
    const around = node.marks.find(({ type }) => type.name === 'wrap')?.attrs
    if (around?.['id'] !== wrap?.['id']) {
      endRun()
      if (wrap !== undefined) made += String(wrap['close'])
      if (around !== undefined) made += String(around['open'])
      wrap = around
    }
    if (node.type.name === 'kept') {
      endRun()
      made += (node.attrs as OpaqueAttrs).xml
    } else if (node.type.name === 'line') inRun(String(node.attrs['rPr'])).text += '<w:br/>'
    else {
      const rPr: unknown = node.marks.find(({ type }) => type.name === 'look')?.attrs['rPr']
      inRun(typeof rPr === 'string' ? rPr : '').text += textXml(node.text ?? '')
    }
  })
  endRun()
  if (wrap !== undefined) made += String(wrap['close'])
  return made
}

const special: Readonly<Record<string, string>> = {
  '\t': '<w:tab/>',
  '\u2011': '<w:noBreakHyphen/>',
  '\u00ad': '<w:softHyphen/>',
}

function textXml(text: string): string {
  return text
    .split(/([\t\u2011\u00ad])/)
    .map((piece) => special[piece] ?? (piece === '' ? '' : `<w:t xml:space="preserve">${escape(piece)}</w:t>`))
    .join('')
}
