// The administration page of the virus scanner: whether it works, and what it found.
import type { Answer, calls } from '@cloudoc/contract'
import { formatSize, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import './texts.ts'
import './antivirus.css'

type Known = Answer<typeof calls.getVirusList>
type Found = Known['list'][number]
type Waiting = Answer<typeof calls.getUninspectedFiles>['list'][number]

const perPage = 60
const refreshMs = 30_000

export function AntivirusPage(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'antivirus', page],
    queryFn: () => api.getVirusList({ from: page * perPage, rows: perPage }),
    refetchInterval: refreshMs,
  })
  const test = async (): Promise<void> => {
    const { virusName, problem } = await api.testScanner({})
    if (problem !== '') toast({ kind: 'error', text: t('antivirus.problem', { reason: problem }) })
    else if (virusName === '') toast({ kind: 'error', text: t('antivirus.blind') })
    else toast({ kind: 'success', text: t('antivirus.works', { name: virusName }) })
  }
  const columns: readonly Column<Found>[] = [
    { id: 'file', head: t('antivirus.file'), renderCell: ({ fName }) => <TableName>{fName}</TableName> },
    { id: 'version', head: t('antivirus.version'), renderCell: ({ version }) => version },
    { id: 'virus', head: t('antivirus.virus'), renderCell: ({ virusName }) => virusName },
    { id: 'uploader', head: t('antivirus.uploader'), renderCell: ({ uploaderName }) => uploaderName },
    { id: 'time', head: t('antivirus.time'), renderCell: ({ time }) => fullTime(time) },
  ]
  const closed = useQuery({
    queryKey: ['admin', 'uninspected'],
    queryFn: () => api.getUninspectedFiles({ rows: perPage }),
    refetchInterval: refreshMs,
    enabled: data?.closes === true,
  })
  const again = async (): Promise<void> => {
    const { count } = await api.inspectAgain({})
    toast({ kind: 'success', text: t('antivirus.again.done', { n: count }) })
    await Promise.all([refetch(), closed.refetch()])
  }
  const release = async ({ fId, fName }: Waiting): Promise<void> => {
    const isSure = await confirmBox({
      title: t('antivirus.release.sure', { name: fName }),
      text: t('antivirus.release.sureMore'),
      ok: t('antivirus.release'),
    })
    if (!isSure) return
    await api.of(mainServer).releaseUninspected({ fileId: fId })
    await closed.refetch()
  }
  const waiting: readonly Column<Waiting>[] = [
    { id: 'file', head: t('antivirus.file'), renderCell: ({ fName }) => <TableName>{fName}</TableName> },
    { id: 'size', head: t('antivirus.size'), renderCell: ({ size }) => formatSize(size, 1) },
    { id: 'uploader', head: t('antivirus.uploader'), renderCell: ({ uploaderName }) => uploaderName },
    { id: 'time', head: t('antivirus.since'), renderCell: ({ time }) => fullTime(time) },
    {
      id: 'problem',
      head: t('antivirus.why'),
      renderCell: ({ problem }) => (problem === '' ? t('antivirus.waits') : problem),
    },
    {
      id: 'release',
      head: '',
      renderCell: (file) => (
        <Button kind="link" onClick={() => void release(file).catch(notifyFailure)}>
          {t('antivirus.release')}
        </Button>
      ),
    },
  ]
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  return (
    <ListPage
      title={t('antivirusPage.title')}
      note={data && <Standing known={data} />}
      tools={
        <>
          {data?.closes && (
            <Button disabled={(closed.data?.total ?? 0) === 0} onClick={() => void again().catch(notifyFailure)}>
              {t('antivirus.again')}
            </Button>
          )}
          <Button onClick={() => void navigate('/doc/admin/settings')}>{t('antivirus.settings')}</Button>
          <Button kind="primary" disabled={data?.scans !== true} onClick={() => void test()}>
            {t('antivirus.test')}
          </Button>
        </>
      }
      foot={
        pages > 1 && (
          <PagePager
            page={page}
            pages={pages}
            onPage={setPage}
            previousLabel={t('antivirus.previous')}
            nextLabel={t('antivirus.next')}
          />
        )
      }
    >
      {data?.closes && (closed.data?.total ?? 0) > 0 && (
        <section className="av-closed" aria-label={t('antivirus.closed', { n: closed.data?.total ?? 0 })}>
          <h2>{t('antivirus.closed', { n: closed.data?.total ?? 0 })}</h2>
          <Table
            label={t('antivirus.closed', { n: closed.data?.total ?? 0 })}
            columns={waiting}
            rows={closed.data?.list}
            keyOf={({ fId }) => `${fId}`}
            failure={null}
            loading={<Spinner />}
            empty={null}
          />
          <h2>{t('antivirus.found')}</h2>
        </section>
      )}
      <Table
        label={t('antivirusPage.title')}
        columns={columns}
        rows={data?.list}
        keyOf={({ fId, version }) => `${fId} ${version}`}
        failure={error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null}
        loading={<Spinner />}
        empty={<StatePage title={t('antivirus.none')} text={t('antivirus.noneMore')} />}
      />
    </ListPage>
  )
}

/** Whether contents are inspected, whether they are closed until then, and what is wrong. */
function Standing({ known: { scans, closes, waiting, problem } }: { readonly known: Known }): ReactNode {
  const t = useT()
  if (!scans) return t('antivirus.off')
  return (
    <>
      {t('antivirus.on', { n: waiting })}
      {' · '}
      {t(closes ? 'antivirus.closes' : 'antivirus.open')}
      {problem !== '' && (
        <span className="av-problem" role="alert">
          {t(closes ? 'antivirus.away' : 'antivirus.awayOpen', { reason: problem })}
        </span>
      )}
    </>
  )
}
