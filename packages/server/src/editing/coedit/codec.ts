/*
 * Each kind of file that can be co-edited is declared by a shape: how a file becomes a document, what the document may
 * contain, and how it becomes a file again.
 */
import type { coeditCodecs } from '@cloudoc/contract'
import type * as Y from 'yjs'

/** The format details of a file, as found by its shape, for writing it back. */
export type Encoding = Readonly<Record<string, string | boolean>>

/** Additional input for writing a file: the content of a version that includes the edits up to some change. */
export interface Base {
  readonly content: () => Promise<Uint8Array>
}

export interface Codec {
  /** The name stored with documents. */
  readonly name: (typeof coeditCodecs)[number]
  /** Whether files of an extension have this shape. */
  readonly takes: (ext: string) => boolean
  /** Maximum size of a file in bytes. */
  readonly mostBytes: number
  /** Loads a content into an empty document; undefined if it would not be written back identically. */
  readonly seed: (doc: Y.Doc, bytes: Uint8Array) => Promise<Encoding | undefined>
  /** Takes a snapshot of the document, which may change afterwards; returns a function that makes the file. */
  readonly written: (doc: Y.Doc, form: Encoding) => (beside: Base) => Promise<Uint8Array>
  /** Whether an item may be added to a document. */
  readonly admits: (item: Y.Item) => boolean
  /** Whether a document still has its original content, if the shape needs it. */
  readonly isSound?: (doc: Y.Doc) => boolean
  /** The length of a document; limits.togetherLength at most. */
  readonly lengthOf: (doc: Y.Doc) => number
}
