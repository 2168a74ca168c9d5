/*
 * A Word document that is edited: its blocks as nodes of an editor, each with where it stands in the file; and the file with
 * just those blocks written anew that were touched (docs/adr/0130). What is not known stays as it stands, as one piece.
 */
import {
  child,
  children,
  descendants,
  type Numbering,
  numberAt,
  type RunLook,
  readNumbering,
  readStyles,
  type Styles,
  textOf,
} from '@cloudoc/domain/office'
import { type Attrs, type DOMOutputSpec, type Fragment, type Mark, type Node, Schema } from 'prosemirror-model'
import { escape, isSigned, mainPart, NotEditable, openPackage, type Package, relationsOf } from './package.ts'
import { type Placed, treeOf } from './xml.ts'

/** What a piece that stays as it stands is, for its words. */
export type KeptKind = 'mark' | 'field' | 'picture' | 'object' | 'note' | 'formula' | 'break' | 'deleted' | 'other'

interface KeptAttrs {
  /** As it is written into a paragraph. */
  readonly xml: string
  readonly kind: KeptKind
  readonly text: string
  readonly image: string
  readonly width: number
  readonly height: number
}

/** A block of the file. */
interface Source {
  readonly element: Placed
  /** What lies before it belongs to it. */
  readonly gap: number
}

export type Document = ReturnType<typeof openDocument>

/** Opens a document; `xml` is its main part where that is not what the file has. Throws `NotEditable`. */
export function openDocument(bytes: Uint8Array, own?: string) {
  const office = openPackage(bytes)
  const main = mainPart(office, 'word/document.xml')
  const xml = own ?? office.text(main)
  const root = treeOf(xml)
  const body = elements(root).find(({ name }) => name === 'w:body')
  if (root.name !== 'w:document' || body === undefined) throw new NotEditable('kind', 'no document')
  const relations = relationsOf(office, main)
  const beside = (kind: string): Placed | undefined => {
    const part = [...relations.values()].find((one) => one.kind === kind)?.part
    return part === undefined || !office.has(part) ? undefined : treeOf(office.text(part))
  }
  const stylesTree = beside('styles')
  const styles = readStyles(stylesTree)
  const numberingTree = beside('numbering')
  const schema = schemaOf(styles)
  const sources: Source[] = []
  const originals: Node[] = []
  const pictures = pictureReader(office, relations)
  const reader: Reader = { xml, schema, sources, refs: new Map(), originals, pictures }
  const blocks = readBlocks(reader, body, body.inner)
  const doc = schema.node('doc', undefined, blocks.length > 0 ? blocks : [schema.node('paragraph')])
  return {
    schema,
    doc,
    styles,
    /** Counts the paragraphs of lists from the first one on. */
    numbering: (): Numbering => readNumbering(numberingTree),
    isSigned: isSigned(office),
    isProtected:
      office.has('word/settings.xml') &&
      /<w:documentProtection\s[^>]*w:enforcement="(?:1|true|on)"/.test(office.text('word/settings.xml')),
    kept: countKept(doc),
    /** The styles that a paragraph can take on: their ids, by what they are. */
    headings: headingsOf(stylesTree),
    page: pageOf(body),
    /** The main part as the document stands in the editor. */
    written: (now: Node): string => write(reader, body, now),
    bytes: (now: Node): Uint8Array => {
      const made = write(reader, body, now)
      return made === office.text(main) ? bytes : office.patched(new Map([[main, made]]))
    },
    close: (): void => pictures.close(),
  }
}

/** A draft of a document as a file. */
export function withDocumentDraft(bytes: Uint8Array, draft: string): Uint8Array {
  if (draft === '') return bytes
  const office = openPackage(bytes)
  return office.patched(new Map([[mainPart(office, 'word/document.xml'), draft]]))
}

const elements = (of: Placed): Placed[] => of.children.filter((one): one is Placed => typeof one !== 'string')
const val = (of: { readonly attributes: Readonly<Record<string, string>> } | undefined): string =>
  of?.attributes['w:val'] ?? ''

