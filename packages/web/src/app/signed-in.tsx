// What the page takes up once somebody is signed in: what is read from the server, the drive's windows and texts, the push
// channel. Loaded apart, so that the login page stays light.
import { ClientType } from '@cloudoc/domain'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Outlet, useNavigate } from 'react-router'
import { api, hearAnswers } from '../core/api.ts'
import { type Channel, createChannel, pushUrl, reopenOnEvents } from '../core/push-client.ts'
import { queryClient } from '../core/query.ts'
import { type Session, useSession } from '../core/session.ts'
import { WindowHost } from '../core/window-manager/window-host.tsx'
import { folderPath, refreshDrive, shareClipboard, startTransfers } from '../drive/index.ts'
import { noteAnswer } from './offline/seen.ts'
import { pushHandlers } from './pushes.ts'
import './windows.ts'

/** Around every page that needs a session. */
export function SignedIn(): ReactNode {
  const { userId, accountId } = useSession().account
  const navigate = useNavigate()
  const toFolder = useEffectEvent((folderId: number): void => void navigate(folderPath(folderId)))
  useEffect(() => shareClipboard(userId), [userId])
  useEffect(() => hearAnswers((name, input, data) => void noteAnswer(accountId, name, input, data)), [accountId])
  useEffect(() => startTransfers(accountId, (folderId) => toFolder(folderId)), [accountId])
  return (
    <QueryClientProvider client={queryClient}>
      <WindowHost>
        <Outlet />
      </WindowHost>
    </QueryClientProvider>
  )
}

/** Opens the push channel of this session. */
export function openChannel({ account }: Session): Channel {
  const channel = createChannel({
    url: pushUrl(),
    accountId: account.accountId,
    handlers: pushHandlers,
    context: undefined,
    refetch: refreshDrive,
    confirm: (list) => api.confirmMsg({ clientType: ClientType.web, list }),
  })
  channel.open()
  reopenOnEvents(channel)
  return channel
}
