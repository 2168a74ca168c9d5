// The administration page of linked servers ([R343], [R345]): their keys, states with causes, and the key of this one.
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { type Linked, linkedKey, refetchLinked } from './linked-list.ts'
import { ServerDrawer } from './server-drawer.tsx'
import { causeText, notifyLinked } from './server-state.ts'
import './texts.ts'
import './servers.css'

const refreshMs = 5000

export function ServersPage(): ReactNode {
  const t = useT()
  const [openId, setOpenId] = useState<number>()
  const { data, error, refetch } = useQuery({
    queryKey: linkedKey,
    queryFn: () => api.getLinkedServers({}),
    refetchInterval: refreshMs,
  })
  const own = data?.keys.find(({ state }) => state === 'current')
  const add = async (): Promise<void> => {
    const serverId = await openWindow('cloudoc-linked-server', { server: undefined, ownKey: own?.fingerprint ?? '' })
    await refetchLinked()
    if (serverId !== undefined) setOpenId(serverId)
  }
  const columns: readonly Column<Linked>[] = [
    { id: 'name', head: t('linkedServer.name'), renderCell: ({ serverName }) => <TableName>{serverName}</TableName> },
    { id: 'address', head: t('linkedServer.address'), renderCell: ({ apiHost }) => apiHost },
    { id: 'state', head: t('linkedServer.state'), renderCell: (server) => <ServerState server={server} /> },
    {
      id: 'seen',
      head: t('linkedServer.seen'),
      renderCell: ({ seenAt }) => (seenAt === 0 ? t('linkedServer.never') : fullTime(seenAt)),
    },
    {
      id: 'way',
      head: t('linkedServer.way'),
      renderCell: ({ admits, visits }) =>
        t(`linkedServer.way.${admits ? (visits ? 'both' : 'admits') : visits ? 'visits' : 'none'}`),
    },
    {
      id: 'actions',
      head: t('linkedServer.manage'),
      isHeadHidden: true,
      renderCell: ({ serverId, serverName }) => (
        <Button
          size="small"
          aria-label={t('linkedServer.manageOf', { name: serverName })}
          onClick={() => setOpenId(serverId === openId ? undefined : serverId)}
        >
          {t('linkedServer.manage')}
        </Button>
      ),
    },
  ]
  const opened = data?.list.find(({ serverId }) => serverId === openId)
  const bad = data?.list.filter(({ state }) => state !== 'ok' && state !== 'paused').length ?? 0
  return (
    <ListPage
      title={t('linkedPage.title')}
      note={data && t('linkedServer.note', { n: data.list.length, bad })}
      tools={
        <Button kind="primary" disabled={own === undefined} onClick={() => void add()}>
          {t('linkedServer.add')}
        </Button>
      }
      side={
        opened && (
          <ServerDrawer
            key={opened.serverId}
            server={opened}
            ownKey={own?.fingerprint ?? ''}
            close={() => setOpenId(undefined)}
          />
        )
      }
    >
      {own !== undefined && <OwnKey fingerprint={own.fingerprint} />}
      <Table
        label={t('linkedPage.title')}
        columns={columns}
        rows={data?.list}
        keyOf={({ serverId }) => serverId}
        failure={error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null}
        loading={<Spinner />}
        empty={<StatePage title={t('linkedServer.none')} text={t('linkedServer.noneMore')} />}
      />
    </ListPage>
  )
}

/** The key of this server, with what can be done when it is old or no longer secret. */
function OwnKey({ fingerprint }: { readonly fingerprint: string }): ReactNode {
  const t = useT()
  const change = async (revoke: boolean): Promise<void> => {
    const yes = await confirmBox({
      title: t(revoke ? 'linkedServer.revokeOwnTitle' : 'linkedServer.rotateTitle'),
      text: t(revoke ? 'linkedServer.revokeOwnText' : 'linkedServer.rotateText'),
      ok: t(revoke ? 'linkedServer.revokeOwnDo' : 'linkedServer.rotate').replace('…', ''),
      danger: revoke,
    })
    if (!yes) return
    try {
      await api.rotateServerKey({ revoke })
      toast({ kind: 'success', text: t('linkedServer.rotated') })
    } catch (error) {
      notifyLinked(error)
    }
    await refetchLinked()
  }
  return (
    <section className="ls-own" aria-label={t('linkedServer.own')}>
      <div>
        <b>{t('linkedServer.own')}</b>
        <code className="ls-key">{fingerprint}</code>
        <p className="k-help">{t('linkedServer.ownMore')}</p>
      </div>
      <div className="ls-tools">
        <Button size="small" onClick={() => void change(false)}>
          {t('linkedServer.rotate')}
        </Button>
        <Button size="small" kind="danger" onClick={() => void change(true)}>
          {t('linkedServer.revokeOwn')}
        </Button>
      </div>
    </section>
  )
}

function ServerState({ server }: { readonly server: Linked }): ReactNode {
  const t = useT()
  const { state } = server
  const tone = state === 'ok' ? 'success' : state === 'paused' ? 'neutral' : 'danger'
  return (
    <StatusChip tone={tone} title={causeText(server)}>
      {t(`linkedServer.state.${state}`)}
    </StatusChip>
  )
}
