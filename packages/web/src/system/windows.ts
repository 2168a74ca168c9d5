// The windows of this area.
import { longName } from '../core/windows/crowded.ts'
import { win } from '../core/windows/index.ts'
import type { PublishClientProps } from './clients/publish-client.tsx'

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
}