interface Reader {
  readonly xml: string
  readonly schema: Schema
  readonly sources: Source[]
  readonly refs: Map<Placed, number>
  readonly originals: Node[]
  readonly pictures: ReturnType<typeof pictureReader>
}

/** What stands between paragraphs and is seen by nobody. */
const marks = new Set(
  'w:bookmarkStart w:bookmarkEnd w:commentRangeStart w:commentRangeEnd w:permStart w:permEnd w:moveFromRangeStart w:moveFromRangeEnd w:moveToRangeStart w:moveToRangeEnd w:customXmlInsRangeStart w:customXmlInsRangeEnd'.split(
    ' ',
  ),
)

function readBlocks(reader: Reader, region: Placed, from: number): Node[] {
  let gap = from
  return elements(region).flatMap((element) => {
    if (element.name === 'w:tcPr') {
      gap = element.to
      return []
    }
    if (marks.has(element.name) || element.name === 'w:sectPr' || element.name === 'w:proofErr') return []
    const ref = reader.sources.push({ element, gap }) - 1
    reader.refs.set(element, ref)
    gap = element.to
    const node = blockOf(reader, element, ref)
    reader.originals[ref] = node
    return [node]
  })
}

class Locked extends Error {}

function blockOf(reader: Reader, element: Placed, ref: number): Node {
  const { schema, xml } = reader
  try {
    if (element.name === 'w:p') {
      const properties = elements(element).find(({ name }) => name === 'w:pPr')
      const section = properties && elements(properties).find(({ name }) => name === 'w:sectPr')
      const inner = properties === undefined ? '' : xml.slice(properties.inner, properties.outer)
      const sect = section === undefined ? '' : xml.slice(section.from, section.to)
      const pPr = sect === '' ? inner : inner.replace(sect, '')
      return schema.node('paragraph', { ref, pPr, sect }, inlineOf(reader, elements(element), []))
    }
    if (element.name === 'w:tbl') return tableOf(reader, element, ref)
  } catch (error) {
    if (!(error instanceof Locked)) throw error
  }
  return schema.node('locked', { ref, text: textOf(element).replace(/\s+/g, ' ').slice(0, 400) })
}

function tableOf(reader: Reader, element: Placed, ref: number): Node {
  const { schema } = reader
  const known = new Set(['w:tblPr', 'w:tblGrid', 'w:tr', ...marks])
  if (elements(element).some(({ name }) => !known.has(name))) throw new Locked()
  const rows = elements(element).filter(({ name }) => name === 'w:tr')
  const placed = rows.map((row) => {
    let column = Number(val(child(child(row, 'w:trPr'), 'w:gridBefore')) || 0)
    return elements(row).flatMap((cell) => {
      if (cell.name === 'w:sdt' || cell.name === 'w:customXml') throw new Locked()
      if (cell.name !== 'w:tc') return []
      const properties = child(cell, 'w:tcPr')
      const across = Math.max(1, Number(val(child(properties, 'w:gridSpan')) || 1))
      const merge = child(properties, 'w:vMerge')
      const fill = child(properties, 'w:shd')?.attributes['w:fill'] ?? ''
      const at = column
      column += across
      return [{ cell, across, at, goesOn: merge !== undefined && val(merge) !== 'restart', fill }]
    })
  })
  const nodes = placed.map((row, n) =>
    schema.node(
      'row',
      {},
      row.map(({ cell, across, at, goesOn, fill }) => {
        let down = 1
        while (!goesOn && placed[n + down]?.some((below) => below.at === at && below.goesOn) === true) down++
        const attrs = { across, down, hidden: goesOn, fill: /^[0-9a-f]{6}$/i.test(fill) ? `#${fill}` : '' }
        const inside = readBlocks(reader, cell, cell.inner)
        if (inside.length === 0) throw new Locked()
        return schema.node('cell', attrs, inside)
      }),
    ),
  )
  if (nodes.length === 0 || placed.some((row) => row.length === 0)) throw new Locked()
  const grid = children(child(element, 'w:tblGrid'), 'w:gridCol').map((one) => numberAt(one, 'w:w') ?? 0)
  return schema.node('table', { ref, grid: grid.every((one) => one > 0) ? grid.join(' ') : '' }, nodes)
}

