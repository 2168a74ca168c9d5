// The files of the user in which a rule found something, with their state ([R257], mock-p1-sensitive-mine).
import { type SensitiveFile } from '@cloudoc/contract'
import { formatSize, itemAddress, minuteTime } from '@cloudoc/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { SheetPicture } from '../../items/lists/list-states.tsx'
import { Button } from '../../kit/button.tsx'
import { FilterChips } from '../../kit/chips.tsx'
import { FilterBar, SearchField } from '../../kit/filter-bar.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { navigateTo, timelineQuery } from '../review/review-queries.ts'
import { Timeline } from '../review/timeline.tsx'
import { perPage, sensitiveList } from './sensitive-queries.ts'
import { foundText, StateTag } from './sensitive-state.tsx'
import './sensitive.css'

const filters = ['all', 'detecting', 'waiting', 'approved', 'disapproved', 'deleted', 'noted', 'uninspected'] as const
const periods = [0, 7, 30] as const

/** The list, with the chosen file beside it. */
export function SensitiveCreation(): ReactNode {
  const t = useT()
  const [state, setState] = useState<(typeof filters)[number]>('all')
  const [days, setDays] = useState<(typeof periods)[number]>(0)
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(0)
  const [chosen, setChosen] = useState<number>()
  const keyword = useDeferredValue(typed.trim())
  const input = { side: 'mine', state, days, keyword, from: page * perPage, rows: perPage } as const
  const { data, error, refetch } = useQuery({ ...sensitiveList(input), placeholderData: keepPreviousData })
  const current = data?.list.find(({ checkId }) => checkId === chosen)
  const columns: readonly Column<SensitiveFile>[] = [
    {
      id: 'file',
      head: t('sensitive.column.file'),
      renderCell: (one) => (
        <TableName
          icon={<FileIcon ext={one.fName.split('.').at(-1) ?? ''} size={22} />}
          below={[one.pathString, t('sensitive.version', { n: one.version })].filter((part) => part !== '').join(' · ')}
        >
          {one.fName}
        </TableName>
      ),
    },
    { id: 'hits', head: t('sensitive.column.hits'), text: 'wrap', renderCell: (one) => foundText(t, one) },
    {
      id: 'state',
      head: t('sensitive.column.state'),
      renderCell: (one) => (
        <span className="sn-lines">
          <StateTag file={one} />
          <small>{nowText(t, one)}</small>
        </span>
      ),
    },
    { id: 'time', head: t('sensitive.column.time'), renderCell: (one) => minuteTime(one.createTime) },
  ]
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  return (
    <ListPage
      title={t('sensitive.mine')}
      note={t('sensitive.mine.note')}
      filters={
        <>
          <FilterBar>
            <SearchField label={t('sensitive.search')} value={typed} onChange={setTyped} />
            <Select
              label={t('sensitive.days')}
              value={days}
              options={periods.map((value) => ({ value, label: t(`sensitive.days.${value}`) }))}
              onChange={(value) => {
                setDays(value)
                setPage(0)
              }}
            />
          </FilterBar>
          <FilterChips
            label={t('sensitive.column.state')}
            value={state}
            options={filters.map((value) => ({
              value,
              label: `${t(`sensitive.state.${value}`)} ${data?.counts[value] ?? ''}`,
            }))}
            onChange={(value) => {
              setState(value)
              setPage(0)
            }}
          />
        </>
      }
      foot={
        <>
          <span>{t('sensitive.total', { n: data?.total ?? 0 })}</span>
          {pages > 1 && (
            <PagePager
              page={page}
              pages={pages}
              onPage={setPage}
              previousLabel={t('sensitive.before')}
              nextLabel={t('sensitive.after')}
            />
          )}
        </>
      }
      side={current === undefined ? undefined : <Details file={current} />}
    >
      <Table
        label={t('sensitive.mine')}
        columns={columns}
        rows={data?.list}
        keyOf={({ checkId }) => checkId}
        nameOf={({ fName }) => fName}
        onOpen={({ checkId }) => setChosen(checkId)}
        current={chosen}
        isTall
        loading={<Spinner label={t('sensitive.loading')} />}
        failure={
          error === null ? undefined : (
            <StatePage picture={<SheetPicture sign="warning" />} title={t('sensitive.notLoaded')} text={error.message}>
              <Button onClick={() => void refetch()}>{t('sensitive.retry')}</Button>
            </StatePage>
          )
        }
        empty={
          <StatePage
            picture={<SheetPicture sign="search" />}
            title={t('sensitive.none')}
            text={t('sensitive.none.more')}
          />
        }
      />
    </ListPage>
  )
}

function nowText(t: ReturnType<typeof useT>, one: SensitiveFile): string {
  if (one.state === 'waiting')
    return one.waitsFor.length === 0
      ? t('sensitive.waitsNobody')
      : t('sensitive.waits', { names: one.waitsFor.map(({ accountName }) => accountName).join('、') })
  if (one.decidedBy === '') return ''
  return one.comments === '' ? one.decidedBy : t('sensitive.byWhom', { name: one.decidedBy, comments: one.comments })
}

/** What nobody can do meanwhile, who waits, and what helps. */
function Details({ file }: { readonly file: SensitiveFile }): ReactNode {
  const t = useT()
  const [now] = useState(Date.now)
  const { data: way } = useQuery({ ...timelineQuery(file.reviewId), enabled: file.reviewId > 0 })
  const isOpen = file.state === 'waiting' || file.state === 'disapproved'
  const remind = (): void =>
    void api
      .remindReview({ reviewId: file.reviewId })
      .then(() => toast({ kind: 'success', text: t('sensitive.reminded') }))
      .catch(notifyFailure)
  return (
    <aside className="sn-side" aria-label={file.fName}>
      <header>
        <h2>{file.fName}</h2>
        <StateTag file={file} />
      </header>
      <p className="sn-muted">{[formatSize(file.fileSize), t('sensitive.version', { n: file.version })].join(' · ')}</p>
      {isOpen && <p className="sn-warning">{t(file.isBlocked ? 'sensitive.blocked' : 'sensitive.restricted')}</p>}
      <dl>
        <dt>{t('sensitive.hits')}</dt>
        <dd>{foundText(t, file)}</dd>
        <dt>{t('sensitive.rules')}</dt>
        <dd>{[...new Set(file.hits.map(({ ruleName }) => ruleName))].join('、') || '—'}</dd>
        <dt>{t('sensitive.place')}</dt>
        <dd>{file.pathString || '—'}</dd>
      </dl>
      {way !== undefined && <Timeline way={way} now={now} then={t('sensitive.approve')} />}
      {isOpen && <p className="sn-hint">{t('sensitive.faster')}</p>}
      <footer>
        {file.state === 'waiting' && file.reviewId > 0 && <Button onClick={remind}>{t('sensitive.remind')}</Button>}
        {file.state !== 'deleted' && (
          <Button kind="primary" onClick={() => navigateTo(itemAddress({ fType: 1, fId: file.fId }))}>
            {t('sensitive.open')}
          </Button>
        )}
      </footer>
    </aside>
  )
}
