import type { ReactNode } from 'react'
import { companyName } from '../../core/i18n/company.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { CompanyField } from './company-field.tsx'
import { PasswordField } from './credential-fields.tsx'
import { LoginHeader } from './login-header.tsx'
import './login.css'

interface LoginPreviewProps {
  readonly company: string
  readonly logo: string
  /** The company's code; its field is shown only if there is one. */
  readonly code: string
}

const nothing = (): void => undefined

/** The form of the login page as users will see it, of the same parts, smaller. It takes no input. */
export function LoginPreview({ company, logo, code }: LoginPreviewProps): ReactNode {
  const t = useT()
  const name = companyName(company)
  return (
    <div className="login-preview" inert aria-hidden="true">
      <div className="login-card">
        <LoginHeader logo={logo} company={name} />
        {code !== '' && <CompanyField field={{ text: code, setText: nothing, found: { kind: 'here', name } }} />}
        <TextField size="large" label={t('login.account')} value="" onChange={nothing} />
        <PasswordField value="" problem={undefined} onChange={nothing} />
        <div className="login-keep">
          <Checkbox label={t('login.keep')} checked={false} onChange={nothing} />
          <Checkbox label={t('login.byItself')} checked={false} onChange={nothing} />
        </div>
        <Button className="login-submit" kind="primary" size="large">
          {t('login.submit')}
        </Button>
      </div>
    </div>
  )
}
