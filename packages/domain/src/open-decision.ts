// What opening a file comes to ([R171], [R172], X55). A pure rule: whoever asks brings what they know of the file.

/** What is known of an item that somebody opens. */
export interface Opening {
  readonly isFolder: boolean
  /** The setting online_edit. */
  readonly onlineEdit: boolean
  readonly canModify: boolean
  readonly canDownload: boolean
  /** They may look at it, and there is something that shows it. */
  readonly canPreview: boolean
  /** There is an editor for its format here. */
  readonly isEditable: boolean
  /** Who holds its edit lock: nobody else, somebody else alone, or several who edit it together. */
  readonly lockedBy: 'nobodyElse' | 'other' | 'several'
  /** Several may edit its format together (multi_edit_type, preview_multi_edit). */
  readonly isShared: boolean
  /** There is a sandbox that edits what may not be downloaded (sandbox_edit, Windows). */
  readonly hasSandbox: boolean
}

/** How files are edited by several at once (multi_edit_type): in the page, or on the pages of an office server. */
export const MultiEdit = { off: 0, here: 1, office: 2 } as const

/** Why somebody reads what they wanted to edit ([R185]). */
export type ReadOnlyReason = 'editOff' | 'noModify' | 'notShared'

/** What somebody may do about a file that others edit. */
export type LockedChoice = 'readOnly' | 'wait' | 'request' | 'join'

/** What opening comes to. */
export type Opened =
  | { readonly way: 'enter' | 'edit' | 'join' | 'local' | 'sandbox' | 'preview' | 'askRights' }
  | { readonly way: 'readOnly'; readonly why: ReadOnlyReason }
  | { readonly way: 'choose'; readonly choices: readonly LockedChoice[] }

const readOnly = (why: ReadOnlyReason): Opened => ({ way: 'readOnly', why })
const choose = (...choices: LockedChoice[]): Opened => ({ way: 'choose', choices })

/** Decides how a file opens: the folder first, then whether editing is on, then the rights (X55). */
export function openDecision(opening: Opening): Opened {
  const { isFolder, onlineEdit, canModify, canDownload, canPreview, isShared, hasSandbox } = opening
  if (isFolder) return { way: 'enter' }
  if (!onlineEdit) return canModify && canDownload ? readOnly('editOff') : { way: 'askRights' }
  if (canModify && canDownload) return forEditors(opening)
  if (canModify) {
    if (hasSandbox) return { way: 'sandbox' }
    return { way: isShared ? 'join' : 'askRights' }
  }
  if (canDownload) return readOnly('noModify')
  return { way: canPreview ? 'preview' : 'askRights' }
}

function forEditors({ lockedBy, isShared, isEditable }: Opening): Opened {
  if (lockedBy === 'other') return choose('readOnly', 'wait', 'request')
  if (lockedBy === 'several') return isShared ? choose('readOnly', 'join') : readOnly('notShared')
  return { way: isEditable ? 'edit' : 'local' }
}

/** How what this browser keeps of a file stands to the server's ([R176]). */
export const CopyStatus = { cached: 2, newerOnCloud: 3, notSubmitted: 4, newerHere: 5 } as const

/** The status of a kept copy: `state` is that of its edit record ([R175]), `version` the one that it was made of. */
export function copyStatus(copy: { readonly state: number; readonly version: number }, serverVersion: number): number {
  if (copy.state === EditState.changed) return CopyStatus.notSubmitted
  if (copy.version < serverVersion) return CopyStatus.newerOnCloud
  return copy.version > serverVersion ? CopyStatus.newerHere : CopyStatus.cached
}

/** The states of an edit record ([R175]): opened, or given up; handed in; changed and not handed in. */
export const EditState = { opened: 0, submitted: 1, changed: 2 } as const
