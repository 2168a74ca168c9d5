// What the readers of a Word document's parts share: the story that is read, and the pieces of its paragraphs.
import { child, children, type Element } from '../package/index.ts'
import type { Block, Run } from '../rendition/index.ts'
import type { RunsField } from './fields.ts'
import { type Numbering } from './list-numbers.ts'
import { type RunStyle, type Styles } from './paragraph-styles.ts'

/** A package as needed to read a document. */
export interface FlowPackage {
  xml(path: string): Element | undefined
  /** Returns the relationships of a part by id: their target in the package, or their external address. */
  relations(
    path: string,
  ): ReadonlyMap<string, { readonly type: string; readonly target: string; readonly address: string }>
  /** Returns the part index of an image; undefined if browsers cannot display it. */
  picture(path: string): number | undefined
}

/** The story that is being read (the text, a header, a note), and what it refers to. */
export interface Story {
  readonly office: FlowPackage
  readonly styles: Styles
  readonly numbering: Numbering
  readonly theme: ReadonlyMap<string, string>
  readonly relations: ReturnType<FlowPackage['relations']>
  /** Returns the mark of a reference to a note. */
  readonly refer: (reference: Element) => string
  /** The open complex fields, the outermost first; a field may span paragraphs. */
  readonly fields: RunsField[]
}

/** A piece of a paragraph: a run, a page break, or blocks that stand on their own, such as those of a text box. */
export type Piece = Run | 'pageBreak' | { readonly blocks: readonly Block[] }

export type RunLook = RunStyle & { readonly href?: string }

const understood = new Set(['wps', 'wpg', 'wpc', 'w14', 'w15', 'w16', 'wp14', 'a14', 'v', 'm'])

/** The content of alternatives that is read: the first one whose requirements are understood. */
export function alternative(element: Element): Element | undefined {
  const choices = children(element, 'mc:Choice')
  const found = choices.find(({ attributes }) =>
    (attributes['Requires'] ?? '').split(/\s+/).every((one) => one === '' || understood.has(one)),
  )
  return found ?? child(element, 'mc:Fallback') ?? choices[0]
}
