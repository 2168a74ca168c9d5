// What stands beside what is shown and belongs to other rooms: whoever opens the previewer gives it.
import type { Answer, calls, ItemRecord } from '@cloudoc/contract'
import { type ComponentType, createContext } from 'react'
import type { ActionContext } from '../../items/actions/actions.ts'

export interface SidePanes {
  readonly Rights: ComponentType<{ readonly item: ItemRecord; readonly context: ActionContext; readonly now: number }>
  readonly Activity: ComponentType<{ readonly item: ItemRecord; readonly now: number }>
  readonly Comments: ComponentType<{ readonly item: ItemRecord; readonly look: 'panel' }>
  /** What can be done with a version. */
  readonly VersionActions: ComponentType<{
    readonly item: ItemRecord
    readonly version: Answer<typeof calls.getVersionList>['list'][number]
    readonly before: number | undefined
    readonly onRestored: () => void
  }>
  /** The head of a tab of comments, with how many there are. */
  readonly CommentsHead: ComponentType<{ readonly item: ItemRecord }>
}

export const SidePanesContext = createContext<SidePanes | undefined>(undefined)
