// Checks a backup against its manifest, by the content of its files.
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Progress } from './backup.ts'
import { damagedOf, digest, inParallel, objectLines, objectPath, openSnapshot, type Snapshot } from './format.ts'

/** Maximum number of faults listed individually. */
const maxReported = 20
const width = 4

export interface Verified {
  readonly snapshot: Snapshot
  /** One line per fault; the last one counts those not listed. */
  readonly problems: readonly string[]
}

/** Reads a whole backup: every file and every blob is hashed again. */
export async function verify(folder: string, onProgress: (progress: Progress) => void = () => {}): Promise<Verified> {
  const snapshot = await openSnapshot(folder)
  const problems = await checkFiles(snapshot)
  if (problems.length > 0) return { snapshot, problems }
  const { path, base, manifest } = snapshot
  const damaged = await damagedOf(snapshot)
  let done = 0
  let bytes = 0
  let faults = 0
  const report = (problem: string): void => {
    faults += 1
    if (faults <= maxReported) problems.push(problem)
  }
  await inParallel(objectLines(join(path, manifest.objects.file)), width, async ({ sha256, size }) => {
    if (!damaged.has(sha256)) {
      const problem = await checkFile(objectPath(base, sha256), { bytes: size, sha256 })
      if (problem !== undefined) report(problem)
    }
    done += 1
    bytes += size
    onProgress({ doing: 'contents', done, of: manifest.objects.count, bytes })
  })
  if (done !== manifest.objects.count)
    report(`${manifest.objects.file} names ${done} contents, not ${manifest.objects.count}`)
  if (faults > maxReported) problems.push(`and ${faults - maxReported} more`)
  return { snapshot, problems }
}

/** Checks the files beside the manifest; returns their faults. */
export async function checkFiles({ path, manifest }: Snapshot): Promise<string[]> {
  const { tables, objects, damaged } = manifest
  const problems: string[] = []
  for (const entry of [...tables, objects, ...(damaged === undefined ? [] : [damaged])]) {
    const problem = await checkFile(join(path, entry.file), entry)
    if (problem !== undefined) problems.push(problem)
  }
  return problems
}

/** Hashes a file; returns its fault. */
export async function checkFile(
  path: string,
  expected: { bytes: number; sha256: string },
): Promise<string | undefined> {
  try {
    const found = await digest(createReadStream(path, { highWaterMark: 512 * 1024 }))
    const same = found.bytes === expected.bytes && found.sha256 === expected.sha256
    return same ? undefined : `${path} is damaged`
  } catch (error) {
    return `${path} cannot be read (${(error as { code?: string }).code ?? String(error)})`
  }
}
