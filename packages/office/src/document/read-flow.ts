/*
 * Reads a Word document for preview, search and comparison: text, tables and pictures in order, with formatting.
 * Elements that are not known are walked through, so that their text is not lost; only tracked deletions, moved text at
 * its old place and hidden text are left out. What cannot be drawn leaves a place with its name.
 */
import { at, child, children, descendants, type Element, isOn, themeColors, val } from '../package/index.ts'
import type { Block, Flow, Paragraph, Run } from '../rendition/index.ts'
import { drawnRuns } from './drawn.ts'
import { linkOf, pageFieldOf, takeFieldCharacter } from './fields.ts'
import { readNumbering } from './list-numbers.ts'
import { Notes } from './notes.ts'
import { type RunStyle, readStyles } from './paragraph-styles.ts'
import { readSections, type SectionEnd } from './sections.ts'
import { alternative, type FlowPackage, type Piece, type RunLook, type Story } from './story.ts'
import { symbolIn } from './symbol-character.ts'
import { symbolOf } from './symbols.ts'
import { tableOf } from './table-content.ts'

/** Reads a document; `root` is its main part. */
export function readFlow(office: FlowPackage, path: string, root: Element): Flow {
  const relations = office.relations(path)
  const beside = (type: string): { path: string; root: Element } | undefined => {
    const found = [...relations.values()].find((one) => one.type === type)?.target
    const tree = found ? office.xml(found) : undefined
    return found && tree ? { path: found, root: tree } : undefined
  }
  const notes = new Notes(beside('footnotes'), beside('endnotes'))
  const story: Story = {
    office,
    styles: readStyles(beside('styles')?.root),
    numbering: readNumbering(beside('numbering')?.root),
    theme: themeColors(beside('theme')?.root),
    relations,
    refer: (reference) => notes.refer(reference),
    fields: [],
  }
  const body = child(root, 'w:body') ?? root
  const { blocks, ends } = contentOfBody(body, story)
  const hasEvenPages = children(beside('settings')?.root, 'w:evenAndOddHeaders').some(isOn)
  const sections = readSections(
    ends,
    hasEvenPages,
    (target) => {
      const tree = office.xml(target)
      return tree === undefined ? [] : blocksOf(tree, { ...story, relations: office.relations(target), fields: [] })
    },
    relations,
  )
  const all = [...blocks, ...notes.blocks(story, blocksOf)]
  const [first] = sections
  if (first === undefined) return { kind: 'flow', blocks: all }
  const { header, footer } = first.usual
  const isPlain = sections.length === 1 && !first.first && !first.even && first.startsAt === undefined
  return { kind: 'flow', page: first.page, header, footer, blocks: all, ...(isPlain ? {} : { sections }) }
}

/** Reads the text block by block, and where its sections end. */
function contentOfBody(body: Element, story: Story): { blocks: Block[]; ends: SectionEnd[] } {
  const blocks: Block[] = []
  const ends: SectionEnd[] = []
  for (const one of joined(body)) {
    if (one.name === 'w:sectPr') continue
    blocks.push(...blockOf(one, story))
    const properties = at(child(one, 'w:pPr'), 'w:sectPr')
    if (properties !== undefined) ends.push({ to: blocks.length, properties })
  }
  const last = child(body, 'w:sectPr') ?? (ends.length === 0 ? [...descendants(body, 'w:sectPr')].at(-1) : undefined)
  if (last !== undefined || ends.length === 0 || (ends.at(-1)?.to ?? 0) < blocks.length)
    ends.push({ to: blocks.length, properties: last ?? ends.at(-1)?.properties })
  return { blocks, ends }
}

/** The blocks of a story, a cell or a text box. */
export function blocksOf(container: Element | undefined, story: Story): Block[] {
  return container === undefined ? [] : joined(container).flatMap((one) => blockOf(one, story))
}

const isGone = ({ name }: Element): boolean =>
  name === 'w:del' || name === 'w:moveFrom' || name === 'mc:Choice' || (name !== 'w:pPr' && /^w:\w+Pr$/.test(name))

