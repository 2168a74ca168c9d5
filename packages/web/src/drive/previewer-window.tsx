// The previewer with the side panels that other modules of the drive provide.
import type { ItemRecord } from '@cloudoc/contract'
import { lazy, type ReactNode } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import type { WindowProps } from '../core/windows/index.ts'
import { type SidePanes, SidePanesContext } from '../viewing/info/side-panes.ts'
import { Previewer, type PreviewerProps, type PreviewerResult } from '../viewing/previewer/previewer.tsx'
import { useCommentCount } from './comments/use-comment-count.ts'

const panes: SidePanes = {
  Rights: lazy(() => import('./files/panel/my-rights.tsx').then((module) => ({ default: module.MyRights }))),
  Activity: lazy(() => import('./property/activity.tsx').then((module) => ({ default: module.Activity }))),
  Comments: lazy(() => import('./comments/comments.tsx').then((module) => ({ default: module.CommentPane }))),
  CommentsHead,
  VersionActions: lazy(() =>
    import('./property/version-actions.tsx').then((module) => ({ default: module.VersionActions })),
  ),
}

function CommentsHead({ item }: { readonly item: ItemRecord }): ReactNode {
  const t = useT()
  const count = useCommentCount(item, true)
  return [t('comments.title'), count || ''].join(' ').trim()
}

export function PreviewerWindow(props: WindowProps<PreviewerProps, PreviewerResult>): ReactNode {
  return (
    <SidePanesContext value={panes}>
      <Previewer {...props} />
    </SidePanesContext>
  )
}
