// A folder of a link as a grid of thumbnails with names.
import { type ReactNode, useEffect, useState } from 'react'
import { sizeText } from './labels.ts'
import { TypeIcon } from './type-icon.tsx'
import { contentUrl, requestThumbnails, type VisitedItem } from './visitor-api.ts'

/**
 * Thumbnails that are being generated are requested again, first at short and then at longer intervals, for as long as
 * a busy server may take.
 */
const soonMs = 1500
const seldomMs = 10_000
const longestMs = 600_000
/** The next interval, as a share of the time waited so far. */
const late = 0.25
const perCall = 100

interface PictureGridProps {
  readonly list: readonly VisitedItem[]
  readonly mayTake: boolean
  readonly isChosen: (item: VisitedItem) => boolean
  readonly onToggle: (item: VisitedItem) => void
  readonly onOpen: (item: VisitedItem) => void
}

/** Returns the files that have a thumbnail, updated as thumbnails are generated. */
function usePictures(list: readonly VisitedItem[]): ReadonlySet<number> {
  const [ready, setReady] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const since = performance.now()
    const askFor = async (ids: readonly number[]): Promise<void> => {
      const later: number[] = []
      for (let at = 0; at < ids.length && !gone; at += perCall) {
        const found = await requestThumbnails(ids.slice(at, at + perCall)).catch(() => ({ ready: [], later: [] }))
        if (found.ready.length > 0) setReady((before) => new Set([...before, ...found.ready]))
        later.push(...found.later)
      }
      const taken = performance.now() - since
      if (later.length > 0 && taken < longestMs && !gone)
        timer = setTimeout(() => void askFor(later), Math.min(seldomMs, Math.max(soonMs, taken * late)))
    }
    const wanted = list.filter(({ fType, mayPreview }) => fType === 1 && mayPreview).map(({ fId }) => fId)
    if (wanted.length > 0) void askFor(wanted)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [list])
  return ready
}

export function PictureGrid({ list, mayTake, isChosen, onToggle, onOpen }: PictureGridProps): ReactNode {
  const ready = usePictures(list)
  return (
    <ul className="vi-grid">
      {list.map((item) => (
        <li key={`${item.fType} ${item.fId}`} data-chosen={isChosen(item)}>
          <button type="button" disabled={item.fType === 1 && !item.mayPreview} onClick={() => onOpen(item)}>
            <span className="vi-picture">
              {ready.has(item.fId) && item.fType === 1 ? (
                <img src={contentUrl(item.fId, item.version, 'thumbnail')} alt="" loading="lazy" draggable={false} />
              ) : (
                <TypeIcon of={item} size={64} />
              )}
            </span>
            <b>{item.fName}</b>
            <small>{item.fType === 2 ? '' : sizeText(item.fileSize)}</small>
          </button>
          {mayTake && (
            <input
              type="checkbox"
              aria-label={item.fName}
              disabled={!item.mayDownload}
              checked={isChosen(item)}
              onChange={() => onToggle(item)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
