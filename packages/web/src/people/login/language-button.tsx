import type { ReactNode } from 'react'
import { setLocale, useLocale, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { Button } from '../../kit/button.tsx'
import { ChevronDown12Regular, Globe16Regular } from '../../kit/icons.ts'

/** Chooses the language on the pages before the sign-in. */
export function LanguageButton(): ReactNode {
  const t = useT()
  const locale = useLocale()
  return (
    <Button
      className="login-language"
      kind="ghost"
      size="small"
      icon={<Globe16Regular />}
      aria-haspopup="menu"
      onClick={(event) => {
        const { left, bottom } = event.currentTarget.getBoundingClientRect()
        const languages = (['zh', 'en'] as const).map((one) => ({
          id: one,
          label: t(`locale.${one}`),
          checked: one === locale,
          run: () => void setLocale(one),
        }))
        void showMenu(languages, { x: left, y: bottom + 4 })
      }}
    >
      {t(`locale.${locale}`)}
      <ChevronDown12Regular />
    </Button>
  )
}
