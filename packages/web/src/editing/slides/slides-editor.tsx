// The slide editor: the slide strip at the side, the editable texts of one slide, and its notes below.

import { differenceOf } from '@cloudoc/domain'
import type { SlideChange } from '@cloudoc/office/presentation'
import { type Deck, openSlides, type SlidePlace } from '@cloudoc/office/presentation'
import type { Block } from '@cloudoc/office/rendition'
import {
  type ComponentProps,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { IconButton } from '../../kit/button.tsx'
import { Add20Regular, ArrowDown20Regular, ArrowUp20Regular, Delete20Regular } from '../../kit/icons.ts'
import { BlockOverrideContext, Blocks, type Pictures } from '../../viewing/rendition/blocks.tsx'
import { safeColor } from '../../viewing/rendition/rendition.ts'
import { SlideView } from '../../viewing/rendition/slide-view.tsx'
import type { EditorInstance, OpenedEditor } from '../editor/editor-frame.tsx'
import { createOfficeEditor } from '../editor/office-editor.tsx'
import { FindBar } from '../shared/find-bar.tsx'
import { printFrame } from '../shared/print.ts'
import { heaviestPicture, heaviestSharedPicture } from '../shared/read-pictures.ts'
import { ShapeTools, SlideObjects } from './slide-objects.tsx'
import '../../viewing/rendition/rendition.css'
import './slides.css'

const thumbWidth = 160
/** Milliseconds after which further typing starts a new undo step. */
const stepAfterMs = 1000

interface State {
  readonly deck: Deck
  readonly slide: number
  /** The id of the text frame that is edited. */
  readonly writing: number | undefined
  readonly isEditable: boolean
  readonly isFinding: boolean
  /** The number of the selected shape of the slide. */
  readonly selected: number | undefined
  /** The current match of the search. */
  readonly found: { readonly id: number; readonly from: number; readonly to: number } | undefined
  /** The frames that other people write in. */
  readonly others: readonly {
    readonly client: number
    readonly name: string
    readonly color: string
    readonly id: number
  }[]
}

export interface SlidesEditorInstance extends EditorInstance {
  readonly store: StoreApi<State>
  /** Adds, moves or removes slides or shapes and shows a slide. */
  readonly restructure: (change: SlideChange, show: number) => void
  /** Continues with another file and its shared texts; shows a slide, or the one that was shown. */
  readonly reopen: (file: Uint8Array, bind: BindDeck, nameAfter: NameAfter, show: number | undefined) => void
  /** The largest picture that can be inserted, in bytes. */
  readonly heaviestPicture: number
  /** Changes the text of a frame by its name. */
  readonly typeInto: (name: string, change: (words: string) => string) => void
  /** Sets the text of a frame; `goesOn` merges the change with the undo step before. */
  readonly type: (id: number, words: string, goesOn?: boolean) => void
}

/** Where the texts of a deck are written if several people edit it. */
export interface SharedDeck {
  readonly type: (id: number, words: string) => void
  readonly undo: () => void
  readonly redo: () => void
  /** Shows the others and tells the own place; returns a function that ends the binding. */
  readonly follow: (paper: SlidesEditorInstance) => () => void
}

/** Connects a deck to its shared texts; `show` goes to a frame. */
export type BindDeck = (deck: Deck, show: (place: SlidePlace) => void) => SharedDeck
/** The name that a frame has in the next file; undefined if it is gone. */
export type NameAfter = (name: string) => string | undefined

/**
 * Opens the editor of a presentation. If several people edit it, `bind` connects it to the shared texts, and `request`
 * asks for changes of slides and shapes.
 */
export function openSlidesEditor(
  bytes: Uint8Array,
  name: string,
  onChange: () => void,
  bind?: BindDeck,
  request?: SlidesEditorInstance['restructure'],
): OpenedEditor<SlidesEditorInstance> {
  let base = bytes
  const opened = (draft = ''): Deck => {
    const deck = openSlides(base, draft)
    deck.subscribe(onChange)
    return deck
  }
  const store = createStore<State>(() => ({
    deck: opened(),
    slide: 0,
    writing: undefined,
    isEditable: false,
    isFinding: false,
    selected: undefined,
    found: undefined,
    others: [],
  }))
  const now = (): Deck => store.getState().deck
  let last = { id: -1, at: 0 }
  const back = (place: SlidePlace | undefined): void => {
    last = { id: -1, at: 0 }
    if (place === undefined) return
    const { writing } = store.getState()
    store.setState({ slide: place.slide, writing: writing === undefined ? undefined : place.id })
  }
  let shared = bind?.(now(), back)
  // A change of slides makes another deck; undo goes back to the one before, with its own steps.
  const [past, future]: { deck: Deck; slide: number }[][] = [[], []]
  const turn = (from: typeof past = [], to: typeof past = []): void => {
    const other = from.pop()
    if (other === undefined) return
    const { deck, slide } = store.getState()
    to.push({ deck, slide })
    store.setState({ ...other, ...unselected })
    onChange()
  }
  const forget = (decks: typeof past = []): void => {
    for (const { deck } of decks.splice(0)) deck.close()
  }
  let lastPlaced: Placed | undefined
  const step = (isBack: boolean): void => {
    lastPlaced = undefined
    if (shared !== undefined) return isBack ? shared.undo() : shared.redo()
    const place = isBack ? now().undo() : now().redo()
    if (place !== undefined) back(place)
    else turn(...(isBack ? [past, future] : [future, past]))
  }
  const paper: SlidesEditorInstance = {
    store,
    heaviestPicture: request === undefined ? heaviestPicture : heaviestSharedPicture,
    type(id, words, goesOn = true) {
      if (shared !== undefined) return shared.type(id, words)
      forget(future)
      lastPlaced = undefined
      const at = Date.now()
      now().type(id, words, goesOn && last.id === id && at - last.at < stepAfterMs)
      last = { id, at }
    },
    draft: () => now().draft(),
    bytes: () => now().bytes(),
    restore(draft, other) {
      base = other ?? base
      for (const decks of [past, future]) forget(decks)
      now().close()
      store.setState({ deck: opened(draft), ...unselected })
      onChange()
    },
    setReadOnly: (is) => store.setState({ isEditable: !is }),
    undo: () => step(true),
    redo: () => step(false),
    restructure(change, show) {
      if (request !== undefined) return request(change, show)
      const draft = now().restructured(change)
      if (draft === undefined) return
      forget(future)
      const { deck, slide } = store.getState()
      // Keys that place one shape again and again are one step.
      if (isPlacedAgain(change, lastPlaced)) deck.close()
      else past?.push({ deck, slide })
      lastPlaced = change.kind === 'placeShape' ? { ...change, time: Date.now() } : undefined
      store.setState({ deck: opened(draft), slide: show, ...unselected, selected: selectedAfter(change, now()) })
      onChange()
    },
    reopen(file, bindAgain, nameAfter, show) {
      const { deck, slide, writing } = store.getState()
      const part = deck.parts[slide]
      const written = writing === undefined ? undefined : nameAfter(deck.places[writing]?.name ?? '')
      leave?.()
      deck.close()
      base = file
      const next = opened()
      const same = next.parts.findIndex((one) => one === part)
      const wanted = show ?? (same < 0 ? slide : same)
      const place = next.places.find((one) => one.name === written)
      store.setState({
        deck: next,
        slide: Math.max(0, Math.min(next.parts.length - 1, wanted)),
        ...unselected,
        writing: place?.slide === wanted ? place.id : undefined,
      })
      shared = bindAgain(next, back)
      leave = shared.follow(paper)
      onChange()
    },
    typeInto(frame, change) {
      const place = now().places.find((one) => one.name === frame)
      if (place !== undefined) paper.type(place.id, change(now().words(place.id)), false)
    },
    find: () => store.setState({ isFinding: true }),
    print: () => print(name, now()),
    focus: () => requestAnimationFrame(() => document.querySelector<HTMLElement>('.sl-room')?.focus()),
    close() {
      leave?.()
      for (const decks of [past, future]) forget(decks)
      now().close()
    },
  }
  let leave = shared?.follow(paper)
  const { kept, isSigned, isProtected, hasMacros } = now()
  const readOnly = isSigned ? say('editor.office.signed') : isProtected ? say('editor.slides.protected') : ''
  const notices = [kept > 0 ? say('editor.slides.keeps', { n: kept }) : '', hasMacros ? say('editor.sheet.macros') : '']
  return { editor: paper, readOnly, notice: notices.filter((one) => one !== '').join(' · ') }
}

const unselected = { writing: undefined, found: undefined, selected: undefined } as const

interface Placed {
  readonly at: number
  readonly shape: number
  readonly time: number
}

const isPlacedAgain = (change: SlideChange, last: Placed | undefined): boolean =>
  change.kind === 'placeShape' &&
  change.shape === last?.shape &&
  change.at === last.at &&
  Date.now() - last.time < stepAfterMs

/** The shape that is selected after a change: the one that was added or placed. */
function selectedAfter(change: SlideChange, deck: Deck): number | undefined {
  if (change.kind === 'placeShape') return change.shape
  const isNew = change.kind === 'addShape' || change.kind === 'addPicture'
  return isNew ? deck.objects(change.at).at(-1)?.shape : undefined
}

/** Prints each slide on a page of its size, as rendered in the strip. */
function print(name: string, { deck }: Deck): void {
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .map(({ cssText }) => cssText)
    .filter((rule) => rule.startsWith('.rd'))
  const page = `@page { size: ${deck.width}px ${deck.height}px; margin: 0 } body { margin: 0; font-family: sans-serif; print-color-adjust: exact }
.sheet { position: relative; width: ${deck.width}px; height: ${deck.height}px; overflow: hidden; break-after: page }`
  printFrame(name, `${rules.join('\n')}\n${page}`, (paged) => {
    for (const slide of document.querySelectorAll('.sl-strip .rd-slide')) {
      const sheet = Object.assign(paged.createElement('div'), { className: 'sheet' })
      const copy = paged.importNode(slide, true) as HTMLElement
      copy.style.transform = 'none'
      sheet.append(copy)
      paged.body.append(sheet)
    }
  })
}

const useStateOf = ({ store }: SlidesEditorInstance): State => useSyncExternalStore(store.subscribe, store.getState)

const picturesOf = (deck: Deck): Pictures => ({ address: (part) => Promise.resolve(deck.picture(part)) })

/** The slides, and the one that is edited. */
export function SlidesBody({
  paper,
  zoom,
}: {
  readonly paper: SlidesEditorInstance
  readonly zoom: number
}): ReactNode {
  const t = useT()
  const { deck, slide: at, writing, isEditable, isFinding, found, others, selected } = useStateOf(paper)
  useSyncExternalStore(deck.subscribe, deck.revision)
  const [pictures, setPictures] = useState(() => ({ deck, source: picturesOf(deck) }))
  if (pictures.deck !== deck) setPictures({ deck, source: picturesOf(deck) })
  const [room, setRoom] = useState({ width: 0, height: 0 })
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const { width, height, slides } = deck.deck
  const slide = slides[at]
  // Read-only users only see notes that are not empty.
  const notes = deck.places.find((one) => one.slide === at && one.isNotes && (isEditable || deck.words(one.id) !== ''))
  const below = (notes === undefined ? 48 : 176) + (isEditable ? 40 : 0)
  const fit = Math.min((room.width - 64) / width, (room.height - below) / height)
  const scale = (Math.max(0.1, fit) * zoom) / 100
  const go = (to: number): void => {
    const wanted = Math.max(0, Math.min(slides.length - 1, to))
    paper.store.setState({ slide: wanted, writing: undefined, selected: undefined })
    requestAnimationFrame(() => {
      document.querySelector(`.sl-strip [data-slide="${wanted}"]`)?.scrollIntoView({ block: 'nearest' })
    })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement) return
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, PageDown: 1, ArrowUp: -1, PageUp: -1 }
    const step = steps[event.key]
    const key = event.key.toLowerCase()
    if (step !== undefined) go(at + step)
    else if (isEditable && (event.ctrlKey || event.metaKey) && key === 'z') {
      if (event.shiftKey) paper.redo()
      else paper.undo()
    } else if (isEditable && (event.ctrlKey || event.metaKey) && key === 'y') paper.redo()
    else return
    event.preventDefault()
  }
  const shown = (blocks: readonly Block[]): ReactNode => {
    const place = deck.placeOf(blocks)
    return place && <Blocks blocks={deck.blocks(place.id)} rendition={pictures.source} />
  }
  const written = (blocks: readonly Block[]): ReactNode => {
    const place = deck.placeOf(blocks)
    if (place === undefined) return undefined
    if (!isEditable) return <span className={found?.id === place.id ? 'sl-found' : undefined}>{shown(blocks)}</span>
    const people = others.filter(({ id }) => id === place.id)
    return (
      <div className="sl-place" style={{ outlineColor: safeColor(people[0]?.color) }}>
        {writing === place.id ? (
          <Field paper={paper} id={place.id} />
        ) : (
          <SlideText paper={paper} id={place.id} isFound={found?.id === place.id}>
            {shown(blocks)}
          </SlideText>
        )}
        {people.map(({ client, name, color }) => (
          <b key={client} className="sl-who" style={{ backgroundColor: safeColor(color) }}>
            {name}
          </b>
        ))}
      </div>
    )
  }
  return (
    <div className="sl" onKeyDown={onKeyDown}>
      {isFinding && <Finding paper={paper} />}
      <div className="sl-desk">
        <nav className="sl-strip" aria-label={t('drive.preview.slides')}>
          {isEditable && <SlideTools at={at} count={slides.length} restructure={paper.restructure} />}
          <BlockOverrideContext value={shown}>
            {slides.map((one, n) => (
              <button
                key={n}
                type="button"
                data-slide={n}
                className="sl-strip-slide"
                aria-current={n === at ? 'page' : undefined}
                aria-label={t('drive.preview.slide', { n: n + 1 })}
                onClick={() => go(n)}
              >
                <span>{n + 1}</span>
                <SlideView slide={one} deck={deck.deck} rendition={pictures.source} scale={thumbWidth / width} />
              </button>
            ))}
          </BlockOverrideContext>
        </nav>
        <div className="sl-room" ref={box} tabIndex={-1}>
          {isEditable && (
            <ShapeTools
              at={at}
              page={{ width, height }}
              selected={selected}
              heaviest={paper.heaviestPicture}
              restructure={paper.restructure}
            />
          )}
          {slide !== undefined && room.width > 0 && (
            <div className="sl-page">
              <BlockOverrideContext value={written}>
                <SlideView key={at} slide={slide} deck={deck.deck} rendition={pictures.source} scale={scale} />
              </BlockOverrideContext>
              {isEditable && (
                <SlideObjects
                  key={at}
                  objects={deck.objects(at)}
                  scale={scale}
                  selected={selected}
                  onSelect={(shape) => paper.store.setState({ selected: shape })}
                  onPlace={(shape, to) => paper.restructure({ kind: 'placeShape', at, shape, box: to }, at)}
                  onRemove={(shape) => paper.restructure({ kind: 'removeShape', at, shape }, at)}
                />
              )}
            </div>
          )}
          {notes !== undefined && (
            <label className="sl-notes">
              <b>{t('drive.preview.notes')}</b>
              <KeptText
                rows={4}
                readOnly={!isEditable}
                spellCheck={false}
                data-place={notes.id}
                placeholder={t('editor.slides.notes')}
                words={deck.words(notes.id)}
                onType={(words) => paper.type(notes.id, words)}
                onKeyDown={(event) => stepKeys(event, paper)}
              />
            </label>
          )}
        </div>
      </div>
    </div>
  )
}

