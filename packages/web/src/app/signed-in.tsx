// What the page loads after sign-in: the areas with their pages, and the data from the server. Loaded separately, to
// keep the login page small.
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router'
import { type AreaRoute, areas } from '../core/area/area.ts'
import { addCallShapes, setAnswerListener } from '../core/call/api.ts'
import { shapes } from '../core/call/catalogue-rest.ts'
import { queryClient } from '../core/call/query.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { useNavigationHistory } from '../core/page/navigation-history.ts'
import { mayUse, useSession } from '../core/session/session.ts'
import { WindowHost } from '../core/windows/window-host.tsx'
import { emptyPath, plannedFramePages } from './addresses.ts'
import { homePath, loginPath, recordLastPath } from './login-redirect.ts'
import { ModuleNotAvailable, ModuleNotPermitted, ModuleOff } from './module-unavailable.tsx'
import { forgetVisitedFoldersOfOthers, recordAnswer } from './offline/visited-folders.ts'

export { openChannel } from './push-channel.ts'

addCallShapes(shapes)

const Shell = lazyPage(() => import('./layout/shell.tsx'), 'Shell')
const MessagePage = lazyPage(() => import('./message-page.tsx'), 'MessagePage')
const WindowPage = lazyPage(() => import('./window-page.tsx'), 'WindowPage')
const Gallery =
  import.meta.env.MODE === 'production' ? undefined : lazyPage(() => import('../gallery/gallery.tsx'), 'Gallery')

/** All pages that need a session, with the elements around them. */
export function SignedIn(): ReactNode {
  const { account, permission } = useSession()
  const { userId, accountId } = account
  const go = useNavigate()
  useNavigationHistory()
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (pathname.startsWith('/doc/folder/')) recordLastPath(accountId, pathname + search)
  }, [accountId, pathname, search])
  const navigate = useEffectEvent((path: string): void => void go(path))
  useEffect(() => {
    void forgetVisitedFoldersOfOthers(accountId)
    setAnswerListener((name, input, data) => void recordAnswer(accountId, name, input, data))
  }, [accountId])
  useEffect(() => {
    const stops = areas().map(({ start }) => start?.({ userId, accountId, navigate: (path) => navigate(path) }))
    return () => {
      for (const stop of stops) stop?.()
    }
  }, [userId, accountId])
  const routes = [
    ...areas().flatMap((area) => area.routes ?? []),
    ...areas(false)
      .flatMap(({ routes: off = [] }) => off)
      .map((route) => ({ ...route, page: ModuleOff })),
  ]
  const isAlone = ({ path, framed }: AreaRoute): boolean => path.startsWith('/') && !framed
  const asRoute = ({ path, page: Page, needs }: AreaRoute): ReactNode => (
    <Route key={path} path={path} element={mayUse(permission, needs) ? <Page /> : <ModuleNotPermitted />} />
  )
  const notYet = (path: string): ReactNode => <Route key={path} path={path} element={<ModuleNotAvailable />} />
  return (
    <QueryClientProvider client={queryClient}>
      <WindowHost>
        <Routes>
          <Route element={<Shell />}>
            <Route path="/doc/folder">
              <Route index element={<Navigate to={homePath} replace />} />
              {routes.filter((route) => !route.path.startsWith('/')).map(asRoute)}
              {plannedFramePages.map(notYet)}
            </Route>
            {routes.filter(({ framed }) => framed).map(asRoute)}
          </Route>
          {routes.filter(isAlone).map(asRoute)}
          <Route path="/messagebox/alert" element={<MessagePage />} />
          <Route path={emptyPath} element={null} />
          <Route path="/window/:name" element={<WindowPage />} />
          <Route path="/modal/:name" element={<WindowPage />} />
          {Gallery && <Route path="/gallery" element={<Gallery />} />}
          <Route path="*" element={<Navigate to={loginPath} replace />} />
        </Routes>
      </WindowHost>
    </QueryClientProvider>
  )
}
