// The find bar of the viewers: highlights all matches and steps through them.

import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { SearchTarget } from '../../items/item/search-target.ts'
import { ChevronDown20Regular, ChevronUp20Regular, Dismiss20Regular } from '../../kit/icons.ts'
import { FindMarks } from './find-marks.tsx'
import type { FindSource, PageHit, PageHits } from './find-source.ts'
import { defaultFindOptions, type FindOptions, matchesIn } from './find-text.ts'

const mostHits = 5000
/** After a content change the search runs again. */
const settleMs = 300
/** Text in toolbars and side panels is not part of the document. */
const around = '.rd-find, .pv-bar, .pv-next, .pv-strip, .rd-strip, .rd-tabs, .rd-row-number, .rd-columns, .rd-measure'

interface FindBarProps {
  readonly within: RefObject<HTMLElement | null>
  /** Searches instead of the page. */
  readonly source: FindSource | undefined
  /** The initial search. */
  readonly sought?: SearchTarget | undefined
  /** Receives the matches on pages; undefined when the search ends. */
  readonly onFound: (found: PageHits | undefined) => void
  readonly onClose: () => void
}

export function FindBar({ within, source, sought, onFound, onClose }: FindBarProps): ReactNode {
  const t = useT()
  const [wanted, setWanted] = useState(sought?.words ?? '')
  const [how, setHow] = useState(defaultFindOptions)
  const [hits, setHits] = useState<readonly Range[]>([])
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])

  const [sourced, setSourced] = useState(0)
  const total = source === undefined ? hits.length : sourced
  const asked = useRef('')
  /** The match to go to as soon as it is rendered, unless the user goes elsewhere. */
  const awaited = useRef(sought?.hit)

  const go = (hit: number, found = hits): void => {
    setAt(hit)
    source?.show(hit)
    found[hit]?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
  }
  const find = (text: string, how: FindOptions): void => {
    awaited.current = undefined
    setWanted(text)
    setHow(how)
    setAt(0)
    const key = JSON.stringify([text, how])
    asked.current = key
    if (source === undefined) {
      const found = within.current === null ? [] : hitsIn(within.current, text, how)
      setHits(found)
      return go(0, found)
    }
    void source.find(text.trim(), how).then((found) => {
      // The user may have typed on in the meantime.
      if (asked.current !== key) return
      setSourced(found)
      if (found > 0) source.show(0)
    })
  }
  const leave = useEffectEvent(() => {
    void source?.find('', defaultFindOptions)
    onFound(undefined)
  })
  useEffect(() => () => leave(), [])
  useHighlights(hits, at, source)

  // The text of further pages is added later, and replaced when a page is zoomed.
  const findAgain = useEffectEvent(() => {
    if (source !== undefined || wanted.trim() === '' || within.current === null) return
    const found = hitsIn(within.current, wanted, how)
    const stays = found.length === hits.length && hits.every(({ startContainer }) => startContainer.isConnected)
    if (!stays) setHits(found)
    const hit = awaited.current
    if (hit === undefined || found.length === 0) return
    if (hit < found.length) awaited.current = undefined
    go(Math.min(hit, found.length - 1), found)
  })
  useEffect(() => {
    const element = within.current
    if (element === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new MutationObserver((changes) => {
      const isInside = changes.some(({ target }) => target instanceof Element && target.closest('.pv-scroll') !== null)
      // While a match is awaited, the viewer itself may be new.
      if (!isInside && awaited.current === undefined) return
      clearTimeout(timer)
      timer = setTimeout(findAgain, settleMs)
    })
    observer.observe(element, { childList: true, subtree: true })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [within])

  const tell = useEffectEvent(() => {
    const isAsked = source === undefined && wanted.trim() !== ''
    onFound(isAsked ? { hits: hits.map(pageHit), at, go } : undefined)
  })
  useEffect(() => tell(), [hits, at, wanted])

  const seek = useEffectEvent(async (from: FindSource): Promise<void> => {
    const hit = awaited.current
    if (hit === undefined) return
    const key = JSON.stringify([wanted, how])
    asked.current = key
    const found = await from.find(wanted.trim(), how)
    if (asked.current !== key || found === 0) return
    awaited.current = undefined
    setSourced(found)
    setAt(Math.min(hit, found - 1))
    from.show(Math.min(hit, found - 1))
  })
  useEffect(() => {
    if (source === undefined) findAgain()
    else void seek(source)
  }, [source])

  const step = (by: number): void => {
    awaited.current = undefined
    if (total > 0) go((at + by + total) % total)
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    event.stopPropagation()
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  return (
    <>
      <FindMarks within={within.current} hits={hits} at={at} />
      <search className="rd-find" onKeyDown={onKeyDown}>
        <input
          ref={field}
          value={wanted}
          placeholder={t('drive.preview.find')}
          aria-label={t('drive.preview.find')}
          onChange={(event) => find(event.target.value, how)}
        />
        <output>{wanted !== '' && t('drive.preview.found', { n: total === 0 ? 0 : at + 1, total })}</output>
        <StepButton label={t('drive.preview.findBefore')} icon={<ChevronUp20Regular />} onClick={() => step(-1)} />
        <StepButton label={t('drive.preview.findNext')} icon={<ChevronDown20Regular />} onClick={() => step(1)} />
        <button
          type="button"
          className="rd-find-how"
          aria-pressed={how.matchCase}
          onClick={() => find(wanted, { ...how, matchCase: !how.matchCase })}
        >
          {t('drive.preview.matchCase')}
        </button>
        <button
          type="button"
          className="rd-find-how"
          aria-pressed={how.whole}
          onClick={() => find(wanted, { ...how, whole: !how.whole })}
        >
          {t('drive.preview.wholeWord')}
        </button>
        <StepButton label={t('drive.close')} icon={<Dismiss20Regular />} onClick={onClose} />
      </search>
    </>
  )
}

/** Highlights the matches on the page. */
function useHighlights(hits: readonly Range[], at: number, source: FindSource | undefined): void {
  useEffect(() => {
    // A find source highlights its matches itself.
    if (!('highlights' in CSS) || source !== undefined) return
    const here = hits[at]
    CSS.highlights.set('pv-found', new Highlight(...hits))
    CSS.highlights.set('pv-found-here', new Highlight(...(here === undefined ? [] : [here])))
    return () => {
      CSS.highlights.delete('pv-found')
      CSS.highlights.delete('pv-found-here')
    }
  }, [hits, at, source])
}

interface StepButtonProps {
  readonly label: string
  readonly icon: ReactNode
  readonly onClick: () => void
}

function StepButton({ label, icon, onClick }: StepButtonProps): ReactNode {
  return (
    <button type="button" className="pv-button" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </button>
  )
}

/** The number of context characters before and after a match. */
const [lettersBefore, lettersAfter] = [6, 24]

function pageHit(hit: Range): PageHit {
  const page = hit.startContainer.parentElement?.closest<HTMLElement>('[data-page]')?.dataset['page']
  const before = hit.startContainer.textContent?.slice(0, hit.startOffset) ?? ''
  const after = hit.endContainer.textContent?.slice(hit.endOffset) ?? ''
  const from = before.length > lettersBefore ? `…${before.slice(-lettersBefore)}` : before
  return { page: Number(page ?? 0), around: [from, hit.toString(), after.slice(0, lettersAfter)] }
}

/**
 * The ranges of the matches, also across several text nodes of one paragraph; elements that match `beside` are skipped.
 */
export function hitsIn(root: HTMLElement, text: string, how: FindOptions, beside = around): Range[] {
  const wanted = text.trim()
  if (wanted === '') return []
  const found: Range[] = []
  const nodes: { readonly node: Text; readonly from: number }[] = []
  let joined = ''
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  let paragraph: Element | null = null
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement
    if (parent === null || parent.closest(beside) !== null) continue
    // A match does not cross paragraphs.
    const block = parent.closest('p, h1, h2, h3, h4, h5, h6, pre, td, [role="gridcell"], [data-page]')
    if (block !== paragraph) joined += '\n'
    paragraph = block
    nodes.push({ node: node as Text, from: joined.length })
    joined += node.textContent ?? ''
  }
  let index = 0
  const placeOf = (offset: number): { node: Text; offset: number } | undefined => {
    while (index + 1 < nodes.length && (nodes[index + 1]?.from ?? 0) <= offset) index += 1
    const one = nodes[index]
    return one && { node: one.node, offset: Math.min(offset - one.from, one.node.length) }
  }
  for (const from of matchesIn(joined, wanted, how, mostHits)) {
    const start = placeOf(from)
    const end = placeOf(from + wanted.length - 1)
    if (start === undefined || end === undefined) continue
    const range = document.createRange()
    range.setStart(start.node, start.offset)
    range.setEnd(end.node, Math.min(end.offset + 1, end.node.length))
    found.push(range)
  }
  return found
}
