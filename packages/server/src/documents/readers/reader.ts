// The interface of a document reader.
import type { Rendition, Run } from '@cloudoc/contract'
import type { Parts } from '../container.ts'

/** The input of a reader, besides the bytes. */
export interface Reading {
  readonly bytes: Buffer
  /** The extension, in lower case. */
  readonly ext: string
  readonly parts: Parts
  /** Maximum number of table cells shown. */
  readonly mostCells: number
  /** Reports progress, from 0 to 1. */
  readonly progress: (share: number) => void
}

export type Reader = (reading: Reading) => Rendition | Promise<Rendition>

/** Appends text to a line; text with the formatting of the last run is merged into it. */
export function appendRun(runs: Run[], { text, ...look }: Run & { readonly text: string }): void {
  const { text: before, ...last } = runs.at(-1) ?? {}
  if (before === undefined || JSON.stringify(last) !== JSON.stringify(look)) runs.push({ ...look, text })
  else runs[runs.length - 1] = { ...look, text: before + text }
}
