// The pages below /m ([R375]).

import { type ReactNode, useLayoutEffect, useState } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router'
import { areas, securityPages } from '../core/area/area.ts'
import { setLocale, useLocale, useT } from '../core/i18n/i18n.ts'
import type { MenuEntry } from '../core/menu/menu.ts'
import { chooseDesktopPage } from '../core/session/phone.ts'
import { mayUse, signOut, useSession } from '../core/session/session.ts'
import { setSkin, skins, useSkin } from '../core/theme/theme.ts'
import { openWindow } from '../core/windows/index.ts'
import {
  Alert24Regular,
  ArrowDownload24Regular,
  ArrowSwap24Regular,
  Clock24Regular,
  Color24Regular,
  Delete24Regular,
  Desktop24Regular,
  Link24Regular,
  LocalLanguage24Regular,
  Mail24Regular,
  PersonSettings20Regular,
  PhoneAdd24Regular,
  Settings24Regular,
  Share24Regular,
  SignOut24Regular,
  Star24Regular,
} from '../kit/icons.ts'
import { Avatar } from '../people/index.ts'
import { approvalPages } from './approvals-badge.tsx'
import { Approvals } from './approvals-page.tsx'
import { mobileAddress } from './desktop-addresses.ts'
import { Folder, Libraries, OtherList, SearchPage } from './files-page.tsx'
import { home, MobilePage } from './frame.tsx'
import './late-texts.ts'
import { markedStore } from './offline/marked-copies.ts'
import { OfflinePage } from './offline/offline-page.tsx'
import { install, installStore } from './offline/shell.ts'
import { PushPage } from './push/push-page.tsx'
import { Row } from './row.tsx'
import { MenuSheet } from './sheet.tsx'
import './mobile.css'

export function Mobile(): ReactNode {
  const navigate = useNavigate()
  useLayoutEffect(
    () => () => {
      // What led to the desktop page inside an area is shown in the frame of the phone.
      const address = mobileAddress(location)
      if (address !== undefined) void navigate(address, { replace: true })
    },
    [navigate],
  )
  return (
    <Routes>
      <Route path="index.html" element={<Libraries />} />
      <Route path="files/:serverId/:folderId" element={<Folder />} />
      <Route path="search" element={<SearchPage />} />
      <Route path="list/favorite" element={<OtherList kind="favorite" />} />
      <Route path="list/recent" element={<OtherList kind="recent" />} />
      <Route path="list/shared" element={<OtherList kind="shared" />} />
      <Route path="approvals" element={<Approvals />} />
      <Route path="notices" element={<OtherPage path="/notify/list" title="mobile.notices" />} />
      <Route path="offline" element={<OfflinePage />} />
      <Route path="push" element={<PushPage />} />
      <Route path="me" element={<Me />} />
      <Route path="page/*" element={<NamedPage />} />
      <Route path="*" element={<Navigate to={home} replace />} />
    </Routes>
  )
}

/** A page of an area inside the frame of the phone, by its path. */
function OtherPage({ path, title }: { readonly path: string; readonly title: 'mobile.notices' }): ReactNode {
  const t = useT()
  const Page = areas()
    .flatMap(({ routes = [] }) => routes)
    .find((route) => route.path === path)?.page
  return <MobilePage title={t(title)}>{Page && <Page />}</MobilePage>
}

/** A page of an area inside the frame of the phone, named in the address as on the desktop. */
function NamedPage(): ReactNode {
  const t = useT()
  const { pathname } = useLocation()
  const { permission } = useSession()
  const path = pathname.slice('/m/page/'.length)
  const all = areas().flatMap(({ routes = [] }) => routes)
  const route = all.find((one) => (one.path === path || one.path === `/${path}`) && mayUse(permission, one.needs))
  const talk = path.startsWith('im/')
  const label = approvalPages.find(({ page }) => page === path)?.label
  const security = securityPages().find(({ page }) => `security/${page}` === path)?.label
  if (route === undefined) return <Navigate to={home} replace />
  const Page = route.page
  const title = label ?? security ?? others[path]
  return (
    <MobilePage
      title={title === undefined ? t(talk ? 'mobile.talk' : 'mobile.approvals') : t(title)}
      back={talk ? undefined : path in others ? '/m/me' : '/m/approvals'}
    >
      <div className="m-framed">
        <Page />
      </div>
    </MobilePage>
  )
}

