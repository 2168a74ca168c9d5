import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { SubjectField } from './subject-field.tsx'
import './subject-field.css'

export interface PickedPerson {
  readonly userId: number
  readonly accountName: string
}
export interface PickPeopleProps {
  readonly title: string
  readonly ok: string
  readonly picked: readonly PickedPerson[]
  /** Users below this secret level are excluded. */
  readonly secretLevel?: number
}

/** Lets the user choose people. Returns the whole selection. */
export function PickPeople(props: WindowProps<PickPeopleProps, readonly PickedPerson[]>): ReactNode {
  const { title, ok, picked: before, secretLevel = 0, close, setDirty } = props
  const t = useT()
  const [picked, setPicked] = useState(before)
  return (
    <>
      <DialogBody>
        <div className="pe-picked">
          <SubjectField
            label={title}
            types="user"
            autoFocus
            secretLevel={secretLevel}
            chosen={picked.map(({ userId, accountName }) => ({ type: 'user', id: userId, name: accountName }))}
            onChange={(chosen) => {
              setPicked(chosen.map(({ id, name }) => ({ userId: id, accountName: name })))
              setDirty(true)
            }}
          />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button kind="primary" onClick={() => close(picked)}>
          {ok}
        </Button>
      </DialogFooter>
    </>
  )
}
