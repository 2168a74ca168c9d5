// Whether an uploaded file has the content of an existing one.
import type { Clash } from '../engine/upload-plan.ts'
import { hasher } from './transfers.ts'

/** Returns true if the existing file has the same content: compares the length, then the hash. */
export async function isSameContent({ content, size, existing }: Clash, signal: AbortSignal): Promise<boolean> {
  if (content === undefined || existing.sha256 === '' || size !== existing.fileSize) return false
  try {
    return (await hasher.hash(content, () => undefined, signal)) === existing.sha256
  } catch {
    // A read error is reported when the file is sent.
    return false
  }
}