/** What stands in a paragraph. Fields that begin in one paragraph and end in another lock both. */
function inlineOf(reader: Reader, all: readonly Placed[], around: readonly Mark[]): Node[] {
  const { xml, schema } = reader
  const nodes: Node[] = []
  const kept = (kind: KeptKind, raw: string, text = '', more: Partial<KeptAttrs> = {}): void =>
    void nodes.push(schema.node('kept', { xml: raw, kind, text, ...more }, undefined, around))
  for (let n = 0; n < all.length; n++) {
    const one = all[n]
    if (one === undefined || one.name === 'w:pPr' || one.name === 'w:proofErr') continue
    const raw = xml.slice(one.from, one.to)
    if (one.name === 'w:r') {
      if (fieldIn(one) !== 'begin') {
        if (fieldIn(one) !== undefined) throw new Locked()
        nodes.push(...runOf(reader, one, around))
        continue
      }
      // A field as one piece, from its beginning to its end.
      let depth = 0
      let last = n
      for (; last < all.length; last++) {
        const kind = fieldIn(all[last])
        depth += kind === 'begin' ? 1 : kind === 'end' ? -1 : 0
        if (depth === 0) break
      }
      const end = all[last]
      if (end === undefined) throw new Locked()
      const inside = all.slice(n, last + 1)
      kept(
        'field',
        xml.slice(one.from, end.to),
        inside.map((run) => children(run, 'w:t').map(textOf).join('')).join(''),
      )
      n = last
    } else if (marks.has(one.name)) kept('mark', raw)
    else if (one.name === 'w:hyperlink' || one.name === 'w:ins' || one.name === 'w:smartTag') {
      const open = xml.slice(one.from, one.inner)
      if (one.inner === one.to || elements(one).some(({ name }) => name === 'w:smartTagPr')) {
        kept('other', raw, textOf(one))
        continue
      }
      const mark = schema.mark('wrap', { open, close: xml.slice(one.outer, one.to), id: `${one.from}` })
      // One within another is as it is.
      if (around.length > 0) kept('other', raw, textOf(one))
      else nodes.push(...inlineOf(reader, elements(one), [mark]))
    } else if (one.name === 'w:del' || one.name === 'w:moveFrom') {
      kept('deleted', raw, [...descendants(one, 'w:delText'), ...descendants(one, 'w:t')].map(textOf).join(''))
    } else if (one.name === 'm:oMath' || one.name === 'm:oMathPara') kept('formula', raw, textOf(one))
    else if (one.name === 'w:fldSimple') kept('field', raw, textOf(one))
    else kept('other', raw, textOf(one))
  }
  return nodes
}

function fieldIn(run: Placed | undefined): string | undefined {
  return child(run, 'w:fldChar')?.attributes['w:fldCharType']
}

