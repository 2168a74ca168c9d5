// The user's own account ([R350]): profile, passwords, and active sessions.

import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import {
  Bot20Regular,
  Desktop20Regular,
  DesktopMac20Regular,
  EyeTracking20Regular,
  KeyRegular,
  Link20Regular,
  PersonRegular,
  ShieldRegular,
} from '../../kit/icons.ts'
import { SidePages } from '../frame/side-pages.tsx'
import { BindingsPage } from './bindings-page.tsx'
import { DevicesPage } from './devices-page.tsx'
import { FactorPage } from './factor-page.tsx'
import type { PageName, PageProps } from './page-props.ts'
import { PasswordPage } from './password-page.tsx'
import { ProfilePage } from './profile-page.tsx'
import { SessionsPage } from './sessions-page.tsx'
import { TokensPage } from './tokens-page.tsx'
import { VisitorPage } from './visitor-page.tsx'
import '../frame/account.css'

const pages = {
  profile: { icon: <PersonRegular />, page: ProfilePage },
  password: { icon: <KeyRegular />, page: PasswordPage },
  visitor: { icon: <EyeTracking20Regular />, page: VisitorPage },
  factor: { icon: <ShieldRegular />, page: FactorPage },
  bindings: { icon: <Link20Regular />, page: BindingsPage },
  sessions: { icon: <Desktop20Regular />, page: SessionsPage },
  devices: { icon: <DesktopMac20Regular />, page: DevicesPage },
  tokens: { icon: <Bot20Regular />, page: TokensPage },
} as const satisfies Record<PageName, { icon: ReactNode; page: (props: PageProps) => ReactNode }>
export interface PersonalSettingsProps {
  readonly page?: PageName
}

export function PersonalSettings({ page = 'profile', setDirty }: WindowProps<PersonalSettingsProps>): ReactNode {
  const t = useT()
  const [at, setAt] = useState<PageName>(page)
  const shown = Object.keys(pages) as PageName[]
  const { page: Page } = pages[at]
  return (
    <SidePages
      label={t('personal.title')}
      pages={shown.map((id) => ({ id, label: t(`personal.${id}`), icon: pages[id].icon }))}
      at={at}
      onGo={(next) => {
        setDirty(false)
        setAt(next)
      }}
    >
      <Page setDirty={setDirty} go={setAt} />
    </SidePages>
  )
}
