import { type ReactNode, useEffect, useState } from 'react'
import { CallError } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import { loadChunk } from '../core/page/chunks.tsx'
import { accountOfBrowser } from '../core/session/session.ts'
import { openWindow } from '../core/windows/index.ts'
import { WindowHost } from '../core/windows/window-host.tsx'
import { Button } from '../kit/button.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { loadSignedIn } from './join-areas.ts'

interface FailureProps {
  readonly error: unknown
  /** Connects again. The page continues at the requested address. */
  readonly onRetry: () => void
}

/** The window belongs to an area, and areas are joined only after sign-in. */
async function read(accountId: number, fileId: number): Promise<void> {
  await loadSignedIn()
  await openWindow('drive-kept', { accountId, fileId })
}

type Offline = Awaited<ReturnType<typeof loadOffline>>
const loadOffline = async () => (await import('./offline/offline-view.tsx')).OfflineView

/**
 * Shown when the server could not be asked for the session ([R067]): retry, offline data of this browser, or the cause.
 * On the pages for phones the offline data is shown at once.
 */
export function ConnectionFailure({ error, onRetry }: FailureProps): ReactNode {
  const t = useT()
  const [Offline, setOffline] = useState<Offline>()
  const accountId = accountOfBrowser()
  const show = (): void => void loadChunk(loadOffline).then((view) => setOffline(() => view))
  useEffect(() => {
    if (accountId !== undefined && location.pathname.startsWith('/m/')) show()
  }, [accountId])
  useEffect(() => {
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  }, [onRetry])

  return (
    <WindowHost>
      {Offline !== undefined && accountId !== undefined ? (
        <Offline accountId={accountId} onRetry={onRetry} onRead={(fileId) => void read(accountId, fileId)} />
      ) : (
        <main style={{ height: '100%' }}>
          <StatePage
            heading="h1"
            picture={<Picture />}
            title={t('app.startFailed')}
            text={t('app.startFailedMore')}
            code={error instanceof CallError ? codeOf(error) : undefined}
          >
            <Button kind="primary" autoFocus onClick={onRetry}>
              {t('app.retry')}
            </Button>
            {accountId !== undefined && <Button onClick={show}>{t('offline.title')}</Button>}
            <Button onClick={() => void openWindow('connection-diagnostics', {})}>{t('diagnostics.title')}</Button>
          </StatePage>
        </main>
      )}
    </WindowHost>
  )
}

function codeOf({ number, message }: CallError): string {
  return number === 0 ? message : `${message} (${number})`
}

/** A cloud whose cable is not plugged in. */
function Picture(): ReactNode {
  const line = { fill: 'none', stroke: 'var(--border-strong)', strokeWidth: 2, strokeLinecap: 'round' } as const
  return (
    <svg width="120" height="96" viewBox="0 0 120 96" aria-hidden="true">
      <path
        d="M38 54a16 16 0 0 1-1-32 22 22 0 0 1 42-4 18 18 0 0 1 4 36z"
        fill="var(--sunken)"
        stroke="var(--border-strong)"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path {...line} d="M60 54v10m-5 0h10v6a5 5 0 0 1-10 0z" />
      <path {...line} d="M57 84v-4m6 4v-4m-8 4h10v3a5 5 0 0 1-10 0zm5 8v3" />
      <path d="M44 76l-5 3m37-3 5 3" fill="none" stroke="var(--warning)" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