function runOf({ xml, schema, pictures }: Reader, run: Placed, around: readonly Mark[]): Node[] {
  const own = elements(run)
  const properties = own.find(({ name }) => name === 'w:rPr')
  const rPr = properties === undefined ? '' : xml.slice(properties.from, properties.to)
  const marked = rPr === '' ? around : [schema.mark('look', { rPr }), ...around]
  const set = (node: Node): Node => node.mark(node.type.name === 'text' ? sorted(marked) : around)
  return own.flatMap((one): Node[] => {
    const raw = `<w:r>${rPr}${xml.slice(one.from, one.to)}</w:r>`
    const kept = (kind: KeptKind, text = '', more: Partial<KeptAttrs> = {}): Node[] => [
      schema.node('kept', { xml: raw, kind, text, ...more }, undefined, around),
    ]
    switch (one.name) {
      case 'w:rPr':
      case 'w:lastRenderedPageBreak':
        return []
      case 'w:t': {
        const text = textOf(one)
        return text === '' ? [] : [set(schema.text(text))]
      }
      case 'w:tab':
        return [set(schema.text('\t'))]
      case 'w:noBreakHyphen':
        return [set(schema.text('\u2011'))]
      case 'w:softHyphen':
        return [set(schema.text('\u00ad'))]
      case 'w:cr':
        return [schema.node('line', { rPr }, undefined, around)]
      case 'w:br':
        if (
          (one.attributes['w:type'] ?? 'textWrapping') === 'textWrapping' &&
          one.attributes['w:clear'] === undefined
        ) {
          return [schema.node('line', { rPr }, undefined, around)]
        }
        return kept('break')
      case 'w:drawing':
      case 'w:pict':
      case 'mc:AlternateContent': {
        const image = pictures.of(one)
        return kept(image.image === '' ? 'object' : 'picture', image.image === '' ? textOf(one) : '', image)
      }
      case 'w:object':
        return kept('object')
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        return kept('note', one.attributes['w:id'] ?? '')
      case 'w:commentReference':
      case 'w:annotationRef':
      case 'w:footnoteRef':
        return kept('mark')
      case 'w:instrText':
      case 'w:delInstrText':
        throw new Locked()
      case 'w:sym':
        return kept('other', '□')
      default:
        return kept('other', textOf(one))
    }
  })
}

const sorted = (all: readonly Mark[]): readonly Mark[] =>
  all.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), [])

/** The pictures of a document, which the page shows as long as it is open. */
function pictureReader(office: Package, relations: ReadonlyMap<string, { readonly part: string }>) {
  const urls = new Map<string, string>()
  const types: Readonly<Record<string, string>> = {
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
  }
  return {
    of(drawing: Placed): Pick<KeptAttrs, 'image' | 'width' | 'height'> {
      const [blip] = descendants(drawing, 'a:blip')
      const [extent] = descendants(drawing, 'wp:extent')
      const part = relations.get(blip?.attributes['r:embed'] ?? '')?.part ?? ''
      const type = types[part.slice(part.lastIndexOf('.') + 1).toLowerCase()]
      const size = { width: (numberAt(extent, 'cx') ?? 0) / 9525, height: (numberAt(extent, 'cy') ?? 0) / 9525 }
      if (type === undefined || !office.has(part)) return { image: '', ...size }
      let url = urls.get(part)
      if (url === undefined) {
        url = URL.createObjectURL(new Blob([office.bytes(part) as Uint8Array<ArrayBuffer>], { type }))
        urls.set(part, url)
      }
      return { image: url, ...size }
    },
    close(): void {
      for (const url of urls.values()) URL.revokeObjectURL(url)
    },
  }
}

/** How many pieces there are that can only be kept, marks aside. */
function countKept(doc: Node): number {
  let count = 0
  doc.descendants(({ type, attrs }) => {
    if (type.name === 'locked' || (type.name === 'kept' && (attrs as KeptAttrs).kind !== 'mark')) count++
  })
  return count
}

export interface Heading {
  readonly id: string
  /** 0: the usual one; 1 to 3; 9: the title. */
  readonly level: number
}

function headingsOf(styles: Placed | undefined): Heading[] {
  return children(styles, 'w:style').flatMap((style) => {
    if (style.attributes['w:type'] !== 'paragraph') return []
    const name = val(child(style, 'w:name')).toLowerCase()
    const level = /^heading ([1-3])$/.exec(name)?.[1]
    if (level !== undefined) return [{ id: style.attributes['w:styleId'] ?? '', level: Number(level) }]
    return name === 'title' ? [{ id: style.attributes['w:styleId'] ?? '', level: 9 }] : []
  })
}

