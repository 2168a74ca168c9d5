// What reads one kind of document.
import type { Rendition } from '@cloudoc/contract'
import type { Parts } from '../container.ts'

/** What a reader is given beside the bytes. */
export interface Reading {
  readonly bytes: Buffer
  /** The extension, in lower case. */
  readonly ext: string
  readonly parts: Parts
  /** Cells of tables that are shown. */
  readonly mostCells: number
  /** Says how far it is, from 0 to 1. */
  readonly progress: (share: number) => void
}

export type Reader = (reading: Reading) => Rendition | Promise<Rendition>
