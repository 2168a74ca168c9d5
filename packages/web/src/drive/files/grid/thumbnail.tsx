// The thumbnail of a file. It is requested after the tile has been visible and at rest for a moment.
import type { ItemRecord } from '@cloudoc/contract'
import { pictureKind } from '@cloudoc/domain'
import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../../../core/i18n/i18n.ts'
import { scrollWait } from '../../../core/storage/debounced.ts'
import { extOf } from '../../../items/item/item.ts'
import { onThumbnailReady } from '../../../items/item/thumbnail-updates.ts'
import {
  contentText,
  forgetThumbnail,
  hasThumbnail,
  type ThumbnailInfo,
  thumbnailOf,
} from '../../../items/item/thumbnails.ts'

/** Milliseconds of rest before a thumbnail is requested ([R087]). */
const restMs = scrollWait.afterMs
/** The time of the last scroll anywhere. No thumbnail is requested for tiles that scroll past. */
let scrolledAt = 0
document.addEventListener(
  'scroll',
  () => {
    scrolledAt = performance.now()
  },
  { capture: true, passive: true },
)

interface ThumbnailProps {
  readonly item: ItemRecord
  /** The fallback while there is no thumbnail. */
  readonly otherwise: ReactNode
}

/** Shows the thumbnail or its fallback. */
export function Thumbnail({ item, otherwise }: ThumbnailProps): ReactNode {
  const t = useT()
  const { serverId, fId, version } = item
  const isPicture = hasThumbnail(item)
  const [given, setGiven] = useState(0)
  const [picture, setPicture] = useState<ThumbnailInfo>()
  useEffect(() => onThumbnailReady((fileId) => fileId === fId && setGiven((n) => n + 1)), [fId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked for anew where one was given meanwhile
  useEffect(() => {
    setPicture(undefined)
    if (!isPicture) return
    let gone = false
    let timer: ReturnType<typeof setTimeout>
    const rest = (): void => {
      const moving = scrolledAt + restMs - performance.now()
      if (moving > 0) timer = setTimeout(rest, moving)
      else void thumbnailOf({ serverId, fId, version }).then((found) => gone || setPicture(found))
    }
    timer = setTimeout(rest, restMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [serverId, fId, version, isPicture, given])
  if (picture === undefined) return otherwise
  const said = contentText(picture, t)
  return (
    <>
      <img
        src={picture.url}
        alt=""
        draggable={false}
        decoding="async"
        onError={() => {
          forgetThumbnail(item)
          setPicture(undefined)
        }}
      />
      {pictureKind(extOf(item)) === 'film' && <i className="dr-film-sign" aria-hidden />}
      {said !== '' && <span className="dr-content-sign">{said}</span>}
    </>
  )
}
