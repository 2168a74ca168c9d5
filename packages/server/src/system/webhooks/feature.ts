// Feature: webhooks, by which other programs of the company learn of changes.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { enqueueDeliveries, readerName } from './enqueue.ts'
import { webhookHandlers } from './index.ts'
import { createSender, removeOldDeliveries } from './send.ts'
import { webhookTables } from './tables.ts'
import { webhookKinds } from './views.ts'

const sendEveryMs = 1000
const removeEveryMs = 60 * 60_000

export const webhooks = feature({
  wire: features.webhooks,
  tables: webhookTables,
  open: (services) => {
    const send = createSender(services)
    return {
      handlers: webhookHandlers(services),
      readers: [
        {
          name: readerName,
          kinds: webhookKinds,
          async read(tx, events, now) {
            await enqueueDeliveries(services, tx, events, now)
            return []
          },
        },
      ],
      chores: [
        { name: 'deliveries of webhooks', everyMs: sendEveryMs, run: async (signal) => void (await send(signal)) },
        {
          name: 'old deliveries of webhooks',
          everyMs: removeEveryMs,
          run: () => removeOldDeliveries(services.db, services.now()),
        },
      ],
      gauges: [
        {
          name: 'cloudoc_webhook_deliveries',
          help: 'Deliveries of webhooks that wait or were given up.',
          labels: ['state'],
          async read() {
            const rows = await services.db
              .selectFrom('webhook_delivery')
              .select((eb) => ['state', eb.fn.countAll<number>().as('n')])
              .where('state', 'in', ['waiting', 'dead'])
              .groupBy('state')
              .execute()
            return rows.map(({ state, n }) => ({ labels: { state }, value: n }))
          },
        },
      ],
    }
  },
})
