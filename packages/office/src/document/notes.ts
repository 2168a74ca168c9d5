// Footnotes and endnotes of a Word document: numbered by their references, shown behind the text.
import { children, type Element } from '../package/index.ts'
import type { Block } from '../rendition/index.ts'
import { numberText } from './list-numbers.ts'
import type { Story } from './story.ts'

const idOf = ({ attributes }: Element): string => attributes['w:id'] ?? ''

interface NotesPart {
  readonly path: string
  readonly root: Element
}

/** A note that the text refers to. */
interface Referred {
  readonly mark: string
  readonly note: Element
  readonly path: string
}

/** Collects the notes in the order of their references. */
export class Notes {
  readonly #parts: Readonly<Record<string, { readonly path: string; readonly notes: ReadonlyMap<string, Element> }>>
  readonly #referred: Referred[] = []
  #counts = { foot: 0, end: 0 }

  constructor(footnotes: NotesPart | undefined, endnotes: NotesPart | undefined) {
    const part = (found: NotesPart | undefined) => ({
      path: found?.path ?? '',
      // Of two notes with one id the first counts.
      notes: new Map(
        children(found?.root)
          .toReversed()
          .map((note) => [idOf(note), note]),
      ),
    })
    this.#parts = { 'w:footnoteReference': part(footnotes), 'w:endnoteReference': part(endnotes) }
  }

  /** Returns the mark of a reference; empty if it has one of its own in the text. */
  refer(reference: Element): string {
    const part = this.#parts[reference.name]
    const note = part?.notes.get(idOf(reference))
    const isFoot = reference.name === 'w:footnoteReference'
    const isOwn = ['1', 'true', 'on'].includes(reference.attributes['w:customMarkFollows'] ?? '')
    if (!isOwn) this.#counts[isFoot ? 'foot' : 'end'] += 1
    const mark = isOwn
      ? ''
      : numberText(isFoot ? this.#counts.foot : this.#counts.end, isFoot ? 'decimal' : 'lowerRoman')
    if (part !== undefined && note !== undefined) this.#referred.push({ mark, note, path: part.path })
    return mark
  }

  /** The notes that were referred to, below a rule; `read` reads one. */
  blocks(story: Story, read: (note: Element, story: Story) => Block[]): Block[] {
    const all = this.#referred.flatMap(({ mark, note, path }): Block[] => {
      const inside: Story = { ...story, relations: story.office.relations(path), fields: [] }
      const [first, ...rest] = read(note, inside)
      if (first?.is !== 'text' || mark === '') return first === undefined ? [] : [first, ...rest]
      return [{ ...first, runs: [{ text: `${mark} `, raised: 'super' }, ...first.runs] }, ...rest]
    })
    return all.length === 0 ? [] : [{ is: 'rule' }, ...all]
  }
}
