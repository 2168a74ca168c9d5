// The administration page of background jobs: what waits, runs and has failed, with retry and cancel.
import { codeText, type Locale, shortTime } from '@cloudoc/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { FilterBar } from '../../kit/filter-bar.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import './texts.ts'
import './jobs.css'

type Jobs = Awaited<ReturnType<typeof api.getJobs>>
type Job = Jobs['list'][number]
type State = 'all' | Job['state']

const refreshMs = 5000
const rows = 50
const states = ['waiting', 'running', 'failed', 'done', 'cancelled'] as const
const tones = { waiting: undefined, running: 'info', failed: 'danger', done: 'success', cancelled: undefined } as const
const jobsKey = ['system', 'jobs']

export function JobsPage(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [state, setState] = useState<State>('all')
  const [kind, setKind] = useState('')
  const [page, setPage] = useState(0)
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: [...jobsKey, state, kind, page],
    queryFn: () => api.getJobs({ state, kind, from: page * rows, rows }),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
  const act = async (work: () => Promise<string | undefined>): Promise<void> => {
    try {
      const said = await work()
      if (said !== undefined) toast({ kind: 'success', text: said })
    } catch (problem) {
      if (!(problem instanceof CallError)) throw problem
      if (!problem.quiet) toast({ kind: 'error', text: problem.message || codeText(problem.number, locale) })
    }
    await queryClient.invalidateQueries({ queryKey: jobsKey })
  }
  const cancel = async (job: Job): Promise<void> => {
    const isMeant = await confirmBox({
      title: t('jobs.cancel.title'),
      text: t('jobs.cancel.text', { kind: job.title[locale] }),
      ok: t('jobs.cancel'),
      cancel: t('jobs.cancel.back'),
      danger: true,
    })
    if (isMeant)
      await act(async () => {
        await api.cancelJob({ jobId: job.jobId })
        return undefined
      })
  }
  const retry = (jobId: number): Promise<void> =>
    act(async () => {
      await api.retryJob({ jobId })
      return t('jobs.retried', { n: 1 })
    })
  const retryAll = (): Promise<void> =>
    act(async () => t('jobs.retried', { n: (await api.retryFailedJobs({ kind })).count }))
  const rebuild = async (): Promise<void> => {
    const isMeant = await confirmBox({
      title: t('jobs.rebuild.title'),
      text: t('jobs.rebuild.text'),
      ok: t('jobs.rebuild.ok'),
    })
    if (isMeant) await act(async () => t('jobs.rebuild.done', { n: (await api.rebuildSearch({})).count }))
  }
  const timeOf = (at: number): string => shortTime(at, dataUpdatedAt, locale)
  const kinds = data?.kinds ?? []
  const sum = (of: 'waiting' | 'running' | 'failed'): number => kinds.reduce((all, one) => all + one[of], 0)
  const known = new Map(
    [...kinds, ...(data?.list ?? [])].map((one) => [one.kind, { value: one.kind, label: one.title[locale] }]),
  )
  const isFiltered = state !== 'all' || kind !== ''
  return (
    <ListPage
      title={t('jobPage.title')}
      note={
        data &&
        [
          t('jobs.note', { waiting: sum('waiting'), running: sum('running'), failed: sum('failed') }),
          ...(data.notIndexed > 0 ? [t('jobs.notIndexed', { n: data.notIndexed })] : []),
        ].join(' · ')
      }
      tools={
        <>
          <Button onClick={() => void rebuild()}>{t('jobs.rebuild')}</Button>
          <Button disabled={sum('failed') === 0} onClick={() => void retryAll()}>
            {t('jobs.retryAll')}
          </Button>
        </>
      }
      filters={
        <FilterBar>
          <Select<State>
            label={t('jobs.state')}
            value={state}
            options={[
              { value: 'all', label: t('jobs.state.all') },
              ...states.map((one) => ({ value: one, label: t(`jobs.state.${one}`) })),
            ]}
            onChange={(chosen) => {
              setState(chosen)
              setPage(0)
            }}
          />
          <Select
            label={t('jobs.kind')}
            value={kind}
            options={[
              { value: '', label: t('jobs.kind.all') },
              ...[...known.values()].toSorted((a, b) => a.label.localeCompare(b.label, locale)),
            ]}
            onChange={(chosen) => {
              setKind(chosen)
              setPage(0)
            }}
          />
        </FilterBar>
      }
      foot={
        (data?.total ?? 0) > rows && (
          <PagePager
            page={page}
            pages={Math.ceil((data?.total ?? 0) / rows)}
            onPage={setPage}
            previousLabel={t('jobs.previous')}
            nextLabel={t('jobs.following')}
          />
        )
      }
    >
      <Table
        label={t('jobPage.title')}
        columns={columnsOf({ t, locale, timeOf, onRetry: retry, onCancel: cancel })}
        rows={data?.list}
        keyOf={({ jobId }) => jobId}
        failure={error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null}
        loading={<Spinner />}
        empty={
          <StatePage
            title={isFiltered ? t('jobs.none.filtered') : t('jobs.none')}
            text={isFiltered ? t('jobs.none.filteredMore') : t('jobs.none.more')}
          />
        }
      />
    </ListPage>
  )
}

