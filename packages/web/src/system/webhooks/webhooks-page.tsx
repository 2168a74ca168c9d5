// The administration page of webhooks: to which programs changes are sent, and what became of each message.
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { WebhookDrawer } from './webhook-drawer.tsx'
import { type Webhook, webhooksKey } from './webhook-list.ts'
import './texts.ts'
import './webhooks.css'

const refreshMs = 5000

export function WebhooksPage(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [openId, setOpenId] = useState<number>()
  const { data, error, refetch } = useQuery({
    queryKey: webhooksKey,
    queryFn: () => api.getWebhooks({}),
    refetchInterval: refreshMs,
  })
  const create = async (): Promise<void> => {
    const webhookId = await openWindow('cloudoc-webhook', { webhook: undefined })
    await queryClient.invalidateQueries({ queryKey: webhooksKey })
    if (webhookId !== undefined) setOpenId(webhookId)
  }
  const columns: readonly Column<Webhook>[] = [
    { id: 'name', head: t('webhooks.name'), renderCell: ({ name }) => <TableName>{name}</TableName> },
    { id: 'address', head: t('webhooks.address'), renderCell: ({ address }) => address },
    { id: 'owner', head: t('webhooks.owner'), renderCell: ({ ownerName }) => ownerName },
    { id: 'state', head: t('webhooks.state'), renderCell: (one) => <WebhookState webhook={one} /> },
    {
      id: 'queue',
      head: t('webhooks.queue'),
      align: 'number',
      renderCell: ({ waiting }) => waiting.toLocaleString(locale),
    },
    { id: 'dead', head: t('webhooks.dead'), align: 'number', renderCell: ({ dead }) => dead.toLocaleString(locale) },
    {
      id: 'delivered',
      head: t('webhooks.delivered'),
      renderCell: ({ deliveredTime }) => (deliveredTime === 0 ? t('webhooks.never') : fullTime(deliveredTime)),
    },
    {
      id: 'actions',
      head: t('webhooks.open'),
      isHeadHidden: true,
      renderCell: ({ webhookId, name }) => (
        <Button size="small" aria-label={t('webhooks.openOf', { name })} onClick={() => setOpenId(webhookId)}>
          {t('webhooks.open')}
        </Button>
      ),
    },
  ]
  const opened = data?.list.find(({ webhookId }) => webhookId === openId)
  return (
    <ListPage
      title={t('webhookPage.title')}
      note={data && t('webhooks.note', { n: data.list.length, position: data.position })}
      tools={
        <Button kind="primary" onClick={() => void create()}>
          {t('webhooks.create')}
        </Button>
      }
      side={
        opened &&
        data && (
          <WebhookDrawer
            key={opened.webhookId}
            webhook={opened}
            oldest={data.oldest}
            close={() => setOpenId(undefined)}
          />
        )
      }
    >
      <Table
        label={t('webhookPage.title')}
        columns={columns}
        rows={data?.list}
        keyOf={({ webhookId }) => webhookId}
        failure={error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null}
        loading={<Spinner />}
        empty={<StatePage title={t('webhooks.none')} text={t('webhooks.noneMore')} />}
      />
    </ListPage>
  )
}

/** Whether messages arrive, and why not. */
function WebhookState({ webhook: { state, problem } }: { readonly webhook: Webhook }): ReactNode {
  const t = useT()
  const why = problem === 'owner' ? t('webhooks.problem.owner') : problem
  if (state === 'paused') return <StatusChip title={why}>{t('webhooks.state.paused')}</StatusChip>
  if (problem === '') return <StatusChip tone="success">{t('webhooks.state.active')}</StatusChip>
  return (
    <StatusChip tone="danger" title={why}>
      {t('webhooks.state.failing')}
    </StatusChip>
  )
}
