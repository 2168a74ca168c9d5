// Sections of a Word document: the size of their pages, and what stands at the head and foot of each.
import { child, children, type Element, fromTwips, isOn, numberAt } from '../package/index.ts'
import type { Block, FlowSection, PageEdges, PageSize } from '../rendition/index.ts'
import type { FlowPackage } from './story.ts'

type Kind = 'default' | 'first' | 'even'
type Edge = 'header' | 'footer'

/** Where a section ends: the index behind its last block, and its properties. */
export interface SectionEnd {
  readonly to: number
  readonly properties: Element | undefined
}

/** Reads the sections of a document; `read` reads a header or footer. */
export function readSections(
  ends: readonly SectionEnd[],
  hasEvenPages: boolean,
  read: (part: string) => Block[],
  relations: ReturnType<FlowPackage['relations']>,
): FlowSection[] {
  const known = new Map<string, readonly Block[]>()
  // A section without a header of a kind has that of the section before (ECMA-376 17.10.5).
  const current = new Map<string, readonly Block[]>()
  const take = (properties: Element | undefined, edge: Edge): void => {
    for (const { attributes } of children(properties, `w:${edge}Reference`)) {
      const target = relations.get(attributes['r:id'] ?? '')?.target
      if (!target) continue
      const blocks = known.get(target) ?? read(target)
      known.set(target, blocks)
      current.set(`${edge} ${attributes['w:type'] ?? 'default'}`, blocks)
    }
  }
  const edgesOf = (kind: Kind): PageEdges => ({
    header: current.get(`header ${kind}`) ?? [],
    footer: current.get(`footer ${kind}`) ?? [],
  })
  let from = 0
  return ends.map(({ to, properties }): FlowSection => {
    take(properties, 'header')
    take(properties, 'footer')
    const startsAt = numberAt(child(properties, 'w:pgNumType'), 'w:start')
    const section: FlowSection = {
      from,
      page: pageOf(properties),
      usual: edgesOf('default'),
      ...(children(properties, 'w:titlePg').some(isOn) ? { first: edgesOf('first') } : {}),
      ...(hasEvenPages ? { even: edgesOf('even') } : {}),
      ...(startsAt === undefined ? {} : { startsAt }),
    }
    from = to
    return section
  })
}

function pageOf(section: Element | undefined): PageSize {
  const size = child(section, 'w:pgSz')
  const margins = child(section, 'w:pgMar')
  const margin = (name: string): number => fromTwips(Math.max(0, Math.min(5000, numberAt(margins, name) ?? 1440)))
  return {
    width: fromTwips(Math.max(2000, Math.min(32_000, numberAt(size, 'w:w') ?? 11_906))),
    height: fromTwips(Math.max(2000, Math.min(48_000, numberAt(size, 'w:h') ?? 16_838))),
    margins: [margin('w:top'), margin('w:right'), margin('w:bottom'), margin('w:left')],
  }
}
