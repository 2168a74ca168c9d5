// The addresses of the product ([R048]-[R060]).
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate, useSearchParams } from 'react-router'
import { useStore } from 'zustand'
import { loadChunk } from '../core/page/chunks.tsx'
import { signInByItself } from '../core/session/remembered.ts'
import { accountOfBrowser, loadSession, sessionStore } from '../core/session/session.ts'
import { WindowHost } from '../core/windows/window-host.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { Login } from '../people/index.ts'
import { ConnectionFailure } from './connection-failure.tsx'
import { homePath, leftFlag, loginAddress, loginPath, safeRedirect } from './leave.ts'

const part = <K extends string>(load: () => Promise<Record<K, () => ReactNode>>, name: K) =>
  lazy(async () => ({ default: (await loadChunk(load))[name] }))

const SignedIn = part(() => import('./signed-in.tsx'), 'SignedIn')
const Shell = part(() => import('./layout/shell.tsx'), 'Shell')
const FilesPage = part(() => import('../drive/index.ts'), 'FilesView')
const RecyclePage = part(() => import('../drive/index.ts'), 'RecycleView')
const transferPages = async () => (await import('../drive/index.ts')).loadTransferPages()
const TransferPage = part(transferPages, 'TransferPage')
const ProgressPage = part(transferPages, 'ProgressPage')
const WindowPage = part(() => import('./window-page.tsx'), 'WindowPage')
const Gallery =
  import.meta.env.MODE === 'production' ? undefined : part(() => import('../gallery/gallery.tsx'), 'Gallery')

/** Documented addresses of modules that are not there yet; each leads to the nearest place that works ([R051]-[R058]). */
const later = {
  folder: ['share/*', 'cooperate/*', 'security/*', 'recently/*', 'email'],
  else: ['/im/*', '/modal/*', '/notify/list', '/messagebox/alert', '/empty', '/watermark/*'],
} as const

/** The session that this browser holds, or one by a remembered login; who was led to the login page signs in by hand. */
async function takeUpSession(): Promise<void> {
  if (accountOfBrowser() !== undefined && (await loadSession()) !== undefined) return
  if (new URLSearchParams(location.search).has(leftFlag)) return
  if (await signInByItself()) await loadSession()
}

/** Every page, once it is known who is signed in. */
export function Pages(): ReactNode {
  const [state, setState] = useState<'starting' | 'ready' | { readonly error: unknown }>('starting')
  const start = useCallback((): void => {
    setState('starting')
    takeUpSession().then(
      () => setState('ready'),
      (error: unknown) => setState({ error }),
    )
  }, [])
  useEffect(start, [start])
  if (state === 'starting') return <Spinner />
  if (state !== 'ready') return <ConnectionFailure error={state.error} onRetry={start} />
  return (
    <Suspense fallback={<Spinner />}>
      <Routes>
        <Route path={loginPath} element={<LoginPage />} />
        <Route element={<NeedsSession />}>
          <Route path="/doc/folder" element={<Shell />}>
            <Route index element={<Navigate to={homePath} replace />} />
            <Route path="files" element={<FilesPage />} />
            <Route path="recycle" element={<RecyclePage />} />
            {later.folder.map((path) => (
              <Route key={path} path={path} element={<Navigate to={homePath} replace />} />
            ))}
            <Route path="transfer">
              <Route index element={<Navigate to="/doc/folder/transfer/doing" replace />} />
              <Route path="doing" element={<TransferPage />} />
              <Route path="done" element={<TransferPage />} />
            </Route>
          </Route>
          <Route path="/progress" element={<ProgressPage />} />
          {later.else.map((path) => (
            <Route key={path} path={path} element={<Navigate to={homePath} replace />} />
          ))}
          <Route path="/window/:name" element={<WindowPage />} />
          {Gallery && <Route path="/gallery" element={<Gallery />} />}
        </Route>
        <Route path="*" element={<Navigate to={loginPath} replace />} />
      </Routes>
    </Suspense>
  )
}

function useSignedIn(): boolean {
  return useStore(sessionStore, ({ session, ended }) => session !== undefined && !ended)
}

/** Without a session the login page comes first and leads back here ([R060]). */
function NeedsSession(): ReactNode {
  const known = useStore(sessionStore, ({ session }) => session !== undefined)
  const { pathname, search, hash } = useLocation()
  // A session that ended keeps its page until it is left, with everything that is on it.
  return known ? <SignedIn /> : <Navigate to={loginAddress(pathname + search + hash, true)} replace />
}

/** Shown only to who is not signed in ([R049]). */
function LoginPage(): ReactNode {
  const signedIn = useSignedIn()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const target = safeRedirect(query.get('redirect'))
  if (signedIn) return <Navigate to={target} replace />
  return (
    <WindowHost>
      <Login
        needed={query.get('withoutToken') === '1' && target !== homePath}
        onSignedIn={() => void navigate(target, { replace: true })}
      />
    </WindowHost>
  )
}
