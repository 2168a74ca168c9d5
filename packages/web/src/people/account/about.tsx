import type { ReactNode } from 'react'
import { companyName } from '../../core/i18n/company.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { version } from '../../core/page/version.ts'
import { useSession } from '../../core/session/session.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { ProductLogo } from '../product-logo.tsx'
import './account.css'

/** The versions of client and server (window cloudoc-app-version). */
export function About({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const { serverSetting } = useSession()
  return (
    <>
      <DialogBody>
        <div className="about">
          <ProductLogo size={40} />
          <h3>{companyName(serverSetting.company_name)}</h3>
          <dl>
            <dt>{t('about.client')}</dt>
            <dd>{version.client}</dd>
            <dt>{t('about.web')}</dt>
            <dd>{version.web}</dd>
          </dl>
          <p>{t('about.licence')}</p>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button kind="primary" autoFocus onClick={() => close()}>
          {t('box.ok')}
        </Button>
      </DialogFooter>
    </>
  )
}
