// Simulates granting or revoking a permission: the server's own evaluation with hypothetical entries.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'
import { ChangeEffect } from '../rights/change-effect.tsx'
import { grantableOptions as givingRights } from '../rights/rights-labels.ts'
import type { ReportItem } from './item-field.tsx'
import './texts.ts'
import './access.css'

export interface WhatIfProps {
  readonly item: ReportItem
}

export function WhatIf({ item, close }: WindowProps<WhatIfProps>): ReactNode {
  const t = useT()
  const printRights = useSession().setting.print_rights
  const [subjects, setSubjects] = useState<readonly Subject[]>([])
  const [mask, setMask] = useState(0)
  const [closed, setClosed] = useState(false)
  const asked = {
    ...(item.fType === 2 ? { folderId: item.fId } : { fileId: item.fId }),
    ...(closed && { inherit: false }),
    entries: subjects.map(({ type, id }) => ({ subjectType: type, subjectId: id, rights: mask })),
  }
  const isAsked = subjects.length > 0 || closed
  const effect = useQuery({
    queryKey: ['company', 'access', 'what if', asked],
    queryFn: () => api.of(mainServer).whatIfShared(asked, { quiet: true }),
    enabled: isAsked,
  })
  return (
    <>
      <DialogBody>
        <div className="co-what-if">
          <p>{t('company.whatIf.what', { name: item.fName })}</p>
          <div className="k-filters">
            <span className="co-pick">
              <SubjectField label={t('company.whatIf.who')} chosen={subjects} onChange={setSubjects} />
            </span>
            <Select
              label={t('company.access.column.rights')}
              value={mask}
              options={[{ value: 0, label: t('company.whatIf.nothing') }, ...givingRights(printRights, t)]}
              onChange={setMask}
            />
            <Checkbox
              label={t('company.whatIf.closed')}
              checked={closed}
              onChange={({ target }) => setClosed(target.checked)}
            />
          </div>
          {isAsked ? (
            <ChangeEffect changes={1} effect={effect.data} problem={effect.error?.message} />
          ) : (
            <p className="co-same">{t('company.whatIf.choose')}</p>
          )}
        </div>
      </DialogBody>
      <DialogFooter>
        <span className="co-note">{t('company.whatIf.nothingWritten')}</span>
        <Button kind="primary" onClick={() => close()}>
          {t('company.whatIf.close')}
        </Button>
      </DialogFooter>
    </>
  )
}
