// Roles as signers: for each of them any of its holders signs.
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'
import './external-window.css'

export interface PickedRole {
  readonly roleId: number
  readonly name: string
}

export function SignRoles({ close, setDirty }: WindowProps<object, readonly PickedRole[]>): ReactNode {
  const t = useT()
  const [chosen, setChosen] = useState<readonly Subject[]>([])
  return (
    <form
      className="sg-outside"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.length > 0) close(chosen.map(({ id, name }) => ({ roleId: id, name })))
      }}
    >
      <div className="sg-outside-body">
        <SubjectField
          label={t('sign.role.title')}
          types="role"
          autoFocus
          chosen={chosen}
          onChange={(next) => {
            setChosen(next)
            setDirty(true)
          }}
        />
        <p>{t('sign.role.note')}</p>
      </div>
      <DialogFooter>
        <Button onClick={() => close()}>{t('sign.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={chosen.length === 0}>
          {t('sign.add')}
        </Button>
      </DialogFooter>
    </form>
  )
}
