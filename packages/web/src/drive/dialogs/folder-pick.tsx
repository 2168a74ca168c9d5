// Picks a folder: the libraries, and below each what is opened. Only a folder that takes uploads can be chosen.
import type { ItemRecord } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { evaluate, rules } from '../actions/actions.ts'
import type { Target } from '../actions/operations.ts'
import { reasonText } from '../actions/reasons.ts'
import { useActionContext } from '../actions/use-action-context.ts'
import { FolderTree } from '../tree/folder-tree.tsx'
import './dialogs.css'

export interface FolderPickProps {
  readonly title: string
  readonly hint: string
}

/** Asks for a folder; answers the one that was picked. */
export function FolderPick({ hint, close }: WindowProps<FolderPickProps, Target>): ReactNode {
  const t = useT()
  const context = useActionContext()
  const [picked, setPicked] = useState<ItemRecord>()
  const verdict = picked === undefined ? undefined : evaluate(rules.upload, [picked], context)
  return (
    <>
      <DialogBody>
        {hint !== '' && <p className="dr-dialog-lead">{hint}</p>}
        <div className="dr-pick">
          <FolderTree currentId={picked?.fId} onGo={(node) => setPicked(node.folder)} />
        </div>
      </DialogBody>
      <DialogFooter>
        {verdict?.reason !== undefined && <span className="dr-pick-reason">{reasonText(verdict.reason)}</span>}
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button
          kind="primary"
          disabled={verdict?.enabled !== true}
          onClick={() => picked && close({ fId: picked.fId, fName: picked.fName })}
        >
          {t('drive.pick')}
        </Button>
      </DialogFooter>
    </>
  )
}
