/*
 * What kinds of files can be edited together is declared by the shape of their document: how a file becomes one, what may
 * stand in it, and how it becomes a file again.
 */
import type { coeditCodecs } from '@cloudoc/contract'
import type * as Y from 'yjs'

/** How a file is written back, as its shape has found it. */
export type Encoding = Readonly<Record<string, string | boolean>>

/** What a file is written back with: the content of a version that has what was written up to some change. */
export interface Base {
  readonly content: () => Promise<Uint8Array>
}

export interface Codec {
  /** What documents remember it by. */
  readonly name: (typeof coeditCodecs)[number]
  /** Of which files, by their extension. */
  readonly takes: (ext: string) => boolean
  /** The most bytes that a file of them may have. */
  readonly mostBytes: number
  /** Puts a content into an empty document; undefined for one that would not come out as it went in. */
  readonly seed: (doc: Y.Doc, bytes: Uint8Array) => Promise<Encoding | undefined>
  /** Reads what a file is made of, for the document may change then; answers how it is made. */
  readonly written: (doc: Y.Doc, form: Encoding) => (beside: Base) => Promise<Uint8Array>
  /** Whether such a piece may be added to a document. */
  readonly admits: (item: Y.Item) => boolean
  /** Whether a document still has what it was made of, where it is needed. */
  readonly isSound?: (doc: Y.Doc) => boolean
  /** How long a document is; limits.togetherLength at most. */
  readonly lengthOf: (doc: Y.Doc) => number
}