/** The page in pixels. */
function pageOf(body: Placed): {
  readonly width: number
  readonly left: number
  readonly right: number
  readonly top: number
} {
  const section = child(body, 'w:sectPr')
  const ofSection = (name: string, attribute: string, usual: number): number =>
    Math.round((numberAt(child(section, name), attribute) ?? usual) / 15)
  return {
    width: Math.min(1600, Math.max(300, ofSection('w:pgSz', 'w:w', 11_906))),
    left: Math.min(300, ofSection('w:pgMar', 'w:left', 1800)),
    right: Math.min(300, ofSection('w:pgMar', 'w:right', 1800)),
    top: Math.min(200, ofSection('w:pgMar', 'w:top', 1440)),
  }
}

/** Pixels at the size that the page is shown in. */
const pixels = (size: number): string => `calc(var(--z) * ${size}px)`

/** The style of letters as CSS. */
export function cssOf(look: RunLook): string {
  const lines = [look.underline && 'underline', look.strike && 'line-through'].filter(Boolean).join(' ')
  return [
    look.bold && 'font-weight:700',
    look.italic && 'font-style:italic',
    lines !== '' && `text-decoration:${lines}`,
    look.color && look.color !== '#000000' && `color:${look.color}`,
    look.back && `background:${look.back}`,
    look.size && `font-size:${pixels(look.size)}`,
    look.raised && `vertical-align:${look.raised};font-size:.7em`,
    look.mono && 'font-family:var(--font-mono)',
  ]
    .filter(Boolean)
    .join(';')
}

const parsedProperties = new Map<string, Placed>()

/** Properties as a tree. */
export function propertiesOf(xml: string): Placed {
  let found = parsedProperties.get(xml)
  if (found === undefined) {
    found = treeOf(xml.startsWith('<w:rPr') ? xml : `<w:pPr>${xml}</w:pPr>`)
    parsedProperties.set(xml, found)
  }
  return found
}

