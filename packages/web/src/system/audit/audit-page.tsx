// The audit log: search by user, action, time and address, export to a file, and verification of its integrity.

import type { Answer, calls } from '@cloudoc/contract'
import { detailLines } from '@cloudoc/contract/audit-words'
import { calendarDays, fullTime } from '@cloudoc/domain'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { sessionStore } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { RemovableChip, StatusChip } from '../../kit/chips.tsx'
import {
  ArrowDownload16Regular,
  ChevronDown12Regular,
  Dismiss12Regular,
  Search16Regular,
  ShieldCheckmark16Regular,
  Warning16Regular,
} from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { Archives } from './archives.tsx'
import {
  type AuditEntry,
  actionLabel,
  actorLabel,
  detailOf,
  resultLabel,
  settingChangeLabel,
  subjectLabel,
} from './audit-labels.ts'
import { fetchFile, offerDownload } from './file-download.ts'
import './audit.css'

const tabs = ['all', 'file', 'rights', 'signIn', 'administration', 'archives'] as const
const spans = ['today', 'week', 'month', 'ever'] as const
type Tab = (typeof tabs)[number]
type Span = (typeof spans)[number]

interface AuditQuery {
  readonly tab: Tab
  readonly span: Span
  readonly refused: boolean
  readonly itemName: string
  readonly address: string
  readonly person: { readonly userId: number; readonly name: string } | undefined
  readonly item: { readonly fId: number; readonly name: string } | undefined
}

const everything: AuditQuery = {
  tab: 'all',
  span: 'ever',
  refused: false,
  itemName: '',
  address: '',
  person: undefined,
  item: undefined,
}

const days = { today: 1, week: 7, month: 30 } as const

const companyTimeZone = (): string => sessionStore.getState().session?.setting.download_time_zone ?? 'UTC'

/** Midnight of the first day of a span, in the company's time zone. */
function sinceOf(span: Span): number | undefined {
  if (span === 'ever') return undefined
  return calendarDays(Date.now(), companyTimeZone(), days[span])[0]?.from
}

function filtersOf({ tab, span, refused, itemName, address, person, item }: AuditQuery) {
  const since = sinceOf(span)
  return {
    ...(tab !== 'all' && tab !== 'archives' && { kind: tab }),
    ...(since !== undefined && { since }),
    ...(refused && { refused: 'true' as const }),
    ...(itemName.trim() !== '' && { itemName: itemName.trim() }),
    ...(address.trim() !== '' && { address: address.trim() }),
    ...(person !== undefined && { accountId: person.userId }),
    ...(item !== undefined && { itemId: item.fId }),
  }
}

const rowsAtOnce = 100
const rowHeight = 36

