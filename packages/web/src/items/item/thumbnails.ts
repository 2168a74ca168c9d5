// Thumbnails of files from the server, with the metadata known from their generation: the number of pages and the
// duration. Requests within a short interval are batched. Thumbnails that are still being generated are requested
// again.
import type { ItemRecord } from '@cloudoc/contract'
import { codes, pictureKind } from '@cloudoc/domain'
import { useEffect, useState } from 'react'
import { api, type OnServer } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { groupBy } from '../../core/page/group-by.ts'
import { extOf, keyOf } from './item.ts'
import { onThumbnailReady } from './thumbnail-updates.ts'

export interface ThumbnailInfo {
  readonly url: string
  /** 0 if unknown. */
  readonly pages: number
  readonly lengthMs: number
}

/** The server makes no thumbnail of larger documents. The thumbnail of a film comes from a client that plays it. */
const largest = 200 * 1024 * 1024
export function hasThumbnail(item: ItemRecord): boolean {
  const kind = pictureKind(extOf(item))
  return kind !== undefined && item.fileSize > 0 && (kind === 'film' || item.fileSize <= largest)
}
/** The maximum number of requests for a thumbnail that is being generated, and the interval between them. */
const maxAttempts = 8
const retryMs = 1500
/** Milliseconds for which requests are collected into one call. */
const batchMs = 30
const perCall = 100

/**
 * The thumbnails requested on this page, by file and version. They expire after a while. A failed thumbnail is
 * requested again.
 */
const found = new Map<string, Promise<ThumbnailInfo | undefined>>()
type Content = Pick<ItemRecord, 'serverId' | 'fId' | 'version'>
const contentKey = ({ version, ...file }: Content): string => `${keyOf({ ...file, fType: 1 })} ${version}`

export function thumbnailOf(item: Content): Promise<ThumbnailInfo | undefined> {
  const key = contentKey(item)
  const asked = found.get(key) ?? askFor(item)
  found.set(key, asked)
  return asked.then((picture) => {
    if (picture === undefined) found.delete(key)
    return picture
  })
}

export function forgetThumbnail(item: Content): void {
  found.delete(contentKey(item))
}

interface Waiting extends Pick<Content, 'serverId' | 'fId'> {
  readonly resolve: (picture: ThumbnailInfo | undefined) => void
}
let waiting: Waiting[] = []

function askFor({ serverId, fId }: Content): Promise<ThumbnailInfo | undefined> {
  if (waiting.length === 0) setTimeout(() => void askForAll(), batchMs)
  return new Promise((resolve) => waiting.push({ serverId, fId, resolve }))
}

async function askForAll(): Promise<void> {
  const asked = groupBy(waiting, ({ serverId }) => serverId)
  waiting = []
  for (const [serverId, some] of asked) {
    for (let at = 0; at < some.length; at += perCall) await askForSome({ serverId }, some.slice(at, at + perCall), 1)
  }
}

/**
 * Files that were deleted or became inaccessible have no thumbnail address. If the whole call fails, no file of the
 * batch gets a thumbnail.
 */
async function askForSome(on: OnServer, asked: readonly Waiting[], attempt: number): Promise<void> {
  const fileIdArray = asked.map(({ fId }) => fId)
  const { list } = await api
    .of(on)
    .getThumbnailURLs({ fileIdArray }, { quiet: true })
    .catch(() => ({ list: [] }))
  const answers = new Map(list.map((one) => [one.fileId, one]))
  const isLater = ({ fId }: Waiting): boolean =>
    answers.get(fId)?.result === codes.converting.code && attempt < maxAttempts
  for (const one of asked) {
    const answer = answers.get(one.fId)
    if (!isLater(one)) one.resolve(answer !== undefined && answer.url !== '' ? answer : undefined)
  }
  const later = asked.filter(isLater)
  if (later.length > 0) setTimeout(() => void askForSome(on, later, attempt + 1), retryMs)
}

/** Returns the caption of a thumbnail: the number of pages or the duration. '' if neither is known. */
export function contentText({ pages, lengthMs }: Omit<ThumbnailInfo, 'url'>, t: Translate): string {
  if (lengthMs > 0) return lengthText(lengthMs)
  return pages > 0 ? t('drive.pageCount', { n: pages }) : ''
}

/** Returns a duration in the format of media players. */
export function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`
}

/** Returns the property lines for the known content metadata of a file, if the user may preview it. */
export function useContentFacts(item: ItemRecord, mayPreview: boolean): readonly (readonly [string, string])[] {
  const t = useT()
  const [picture, setPicture] = useState<ThumbnailInfo>()
  const [given, setGiven] = useState(0)
  const { serverId, fId, version } = item
  const isWanted = mayPreview && hasThumbnail(item)
  useEffect(() => onThumbnailReady((fileId) => fileId === fId && setGiven((n) => n + 1)), [fId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked for anew where a picture was given
  useEffect(() => {
    setPicture(undefined)
    if (!isWanted) return
    let gone = false
    void thumbnailOf({ serverId, fId, version }).then((one) => gone || setPicture(one))
    return () => {
      gone = true
    }
  }, [serverId, fId, version, isWanted, given])
  if (picture === undefined) return []
  return [
    [t('drive.info.pages'), picture.pages > 0 ? String(picture.pages) : ''],
    [t('drive.info.length'), picture.lengthMs > 0 ? lengthText(picture.lengthMs) : ''],
  ]
}
