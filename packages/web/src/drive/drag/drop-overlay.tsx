// The overlay over the list during a drag: the target of the drop, or why it is refused.

import type { ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { reasonText } from '../../items/actions/reasons.ts'
import { type FolderInfo, folderName } from '../../items/lists/folder-queries.ts'
import { ArrowUpload24Regular, Prohibited24Regular } from '../../kit/icons.ts'
import type { DropPlan } from './drag.ts'
import './drag.css'

interface DropOverlayProps {
  readonly plan: DropPlan | undefined
  readonly here: ItemRecord | undefined
  readonly path: FolderInfo | undefined
}

/** Shows what a drop would do. */
export function DropOverlay({ plan, here, path }: DropOverlayProps): ReactNode {
  const t = useT()
  if (plan === undefined || here === undefined) return null
  const whole = plan.target.fId === here.fId
  const above = whole ? path?.ancestors.at(-1) : here
  const place = [above, plan.target]
    .flatMap((folder) => (folder === undefined ? [] : isolated(folderName(folder))))
    .join(' / ')
  const refused = plan.reason !== undefined
  const classes = ['dr-drop', whole && plan.kind === 'upload' ? 'is-whole' : '', refused ? 'is-refused' : '']
  return (
    <div className={classes.join(' ')} role="status">
      <span>
        {refused ? <Prohibited24Regular /> : <ArrowUpload24Regular />}
        {plan.reason !== undefined ? reasonText(plan.reason) : t(`drive.drop.${plan.kind}`, { place })}
      </span>
    </div>
  )
}
