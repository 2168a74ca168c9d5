// The shapes of documents that are edited together, one line each.

import type { Codec } from './codec.ts'
import { docCodec } from './doc-codec.ts'
import { sheetCodec } from './sheet-codec.ts'
import { textCodec } from './text-codec.ts'

const codecs: readonly Codec[] = [textCodec, sheetCodec, docCodec]

/** The shape that a document was made in, whatever its file is called by now. */
export function codecNamed(name: unknown): Codec {
  const shape = codecs.find((one) => one.name === name)
  if (shape === undefined) throw new Error(`no shape ${String(name)} is known here`)
  return shape
}

/** The shape of files of an extension; undefined where they are not edited together here. */
export function codecFor(ext: string): Codec | undefined {
  return codecs.find(({ takes }) => takes(ext.toLowerCase()))
}
