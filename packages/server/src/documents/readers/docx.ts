// Reader of Word documents: text, tables and pictures in order, with formatting. Tracked deletions are omitted.
import type { Block, Flow, Run, Table, TableCell } from '@cloudoc/contract'
import {
  drawChart,
  type Numbering,
  type RunStyle,
  readChart,
  readNumbering,
  readStyles,
  type Styles,
  themeColors,
} from '@cloudoc/domain/office'
import { colorOf, fromEmu, fromTwips, mainFile, type OfficePackage, openPackage } from './package.ts'
import type { Reader } from './reader.ts'
import { at, child, children, descendants, type Element, numberAt } from './xml.ts'

interface Place {
  readonly office: OfficePackage
  readonly styles: Styles
  readonly numbering: Numbering
  readonly theme: ReadonlyMap<string, string>
  readonly relations: ReturnType<OfficePackage['relations']>
}

export const readDocx: Reader = ({ bytes, parts }): Flow => {
  const office = openPackage(bytes, parts)
  const { path, root } = mainFile(office, 'word/document.xml')
  const relations = office.relations(path)
  const beside = (type: string): Element | undefined => {
    const found = [...relations.values()].find((one) => one.type === type)
    return found && office.xml(found.target)
  }
  const styles = readStyles(beside('styles'))
  const numbering = readNumbering(beside('numbering'))
  const theme = themeColors(beside('theme'))
  const place: Place = { office, styles, numbering, relations, theme }
  const body = child(root, 'w:body')
  const section = child(body, 'w:sectPr') ?? [...descendants(body, 'w:sectPr')].at(-1)
  const edge = (name: string): Block[] => {
    const found = children(section, name)
    const named = found.find(({ attributes }) => attributes['w:type'] === 'default') ?? found[0]
    const target = relations.get(named?.attributes['r:id'] ?? '')?.target
    const root = target === undefined ? undefined : office.xml(target)
    if (target === undefined || root === undefined) return []
    return blocksOf(root, { ...place, relations: office.relations(target) })
  }
  const size = child(section, 'w:pgSz')
  const margins = child(section, 'w:pgMar')
  const margin = (name: string): number => fromTwips(Math.max(0, Math.min(5000, numberAt(margins, name) ?? 1440)))
  return {
    kind: 'flow',
    page: {
      width: fromTwips(Math.max(2000, Math.min(32_000, numberAt(size, 'w:w') ?? 11_906))),
      height: fromTwips(Math.max(2000, Math.min(48_000, numberAt(size, 'w:h') ?? 16_838))),
      margins: [margin('w:top'), margin('w:right'), margin('w:bottom'), margin('w:left')],
    },
    header: edge('w:headerReference'),
    footer: edge('w:footerReference'),
    blocks: blocksOf(body, place),
  }
}

function blocksOf(container: Element | undefined, place: Place): Block[] {
  return children(container).flatMap((one): Block[] => {
    switch (one.name) {
      case 'w:p':
        return paragraphOf(one, place)
      case 'w:tbl':
        return [tableOf(one, place)]
      case 'w:sdt':
        return blocksOf(child(one, 'w:sdtContent'), place)
      case 'w:ins':
      case 'w:customXml':
      case 'w:moveTo':
        return blocksOf(one, place)
      default:
        return []
    }
  })
}

function paragraphOf(element: Element, place: Place): Block[] {
  const properties = child(element, 'w:pPr')
  const { look, run } = place.styles.paragraph(properties)
  const counted = look.list && place.numbering.next(look.list)
  const { list: _, ...shown } = { ...counted?.look, ...withoutUndefined(look) }
  const found: Block[] = []
  let runs: Run[] = []
  let isFirst = true
  const end = (): void => {
    const mark = isFirst && counted !== undefined && counted.mark !== '' ? { mark: counted.mark } : {}
    found.push({ is: 'text', ...shown, ...mark, runs })
    isFirst = false
    runs = []
  }
  if (child(properties, 'w:pageBreakBefore') !== undefined) found.push({ is: 'pageBreak' })
  for (const one of runsOf(element, run, place)) {
    if (one !== 'pageBreak') runs.push(one)
    else {
      if (runs.length > 0) end()
      found.push({ is: 'pageBreak' })
    }
  }
  if (runs.length > 0 || found.length === 0) end()
  const type = at(properties, 'w:sectPr', 'w:type')?.attributes['w:val']
  if (child(properties, 'w:sectPr') !== undefined && type !== 'continuous') found.push({ is: 'pageBreak' })
  return found
}

function* runsOf(container: Element, base: RunStyle, place: Place, href?: string): Generator<Run | 'pageBreak'> {
  for (const one of children(container)) {
    switch (one.name) {
      case 'w:r': {
        const look = place.styles.run(child(one, 'w:rPr'), base)
        if (child(child(one, 'w:rPr'), 'w:vanish') !== undefined) break
        yield* contentOf(one, href === undefined ? look : { ...look, href }, place)
        break
      }
      case 'w:hyperlink': {
        const address = place.relations.get(one.attributes['r:id'] ?? '')?.address
        yield* runsOf(one, base, place, address === '' ? undefined : address)
        break
      }
      case 'w:sdt':
        yield* runsOf(child(one, 'w:sdtContent') ?? one, base, place, href)
        break
      case 'w:ins':
      case 'w:moveTo':
      case 'w:smartTag':
      case 'w:fldSimple':
      case 'w:customXml':
        yield* runsOf(one, base, place, href)
        break
      case 'm:oMath':
      case 'm:oMathPara': {
        const text = [...descendants(one, 'm:t')].map((t) => textIn(t)).join('')
        if (text !== '') yield { ...base, italic: true, text }
        break
      }
      default:
    }
  }
}

