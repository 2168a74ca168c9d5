// Shows the lines of two texts side by side. Unchanged lines are folded, and one difference is the current one.

import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { IconButton } from '../../kit/button.tsx'
import { ChevronDown20Regular, ChevronUp20Regular } from '../../kit/icons.ts'
import type { Line, Side } from './diff.ts'
import './compare.css'

/** Unchanged lines that stay visible around a change. Longer runs are folded. */
const around = 3
/** The number of lines that are rendered at once, and how many of them precede the difference that is navigated to. */
const drawn = 2000
const before = 200

type VisibleLine =
  | { readonly line: Line; readonly change: number | undefined }
  | { readonly folded: number; readonly at: number }

/**
 * Returns the lines with runs of unchanged lines folded and the changes numbered. Adjacent changed lines count as one
 * change.
 */
function visibleOf(lines: readonly Line[], unfolded: ReadonlySet<number>): VisibleLine[] {
  const shown: VisibleLine[] = []
  let changes = 0
  for (let at = 0; at < lines.length; ) {
    const isSame = lines[at]?.kind === 'same'
    let end = at
    while (end < lines.length && (lines[end]?.kind === 'same') === isSame) end += 1
    const run = lines.slice(at, end)
    if (!isSame) {
      for (const line of run) shown.push({ line, change: changes })
      changes += 1
    } else {
      const head = at === 0 ? 0 : around
      const tail = end === lines.length ? 0 : around
      if (run.length <= head + tail + 2 || unfolded.has(at))
        for (const line of run) shown.push({ line, change: undefined })
      else {
        for (const line of run.slice(0, head)) shown.push({ line, change: undefined })
        shown.push({ folded: run.length - head - tail, at })
        for (const line of run.slice(run.length - tail)) shown.push({ line, change: undefined })
      }
    }
    at = end
  }
  return shown
}

/** Returns the number of differences. Adjacent changed lines count as one. */
export const differencesIn = (lines: readonly Line[]): number =>
  lines.filter(({ kind }, n) => kind !== 'same' && (n === 0 || lines[n - 1]?.kind === 'same')).length

interface DifferenceButtonsProps {
  readonly at: number
  readonly total: number
  readonly onGo: (at: number) => void
}

/** Buttons for the previous and next difference. */
export function DifferenceButtons({ at, total, onGo }: DifferenceButtonsProps): ReactNode {
  const t = useT()
  if (total === 0) return null
  const go = (by: 1 | -1): void => onGo((at + by + total) % total)
  return (
    <span className="dr-compare-go">
      <IconButton
        size="small"
        label={t('property.changeBefore')}
        icon={<ChevronUp20Regular />}
        onClick={() => go(-1)}
      />
      <span>{t('property.nth', { n: at + 1, total })}</span>
      <IconButton size="small" label={t('property.changeNext')} icon={<ChevronDown20Regular />} onClick={() => go(1)} />
    </span>
  )
}

interface ComparedLinesProps {
  readonly lines: readonly Line[]
  /** The index of the current difference, from 0. */
  readonly at: number
}

export function ComparedLines({ lines, at }: ComparedLinesProps): ReactNode {
  const t = useT()
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const body = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => visibleOf(lines, unfolded), [lines, unfolded])
  const [from, setFrom] = useState(0)
  const [goneTo, setGoneTo] = useState<number>()
  if (goneTo !== at) {
    setGoneTo(at)
    const place = shown.findIndex((one) => 'change' in one && one.change === at)
    if (place !== -1 && (place < from || place >= from + drawn)) setFrom(Math.max(0, place - before))
  }
  useEffect(() => {
    body.current?.querySelector(`[data-change="${at}"]`)?.scrollIntoView({ block: 'center' })
  }, [at, lines])
  const more = (n: number, to: number): ReactNode =>
    n > 0 && (
      <button type="button" className="dr-compare-fold" onClick={() => setFrom(Math.max(0, to))}>
        {t(to < from ? 'property.linesBefore' : 'property.linesAfter', { n })}
      </button>
    )
  return (
    <div className="dr-compare" ref={body} role="region" aria-label={t('property.compareRegion')} tabIndex={0}>
      {more(from, from - drawn)}
      {shown.slice(from, from + drawn).map((one, n) =>
        'folded' in one ? (
          <button
            // The position in the list identifies the fold.
            key={`fold ${one.at}`}
            type="button"
            className="dr-compare-fold"
            onClick={() => setUnfolded(new Set([...unfolded, one.at]))}
          >
            {t('property.folded', { n: one.folded })}
          </button>
        ) : (
          <div
            key={`${one.line.left?.n ?? ''} ${one.line.right?.n ?? ''} ${from + n}`}
            className={`dr-compare-line is-${one.line.kind}${one.change === at ? ' is-current' : ''}`}
            {...(one.change === undefined ? {} : { 'data-change': one.change })}
          >
            <Half side={one.line.left} as="del" />
            <Half side={one.line.right} as="ins" />
          </div>
        ),
      )}
      {more(shown.length - from - drawn, from + drawn)}
    </div>
  )
}

function Half({ side, as: Mark }: { readonly side: Side | undefined; readonly as: 'del' | 'ins' }): ReactNode {
  if (side === undefined) return <span className="dr-compare-gap" />
  return (
    <span className="dr-compare-half">
      <i>{side.n}</i>
      <span>
        {side.pieces.map(({ text, changed }, n) => {
          const key = `${n} ${text.length}`
          return changed ? <Mark key={key}>{text}</Mark> : <span key={key}>{text}</span>
        })}
      </span>
    </span>
  )
}
