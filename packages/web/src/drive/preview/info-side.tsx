// Beside what is shown: what the file is, what the camera says of a photo, and its versions, each of which can be looked at.
import { exposureText, extNameOf, formatSize, fullTime, type PhotoFacts, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { kindText } from '../item/kind-text.ts'
import { previewKind } from './preview-kind.ts'

/** What the stage knows of a picture that it shows. */
export interface ShownPicture {
  readonly width: number
  readonly height: number
  readonly photo?: PhotoFacts | undefined
  /** Where the file itself is read, if it is shown as it is. */
  readonly url?: string
}

/** A version to look at. */
export interface ChosenVersion {
  readonly version: number
  readonly fileSize: number
}

interface InfoSideProps {
  readonly fId: number
  readonly picture: ShownPicture | undefined
  /** The version that is shown; undefined for the newest. */
  readonly version: number | undefined
  readonly onVersion: (version: ChosenVersion | undefined) => void
}

const versionRows = 30

/** Facts, and versions to look at. */
export function InfoSide({ fId, picture, version, onVersion }: InfoSideProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { data: item } = useQuery({
    queryKey: ['drive', 'previewed', fId],
    queryFn: () => api.getFileInfo({ fileId: fId }, { quiet: true }),
    staleTime: 0,
  })
  const { data: versions } = useQuery({
    queryKey: ['drive', 'versions', fId, 'previewed', item?.version],
    queryFn: () => api.getVersionList({ fileId: fId, from: 0, rows: versionRows }, { quiet: true }),
    enabled: item !== undefined,
  })
  const url = item !== undefined && previewKind(extNameOf(item.fName)) === 'image' ? picture?.url : undefined
  const { data: read } = useQuery({
    queryKey: ['drive', 'photo', fId, version ?? item?.version],
    queryFn: async () => (await (await import('./photo.ts')).readPhoto(url ?? '')) ?? null,
    enabled: url !== undefined,
  })
  if (item === undefined) return <aside className="pv-side" aria-label={t('drive.info')} />
  const photo = picture?.photo ?? read ?? undefined
  const facts: readonly (readonly [string, string])[] = [
    [t('drive.info.kind'), kindText(item)],
    [t('drive.info.size'), formatSize(item.fileSize)],
    [t('drive.preview.pixels'), picture === undefined ? '' : `${picture.width} × ${picture.height}`],
    [t('drive.info.place'), item.pathString.split('/').filter(Boolean).map(isolated).join(' › ')],
    [
      t('drive.info.modified'),
      [fullTime(item.modifyTime), isolated(item.lastOperatorName)].filter(Boolean).join(' · '),
    ],
    [t('drive.info.created'), [fullTime(item.createTime), isolated(item.creatorName)].filter(Boolean).join(' · ')],
    [t('drive.info.secret'), item.secretName],
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
    <aside className="pv-side" aria-label={t('drive.info')} tabIndex={0}>
      <Facts title={t('drive.info')} facts={facts} />
      {photo !== undefined && <Facts title={t('drive.preview.photo')} facts={photoLines(photo, t)} />}
      {versions !== undefined && (
        <section>
          <h3>{t('drive.info.versions')}</h3>
          <ol className="pv-versions">
            {versions.list.map((one) => (
              <li key={one.version}>
                <button
                  type="button"
                  aria-pressed={one.version === (version ?? item.version)}
                  onClick={() => onVersion(one.isLatest ? undefined : one)}
                >
                  <b>{t('drive.info.version', { n: one.version })}</b>
                  {one.versionName !== '' && <span>{one.versionName}</span>}
                  {one.isLatest && <small>{t('drive.info.current')}</small>}
                  <small>
                    {[shortTime(one.createTime, now, locale), isolated(one.creatorName), formatSize(one.fileSize)].join(
                      ' · ',
                    )}
                  </small>
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
    </aside>
  )
}

function Facts({
  title,
  facts,
}: {
  readonly title: string
  readonly facts: readonly (readonly [string, string])[]
}): ReactNode {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {facts.map(([name, value]) =>
          value === '' ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  )
}

function photoLines(
  { camera = '', lens = '', taken = '', exposure, aperture, iso, focal }: PhotoFacts,
  t: ReturnType<typeof useT>,
): readonly (readonly [string, string])[] {
  const how = [
    aperture === undefined ? '' : `f/${Number(aperture.toFixed(1))}`,
    exposure === undefined ? '' : exposureText(exposure),
    iso === undefined ? '' : `ISO\u00a0${iso}`,
    focal === undefined ? '' : `${Number(focal.toFixed(1))}\u00a0mm`,
  ]
  return [
    [t('drive.preview.taken'), taken],
    [t('drive.preview.camera'), camera],
    [t('drive.preview.lens'), lens],
    [t('drive.preview.exposure'), how.filter(Boolean).join(' · ')],
  ]
}
