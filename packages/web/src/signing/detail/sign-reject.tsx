// Refusing to sign, with a reason ([R275]).
import { signLimits } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { act } from '../shared/sign-queries.ts'
import './detail.css'

export interface SignRejectProps {
  readonly activityId: number
}

export function SignReject({ activityId, close, setDirty }: WindowProps<SignRejectProps, boolean>): ReactNode {
  const t = useT()
  const [comments, setComments] = useState('')
  const [busy, setBusy] = useState(false)
  const reject = async (): Promise<void> => {
    setBusy(true)
    const done = await act(
      () => api.rejectSign({ activityId, comments: comments.trim() }, { quiet: true }),
      t('sign.done.rejected'),
    )
    setBusy(false)
    if (!done) return
    setDirty(false)
    close(true)
  }
  return (
    <>
      <DialogBody>
        <label className="sg-words">
          {t('sign.act.reject.why')}
          <textarea
            rows={4}
            maxLength={signLimits.remark}
            autoFocus
            value={comments}
            onChange={({ target }) => {
              setComments(target.value)
              setDirty(target.value !== '')
            }}
          />
          <small>
            {comments.length} / {signLimits.remark}
          </small>
        </label>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('sign.cancel')}</Button>
        <Button kind="danger" disabled={busy || comments.trim() === ''} onClick={() => void reject()}>
          {t('sign.act.reject.do')}
        </Button>
      </DialogFooter>
    </>
  )
}
