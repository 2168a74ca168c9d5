/*
 * What kinds of files can be edited together is declared by the shape of their document: how a file becomes one, what may
 * stand in it, and how it becomes a file again.
 */
import type * as Y from 'yjs'

/** How a file is written back, as its shape has found it. */
export type Form = Readonly<Record<string, string | boolean>>

export interface Shape {
  /** What documents remember it by. */
  readonly name: string
  /** Of which files, by their extension. */
  readonly takes: (ext: string) => boolean
  /** Puts a content into an empty document; undefined for one that would not come out as it went in. */
  readonly seed: (doc: Y.Doc, bytes: Uint8Array) => Form | undefined
  readonly bytesOf: (doc: Y.Doc, form: Form) => Uint8Array
  /** Whether such a piece may be added to a document. */
  readonly admits: (item: Y.Item) => boolean
  /** How long a document is; limits.togetherLength at most. */
  readonly lengthOf: (doc: Y.Doc) => number
}
