// The components of other areas in the side panel of the previewer, passed by the code that opens it.
import type { Answer, calls, ItemRecord } from '@cloudoc/contract'
import { type ComponentType, createContext } from 'react'
import type { ActionContext } from '../../items/actions/actions.ts'

export interface SidePanes {
  readonly Rights: ComponentType<{ readonly item: ItemRecord; readonly context: ActionContext; readonly now: number }>
  readonly Activity: ComponentType<{ readonly item: ItemRecord; readonly now: number }>
  readonly Comments: ComponentType<{ readonly item: ItemRecord; readonly look: 'panel' }>
  /** The buttons for the shown version: restore it, compare it, describe it, save it as a file. */
  readonly VersionActions: ComponentType<{
    readonly item: ItemRecord
    readonly version: Answer<typeof calls.getVersionList>['list'][number]
    readonly before: number | undefined
    readonly onRestored: () => void
  }>
  /** The title of the comments tab, with the number of comments. */
  readonly CommentsHead: ComponentType<{ readonly item: ItemRecord }>
}

export const SidePanesContext = createContext<SidePanes | undefined>(undefined)