interface SlideToolsProps {
  readonly at: number
  readonly count: number
  readonly restructure: (change: SlideChange, show: number) => void
}

/** Buttons that add, move and remove slides. */
function SlideTools({ at, count, restructure }: SlideToolsProps): ReactNode {
  const t = useT()
  const move = (to: number): void => restructure({ kind: 'move', from: at, to }, to)
  return (
    <div className="sl-tools" role="toolbar" aria-label={t('editor.slides.tools')}>
      <IconButton
        label={t('editor.slides.add')}
        icon={<Add20Regular />}
        onClick={() => restructure({ kind: 'add', behind: at }, at + 1)}
      />
      <IconButton
        label={t('editor.slides.up')}
        icon={<ArrowUp20Regular />}
        disabled={at === 0}
        onClick={() => move(at - 1)}
      />
      <IconButton
        label={t('editor.slides.down')}
        icon={<ArrowDown20Regular />}
        disabled={at === count - 1}
        onClick={() => move(at + 1)}
      />
      <IconButton
        label={t('editor.slides.remove')}
        icon={<Delete20Regular />}
        disabled={count < 2}
        onClick={() => restructure({ kind: 'remove', at }, Math.min(at, count - 2))}
      />
    </div>
  )
}

interface KeptTextProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref' | 'onSelect'> {
  readonly words: string
  readonly onType: (words: string) => void
  readonly own?: RefObject<HTMLTextAreaElement | null>
}