export function AuditPage(): ReactNode {
  const t = useT()
  const id = useId()
  const [sought, setSought] = useState(everything)
  const [chosen, setChosen] = useState<AuditEntry>()
  const filters = filtersOf(useDeferredValue(sought))
  const seek = (more: Partial<AuditQuery>): void => {
    setChosen(undefined)
    setSought({ ...sought, ...more })
  }
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['admin', 'audit', filters],
    enabled: sought.tab !== 'archives',
    initialPageParam: {},
    queryFn: ({ pageParam, signal }) => api.getAuditList({ ...filters, ...pageParam, rows: rowsAtOnce }, { signal }),
    getNextPageParam: ({ list, more }) => {
      const last = list.at(-1)
      return more && last !== undefined ? { afterAt: last.at, afterSeq: last.seq } : undefined
    },
  })
  const entries = data?.pages.flatMap(({ list }) => list) ?? []
  const archived = data?.pages.at(-1)?.archived ?? undefined
  const toArchives = (): void => seek({ tab: 'archives' })
  return (
    <AdminBody
      title={t('admin.page.audit')}
      note={<Wholeness />}
      actions={<Actions filters={filters} exports={sought.tab !== 'archives'} />}
    >
      <div className="ad-audit">
        <Problems />
        <Tabs
          id={id}
          label={t('admin.audit.kinds')}
          tabs={tabs.map((tab) => ({ tab, text: t(`admin.audit.tab.${tab}`) }))}
          chosen={sought.tab}
          onChoose={(tab) => seek({ tab })}
        />
        <TabPanel id={id} chosen={sought.tab} className="ad-audit-panel">
          {sought.tab !== 'archives' && <Filters sought={sought} onSeek={seek} />}
          {sought.tab === 'archives' ? (
            <Archives />
          ) : error !== null && entries.length === 0 ? (
            <StatePage title={t('admin.notLoaded')} text={error.message}>
              <Button onClick={() => void refetch()}>{t('admin.again')}</Button>
            </StatePage>
          ) : data === undefined ? (
            <Spinner label={t('admin.loading')} />
          ) : entries.length === 0 ? (
            <StatePage title={t('admin.audit.nothing')} text={t('admin.audit.nothingMore')}>
              {sought !== everything && <Button onClick={() => seek(everything)}>{t('admin.audit.showAll')}</Button>}
              {archived && <Archived archived={archived} onShow={toArchives} />}
            </StatePage>
          ) : (
            <div className="ad-audit-both">
              <Rows
                entries={entries}
                chosen={chosen}
                busy={isFetching}
                onChoose={setChosen}
                onEnd={() => void (hasNextPage && !isFetchingNextPage && fetchNextPage())}
                more={hasNextPage}
                end={archived && <Archived archived={archived} onShow={toArchives} />}
              />
              {chosen && <Details entry={chosen} onSeek={seek} onClose={() => setChosen(undefined)} />}
            </div>
          )}
        </TabPanel>
      </div>
    </AdminBody>
  )
}

interface RowsProps {
  readonly entries: readonly AuditEntry[]
  readonly chosen: AuditEntry | undefined
  readonly busy: boolean
  readonly more: boolean
  readonly onChoose: (entry: AuditEntry) => void
  /** Called when the last rows are on the screen. */
  readonly onEnd: () => void
  /** The text at the end of the list. */
  readonly end: ReactNode
}

interface ArchivedProps {
  readonly archived: NonNullable<Answer<typeof calls.getAuditList>['archived']>
  readonly onShow: () => void
}

/** Which days are archived, with a link to the archives ([R287]). */
function Archived({ archived: { since, until, rows }, onShow }: ArchivedProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const words = {
    since: fullTime(since).slice(0, 10),
    until: fullTime(until).slice(0, 10),
    n: rows.toLocaleString(locale),
  }
  return (
    <span className="ad-audit-archived">
      {t('admin.audit.archived', words)}
      <Button kind="link" onClick={onShow}>
        {t('admin.audit.toArchives')}
      </Button>
    </span>
  )
}

