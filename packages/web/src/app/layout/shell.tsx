// The frame of the main window: title bar, rail, folder tree, the page, status bar.

import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { Link, Outlet, useLocation, useNavigate } from 'react-router'
import { useStore } from 'zustand'
import { areas, type FrameParts } from '../../core/area/area.ts'
import { openInMain } from '../../core/bridge/desktop.ts'
import { windowBridge } from '../../core/bridge/window-bridge.ts'
import { companyName } from '../../core/i18n/company.ts'
import { setLocale, useT } from '../../core/i18n/i18n.ts'
import { useCommands } from '../../core/menu/commands.ts'
import { useUnread } from '../../core/notices/unread.ts'
import { Boundary } from '../../core/page/boundary.tsx'
import { statusStore } from '../../core/page/status.ts'
import { mayUse, useSession } from '../../core/session/session.ts'
import { setSkin, skins } from '../../core/theme/theme.ts'
import { openWindow } from '../../core/windows/index.ts'
import { OwnButtons } from '../../core/windows/own-bar.tsx'
import { IconButton } from '../../kit/button.tsx'
import { Navigation20Regular } from '../../kit/icons.ts'
import { answerHelpKey } from '../help/help-key.ts'
import { AccountButton } from './account-button.tsx'
import { Connection, OfflineStrip } from './connection.tsx'
import { TreeColumn } from './tree-column.tsx'
import './shell.css'

/** Same breakpoint as in shell.css: the rail shows icons only. */
const narrowPage = window.matchMedia('(max-width: 1199px)')
const onNarrow = (changed: () => void): (() => void) => {
  narrowPage.addEventListener('change', changed)
  return () => narrowPage.removeEventListener('change', changed)
}

/** The parts of the areas at one position of the frame. */
function Parts({ of: position }: { readonly of: keyof FrameParts }): ReactNode {
  return areas().map(({ frame }, i) => {
    const Part = frame?.[position]
    // Areas stay in their order.
    return Part && <Part key={i} />
  })
}

const isOfChat = (pathname: string): boolean => /^\/(doc\/)?im(?:[/-]|$)/.test(pathname)

/** The frame around the pages of the folder module. */
export function Shell(): ReactNode {
  const t = useT()
  const { serverSetting, permission } = useSession()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [drawer, setDrawer] = useState(false)
  const status = useStore(statusStore, ({ parts }) => parts)
  const narrow = useSyncExternalStore(onNarrow, () => narrowPage.matches)
  const company = companyName(serverSetting.company_name)
  const unread = useUnread()
  const modules = areas()
    .flatMap(({ rail = [] }) => rail)
    .sort((a, b) => (a.place ?? 50) - (b.place ?? 50))
    .filter(({ notForGuests }) => notForGuests !== true || !permission.isGuest)
    .filter(({ show, needs }) => (show?.(permission.powers) ?? true) && mayUse(permission, needs))
  const side = areas()
    .flatMap(({ sides = [] }) => sides)
    .filter(({ path, needs }) => pathname.startsWith(path) && mayUse(permission, needs))
    // The pane of the longest address: an area may have its own beside pages of another one.
    .sort((a, b) => b.path.length - a.path.length)[0]

  useCommands(() => [
    ...modules.map(({ path, label }) => ({ id: path, label: t(label), run: () => void navigate(path) })),
    ...skins.map((skin) => ({
      id: `skin-${skin}`,
      label: `${t('account.skin')}: ${t(`skin.${skin}`)}`,
      run: () => setSkin(skin),
    })),
    ...(['zh', 'en'] as const).map((locale) => ({
      id: `locale-${locale}`,
      label: `${t('account.language')}: ${t(`locale.${locale}`)}`,
      run: () => void setLocale(locale),
    })),
    { id: 'shortcuts', label: t('help.title'), hint: '?', run: () => void openWindow('cloudoc-shortcuts', {}) },
    { id: 'diagnostics', label: t('diagnostics.title'), run: () => void openWindow('connection-diagnostics', {}) },
  ])
  useEffect(answerHelpKey, [])
  // What leads out of the chat window of the desktop program opens in its main window ([R062]).
  useEffect(() => {
    if (windowBridge().variant !== 'im' || isOfChat(pathname)) return
    if (openInMain(`${pathname}${search}`)) void navigate('/im', { replace: true })
  }, [pathname, search, navigate])

  useEffect(() => {
    document.title = unread === '' ? company : `(${unread}) ${company}`
  }, [company, unread])
  // On a narrow page the tree is a drawer. Choosing a folder closes it.
  useEffect(() => setDrawer(false), [pathname, search])

  return (
    <div className="shell" data-drawer={drawer || undefined}>
      <header className="shell-title">
        <IconButton
          className="shell-drawer"
          label={t(side?.label ?? 'app.tree')}
          icon={<Navigation20Regular />}
          pressed={drawer}
          onClick={() => setDrawer(!drawer)}
        />
        <Parts of="logo" />
        <h1 className="shell-name">{company}</h1>
        <div className="shell-search">
          <Parts of="search" />
        </div>
        <Parts of="button" />
        <OwnButtons />
      </header>
      <nav className="shell-rail" aria-label={t('app.rail')}>
        <AccountButton />
        {modules.map(({ path, also = [], label, icon, current, badge: Badge }) => {
          const isCurrent = [path, ...also].some((one) => pathname.startsWith(one))
          return (
            <Link
              key={path}
              to={path}
              className={`shell-module${isCurrent ? ' active' : ''}`}
              aria-current={isCurrent ? 'page' : undefined}
              data-tip={narrow ? t(label) : undefined}
            >
              {isCurrent ? current : icon}
              <span>{t(label)}</span>
              {Badge && <Badge />}
            </Link>
          )
        })}
      </nav>
      {side && (
        <TreeColumn>
          <side.pane />
        </TreeColumn>
      )}
      <div className="shell-veil" onClick={() => setDrawer(false)} />
      <main className="shell-page">
        <OfflineStrip />
        <Parts of="strip" />
        <Boundary at={pathname}>
          <Outlet />
        </Boundary>
      </main>
      <footer className="shell-status" aria-label={t('app.status')}>
        {status.length > 0 && <span className="shell-counts">{status.join(' · ')}</span>}
        <Parts of="status" />
        <Connection />
      </footer>
    </div>
  )
}