/** An input field whose selection stays where it is in the text when somebody else changes the text. */
function KeptText({ words, onType, own, ...rest }: KeptTextProps): ReactNode {
  const inner = useRef<HTMLTextAreaElement>(null)
  const field = own ?? inner
  const kept = useRef({ words, start: words.length, end: words.length })
  const keep = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): void => {
    kept.current = { words: value, start: selectionStart, end: selectionEnd }
  }
  useLayoutEffect(() => {
    const { words: before, start, end } = kept.current
    if (field.current === null || before === words) return
    const { from, to, insert } = differenceOf(before, words)
    const moved = (at: number): number =>
      at <= from ? at : at >= to ? at + insert.length - (to - from) : from + insert.length
    kept.current = { words, start: moved(start), end: moved(end) }
    if (document.activeElement === field.current) field.current.setSelectionRange(moved(start), moved(end))
  }, [words, field])
  return (
    <textarea
      {...rest}
      ref={field}
      value={words}
      onSelect={(event) => keep(event.currentTarget)}
      onChange={(event) => {
        keep(event.currentTarget)
        onType(event.currentTarget.value)
      }}
    />
  )
}

/** Undo and redo of the presentation instead of the field. */
function stepKeys(event: KeyboardEvent, paper: SlidesEditorInstance): void {
  const key = event.key.toLowerCase()
  if ((!event.ctrlKey && !event.metaKey) || (key !== 'z' && key !== 'y')) return
  event.preventDefault()
  if (key === 'y' || event.shiftKey) paper.redo()
  else paper.undo()
}

