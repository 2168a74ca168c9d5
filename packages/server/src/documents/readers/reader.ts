// What reads one kind of document.
import type { Rendition, Run } from '@cloudoc/contract'
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

/** Adds words to a line; what looks like what stands before it belongs to that. */
export function appendRun(runs: Run[], { text, ...look }: Run & { readonly text: string }): void {
  const { text: before, ...last } = runs.at(-1) ?? {}
  if (before === undefined || JSON.stringify(last) !== JSON.stringify(look)) runs.push({ ...look, text })
  else runs[runs.length - 1] = { ...look, text: before + text }
}
