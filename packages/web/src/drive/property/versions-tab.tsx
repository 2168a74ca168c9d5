// The versions of a file. Each can be shown, downloaded, compared, named, restored and deleted ([R188]).

import type { ItemRecord } from '@cloudoc/contract'
import { formatSize, fullTime, shortTime } from '@cloudoc/domain'
import {
  ArrowDownload16Regular,
  Bookmark16Regular,
  BookmarkRegular,
  ColumnDoubleCompare20Regular,
  Delete16Regular,
  Dismiss16Regular,
  DocumentCopy16Regular,
  Edit16Regular,
  Eye16Regular,
  MoreHorizontal16Regular,
} from '@fluentui/react-icons'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import type { ActionContext } from '../../items/actions/actions.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { keyOf } from '../../items/item/item.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import type { VersionPair } from '../../viewing/compare/comparable.ts'
import { InlineTextField } from './inline-text-field.tsx'
import {
  describeVersion,
  isThinned,
  previewVersion,
  removeVersion,
  restoreVersion,
  saveVersionAs,
  takeVersion,
  untilThinned,
  type Version,
  type VersionPermissions,
  versionPermissions,
} from './version-operations.ts'

const rowsAtOnce = 60

interface VersionsProps {
  readonly item: ItemRecord
  readonly onCompare: (pair: VersionPair) => void
  /** Shows the log entries of deleted versions. */
  readonly onLog: () => void
}

type Editing = { readonly version: number; readonly what: 'comment' | 'versionName' }

export function VersionsTab({ item, onCompare, onLog }: VersionsProps): ReactNode {
  const t = useT()
  const context = useActionContext()
  const [named, setNamed] = useState(false)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [editing, setEditing] = useState<Editing>()
  const table = useRef<HTMLTableSectionElement>(null)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['drive', 'versions', keyOf(item), named, item.version],
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      api.of(item).getVersionList({ fileId: item.fId, from: pageParam, rows: rowsAtOnce, named }, { quiet: true }),
    getNextPageParam: ({ list, total }, _, from) => (from + list.length < total ? from + list.length : undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => untilThinned(state.data?.pages[0]),
  })
  const may = versionPermissions(item, context)
  if (error !== null)
    return (
      <p className="dr-property-empty">
        {error.message}{' '}
        <Button kind="link" onClick={() => void refetch()}>
          {t('drive.retry')}
        </Button>
      </p>
    )
  const [head] = data?.pages ?? []
  if (head === undefined) return <Spinner />
  const list = data?.pages.flatMap((page) => page.list) ?? []
  const picked = chosen.filter((version) => list.some((one) => one.version === version))
  const compare = (one: number, other: number): void => onCompare([Math.min(one, other), Math.max(one, other)])
  const choose = (version: number): void =>
    setChosen(picked.includes(version) ? picked.filter((one) => one !== version) : [...picked, version])
  const allPicked = list.length > 0 && picked.length === list.length
  const takePicked = async (): Promise<void> => {
    for (const version of list.filter(({ version }) => picked.includes(version)))
      await takeVersion(item, version, context)
  }
  const keeps = [
    t('property.uses', { size: formatSize(head.totalSize) }),
    head.keptVersions > 0 ? t('property.keeps', { n: head.keptVersions }) : '',
    head.keptDays > 0 ? t('property.keepsDays', { n: head.keptDays }) : '',
    isThinned(head) ? t('property.thinning') : '',
  ]
  const gone = named ? 0 : item.version - head.total
  return (
    <>
      <div className="dr-property-bar">
        <div className="dr-property-segments" role="group" aria-label={t('property.tab.version')}>
          <button type="button" aria-pressed={!named} onClick={() => setNamed(false)}>
            {t('property.all')}
          </button>
          <button type="button" aria-pressed={named} onClick={() => setNamed(true)}>
            <Bookmark16Regular />
            {t('property.named', { n: head.namedTotal })}
          </button>
        </div>
        <span className="dr-property-hint">{keeps.filter(Boolean).join(' · ')}</span>
        {picked.length > 0 && (
          <span className="dr-property-picked">
            <b>{t('property.picked', { n: picked.length })}</b>
            <Button size="small" icon={<ArrowDownload16Regular />} onClick={() => void takePicked()}>
              {t('drive.download')}
            </Button>
            {picked.length === 2 && may.compare && (
              <Button
                size="small"
                icon={<ColumnDoubleCompare20Regular />}
                onClick={() => compare(picked[0] ?? 0, picked[1] ?? 0)}
              >
                {t('property.compareBoth', { a: Math.min(...picked), b: Math.max(...picked) })}
              </Button>
            )}
            <IconButton
              size="small"
              label={t('drive.clearSelection')}
              icon={<Dismiss16Regular />}
              onClick={() => setChosen([])}
            />
          </span>
        )}
      </div>
      {list.length === 0 ? (
        <p className="dr-property-empty">{t('property.noneNamed')}</p>
      ) : (
        <div
          className="dr-property-scroll"
          onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
            if (scrollTop + clientHeight > scrollHeight - 200 && hasNextPage && !isFetchingNextPage)
              void fetchNextPage()
          }}
        >
          <table className="dr-property-table">
            <thead>
              <tr>
                <th className="is-check" aria-label={t('property.choose')}>
                  <input
                    type="checkbox"
                    aria-label={t('property.chooseAll')}
                    checked={allPicked}
                    ref={(box) => {
                      if (box !== null) box.indeterminate = picked.length > 0 && !allPicked
                    }}
                    onChange={() => setChosen(allPicked ? [] : list.map(({ version }) => version))}
                  />
                </th>
                <th>{t('property.column.version')}</th>
                <th>{t('property.column.time')}</th>
                <th>{t('property.column.who')}</th>
                <th>{t('property.column.comment')}</th>
                <th className="is-number">{t('property.column.size')}</th>
                <th aria-label={t('property.more')} />
              </tr>
            </thead>
            <tbody ref={table}>
              {list.map((version, n) => (
                <Row
                  key={version.version}
                  item={item}
                  version={version}
                  before={list[n + 1]?.version}
                  isChosen={picked.includes(version.version)}
                  isFirst={n === 0}
                  editing={editing?.version === version.version ? editing.what : undefined}
                  may={may}
                  context={context}
                  onChoose={() => choose(version.version)}
                  onEdit={(what) => {
                    setEditing(what === undefined ? undefined : { version: version.version, what })
                    if (what === undefined) table.current?.querySelectorAll<HTMLElement>('tr')[n]?.focus()
                  }}
                  onCompare={compare}
                />
              ))}
            </tbody>
          </table>
          {gone > 0 && !hasNextPage && (
            <p className="dr-property-empty">
              {t('property.gone', { n: gone })}{' '}
              <Button kind="link" onClick={onLog}>
                {t('property.goneWhich')}
              </Button>
            </p>
          )}
        </div>
      )}
    </>
  )
}

