// The log of the sensitive audit ([R191], mock-p1-sensitive-log): counts by action, a period, a search, pages, an export.
import { type SensitiveLogEntry } from '@cloudoc/contract'
import { calendarDays, fullTime, type SensitiveLogKind, sensitiveLogKinds } from '@cloudoc/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { rawRequestHeaders, streamUrl } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { SheetPicture } from '../../items/lists/list-states.tsx'
import { Button } from '../../kit/button.tsx'
import { type ChipTone, FilterChips, StatusChip } from '../../kit/chips.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { FilterBar, SearchField } from '../../kit/filter-bar.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { perPage, sensitiveLog } from './sensitive-queries.ts'
import { foundText } from './sensitive-state.tsx'
import './sensitive.css'

const dayMs = 24 * 60 * 60_000
const ranges = ['today', '7', '30', 'own'] as const
type Range = (typeof ranges)[number]
const tones: Readonly<Record<SensitiveLogKind, ChipTone>> = {
  hit: 'warning',
  uninspected: 'warning',
  approved: 'success',
  disapproved: 'danger',
  deleted: 'neutral',
  revoked: 'danger',
  viewed: 'neutral',
  revealed: 'info',
}

export function AuditLog({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const { setting } = useSession()
  // Days are those of the company.
  const [days] = useState(() => calendarDays(Date.now(), setting.download_time_zone, 30))
  const startOf = (count: number): number => days.at(-count)?.from ?? 0
  const end = startOf(1) + dayMs
  const [range, setRange] = useState<Range>('7')
  const [own, setOwn] = useState({ start: startOf(7), end })
  const [what, setWhat] = useState<SensitiveLogKind>()
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(0)
  const keyword = useDeferredValue(typed.trim())
  const period = range === 'own' ? own : { start: startOf(range === 'today' ? 1 : Number(range)), end }
  const filters = { ...period, keyword, ...(what !== undefined && { what }) }
  const { data, error, refetch } = useQuery({
    ...sensitiveLog({ ...filters, from: page * perPage, rows: perPage }),
    placeholderData: keepPreviousData,
  })
  const save = async (): Promise<void> => {
    const response = await fetch(streamUrl('exportSensitiveLog', filters), {
      headers: rawRequestHeaders(),
      credentials: 'same-origin',
    })
    if (!response.ok) throw new Error(t('sensitive.log.notExported'))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await response.blob())
    link.download = `${t('sensitive.log')}.csv`
    link.click()
    URL.revokeObjectURL(link.href)
    toast({ kind: 'success', text: t('sensitive.log.exported') })
  }
  const columns: readonly Column<SensitiveLogEntry>[] = [
    { id: 'time', head: t('sensitive.log.column.time'), renderCell: (one) => fullTime(one.time) },
    {
      id: 'what',
      head: t('sensitive.log.column.what'),
      renderCell: (one) => <StatusChip tone={tones[one.what]}>{t(`sensitive.log.what.${one.what}`)}</StatusChip>,
    },
    {
      id: 'who',
      head: t('sensitive.log.column.who'),
      renderCell: (one) => one.userName || t('sensitive.log.detection'),
    },
    {
      id: 'file',
      head: t('sensitive.log.column.file'),
      text: 'wrap',
      renderCell: (one) => `${one.fName} ${t('sensitive.version', { n: one.version })}`,
    },
    { id: 'content', head: t('sensitive.log.column.content'), text: 'wrap', renderCell: (one) => contentOf(t, one) },
  ]
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / perPage))
  const choose = (change: () => void): void => {
    change()
    setPage(0)
  }
  return (
    <>
      <DialogBody>
        <div className="sn-log">
          <FilterBar
            end={<Button onClick={() => void save().catch(notifyFailure)}>{t('sensitive.log.export')}</Button>}
          >
            <FilterChips
              label={t('sensitive.log.range')}
              value={range}
              options={ranges.map((value) => ({ value, label: t(`sensitive.log.range.${value}`) }))}
              onChange={(value) => choose(() => setRange(value))}
            />
            <SearchField label={t('sensitive.log.search')} value={typed} onChange={setTyped} />
          </FilterBar>
          {range === 'own' && (
            <span className="sn-row">
              <MomentField
                label={t('sensitive.log.from')}
                value={own.start}
                onChange={(start) => start !== undefined && choose(() => setOwn({ ...own, start }))}
              />
              <MomentField
                label={t('sensitive.log.to')}
                value={own.end}
                onChange={(end) => end !== undefined && choose(() => setOwn({ ...own, end }))}
              />
            </span>
          )}
          <FilterChips
            label={t('sensitive.log.column.what')}
            value={what ?? 'all'}
            options={[
              { value: 'all' as const, label: `${t('sensitive.log.all')} ${data?.counts.all ?? ''}` },
              ...sensitiveLogKinds.map((value) => ({
                value,
                label: `${t(`sensitive.log.what.${value}`)} ${data?.counts[value] ?? ''}`,
              })),
            ]}
            onChange={(value) => choose(() => setWhat(value === 'all' ? undefined : value))}
          />
          <Table
            label={t('sensitive.log')}
            columns={columns}
            rows={data?.list}
            keyOf={({ id }) => id}
            loading={<Spinner label={t('sensitive.loading')} />}
            failure={
              error === null ? undefined : (
                <StatePage
                  picture={<SheetPicture sign="warning" />}
                  title={t('sensitive.notLoaded')}
                  text={error.message}
                >
                  <Button onClick={() => void refetch()}>{t('sensitive.retry')}</Button>
                </StatePage>
              )
            }
            empty={
              <StatePage
                picture={<SheetPicture sign="search" />}
                title={t('sensitive.log.none')}
                text={t('sensitive.log.none.more')}
              />
            }
          />
        </div>
      </DialogBody>
      <DialogFooter>
        <small className="sn-muted">{t(data?.all === true ? 'sensitive.log.everything' : 'sensitive.log.own')}</small>
        {pages > 1 && (
          <PagePager
            page={page}
            pages={pages}
            onPage={setPage}
            previousLabel={t('sensitive.before')}
            nextLabel={t('sensitive.after')}
          />
        )}
        <Button kind="primary" onClick={() => close()}>
          {t('sensitive.close')}
        </Button>
      </DialogFooter>
    </>
  )
}

function contentOf(t: ReturnType<typeof useT>, one: SensitiveLogEntry): string {
  if (one.comments !== '') return one.comments
  if (one.place !== '') return one.place
  if (one.what !== 'hit' && one.what !== 'uninspected') return ''
  const found = foundText(t, { hits: one.hits, outcome: 'notInspected', reason: one.reason })
  return one.action === 'none' ? found : `${found}，${t(`sensitive.action.${one.action}`)}`
}
