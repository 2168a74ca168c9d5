// Which kinds of files may be put into the drive ([R207], -20).
import { extNameOf } from './names.ts'

/** Extensions in lower case without the dot; of names without one, the empty text. */
export interface UploadTypes {
  /** Not empty: no others may come in. */
  readonly upload_types_allowed: readonly string[]
  /** These may not come in, whatever else is said. */
  readonly upload_types_denied: readonly string[]
}

/** Whether a file of this name may not be put into the drive. */
export function isTypeRestricted(name: string, types: UploadTypes): boolean {
  const ext = extNameOf(name)
  const { upload_types_allowed: allowed, upload_types_denied: denied } = types
  return denied.includes(ext) || (allowed.length > 0 && !allowed.includes(ext))
}
