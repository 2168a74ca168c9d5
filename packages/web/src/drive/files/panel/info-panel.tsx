// The panel next to the list. It shows the selection, or the folder if nothing is selected: its picture, location, the
// user's rights with the reason, and its versions. It follows the selection with a delay to keep the arrow keys fast.

import type { ItemRecord } from '@cloudoc/contract'
import { closedToLinks, formatSize, fullTime, isVirtualFolder, lowestRights, rights, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useId, useState } from 'react'
import { api } from '../../../core/call/api.ts'
import { useLocale, useT } from '../../../core/i18n/i18n.ts'
import { isolated } from '../../../core/i18n/isolate.ts'
import { loadChunk } from '../../../core/page/chunks.tsx'
import { openWindow } from '../../../core/windows/index.ts'
import { type ActionContext, evaluate, rules } from '../../../items/actions/actions.ts'
import { singleItemActions } from '../../../items/actions/single-item-actions.tsx'
import { editorNames } from '../../../items/item/editors.ts'
import { isFolder, isLink, keyOf } from '../../../items/item/item.ts'
import { kindText } from '../../../items/item/kind-text.ts'
import { sensitiveText } from '../../../items/item/sensitive-tag.tsx'
import { useContentFacts } from '../../../items/item/thumbnails.ts'
import { ItemTags } from '../../../items/labels/tag-chip.tsx'
import { type FolderInfo, folderName } from '../../../items/lists/folder-queries.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { StatusChip } from '../../../kit/chips.tsx'
import { Dismiss16Regular } from '../../../kit/icons.ts'
import { Tabs } from '../../../kit/tabs.tsx'
import { useCommentCount } from '../../comments/use-comment-count.ts'
import { Activity } from '../../property/activity.tsx'
import { Picture } from '../grid/tile.tsx'
import { MyRights, rightsText } from './my-rights.tsx'
import './info-panel.css'

/** Milliseconds that a selection must be stable before the panel follows it. */
const followMs = 120
const versionRows = 20
/** Loaded when the user opens the comments. */
const CommentPane = lazy(async () => ({
  default: (await loadChunk(() => import('../../comments/comments.tsx'))).CommentPane,
}))

interface InfoPanelProps {
  readonly chosen: readonly ItemRecord[]
  readonly count: number
  readonly here: FolderInfo
  readonly context: ActionContext
  /** The current time, by the minute, for relative times. */
  readonly now: number
  /** The tab that an item is opened at. */
  readonly first: 'details' | 'comments'
  readonly onClose: () => void
}

/** The panel for the selection. */
export function InfoPanel({ chosen, count, here, context, now, first: firstTab, onClose }: InfoPanelProps): ReactNode {
  const t = useT()
  const [shown, setShown] = useState({ chosen, count })
  useEffect(() => {
    const timer = setTimeout(() => setShown({ chosen, count }), followMs)
    return () => clearTimeout(timer)
  }, [chosen, count])
  const [first] = shown.chosen
  const one = shown.count === 0 ? here.folder : shown.count === 1 ? first : undefined
  const follows = shown.chosen !== chosen || shown.count !== count
  return (
    <aside className="dr-info" aria-label={t('drive.info')} aria-busy={follows}>
      <IconButton
        className="dr-info-close"
        size="small"
        label={t('drive.info.close')}
        icon={<Dismiss16Regular />}
        onClick={onClose}
      />
      {one === undefined ? (
        <Several chosen={shown.chosen} count={shown.count} context={context} />
      ) : (
        <One key={`${keyOf(one)} ${firstTab}`} item={one} here={here} context={context} now={now} first={firstTab} />
      )}
    </aside>
  )
}

type PanelTab = 'details' | 'versions' | 'activity' | 'comments'

interface OneProps {
  readonly item: ItemRecord
  readonly here: FolderInfo
  readonly context: ActionContext
  readonly now: number
  readonly first: PanelTab
}

