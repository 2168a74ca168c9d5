// Backups: the last one, one more now, whether each can be restored, and how a restore is done.
import type { Answer, calls } from '@cloudoc/contract'
import { formatSize, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import './texts.ts'
import './backups.css'

type Backup = Answer<typeof calls.getBackups>['list'][number]

const backupsKey = ['admin', 'backups'] as const

export function BackupsPage(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { data, error, refetch } = useQuery({
    queryKey: backupsKey,
    queryFn: () => api.getBackups({}),
    refetchInterval: ({ state }) => ((state.data?.running ?? null) === null ? false : 1000),
  })
  const begin = async (work: () => Promise<unknown>): Promise<void> => {
    await work()
    await queryClient.invalidateQueries({ queryKey: backupsKey })
    await queryClient.invalidateQueries({ queryKey: ['company', 'overview'] })
  }
  const busy = data === undefined || data.running !== null
  const back = (): void => void begin(() => api.backUpNow({}))
  const columns: readonly Column<Backup>[] = [
    { id: 'time', head: t('backup.column.time'), renderCell: ({ takenAt }) => fullTime(takenAt) },
    {
      id: 'rows',
      head: t('backup.column.rows'),
      align: 'number',
      renderCell: ({ rows }) => rows.toLocaleString(locale),
    },
    {
      id: 'contents',
      head: t('backup.column.contents'),
      align: 'number',
      renderCell: ({ contents }) => contents.toLocaleString(locale),
    },
    { id: 'size', head: t('backup.column.size'), align: 'number', renderCell: ({ bytes }) => formatSize(bytes, 1) },
    { id: 'checked', head: t('backup.column.checked'), renderCell: (one) => <Checked backup={one} /> },
    {
      id: 'check',
      head: t('backup.check'),
      isHeadHidden: true,
      renderCell: ({ name }) => (
        <Button size="small" disabled={busy} onClick={() => void begin(() => api.checkBackup({ name }))}>
          {t('backup.check')}
        </Button>
      ),
    },
  ]
  return (
    <ListPage
      title={t('backup.title')}
      note={data && (data.backupTime === 0 ? t('backup.never') : t('backup.last', { when: fullTime(data.backupTime) }))}
      tools={
        <Button kind="primary" disabled={busy} onClick={back}>
          {t('backup.now')}
        </Button>
      }
    >
      {data !== undefined && (
        <div className="bk-state">
          {data.running !== null && (
            <p role="status">
              {t(`backup.running.${data.running.what}`, { n: Math.floor(data.running.progress / 10) })}
            </p>
          )}
          {data.problem !== '' && (
            <p className="k-problem" role="alert">
              {t('backup.failed', { why: data.problem })}
            </p>
          )}
          <p>
            {t('backup.folder')} <code>{data.folder}</code>
          </p>
          {data.isBesideData && <p className="bk-warning">{t('backup.beside')}</p>}
        </div>
      )}
      <Table
        label={t('backup.title')}
        columns={columns}
        rows={data?.list}
        keyOf={({ name }) => name}
        failure={error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null}
        loading={<Spinner />}
        empty={<StatePage title={t('backup.nothing')} text={t('backup.nothingMore')} />}
      />
      {data?.list[0] !== undefined && <Restoring path={`${data.folder}/${data.list[0].name}`} />}
    </ListPage>
  )
}

/** Whether a backup was found to be as it was written. */
function Checked({ backup: { checkedAt, problems, damaged } }: { readonly backup: Backup }): ReactNode {
  const t = useT()
  if (problems.length > 0)
    return (
      <span title={problems.join('\n')}>
        <StatusChip tone="danger">{t('backup.broken', { n: problems.length })}</StatusChip> {problems[0]}
      </span>
    )
  return (
    <>
      {checkedAt === 0 ? (
        <StatusChip>{t('backup.unchecked')}</StatusChip>
      ) : (
        <StatusChip tone="success">{t('backup.whole', { when: fullTime(checkedAt) })}</StatusChip>
      )}
      {damaged > 0 && <StatusChip tone="warning">{t('backup.damaged', { n: damaged })}</StatusChip>}
    </>
  )
}

/** A restore replaces the whole installation, so it is done on the server, while nobody works. */
function Restoring({ path }: { readonly path: string }): ReactNode {
  const t = useT()
  const command = `npm run restore -- "${path}"`
  return (
    <section className="bk-restore" aria-label={t('backup.restore')}>
      <h2>{t('backup.restore')}</h2>
      <p>{t('backup.restoreMore')}</p>
      <p>
        <code>{command}</code>
        <Button size="small" onClick={() => void copyText(command)}>
          {t('backup.copy')}
        </Button>
      </p>
    </section>
  )
}
