// The drawer of a webhook: its messages and what can be done with them.
import type { Answer, calls } from '@cloudoc/contract'
import { deliveryStates, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { type Webhook, webhooksKey } from './webhook-list.ts'

type Delivery = Answer<typeof calls.getWebhookDeliveries>['list'][number]
type Shown = 'all' | Delivery['state']

const toneOf = { waiting: 'warning', delivered: 'success', dead: 'danger' } as const
const atOnce = 100
const refreshMs = 3000

interface DrawerProps {
  readonly webhook: Webhook
  /** The lowest position that can be replayed. */
  readonly oldest: number
  readonly close: () => void
}

export function WebhookDrawer({ webhook, oldest, close }: DrawerProps): ReactNode {
  const t = useT()
  const { webhookId, name, state, isOwn, waiting, dead } = webhook
  const [shows, setShows] = useState<Shown>('all')
  const after = async (work: Promise<unknown>): Promise<void> => {
    await work
    await queryClient.invalidateQueries({ queryKey: webhooksKey })
  }
  const test = async (): Promise<void> => {
    await after(api.testWebhook({ webhookId }))
    toast({ kind: 'success', text: t('webhooks.tested') })
  }
  const renew = async (): Promise<void> => {
    if (!(await confirmBox({ text: t('webhooks.renewAsk', { name }), ok: t('webhooks.renew') }))) return
    const { secret } = await api.renewWebhookSecret({ webhookId })
    await openWindow('cloudoc-webhook', { webhook: { ...webhook, secret } })
  }
  const remove = async (): Promise<void> => {
    const text = t('webhooks.removeAsk', { name, n: waiting + dead })
    if (!(await confirmBox({ text, ok: t('webhooks.remove'), danger: true }))) return
    await after(api.deleteWebhook({ webhookId }))
    close()
  }
  const retry = async (deliveryIds: number[]): Promise<void> => {
    const { retried } = await api.retryWebhookDeliveries({ webhookId, deliveryIds })
    await after(Promise.resolve())
    toast({ kind: 'success', text: t('webhooks.retried', { n: retried.length }) })
  }
  return (
    <aside className="wh-drawer" aria-label={name}>
      <header>
        <b>{name}</b>
        <Button size="small" onClick={close}>
          {t('webhooks.close')}
        </Button>
      </header>
      <div className="wh-tools">
        <Button size="small" onClick={() => void test()}>
          {t('webhooks.test')}
        </Button>
        <Button size="small" onClick={() => void after(api.pauseWebhook({ webhookId, paused: state === 'active' }))}>
          {t(state === 'active' ? 'webhooks.pause' : 'webhooks.resume')}
        </Button>
        {isOwn && (
          <>
            <Button size="small" onClick={() => void after(openWindow('cloudoc-webhook', { webhook }))}>
              {t('webhooks.edit')}
            </Button>
            <Button size="small" onClick={() => void renew()}>
              {t('webhooks.renew')}
            </Button>
          </>
        )}
        <Button size="small" kind="danger" onClick={() => void remove()}>
          {t('webhooks.remove')}
        </Button>
      </div>
      <div className="wh-tools">
        <Select
          size="small"
          label={t('webhooks.deliveries')}
          value={shows}
          options={(['all', ...deliveryStates] as const).map((value) => ({
            value,
            label: t(`webhooks.deliveryState.${value}`),
          }))}
          onChange={setShows}
        />
        {dead > 0 && (
          <Button size="small" onClick={() => void retry([])}>
            {t('webhooks.retryAll')}
          </Button>
        )}
      </div>
      <Deliveries webhookId={webhookId} shows={shows} retry={(id) => void retry([id])} />
      {isOwn && <Replay webhookId={webhookId} oldest={oldest} />}
    </aside>
  )
}

function Replay({ webhookId, oldest }: { readonly webhookId: number; readonly oldest: number }): ReactNode {
  const t = useT()
  const [position, setPosition] = useState('')
  const replay = async (): Promise<void> => {
    await api.replayWebhook({ webhookId, position: Number(position) })
    await queryClient.invalidateQueries({ queryKey: webhooksKey })
    toast({ kind: 'success', text: t('webhooks.replayed', { position }) })
  }
  return (
    <div className="wh-replay">
      <TextField
        label={t('webhooks.replayFrom')}
        help={t('webhooks.replayHelp', { oldest })}
        inputMode="numeric"
        maxLength={15}
        value={position}
        onChange={({ target }) => setPosition(target.value.replace(/\D/g, ''))}
      />
      <Button size="small" disabled={position === ''} onClick={() => void replay()}>
        {t('webhooks.replay')}
      </Button>
    </div>
  )
}

interface DeliveriesProps {
  readonly webhookId: number
  readonly shows: Shown
  readonly retry: (deliveryId: number) => void
}

function Deliveries({ webhookId, shows, retry }: DeliveriesProps): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({
    queryKey: [...webhooksKey, webhookId, shows],
    queryFn: () => api.getWebhookDeliveries({ webhookId, rows: atOnce, ...(shows === 'all' ? {} : { state: shows }) }),
    refetchInterval: refreshMs,
  })
  if (data === undefined) return error === null ? <Spinner /> : <LoadFailure error={error} retry={refetch} />
  if (data.list.length === 0) return <p className="wh-none">{t('webhooks.noDeliveries')}</p>
  return (
    <ul className="wh-list" aria-label={t('webhooks.deliveries')}>
      {data.list.map(({ deliveryId, name, position, state, attempts, createTime, dueTime, status, problem }) => (
        <li key={deliveryId}>
          <span className="wh-line">
            <b>{name}</b>
            <StatusChip tone={toneOf[state]}>{t(`webhooks.deliveryState.${state}`)}</StatusChip>
            {state === 'dead' && (
              <Button size="small" aria-label={t('webhooks.retryOf', { position })} onClick={() => retry(deliveryId)}>
                {t('webhooks.retry')}
              </Button>
            )}
          </span>
          <small>
            {[
              `${t('webhooks.position')} ${position}`,
              fullTime(createTime),
              attempts > 0 && `${t('webhooks.attempts')} ${attempts}`,
              (problem !== '' || status > 0) &&
                `${t('webhooks.answer')} ${problem === '' ? `HTTP ${status}` : problem}`,
              state === 'waiting' && attempts > 0 && t('webhooks.next', { when: fullTime(dueTime) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </small>
        </li>
      ))}
    </ul>
  )
}
