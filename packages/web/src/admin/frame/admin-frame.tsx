// The frame of the administration: the page navigation, and the page itself.
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, Navigate, NavLink, useLocation, useParams } from 'react-router'
import type { AdminPage } from '../../core/area/area.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { LockClosed16Regular } from '../../kit/icons.ts'
import { StatePage } from '../../kit/state-page.tsx'
import { adminAddress, adminPageGroups, mayOpen, powersOf } from './admin-pages.ts'
import './admin-frame.css'

interface AdminFrameProps {
  /** All pages of the administration, in display order. */
  readonly pages: readonly AdminPage[]
}

/** The name of the administrator role responsible for a page. */
function useHolder(): (page: AdminPage) => string {
  const t = useT()
  return (page) =>
    powersOf(page)
      .map((power) => t(`admin.power.${power}`))
      .join(' / ')
}

/** The administration pages by group. Pages that need a power the user lacks are named and locked. */
export function Navigation({ pages: all }: AdminFrameProps): ReactNode {
  const t = useT()
  const { account, permission } = useSession()
  const holder = useHolder()
  // A department administrator does not see pages without access.
  const isPart = permission.powers.every((power) => power === 'department')
  const pages = all.filter((page) => !isPart || mayOpen(page, permission.powers))
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On low screens the entry of the page may be below the edge.
  useEffect(() => {
    nav.current?.querySelector('.ad-entry.active')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  return (
    <nav ref={nav} className="ad-nav" aria-label={t('admin.centre')}>
      {adminPageGroups.map((group) => {
        const here = pages.filter((page) => page.group === group)
        const [first] = here
        if (first === undefined) return undefined
        const isOthers = !here.some((page) => mayOpen(page, permission.powers))
        return (
          <section key={group}>
            {group !== 'top' && (
              <h2>
                {t(`admin.group.${group}`)}
                {isOthers && ` · ${t('admin.byOther', { who: holder(first) })}`}
              </h2>
            )}
            {here.map((page) => (
              <Entry key={page.page} page={page} locked={!mayOpen(page, permission.powers)} />
            ))}
          </section>
        )
      })}
      <p className="ad-who">
        <b>{account.accountName}</b>
        {' · '}
        {permission.powers.map((power) => t(`admin.power.${power}`)).join(' / ')}
      </p>
    </nav>
  )
}

function Entry({ page, locked }: { readonly page: AdminPage; readonly locked: boolean }): ReactNode {
  const t = useT()
  const holder = useHolder()
  if (!locked)
    return (
      <NavLink className="ad-entry" to={`${adminAddress}/${page.page}`}>
        {page.icon}
        <span>{t(page.label)}</span>
      </NavLink>
    )
  return (
    <span className="ad-entry" aria-disabled="true" data-tip={t('admin.byOther', { who: holder(page) })}>
      {page.icon}
      <span>{t(page.label)}</span>
      <LockClosed16Regular className="ad-lock" />
    </span>
  )
}

/** The page named in the address, or by default the first page the caller may open. */
export function Administration({ pages }: AdminFrameProps): ReactNode {
  const t = useT()
  const { '*': rest = '' } = useParams()
  const { powers } = useSession().permission
  const holder = useHolder()
  const [name] = rest.split('/')
  const first = pages.find((page) => mayOpen(page, powers))
  if (name === '' && first !== undefined) return <Navigate to={`${adminAddress}/${first.page}`} replace />
  const page = pages.find((one) => one.page === name)
  const way = (
    <Link to={first === undefined ? '/doc/folder/files' : `${adminAddress}/${first.page}`}>
      {t(first === undefined ? 'admin.toHome' : 'admin.toFirst', { page: first === undefined ? '' : t(first.label) })}
    </Link>
  )
  if (page === undefined || powers.length === 0) {
    return (
      <StatePage heading="h1" title={t('admin.noPage')}>
        {way}
      </StatePage>
    )
  }
  if (!mayOpen(page, powers)) {
    return (
      <StatePage heading="h1" title={t('admin.notYours', { who: holder(page) })} text={t('admin.notYoursMore')}>
        {way}
      </StatePage>
    )
  }
  return <page.component />
}
