// What several processes that were passed at once answered: those that were not passed, each with its reason.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import '../templates/templates.css'

export interface PassedSeveralProps {
  readonly rows: readonly { readonly processId: number; readonly processName: string; readonly failure: string }[]
}

export function PassedSeveral({ rows, close }: WindowProps<PassedSeveralProps>): ReactNode {
  const t = useT()
  return (
    <>
      <DialogBody>
        <ul className="wt-versions">
          {rows.map(({ processId, processName, failure }) => (
            <li key={processId}>
              <span>{processName}</span>
              <small>{failure}</small>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button kind="primary" onClick={() => close()}>
          {t('workflow.close')}
        </Button>
      </DialogFooter>
    </>
  )
}