interface SlideTextProps {
  readonly paper: SlidesEditorInstance
  readonly id: number
  readonly isFound: boolean
  readonly children: ReactNode
}

/** A text frame that becomes editable on click. */
function SlideText({ paper, id, isFound, children }: SlideTextProps): ReactNode {
  const t = useT()
  const words = paper.store.getState().deck.words(id)
  const write = (): void => paper.store.setState({ writing: id })
  return (
    <div
      role="button"
      tabIndex={0}
      className={isFound ? 'sl-words is-found' : 'sl-words'}
      data-place={id}
      aria-label={t('editor.slides.words', { text: words })}
      onClick={write}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'F2' && event.key !== ' ') return
        event.preventDefault()
        write()
      }}
    >
      {words === '' ? <span className="sl-empty">{t('editor.slides.empty')}</span> : children}
    </div>
  )
}

/** The input field of a text frame, with the formatting of its first text. */
function Field({ paper, id }: { readonly paper: SlidesEditorInstance; readonly id: number }): ReactNode {
  const t = useT()
  const { deck, found } = useStateOf(paper)
  const words = deck.words(id)
  const own = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const field = own.current
    if (field === null) return
    if (!paper.store.getState().isFinding) field.focus({ preventScroll: true })
    field.setSelectionRange(field.value.length, field.value.length)
  }, [paper])
  useEffect(() => {
    if (found?.id === id) own.current?.setSelectionRange(found.from, found.to)
  }, [found, id])
  useLayoutEffect(() => {
    const field = own.current
    if (field === null) return
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight}px`
  }, [words])
  const [first] = deck.blocks(id)
  const paragraph = first?.is === 'text' ? first : undefined
  const look = paragraph?.runs.find(({ text }) => text !== '')
  const style: CSSProperties = {
    textAlign: paragraph?.align,
    fontSize: look?.size ?? 24,
    fontWeight: look?.bold === true ? 700 : undefined,
    fontStyle: look?.italic === true ? 'italic' : undefined,
    color: safeColor(look?.color),
    lineHeight: paragraph?.line === undefined ? undefined : paragraph.line * 1.25,
  }
  const leave = (): void => {
    paper.store.setState({ writing: undefined })
    paper.focus()
  }
  return (
    <KeptText
      own={own}
      className={found?.id === id ? 'sl-field is-found' : 'sl-field'}
      data-place={id}
      rows={1}
      style={style}
      spellCheck={false}
      aria-label={t('editor.slides.words', { text: words })}
      words={words}
      onType={(typed) => paper.type(id, typed)}
      onBlur={() => {
        if (paper.store.getState().writing === id && !paper.store.getState().isFinding)
          paper.store.setState({ writing: undefined })
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') {
          event.stopPropagation()
          leave()
        } else if (event.key === 'Tab') {
          const { slide } = paper.store.getState()
          const all = deck.places.filter((one) => one.slide === slide && !one.isNotes)
          const next = all[all.findIndex((one) => one.id === id) + (event.shiftKey ? -1 : 1)]
          if (next === undefined) return
          event.preventDefault()
          paper.store.setState({ writing: next.id })
        } else stepKeys(event, paper)
      }}
    />
  )
}

function Finding({ paper }: { readonly paper: SlidesEditorInstance }): ReactNode {
  const { deck, isEditable } = useStateOf(paper)
  const all = (text: string): NonNullable<State['found']>[] => {
    const wanted = text.toLowerCase()
    return deck.places.flatMap(({ id }) => {
      const words = deck.words(id).toLowerCase()
      const found = []
      for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + wanted.length))
        found.push({ id, from: at, to: at + wanted.length })
      return found
    })
  }
  const go = (text: string, step: 1 | -1, from?: { readonly id: number; readonly at: number }) => {
    const found = all(text)
    const { found: last, slide } = paper.store.getState()
    const start = deck.places.find((one) => one.slide === slide)?.id ?? 0
    const here =
      from ?? (last === undefined ? { id: start, at: 0 } : { id: last.id, at: step === 1 ? last.to : last.from })
    const isBehind = (one: NonNullable<State['found']>): boolean =>
      one.id > here.id || (one.id === here.id && one.from >= here.at)
    const isBefore = (one: NonNullable<State['found']>): boolean =>
      one.id < here.id || (one.id === here.id && one.to <= here.at)
    const next = step === 1 ? found.findIndex(isBehind) : found.findLastIndex(isBefore)
    const to = next >= 0 ? next : step === 1 ? 0 : found.length - 1
    const place = found[to]
    const on = place && deck.places[place.id]
    if (on !== undefined && place !== undefined) {
      const isWritten = isEditable && !on.isNotes
      paper.store.setState({ slide: on.slide, found: place, writing: isWritten ? place.id : undefined })
    }
    return { at: to + 1, count: found.length }
  }
  const replaceAt = ({ id, from, to }: NonNullable<State['found']>, by: string): void => {
    const words = deck.words(id)
    paper.type(id, words.slice(0, from) + by + words.slice(to), false)
  }
  return (
    <FindBar
      isEditable={isEditable}
      find={go}
      replace={(text, by) => {
        const { found } = paper.store.getState()
        const isThere =
          found !== undefined &&
          all(text).some((one) => one.id === found.id && one.from === found.from && one.to === found.to)
        if (!isThere) return go(text, 1)
        replaceAt(found, by)
        return go(text, 1, { id: found.id, at: found.from + by.length })
      }}
      replaceAll={(text, by) => {
        const found = all(text)
        for (const one of found.toReversed()) replaceAt(one, by)
        paper.store.setState({ found: undefined })
        return found.length
      }}
      close={() => {
        paper.store.setState({ isFinding: false, found: undefined })
        paper.focus()
      }}
    />
  )
}

/** The place in the presentation. */
export function SlidesFoot({ paper }: { readonly paper: SlidesEditorInstance }): ReactNode {
  const t = useT()
  const { deck, slide } = useStateOf(paper)
  return <span>{t('editor.slides.at', { n: slide + 1, of: deck.deck.slides.length })}</span>
}

export const SlidesEditor = createOfficeEditor({ open: openSlidesEditor, Body: SlidesBody, Foot: SlidesFoot })
