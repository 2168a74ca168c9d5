// Reads Word documents: turns the blocks of the file into editor nodes. Unknown content becomes one opaque piece that
// is preserved unchanged.
import type { Mark, Node } from 'prosemirror-model'
import type { Placed } from '../package/index.ts'
import { child, children, descendants, numberAt, textOf } from '../package/index.ts'
import { elements, marks, type OpaqueAttrs, type OpaqueKind, type Reader, val } from './model.ts'
import { symbolIn } from './symbol-character.ts'

export function readBlocks(reader: Reader, region: Placed, from: number): Node[] {
  let gap = from
  return elements(region).flatMap((element) => {
    if (element.name === 'w:tcPr') {
      gap = element.to
      return []
    }
    if (marks.has(element.name) || element.name === 'w:sectPr' || element.name === 'w:proofErr') return []
    const ref = reader.sources.push({ element, gap, xml: reader.xml }) - 1
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
  const { schema, xml } = reader
  const known = new Set(['w:tblPr', 'w:tblGrid', 'w:tr', ...marks])
  if (elements(element).some(({ name }) => !known.has(name))) throw new Locked()
  const rows = placedIn(reader, element, 'w:tr').map((row) => {
    const properties = elements(row.element).filter(({ name }) => name === 'w:tblPrEx' || name === 'w:trPr')
    let column = Number(val(child(child(row.element, 'w:trPr'), 'w:gridBefore')) || 0)
    const cells = placedIn(reader, row.element, 'w:tc').map((cell) => {
      const found = child(cell.element, 'w:tcPr')
      const across = Math.max(1, Number(val(child(found, 'w:gridSpan')) || 1))
      const merge = child(found, 'w:vMerge')
      const at = column
      column += across
      return { ...cell, across, at, goesOn: merge !== undefined && val(merge) !== 'restart' }
    })
    return { ...row, cells, trPr: properties.map(({ from, to }) => xml.slice(from, to)).join('') }
  })
  const nodes = rows.map((row, n) => {
    const cells = row.cells.map(({ element: cell, ref: cellRef, across, at, goesOn }) => {
      let down = 1
      while (!goesOn && rows[n + down]?.cells.some((below) => below.at === at && below.goesOn) === true) down++
      const properties = elements(cell).find(({ name }) => name === 'w:tcPr')
      const tcPr = properties === undefined ? '' : xml.slice(properties.inner, properties.outer)
      const inside = readBlocks(reader, cell, cell.inner)
      if (inside.length === 0) throw new Locked()
      const node = schema.node('cell', { ref: cellRef, tcPr, across, down, hidden: goesOn }, inside)
      reader.originals[cellRef] = node
      return node
    })
    const node = schema.node('row', { ref: row.ref, trPr: row.trPr }, cells)
    reader.originals[row.ref] = node
    return node
  })
  if (nodes.length === 0 || rows.some(({ cells }) => cells.length === 0)) throw new Locked()
  const grid = children(child(element, 'w:tblGrid'), 'w:gridCol').map((one) => numberAt(one, 'w:w') ?? 0)
  return schema.node('table', { ref, grid: grid.every((one) => one > 0) ? grid.join(' ') : '' }, nodes)
}

/** The rows of a table or the cells of a row, each with its preceding text. */
function placedIn(reader: Reader, region: Placed, name: string): { element: Placed; ref: number }[] {
  let gap = region.inner
  return elements(region).flatMap((element) => {
    if (element.name === 'w:sdt' || element.name === 'w:customXml') throw new Locked()
    if (element.name === name) {
      const ref = reader.sources.push({ element, gap, xml: reader.xml }) - 1
      reader.refs.set(element, ref)
      gap = element.to
      return [{ element, ref }]
    }
    if (!marks.has(element.name)) gap = element.to
    return []
  })
}

/**
 * Reads the inline content of a paragraph. A field that spans several paragraphs makes the first and the last one
 * locked.
 */
function inlineOf(reader: Reader, all: readonly Placed[], around: readonly Mark[]): Node[] {
  const { xml, schema } = reader
  const nodes: Node[] = []
  const kept = (kind: OpaqueKind, raw: string, text = '', more: Partial<OpaqueAttrs> = {}): void =>
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
      // A field becomes one piece, from its beginning to its end.
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
      const href = reader.addresses.get(one.attributes['r:id'] ?? '') ?? ''
      const mark = schema.mark('wrap', { open, close: xml.slice(one.outer, one.to), id: `${one.from}`, href })
      // A nested element is preserved unchanged.
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
    const kept = (kind: OpaqueKind, text = '', more: Partial<OpaqueAttrs> = {}): Node[] => [
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
        return kept('other', symbolIn(one))
      default:
        return kept('other', textOf(one))
    }
  })
}

const sorted = (all: readonly Mark[]): readonly Mark[] =>
  all.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), [])
