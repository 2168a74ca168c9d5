/*
 * Editing the text of a presentation: slides, tables and notes. Only the changed text frames of the file are rewritten
 * (docs/adr/0144).
 */
import {
  at,
  child,
  children,
  descendants,
  fromBase64,
  isSigned,
  mainPart,
  NotEditable,
  openPackage,
  type Package,
  type PartChanges,
  type Placed,
  relationsOf,
  spliced,
  toBase64,
  treeOf,
} from '../package/index.ts'
import type { Block, Slides } from '../rendition/index.ts'
import type { SlideChanges } from './package-changes.ts'
import { blocksOfText, type TextFrame } from './read-slide-text.ts'
import { readSlides, type SlideObject, type SlidePackage } from './read-slides.ts'
import { addNotes, emptyNotes } from './slide-notes.ts'
import { shapeElements } from './slide-shapes.ts'
import { changedSlides, type SlideChange } from './slide-structure.ts'
import { plainText, readSlideText, type SlideText, withTypedText, writtenText } from './slide-text.ts'

/** An editable text frame. */
export interface SlidePlace {
  readonly id: number
  /** The index of the slide, from 0. */
  readonly slide: number
  readonly isNotes: boolean
  /** Names the frame in all versions with the same slides: its part and index there, or its slide for notes. */
  readonly name: string
}

interface EditablePlace extends SlidePlace {
  /** The index among all text frames. */
  id: number
  readonly part: string
  readonly body: Placed
  /** Undefined for notes that do not exist yet; `part` is then their slide. */
  readonly frame: TextFrame | undefined
  readonly original: SlideText
}

interface Step {
  readonly id: number
  readonly before: SlideText
  readonly after: SlideText
}

export type Deck = ReturnType<typeof openSlides>

const pictureTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