function blockOf(one: Element, story: Story): Block[] {
  if (one.name === 'w:p') return paragraphOf(one, story)
  if (one.name === 'w:tbl') return [tableOf(one, (cell) => blocksOf(cell, story))]
  if (one.name === 'mc:AlternateContent') return blocksOf(alternative(one), story)
  return isGone(one) ? [] : blocksOf(one, story)
}

/** The children; a paragraph whose mark was deleted is joined with the next one (ECMA-376 17.13.5.15). */
function joined(container: Element): Element[] {
  const found: Element[] = []
  let pending: Element['children'] = []
  for (const one of children(container)) {
    if (one.name !== 'w:p') {
      found.push(one)
      continue
    }
    const own = one.children.filter((inner) => typeof inner === 'string' || inner.name !== 'w:pPr')
    const mark = at(one, 'w:pPr', 'w:rPr')
    const isEnd = child(one, 'w:pPr') !== undefined && at(one, 'w:pPr', 'w:sectPr') !== undefined
    const isDeleted = child(mark, 'w:del') !== undefined || child(mark, 'w:moveFrom') !== undefined
    if (isDeleted && !isEnd) {
      pending.push(...own)
      continue
    }
    const properties = children(one, 'w:pPr')
    found.push(pending.length === 0 ? one : { ...one, children: [...properties, ...pending, ...own] })
    pending = []
  }
  // Nothing follows: what is left of the paragraphs is one.
  const isEmpty = pending.every((one) => typeof one === 'string' || isGone(one))
  if (!isEmpty) found.push({ name: 'w:p', attributes: {}, children: pending })
  return found
}

function paragraphOf(element: Element, story: Story): Block[] {
  // A page number ends with its paragraph: where its end is missing, what follows is shown.
  for (const field of story.fields) field.isReplaced = false
  const properties = child(element, 'w:pPr')
  const { look, run } = story.styles.paragraph(properties)
  const counted = look.list && story.numbering.next(look.list)
  const { list: _, beginsPage, ...shown } = { ...counted?.look, ...withoutUndefined(look) }
  const found: Block[] = []
  const behind: Block[] = []
  let runs: Run[] = []
  let isFirst = true
  const end = (): void => {
    const mark = isFirst && counted !== undefined && counted.mark !== '' ? { mark: counted.mark } : {}
    const made: Paragraph = { is: 'text', ...shown, ...mark, runs }
    found.push(made)
    isFirst = false
    runs = []
  }
  if (beginsPage === true) found.push({ is: 'pageBreak' })
  for (const one of piecesOf(element, run, story)) {
    if (one === 'pageBreak') {
      if (runs.length > 0) end()
      found.push({ is: 'pageBreak' })
    } else if ('blocks' in one) behind.push(...one.blocks)
    else runs.push(one)
  }
  if (runs.length > 0 || found.length + behind.length === 0) end()
  found.push(...behind)
  const section = child(properties, 'w:sectPr')
  if (section !== undefined && val(child(section, 'w:type')) !== 'continuous') found.push({ is: 'pageBreak' })
  return found
}

/** The pieces of a paragraph or of what stands around its runs. */
export function* piecesOf(container: Element, base: RunStyle, story: Story, href?: string): Generator<Piece> {
  for (const one of children(container)) {
    switch (one.name) {
      case 'w:r':
        yield* runOf(one, base, story, href)
        break
      case 'w:hyperlink': {
        const address = story.relations.get(one.attributes['r:id'] ?? '')?.address
        yield* piecesOf(one, base, story, address === '' ? undefined : address)
        break
      }
      case 'w:fldSimple': {
        const field = pageFieldOf(one.attributes['w:instr'] ?? '')
        const run = [...descendants(one, 'w:r')][0]
        if (field === undefined) yield* piecesOf(one, base, story, href)
        else yield { ...shownLook(story.styles.run(child(run, 'w:rPr'), base)), field }
        break
      }
      case 'm:oMath':
      case 'm:oMathPara': {
        const text = [...descendants(one, 'm:t')].map((t) => textIn(t)).join('')
        if (text !== '') yield { ...base, italic: true, text }
        break
      }
      case 'mc:AlternateContent':
        yield* piecesOf(alternative(one) ?? one, base, story, href)
        break
      case 'w:p':
      case 'w:tbl':
        yield { blocks: blockOf(one, story) }
        break
      default:
        if (!isGone(one) && one.name !== 'w:pPr') yield* piecesOf(one, base, story, href)
    }
  }
}

