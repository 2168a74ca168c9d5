// The log of a file or folder: filtered by kind, day and person, and downloadable as a table ([R189], [R190]).
import type { Answer, calls, ItemRecord } from '@cloudoc/contract'
import { fullTime, LogBit, type LogBitName } from '@cloudoc/domain'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { api, CallError, rawRequestHeaders, streamUrl } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { isFolder, keyOf } from '../../items/item/item.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { ArrowDownload16Regular, ChevronDown12Regular, Search16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { InitialsAvatar } from '../../people/index.ts'
import { saveBlob } from '../../transfer/tasks/browser-download.ts'
import { LogKindIcon, logKindGroups, logKindOf } from './log-kinds.tsx'
import { actorName, logChangeLabel } from './log-labels.ts'

const ranges = ['all', 'today', 'last7days', 'last30days'] as const
const rowsAtOnce = 60
/**
 * The delays in milliseconds after which the log is read again. On a busy server it takes longer until an event is
 * sealed.
 */
const refetchMs = [2000, 5000, 12_000, 30_000]

interface LogProps {
  readonly item: ItemRecord
  /** The kinds that are selected initially. Empty: all kinds. */
  readonly first: readonly LogBitName[]
}

export function LogTab({ item, first }: LogProps): ReactNode {
  const t = useT()
  const [range, setRange] = useState<(typeof ranges)[number]>('all')
  const [kinds, setKinds] = useState<ReadonlySet<LogBitName>>(new Set(first))
  const [typed, setTyped] = useState('')
  const [userId, setUserId] = useState(0)
  const [saving, setSaving] = useState(false)
  const query = useDeferredValue(typed.trim())
  const types = [...kinds].reduce((sum, kind) => sum | LogBit[kind], 0)
  const filters = { types, range, query, ...(userId > 0 && { userId }) }
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['drive', 'log', keyOf(item), filters],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam: after }) => {
      const page = { ...filters, rows: rowsAtOnce, ...(after !== undefined && { after }) }
      return isFolder(item)
        ? api.of(item).getFolderLog({ folderId: item.fId, ...page }, { quiet: true })
        : api.of(item).getFileLog({ fileId: item.fId, ...page }, { quiet: true })
    },
    getNextPageParam: ({ next }) => (next === 0 ? undefined : next),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  // The log is read from the sealed audit, which is slightly delayed. A later read shows the latest events.
  useEffect(() => {
    const timers = refetchMs.map((ms) => setTimeout(() => void refetch(), ms))
    return () => timers.forEach(clearTimeout)
  }, [refetch])
  const list = data?.pages.flatMap((page) => page.list) ?? []
  // The people in the entries read so far. Others are found by name.
  const [people, setPeople] = useState<ReadonlyMap<number, string>>(new Map())
  const fresh = list.filter((entry) => entry.userId > 0 && !people.has(entry.userId))
  if (fresh.length > 0)
    setPeople(new Map([...people, ...fresh.map((entry) => [entry.userId, entry.userName] as const)]))
  // A page of a large folder may be short, so a button loads the next page.
  const earlier = (
    <Button kind="link" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {t(isFetchingNextPage ? 'property.log.looking' : 'property.log.earlier')}
    </Button>
  )
  const save = async (): Promise<void> => {
    setSaving(true)
    const url = isFolder(item)
      ? streamUrl('exportFolderLog', { folderId: item.fId, ...filters }, item)
      : streamUrl('exportFileLog', { fileId: item.fId, ...filters }, item)
    try {
      const response = await fetch(url, { headers: rawRequestHeaders(), credentials: 'same-origin' })
      if (!response.ok) throw new Error(t('property.log.notSaved'))
      saveBlob(await response.blob(), `${item.fName}.csv`)
      toast({ kind: 'success', text: t('property.log.saved') })
    } catch (failure) {
      notifyFailure(failure instanceof CallError ? failure : t('property.log.notSaved'))
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      <div className="dr-property-bar">
        <div className="dr-property-segments" role="group" aria-label={t('property.log.range')}>
          {ranges.map((one) => (
            <button key={one} type="button" aria-pressed={range === one} onClick={() => setRange(one)}>
              {t(`property.log.range.${one}`)}
            </button>
          ))}
        </div>
        <Kinds chosen={kinds} onChange={setKinds} />
        <Select
          label={t('property.log.people')}
          size="small"
          value={userId}
          options={[
            { value: 0, label: t('property.log.everybody') },
            ...[...people].map(([value, label]) => ({ value, label })),
          ]}
          onChange={setUserId}
        />
        <span className="k-input dr-property-search">
          <Search16Regular />
          <input
            type="search"
            aria-label={t('property.log.who')}
            placeholder={t('property.log.who')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </span>
        <span className="dr-property-picked">
          {list.length > 0 && (
            <span className="dr-property-hint">
              {t(hasNextPage ? 'property.log.countSoFar' : 'property.log.count', { n: list.length })}
            </span>
          )}
          <Button
            size="small"
            icon={<ArrowDownload16Regular />}
            disabled={saving || (list.length === 0 && !hasNextPage)}
            onClick={() => void save()}
          >
            {t('property.log.export')}
          </Button>
        </span>
      </div>
      {error !== null && data === undefined ? (
        <p className="dr-property-empty">
          {error.message}{' '}
          <Button kind="link" onClick={() => void refetch()}>
            {t('drive.retry')}
          </Button>
        </p>
      ) : data === undefined ? (
        <Spinner />
      ) : list.length === 0 ? (
        <p className="dr-property-empty">{hasNextPage ? earlier : t('property.log.none')}</p>
      ) : (
        <div
          className="dr-property-scroll"
          role="region"
          aria-label={t('property.tab.log')}
          tabIndex={0}
          onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
            if (scrollTop + clientHeight > scrollHeight - 200 && hasNextPage && !isFetchingNextPage)
              void fetchNextPage()
          }}
        >
          <Table columns={columnsOf(item, t)} rows={list} keyOf={({ logId }) => logId} />
          {hasNextPage && <p className="dr-property-empty">{earlier}</p>}
        </div>
      )}
    </>
  )
}

