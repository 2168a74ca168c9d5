// The slide viewer: all slides in a strip at the side, one large; navigation by arrow keys, wheel or click.
import type { Slides } from '@cloudoc/contract'
import {
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { useGestureZoom, useSwipes } from '../controls/gestures.ts'
import { PageBar } from '../controls/page-bar.tsx'
import { hitsIn } from '../find/find-bar.tsx'
import { FindSourceContext } from '../find/find-source.ts'
import { type FindOptions, matchesIn } from '../find/find-text.ts'
import type { OpenRendition } from '../rendition/rendition.ts'
import { SlideView } from '../rendition/slide-view.tsx'
import { isNarrow, type Zoom, zoomFactor } from '../shared/zoom.ts'

const thumbWidth = 174

interface SlidesViewerProps {
  readonly deck: Slides
  readonly rendition: OpenRendition
}

/** Renders a presentation. */
export function SlidesViewer({ deck, rendition }: SlidesViewerProps): ReactNode {
  const t = useT()
  const [at, setAt] = useState(0)
  const [zoom, setZoom] = useState<Zoom>('fit')
  const [room, setRoom] = useState({ width: 0, height: 0 })
  const box = useRef<HTMLDivElement>(null)
  const strip = useRef<HTMLElement>(null)
  const slide = deck.slides[at]
  const scale = zoomFactor(
    zoom,
    deck,
    { width: room.width - (isNarrow(room) ? 16 : 240), height: room.height - (slide?.notes === undefined ? 120 : 220) },
    2,
  )

  const zoomTo = useGestureZoom(box, scale, setZoom)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    element.focus({ preventScroll: true })
    return () => observer.disconnect()
  }, [])

  const go = (to: number): void => {
    const wanted = Math.max(0, Math.min(deck.slides.length - 1, to))
    setAt(wanted)
    document.querySelector(`[data-slide="${wanted}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const last = deck.slides.length - 1
    const ways: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      PageDown: at + 1,
      ArrowUp: at - 1,
      PageUp: at - 1,
      Home: 0,
      End: last,
    }
    const to = ways[event.key]
    if (to === undefined) return
    go(to)
    event.preventDefault()
  }
  const swipes = useSwipes({
    onSwipe(by) {
      const isThere = deck.slides[at + by] !== undefined
      if (isThere) go(at + by)
      return isThere
    },
  })
  const { counts, target } = useFinding(deck, strip, go)
  useMarks(counts, target?.slide === at ? target : undefined, at, strip, box)
  const nameOf = (n: number): string => {
    const total = counts?.of[n] ?? 0
    return total > 0 ? t('drive.preview.slideFound', { n: n + 1, total }) : t('drive.preview.slide', { n: n + 1 })
  }
  return (
    <div className="rd-slides" onKeyDown={onKeyDown}>
      <nav className="rd-strip" ref={strip} aria-label={t('drive.preview.slides')}>
        {deck.slides.map((one, n) => (
          <div key={n} data-slide={n} className="rd-strip-slide">
            <button
              type="button"
              aria-current={n === at ? 'page' : undefined}
              aria-label={nameOf(n)}
              onClick={() => setAt(n)}
            >
              <span>{n + 1}</span>
            </button>
            {(counts?.of[n] ?? 0) > 0 && (
              <b className="rd-strip-found" aria-hidden="true">
                {counts?.of[n]}
              </b>
            )}
            {/* Screen readers read the text in the large slide. */}
            <div aria-hidden="true">
              <SlideView slide={one} deck={deck} rendition={rendition} scale={thumbWidth / deck.width} />
            </div>
          </div>
        ))}
      </nav>
      <div className="rd-slide-room" ref={box} tabIndex={-1} {...swipes}>
        {slide !== undefined && room.width > 0 && (
          <SlideView slide={slide} deck={deck} rendition={rendition} scale={scale} />
        )}
        {slide?.notes !== undefined && (
          <section className="rd-notes" aria-label={t('drive.preview.notes')}>
            <b>{t('drive.preview.notes')}</b>
            <p>{slide.notes}</p>
          </section>
        )}
      </div>
      <PageBar
        page={at + 1}
        pages={deck.slides.length}
        onPage={(page) => go(page - 1)}
        zoom={zoom}
        percent={scale}
        onZoom={zoomTo}
      />
    </div>
  )
}

/** The search, and the number of matches on each slide including its notes. */
interface Counts {
  readonly words: string
  readonly how: FindOptions
  readonly of: readonly number[]
}

/** A match: the slide, and the index of the match on it. */
interface Place {
  readonly slide: number
  readonly nth: number
}

const maxMatches = 5000

/** Searches all slides, using the rendered strip, and all notes. */
function useFinding(
  deck: Slides,
  strip: RefObject<HTMLElement | null>,
  goTo: (slide: number) => void,
): { readonly counts: Counts | undefined; readonly target: Place | undefined } {
  const register = useContext(FindSourceContext)
  const [counts, setCounts] = useState<Counts>()
  const [target, setTarget] = useState<Place>()
  const go = useEffectEvent(goTo)
  useEffect(() => {
    let places: readonly Place[] = []
    register({
      find(words, how) {
        const small = slidesIn(strip.current)
        const of = deck.slides.map(({ notes = '' }, n) => {
          const slide = small[n]
          const onIt = slide === undefined || words === '' ? 0 : hitsIn(slide, words, how, '.rd-none').length
          return onIt + matchesIn(notes, words, how).length
        })
        places = of.flatMap((count, slide) => Array.from({ length: count }, (_, nth) => ({ slide, nth })))
        places = places.slice(0, maxMatches)
        setTarget(undefined)
        setCounts(words === '' ? undefined : { words, how, of })
        return Promise.resolve(places.length)
      },
      show(hit) {
        const place = places[hit]
        if (place === undefined) return
        go(place.slide)
        setTarget(place)
      },
    })
    return () => register(undefined)
  }, [register, deck, strip])
  return { counts, target }
}

const slidesIn = (strip: HTMLElement | null): HTMLElement[] => [
  ...(strip?.querySelectorAll<HTMLElement>('.rd-slide') ?? []),
]

/** Highlights the matches in the strip and on the large slide; matches in the notes follow those on the slide. */
function useMarks(
  counts: Counts | undefined,
  target: Place | undefined,
  at: number,
  strip: RefObject<HTMLElement | null>,
  room: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    if (counts === undefined || room.current === null || !('highlights' in CSS)) return
    const { words, how } = counts
    const small = slidesIn(strip.current).flatMap((slide, n) =>
      (counts.of[n] ?? 0) > 0 ? hitsIn(slide, words, how, '.rd-none') : [],
    )
    const large = hitsIn(room.current, words, how, '.rd-notes > b')
    const here = target && large[target.nth]
    CSS.highlights.set('pv-found', new Highlight(...small, ...large))
    CSS.highlights.set('pv-found-here', new Highlight(...(here === undefined ? [] : [here])))
    here?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' })
    return () => {
      CSS.highlights.delete('pv-found')
      CSS.highlights.delete('pv-found-here')
    }
  }, [counts, target, at, strip, room])
}
