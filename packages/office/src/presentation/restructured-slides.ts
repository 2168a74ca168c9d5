/*
 * Changes of the slides and shapes of a presentation that several people edit. The texts of frames are shared by the names
 * of frames, and a shape that is removed takes along the numbers of the frames behind it on its slide (docs/adr/0390).
 */
import { deckWithWords, type FrameWords, frameWords } from './coedit-slides.ts'
import { type ShapeBox, shapeForms } from './slide-shapes.ts'
import type { SlideChange } from './slide-structure.ts'
import { type Deck, withSlidesDraft } from './slides.ts'

/** What a change does to the names of the frames. */
export interface SlidesRebase {
  readonly renamed: Readonly<Record<string, string>>
  readonly gone: readonly string[]
}

export interface RestructuredSlides {
  readonly bytes: Uint8Array
  readonly frames: readonly FrameWords[]
  readonly rebase: SlidesRebase
}

/** Writes words into a presentation and makes a change; undefined if it changes nothing. */
export function restructuredSlides(
  file: Uint8Array,
  words: readonly FrameWords[],
  change: SlideChange,
): RestructuredSlides | undefined {
  const deck = deckWithWords(file, words)
  const rebase = rebaseOf(deck, change)
  const draft = deck.restructured(change)
  if (draft === undefined) return undefined
  const bytes = withSlidesDraft(file, draft)
  return { bytes, frames: frameWords(bytes) ?? [], rebase }
}

function rebaseOf(deck: Deck, change: SlideChange): SlidesRebase {
  if (change.kind === 'remove')
    return { renamed: {}, gone: deck.places.filter(({ slide }) => slide === change.at).map(({ name }) => name) }
  if (change.kind !== 'removeShape') return { renamed: {}, gone: [] }
  const gone = deck.framesOf(change.at, change.shape)
  const numberOf = (name: string): number => Number(/#(\d+)$/.exec(name)?.[1] ?? Number.NaN)
  const last = Math.max(-1, ...gone.map(numberOf))
  const behind = deck.places.filter(({ slide, name }) => slide === change.at && numberOf(name) > last)
  const renamed = behind.map(
    ({ name }) => [name, name.replace(/\d+$/, (n) => String(Number(n) - gone.length))] as const,
  )
  return { gone, renamed: gone.length === 0 ? {} : Object.fromEntries(renamed) }
}

/** The words of frames under the names that they have after changes, and those of frames that are gone. */
export function rebasedFrames(
  turns: readonly SlidesRebase[],
  words: readonly FrameWords[],
): { readonly frames: readonly FrameWords[]; readonly gone: readonly FrameWords[] } {
  const gone: FrameWords[] = []
  const frames = words.flatMap(([name, written]): FrameWords[] => {
    let now = name
    for (const turn of turns) {
      if (turn.gone.includes(now)) {
        gone.push([name, written])
        return []
      }
      now = turn.renamed[now] ?? now
    }
    return [[now, written]]
  })
  return { frames, gone }
}

/** Whether a change removes words. */
export const removesFrames = ({ kind }: SlideChange): boolean => kind === 'remove' || kind === 'removeShape'

const [mostNumber, farthest, longestText] = [10_000, 100_000, 2000]

const isNumber = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < mostNumber
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= longestText

function isBox(value: unknown): value is ShapeBox {
  if (typeof value !== 'object' || value === null) return false
  const box = value as Record<string, unknown>
  const isFar = (one: unknown): boolean => typeof one !== 'number' || !(Math.abs(one) <= farthest)
  return (
    !['x', 'y', 'width', 'height'].some((name) => isFar(box[name])) &&
    Number(box['width']) >= 0 &&
    Number(box['height']) >= 0
  )
}

const checks: Readonly<Record<SlideChange['kind'], Readonly<Record<string, (value: unknown) => boolean>>>> = {
  add: { behind: isNumber },
  move: { from: isNumber, to: isNumber },
  remove: { at: isNumber },
  addShape: { at: isNumber, form: (one) => (shapeForms as readonly unknown[]).includes(one), box: isBox, text: isText },
  addPicture: {
    at: isNumber,
    data: (one) => typeof one === 'string' && /^data:image\/(png|jpeg|gif);base64,[A-Za-z0-9+/=]+$/.test(one),
    box: isBox,
    text: isText,
  },
  placeShape: { at: isNumber, shape: isNumber, box: isBox },
  removeShape: { at: isNumber, shape: isNumber },
}

/** Parses a change from the network; undefined if it is none. */
export function parseSlideChange(text: string): SlideChange | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { kind, ...fields } = value as Record<string, unknown>
  const check = Object.hasOwn(checks, String(kind)) ? checks[kind as SlideChange['kind']] : undefined
  const isFit =
    check !== undefined &&
    Object.keys(fields).every((name) => Object.hasOwn(check, name)) &&
    Object.entries(check).every(([name, isRight]) => isRight(fields[name]))
  return isFit ? (value as SlideChange) : undefined
}