type LogEntry = Answer<typeof calls.getFolderLog>['list'][number]

const columnsOf = (item: ItemRecord, t: Translate): readonly Column<LogEntry>[] => [
  {
    id: 'time',
    head: t('property.column.time'),
    width: '160px',
    className: 'is-time',
    renderCell: ({ time }) => fullTime(time),
  },
  {
    id: 'who',
    head: t('property.log.whoHead'),
    renderCell: (entry) => (
      <TableName icon={entry.userId > 0 && <InitialsAvatar id={entry.userId} name={entry.userName} />}>
        {actorName(entry, t)}
      </TableName>
    ),
  },
  {
    id: 'kind',
    head: t('property.log.kind'),
    renderCell: ({ type }) => (
      <TableName icon={<LogKindIcon kind={logKindOf(type)} />}>
        {t(`property.kind.${logKindOf(type) ?? 'edit'}`)}
      </TableName>
    ),
  },
  ...(isFolder(item)
    ? [
        {
          id: 'item',
          head: t('property.log.item'),
          text: 'clip',
          width: '30%',
          title: ({ fName }) => fName,
          renderCell: ({ fName }) => fName,
        } satisfies Column<LogEntry>,
      ]
    : []),
  {
    id: 'comment',
    head: t('property.column.comment'),
    text: 'clip',
    width: '40%',
    title: (entry) => logChangeLabel(entry, t),
    renderCell: (entry) => logChangeLabel(entry, t),
  },
]

interface KindsProps {
  readonly chosen: ReadonlySet<LogBitName>
  readonly onChange: (kinds: ReadonlySet<LogBitName>) => void
}

/** The selected kinds. An empty selection shows all. */
function Kinds({ chosen, onChange }: KindsProps): ReactNode {
  const t = useT()
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!open) return
    const leave = (event: PointerEvent): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) !== true) setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [open])
  const toggle = (kind: LogBitName): void => {
    const next = new Set(chosen)
    if (!next.delete(kind)) next.add(kind)
    onChange(next)
  }
  return (
    <div
      className="dr-property-kinds"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.preventDefault()
        event.stopPropagation()
        setOpen(false)
        box.current?.querySelector('button')?.focus()
      }}
    >
      <Button size="small" aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)}>
        {chosen.size === 0 ? t('property.log.allKinds') : t('property.log.kinds', { n: chosen.size })}
        <ChevronDown12Regular />
      </Button>
      {open && (
        <div className="dr-property-pop" role="dialog" aria-label={t('property.log.kind')}>
          {Object.entries(logKindGroups).map(([group, list]) => (
            <fieldset key={group}>
              <legend>{t(`property.group.${group as keyof typeof logKindGroups}`)}</legend>
              {list.map((kind) => (
                <Checkbox
                  key={kind}
                  label={t(`property.kind.${kind}`)}
                  checked={chosen.has(kind)}
                  onChange={() => toggle(kind)}
                />
              ))}
            </fieldset>
          ))}
          <p>
            <Button size="small" disabled={chosen.size === 0} onClick={() => onChange(new Set())}>
              {t('property.log.allAgain')}
            </Button>
          </p>
        </div>
      )}
    </div>
  )
}
