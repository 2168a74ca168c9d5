// The versions of a file. Each can be shown, downloaded, compared, named, restored and deleted ([R188]).

import type { ItemRecord } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { keyOf } from '../../items/item/item.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  ArrowDownload16Regular,
  Bookmark16Regular,
  ColumnDoubleCompare20Regular,
  Dismiss16Regular,
} from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import type { VersionPair } from '../../viewing/compare/comparable.ts'
import { isThinned, takeVersion, untilThinned, versionPermissions } from './version-operations.ts'
import { type VersionField, VersionRow } from './version-row.tsx'

const rowsAtOnce = 60

interface VersionsProps {
  readonly item: ItemRecord
  readonly onCompare: (pair: VersionPair) => void
  /** Shows the log entries of deleted versions. */
  readonly onLog: () => void
}

type Editing = { readonly version: number; readonly what: VersionField }

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
                <VersionRow
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