function Rows({ entries, chosen, busy, more, onChoose, onEnd, end }: RowsProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const scroll = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const lines = virtual.getVirtualItems()
  const last = lines.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= entries.length - 20) onEnd()
  }, [last, entries.length, onEnd])
  const move = (key: string): void => {
    const at = entries.findIndex(({ seq }) => seq === chosen?.seq)
    const to = key === 'ArrowDown' ? at + 1 : at - 1
    const entry = entries[to]
    if (entry === undefined) return
    onChoose(entry)
    virtual.scrollToIndex(to)
  }
  return (
    <div className="ad-audit-list" aria-busy={busy}>
      <div className="ad-audit-head ad-audit-row" aria-hidden="true">
        {(['time', 'who', 'action', 'about', 'result', 'address'] as const).map((column) => (
          <span key={column}>{t(`admin.audit.column.${column}`)}</span>
        ))}
      </div>
      <div
        ref={scroll}
        className="ad-audit-scroll"
        role="listbox"
        tabIndex={0}
        aria-label={t('admin.page.audit')}
        aria-activedescendant={chosen && `audit-${chosen.seq}`}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          move(event.key)
        }}
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {lines.map(({ index, start }) => {
            const entry = entries[index]
            if (entry === undefined) return undefined
            const who = actorLabel(t, entry)
            return (
              <div
                key={entry.seq}
                id={`audit-${entry.seq}`}
                role="option"
                aria-selected={entry.seq === chosen?.seq}
                className="ad-audit-row"
                data-refused={entry.refused !== '' || undefined}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => onChoose(entry)}
              >
                <span>{fullTime(entry.at)}</span>
                <span>
                  {who.name} <small>{who.place}</small>
                </span>
                <span>
                  <StatusChip title={actionLabel(entry, locale)}>{actionLabel(entry, locale)}</StatusChip>
                </span>
                <span title={subjectLabel(t, entry, locale)}>{subjectLabel(t, entry, locale) || '—'}</span>
                <span>{resultLabel(t, entry, locale)}</span>
                <span>{entry.address || '—'}</span>
              </div>
            )
          })}
        </div>
      </div>
      <p className="ad-audit-foot" role="status">
        {more ? t('admin.audit.shownMore', { n: entries.length }) : t('admin.audit.shownAll', { n: entries.length })}
        {end}
      </p>
    </div>
  )
}

interface FiltersProps {
  readonly sought: AuditQuery
  readonly onSeek: (more: Partial<AuditQuery>) => void
}

function Filters({ sought, onSeek }: FiltersProps): ReactNode {
  const t = useT()
  return (
    <div className="ad-filters">
      {sought.item === undefined ? (
        <span className="k-input ad-search">
          <Search16Regular />
          <input
            type="search"
            aria-label={t('admin.audit.itemName')}
            placeholder={t('admin.audit.itemName')}
            value={sought.itemName}
            onChange={(event) => onSeek({ itemName: event.target.value })}
          />
        </span>
      ) : (
        <RemovableChip
          text={sought.item.name}
          removeLabel={t('admin.audit.drop', { what: sought.item.name })}
          onRemove={() => onSeek({ item: undefined })}
        />
      )}
      {sought.person === undefined ? (
        <PersonFilter onFound={(person) => onSeek({ person })} />
      ) : (
        <RemovableChip
          text={sought.person.name}
          removeLabel={t('admin.audit.drop', { what: sought.person.name })}
          onRemove={() => onSeek({ person: undefined })}
        />
      )}
      <span className="k-input ad-audit-address">
        <input
          aria-label={t('admin.audit.address')}
          placeholder={t('admin.audit.address')}
          value={sought.address}
          onChange={(event) => onSeek({ address: event.target.value })}
        />
      </span>
      <Button
        size="small"
        aria-haspopup="menu"
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          const entries = spans.map((span) => ({
            id: span,
            label: t(`admin.audit.span.${span}`),
            checked: span === sought.span,
            run: () => onSeek({ span }),
          }))
          void showMenu(entries, { x: left, y: bottom + 4 })
        }}
      >
        {t(`admin.audit.span.${sought.span}`)}
        <ChevronDown12Regular />
      </Button>
      <Button
        size="small"
        className="ad-toggle"
        aria-pressed={sought.refused}
        onClick={() => onSeek({ refused: !sought.refused })}
      >
        {t('admin.audit.onlyRefused')}
      </Button>
      {sought !== everything && (
        <Button kind="link" onClick={() => onSeek(everything)}>
          {t('admin.audit.showAll')}
        </Button>
      )}
    </div>
  )
}

