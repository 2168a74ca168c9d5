// The administration page of legal holds: what the company keeps whatever happens, for the auditor.
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Add16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { HoldDrawer } from './hold-drawer.tsx'
import { type Hold, holdsKey } from './hold-list.ts'
import './texts.ts'
import './holds.css'

export function HoldsPage(): ReactNode {
  const t = useT()
  const [openId, setOpenId] = useState<number>()
  const { data, error, refetch } = useQuery({ queryKey: holdsKey, queryFn: () => api.getHolds({}) })
  const place = async (): Promise<void> => {
    const holdId = await openWindow('cloudoc-hold', {})
    if (holdId === undefined) return
    await queryClient.invalidateQueries({ queryKey: holdsKey })
    setOpenId(holdId)
  }
  const columns: readonly Column<Hold>[] = [
    {
      id: 'name',
      head: t('holds.name'),
      renderCell: ({ name, number }) => <TableName note={number}>{name}</TableName>,
    },
    { id: 'started', head: t('holds.started'), renderCell: ({ createTime }) => fullTime(createTime) },
    // The drawer names the creator too, and needs the space.
    ...(openId === undefined
      ? [{ id: 'creator', head: t('holds.creator'), renderCell: ({ creatorName }: Hold) => creatorName }]
      : []),
    {
      id: 'scope',
      head: t('holds.scope'),
      renderCell: ({ people, places }) => t('holds.scopeOf', { people, places }),
    },
    {
      id: 'state',
      head: t('holds.state'),
      renderCell: ({ liftTime }) =>
        liftTime === 0 ? (
          <StatusChip tone="danger">{t('holds.inForce')}</StatusChip>
        ) : (
          <StatusChip>{t('holds.lifted')}</StatusChip>
        ),
    },
    {
      id: 'actions',
      head: t('holds.open'),
      isHeadHidden: true,
      renderCell: ({ holdId, name }) => (
        <Button size="small" aria-label={t('holds.openOf', { name })} onClick={() => setOpenId(holdId)}>
          {t('holds.open')}
        </Button>
      ),
    },
  ]
  const opened = data?.list.find(({ holdId }) => holdId === openId)
  return (
    <ListPage
      title={t('holdPage.title')}
      note={data && t('holds.note', { n: data.list.filter(({ liftTime }) => liftTime === 0).length })}
      tools={
        <Button kind="primary" icon={<Add16Regular />} onClick={() => void place()}>
          {t('holds.place')}
        </Button>
      }
      side={opened && <HoldDrawer key={opened.holdId} hold={opened} close={() => setOpenId(undefined)} />}
    >
      <Table
        label={t('holdPage.title')}
        columns={columns}
        rows={data?.list}
        keyOf={({ holdId }) => holdId}
        failure={error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null}
        loading={<Spinner />}
        empty={<StatePage title={t('holds.none')} text={t('holds.noneMore')} />}
      />
    </ListPage>
  )
}
