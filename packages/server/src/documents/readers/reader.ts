// The interface of a document reader.
import type { Rendition, Run } from '@cloudoc/contract'
import type { HiddenContentKind } from '@cloudoc/domain'
import type { Parts } from '../container.ts'
import type { TextSection } from '../extracted-text.ts'
import type { Refusal } from '../refusal.ts'

/** The cells of a sheet that have a text. */
export type TextCells = readonly (readonly [row: number, column: number, text: string])[]

/** A text that a document contains and does not show. */
export interface HiddenSection extends TextSection {
  readonly place: HiddenContentKind
  /** The cells of a hidden sheet, or those that have comments, instead of the text. */
  readonly cells?: TextCells
}

/**
 * Receives what a document contains beside what it shows. Only the check of sensitive content asks for it: what is shown
 * and what is searched stays without it.
 */
export interface Hidden {
  add(section: HiddenSection): void
  /** An embedded file, by its name in the document. */
  enclose(name: string, bytes: Buffer): void
  /** Something that was not read. */
  leave(name: string, reason: Refusal): void
}

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
  readonly hidden?: Hidden | undefined
}

export type Reader = (reading: Reading) => Rendition | Promise<Rendition>

/** Appends text to a line; text with the formatting of the last run is merged into it. */
export function appendRun(runs: Run[], { text, ...look }: Run & { readonly text: string }): void {
  const { text: before, ...last } = runs.at(-1) ?? {}
  if (before === undefined || JSON.stringify(last) !== JSON.stringify(look)) runs.push({ ...look, text })
  else runs[runs.length - 1] = { ...look, text: before + text }
}
