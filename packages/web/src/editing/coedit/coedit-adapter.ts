// What stands in the window of a file that is written together: a text, a workbook or a document.
import type { CoeditRebase, ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import type { Draft } from '../../core/storage/drafts.ts'
import type { EditorCommands } from '../shared/editor-tools.tsx'
import type { CoeditSession, JoinedSession } from './coedit-session.ts'

export interface CoeditInstance extends EditorCommands {
  readonly setReadOnly: (is: boolean) => void
  readonly focus: () => void
  /** What this browser keeps of what was not sent, as a draft of the file. */
  readonly draft: () => string
  /** What stands here as a file. */
  readonly bytes: () => Uint8Array
  /** What is shown, where that is not put into the place that was given. */
  readonly Body?: (props: { readonly zoom: number }) => ReactNode
  readonly Foot: () => ReactNode
  /**
   * Goes on with a document that began anew by changes of its build. Answers what was not sent of the one before, as a draft
   * keeps it: it is written at once unless somebody is asked about it.
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

/** What is written of a draft, and the words of what is not, as its place was deleted. */
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
  /** Another document has begun, or may have. */
  readonly renew: () => void
}

/** One that takes the place of what another has written cannot be merged: it is kept as a draft, and offered. */
export interface CoeditAdapter {
  readonly merges: boolean
  readonly open: (given: CoeditContext) => Promise<CoeditInstance>
  /** Writes into it what a draft has kept. */
  readonly put?: (here: CoeditSession, draft: string) => void
  /** What a draft comes to in the document of now; undefined where it can be saved as another file only. */
  readonly offered?: (kept: Draft, joined: JoinedSession) => DraftOffer | undefined
  /** Whether others have written what this page has not sent. */
  readonly clashes?: (here: CoeditSession) => boolean
}
