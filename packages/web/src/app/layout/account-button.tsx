import {
  ColorRegular,
  Info20Regular,
  Keyboard20Regular,
  LineHorizontal320Regular,
  LocalLanguage20Regular,
  LockClosed20Regular,
  SignOut20Regular,
} from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { setLocale, useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { signOut, useSession } from '../../core/session/session.ts'
import { densities, setDensity, useDensity } from '../../core/theme/density.ts'
import { setSkin, skins, useSkin } from '../../core/theme/theme.ts'
import { openWindow } from '../../core/windows/index.ts'

/** The person's initials: of a Chinese name the last two characters, of a longer one the first two; else two letters. */
export function initials(name: string): string {
  const characters = Array.from(name.trim())
  if (characters.some((character) => /\p{Script=Han}/u.test(character))) {
    return (characters.length > 3 ? characters.slice(0, 2) : characters.slice(-2)).join('')
  }
  const words = name.trim().split(/\s+/)
  return words
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase()
}

/** The avatar, with everything that is about the person behind it. */
export function AccountButton(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const skin = useSkin()
  const { density } = useDensity()
  const { account } = useSession()

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
        run: () => setLocale(one),
      })),
    },
    { separator: true },
    {
      id: 'password',
      label: t('account.password'),
      icon: <LockClosed20Regular />,
      run: () => void openWindow('cloudoc-change-password', { account: account.account, due: false }),
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
    { separator: true },
    { id: 'signOut', label: t('account.signOut'), icon: <SignOut20Regular />, run: () => void signOut() },
  ]
  const name = account.accountName || account.account
  return (
    <button
      type="button"
      className="shell-avatar"
      data-initials={initials(name)}
      aria-label={`${t('account.menu')}: ${name}`}
      aria-haspopup="menu"
      data-tip={account.groupName === '' ? name : `${isolated(name)} · ${isolated(account.groupName)}`}
      onClick={(event) => {
        const { right, top } = event.currentTarget.getBoundingClientRect()
        void showMenu(entries(), { x: right + 8, y: top })
      }}
    />
  )
}
