// The windows of this area.
import { longName } from '../core/windows/crowded.ts'
import { win } from '../core/windows/index.ts'
import type { PublishClientProps } from './clients/publish-client.tsx'
import type { EditWebhookProps } from './webhooks/edit-webhook.tsx'

export const systemWindows = {
  'cloudoc-client-publish': win<PublishClientProps, boolean>({
    title: 'clientPrograms.title',
    // Sizes are ours (X79).
    size: { width: 480, height: 'auto' },
    resizable: false,
    load: () => import('./clients/publish-client.tsx').then((module) => module.PublishClient),
    sample: { item: { serverId: 0, fId: 1, fName: '云文档-6.2.0.exe' } },
    crowded: () => ({ item: { serverId: 0, fId: 1, fName: longName() } }),
  }),
  'cloudoc-webhook': win<EditWebhookProps, number>({
    title: 'webhookPage.title',
    // Sizes are ours (X79).
    size: { width: 520, height: 'auto' },
    resizable: false,
    load: () => import('./webhooks/edit-webhook.tsx').then((module) => module.EditWebhook),
    sample: { webhook: undefined },
    crowded: () => ({
      webhook: { webhookId: 1, name: longName(), address: 'https://erp.example.com/hook', topics: ['items'] },
    }),
  }),
}
