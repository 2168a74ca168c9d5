// template-window: one template with its versions and the processes that run on each.
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { navigateTo } from '../shared/navigate.ts'
import { draftQuery } from '../shared/workflow-queries.ts'
import { editorAddress } from './manage.tsx'
import './templates.css'

export interface TemplateWindowProps {
  readonly templateId: number
  readonly templateName: string
}

export function TemplateWindow({ templateId, close }: WindowProps<TemplateWindowProps>): ReactNode {
  const t = useT()
  const { data, error } = useQuery(draftQuery(templateId))
  if (error !== null) return <StatePage title={t('workflow.template.gone')} text={error.message} />
  if (data === undefined) return <Spinner label={t('workflow.loading')} />
  return (
    <>
      <DialogBody>
        <p>{data.note === '' ? data.nodeNames.join(' → ') : data.note}</p>
        {data.versions.length === 0 ? (
          <p>{t('workflow.manage.unpublished.more')}</p>
        ) : (
          <ul className="wt-versions">
            {data.versions.map((one) => (
              <li key={one.version}>
                <b>{t('workflow.version', { n: one.version })}</b>
                <span>
                  {one.publishedBy} <small>{fullTime(one.publishTime)}</small>
                </span>
                <small>{t('workflow.manage.runningOn', { n: one.running })}</small>
              </li>
            ))}
          </ul>
        )}
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('workflow.close')}</Button>
        <Button
          kind="primary"
          onClick={() => {
            close()
            navigateTo(editorAddress(templateId))
          }}
        >
          {t('workflow.manage.edit')}
        </Button>
      </DialogFooter>
    </>
  )
}
