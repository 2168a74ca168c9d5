// The panel beside the files: what is selected, or the folder when nothing is. Its picture, where it is, what the person
// may do with it and why, and its versions. It follows the keyboard a moment later, so that arrow keys stay quick.

import type { ItemRecord } from '@cloudoc/contract'
import {
  formatSize,
  fullTime,
  groupOf,
  hasRight,
  hasStatus,
  isVirtualFolder,
  itemStatus,
  lowestRights,
  minuteTime,
  type RightName,
  type Rights,
  rights,
  shortTime,
} from '@cloudoc/domain'
import { Dismiss16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useId, useState } from 'react'
import { api } from '../../../core/call/api.ts'
import { type Translate, useLocale, useT } from '../../../core/i18n/i18n.ts'
import { isolated } from '../../../core/i18n/isolate.ts'
import { loadChunk } from '../../../core/page/chunks.tsx'
import { openWindow } from '../../../core/windows/index.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { type ActionContext, evaluate, rules } from '../../actions/actions.ts'
import { shownActions } from '../../actions/shown.tsx'
import { useCommentCount } from '../../comments/count.ts'
import { isFolder, isLink, keyOf } from '../../item/item.ts'
import { kindText } from '../../item/kind-text.ts'
import { sensitiveText } from '../../item/sensitive-tag.tsx'
import { ItemTags } from '../../labels/tag-chip.tsx'
import { type FolderInfo, folderName } from '../../lists/folder-data.ts'
import { KindIcon, kindOf } from '../../property/kinds.tsx'
import { whoOf, wordsOf } from '../../property/log-words.ts'
import { Picture } from '../grid/tile.tsx'
import './info-panel.css'

/** Milliseconds that a selection rests before the panel follows it. */
const followMs = 120
const versionRows = 20
const named = [
  'preview',
  'download',
  'upload',
  'modify',
  'move',
  'delete',
  'externalLink',
  'grant',
  'print',
] as const satisfies readonly RightName[]

/** Comes when somebody looks at comments. */
const CommentPane = lazy(async () => ({
  default: (await loadChunk(() => import('../../comments/comments.tsx'))).CommentPane,
}))

interface InfoPanelProps {
  readonly chosen: readonly ItemRecord[]
  readonly count: number
  readonly here: FolderInfo
  readonly context: ActionContext
  /** The minute the times are told at. */
  readonly now: number
  readonly onClose: () => void
}

/** The panel of what is selected. */
export function InfoPanel({ chosen, count, here, context, now, onClose }: InfoPanelProps): ReactNode {
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
        <One key={keyOf(one)} item={one} here={here} context={context} now={now} />
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
}

