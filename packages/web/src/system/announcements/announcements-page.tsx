// The administration page of announcements: what is announced to whom, until when, and who has read it.
import type { Answer, calls } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Add16Regular, Dismiss16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import './texts.ts'
import './announcements.css'

type Announcement = Answer<typeof calls.getAnnouncementList>['list'][number]

const listKey = ['admin', 'announcements'] as const
const refreshMs = 30_000
const tones = { scheduled: 'info', current: 'success', ended: 'neutral' } as const

export function AnnouncementsPage(): ReactNode {
  const t = useT()
  const [openId, setOpenId] = useState<number>()
  const { data, error, refetch } = useQuery({
    queryKey: listKey,
    queryFn: () => api.getAnnouncementList({}),
    refetchInterval: refreshMs,
  })
  const fetchAgain = () => queryClient.invalidateQueries({ queryKey: listKey })
  const edit = async (announcement: Announcement | undefined): Promise<void> => {
    if ((await openWindow('cloudoc-announcement', { announcement })) !== undefined) await fetchAgain()
  }
  const end = async ({ announcementId, title }: Announcement): Promise<void> => {
    const text = t('announce.endAsk', { name: title })
    if (!(await confirmBox({ text, ok: t('announce.end'), danger: true }))) return
    await api.endAnnouncement({ announcementId })
    await fetchAgain()
  }
  const columns: readonly Column<Announcement>[] = [
    {
      id: 'title',
      head: t('announce.title'),
      renderCell: ({ title, creatorName }) => <TableName title={`${title} · ${creatorName}`}>{title}</TableName>,
    },
    { id: 'kind', head: t('announce.kind'), renderCell: ({ kind }) => t(`announce.kind.${kind}`) },
    {
      id: 'to',
      head: t('announce.to'),
      title: ({ groups }) => groups.map(({ groupName }) => groupName).join('\n'),
      renderCell: ({ groups }) =>
        groups.length === 0
          ? t('announce.everybody')
          : groups.map(({ groupName }) => groupName).join(t('admin.set.comma')),
    },
    {
      id: 'time',
      head: t('announce.column.time'),
      renderCell: ({ startTime, endTime }) => (
        <span className="an-time">
          {fullTime(startTime)}
          <br />
          {fullTime(endTime)}
        </span>
      ),
    },
    {
      id: 'read',
      head: t('announce.column.read'),
      renderCell: ({ read, people }) => t('announce.readOf', { read, n: people }),
    },
    {
      id: 'state',
      head: t('announce.column.state'),
      renderCell: ({ state }) => <StatusChip tone={tones[state]}>{t(`announce.state.${state}`)}</StatusChip>,
    },
    {
      id: 'actions',
      head: t('announce.column.do'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (one) => (
        <Button
          size="small"
          aria-label={t('announce.readersOf', { name: one.title })}
          onClick={() => setOpenId(one.announcementId)}
        >
          {t('announce.readers')}
        </Button>
      ),
    },
  ]
  const opened = data?.list.find(({ announcementId }) => announcementId === openId)
  return (
    <ListPage
      title={t('announcePage.title')}
      note={data && t('announce.note', { n: data.list.filter(({ state }) => state === 'current').length })}
      tools={
        <Button kind="primary" icon={<Add16Regular />} onClick={() => void edit(undefined)}>
          {t('announce.create')}
        </Button>
      }
      side={
        opened && (
          <Readers
            announcement={opened}
            edit={() => void edit(opened)}
            end={() => void end(opened)}
            close={() => setOpenId(undefined)}
          />
        )
      }
    >
      <Table
        label={t('announcePage.title')}
        columns={columns}
        rows={data?.list}
        keyOf={({ announcementId }) => announcementId}
        failure={error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null}
        loading={<Spinner />}
        empty={<StatePage title={t('announce.none')} text={t('announce.noneMore')} />}
      />
    </ListPage>
  )
}

/** How many people of each department have read an announcement. */
function Readers({
  announcement: { announcementId, title, state, people, read },
  edit,
  end,
  close,
}: {
  readonly announcement: Announcement
  readonly edit: () => void
  readonly end: () => void
  readonly close: () => void
}): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({
    queryKey: [...listKey, announcementId],
    queryFn: () => api.getAnnouncementReaders({ announcementId }),
  })
  const remind = async (): Promise<void> => {
    const reminded = await api.remindOfAnnouncement({ announcementId })
    toast({ kind: 'success', text: t('announce.reminded', { n: reminded.people }) })
  }
  return (
    <aside className="an-readers" aria-label={t('announce.readersOf', { name: title })}>
      <header>
        <b>{title}</b>
        <IconButton label={t('announce.close')} icon={<Dismiss16Regular />} onClick={close} />
      </header>
      {state !== 'ended' && (
        <p className="an-tools">
          <Button size="small" onClick={edit}>
            {t('announce.edit')}
          </Button>
          <Button size="small" onClick={end}>
            {t('announce.end')}
          </Button>
        </p>
      )}
      {data === undefined ? (
        error === null ? (
          <Spinner />
        ) : (
          <LoadFailure error={error} retry={refetch} />
        )
      ) : (
        <dl>
          {data.list.map((group, i) => (
            // Departments may have the same name.
            <div key={i} style={{ display: 'contents' }}>
              <dt title={group.groupName}>{group.groupName}</dt>
              <dd>{t('announce.readOf', { read: group.read, n: group.people })}</dd>
            </div>
          ))}
        </dl>
      )}
      {state === 'current' && people > read && (
        <Button onClick={() => void remind()}>{t('announce.remind', { n: people - read })}</Button>
      )}
    </aside>
  )
}
