// The side panel of the previewer: file details, camera metadata of a photo, and the versions, each of which can be
// previewed.

import type { Answer, calls } from '@cloudoc/contract'
import { exposureText, extNameOf, formatSize, fullTime, type PhotoFacts, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useContext, useId, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { evaluate, rules } from '../../items/actions/actions.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { keyOf } from '../../items/item/item.ts'
import { kindText } from '../../items/item/kind-text.ts'
import { Button } from '../../kit/button.tsx'
import { type Tab, Tabs } from '../../kit/tabs.tsx'
import { previewKind } from '../shared/preview-kind.ts'
import { SidePanesContext } from './side-panes.ts'

/** The metadata of the shown picture. */
export interface PictureInfo {
  readonly width: number
  readonly height: number
  readonly photo?: PhotoFacts | undefined
  /** The URL of the file, if the original is shown. */
  readonly url?: string
}

/** A version to preview. */
export interface ChosenVersion {
  readonly version: number
  readonly fileSize: number
}

interface InfoPanelProps {
  readonly serverId: number
  readonly fId: number
  readonly picture: PictureInfo | undefined
  /** The previewed version; undefined for the newest. */
  readonly version: number | undefined
  readonly onVersion: (version: ChosenVersion | undefined) => void
  /** An older version was restored as the newest. */
  readonly onRestored: () => void
  readonly tab: InfoTab
  readonly onTab: (tab: InfoTab) => void
}

export type InfoTab = 'details' | 'versions' | 'comments' | 'activity'

const versionRows = 30
/** The number of versions listed on the details tab, too. */
const latestVersions = 3

/** The details and the versions. */
export function InfoPanel({
  serverId,
  fId,
  picture,
  version,
  onVersion,
  onRestored,
  tab: wanted,
  onTab,
}: InfoPanelProps): ReactNode {
  const t = useT()
  const [now] = useState(Date.now)
  const { data: item } = useQuery({
    queryKey: ['drive', 'previewed', keyOf({ serverId, fId, fType: 1 })],
    queryFn: () => api.of({ serverId }).getFileInfo({ fileId: fId }, { quiet: true }),
    staleTime: 0,
  })
  const { data: versions } = useQuery({
    queryKey: ['drive', 'versions', keyOf({ serverId, fId, fType: 1 }), 'previewed', item?.version],
    queryFn: () => api.of({ serverId }).getVersionList({ fileId: fId, from: 0, rows: versionRows }, { quiet: true }),
    enabled: item !== undefined,
  })
  const url = item !== undefined && previewKind(extNameOf(item.fName)) === 'image' ? picture?.url : undefined
  const { data: read } = useQuery({
    queryKey: ['drive', 'photo', keyOf({ serverId, fId, fType: 1 }), version ?? item?.version],
    queryFn: async () => (await (await import('./photo.ts')).readPhoto(url ?? '')) ?? null,
    enabled: url !== undefined,
  })
  const context = useActionContext()
  const panes = useContext(SidePanesContext)
  const id = useId()
  const mayComment = panes !== undefined && item !== undefined && evaluate(rules.comment, [item], context).enabled
  if (item === undefined) return <aside className="pv-side" aria-label={t('drive.info')} />
  const counted = (text: string, n: number | undefined): string => (n === undefined || n === 0 ? text : `${text} ${n}`)
  const tabs: readonly Tab<InfoTab>[] = [
    { tab: 'details', text: t('drive.info.details') },
    { tab: 'versions', text: counted(t('drive.info.versions'), versions?.total) },
    ...(mayComment ? [{ tab: 'comments', text: <panes.CommentsHead item={item} /> } as const] : []),
    ...(panes === undefined ? [] : [{ tab: 'activity', text: t('drive.info.activity') } as const]),
  ]
  const tab = tabs.some((one) => one.tab === wanted) ? wanted : 'details'
  const listOf = (list: readonly Version[], actions?: VersionListProps['actions']): ReactNode => (
    <VersionList list={list} shown={version ?? item.version} now={now} onVersion={onVersion} actions={actions} />
  )
  const actionsOf = (one: Version, before: number | undefined): ReactNode =>
    panes !== undefined && (
      <Suspense>
        <panes.VersionActions item={item} version={one} before={before} onRestored={onRestored} />
      </Suspense>
    )
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
    <aside className="pv-side" data-skin="black" aria-label={t('drive.info')}>
      <h2 title={item.fName}>{item.fName}</h2>
      <Tabs id={id} label={t('drive.info')} tabs={tabs} chosen={tab} onChoose={onTab} />
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${tab}`} tabIndex={0}>
        <Suspense>
          {tab === 'comments' && panes !== undefined && <panes.Comments item={item} look="panel" />}
          {tab === 'activity' && panes !== undefined && <panes.Activity item={item} now={now} />}
          {tab === 'versions' && (
            <>
              {listOf(versions?.list ?? [], actionsOf)}
              <Button
                kind="link"
                size="small"
                onClick={() => void openWindow('cloudoc-property', { item, tab: 'version' })}
              >
                {t('drive.info.allVersions')}
              </Button>
            </>
          )}
          {tab === 'details' && (
            <>
              <Facts title={t('drive.info')} facts={facts} />
              {photo !== undefined && <Facts title={t('drive.preview.photo')} facts={photoLines(photo, t)} />}
              <Suspense>{panes !== undefined && <panes.Rights item={item} context={context} now={now} />}</Suspense>
              {versions !== undefined && (
                <section>
                  <h3>{t('drive.preview.latestVersions')}</h3>
                  {listOf(versions.list.slice(0, latestVersions))}
                </section>
              )}
            </>
          )}
        </Suspense>
      </div>
    </aside>
  )
}

type Version = Answer<typeof calls.getVersionList>['list'][number]

interface VersionListProps {
  readonly list: readonly Version[]
  readonly shown: number
  readonly now: number
  readonly onVersion: InfoPanelProps['onVersion']
  /** The actions for the previewed version and its predecessor. */
  readonly actions?: ((version: Version, before: number | undefined) => ReactNode) | undefined
}

/** The list of versions to preview. */
function VersionList({ list, shown, now, onVersion, actions }: VersionListProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  return (
    <ol className="pv-versions">
      {list.map((one, n) => (
        <li key={one.version}>
          <button
            type="button"
            aria-pressed={one.version === shown}
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
            {one.comment !== '' && <em>{one.comment}</em>}
          </button>
          {one.version === shown && actions?.(one, list[n + 1]?.version)}
        </li>
      ))}
    </ol>
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
