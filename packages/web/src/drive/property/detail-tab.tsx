// The details of a file or folder: its location, its size, its origin, and the permissions of each user ([R119],
// [R187]).
import type { ItemRecord } from '@cloudoc/contract'
import { factsOfRecord } from '@cloudoc/contract/facts'
import { closedToLinks, denial, formatSize, fullTime, gates, LogBit } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { editorNames } from '../../items/item/editors.ts'
import { isFolder, keyOf } from '../../items/item/item.ts'
import { kindText } from '../../items/item/kind-text.ts'
import { sensitiveText } from '../../items/item/sensitive-tag.tsx'
import { useContentFacts } from '../../items/item/thumbnails.ts'
import { Button } from '../../kit/button.tsx'
import { logKindOf } from './log-kinds.tsx'
import { actorName } from './log-labels.ts'

export function DetailTab({ item }: { readonly item: ItemRecord }): ReactNode {
  const t = useT()
  const context = useActionContext()
  const folder = isFolder(item)
  const mayPreview = !folder && denial(gates.preview, factsOfRecord(item, context)) === undefined
  const contentFacts = useContentFacts(item, mayPreview)
  const mayManage = denial(gates.viewShares, factsOfRecord(item, context)) === undefined
  const content = useQuery({
    queryKey: ['drive', 'property', 'content', keyOf(item)],
    queryFn: () => api.of(item).getFolderProperty({ folderId: item.fId }, { quiet: true }),
    enabled: folder,
    staleTime: 0,
  })
  const people = useQuery({
    queryKey: ['drive', 'property', 'people', keyOf(item)],
    queryFn: () => api.of(item).getAccessList({ ...(folder ? { folderId: item.fId } : { fileId: item.fId }), rows: 5 }),
    enabled: mayManage,
    staleTime: 0,
  })
  const ways = LogBit.add | LogBit.cut | LogBit.copy | LogBit.restore
  const came = useQuery({
    queryKey: ['drive', 'log', keyOf(item), 'came'],
    queryFn: () =>
      folder
        ? api.of(item).getFolderLog({ folderId: item.fId, types: ways, rows: 200 }, { quiet: true })
        : api.of(item).getFileLog({ fileId: item.fId, types: ways, rows: 1 }, { quiet: true }),
    staleTime: 0,
  }).data?.list.find(({ fId }) => fId === item.fId)
  const holds = useQuery({
    queryKey: ['drive', 'property', 'holds', keyOf(item)],
    queryFn: () => api.of(item).getItemHolds(folder ? { folderId: item.fId } : { fileId: item.fId }, { quiet: true }),
    enabled: item.serverId === mainServer.serverId,
    staleTime: 0,
  }).data?.list
  const origin = useQuery({
    queryKey: ['drive', 'property', 'origin', keyOf(item)],
    queryFn: () => api.of(item).getFileOrigin({ fileId: item.fId }, { quiet: true }),
    enabled: !folder,
    staleTime: 0,
  }).data?.origin
  const { data: held } = content
  const sorts = {
    name: 'drive.column.name',
    time: 'drive.column.time',
    size: 'drive.column.size',
    type: 'drive.column.type',
  } as const
  const limit = { folder: held?.folderLimit ?? 0, above: held?.aboveLimit ?? 0, library: held?.sizeLimit ?? 0 }
  // A user who may not see the used space only sees the limit.
  const used = held?.limitUsed ?? 0
  const limits = [
    limit.folder === 0
      ? ''
      : used > 0
        ? t('property.limit.of', { limit: formatSize(limit.folder), used: formatSize(used) })
        : formatSize(limit.folder),
    limit.above === 0 ? '' : t('property.limit.above', { limit: formatSize(limit.above) }),
    limit.library === 0 ? '' : t('property.limit.library', { limit: formatSize(limit.library) }),
  ].filter((one) => one !== '')
  const mayLimit = folder && denial(gates.limitSpace, factsOfRecord(item, context)) === undefined
  const facts: readonly (readonly [string, string])[] = [
    [t('drive.info.place'), item.pathString.split('/').filter(Boolean).map(isolated).join(' › ')],
    [t('property.number'), item.itemIdStr],
    [t('drive.info.kind'), kindText(item)],
    [
      t('drive.info.size'),
      folder
        ? held === undefined
          ? t('property.counting')
          : `${formatSize(held.totalSize)}${held.isComplete ? '' : ` ${t('property.atLeast')}`}`
        : `${formatSize(item.fileSize)} (${t('drive.info.bytes', { n: item.fileSize })})`,
    ],
    ...contentFacts,
    [
      t('property.contains'),
      held === undefined ? '' : t('property.counts', { folders: held.folderCount, files: held.fileCount }),
    ],
    [t('property.order'), held === undefined ? '' : t(sorts[held.sort])],
    [t('drive.info.created'), [fullTime(item.createTime), isolated(item.creatorName)].filter(Boolean).join(' · ')],
    [
      t('drive.info.modified'),
      [fullTime(item.modifyTime), isolated(item.lastOperatorName)].filter(Boolean).join(' · '),
    ],
    [
      t('property.came'),
      came === undefined
        ? ''
        : [t(`property.kind.${logKindOf(came.type) ?? 'add'}`), actorName(came, t), fullTime(came.time)].join(' · '),
    ],
    [
      t('property.origin'),
      origin === undefined
        ? ''
        : [isolated(origin.author), fullTime(origin.createTime), isolated(origin.server)].join(' · '),
    ],
    [t('drive.info.disk'), folder || item.diskTime === 0 ? '' : fullTime(item.diskTime)],
    [t('drive.info.editor'), editorNames(item)],
    [t('drive.info.secret'), item.secretName],
    [t('drive.info.sensitive'), sensitiveText(item, t)],
    [t('drive.info.restricted'), (item.docFlag & 1) === 0 ? '' : t('drive.info.restrictedText')],
    [
      t('property.holds'),
      (holds ?? [])
        .map(({ name, number }) => isolated(number === '' ? name : `${name} (${number})`))
        .join(t('drive.rights.and')),
    ],
    [t('drive.info.links'), (item.docFlag & closedToLinks) === 0 ? '' : t('drive.info.noLinks')],
  ]
  return (
    <div className="dr-property-scroll" role="region" aria-label={t('property.tab.detail')} tabIndex={0}>
      <dl className="dr-property-facts">
        {facts.map(([name, value]) =>
          value === '' ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
        {held !== undefined && (limits.length > 0 || mayLimit) && (
          <div>
            <dt>{t('property.limit')}</dt>
            <dd>
              <span>{limits.length > 0 ? limits.join(' · ') : t('property.limit.none')}</span>
              {mayLimit && (
                <Button
                  kind="link"
                  size="small"
                  onClick={() => void openWindow('drive-folder-limit', { item, limit: limit.folder, used })}
                >
                  {t('property.limit.change')}
                </Button>
              )}
            </dd>
          </div>
        )}
        <div>
          <dt>{t('property.people')}</dt>
          <dd>
            {people.data !== undefined && (
              <span>
                {people.data.list.map(({ accountName }) => isolated(accountName)).join(t('drive.rights.and'))}
                {people.data.total > people.data.list.length && ` ${t('property.peopleOf', { n: people.data.total })}`}
              </span>
            )}
            {mayManage && (
              <Button kind="link" size="small" onClick={() => void openWindow('cloudoc-permission', { item })}>
                {t('rights.menu.manage')}
              </Button>
            )}
            <Button kind="link" size="small" onClick={() => void openWindow('drive-why', { item })}>
              {t('rights.menu.why')}
            </Button>
          </dd>
        </div>
      </dl>
    </div>
  )
}
