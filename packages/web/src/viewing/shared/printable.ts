// What can be printed here.
import { documentKind, extNameOf } from '@cloudoc/domain'
import { previewKind } from './preview-kind.ts'

/** Whether a file of this name can be printed here. */
export function isPrintable(name: string): boolean {
  const ext = extNameOf(name).toLowerCase()
  const kind = documentKind(ext)
  return previewKind(ext) === 'image' || (kind !== undefined && kind !== 'archive')
}
