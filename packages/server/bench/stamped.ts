// Ordinary documents, each with a new content.
import { demoFiles } from '@cloudoc/devkit/demo'
import { unzipSync, zipSync } from 'fflate'
import { emptyDocument } from '../src/documents/index.ts'

export const kinds = ['docx', 'xlsx', 'pptx', 'pdf'] as const
export type Kind = (typeof kinds)[number]

/** Returns the longest demo document of each kind, with a different content every time. */
export async function demoDocuments(): Promise<(kind: Kind) => Buffer> {
  const longest = new Map<Kind, Uint8Array>()
  for (const file of demoFiles(emptyDocument)) {
    const kind = kinds.find((one) => file.name.endsWith(`.${one}`))
    if (kind === undefined) continue
    const bytes = await file.bytes()
    if (bytes.length > (longest.get(kind)?.length ?? 0)) longest.set(kind, bytes)
  }
  let made = 0
  return (kind) => {
    const bytes = longest.get(kind) ?? new Uint8Array()
    made += 1
    if (kind === 'pdf') return Buffer.concat([bytes, Buffer.from(`\n% ${made}\n`)])
    const parts = unzipSync(bytes)
    const types = '[Content_Types].xml'
    const stamped = `${Buffer.from(parts[types] ?? []).toString()}<!-- ${made} -->`
    return Buffer.from(zipSync({ [types]: Buffer.from(stamped), ...without(parts, types) }))
  }
}

const without = (parts: Record<string, Uint8Array>, name: string): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(parts).filter(([path]) => path !== name))
