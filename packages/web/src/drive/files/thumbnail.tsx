// The picture in a file, small. Only files that a browser shows by itself and that are small enough to be fetched whole;
// they are asked for once the tile has rested in sight.
import type { ItemRecord } from '@cloudoc/contract'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../core/api.ts'
import { extOf } from '../item.ts'

const kinds: ReadonlySet<string> = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'bmp'])
const largest = 3 * 1024 * 1024
/** Milliseconds of rest before a picture is asked for. */
const restMs = 120
/** Addresses asked for on this page, by file and version; they are good for a while, and a failed picture asks again. */
const addresses = new Map<string, Promise<string>>()

interface ThumbnailProps {
  readonly item: ItemRecord
  /** What stands there while there is no picture. */
  readonly otherwise: ReactNode
}

/** Shows the picture, or what stands in for it. */
export function Thumbnail({ item, otherwise }: ThumbnailProps): ReactNode {
  const { fId, version, fileSize } = item
  const isPicture = kinds.has(extOf(item)) && fileSize <= largest && fileSize > 0
  const [url, setUrl] = useState<string>()
  const key = `${fId} ${version}`
  useEffect(() => {
    setUrl(undefined)
    if (!isPicture) return
    let gone = false
    const timer = setTimeout(() => {
      const asked =
        addresses.get(key) ?? api.getDocumentPreviewURL({ fileId: fId }, { quiet: true }).then(({ url }) => url)
      addresses.set(key, asked)
      asked.then(
        (address) => {
          if (!gone) setUrl(address)
        },
        () => addresses.delete(key),
      )
    }, restMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [key, fId, isPicture])
  if (url === undefined) return otherwise
  return (
    <img
      src={url}
      alt=""
      draggable={false}
      decoding="async"
      onError={() => {
        addresses.delete(key)
        setUrl(undefined)
      }}
    />
  )
}
