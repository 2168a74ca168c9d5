/*
 * The files of former releases of the page. A page that stays open over an update loads its later parts under their former
 * names: without them it would have to be loaded again in the middle of something. The data folder keeps the files of the
 * running release and of the two before it; an update replaces the folder of the program.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const mostFormer = 2
const unfinished = 'making-'
/** An unfinished folder that has not changed for this long was left by a process that ended. */
const abandonedMs = 60 * 60_000
/** The names of the folders of releases: hashes of the names of their files, which name their contents. */
const releaseName = /^[0-9a-f]{16}$/

async function releaseOf(assets: string): Promise<{ readonly release: string; readonly files: readonly string[] }> {
  const files = (await readdir(assets)).toSorted()
  return { release: createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 16), files }
}

/** The kept releases but this one, newest first. */
async function keptBeside(release: string, kept: string): Promise<readonly string[]> {
  const names = (await readdir(kept).catch((): string[] => [])).filter(
    (name) => releaseName.test(name) && name !== release,
  )
  const dated = await Promise.all(
    names.map(async (name) => ({ path: join(kept, name), at: (await stat(join(kept, name))).mtimeMs })),
  )
  return dated.toSorted((one, other) => other.at - one.at).map(({ path }) => path)
}

/** The folders with the files of the former releases, newest first. */
export async function formerAssets(assets: string, kept: string): Promise<readonly string[]> {
  const { release } = await releaseOf(assets)
  return (await keptBeside(release, kept)).slice(0, mostFormer)
}

/** Keeps the files of the running release for later ones, and drops those of releases that are too old. */
export async function keepAssets(assets: string, kept: string): Promise<void> {
  const { release, files } = await releaseOf(assets)
  const beside = await keptBeside(release, kept)
  const own = join(kept, release)
  if (!(await readdir(kept).catch((): string[] => [])).includes(release)) {
    await mkdir(kept, { recursive: true })
    await dropAbandoned(kept)
    // It has its name once it is whole.
    const making = await mkdtemp(join(kept, unfinished))
    try {
      for (const name of files) await keepFile({ from: join(assets, name), to: join(making, name), beside, name })
      await rename(making, own)
    } catch (error) {
      await rm(making, { recursive: true, force: true })
      // Another process has kept the same release meanwhile.
      if (!(await readdir(kept)).includes(release)) throw error
    }
  }
  const now = new Date()
  await utimes(own, now, now)
  await Promise.all(beside.slice(mostFormer).map((path) => rm(path, { recursive: true })))
}

async function dropAbandoned(kept: string): Promise<void> {
  const before = Date.now() - abandonedMs
  for (const name of await readdir(kept)) {
    const path = join(kept, name)
    if (name.startsWith(unfinished) && (await stat(path)).mtimeMs < before)
      await rm(path, { recursive: true, force: true })
  }
}

/** Copies a file; one that a former release had under the same name is linked. */
async function keepFile({
  from,
  to,
  beside,
  name,
}: {
  readonly from: string
  readonly to: string
  readonly beside: readonly string[]
  readonly name: string
}): Promise<void> {
  for (const folder of beside) {
    try {
      return await link(join(folder, name), to)
    } catch {
      // That release has no such file, or the file system no links.
    }
  }
  await copyFile(from, to, constants.COPYFILE_FICLONE)
}