/** Finds a person by name, account or initials. */
function PersonFilter({ onFound }: { readonly onFound: (person: AuditQuery['person']) => void }): ReactNode {
  const t = useT()
  const id = useId()
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const { data } = useQuery({
    queryKey: ['admin', 'auditPeople', keyword],
    queryFn: () => api.getAuditPeople({ keyword }),
    enabled: keyword !== '',
  })
  return (
    <span className="ad-person">
      <span className="k-input">
        <input
          role="combobox"
          aria-controls={`${id}-list`}
          aria-expanded={data !== undefined && typed !== ''}
          aria-label={t('admin.audit.person')}
          placeholder={t('admin.audit.person')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            const [first] = data?.list ?? []
            if (event.key === 'Escape') setTyped('')
            if (event.key === 'Enter' && first) onFound({ userId: first.userId, name: first.accountName })
          }}
        />
      </span>
      {data !== undefined && typed !== '' && (
        <span id={`${id}-list`} className="ad-person-list" role="listbox">
          {data.list.length === 0 && <em>{t('admin.audit.nobody')}</em>}
          {data.list.map(({ userId, account, accountName, groupName }) => (
            <button
              key={userId}
              type="button"
              role="option"
              aria-selected={false}
              onClick={() => onFound({ userId, name: accountName })}
            >
              {accountName} <small>{`${account} · ${groupName}`}</small>
            </button>
          ))}
        </span>
      )}
    </span>
  )
}

interface DetailsProps {
  readonly entry: AuditEntry
  readonly onSeek: (more: Partial<AuditQuery>) => void
  readonly onClose: () => void
}

