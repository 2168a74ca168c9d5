// Reads a zip, for tests of packed downloads.
import { buffer } from 'node:stream/consumers'
import yauzl from 'yauzl'

/** Maps each path to its content; folders end in a slash and map to null. */
export async function unzipped(bytes: Buffer): Promise<Record<string, Buffer | null>> {
  const zip = await yauzl.fromBufferPromise(bytes, { decodeStrings: true, validateEntrySizes: true })
  const found: Record<string, Buffer | null> = {}
  for await (const entry of zip.eachEntry()) {
    found[entry.fileName] = entry.fileName.endsWith('/') ? null : await buffer(await zip.openReadStreamPromise(entry))
  }
  return found
}
