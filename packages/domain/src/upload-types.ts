// File types that may be uploaded ([R207], -20).
import { extNameOf } from './names.ts'

/** Extensions in lower case without the dot; an empty string for names without extension. */
export interface UploadTypes {
  /** If not empty, only these are allowed. */
  readonly upload_types_allowed: readonly string[]
  /** Always forbidden, overrides the allowed ones. */
  readonly upload_types_denied: readonly string[]
}

/** Returns whether a file with this name may not be uploaded. */
export function isTypeRestricted(name: string, types: UploadTypes): boolean {
  const ext = extNameOf(name)
  const { upload_types_allowed: allowed, upload_types_denied: denied } = types
  return denied.includes(ext) || (allowed.length > 0 && !allowed.includes(ext))
}