/** Opens a presentation with an optional draft. Throws `NotEditable`. */
export function openSlides(bytes: Uint8Array, draft = '') {
  const base = openPackage(bytes)
  const drafted = [...partsIn(draft)]
  const office = drafted.length === 0 ? base : openPackage(base.patched(new Map(drafted)))
  const main = mainPart(office, 'ppt/presentation.xml')
  const { deck, places, parts, objects, byBlocks, pictures, trees } = readPlaces(office, main)
  const texts = places.map(({ original }) => original)
  const drawn = new Map<SlideText, readonly Block[]>()
  const [undone, done]: [Step[], Step[]] = [[], []]
  const listeners = new Set<() => void>()
  let revision = 0
  const put = (id: number, text: SlideText): void => {
    texts[id] = text
    revision++
    for (const listener of listeners) listener()
  }
  const textAt = (id: number): SlideText => {
    const text = texts[id]
    if (text === undefined) throw new Error(`no words ${id}`)
    return text
  }
  const changed = (): SlideChanges => {
    const parts = new Map<string, { from: number; to: number; by: string }[]>()
    const changes: PartChanges = new Map(
      drafted.filter((one): one is [string, string | Uint8Array] => one[1] !== undefined),
    )
    for (const { id, part, body, frame, original } of places) {
      const text = textAt(id)
      if (text === original) continue
      if (frame === undefined) addNotes(office, changes, main, part, writtenText(text))
      else parts.set(part, [...(parts.get(part) ?? []), { from: body.from, to: body.to, by: writtenText(text) }])
    }
    for (const [part, made] of parts) changes.set(part, spliced(office.text(part), made))
    return new Map<string, string | Uint8Array | undefined>([
      ...[...changes].filter(([part, made]) => !base.has(part) || typeof made !== 'string' || made !== base.text(part)),
      ...drafted.flatMap(([part, made]) => (made === undefined && base.has(part) ? [[part, undefined] as const] : [])),
    ])
  }
  const urls = new Map<number, string>()

  return {
    deck,
    places: places as readonly SlidePlace[],
    /** The parts of the slides, in order. */
    parts,
    /** What lies on a slide itself, from the bottom to the top. */
    objects: (slide: number): readonly SlideObject[] => objects[slide] ?? [],
    /** The editable text frame of these blocks; undefined if they are read-only. */
    placeOf: (blocks: readonly Block[]): SlidePlace | undefined => byBlocks.get(blocks),
    /** The names of the frames that are within an object of a slide. */
    framesOf(slide: number, shape: number): readonly string[] {
      const part = parts[slide] ?? ''
      const tree = trees.get(part)
      const object = tree && shapeElements(tree)[shape]
      if (object === undefined) return []
      const isWithin = (one: EditablePlace): boolean =>
        one.part === part && one.body.from >= object.from && one.body.to <= object.to
      return places.filter((one) => !one.isNotes && isWithin(one)).map(({ name }) => name)
    },
    isSigned: isSigned(office),
    isProtected: /<p:modifyVerifier[\s/>]/.test(office.text(main)),
    hasMacros: office.names.some((name) => name.endsWith('vbaProject.bin')),
    /** The number of objects on the slides that are not rendered: charts, diagrams and others. */
    kept: [...trees.values()].reduce((sum, one) => sum + (one.name === 'p:sld' ? countOpaque(one) : 0), 0),
    revision: (): number => revision,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    words: (id: number): string => plainText(textAt(id)),
    /** The text of a frame as blocks to render. */
    blocks(id: number): readonly Block[] {
      const text = textAt(id)
      const known = drawn.get(text)
      if (known !== undefined) return known
      const frame = places[id]?.frame
      const made = frame === undefined ? [] : blocksOfText({ ...frame, body: treeOf(writtenText(text)) })
      drawn.set(text, made)
      return made
    },
    /** Sets the text of a frame; `goesOn` merges the change with the previous undo step. */
    type(id: number, words: string, goesOn = false): void {
      const before = textAt(id)
      const after = withTypedText(before, words)
      if (after === before) return
      const last = done.at(-1)
      if (goesOn && last?.id === id && undone.length === 0) done[done.length - 1] = { ...last, after }
      else done.push({ id, before, after })
      undone.length = 0
      put(id, after)
    },
    /** Takes in the text of a frame that somebody else has written; no undo step is made. */
    takeIn(id: number, words: string): void {
      const [now, original] = [textAt(id), places[id]?.original]
      const isOriginal = original !== undefined && plainText(original) === words
      const text = isOriginal ? original : withTypedText(now, words)
      if (text !== now) put(id, text)
    },
    /** Reverts the last step; returns its frame. */
    undo(): SlidePlace | undefined {
      const step = done.pop()
      if (step === undefined) return undefined
      undone.push(step)
      put(step.id, step.before)
      return places[step.id]
    },
    redo(): SlidePlace | undefined {
      const step = undone.pop()
      if (step === undefined) return undefined
      done.push(step)
      put(step.id, step.after)
      return places[step.id]
    },
    /** The changed parts as a draft; empty if there are none. */
    draft(): string {
      return draftOf(changed())
    },
    /** The draft with slides or shapes added, moved or removed; undefined if that changes nothing. */
    restructured(change: SlideChange): string | undefined {
      const parts = changed()
      const now = parts.size === 0 ? base : openPackage(base.patched(parts))
      const made = changedSlides(now, main, change)
      return made && draftOf(new Map([...parts, ...made]))
    },
    bytes(): Uint8Array {
      const parts = changed()
      return parts.size === 0 ? bytes : base.patched(parts)
    },
    /** The object URL of a picture. */
    picture(number: number): string {
      const path = pictures[number] ?? ''
      const url =
        urls.get(number) ??
        URL.createObjectURL(
          new Blob([office.bytes(path) as Uint8Array<ArrayBuffer>], { type: pictureTypes[endOf(path)] ?? '' }),
        )
      urls.set(number, url)
      return url
    },
    close(): void {
      for (const url of urls.values()) URL.revokeObjectURL(url)
      urls.clear()
    },
  }
}

