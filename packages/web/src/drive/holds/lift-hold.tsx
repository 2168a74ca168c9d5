// cloudoc-hold-lift: lifts a legal hold, with a reason.
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import './texts.ts'
import './holds.css'

export interface LiftHoldProps {
  readonly holdId: number
  readonly name: string
}

export function LiftHold({ holdId, name, close }: WindowProps<LiftHoldProps, boolean>): ReactNode {
  const t = useT()
  const [reason, setReason] = useState('')
  const lift = async (): Promise<void> => {
    await api.liftHold({ holdId, reason })
    close(true)
  }
  return (
    <>
      <DialogBody>
        <div className="hd-form">
          <p>{t('holds.liftOf', { name })}</p>
          <TextField
            label={t('holds.liftReason')}
            value={reason}
            maxLength={1000}
            onChange={({ target }) => setReason(target.value)}
          />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('holds.cancel')}</Button>
        <Button kind="danger" disabled={reason.trim() === ''} onClick={() => void lift()}>
          {t('holds.liftDo')}
        </Button>
      </DialogFooter>
    </>
  )
}
