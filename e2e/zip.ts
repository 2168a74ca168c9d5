// What is in an archive, by its names.
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** The parts of an archive. */
export async function partsOf(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(bytes))
  const found = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry())
    found.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return found
}
