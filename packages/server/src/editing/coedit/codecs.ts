// The shapes of documents that can be co-edited, one line each.

import type { Codec } from './codec.ts'
import { docCodec } from './doc-codec.ts'
import { sheetCodec } from './sheet-codec.ts'
import { slidesCodec } from './slides-codec.ts'
import { textCodec } from './text-codec.ts'

const codecs: readonly Codec[] = [textCodec, sheetCodec, docCodec, slidesCodec]

/** The shape that a document was created with, regardless of its file's current name. */
export function codecNamed(name: unknown): Codec {
  const shape = codecs.find((one) => one.name === name)
  if (shape === undefined) throw new Error(`no shape ${String(name)} is known here`)
  return shape
}

/** The shape for an extension; undefined if such files cannot be co-edited in the page. */
export function codecFor(ext: string): Codec | undefined {
  return codecs.find(({ takes }) => takes(ext.toLowerCase()))
}
