import { codeText } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import type { Answers } from '../shared/organisation-queries.ts'
import '../shared/organisation.css'

/** The result of a bulk change: which users were not changed, and why. */
export function BatchResultWindow({ list, done, close }: WindowProps<{ list: Answers; done: number }>): ReactNode {
  const t = useT()
  const locale = useLocale()
  return (
    <>
      <DialogBody reading={t('org.answers.title')}>
        <p>{t('org.answers.text', { done, n: list.length })}</p>
        <ul className="or-lines is-whole">
          {list.map(({ userId, name, result }) => (
            <li key={userId}>
              <span title={name}>{name || userId}</span>
              <small>{codeText(result, locale)}</small>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button kind="primary" autoFocus onClick={() => close()}>
          {t('box.ok')}
        </Button>
      </DialogFooter>
    </>
  )
}
