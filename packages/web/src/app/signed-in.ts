// What the page takes up once somebody is signed in: the drive's windows and the push channel.
import { ClientType } from '@cloudoc/domain'
import { api } from '../core/api.ts'
import { type Channel, createChannel, pushUrl } from '../core/push-client.ts'
import type { Session } from '../core/session.ts'
import { refreshDrive } from '../drive/index.ts'
import { pushHandlers } from './pushes.ts'
import './windows.ts'

/** The push channel of this session. */
export function channelOf({ account }: Session): Channel {
  return createChannel({
    url: pushUrl(),
    accountId: account.accountId,
    handlers: pushHandlers,
    context: undefined,
    refetch: refreshDrive,
    confirm: (list) => api.confirmMsg({ clientType: ClientType.web, list }),
  })
}