function One({ item, here, context, now, first }: OneProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [tab, setTab] = useState<PanelTab>(first)
  const id = useId()
  const folder = isFolder(item)
  const mayComment = !isLink(item) && evaluate(rules.comment, [item], context).enabled
  const contentFacts = useContentFacts(item, !folder && evaluate(rules.preview, [item], context).enabled)
  const comments = useCommentCount(item, mayComment)
  const tabs: readonly PanelTab[] = [
    'details',
    ...(folder ? [] : (['versions'] as const)),
    'activity',
    ...(mayComment ? (['comments'] as const) : []),
  ]
  const name = folder ? folderName(item) : item.fName
  const isHere = item.fId === here.folder.fId && folder
  const path = (isHere ? here.ancestors : [...here.ancestors, here.folder]).map(folderName)
  const facts: readonly (readonly [string, string])[] = [
    [t('drive.info.place'), path.map(isolated).join(' › ')],
    [t('drive.info.kind'), kindText(item)],
    [
      t('drive.info.size'),
      folder ? '' : `${formatSize(item.fileSize)} (${t('drive.info.bytes', { n: item.fileSize })})`,
    ],
    ...contentFacts,
    [t('drive.info.created'), [fullTime(item.createTime), isolated(item.creatorName)].filter(Boolean).join(' · ')],
    [
      t('drive.info.modified'),
      [fullTime(item.modifyTime), isolated(item.lastOperatorName)].filter(Boolean).join(' · '),
    ],
    [t('drive.info.disk'), folder ? '' : fullTime(item.diskTime)],
    [t('drive.info.editor'), editorNames(item)],
    [t('drive.info.secret'), item.secretName],
    [t('drive.info.sensitive'), sensitiveText(item, t)],
    [t('drive.info.restricted'), (item.docFlag & 1) === 0 ? '' : t('drive.info.restrictedText')],
    [t('drive.info.links'), (item.docFlag & closedToLinks) === 0 ? '' : t('drive.info.noLinks')],
  ]
  return (
    <>
      <div className="dr-info-picture">
        <Picture item={item} sign={64} canPreview={evaluate(rules.preview, [item], context).enabled} />
      </div>
      <h2 title={name}>{name}</h2>
      <p className="dr-info-meta">
        {[folder ? '' : formatSize(item.fileSize), item.modifyTime > 0 && shortTime(item.modifyTime, now, locale)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {!isHere &&
        singleItemActions(item, context).map(({ id: action, icon, label, why, run }) => (
          <Button
            key={action}
            className="dr-info-act"
            size="small"
            icon={icon}
            title={why}
            disabled={why !== undefined}
            onClick={() => void run()}
          >
            {label}
          </Button>
        ))}
      {!isVirtualFolder(item.fId) && (
        <Tabs
          id={id}
          label={t('drive.info')}
          tabs={tabs.map((one) => ({
            tab: one,
            text: one === 'comments' ? [t('comments.title'), comments || ''].join(' ').trim() : t(`drive.info.${one}`),
          }))}
          chosen={tab}
          onChoose={setTab}
        />
      )}
      <div
        id={`${id}-panel`}
        {...(!isVirtualFolder(item.fId) && { role: 'tabpanel', 'aria-labelledby': `${id}-${tab}`, tabIndex: 0 })}
      >
        {tab === 'comments' && mayComment ? (
          <Suspense>
            <CommentPane item={item} look="panel" />
          </Suspense>
        ) : tab === 'versions' ? (
          <Versions item={item} now={now} />
        ) : tab === 'activity' ? (
          <Activity item={item} now={now} />
        ) : (
          <>
            <Facts facts={facts} />
            <ItemTags item={item} />
            {!isVirtualFolder(item.fId) && <MyRights item={item} context={context} now={now} />}
          </>
        )}
      </div>
    </>
  )
}

function Facts({ facts }: { readonly facts: readonly (readonly [string, string])[] }): ReactNode {
  return (
    <dl className="dr-facts">
      {facts.map(([name, value]) =>
        value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={value}>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

function Versions({ item, now }: { readonly item: ItemRecord; readonly now: number }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { data, error, refetch } = useQuery({
    queryKey: ['drive', 'versions', keyOf(item), item.version],
    queryFn: () => api.of(item).getVersionList({ fileId: item.fId, from: 0, rows: versionRows }, { quiet: true }),
  })
  if (error !== null) {
    return (
      <p className="dr-info-note">
        {t('drive.info.versionsFailed')}{' '}
        <Button kind="link" size="small" onClick={() => void refetch()}>
          {t('drive.retry')}
        </Button>
      </p>
    )
  }
  return (
    <ol className="dr-versions">
      {data?.list.map((one) => (
        <li key={one.version}>
          <b>{t('drive.info.version', { n: one.version })}</b>{' '}
          {one.isLatest && <StatusChip tone="info">{t('drive.info.current')}</StatusChip>}
          <small>
            {[shortTime(one.createTime, now, locale), isolated(one.creatorName), formatSize(one.fileSize)].join(' · ')}
          </small>
          {one.comment !== '' && <p>{one.comment}</p>}
        </li>
      ))}
      <li>
        <Button kind="link" size="small" onClick={() => void openWindow('cloudoc-property', { item, tab: 'version' })}>
          {t('drive.info.allVersions')}
        </Button>
      </li>
    </ol>
  )
}

interface SeveralProps {
  readonly chosen: readonly ItemRecord[]
  readonly count: number
  readonly context: ActionContext
}

/** The totals of a multiple selection, and the actions that are possible on all of it ([R138]). */
function Several({ chosen, count, context }: SeveralProps): ReactNode {
  const t = useT()
  const folders = chosen.filter(isFolder).length
  const bytes = chosen.reduce((sum, item) => sum + (isFolder(item) ? 0 : item.fileSize), 0)
  const whole = count === chosen.length
  const lowest = lowestRights(chosen.map((item) => rights(item.rights)))
  const facts: readonly (readonly [string, string])[] = [
    [t('drive.kind.folder'), whole && folders > 0 ? t('drive.items', { n: folders }) : ''],
    [t('drive.kind.file'), whole && count > folders ? t('drive.items', { n: count - folders }) : ''],
    [t('drive.info.size'), whole && bytes > 0 ? formatSize(bytes) : ''],
    [t('drive.rights'), chosen.length === 0 ? '' : rightsText(lowest, context.settings.print_rights, t)],
  ]
  return (
    <>
      <div className="dr-info-picture is-several">
        {chosen.slice(0, 3).map((item) => (
          <Picture
            key={keyOf(item)}
            item={item}
            sign={40}
            canPreview={evaluate(rules.preview, [item], context).enabled}
          />
        ))}
      </div>
      <h2>{t('drive.chosen', { n: count })}</h2>
      <p className="dr-info-meta">{t('drive.info.lowest')}</p>
      <Facts facts={facts} />
    </>
  )
}