const textIn = (element: Element): string => element.children.filter((one) => typeof one === 'string').join('')

function* contentOf(
  run: Element,
  look: RunStyle & { readonly href?: string },
  place: Place,
): Generator<Run | 'pageBreak'> {
  for (const one of children(run)) {
    switch (one.name) {
      case 'w:t':
        yield { ...look, text: textIn(one) }
        break
      case 'w:tab':
      case 'w:ptab':
        yield { ...look, text: '\t' }
        break
      case 'w:br':
        if (one.attributes['w:type'] === 'page') yield 'pageBreak'
        else yield { ...look, text: '\n' }
        break
      case 'w:cr':
        yield { ...look, text: '\n' }
        break
      case 'w:noBreakHyphen':
        yield { ...look, text: '‑' }
        break
      case 'w:sym':
        yield { ...look, text: '•' }
        break
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
      case 'mc:AlternateContent':
        yield* drawn(one, look, place)
        break
      default:
    }
  }
}

/** Pictures and the text of text boxes, at their anchors. */
function* drawn(element: Element, look: RunStyle, place: Place): Generator<Run> {
  const chosen = element.name === 'mc:AlternateContent' ? (child(element, 'mc:Choice') ?? element) : element
  const extent = [...descendants(chosen, 'wp:extent')][0]
  const alt = [...descendants(chosen, 'wp:docPr')][0]?.attributes['descr'] ?? ''
  const blips = [...descendants(chosen, 'a:blip')].map((one) => one.attributes['r:embed'])
  const old = [...descendants(chosen, 'v:imagedata')].map((one) => one.attributes['r:id'])
  for (const id of [...blips, ...old]) {
    const target = place.relations.get(id ?? '')?.target
    const part = target ? place.office.picture(target) : undefined
    if (part === undefined) continue
    const style = [...descendants(chosen, 'v:shape')][0]?.attributes['style'] ?? ''
    const points = (name: string): number => Number(new RegExp(`(?:^|;)${name}:([\\d.]+)pt`).exec(style)?.[1] ?? 0)
    const width = fromEmu(numberAt(extent, 'cx')) || (points('width') * 4) / 3
    const height = fromEmu(numberAt(extent, 'cy')) || (points('height') * 4) / 3
    yield { image: { part, width, height, alt } }
  }
  for (const one of descendants(chosen, 'c:chart')) {
    const target = place.relations.get(one.attributes['r:id'] ?? '')?.target
    const chart = target ? readChart(place.office.xml(target), place.theme) : undefined
    const [width, height] = [fromEmu(numberAt(extent, 'cx')) || 480, fromEmu(numberAt(extent, 'cy')) || 288]
    if (chart !== undefined) yield { drawing: drawChart(chart, width, height) }
  }
  for (const box of descendants(chosen, 'w:txbxContent')) {
    for (const paragraph of children(box, 'w:p')) {
      for (const run of runsOf(paragraph, look, place)) if (run !== 'pageBreak') yield run
      yield { text: '\n' }
    }
  }
}

function tableOf(table: Element, place: Place): Table {
  const widths = children(child(table, 'w:tblGrid'), 'w:gridCol').map((one) => fromTwips(numberAt(one, 'w:w') ?? 0))
  const rows: (TableCell & { down?: number })[][] = []
  /** Vertically merged cells, by the column that they begin in. */
  const open = new Map<number, { down?: number }>()
  for (const row of children(table, 'w:tr')) {
    const cells: TableCell[] = []
    let column = numberAt(at(row, 'w:trPr', 'w:gridBefore'), 'w:val') ?? 0
    for (const cell of cellsOf(row)) {
      const properties = child(cell, 'w:tcPr')
      const across = Math.max(1, Math.min(200, numberAt(child(properties, 'w:gridSpan'), 'w:val') ?? 1))
      const merge = child(properties, 'w:vMerge')
      const above = open.get(column)
      if (merge !== undefined && merge.attributes['w:val'] !== 'restart' && above !== undefined) {
        above.down = (above.down ?? 1) + 1
      } else {
        const fill = colorOf(child(properties, 'w:shd')?.attributes['w:fill'])
        const made: TableCell & { down?: number } = {
          blocks: blocksOf(cell, place),
          ...(across > 1 ? { across } : {}),
          ...(fill === undefined ? {} : { fill }),
        }
        if (merge === undefined) open.delete(column)
        else open.set(column, made)
        cells.push(made)
      }
      column += across
    }
    rows.push(cells)
  }
  return { is: 'table', widths, rows }
}

function cellsOf(row: Element): Element[] {
  return children(row).flatMap((one) => {
    if (one.name === 'w:tc') return [one]
    return one.name === 'w:sdt' ? children(child(one, 'w:sdtContent'), 'w:tc') : []
  })
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T
}
