// Two versions of a picture on top of each other, with a slider between them.

import type { ItemRecord, Picture } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { keyOf } from '../../items/item/item.ts'
import { Spinner } from '../../kit/spinner.tsx'
import type { VersionPair } from '../../viewing/compare/comparable.ts'
import { previewAddress } from '../../viewing/rendition/preview-addresses.ts'
import { openRendition } from '../../viewing/rendition/rendition.ts'
import { waitForRendition } from '../../viewing/rendition/wait-for-rendition.ts'

interface LoadedPicture {
  readonly url: string
  readonly close: () => void
}

/** Returns the address of a picture version. */
async function see(
  { serverId, fId }: Pick<ItemRecord, 'serverId' | 'fId'>,
  version: number,
  signal: AbortSignal,
): Promise<LoadedPicture> {
  const { url, previewKey, form } = await previewAddress({ serverId, fId, version })
  if (form === 'original') return { url, close: () => undefined }
  await waitForRendition(() => api.of({ serverId }).getPreviewStatus({ previewKey }, { quiet: true, signal }), signal)
  const rendition = await openRendition(url)
  return { url: await rendition.address((rendition.body as Picture).part), close: rendition.close }
}

export function PictureCompare({ item, pair }: { readonly item: ItemRecord; readonly pair: VersionPair }): ReactNode {
  const t = useT()
  const { data, error } = useQuery({
    queryKey: ['drive', 'compare', 'sight', keyOf(item), ...pair],
    queryFn: ({ signal }) => Promise.all(pair.map((version) => see(item, version, signal))),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  useEffect(
    () => () => {
      for (const one of data ?? []) one.close()
    },
    [data],
  )
  if (error !== null)
    return <p className="dr-property-empty">{t('property.notComparedFor', { reason: error.message })}</p>
  const [older, newer] = data ?? []
  if (older === undefined || newer === undefined) return <Spinner />
  return <SlidePictures pair={pair} urls={[older.url, newer.url]} />
}

interface SlidePicturesProps {
  readonly pair: VersionPair
  /** Of the older and of the newer version. */
  readonly urls: readonly [string, string]
}

/** Two pictures on top of each other, with a slider between them. */
export function SlidePictures({ pair, urls: [older, newer] }: SlidePicturesProps): ReactNode {
  const t = useT()
  const [share, setShare] = useState(50)
  return (
    <div className="dr-compare-sight">
      <div>
        <img src={newer} alt={t('drive.info.version', { n: pair[1] })} />
        <img
          src={older}
          alt={t('drive.info.version', { n: pair[0] })}
          style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}
        />
        <i style={{ insetInlineStart: `${share}%` }} />
      </div>
      <label>
        <span>{t('drive.info.version', { n: pair[0] })}</span>
        <input
          type="range"
          min={0}
          max={100}
          value={share}
          aria-label={t('property.slide')}
          onChange={({ target }) => setShare(Number(target.value))}
        />
        <span>{t('drive.info.version', { n: pair[1] })}</span>
      </label>
    </div>
  )
}
