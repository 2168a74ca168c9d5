// Which files can be printed.
import { documentKind, extNameOf } from '@cloudoc/domain'
import { previewKind } from './preview-kind.ts'

/** Whether a file with this name can be printed in the browser. */
export function isPrintable(name: string): boolean {
  const ext = extNameOf(name).toLowerCase()
  const kind = documentKind(ext)
  return previewKind(ext) === 'image' || (kind !== undefined && kind !== 'archive')
}
