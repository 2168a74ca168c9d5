// What else can be done with the file that is shown, as far as its person may.
import { extNameOf } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { shownActions } from '../actions/shown.tsx'
import { useActionContext } from '../actions/use-action-context.ts'
import { previewKind } from './preview-kind.ts'

/** Kinds that are only looked at; of them nothing is asked while somebody goes through a folder of pictures. */
const lookedAt = new Set(['image', 'audio', 'video', 'pdf'])

interface ShownActionsProps {
  readonly file: { readonly fId: number; readonly fName: string }
  /** What is done opens elsewhere. */
  readonly onRun: (() => void) | undefined
}

/** Buttons of the bar. */
export function ShownActions({ file: { fId, fName }, onRun }: ShownActionsProps): ReactNode {
  const context = useActionContext()
  const { data: item } = useQuery({
    queryKey: ['drive', 'previewed', fId],
    queryFn: () => api.getFileInfo({ fileId: fId }, { quiet: true }),
    enabled: !lookedAt.has(previewKind(extNameOf(fName).toLowerCase()) ?? ''),
    staleTime: 0,
  })
  if (item === undefined) return null
  return shownActions(item, context).map(({ id, icon, label, hint, why, run }) => (
    <button
      key={id}
      type="button"
      className="pv-button"
      title={why ?? (hint === undefined ? label : `${label} (${hint})`)}
      aria-label={label}
      disabled={why !== undefined}
      data-key={hint?.toLowerCase()}
      onClick={() => {
        onRun?.()
        void run()
      }}
    >
      {icon}
    </button>
  ))
}
