import type { ReactNode } from 'react'
import { setLocale, useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { signOut, useSession } from '../../core/session/session.ts'
import { densities, setDensity, useDensity } from '../../core/theme/density.ts'
import { setSkin, skins, useSkin } from '../../core/theme/theme.ts'
import { openWindow } from '../../core/windows/index.ts'
import {
  ColorRegular,
  ContactCard20Regular,
  Info20Regular,
  Keyboard20Regular,
  LineHorizontal320Regular,
  LocalLanguage20Regular,
  LockClosed20Regular,
  PersonSettings20Regular,
  PersonSupport20Regular,
  Settings20Regular,
  SignOut20Regular,
} from '../../kit/icons.ts'
import { Avatar } from '../../people/index.ts'

/** The avatar, with the menu of the user's account. */
export function AccountButton(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const skin = useSkin()
  const { density } = useDensity()
  const { account, permission } = useSession()

  const entries = (): MenuEntry[] => [
    {
      id: 'skin',
      label: t('account.skin'),
      icon: <ColorRegular />,
      children: skins.map((one) => ({
        id: one,
        label: t(`skin.${one}`),
        checked: one === skin,
        run: () => setSkin(one),
      })),
    },
    {
      id: 'density',
      label: t('account.density'),
      icon: <LineHorizontal320Regular />,
      children: densities.map((one) => ({
        id: one,
        label: t(`density.${one}`),
        checked: one === density,
        run: () => setDensity(one),
      })),
    },
    {
      id: 'language',
      label: t('account.language'),
      icon: <LocalLanguage20Regular />,
      children: (['zh', 'en'] as const).map((one) => ({
        id: one,
        label: t(`locale.${one}`),
        checked: one === locale,
        run: () => void setLocale(one),
      })),
    },
    { separator: true },
    {
      id: 'card',
      label: t('account.card'),
      icon: <ContactCard20Regular />,
      run: () => void openWindow('cloudoc-person-card', { accountId: account.accountId }),
    },
    {
      id: 'personal',
      label: t('personal.title'),
      icon: <PersonSettings20Regular />,
      // A guest (visitor) cannot change the account (X51).
      show: !permission.isGuest,
      run: () => void openWindow('cloudoc-personalSettings', {}),
    },
    {
      id: 'password',
      label: t('account.password'),
      icon: <LockClosed20Regular />,
      show: !permission.isGuest,
      run: () => void openWindow('cloudoc-change-password', { account: account.account, due: false }),
    },
    {
      id: 'setting',
      label: t('setting.title'),
      icon: <Settings20Regular />,
      run: () => void openWindow('cloudoc-setting', {}),
    },
    {
      id: 'shortcuts',
      label: t('help.title'),
      hint: '?',
      icon: <Keyboard20Regular />,
      run: () => void openWindow('cloudoc-shortcuts', {}),
    },
    {
      id: 'about',
      label: t('account.about'),
      icon: <Info20Regular />,
      run: () => void openWindow('cloudoc-app-version', {}),
    },
    {
      id: 'support',
      label: t('support.title'),
      icon: <PersonSupport20Regular />,
      run: () => void openWindow('cloudoc-technical-support', {}),
    },
    { separator: true },
    { id: 'signOut', label: t('account.signOut'), icon: <SignOut20Regular />, run: () => void signOut() },
  ]
  const name = account.accountName || account.account
  return (
    <button
      type="button"
      className="shell-avatar"
      aria-label={`${t('account.menu')}: ${name}`}
      aria-haspopup="menu"
      data-tip={account.groupName === '' ? name : `${isolated(name)} · ${isolated(account.groupName)}`}
      onClick={(event) => {
        const { right, top } = event.currentTarget.getBoundingClientRect()
        void showMenu(entries(), { x: right + 8, y: top })
      }}
    >
      <Avatar name={name} picture={account.avatar} size={36} />
      {permission.isGuest && <span className="shell-visitor">{t('visitor.badge')}</span>}
    </button>
  )
}
