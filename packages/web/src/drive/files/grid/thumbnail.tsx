// The small picture of a file, as the server has it. It is asked for once the tile has rested in sight, those of a moment
// together, and again after a while where it is still being made.
import type { ItemRecord } from '@cloudoc/contract'
import { codes, pictureKind } from '@cloudoc/domain'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../../core/call/api.ts'
import { onPictureGiven } from '../../item/given-pictures.ts'
import { extOf } from '../../item/item.ts'

/** Of documents that are larger none is made; a film's is given by who plays it. */
const largest = 200 * 1024 * 1024
function hasPicture(item: ItemRecord): boolean {
  const kind = pictureKind(extOf(item))
  return kind !== undefined && item.fileSize > 0 && (kind === 'film' || item.fileSize <= largest)
}
/** How often, and how long after each other, a picture is asked for that is being made. */
const mostAsked = 8
const againMs = 1500
/** Milliseconds of rest before a picture is asked for, and within which others join it. */
const restMs = 120
const gatherMs = 30
const perCall = 100
/** When anything was scrolled last: nobody looks at what passes by. */
let scrolledAt = 0
document.addEventListener(
  'scroll',
  () => {
    scrolledAt = performance.now()
  },
  { capture: true, passive: true },
)

/** Addresses asked for on this page, by file and version; they are good for a while, and a failed picture asks again. */
const addresses = new Map<string, Promise<string | undefined>>()

type Waiting = Map<number, (url: string | undefined) => void>
let waiting: Waiting = new Map()

function addressOf(fileId: number): Promise<string | undefined> {
  if (waiting.size === 0) setTimeout(() => void askForAll(), gatherMs)
  return new Promise((resolve) => waiting.set(fileId, resolve))
}

async function askForAll(): Promise<void> {
  const asked = [...waiting]
  waiting = new Map()
  for (let at = 0; at < asked.length; at += perCall) await askFor(asked.slice(at, at + perCall), 1)
}

/** One that has just gone, or been closed, has no address; where that is so of all, or nothing comes, nobody has one. */
async function askFor(
  asked: readonly (readonly [number, (url: string | undefined) => void])[],
  attempt: number,
): Promise<void> {
  const fileIdArray = asked.map(([fileId]) => fileId)
  const { list } = await api.getThumbnailURLs({ fileIdArray }, { quiet: true }).catch(() => ({ list: [] }))
  const found = new Map(list.map((one) => [one.fileId, one]))
  const isLater = ([fileId]: readonly [number, unknown]): boolean =>
    found.get(fileId)?.result === codes.converting.code && attempt < mostAsked
  for (const one of asked) if (!isLater(one)) one[1](found.get(one[0])?.url || undefined)
  const later = asked.filter(isLater)
  if (later.length > 0) setTimeout(() => void askFor(later, attempt + 1), againMs)
}

interface ThumbnailProps {
  readonly item: ItemRecord
  /** What stands there while there is no picture. */
  readonly otherwise: ReactNode
}

/** Shows the picture, or what stands in for it. */
export function Thumbnail({ item, otherwise }: ThumbnailProps): ReactNode {
  const { fId, version } = item
  const isPicture = hasPicture(item)
  const [given, setGiven] = useState(0)
  const [url, setUrl] = useState<string>()
  const key = `${fId} ${version}`
  useEffect(() => onPictureGiven((fileId) => fileId === fId && setGiven((n) => n + 1)), [fId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked for anew where one was given meanwhile
  useEffect(() => {
    setUrl(undefined)
    if (!isPicture) return
    let gone = false
    let timer: ReturnType<typeof setTimeout>
    const rest = (): void => {
      const moving = scrolledAt + restMs - performance.now()
      if (moving > 0) timer = setTimeout(rest, moving)
      else ask()
    }
    const ask = (): void => {
      const asked = addresses.get(key) ?? addressOf(fId)
      addresses.set(key, asked)
      void asked.then((address) => {
        if (address === undefined) addresses.delete(key)
        if (!gone) setUrl(address)
      })
    }
    timer = setTimeout(rest, restMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [key, fId, isPicture, given])
  if (url === undefined) return otherwise
  const picture = (
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
  if (pictureKind(extOf(item)) !== 'film') return picture
  return (
    <>
      {picture}
      <i className="dr-film-sign" aria-hidden />
    </>
  )
}