function schemaOf(styles: Styles): Schema {
  const paragraphCss = (pPr: string): { css: string; heading: number } => {
    const { look, run } = styles.paragraph(propertiesOf(pPr))
    const css = [
      look.align && `text-align:${look.align}`,
      look.indent && `margin-inline-start:${pixels(look.indent)}`,
      look.firstLine && `text-indent:${pixels(look.firstLine)}`,
      `margin-block:${pixels(look.before ?? 0)} ${pixels(look.after ?? 0)}`,
      look.line && `line-height:${Math.max(1.3, look.line * 1.3)}`,
      look.fill && `background:${look.fill}`,
    ].filter(Boolean)
    return { css: [...css, cssOf(run)].filter((one) => one !== '').join(';'), heading: look.heading ?? 0 }
  }
  return new Schema({
    nodes: {
      doc: { content: 'block+' },
      paragraph: {
        content: 'inline*',
        group: 'block',
        attrs: { ref: { default: -1 }, pPr: { default: '' }, sect: { default: '' } },
        parseDOM: [{ tag: 'p' }, { tag: 'h1' }, { tag: 'h2' }, { tag: 'h3' }, { tag: 'li' }, { tag: 'div' }],
        toDOM(node): DOMOutputSpec {
          const { css, heading } = paragraphCss(String(node.attrs['pPr']))
          const section = node.attrs['sect'] === '' ? {} : { 'data-section': 'true' }
          return [
            'p',
            { style: css, ...section, ...(heading > 0 ? { role: 'heading', 'aria-level': String(heading) } : {}) },
            0,
          ]
        },
      },
      locked: {
        group: 'block',
        atom: true,
        attrs: { ref: { default: -1 }, text: { default: '' } },
        toDOM: (node): DOMOutputSpec => ['div', { class: 'dc-locked' }, String(node.attrs['text'])],
      },
      table: {
        content: 'row+',
        group: 'block',
        isolating: true,
        attrs: { ref: { default: -1 }, grid: { default: '' } },
        toDOM(node): DOMOutputSpec {
          const grid = String(node.attrs['grid']).split(' ').map(Number)
          const all = grid.reduce((sum, one) => sum + one, 0)
          const columns: readonly unknown[] =
            all > 0 ? grid.map((one) => ['col', { style: `width:${(one / all) * 100}%` }]) : []
          return ['table', ['colgroup', ...columns], ['tbody', 0]]
        },
      },
      row: { content: 'cell+', toDOM: (): DOMOutputSpec => ['tr', 0] },
      cell: {
        content: 'block+',
        isolating: true,
        attrs: { across: { default: 1 }, down: { default: 1 }, hidden: { default: false }, fill: { default: '' } },
        toDOM({ attrs }): DOMOutputSpec {
          const look = [
            attrs['hidden'] === true && 'display:none',
            attrs['fill'] !== '' && `background:${String(attrs['fill'])}`,
          ]
          return [
            'td',
            { colspan: String(attrs['across']), rowspan: String(attrs['down']), style: look.filter(Boolean).join(';') },
            0,
          ]
        },
      },
      text: { group: 'inline' },
      line: {
        inline: true,
        group: 'inline',
        selectable: false,
        attrs: { rPr: { default: '' } },
        parseDOM: [{ tag: 'br' }],
        toDOM: (): DOMOutputSpec => ['br'],
      },
      kept: {
        inline: true,
        group: 'inline',
        atom: true,
        attrs: {
          xml: {},
          kind: { default: 'other' },
          text: { default: '' },
          image: { default: '' },
          width: { default: 0 },
          height: { default: 0 },
        },
        toDOM({ attrs }): DOMOutputSpec {
          const { kind, text, image, width } = attrs as KeptAttrs
          if (image !== '')
            return [
              'img',
              { src: image, alt: '', class: 'dc-picture', style: width > 0 ? `width:${pixels(width)}` : '' },
            ]
          return ['span', { class: `dc-kept is-${kind}`, contenteditable: 'false' }, text]
        },
      },
    },
    marks: {
      look: {
        attrs: { rPr: {} },
        toDOM: ({ attrs }): DOMOutputSpec => ['span', { style: lookCss(styles, String(attrs['rPr'])) }, 0],
      },
      wrap: {
        attrs: { open: {}, close: {}, id: {} },
        inclusive: false,
        toDOM: ({ attrs }): DOMOutputSpec => [
          'span',
          { class: String(attrs['open']).startsWith('<w:hyperlink') ? 'dc-link' : 'dc-wrap' },
          0,
        ],
      },
    },
  })
}

function lookCss(styles: Styles, rPr: string): string {
  const tree = propertiesOf(rPr)
  const off = (name: string): boolean =>
    ['0', 'false', 'off', 'none'].includes(child(tree, name)?.attributes['w:val'] ?? '1')
  const own = cssOf(styles.run(tree, {}))
  const less = [
    off('w:b') && 'font-weight:400',
    off('w:i') && 'font-style:normal',
    off('w:u') && 'text-decoration:none',
  ]
  return [own, ...less].filter(Boolean).join(';')
}

// Written back.

interface Writing {
  readonly reader: Reader
  /** The blocks that are there again, the last of each, and the pieces that are. */
  readonly last: ReadonlyMap<number, Node>
  readonly pieces: ReadonlySet<string>
  readonly used: Set<number>
}

function write(reader: Reader, body: Placed, doc: Node): string {
  const last = new Map<number, Node>()
  const pieces = new Set<string>()
  doc.descendants((node) => {
    if (typeof node.attrs['ref'] === 'number' && node.attrs['ref'] >= 0) last.set(node.attrs['ref'], node)
    if (node.type.name === 'kept') pieces.add((node.attrs as KeptAttrs).xml)
  })
  const writing: Writing = { reader, last, pieces, used: new Set() }
  const { xml } = reader
  return xml.slice(0, body.inner) + writeRegion(writing, body, body.inner, doc.content) + xml.slice(body.outer)
}

