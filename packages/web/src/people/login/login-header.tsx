import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { CompanyLogo } from '../company-logo.tsx'

/** The head of the login page: the picture of the company and whose page it is. */
export function LoginHeader({ logo, company }: { readonly logo: string; readonly company: string }): ReactNode {
  const t = useT()
  return (
    <header>
      <CompanyLogo logo={logo} size={32} />
      <h1>{t('login.title', { company })}</h1>
    </header>
  )
}
