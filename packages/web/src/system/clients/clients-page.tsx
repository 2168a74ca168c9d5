// The administration page of programs for people's computers ([R372], [R373]), and of the logs that they send ([R374]).
import type { Answer, calls } from '@cloudoc/contract'
import { formatSize, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import './texts.ts'
import './clients-page.css'

type Program = Answer<typeof calls.getClientList>['list'][number]
type SentLog = Answer<typeof calls.getLogFiles>['list'][number]

const programsKey = ['admin', 'clients'] as const
const logsKey = ['admin', 'clientLogs'] as const
const atOnce = 200

export function ClientsPage(): ReactNode {
  const t = useT()
  const [shows, setShows] = useState<'programs' | 'logs'>('programs')
  const tabs = (
    <div role="group" aria-label={t('clientPrograms.title')} className="cp-tabs">
      {(['programs', 'logs'] as const).map((tab) => (
        <Button
          key={tab}
          size="small"
          aria-pressed={shows === tab}
          kind={shows === tab ? 'primary' : 'ghost'}
          onClick={() => setShows(tab)}
        >
          {t(`clientPrograms.tab.${tab}`)}
        </Button>
      ))}
    </div>
  )
  return shows === 'programs' ? <Programs tabs={tabs} /> : <SentLogs tabs={tabs} />
}

function Programs({ tabs }: { readonly tabs: ReactNode }): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({
    queryKey: programsKey,
    queryFn: () => api.getClientList({ list: 1 }),
  })
  const changed = (): Promise<void> => queryClient.invalidateQueries({ queryKey: programsKey })
  const publish = async (): Promise<void> => {
    const [picked] =
      (await openWindow('drive-item-pick', {
        ...{ title: t('clientPrograms.pick'), hint: t('clientPrograms.pickHint'), what: 'files', multiple: false },
      })) ?? []
    if (picked === undefined) return
    const { serverId, fId, fName } = picked
    if ((await openWindow('cloudoc-client-publish', { item: { serverId, fId, fName } })) === true) await changed()
  }
  const remove = async ({ packageId, name, version }: Program): Promise<void> => {
    const text = t('clientPrograms.removeAsk', { name, version })
    if (!(await confirmBox({ text, ok: t('clientPrograms.remove'), danger: true }))) return
    await api.removeClient({ packageId })
    await changed()
  }
  const columns: readonly Column<Program>[] = [
    { id: 'name', head: t('clientPrograms.name'), renderCell: ({ name }) => <TableName>{name}</TableName> },
    { id: 'type', head: t('clientPrograms.type'), renderCell: ({ type }) => t(`clientPrograms.type.${type}`) },
    { id: 'sys', head: t('clientPrograms.sys'), renderCell: ({ sys, cpu }) => `${sys} · ${cpu}` },
    { id: 'version', head: t('clientPrograms.version'), renderCell: ({ version }) => version },
    { id: 'size', head: t('clientPrograms.size'), align: 'number', renderCell: ({ size }) => formatSize(size, 1) },
    { id: 'time', head: t('clientPrograms.time'), renderCell: ({ createTime }) => fullTime(createTime) },
    {
      id: 'actions',
      head: t('clientPrograms.actions'),
      isHeadHidden: true,
      renderCell: (program) => (
        <Button
          size="small"
          aria-label={t('clientPrograms.removeOf', { name: program.name })}
          onClick={() => void remove(program)}
        >
          {t('clientPrograms.remove')}
        </Button>
      ),
    },
  ]
  return (
    <ListPage
      title={t('clientPrograms.title')}
      note={data && t('clientPrograms.note', { n: data.list.length })}
      tabs={tabs}
      tools={
        <Button kind="primary" onClick={() => void publish()}>
          {t('clientPrograms.publish')}
        </Button>
      }
    >
      <Table
        label={t('clientPrograms.title')}
        columns={columns}
        rows={data?.list}
        keyOf={({ packageId }) => packageId}
        failure={error && <LoadFailure error={error} retry={refetch} />}
        loading={<Spinner />}
        empty={<StatePage title={t('clientPrograms.none')} text={t('clientPrograms.noneMore')} />}
      />
    </ListPage>
  )
}

function SentLogs({ tabs }: { readonly tabs: ReactNode }): ReactNode {
  const t = useT()
  const [read, setRead] = useState<SentLog>()
  const { data, error, refetch } = useQuery({
    queryKey: logsKey,
    queryFn: () => api.getLogFiles({ rows: atOnce }),
  })
  const mark = async ({ logId, done }: SentLog): Promise<void> => {
    await api.setLogFileDone({ logId, done: !done })
    await queryClient.invalidateQueries({ queryKey: logsKey })
  }
  const columns: readonly Column<SentLog>[] = [
    { id: 'number', head: t('sentLogs.number'), renderCell: ({ logNumber }) => logNumber },
    { id: 'who', head: t('sentLogs.who'), renderCell: ({ accountName }) => accountName },
    { id: 'note', head: t('sentLogs.note'), text: 'wrap', renderCell: ({ note }) => note },
    { id: 'time', head: t('sentLogs.time'), renderCell: ({ createTime }) => fullTime(createTime) },
    { id: 'size', head: t('sentLogs.size'), align: 'number', renderCell: ({ size }) => formatSize(size, 1) },
    {
      id: 'state',
      head: t('sentLogs.state'),
      renderCell: ({ done }) => <StatusChip>{t(done ? 'sentLogs.done' : 'sentLogs.open')}</StatusChip>,
    },
    {
      id: 'actions',
      head: t('clientPrograms.actions'),
      isHeadHidden: true,
      renderCell: (log) => (
        <>
          <Button
            size="small"
            aria-label={t('sentLogs.readOf', { number: log.logNumber })}
            onClick={() => setRead(log)}
          >
            {t('sentLogs.read')}
          </Button>{' '}
          <Button size="small" onClick={() => void mark(log)}>
            {t(log.done ? 'sentLogs.markOpen' : 'sentLogs.markDone')}
          </Button>
        </>
      ),
    },
  ]
  return (
    <ListPage
      title={t('clientPrograms.title')}
      tabs={tabs}
      side={read && <SentLogText log={read} close={() => setRead(undefined)} />}
    >
      <Table
        label={t('clientPrograms.tab.logs')}
        columns={columns}
        rows={data?.list}
        keyOf={({ logId }) => logId}
        failure={error && <LoadFailure error={error} retry={refetch} />}
        loading={<Spinner />}
        empty={<StatePage title={t('sentLogs.none')} text={t('sentLogs.noneMore')} />}
      />
    </ListPage>
  )
}

function SentLogText({ log, close }: { readonly log: SentLog; readonly close: () => void }): ReactNode {
  const t = useT()
  const { logId, logNumber } = log
  const { data, error } = useQuery({ queryKey: [...logsKey, logId], queryFn: () => api.getLogFile({ logId }) })
  return (
    <aside className="cp-log" aria-label={t('sentLogs.content', { number: logNumber })}>
      <header>
        <b>{t('sentLogs.content', { number: logNumber })}</b>
        <Button size="small" onClick={close}>
          {t('sentLogs.close')}
        </Button>
      </header>
      {data === undefined && error === null && <Spinner />}
      {error !== null && <p role="alert">{error.message}</p>}
      {data !== undefined && <pre>{data.pack}</pre>}
    </aside>
  )
}
