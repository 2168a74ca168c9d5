// The windows of this area.
import { win } from '../core/windows/index.ts'
import type { TransferDetailProps } from './screens/transfer-detail.tsx'

export const transferWindows = {
  'web-transfer-detail': win<TransferDetailProps>({
    title: 'drive.transfer.detail',
    load: () => import('./screens/transfer-detail.tsx').then((module) => module.TransferDetail),
    fromQuery: (query) => ({ taskId: Number(query.get('taskId')) }),
    sample: { taskId: 1 },
  }),
}
