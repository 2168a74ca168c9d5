// What a zip holds, for tests of what is packed.
import { buffer } from 'node:stream/consumers'
import yauzl from 'yauzl'

/** Path to content, folders with a slash and null. */
export async function unzipped(bytes: Buffer): Promise<Record<string, Buffer | null>> {
  const zip = await yauzl.fromBufferPromise(bytes, { decodeStrings: true, validateEntrySizes: true })
  const found: Record<string, Buffer | null> = {}
  for await (const entry of zip.eachEntry()) {
    found[entry.fileName] = entry.fileName.endsWith('/') ? null : await buffer(await zip.openReadStreamPromise(entry))
  }
  return found
}
