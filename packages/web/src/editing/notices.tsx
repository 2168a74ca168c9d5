// How the notices of editing look.

import { nameInText } from '@cloudoc/domain'
import type { Notices } from '../core/area/area.ts'
import { type OnServer } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { Laptop20Regular } from '../kit/icons.ts'
import { waitForLock } from './locks/lock-requests.ts'
import { openToEdit } from './opening/open-to-edit.ts'

async function waitOrOpen({ serverId }: OnServer, fileId: number, fileName: string): Promise<void> {
  if (await waitForLock({ serverId, fId: fileId, fName: fileName })) await openToEdit({ serverId, fId: fileId })
}

/** Long enough to read the notice and to choose to wait. */
const rejectedMs = 20_000

export const notices = {
  driveLimit: {
    icon: () => <Laptop20Regular />,
  },
  unlockRejected: {
    group: 'unlock',
    key: ({ fileId }) => String(fileId),
    text: ({ userName, fileName, minutes = 0 }) =>
      t(minutes === 0 ? 'turn.rejected' : 'turn.rejectedFor', {
        ...{ who: userName, name: nameInText(fileName), n: minutes },
      }),
    click: {
      text: () => t('turn.wait'),
      run: ({ serverId, fileId, fileName }) => void waitOrOpen({ serverId }, fileId, fileName),
    },
    lifetimeMs: rejectedMs,
  },
} satisfies Notices
