// Decides what opening a file does ([R171], [R172], X55). A pure function: the caller supplies the facts.

/** The facts about an item that a user opens. */
export interface Opening {
  readonly isFolder: boolean
  /** The setting online_edit. */
  readonly onlineEdit: boolean
  readonly canModify: boolean
  readonly canDownload: boolean
  /** The user may preview the file, and there is a viewer for it. */
  readonly canPreview: boolean
  /** The page has an editor for the format. */
  readonly isEditable: boolean
  /** Holder of the edit lock: no other user, another user exclusively, or several co-editing users. */
  readonly lockedBy: 'nobodyElse' | 'other' | 'several'
  /** The format can be co-edited (multi_edit_type, preview_multi_edit). */
  readonly isShared: boolean
  /** A sandbox can edit files that may not be downloaded (sandbox_edit, Windows). */
  readonly hasSandbox: boolean
}

/** The co-editing mode (multi_edit_type): off, in the page, or on an office server. */
export const MultiEdit = { off: 0, here: 1, office: 2 } as const

/** Why a user gets a read-only view instead of the editor ([R185]). */
export type ReadOnlyReason = 'editOff' | 'noModify' | 'notShared'

/** Choices of a user when others edit the file. */
export type LockedChoice = 'readOnly' | 'wait' | 'request' | 'join'

/** The result of the decision. */
export type Opened =
  | { readonly way: 'enter' | 'edit' | 'join' | 'local' | 'sandbox' | 'preview' | 'askRights' }
  | { readonly way: 'readOnly'; readonly why: ReadOnlyReason }
  | { readonly way: 'choose'; readonly choices: readonly LockedChoice[] }

const readOnly = (why: ReadOnlyReason): Opened => ({ way: 'readOnly', why })
const choose = (...choices: LockedChoice[]): Opened => ({ way: 'choose', choices })

/** Decides how a file opens: folders first, then the editing setting, then the rights (X55). */
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

/** Status of the browser's local copy compared with the server ([R176]). */
export const CopyStatus = { cached: 2, newerOnCloud: 3, notSubmitted: 4, newerHere: 5 } as const

/** Returns the status of a local copy: `state` is that of its edit record ([R175]), `version` its base version. */
export function copyStatus(copy: { readonly state: number; readonly version: number }, serverVersion: number): number {
  if (copy.state === EditState.changed) return CopyStatus.notSubmitted
  if (copy.version < serverVersion) return CopyStatus.newerOnCloud
  return copy.version > serverVersion ? CopyStatus.newerHere : CopyStatus.cached
}

/** The states of an edit record ([R175]): opened or abandoned; submitted; changed and not submitted. */
export const EditState = { opened: 0, submitted: 1, changed: 2 } as const
