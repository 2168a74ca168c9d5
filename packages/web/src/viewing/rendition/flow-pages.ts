// Distributes the blocks of a text document to pages, by section and by their measured height.
import type { Block, Flow, FlowSection, PageEdges, PageSize } from '@cloudoc/contract'

/** A page: its blocks, the index of its section, and the number that it says. */
export interface DealtPage {
  readonly blocks: Block[]
  section: number
  number: number
  isFirst: boolean
}

/** The sections of a document; one of the plain size if it has none of its own. */
export function sectionsOf(flow: Flow, plain: PageSize): readonly FlowSection[] {
  const { header = [], footer = [] } = flow
  return flow.sections ?? [{ from: 0, page: flow.page ?? plain, usual: { header, footer } }]
}

/** Distributes blocks to pages by their position in one long column. `holder` has the measured blocks by section. */
export function dealPages(flow: Flow, sections: readonly FlowSection[], holder: HTMLElement): DealtPage[] {
  const elements = [...holder.querySelectorAll<HTMLElement>(':scope > div > .rd-measured')]
  const blank = (section: number): DealtPage => ({ blocks: [], section, number: 0, isFirst: false })
  const pages: DealtPage[] = [blank(0)]
  let start = 0
  let section = 0
  for (const [n, block] of flow.blocks.entries()) {
    while ((sections[section + 1]?.from ?? Number.POSITIVE_INFINITY) <= n) section += 1
    const from = elements[n]?.offsetTop ?? 0
    const end = from + (elements[n]?.offsetHeight ?? 0)
    const last = pages.at(-1)
    const [size, isEmpty] = [sections[last?.section ?? 0]?.page, (last?.blocks.length ?? 0) === 0]
    const room = size === undefined ? Number.POSITIVE_INFINITY : size.height - size.margins[0] - size.margins[2]
    if (block.is === 'pageBreak' || (!isEmpty && end - start > room)) {
      if (!isEmpty) pages.push(blank(section))
      start = from
    }
    if (block.is === 'pageBreak') continue
    const page = pages.at(-1)
    // A section that begins on a page takes its size and edges from the next page on.
    if (page?.blocks.length === 0) page.section = section
    page?.blocks.push(block)
  }
  if (pages.length > 1 && pages.at(-1)?.blocks.length === 0) pages.pop()
  let number = 0
  for (const [n, page] of pages.entries()) {
    page.isFirst = page.section !== pages[n - 1]?.section
    number = (page.isFirst ? sections[page.section]?.startsAt : undefined) ?? number + 1
    page.number = number
  }
  return pages
}

const noEdges: PageEdges = { header: [], footer: [] }

/** What stands at the head and foot of a page: that of first pages, of even pages, or the usual one. */
export function edgesOn(sections: readonly FlowSection[], page: DealtPage | undefined): PageEdges {
  const section = sections[page?.section ?? 0]
  if (section === undefined) return noEdges
  if (page?.isFirst === true && section.first !== undefined) return section.first
  return (page !== undefined && page.number % 2 === 0 ? section.even : undefined) ?? section.usual
}