interface JobColumns {
  readonly t: Translate
  readonly locale: Locale
  readonly timeOf: (at: number) => string
  readonly onRetry: (jobId: number) => Promise<void>
  readonly onCancel: (job: Job) => Promise<void>
}

function columnsOf({ t, locale, timeOf, onRetry, onCancel }: JobColumns): readonly Column<Job>[] {
  return [
    { id: 'kind', head: t('jobs.kind'), renderCell: (job) => <TableName>{job.title[locale]}</TableName> },
    {
      id: 'about',
      head: t('jobs.about'),
      text: 'clip',
      width: '160px',
      title: ({ key }) => key,
      className: 'sy-job-key',
      renderCell: ({ key }) => key,
    },
    { id: 'created', head: t('jobs.created'), renderCell: ({ createTime }) => timeOf(createTime) },
    {
      id: 'state',
      head: t('jobs.state'),
      renderCell: (job) => {
        const tone = tones[job.state]
        return <StatusChip {...(tone !== undefined && { tone })}>{t(`jobs.state.${job.state}`)}</StatusChip>
      },
    },
    {
      id: 'progress',
      head: t('jobs.progress'),
      text: 'wrap',
      renderCell: (job) => (
        <span className="sy-job-progress">
          {job.state === 'running' && job.progress > 0 && (
            <progress max={1000} value={job.progress} aria-label={t('jobs.progress')} />
          )}
          {[
            ...(job.state === 'running' ? [t('jobs.attempts', { n: job.attempts })] : []),
            ...(job.state === 'waiting' && job.attempts > 0 ? [t('jobs.next', { time: timeOf(job.dueTime) })] : []),
            ...(job.endTime > 0 ? [t('jobs.ended', { time: timeOf(job.endTime) })] : []),
            ...(job.errorCode === '' ? [] : [[job.errorCode, job.errorMessage].filter(Boolean).join(': ')]),
          ].join(' · ')}
        </span>
      ),
    },
    {
      id: 'actions',
      head: t('jobs.actions'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (job) => (
        <span className="sy-job-actions">
          {(job.state === 'failed' || job.state === 'cancelled') && (
            <Button size="small" onClick={() => void onRetry(job.jobId)}>
              {t('jobs.retry')}
            </Button>
          )}
          {job.state === 'waiting' && job.attempts > 0 && (
            <Button size="small" onClick={() => void onRetry(job.jobId)}>
              {t('jobs.now')}
            </Button>
          )}
          {(job.state === 'waiting' || job.state === 'running') && (
            <Button size="small" onClick={() => void onCancel(job)}>
              {t('jobs.cancel')}
            </Button>
          )}
        </span>
      ),
    },
  ]
}
