// The addresses of the product ([R048]-[R060]).
import { limits } from '@cloudoc/domain'
import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate, useSearchParams } from 'react-router'
import { useStore } from 'zustand'
import { lazyPage } from '../core/page/chunks.tsx'
import { signInAutomatically } from '../core/session/remembered-logins.ts'
import { accountOfBrowser, loadSession, sessionStore } from '../core/session/session.ts'
import { BarOverPage } from '../core/windows/own-bar.tsx'
import { WindowHost } from '../core/windows/window-host.tsx'
import { Spinner } from '../kit/spinner.tsx'
import {
  Activate,
  activatePath,
  BindingResult,
  bindingResultPath,
  FindPassword,
  findPasswordPath,
  Login,
  LoginToWeb,
  loginToWebPath,
  PhoneTrail,
  phoneTrailPath,
  QrConfirm,
  QrLogin,
  qrLoginPath,
  SetPassword,
  SignInReturn,
  SmsLogin,
  setPasswordPath,
  signInReturnPath,
  smsLoginPath,
} from '../people/area.ts'
import { needsSession } from './addresses.ts'
import { ConnectionFailure } from './connection-failure.tsx'
import { loadSignedIn } from './join-areas.ts'
import {
  accountParam,
  homePath,
  loginAddress,
  loginOf,
  loginPath,
  manualLoginParam,
  safeRedirect,
  startPath,
} from './login-redirect.ts'
import { maintenanceStore } from './maintenance-store.ts'

const SignedIn = lazyPage(loadSignedIn, 'SignedIn')
const MaintenancePage = lazyPage(() => import('./maintenance-page.tsx'), 'MaintenancePage')
const SignFromEmail = lazyPage(async () => (await import('../signing/index.ts')).loadSignFromEmail(), 'SignFromEmail')

/**
 * Restores the session of this browser, or signs in with a remembered login. If the user was led to the login page, no
 * automatic sign-in happens.
 */
async function takeUpSession(): Promise<void> {
  if (accountOfBrowser() !== undefined && (await loadSession()) !== undefined) return
  if (new URLSearchParams(location.search).has(manualLoginParam)) return
  if (await signInAutomatically()) await loadSession()
}

/** All pages, shown once it is known who is signed in. */
export function Pages(): ReactNode {
  const [state, setState] = useState<'starting' | 'ready' | { readonly error: unknown }>('starting')
  const message = useStore(maintenanceStore, ({ message: said }) => said)
  const start = useCallback((): void => {
    setState('starting')
    takeUpSession().then(
      () => setState('ready'),
      (error: unknown) => setState({ error }),
    )
  }, [])
  useEffect(start, [start])
  if (message !== undefined && !new URLSearchParams(location.search).has(manualLoginParam))
    return (
      <Suspense fallback={<Spinner />}>
        <MaintenancePage />
      </Suspense>
    )
  if (state === 'starting') return <Spinner />
  if (state !== 'ready') return <ConnectionFailure error={state.error} onRetry={start} />
  return (
    <Suspense fallback={<Spinner />}>
      <BarOverPage />
      <Routes>
        <Route path={loginPath} element={<LoginPage />} />
        <Route path={activatePath} element={<Activate />} />
        <Route path={setPasswordPath} element={<SetPasswordPage />} />
        <Route path={findPasswordPath} element={<FindPassword />} />
        <Route path={qrLoginPath} element={<QrPage />} />
        <Route path={smsLoginPath} element={<SignInPage page={<SmsLogin />} />} />
        <Route path={phoneTrailPath} element={<SignInPage page={<PhoneTrail />} />} />
        <Route path={`${signInReturnPath}/:providerId`} element={<SignInReturn />} />
        <Route path="/doc/sign-from-email" element={<SignFromEmail />} />
        <Route path={bindingResultPath} element={<BindingResult />} />
        {/* Passes whoever is signed in: it replaces their session ([R022]). */}
        <Route path={loginToWebPath} element={<LoginToWeb />} />
        <Route path="/*" element={<NeedsSession />} />
      </Routes>
    </Suspense>
  )
}

function useSignedIn(): boolean {
  return useStore(sessionStore, ({ session, ended }) => session !== undefined && !ended)
}

/**
 * Without a session the login page comes first and leads back to this address ([R060]), unless the address is unknown
 * ([R059]).
 */
function NeedsSession(): ReactNode {
  const known = useStore(sessionStore, ({ session }) => session !== undefined)
  const { pathname, search, hash } = useLocation()
  // When a session ends, its page stays with all its state until the user leaves it.
  if (known) return <SignedIn />
  const back = needsSession(pathname) ? loginAddress(pathname + search + hash, true) : loginPath
  return <Navigate to={back} replace />
}

/**
 * For any visitor with a code, signed in or not ([R024]). Then the login page follows, because the existing session may
 * have ended.
 */
function SetPasswordPage(): ReactNode {
  return (
    <WindowHost>
      <SetPassword
        onDone={(account) => setTimeout(() => location.assign(loginOf(account)), limits.redirectDelayMs / 2)}
      />
    </WindowHost>
  )
}

/** A page on which people sign in another way; whoever is signed in has nothing to do there. */
function SignInPage({ page }: { readonly page: ReactNode }): ReactNode {
  return useSignedIn() ? <Navigate to={homePath} replace /> : page
}

/** Shows a QR code to sign in with or, to a signed-in device that has scanned one, asks whether to confirm it ([R018]). */
function QrPage(): ReactNode {
  const signedIn = useSignedIn()
  const { pathname, search } = useLocation()
  const [query] = useSearchParams()
  const code = query.get('code')
  if (code === null) return <SignInPage page={<QrLogin />} />
  return signedIn ? <QrConfirm code={code} /> : <Navigate to={loginAddress(pathname + search, true)} replace />
}

/** The first page after sign-in, on the path to `target`. */
function firstPage(target: string): string {
  const { session } = sessionStore.getState()
  const page = target === homePath ? startPath(session?.account.accountId) : target
  // If profile details are missing, that page asks for them; otherwise it continues at once ([R025]).
  const asks = session?.serverSetting.ask_profile === true && !session.permission.isGuest
  return asks ? `/doc/improve-information?${new URLSearchParams({ redirect: page })}` : page
}

/** Shown only if no user is signed in ([R049]). */
function LoginPage(): ReactNode {
  const signedIn = useSignedIn()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const target = safeRedirect(query.get('redirect'))
  if (signedIn) return <Navigate to={firstPage(target)} replace />
  return (
    <WindowHost>
      <Login
        account={query.get(accountParam) ?? undefined}
        needed={query.get('withoutToken') === '1' && target !== homePath}
        onSignedIn={() => void navigate(firstPage(target), { replace: true })}
      />
    </WindowHost>
  )
}