/** The blocks of a region, with what lies between those that are still there. */
function writeRegion(writing: Writing, region: Placed, from: number, content: Fragment): string {
  const { reader, last, used } = writing
  const { xml, sources, refs } = reader
  const start = elements(region).find(({ name }) => name === 'w:tcPr')?.to ?? from
  const own = elements(region).flatMap((element) => {
    const ref = refs.get(element)
    return ref === undefined ? [] : [ref]
  })
  const places = new Map(own.map((ref, place) => [ref, place]))
  let made = xml.slice(from, start)
  let next = 0
  const pass = (until: number): void => {
    for (; next < until; next++) {
      const ref = own[next] ?? -1
      const source = sources[ref]
      if (source === undefined) continue
      made += xml.slice(source.gap, source.element.from)
      // What marks a place or ends a section outlives the paragraph that it stood in.
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
    made += writeBlock(writing, node, source !== undefined)
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

function writeBlock(writing: Writing, node: Node, isInPlace: boolean): string {
  const { reader, used } = writing
  const ref = Number(node.attrs['ref'] ?? -1)
  const source = reader.sources[ref]
  const isFirst = source !== undefined && !used.has(ref)
  if (source !== undefined) used.add(ref)
  const original = reader.originals[ref]
  if (isFirst && source !== undefined && original !== undefined && (node === original || node.eq(original))) {
    return reader.xml.slice(source.element.from, source.element.to)
  }
  if (node.type.name === 'locked')
    return source === undefined ? '' : reader.xml.slice(source.element.from, source.element.to)
  if (node.type.name === 'table') return source === undefined ? '' : writeTable(writing, node, source.element)
  return writeParagraph(writing, node, isFirst ? source : undefined, isInPlace)
}

function writeTable(writing: Writing, node: Node, element: Placed): string {
  const { xml } = writing.reader
  const rows = elements(element).filter(({ name }) => name === 'w:tr')
  let made = ''
  let at = element.from
  rows.forEach((row, y) => {
    elements(row)
      .filter(({ name }) => name === 'w:tc')
      .forEach((cell, x) => {
        const inside = node.maybeChild(y)?.maybeChild(x)
        if (inside === null || inside === undefined) return
        made += xml.slice(at, cell.inner) + writeRegion(writing, cell, cell.inner, inside.content)
        at = cell.outer
      })
  })
  return made + xml.slice(at, element.to)
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
      made += (node.attrs as KeptAttrs).xml
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

/** The order of what stands in properties of runs: programs are strict about it. */
const order =
  'rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath'.split(
    ' ',
  )

/** Properties of a run with bold, italic or underline set as wanted; empty where nothing is left. */
export function withLook(rPr: string, name: 'b' | 'i' | 'u', wanted: string | undefined): string {
  const tree = rPr === '' ? undefined : treeOf(rPr)
  const gone = new Set([`w:${name}`, `w:${name}Cs`])
  const kept = tree === undefined ? [] : elements(tree).filter((one) => !gone.has(one.name))
  const pieces = kept.map((one) => ({ name: one.name, xml: rPr.slice(one.from, one.to) }))
  if (wanted !== undefined) {
    const rank = order.indexOf(name)
    const before = pieces.findIndex((one) => order.indexOf(one.name.replace('w:', '')) > rank)
    pieces.splice(before < 0 ? pieces.length : before, 0, { name: `w:${name}`, xml: `<w:${name}${wanted}/>` })
  }
  return pieces.length === 0 ? '' : `<w:rPr>${pieces.map((one) => one.xml).join('')}</w:rPr>`
}

/** Properties of a paragraph with another style; none is the usual one. */
export function withStyle(pPr: string, id: string): string {
  const bare = pPr.replace(/<w:pStyle\s[^>]*\/>/, '')
  return id === '' ? bare : `<w:pStyle w:val="${escape(id)}"/>${bare}`
}
