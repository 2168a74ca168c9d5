// What a workbook contains and does not show: hidden sheets, comments on cells, headers and footers, messages of cells.
import { alternativeText, cellComments } from '@cloudoc/office/package'
import { ownersOf, reportHidden } from './hidden-office.ts'
import type { OfficePackage } from './package.ts'
import type { Hidden, TextCells } from './reader.ts'
import { columnOf, type ReadSheet } from './xlsx-sheet.ts'
import { parseXml } from './xml.ts'

interface FoundSheet {
  readonly name: string
  readonly file: string
  readonly sheet: ReadSheet
  readonly isShown: boolean
}

export function reportHiddenOfBook(office: OfficePackage, hidden: Hidden, sheets: readonly FoundSheet[]): void {
  const told = new Set<string>()
  for (const { name, file, sheet, isShown } of sheets) {
    const own = { kind: 'sheet', name, text: '' } as const
    if (!isShown) {
      const cells = sheet.rows.flatMap(([row, all]) => all.map(([column, text]) => [row, column, text] as const))
      hidden.add({ ...own, place: 'hidden', cells: cells.filter(([, , text]) => text !== '') })
    }
    const comments = commentsOn(office, file, told)
    if (comments.length > 0) hidden.add({ ...own, place: 'comment', cells: comments })
    // A sheet that is shown by its first cells only is too large for this.
    const { edges, messages } = sheet.cut ? { edges: '', messages: '' } : besideCells(office, file)
    if (edges !== '') hidden.add({ ...own, place: 'headerFooter', text: edges })
    if (messages !== '') hidden.add({ ...own, place: 'alternative', text: messages })
  }
  const owners = ownersOf(
    office,
    sheets.map(({ file, name }) => [file, { kind: 'sheet', name }]),
  )
  reportHidden(office, hidden, { usual: { kind: 'whole', name: '' }, owners, told })
}

/** The comments on the cells of a sheet. Excel repeats a threaded comment as a plain one, which is not told again. */
function commentsOn(office: OfficePackage, file: string, told: Set<string>): TextCells {
  const files = [...office.relations(file).values()].filter(({ type }) => /^(comments|threadedComment)$/.test(type))
  const found = new Map<string, string[]>()
  for (const { target } of files.toSorted((a, b) => (a.type < b.type ? 1 : -1))) {
    const root = office.xml(target)
    told.add(target)
    const threaded = new Set(found.keys())
    for (const { address, text } of root === undefined ? [] : cellComments(root))
      if (!threaded.has(address)) found.set(address, [...(found.get(address) ?? []), text])
  }
  return [...found]
    .map(
      ([address, texts]) => [Number(/\d+$/.exec(address)?.[0] ?? 1) - 1, columnOf(address), texts.join('\n')] as const,
    )
    .toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
}

/** Codes in headers and footers: of the page number, of a font, of a part. */
const edgeCodes = /&(?:"[^"]*"|K[\dA-F]{6}|\d+|[A-Za-z&])/g

/** The headers, footers and messages of a sheet, which its file says after the cells. */
function besideCells(office: OfficePackage, file: string): { edges: string; messages: string } {
  const bytes = office.zip.bytes(file)
  const end = bytes?.lastIndexOf('sheetData') ?? -1
  if (bytes === undefined || end < 0) return { edges: '', messages: '' }
  const root = /<((?:\w+:)?worksheet)[\s>]/.exec(bytes.toString('latin1', 0, 4096))?.[1] ?? 'worksheet'
  const rest = bytes.subarray(bytes.indexOf('>', end) + 1)
  const tree = parseXml(Buffer.concat([Buffer.from(`<${root}>`), rest]))
  const edges: string[] = []
  const walk = (element: typeof tree): void => {
    for (const one of element.children) {
      if (typeof one === 'string') continue
      if (/(odd|even|first)(Header|Footer)$/.test(one.name))
        edges.push(
          one.children
            .filter((text) => typeof text === 'string')
            .join('')
            .replace(edgeCodes, ' ')
            .trim(),
        )
      walk(one)
    }
  }
  walk(tree)
  return { edges: edges.filter((text) => text !== '').join('\n'), messages: alternativeText(tree) }
}
