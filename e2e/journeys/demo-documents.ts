// Demo documents for journeys, by type.
import { demoFiles } from '@cloudoc/devkit/demo'
import { emptyDocument } from '@cloudoc/server/empty-documents'

/** The first demo document of each of these types, by name. */
export async function documents(...types: string[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const file of demoFiles(emptyDocument)) {
    const type = types.find((one) => file.name.endsWith(`.${one}`))
    if (type === undefined || [...found.keys()].some((name) => name.endsWith(`.${type}`))) continue
    found.set(file.name, Buffer.from(await file.bytes()))
    if (found.size === types.length) break
  }
  return found
}

/** The first demo document of a type. */
export async function documentOf(type: string): Promise<Buffer> {
  const [bytes] = (await documents(type)).values()
  if (bytes === undefined) throw new Error(`the demo has no ${type}`)
  return bytes
}