interface RowProps {
  readonly item: ItemRecord
  readonly version: Version
  /** The previous version in the list. */
  readonly before: number | undefined
  readonly isChosen: boolean
  readonly isFirst: boolean
  readonly editing: Editing['what'] | undefined
  readonly may: VersionPermissions
  readonly context: ActionContext
  readonly onChoose: () => void
  readonly onEdit: (what: Editing['what'] | undefined) => void
  readonly onCompare: (one: number, other: number) => void
}

function Row(props: RowProps): ReactNode {
  const { item, version, before, isChosen, isFirst, editing, may, context, onChoose, onEdit, onCompare } = props
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { version: n, isLatest, versionName, comment, restoredFrom } = version
  const more = (x: number, y: number): void => {
    const entries = [
      {
        id: 'name',
        label: t(versionName === '' ? 'property.name' : 'property.rename'),
        icon: <Bookmark16Regular />,
        show: may.describe,
        run: () => onEdit('versionName'),
      },
      {
        id: 'unname',
        label: t('property.unname'),
        show: may.describe && versionName !== '',
        run: () => void describeVersion(item, n, { versionName: '' }),
      },
      {
        id: 'comment',
        label: t('property.comment'),
        icon: <Edit16Regular />,
        hint: 'F2',
        show: may.describe,
        run: () => onEdit('comment'),
      },
      {
        id: 'preview',
        label: t('drive.menu.preview'),
        icon: <Eye16Regular />,
        hint: 'Space',
        show: may.preview,
        run: () => previewVersion(item, version, context),
      },
      {
        id: 'compare',
        label: t('property.compareBefore'),
        icon: <ColumnDoubleCompare20Regular />,
        show: may.compare && before !== undefined,
        run: () => onCompare(before ?? 0, n),
      },
      {
        id: 'saveAs',
        label: t('property.saveAs'),
        icon: <DocumentCopy16Regular />,
        show: may.copy,
        run: () => void saveVersionAs(item, n),
      },
      { separator: true } as const,
      {
        id: 'delete',
        label: t('property.deleteThis'),
        icon: <Delete16Regular />,
        hint: 'Delete',
        danger: true,
        show: may.remove && !isLatest,
        run: () => void removeVersion(item, version),
      },
    ]
    void showMenu(entries, { x, y })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>): void => {
    if (event.target !== event.currentTarget) return
    const { key, currentTarget } = event
    const step = (to: Element | null): void => void (to instanceof HTMLElement && to.focus())
    if (key === 'ArrowDown') step(currentTarget.nextElementSibling)
    else if (key === 'ArrowUp') step(currentTarget.previousElementSibling)
    else if ((key === ' ' || key === 'Enter') && may.preview) previewVersion(item, version, context)
    else if (key === 'F2' && may.describe) onEdit('comment')
    else if (key === 'Delete' && may.remove && !isLatest) void removeVersion(item, version)
    else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
      const { left, bottom } = currentTarget.getBoundingClientRect()
      more(left + 40, bottom)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <tr
      tabIndex={isFirst ? 0 : -1}
      className={isChosen ? 'is-chosen' : ''}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        event.preventDefault()
        more(event.clientX, event.clientY)
      }}
    >
      <td className="is-check">
        <input type="checkbox" aria-label={t('property.chooseThis', { n })} checked={isChosen} onChange={onChoose} />
      </td>
      <td>
        <b>{n}</b>
      </td>
      <td title={fullTime(version.createTime)}>{shortTime(version.createTime, now, locale)}</td>
      <td title={version.creatorName}>{version.creatorName}</td>
      <td className="is-said">
        {editing === undefined ? (
          <span className="dr-property-said">
            {versionName !== '' && (
              <span className="dr-property-name">
                <BookmarkRegular />
                {versionName}
              </span>
            )}
            {restoredFrom > 0 && <StatusChip>{t('property.restoredFrom', { n: restoredFrom })}</StatusChip>}
            {may.describe ? (
              <button
                type="button"
                className={comment === '' ? 'is-empty' : ''}
                title={comment}
                tabIndex={-1}
                onClick={() => onEdit('comment')}
              >
                {comment || t('property.addComment')}
              </button>
            ) : (
              <span title={comment}>{comment}</span>
            )}
          </span>
        ) : (
          <InlineTextField
            label={t(editing === 'comment' ? 'property.comment' : 'property.name')}
            value={editing === 'comment' ? comment : versionName}
            most={editing === 'comment' ? 500 : 60}
            onEnd={(value) => {
              onEdit(undefined)
              if (value === undefined) return
              void describeVersion(item, n, editing === 'comment' ? { comment: value } : { versionName: value })
            }}
          />
        )}
      </td>
      <td className="is-number">{formatSize(version.fileSize)}</td>
      <td className="is-doing">
        {isLatest && <StatusChip tone="success">{t('property.latest')}</StatusChip>}
        <span className="dr-property-doing">
          {may.change && !isLatest && (
            <Button size="small" onClick={() => void restoreVersion(item, n)}>
              {t('property.restore')}
            </Button>
          )}
          {may.preview && (
            <IconButton
              size="small"
              label={t('drive.menu.preview')}
              icon={<Eye16Regular />}
              onClick={() => previewVersion(item, version, context)}
            />
          )}
          {/* Also available without the right: the user sees the version in the previewer, or the reason for the refusal ([R170]). */}
          <IconButton
            size="small"
            label={t('drive.download')}
            icon={<ArrowDownload16Regular />}
            onClick={() => void takeVersion(item, version, context)}
          />
          {may.compare && !isLatest && (
            <IconButton
              size="small"
              label={t('property.compareLatest')}
              icon={<ColumnDoubleCompare20Regular />}
              onClick={() => onCompare(n, item.version)}
            />
          )}
          <IconButton
            size="small"
            label={t('property.more')}
            icon={<MoreHorizontal16Regular />}
            aria-haspopup="menu"
            onClick={(event) => {
              const { left, bottom } = event.currentTarget.getBoundingClientRect()
              more(left, bottom + 4)
            }}
          />
        </span>
      </td>
    </tr>
  )
}
