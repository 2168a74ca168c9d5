// Further actions for the previewed file, as far as the user is permitted.

import { extNameOf } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { singleItemActions } from '../../items/actions/single-item-actions.tsx'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { keyOf } from '../../items/item/item.ts'
import { previewKind } from '../shared/preview-kind.ts'

/** For kinds that users browse quickly, such as pictures, the item is requested only after they stay with one. */
const quick = new Set(['image', 'audio', 'video', 'pdf'])
const restMs = 600

interface PreviewActionsProps {
  readonly file: { readonly serverId: number; readonly fId: number; readonly fName: string }
  /** The action opens elsewhere. */
  readonly onRun: (() => void) | undefined
}

export function PreviewActions({ file: { serverId, fId, fName }, onRun }: PreviewActionsProps): ReactNode {
  const context = useActionContext()
  const [stays, setStays] = useState(!quick.has(previewKind(extNameOf(fName).toLowerCase()) ?? ''))
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), restMs)
    return () => clearTimeout(timer)
  }, [])
  const { data: item } = useQuery({
    queryKey: ['drive', 'previewed', keyOf({ serverId, fId, fType: 1 })],
    queryFn: () => api.of({ serverId }).getFileInfo({ fileId: fId }, { quiet: true }),
    enabled: stays,
    staleTime: 0,
  })
  if (item === undefined) return null
  const actions = [
    ...singleItemActions(item, context).map((action) => ({ ...action, leaves: onRun })),
    ...singleItemActions(item, context, 'previewer').map((action) => ({ ...action, leaves: undefined })),
  ]
  return actions.map(({ id, icon, label, hint, why, run, leaves }) => (
    <button
      key={id}
      type="button"
      className="pv-button"
      title={why ?? (hint === undefined ? label : `${label} (${hint})`)}
      aria-label={label}
      disabled={why !== undefined}
      data-key={hint?.toLowerCase()}
      onClick={() => {
        leaves?.()
        void run()
      }}
    >
      {icon}
    </button>
  ))
}
