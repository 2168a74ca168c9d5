// What the page takes up once somebody is signed in: what is read from the server, the drive's windows and texts, the push
// channel. Loaded apart, so that the login page stays light.
import { ClientType, codes, codeText } from '@cloudoc/domain'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Outlet, useNavigate } from 'react-router'
import { api, hearAnswers } from '../core/call/api.ts'
import { queryClient } from '../core/call/query.ts'
import { currentLocale, t } from '../core/i18n/i18n.ts'
import { useNavigationHistory } from '../core/page/navigation-history.ts'
import { connectionStore, reachServer } from '../core/push/connection.ts'
import { type Channel, createChannel, pushUrl } from '../core/push/push-client.ts'
import { keepOpen } from '../core/push/reconnect.ts'
import { type Session, useSession } from '../core/session/session.ts'
import { toast } from '../core/toast/toast.ts'
import { WindowHost } from '../core/windows/window-host.tsx'
import { folderPath, refreshDrive, retryFailed, shareClipboard, startTransfers } from '../drive/index.ts'
import { noteAnswer } from './offline/seen.ts'
import { pushHandlers } from './pushes.ts'
import './windows.ts'

/** Around every page that needs a session. */
export function SignedIn(): ReactNode {
  const { userId, accountId } = useSession().account
  const navigate = useNavigate()
  useNavigationHistory()
  const toFolder = useEffectEvent((folderId: number): void => void navigate(folderPath(folderId)))
  useEffect(() => shareClipboard(userId), [userId])
  useEffect(() => hearAnswers((name, input, data) => void noteAnswer(accountId, name, input, data)), [accountId])
  useEffect(
    () =>
      connectionStore.subscribe((now, before) => {
        if ((now.reached && !before.reached) || now.caughtUp > before.caughtUp) retryFailed()
      }),
    [],
  )
  useEffect(() => startTransfers(accountId, (folderId) => toFolder(folderId)), [accountId])
  return (
    <QueryClientProvider client={queryClient}>
      <WindowHost>
        <Outlet />
      </WindowHost>
    </QueryClientProvider>
  )
}

/** Opens the push channel of this session, and keeps it open until it is closed. */
export function openChannel({ account }: Session): Channel {
  const channel = createChannel({
    url: pushUrl(),
    accountId: account.accountId,
    handlers: pushHandlers,
    context: undefined,
    refetch: refreshDrive,
    refused,
    confirm: (list) => api.confirmMsg({ clientType: ClientType.web, list }),
  })
  const leave = keepOpen(channel, reachServer)
  channel.open()
  return {
    ...channel,
    close() {
      leave()
      channel.close()
    },
  }
}

/**
 * The server refused the channel (X46). A session that is over is asked for by the next call or by a click in the status
 * bar, never in the middle of a drag or a name; anything else is told.
 */
function refused(code: number): void {
  if (code !== codes.notLoggedIn.code) {
    toast({ kind: 'error', text: t('app.channel.refusedWhy', { reason: codeText(code, currentLocale()) }) })
  }
}
