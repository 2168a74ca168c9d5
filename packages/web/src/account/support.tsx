// The technical support window ([R350]): whom to contact, and what to report.
import { type ReactNode } from 'react'
import { companyName } from '../core/i18n/company.ts'
import { useT } from '../core/i18n/i18n.ts'
import { copyText } from '../core/page/copy-text.ts'
import { version } from '../core/page/version.ts'
import { useSession } from '../core/session/session.ts'
import { openWindow, type WindowProps } from '../core/windows/index.ts'
import { Button } from '../kit/button.tsx'
import { DialogBody, DialogFooter } from '../kit/dialog.tsx'
import './frame/account.css'

export function Support({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const { account, serverSetting } = useSession()
  const facts = [
    [t('support.contact'), serverSetting.support_contact || t('support.noContact')],
    [t('support.server'), `${companyName(serverSetting.company_name)} · ${location.host}`],
    [t('personal.account'), account.account],
    [t('setting.version'), `${version.client} / ${version.web}`],
    [t('support.browser'), navigator.userAgent],
  ] as const
  return (
    <>
      <DialogBody>
        <dl className="ac-facts">
          {facts.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </DialogBody>
      <DialogFooter>
        <Button kind="ghost" onClick={() => void openWindow('connection-diagnostics', {})}>
          {t('diagnostics.title')}
        </Button>
        <Button kind="ghost" onClick={() => void openWindow('cloudoc-clients', {})}>
          {t('clients.title')}
        </Button>
        <Button kind="ghost" onClick={() => void openWindow('log-report', {})}>
          {t('logs.title')}
        </Button>
        <Button onClick={() => void copyText(facts.map((fact) => fact.join(': ')).join('\n'))}>
          {t('support.copy')}
        </Button>
        <Button kind="primary" autoFocus onClick={() => close()}>
          {t('box.close')}
        </Button>
      </DialogFooter>
    </>
  )
}