/** All recorded data of one row. */
function Details({ entry, onSeek, onClose }: DetailsProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const who = actorLabel(t, entry)
  const timeZone = companyTimeZone()
  const { by } = entry
  return (
    <aside className="ad-card ad-audit-detail" aria-label={t('admin.audit.detail')}>
      <h2>
        {actionLabel(entry, locale)}
        <IconButton size="small" label={t('admin.audit.close')} icon={<Dismiss12Regular />} onClick={onClose} />
      </h2>
      <dl>
        <dt>{t('admin.audit.column.time')}</dt>
        <dd>{fullTime(entry.at)}</dd>
        <dt>{t('admin.audit.column.who')}</dt>
        <dd>
          {who.name} {by && <small>{by.account}</small>}
          {by && (
            <Button kind="link" onClick={() => onSeek({ person: { userId: by.userId, name: who.name } })}>
              {t('admin.audit.onlyThis')}
            </Button>
          )}
        </dd>
        <dt>{t('admin.audit.column.address')}</dt>
        <dd>
          {entry.address || '—'}
          {entry.address !== '' && (
            <Button kind="link" onClick={() => onSeek({ address: entry.address })}>
              {t('admin.audit.onlyThis')}
            </Button>
          )}
        </dd>
        <dt>{t('admin.audit.column.result')}</dt>
        <dd>{resultLabel(t, entry, locale)}</dd>
        {entry.items.map(({ fId, fName }) => (
          <div key={fId}>
            <dt>{t('admin.audit.itemWord')}</dt>
            <dd>
              {fName || t('admin.audit.item', { id: fId })}
              <Button kind="link" onClick={() => onSeek({ itemName: '', item: { fId, name: fName || String(fId) } })}>
                {t('admin.audit.onlyThis')}
              </Button>
            </dd>
          </div>
        ))}
        {entry.people.map(({ userId, account, accountName }) => (
          <div key={userId}>
            <dt>{t('admin.audit.personWord')}</dt>
            <dd>
              {accountName} <small>{account}</small>
            </dd>
          </div>
        ))}
        {entry.objects.map((name) => (
          <div key={name}>
            <dt>{t('admin.audit.column.about')}</dt>
            <dd>{name}</dd>
          </div>
        ))}
        {detailLines(detailOf(entry), {
          locale,
          timeZone,
          settingChange: (one) => settingChangeLabel(t, one, locale),
        }).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <dt>{t('admin.audit.seq')}</dt>
        <dd>{entry.seq.toLocaleString(locale)}</dd>
        <dt>{t('admin.audit.hash')}</dt>
        <dd className="ad-mono">{entry.hash}</dd>
      </dl>
    </aside>
  )
}

const verificationKey = ['admin', 'auditVerification'] as const

/** The result of the last verification. Polled while a verification runs. */
function useVerification() {
  return useQuery({
    queryKey: verificationKey,
    queryFn: () => api.getAuditVerification({}),
    refetchInterval: ({ state }) => ((state.data?.progress ?? null) === null ? false : 1000),
  }).data
}

/** Next to the title: whether the hash chain was intact at the last verification. */
function Wholeness(): ReactNode {
  const t = useT()
  const found = useVerification()
  if (found === undefined) return undefined
  if (found.progress !== null) return t('admin.audit.verifying', { n: Math.floor(found.progress / 10) })
  if (found.last === null) return t('admin.audit.notVerified')
  const when = fullTime(found.last.at)
  return found.last.problemCount === 0 ? (
    <span className="ad-whole">
      <ShieldCheckmark16Regular />
      {t('admin.audit.whole', { when, n: found.last.rows })}
    </span>
  ) : (
    <span className="ad-broken">
      <Warning16Regular />
      {t('admin.audit.broken', { when })}
    </span>
  )
}

/** Problems of the hash chain, shown above everything else. */
function Problems(): ReactNode {
  const t = useT()
  const last = useVerification()?.last ?? undefined
  const first = last?.problems[0]
  if (last === undefined || first === undefined) return undefined
  const text = {
    altered: t('admin.audit.altered', { n: first.seq }),
    removed: t('admin.audit.removed', { n: first.seq, total: first.count }),
    inserted:
      first.seq === 0
        ? t('admin.audit.insertedId', { id: first.auditId })
        : t('admin.audit.inserted', { n: first.seq }),
    cut: t('admin.audit.cut', { n: first.count }),
    head: t('admin.audit.headWrong', { n: first.seq }),
  }[first.what]
  return (
    <div className="ad-audit-alarm" role="alert">
      <Warning16Regular />
      <p>
        <b>{text}</b>
        {t('admin.audit.brokenMore', { rows: last.rows, n: last.problemCount, ms: last.tookMs })}
      </p>
    </div>
  )
}

interface ActionsProps {
  readonly filters: ReturnType<typeof filtersOf>
  /** Whether the shown entries can be exported. */
  readonly exports: boolean
}

function Actions({ filters, exports }: ActionsProps): ReactNode {
  const t = useT()
  const running = (useVerification()?.progress ?? null) !== null
  const [busy, setBusy] = useState(false)
  const verify = async (): Promise<void> => {
    await api.verifyAudit({})
    await queryClient.invalidateQueries({ queryKey: verificationKey })
  }
  const save = async (format: 'csv' | 'json' | 'heads'): Promise<void> => {
    setBusy(true)
    try {
      if (format === 'heads') {
        const heads = await api.getAuditHeads({})
        offerDownload(new Blob([JSON.stringify(heads, null, 2)]), 'audit-heads.json')
      } else {
        offerDownload(
          await fetchFile('exportAudit', { ...filters, format }),
          `audit.${format === 'csv' ? 'csv' : 'jsonl'}`,
        )
      }
      toast({ kind: 'success', text: t('admin.audit.exported') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button icon={<ShieldCheckmark16Regular />} disabled={running} onClick={() => void verify()}>
        {t('admin.audit.verify')}
      </Button>
      {exports && (
        <Button
          icon={<ArrowDownload16Regular />}
          disabled={busy}
          aria-haspopup="menu"
          onClick={(event) => {
            const { left, bottom } = event.currentTarget.getBoundingClientRect()
            const entries = (['csv', 'json', 'heads'] as const).map((format) => ({
              id: format,
              label: t(`admin.audit.export.${format}`),
              run: () => void save(format),
            }))
            void showMenu(entries, { x: left, y: bottom + 4 })
          }}
        >
          {t(busy ? 'admin.audit.exporting' : 'admin.audit.export')}
          <ChevronDown12Regular />
        </Button>
      )}
    </>
  )
}
