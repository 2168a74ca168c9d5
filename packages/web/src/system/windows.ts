// The windows of this area.
import { longName } from '../core/windows/crowded.ts'
import { win } from '../core/windows/index.ts'
import type { EditAnnouncementProps } from './announcements/edit-announcement.tsx'
import type { PublishClientProps } from './clients/publish-client.tsx'
import type { EditServerProps } from './servers/edit-server.tsx'
import type { EditWebhookProps } from './webhooks/edit-webhook.tsx'

export const systemWindows = {
  'cloudoc-announcement': win<EditAnnouncementProps, number>({
    title: 'announcePage.title',
    // Sizes are ours (X79).
    size: { width: 560, height: 'auto' },
    resizable: false,
    load: () => import('./announcements/edit-announcement.tsx').then((module) => module.EditAnnouncement),
    sample: { announcement: undefined },
    crowded: () => ({
      announcement: {
        announcementId: 1,
        title: longName(),
        text: longName(),
        kind: 'rule',
        asksReading: true,
        state: 'scheduled',
        startTime: Date.UTC(2030, 1, 1),
        endTime: Date.UTC(2030, 1, 2),
        groups: [{ groupId: 1, groupName: longName() }],
      },
    }),
  }),
  'cloudoc-client-publish': win<PublishClientProps, boolean>({
    title: 'clientPrograms.title',
    // Sizes are ours (X79).
    size: { width: 480, height: 'auto' },
    resizable: false,
    load: () => import('./clients/publish-client.tsx').then((module) => module.PublishClient),
    sample: { item: { serverId: 0, fId: 1, fName: '云文档-6.2.0.exe' } },
    crowded: () => ({ item: { serverId: 0, fId: 1, fName: longName() } }),
  }),
  'cloudoc-linked-server': win<EditServerProps, number>({
    title: 'linkedPage.title',
    // Sizes are ours (X79).
    size: { width: 560, height: 'auto' },
    resizable: false,
    load: () => import('./servers/edit-server.tsx').then((module) => module.EditServer),
    sample: { server: undefined, ownKey: 'A1B2 C3D4' },
    crowded: () => ({
      server: {
        ...{ serverId: 1, serverName: longName(), apiHost: 'https://branch.example.com', serverCode: 'sz' },
        ...{ bestServer: '', admits: true, visits: true, sameNames: true, checkedWith: longName() },
        keys: [{ publicKey: 'k', fingerprint: 'A1B2 C3D4', since: 0, state: 'current' }],
      },
      ownKey: 'A1B2 C3D4',
    }),
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
