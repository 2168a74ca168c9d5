// cloudoc-email-detail ([R068]): one mail in a window of its own.
import type { ReactNode } from 'react'
import type { WindowProps } from '../core/windows/index.ts'
import { DialogBody } from '../kit/dialog.tsx'
import { ReadingPane } from './reading-pane.tsx'
import './mail.css'

export interface MailDetailProps {
  readonly mailId: number
  readonly subject?: string
}

export function MailDetailWindow({ mailId, close }: WindowProps<MailDetailProps>): ReactNode {
  return (
    <DialogBody>
      <div className="em-alone">
        <ReadingPane mailId={mailId} mails={[]} open={(other) => other === 0 && close()} />
      </div>
    </DialogBody>
  )
}
