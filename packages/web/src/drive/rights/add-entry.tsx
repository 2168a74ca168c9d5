// The row that adds entries to the permission list: the subject, the rights and the expiry.
import { groupRights } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/select.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'
import { ExpiryField } from './expiry-field.tsx'
import { grantableOptions } from './rights-labels.ts'

interface AddEntryProps {
  readonly secretLevel: number
  readonly onAdd: (subjects: readonly Subject[], rights: number, expireTime: number | null) => void
}

export function AddEntry({ onAdd, secretLevel }: AddEntryProps): ReactNode {
  const t = useT()
  const printRights = useSession().setting.print_rights
  const [subjects, setSubjects] = useState<readonly Subject[]>([])
  const [mask, setMask] = useState<number>(groupRights('preview', { printRights }))
  const [until, setUntil] = useState<number | null>(null)
  return (
    <div className="dr-rights-add">
      <SubjectField label={t('rights.add')} chosen={subjects} secretLevel={secretLevel} onChange={setSubjects} />
      <Select
        label={t('rights.column.rights')}
        value={mask}
        options={grantableOptions(printRights, t)}
        onChange={setMask}
      />
      <ExpiryField label={t('rights.column.until')} value={until} onChange={setUntil} />
      <Button
        disabled={subjects.length === 0}
        onClick={() => {
          onAdd(subjects, mask, until)
          setSubjects([])
        }}
      >
        {t('rights.addOk')}
      </Button>
    </div>
  )
}