/** Reads the slides, and finds their editable text frames. */
function readPlaces(office: Package, main: string) {
  const textOf = (path: string): string => office.text(path)
  const trees = new Map<string, Placed>()
  const tree = (path: string): Placed => {
    const found = trees.get(path) ?? treeOf(textOf(path))
    trees.set(path, found)
    return found
  }
  const root = tree(main)
  if (root.name !== 'p:presentation') throw new NotEditable('kind', 'no presentation')
  const pictures: string[] = []
  const reading: SlidePackage = {
    xml: (path) => (office.has(path) ? tree(path) : undefined),
    relations: (path) =>
      new Map([...relationsOf(office, path)].map(([id, { kind, part }]) => [id, { type: kind, target: part }])),
    picture(path) {
      if (!office.has(path) || pictureTypes[endOf(path)] === undefined) return undefined
      return pictures.includes(path) ? pictures.indexOf(path) : pictures.push(path) - 1
    },
  }
  const parts = partsOfSlides(reading, main, root)
  const places: EditablePlace[] = []
  const counts = new Map<string, number>()
  const nameOf = (part: string): string => {
    const n = counts.get(part) ?? 0
    counts.set(part, n + 1)
    return `${part}#${n}`
  }
  const byBlocks = new WeakMap<readonly Block[], EditablePlace>()
  const objects: (readonly SlideObject[])[] = []
  const deck: Slides = readSlides(reading, main, root, {
    onObjects(found, slide) {
      objects[slide] = found
    },
    onText(blocks, frame, part, slide) {
      const body = frame.body as Placed
      const original = readSlideText(textOf(part), body)
      if (original === undefined) return
      const own: EditablePlace = {
        id: places.length,
        slide,
        isNotes: frame.isNotes === true,
        name: frame.isNotes === true ? notesName(parts[slide] ?? '') : nameOf(part),
        part,
        body,
        frame,
        original,
      }
      places.push(own)
      byBlocks.set(blocks, own)
    },
  })
  if (deck.slides.length === 0) throw new NotEditable('kind', 'no slide')
  for (const [slide, part] of parts.entries()) {
    if ([...reading.relations(part).values()].some((one) => one.type === 'notesSlide')) continue
    const body = treeOf(emptyNotes)
    const original = readSlideText(emptyNotes, body)
    const about = { id: 0, slide, isNotes: true, name: notesName(part), part, body, frame: undefined }
    if (original !== undefined) places.push({ ...about, original })
  }
  // New notes follow the other text frames of their slide, like existing notes.
  places.sort((a, b) => a.slide - b.slide)
  places.forEach((one, n) => {
    one.id = n
  })
  return { deck, places, parts, objects, byBlocks, pictures, trees }
}

const notesName = (slidePart: string): string => `${slidePart}#notes`

/** The parts of the displayed slides, in order. */
function partsOfSlides(office: SlidePackage, main: string, root: Placed): readonly string[] {
  const relations = office.relations(main)
  return children(child(root, 'p:sldIdLst'), 'p:sldId').flatMap(({ attributes }) => {
    const part = relations.get(attributes['r:id'] ?? '')?.target
    return part !== undefined && office.xml(part) !== undefined ? [part] : []
  })
}

/** The number of objects on a slide that are preserved but not rendered. */
function countOpaque(slide: Placed): number {
  const tree = at(slide, 'p:cSld', 'p:spTree')
  const frames = [...descendants(tree, 'p:graphicFrame')].filter(
    (frame) => at(frame, 'a:graphic', 'a:graphicData', 'a:tbl') === undefined,
  )
  return frames.length + [...descendants(tree, 'mc:AlternateContent')].length
}

/** Returns the file of a presentation with a draft applied. */
export function withSlidesDraft(bytes: Uint8Array, draft: string): Uint8Array {
  const parts = partsIn(draft)
  return parts.size === 0 ? bytes : openPackage(bytes).patched(parts)
}

// A draft has the changed parts as JSON: text, bytes in base64, or null for a part that is deleted.

type DraftPart = string | { readonly base64: string } | null

function partsIn(draft: string): SlideChanges {
  const parts = draft === '' ? {} : (JSON.parse(draft) as Readonly<Record<string, DraftPart>>)
  return new Map(
    Object.entries(parts).map(([part, made]) => [
      part,
      made === null ? undefined : typeof made === 'string' ? made : fromBase64(made.base64),
    ]),
  )
}

function draftOf(parts: SlideChanges): string {
  const made = [...parts].map(([part, content]): [string, DraftPart] => [
    part,
    content === undefined ? null : typeof content === 'string' ? content : { base64: toBase64(content) },
  ])
  return made.length === 0 ? '' : JSON.stringify(Object.fromEntries(made))
}

const endOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase()