const textIn = (element: Element): string => element.children.filter((one) => typeof one === 'string').join('')

/** The formatting without what only this reader uses. */
function shownLook({ hidden: _, caps: __, ...look }: RunLook): Omit<RunLook, 'hidden' | 'caps'> {
  return look
}

function* runOf(run: Element, base: RunStyle, story: Story, href?: string): Generator<Piece> {
  const look = story.styles.run(child(run, 'w:rPr'), base)
  const link = href ?? linkOf(story.fields)
  if (look.hidden === true) {
    for (const one of children(run, 'w:fldChar')) takeFieldCharacter(story.fields, one)
    return
  }
  yield* contentOf(run, link === undefined ? look : { ...look, href: link }, story)
}

/** The content of a run. */
function* contentOf(run: Element, full: RunLook, story: Story): Generator<Piece> {
  const look = shownLook(full)
  const said = (text: string): Run => ({ ...look, text: full.caps === true ? text.toUpperCase() : text })
  for (const one of children(run)) {
    if (one.name === 'w:fldChar') {
      const result = takeFieldCharacter(story.fields, one)
      if (result === 'ticked' || result === 'empty') yield said(result === 'ticked' ? '☒' : '☐')
      else if (result !== undefined) yield { ...look, field: result }
      continue
    }
    if (one.name === 'w:instrText') {
      const open = story.fields.at(-1)
      if (open?.isResult === false) open.instruction += textIn(one)
      continue
    }
    // The stored result of a page number is not that of the page it is shown on.
    if (story.fields.some(({ isReplaced }) => isReplaced)) continue
    switch (one.name) {
      case 'w:t':
        yield said(lettersOf(textIn(one), run, story))
        break
      case 'w:tab':
      case 'w:ptab':
        yield said('\t')
        break
      case 'w:br':
        if (one.attributes['w:type'] === 'page') yield 'pageBreak'
        else yield said('\n')
        break
      case 'w:cr':
        yield said('\n')
        break
      case 'w:noBreakHyphen':
        yield said('‑')
        break
      case 'w:pgNum':
        yield { ...look, field: 'page' }
        break
      case 'w:sym':
        yield said(symbolIn(one))
        break
      case 'w:ruby':
        yield* rubyOf(one, full, story)
        break
      case 'w:footnoteReference':
      case 'w:endnoteReference': {
        const mark = story.refer(one)
        if (mark !== '') yield { ...look, text: mark, raised: 'super' }
        break
      }
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
      case 'mc:AlternateContent':
        yield* drawnRuns(one, story, (box) => blocksOf(box, story))
        break
      default:
        if (!isGone(one) && one.name !== 'w:delText') yield* piecesOf(one, full, story, full.href)
    }
  }
}

/** Text; private characters of symbol fonts become those of Unicode. */
function lettersOf(text: string, run: Element, story: Story): string {
  if (!/[\uf020-\uf0ff]/.test(text)) return text
  const font = story.styles.fonts(child(run, 'w:rPr')).latin ?? 'Wingdings'
  return text.replace(/[\uf020-\uf0ff]/g, (letter) => symbolOf(font, letter.charCodeAt(0)) ?? letter)
}

function* rubyOf(element: Element, look: RunLook, story: Story): Generator<Piece> {
  const said = [...descendants(child(element, 'w:rt'), 'w:t')].map(textIn).join('')
  for (const one of piecesOf(child(element, 'w:rubyBase') ?? element, look, story, look.href))
    yield typeof one === 'object' && 'text' in one && said !== '' ? { ...one, ruby: said } : one
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T
}
