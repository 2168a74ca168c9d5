// The editor interface of the co-editing window; a text, a workbook and a document implement it.
import type { CoeditRebase, ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import type { Draft } from '../../core/storage/drafts.ts'
import type { EditorCommands } from '../shared/editor-tools.tsx'
import type { CoeditSession, JoinedSession } from './coedit-session.ts'

export interface CoeditInstance extends EditorCommands {
  readonly setReadOnly: (is: boolean) => void
  readonly focus: () => void
  /** The unsent changes as a draft of the file. */
  readonly draft: () => string
  /** The content as a file. */
  readonly bytes: () => Uint8Array
  /** The rendered content, if the editor does not use the given parent element. */
  readonly Body?: (props: { readonly zoom: number }) => ReactNode
  readonly Foot: () => ReactNode
  /**
   * Continues with a new generation of the document after structure operations. Returns the unsent changes of the
   * previous one as a draft. They are written immediately unless the user is asked about them.
   */
  readonly rebase?: (to: Rebase) => string
  readonly close: () => void
}

export interface Rebase {
  readonly session: CoeditSession
  readonly file: Uint8Array
  readonly rebases: readonly CoeditRebase[]
  readonly isAsked: boolean
}

/** The part of a draft that can be written, and the texts of the part whose cells were deleted. */
export interface DraftOffer {
  readonly draft: string
  readonly lost: string
}

export interface CoeditContext {
  readonly item: ItemRecord
  readonly joined: JoinedSession
  readonly session: CoeditSession
  readonly parent: HTMLElement
  readonly onChange: () => void
  /** There is, or may be, a new generation. */
  readonly renew: () => void
}

/**
 * The type of a co-editable document. `merges` is false if concurrent changes overwrite each other: unsent changes are
 * then kept as a draft and offered to the user.
 */
export interface CoeditAdapter {
  readonly merges: boolean
  /** Whether documents have structure operations, which start a new generation, although concurrent changes merge. */
  readonly restructures?: boolean
  readonly open: (given: CoeditContext) => Promise<CoeditInstance>
  /** Writes a draft into the session. */
  readonly put?: (here: CoeditSession, draft: string) => void
  /** Converts a draft to the current generation; undefined if it can only be saved as a separate file. */
  readonly offered?: (kept: Draft, joined: JoinedSession) => DraftOffer | undefined
  /** Whether other users have changed the same content as the unsent changes. */
  readonly clashes?: (here: CoeditSession) => boolean
}
