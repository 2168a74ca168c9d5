// The addresses of the product ([R048]-[R060]).
import { limits } from '@cloudoc/domain'
import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate, useSearchParams } from 'react-router'
import { useStore } from 'zustand'
import { lazyPage } from '../core/page/chunks.tsx'
import { signInAutomatically } from '../core/session/remembered-logins.ts'
import { accountOfBrowser, loadSession, sessionStore } from '../core/session/session.ts'
import { WindowHost } from '../core/windows/window-host.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { FindPassword, findPasswordPath, Login, SetPassword, setPasswordPath } from '../people/area.ts'
import { needsSession } from './addresses.ts'
import { ConnectionFailure } from './connection-failure.tsx'
import { loadSignedIn } from './join-areas.ts'
import { homePath, loginAddress, loginPath, manualLoginParam, safeRedirect, startPath } from './login-redirect.ts'

const SignedIn = lazyPage(loadSignedIn, 'SignedIn')

/** The session that this browser holds, or one by a remembered login; who was led to the login page signs in by hand. */
async function takeUpSession(): Promise<void> {
  if (accountOfBrowser() !== undefined && (await loadSession()) !== undefined) return
  if (new URLSearchParams(location.search).has(manualLoginParam)) return
  if (await signInAutomatically()) await loadSession()
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
        <Route path={setPasswordPath} element={<SetPasswordPage />} />
        <Route path={findPasswordPath} element={<FindPassword />} />
        <Route path="/*" element={<NeedsSession />} />
      </Routes>
    </Suspense>
  )
}

function useSignedIn(): boolean {
  return useStore(sessionStore, ({ session, ended }) => session !== undefined && !ended)
}

/** Without a session the login page comes first and leads back here ([R060]), unless nobody knows the address ([R059]). */
function NeedsSession(): ReactNode {
  const known = useStore(sessionStore, ({ session }) => session !== undefined)
  const { pathname, search, hash } = useLocation()
  // A session that ended keeps its page until it is left, with everything that is on it.
  if (known) return <SignedIn />
  const back = needsSession(pathname) ? loginAddress(pathname + search + hash, true) : loginPath
  return <Navigate to={back} replace />
}

/** Whoever has a code, signed in or not ([R024]); then the login page, for the session that was here may have ended. */
function SetPasswordPage(): ReactNode {
  return (
    <WindowHost>
      <SetPassword onDone={() => setTimeout(() => location.assign(loginPath), limits.redirectDelayMs / 2)} />
    </WindowHost>
  )
}

/** Where somebody who has signed in begins, on the way to `target`. */
function firstPage(target: string): string {
  const { session } = sessionStore.getState()
  const page = target === homePath ? startPath(session?.account.accountId) : target
  // Whoever lacks something of their profile is asked there; everybody else goes on at once ([R025]).
  const asks = session?.serverSetting.ask_profile === true && !session.permission.isGuest
  return asks ? `/doc/improve-information?${new URLSearchParams({ redirect: page })}` : page
}

/** Shown only to who is not signed in ([R049]). */
function LoginPage(): ReactNode {
  const signedIn = useSignedIn()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const target = safeRedirect(query.get('redirect'))
  if (signedIn) return <Navigate to={firstPage(target)} replace />
  return (
    <WindowHost>
      <Login
        needed={query.get('withoutToken') === '1' && target !== homePath}
        onSignedIn={() => void navigate(firstPage(target), { replace: true })}
      />
    </WindowHost>
  )
}
