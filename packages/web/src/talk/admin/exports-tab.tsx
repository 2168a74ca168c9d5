// Exports of messages: who asked, who agreed, and the download (X75).
import type { Answer, calls } from '@cloudoc/contract'
import { minuteTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, CallError, rawRequestHeaders, streamUrl } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { ExportForm } from './export-form.tsx'

type Export = Answer<(typeof calls)['getTalkExports']>['list'][number]
const key = ['talk-admin', 'exports']

async function download({ exportId, subject }: Export): Promise<void> {
  const response = await fetch(streamUrl('downloadTalkExport', { exportId }), {
    headers: rawRequestHeaders(),
    credentials: 'same-origin',
  })
  if (!response.ok || (response.headers.get('content-type') ?? '').startsWith('application/json')) {
    const { msg } = (await response.json()) as { msg: string }
    throw new CallError('downloadTalkExport', { code: 'http', number: response.status, message: msg, quiet: false })
  }
  const url = URL.createObjectURL(await response.blob())
  Object.assign(document.createElement('a'), { href: url, download: `${subject.name}.csv` }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export function ExportsTab(): ReactNode {
  const t = useT()
  const { powers } = useSession().permission
  const mayAsk = powers.includes('security') || powers.includes('audit')
  const [isAsking, setAsking] = useState(false)
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.getTalkExports({}), staleTime: 0 })
  const vote = async (exportId: number, agrees: boolean): Promise<void> => {
    await api.voteTalkExport({ exportId, agrees })
    await queryClient.invalidateQueries({ queryKey: key })
  }
  const columns: readonly Column<Export>[] = [
    {
      id: 'whose',
      head: t('talkAdmin.exports.whose'),
      renderCell: ({ subject, fromTime, toTime }) => (
        <>
          <bdi>{subject.type === 'group' ? t('talkAdmin.exports.group', { name: subject.name }) : subject.name}</bdi>{' '}
          <small className="ta-note">
            {minuteTime(fromTime).slice(0, 10)} – {minuteTime(toTime - 1).slice(0, 10)}
          </small>
        </>
      ),
    },
    {
      id: 'reason',
      head: t('talkAdmin.exports.reason'),
      text: 'wrap',
      renderCell: ({ reason }) => <bdi>{reason}</bdi>,
    },
    {
      id: 'by',
      head: t('talkAdmin.exports.by'),
      renderCell: ({ askedBy, time }) => `${askedBy.name} · ${minuteTime(time)}`,
    },
    {
      id: 'state',
      head: t('talkAdmin.exports.state'),
      renderCell: ({ state, votes }) =>
        [
          state === 'waiting' ? t('talkAdmin.exports.waiting', { n: votes.length }) : t(`talkAdmin.exports.${state}`),
          ...votes.map(
            ({ name, agrees }) => `${name} ${t(agrees ? 'talkAdmin.exports.agree' : 'talkAdmin.exports.refuse')}`,
          ),
        ].join(' · '),
    },
    {
      id: 'ways',
      head: t('talkAdmin.groups.more'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (one) => (
        <span className="ta-row">
          {one.mayVote && (
            <>
              <Button size="small" onClick={() => void vote(one.exportId, true).catch(notifyFailure)}>
                {t('talkAdmin.exports.agree')}
              </Button>
              <Button size="small" onClick={() => void vote(one.exportId, false).catch(notifyFailure)}>
                {t('talkAdmin.exports.refuse')}
              </Button>
            </>
          )}
          {one.mayDownload && (
            <Button size="small" kind="primary" onClick={() => void download(one).catch(notifyFailure)}>
              {t('talkAdmin.exports.download')}
            </Button>
          )}
        </span>
      ),
    },
  ]
  if (error !== null)
    return (
      <StatePage title={t('talkAdmin.failed')} text={error.message}>
        <Button onClick={() => void refetch()}>{t('talkAdmin.retry')}</Button>
      </StatePage>
    )
  return (
    <div className="ta-tab">
      <p>{t('talkAdmin.exports.note')}</p>
      {isAsking ? (
        <ExportForm onEnd={() => setAsking(false)} />
      ) : (
        mayAsk && (
          <div className="ta-form">
            <Button onClick={() => setAsking(true)}>{t('talkAdmin.exports.ask')}</Button>
          </div>
        )
      )}
      {data?.list.length === 0 ? (
        <StatePage title={t('talkAdmin.exports.none')} />
      ) : (
        <Table
          label={t('talkAdmin.tab.exports')}
          columns={columns}
          rows={data?.list}
          keyOf={({ exportId }) => exportId}
        />
      )}
    </div>
  )
}
