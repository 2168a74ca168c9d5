import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import type { Department } from '../shared/organisation-queries.ts'
import { DepartmentTree } from '../tree/department-tree.tsx'
import '../shared/organisation.css'

export interface PickGroupProps {
  readonly title: string
  readonly ok: string
  /** A department that cannot be chosen. */
  readonly notId?: number
}
export type PickedGroup = Pick<Department, 'groupId' | 'groupName' | 'path'>

/** Chooses a department. */
export function PickGroup({ title, ok, notId, close }: WindowProps<PickGroupProps, PickedGroup>): ReactNode {
  const t = useT()
  const [chosen, setChosen] = useState<Department>()
  return (
    <div className="or-pick">
      <DepartmentTree label={title} selectedId={chosen?.groupId} onSelect={setChosen} counted />
      <DialogFooter>
        <span className="or-pick-path">{chosen?.path}</span>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button
          kind="primary"
          disabled={chosen === undefined || chosen.groupId === notId}
          onClick={() => chosen && close(chosen)}
        >
          {ok}
        </Button>
      </DialogFooter>
    </div>
  )
}