function One({ item, here, context, now }: OneProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [tab, setTab] = useState<PanelTab>('details')
  const id = useId()
  const folder = isFolder(item)
  const mayComment = !isLink(item) && evaluate(rules.comment, [item], context).enabled
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
    [t('drive.info.created'), [fullTime(item.createTime), isolated(item.creatorName)].filter(Boolean).join(' · ')],
    [
      t('drive.info.modified'),
      [fullTime(item.modifyTime), isolated(item.lastOperatorName)].filter(Boolean).join(' · '),
    ],
    [t('drive.info.disk'), folder ? '' : fullTime(item.diskTime)],
    [t('drive.info.editor'), isolated(item.editorName)],
    [t('drive.info.secret'), item.secretName],
    [t('drive.info.sensitive'), sensitiveText(item, t)],
    [t('drive.info.restricted'), (item.docFlag & 1) === 0 ? '' : t('drive.info.restrictedText')],
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
        shownActions(item, context).map(({ id: action, icon, label, why, run }) => (
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
        <div className="dr-tabs" role="tablist" aria-label={t('drive.info')}>
          {tabs.map((one, n) => (
            <button
              key={one}
              id={`${id}-${one}`}
              type="button"
              role="tab"
              aria-selected={tab === one}
              aria-controls={`${id}-panel`}
              tabIndex={tab === one ? 0 : -1}
              onClick={() => setTab(one)}
              onKeyDown={(event) => {
                const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
                const other = tabs[(n + by + tabs.length) % tabs.length]
                if (by === 0 || other === undefined) return
                setTab(other)
                document.getElementById(`${id}-${other}`)?.focus()
              }}
            >
              {one === 'comments' ? [t('comments.title'), comments || ''].join(' ').trim() : t(`drive.info.${one}`)}
            </button>
          ))}
        </div>
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

/** The rights of a mask in words: the name of the group, and what it holds. */
function rightsText(mask: Rights, printRights: boolean, t: Translate): string {
  const group = groupOf(mask, { printRights })
  const each = named.filter((name) => (name !== 'print' || printRights) && hasRight(mask, name))
  if (each.length === 0) return t('drive.rights.none')
  const words = each.map((name) => t(`drive.rights.${name}`)).join(t('drive.rights.and'))
  return group === 'custom' ? words : `${t(`drive.rights.group.${group}`)} · ${words}`
}

interface MyRightsProps {
  readonly item: ItemRecord
  readonly context: ActionContext
  readonly now: number
}

function MyRights({ item, context, now }: MyRightsProps): ReactNode {
  const t = useT()
  const status = itemStatus(item.itemStatus)
  const isOwner = item.ownerId !== 0 && item.ownerId === context.userId
  const isManager = hasStatus(status, 'documentManager')
  const locale = useLocale()
  const { data } = useQuery({
    queryKey: ['drive', 'rights', 'why', item.fType, item.fId, undefined],
    queryFn: () =>
      api.getRightsReasons(item.fType === 2 ? { folderId: item.fId } : { fileId: item.fId }, { quiet: true }),
    enabled: !isOwner && !isManager,
    staleTime: 0,
  })
  const entries = data?.steps.filter(({ step }) => step === 'entry') ?? []
  const places = new Set(
    entries.flatMap(({ source }) => (source === undefined || source.fName === '' ? [] : source.fName)),
  )
  const why = isOwner
    ? t('drive.rights.owner')
    : isManager
      ? t('drive.rights.manager')
      : places.size > 0
        ? t('drive.rights.from', { places: [...places].map(isolated).join(t('drive.rights.and')) })
        : t('drive.rights.above')
  const ends = entries.flatMap(({ expireTime }) => expireTime ?? [])
  return (
    <section className="dr-info-rights">
      <h3>{t('drive.rights')}</h3>
      <p>{rightsText(rights(item.rights), context.settings.print_rights, t)}</p>
      <small>{why}</small>
      {entries.map(
        ({ approvedBy, approvedAt = 0 }) =>
          approvedBy !== undefined && (
            <small key={approvedAt}>
              {t('drive.rights.approved', { name: isolated(approvedBy), time: shortTime(approvedAt, now, locale) })}
            </small>
          ),
      )}
      {ends.length > 0 && (
        <small>
          {t(entries.length === 1 ? 'drive.rights.ends' : 'drive.rights.endsFirst', {
            time: minuteTime(Math.min(...ends)),
          })}
        </small>
      )}
      <Button kind="link" size="small" onClick={() => void openWindow('drive-why', { item })}>
        {t('rights.menu.why')}
      </Button>
    </section>
  )
}

function Versions({ item, now }: { readonly item: ItemRecord; readonly now: number }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { data, error, refetch } = useQuery({
    queryKey: ['drive', 'versions', item.fId, item.version],
    queryFn: () => api.getVersionList({ fileId: item.fId, from: 0, rows: versionRows }, { quiet: true }),
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
          <b>{t('drive.info.version', { n: one.version })}</b>
          {one.isLatest && <span className="dr-tag is-info">{t('drive.info.current')}</span>}
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

const activityRows = 20

/** What happened lately to a file, or in a folder. */
function Activity({ item, now }: { readonly item: ItemRecord; readonly now: number }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { data, error } = useQuery({
    queryKey: ['drive', 'log', item.fType, item.fId, 'lately', item.version],
    queryFn: () =>
      isFolder(item)
        ? api.getFolderLog({ folderId: item.fId, rows: activityRows }, { quiet: true })
        : api.getFileLog({ fileId: item.fId, rows: activityRows }, { quiet: true }),
    staleTime: 0,
  })
  if (error !== null) return <p className="dr-info-note">{error.message}</p>
  if (data?.list.length === 0 && data.next === 0) return <p className="dr-info-note">{t('property.log.none')}</p>
  return (
    <ol className="dr-activity">
      {data?.list.map((entry) => (
        <li key={entry.logId}>
          <KindIcon kind={kindOf(entry.type)} />
          <span>
            {[
              isolated(whoOf(entry, t)),
              t(`property.kind.${kindOf(entry.type) ?? 'edit'}`),
              entry.fId === item.fId ? '' : isolated(entry.fName),
            ].join(' ')}
          </span>
          <small>{[shortTime(entry.time, now, locale), wordsOf(entry, t)].filter(Boolean).join(' · ')}</small>
        </li>
      ))}
      <li>
        <Button kind="link" size="small" onClick={() => void openWindow('cloudoc-property', { item, tab: 'log' })}>
          {t('drive.info.allActivity')}
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

/** Sums of what is selected, and what may be done with all of it ([R138]). */
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
