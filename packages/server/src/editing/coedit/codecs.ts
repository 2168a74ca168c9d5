// The shapes of documents that are edited together, one line each.

import type { Shape } from './codec.ts'
import { docShape } from './doc-codec.ts'
import { sheetShape } from './sheet-codec.ts'
import { textShape } from './text-codec.ts'

const shapes: readonly Shape[] = [textShape, sheetShape, docShape]

/** The shape that a document was made in, whatever its file is called by now. */
export function shapeNamed(name: unknown): Shape {
  const shape = shapes.find((one) => one.name === name)
  if (shape === undefined) throw new Error(`no shape ${String(name)} is known here`)
  return shape
}

/** The shape of files of an extension; undefined where they are not edited together here. */
export function shapeOf(ext: string): Shape | undefined {
  return shapes.find(({ takes }) => takes(ext.toLowerCase()))
}