const others: Readonly<Record<string, 'mobile.links' | 'mobile.mail' | 'mobile.transfers' | 'mobile.recycle'>> = {
  'share/link-creation': 'mobile.links',
  email: 'mobile.mail',
  'transfer/doing': 'mobile.transfers',
  'transfer/done': 'mobile.transfers',
  recycle: 'mobile.recycle',
}

/** The person, their other lists, and the settings. */
function Me(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const locale = useLocale()
  const skin = useSkin()
  const offer = installStore(({ offer: made }) => made)
  const lost = markedStore(({ lost: gone }) => gone.length)
  const { account, permission } = useSession()
  const [sheet, setSheet] = useState<{ readonly title: string; readonly entries: readonly MenuEntry[] }>()
  const name = account.accountName || account.account
  const go = (path: string) => (): void => void navigate(path)
  const offered = new Set(
    areas().flatMap(({ routes = [] }) =>
      routes.filter(({ needs }) => mayUse(permission, needs)).map(({ path }) => path),
    ),
  )
  return (
    <MobilePage title={t('mobile.me')}>
      <div className="m-person">
        <Avatar name={name} picture={account.avatar} size={56} />
        <div>
          <b>{name}</b>
          <small>{account.groupName}</small>
        </div>
      </div>
      <div className="m-rows">
        <Row icon={<Star24Regular />} label={t('mobile.favorites')} onPress={go('/m/list/favorite')} />
        <Row icon={<Clock24Regular />} label={t('mobile.recent')} onPress={go('/m/list/recent')} />
        <Row
          icon={<ArrowDownload24Regular />}
          label={t('mobile.offlineFiles')}
          value={lost > 0 ? t('mobile.goneCount', { n: lost }) : undefined}
          onPress={go('/m/offline')}
        />
        <Row icon={<Share24Regular />} label={t('mobile.shared')} onPress={go('/m/list/shared')} />
        {offered.has('share/link-creation') && !permission.isGuest && (
          <Row icon={<Link24Regular />} label={t('mobile.links')} onPress={go('/m/page/share/link-creation')} />
        )}
        {offered.has('email') && !permission.isGuest && (
          <Row icon={<Mail24Regular />} label={t('mobile.mail')} onPress={go('/m/page/email')} />
        )}
        <Row icon={<ArrowSwap24Regular />} label={t('mobile.transfers')} onPress={go('/m/page/transfer/doing')} />
        <Row icon={<Delete24Regular />} label={t('mobile.recycle')} onPress={go('/m/page/recycle')} />
      </div>
      <div className="m-rows">
        {!permission.isGuest && (
          <Row
            icon={<PersonSettings20Regular />}
            label={t('mobile.personal')}
            onPress={() => void openWindow('cloudoc-personalSettings', {})}
          />
        )}
        <Row
          icon={<Settings24Regular />}
          label={t('mobile.settings')}
          onPress={() => void openWindow('cloudoc-setting', {})}
        />
        {!permission.isGuest && <Row icon={<Alert24Regular />} label={t('mobile.push')} onPress={go('/m/push')} />}
        <Row
          icon={<LocalLanguage24Regular />}
          label={t('mobile.language')}
          value={t(`locale.${locale}`)}
          onPress={() =>
            setSheet({
              title: t('mobile.language'),
              entries: (['zh', 'en'] as const).map((one) => ({
                id: one,
                label: t(`locale.${one}`),
                checked: one === locale,
                run: () => void setLocale(one),
              })),
            })
          }
        />
        <Row
          icon={<Color24Regular />}
          label={t('mobile.skin')}
          value={t(`skin.${skin}`)}
          onPress={() =>
            setSheet({
              title: t('mobile.skin'),
              entries: skins.map((one) => ({
                id: one,
                label: t(`skin.${one}`),
                checked: one === skin,
                run: () => setSkin(one),
              })),
            })
          }
        />
        {offer !== undefined && (
          <Row icon={<PhoneAdd24Regular />} label={t('mobile.install')} onPress={() => void install()} />
        )}
        <Row icon={<Desktop24Regular />} label={t('mobile.desktop')} onPress={chooseDesktopPage} />
        <Row icon={<SignOut24Regular />} label={t('mobile.signOut')} onPress={() => void signOut()} />
      </div>
      {sheet !== undefined && <MenuSheet {...sheet} onClose={() => setSheet(undefined)} />}
    </MobilePage>
  )
}
