// Finds words in what is shown, marks all of them and goes from one to the next.
import { ChevronDown20Regular, ChevronUp20Regular, Dismiss20Regular } from '@fluentui/react-icons'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { FindSource } from './find-source.ts'

const mostHits = 5000
/** Words on the bars and at the sides are no words of the document. */
const around = '.pv-bar, .pv-next, .pv-strip, .rd-strip, .rd-tabs, .rd-row-number, .rd-columns, .rd-measure'

interface FindBarProps {
  readonly within: RefObject<HTMLElement | null>
  /** Finds in the place of the page. */
  readonly source: FindSource | undefined
  readonly onClose: () => void
}

export function FindBar({ within, source, onClose }: FindBarProps): ReactNode {
  const t = useT()
  const [wanted, setWanted] = useState('')
  const [hits, setHits] = useState<readonly Range[]>([])
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])

  const [sourced, setSourced] = useState(0)
  const total = source === undefined ? hits.length : sourced
  const asked = useRef('')

  const find = (text: string): void => {
    setWanted(text)
    setAt(0)
    asked.current = text
    if (source === undefined) return setHits(within.current === null ? [] : hitsIn(within.current, text))
    void source.find(text.trim()).then((found) => {
      // Meanwhile somebody may have typed on.
      if (asked.current !== text) return
      setSourced(found)
      if (found > 0) source.show(0)
    })
  }
  const leave = useEffectEvent(() => void source?.find(''))
  useEffect(() => () => leave(), [])
  useEffect(() => {
    if (!('highlights' in CSS)) return
    const here = hits[at]
    CSS.highlights.set('pv-found', new Highlight(...hits))
    CSS.highlights.set('pv-found-here', new Highlight(...(here === undefined ? [] : [here])))
    here?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
    return () => {
      CSS.highlights.delete('pv-found')
      CSS.highlights.delete('pv-found-here')
    }
  }, [hits, at])
  const step = (by: number): void => {
    if (total === 0) return
    const next = (at + by + total) % total
    setAt(next)
    source?.show(next)
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    event.stopPropagation()
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  return (
    <search className="rd-find" onKeyDown={onKeyDown}>
      <input
        ref={field}
        value={wanted}
        placeholder={t('drive.preview.find')}
        aria-label={t('drive.preview.find')}
        onChange={(event) => find(event.target.value)}
      />
      <output>{wanted !== '' && t('drive.preview.found', { n: total === 0 ? 0 : at + 1, total })}</output>
      <button
        type="button"
        className="pv-button"
        aria-label={t('drive.preview.findBefore')}
        title={t('drive.preview.findBefore')}
        onClick={() => step(-1)}
      >
        <ChevronUp20Regular />
      </button>
      <button
        type="button"
        className="pv-button"
        aria-label={t('drive.preview.findNext')}
        title={t('drive.preview.findNext')}
        onClick={() => step(1)}
      >
        <ChevronDown20Regular />
      </button>
      <button
        type="button"
        className="pv-button"
        aria-label={t('drive.close')}
        title={t('drive.close')}
        onClick={onClose}
      >
        <Dismiss20Regular />
      </button>
    </search>
  )
}

/** Where the words stand, within one piece of text or across several of one paragraph. */
function hitsIn(root: HTMLElement, text: string): Range[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const found: Range[] = []
  const nodes: { readonly node: Text; readonly from: number }[] = []
  let joined = ''
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  let paragraph: Element | null = null
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement
    if (parent === null || parent.closest(around) !== null) continue
    // Words do not go on from one paragraph to the next.
    const block = parent.closest('p, h1, h2, h3, h4, h5, h6, pre, td, [role="gridcell"]')
    if (block !== paragraph) joined += '\n'
    paragraph = block
    nodes.push({ node: node as Text, from: joined.length })
    joined += node.textContent ?? ''
  }
  const all = joined.toLowerCase()
  let index = 0
  const placeOf = (offset: number): { node: Text; offset: number } | undefined => {
    while (index + 1 < nodes.length && (nodes[index + 1]?.from ?? 0) <= offset) index += 1
    const one = nodes[index]
    return one && { node: one.node, offset: Math.min(offset - one.from, one.node.length) }
  }
  for (
    let from = all.indexOf(wanted);
    from >= 0 && found.length < mostHits;
    from = all.indexOf(wanted, from + wanted.length)
  ) {
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
