/*
 * Binds a presentation to its shared texts (Yjs), one for each text frame. A local change becomes a minimal change of
 * its text, and remote changes are taken into their frame. Undo reverts only the own changes.
 */
import { differenceOf } from '@cloudoc/domain'
import type { Deck, SlidePlace } from '@cloudoc/office/presentation'
import { frameKey } from '@cloudoc/office/presentation'
import * as Y from 'yjs'
import type { SharedDeck, SlidesEditorInstance } from '../slides/slides-editor.tsx'
import type { CoeditSession } from './coedit-session.ts'

/** Typing within this time is one step of undo, in milliseconds. */
const stepMs = 1000

/** The minimal change between two texts that cuts no character of two code units apart. */
export function changeBetween(before: string, after: string): ReturnType<typeof differenceOf> {
  let { from, to, insert } = differenceOf(before, after)
  if (/[\ud800-\udbff]/.test(before[from - 1] ?? '')) {
    from -= 1
    insert = `${before[from] ?? ''}${insert}`
  }
  if (/[\udc00-\udfff]/.test(before[to] ?? '')) {
    insert += before[to] ?? ''
    to += 1
  }
  return { from, to, insert }
}

/**
 * Binds a deck to the texts of a session; `show` goes to a frame that undo has changed. `typed` is told what a frame said
 * before it was typed into.
 */
export function bindSlides(
  { doc, others }: Pick<CoeditSession, 'doc' | 'others'>,
  typed: Map<string, string>,
  deck: Deck,
  show: (place: SlidePlace) => void,
): SharedDeck {
  const origin = {}
  const frames = deck.places.map((place) => ({ place, text: doc.getText(frameKey(place.name)) }))
  const undoing = new Y.UndoManager(
    frames.map(({ text }) => text),
    { trackedOrigins: new Set([origin]), captureTimeout: stepMs },
  )
  undoing.on('stack-item-popped', ({ changedParentTypes }) => {
    const types: ReadonlySet<unknown> = new Set(changedParentTypes.keys())
    const changed = frames.find(({ text }) => types.has(text))
    if (changed !== undefined) show(changed.place)
  })
  const takeIn = ({ place, text }: (typeof frames)[number]): void => deck.takeIn(place.id, text.toJSON())
  const leaves = frames.map((frame) => {
    const hear = (_: Y.YTextEvent, { origin: from }: Y.Transaction): void => {
      if (from !== origin) takeIn(frame)
    }
    takeIn(frame)
    frame.text.observe(hear)
    return () => frame.text.unobserve(hear)
  })
  const note = ({ place, text }: (typeof frames)[number]): void => {
    if (!typed.has(place.name)) typed.set(place.name, text.toJSON())
  }
  const noteAll = (): void => {
    for (const frame of frames) note(frame)
  }
  return {
    type(id, said) {
      const frame = frames[id]
      if (frame === undefined) return
      note(frame)
      const { text } = frame
      const words = said.replace(/\r\n?/g, '\n')
      const { from, to, insert } = changeBetween(text.toJSON(), words)
      doc.transact(() => {
        if (to > from) text.delete(from, to - from)
        if (insert !== '') text.insert(from, insert)
      }, origin)
      deck.takeIn(id, words)
    },
    undo() {
      noteAll()
      undoing.undo()
    },
    redo() {
      noteAll()
      undoing.redo()
    },
    follow(paper) {
      const stop = followOthers(others, deck, paper)
      return () => {
        stop()
        for (const leave of leaves) leave()
        undoing.destroy()
      }
    },
  }
}

/** Shows in which frames the others write, and tells the own one. Returns a function that stops it. */
function followOthers(others: CoeditSession['others'], deck: Deck, { store }: SlidesEditorInstance): () => void {
  const frameIn = (cursor: unknown): SlidePlace | undefined => {
    if (typeof cursor !== 'object' || cursor === null || !('frame' in cursor)) return undefined
    return deck.places.find(({ name }) => name === cursor.frame)
  }
  const show = (): void =>
    store.setState({
      others: [...others.getStates()].flatMap(([client, { user, cursor }]) => {
        const place = frameIn(cursor)
        return place === undefined ? [] : [{ client, name: user.name, color: user.color, id: place.id }]
      }),
    })
  show()
  others.on('change', show)
  const stop = store.subscribe(({ writing }, before) => {
    if (writing === before.writing) return
    const place = writing === undefined ? undefined : deck.places[writing]
    others.setLocalStateField('cursor', place === undefined ? null : { frame: place.name })
  })
  return () => {
    stop()
    others.off('change', show)
  }
}
