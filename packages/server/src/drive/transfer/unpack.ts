/*
 * Unpacks an archive into a folder of the drive. First all entries are stored as contents, one file after another, with
 * progress and cancellation like a copy. Then one transaction creates the folder with all of them. Refused entries are
 * skipped and reported. If unpacking is aborted earlier, only unreferenced objects are left and nothing visible
 * (docs/adr/0145).
 */
import { Readable } from 'node:stream'
import { type CodeName, codes, extNameOf, fail, itemName, type NameEncoding } from '@cloudoc/domain'
import type { Access } from '../../core/access.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { ConfinedFailure, Refused, type UnpackedFile, unpackArchive } from '../../documents/index.ts'
import {
  dropPending,
  type PendingContent,
  persist,
  placeTree,
  storeAtomically,
  type TreeFile,
} from '../content/index.ts'
import { CopyReporter, makeFolders } from '../files/index.ts'
import { insertFolder, isTooDeep, itemEvent, newlyStored, withName } from '../tree/index.ts'
import { withSemaphore } from './archive-entry.ts'
import type { StoredContent } from './send-content.ts'

/** One archive at a time, separate from the extraction of single files, because it may take minutes. */
const unpacking = createSemaphore(1)

/** The target and options of unpacking. */
interface Place {
  readonly folderId: number
  readonly copyId: string | undefined
  readonly fileId: number
  /** The encoding of the names in the archive. */
  readonly names?: NameEncoding | undefined
}

/** A skipped entry and the reason. */
interface SkippedEntry {
  readonly path: string
  readonly code: CodeName
}

/** Maximum number of skipped entries reported. */
const mostNamed = 200

interface PendingFile {
  /** As given in the archive. */
  readonly path: string
  /** Folder names separated by slashes; empty at the top level. */
  readonly folder: string
  readonly name: string
  readonly content: PendingContent
  readonly diskTime: number | undefined
}

/** Unpacks an archive into a new folder. */
export async function unpackInto(
  context: StagedContext,
  blobs: BlobStore,
  contents: Contents,
  archive: StoredContent,
  place: Place,
) {
  const folders: string[] = []
  const files: PendingFile[] = []
  const left: SkippedEntry[] = []
  const told = new CopyReporter(context.db, place.copyId)
  const take = async (file: UnpackedFile): Promise<void> => {
    const { path, bytes } = file
    const parts = namesOf(path)
    if (typeof parts === 'string') return void left.push({ path, code: parts })
    if (typeof bytes === 'string') return void left.push({ path, code: bytes })
    if (path.endsWith('/')) return void folders.push(parts.join('/'))
    const name = parts.at(-1)
    if (name === undefined) return void left.push({ path, code: 'illegalName' })
    const staged = await blobs.stage(only(bytes))
    const content = await persist(staged)
    const diskTime = file.modified > 0 ? file.modified : undefined
    files.push({ path, folder: parts.slice(0, -1).join('/'), name, content, diskTime })
    told.report(context, 1)
  }
  const kept = (): PendingContent[] => files.map(({ content }) => content)
  try {
    await withSemaphore(context, unpacking, async (signal) => {
      await using object = await contents.open(archive)
      const ext = extNameOf(archive.name).toLowerCase()
      const source = { content: Readable.from(object, { objectMode: false }), size: archive.size, ext }
      await unpackArchive(source, take, { signal, names: place.names })
    })
  } catch (error) {
    await dropPending(blobs, kept())
    if (error instanceof Refused) return fail(error.code)
    if (error instanceof ConfinedFailure) return fail(error.code === 'time' ? 'conversionTimedOut' : 'conversionFailed')
    throw error
  }
  return storeAtomically(context, blobs, kept(), async (write) => {
    const placed = await placeAll(write, nameOf(archive.name), { folders, files, left }, place)
    await told.ends(write)
    return placed
  })
}

async function placeAll(
  context: WriteContext,
  name: string,
  holds: {
    readonly folders: readonly string[]
    readonly files: readonly PendingFile[]
    readonly left: readonly SkippedEntry[]
  },
  { folderId, fileId }: Place,
) {
  const { tx, now } = context
  const target = context.item({ fType: 2, fId: folderId })
  const libraryId = target.library.id
  const actor = actorOf(context)
  const top = await withName(tx, { parentId: folderId, name, fType: 2 }, 'keepBoth', async (free) => ({
    id: await insertFolder(tx, { libraryId, parentId: folderId, name: free, accountId: actor.accountId, now }),
    free,
  }))
  if (top === undefined) return fail('alreadyExists')
  const row = { id: top.id, library_id: libraryId, parent_id: folderId, f_type: 2, name: top.free } as const
  context.event(itemEvent({ ...row, version: 0, size: 0, created_by: actor.accountId }, 'add', actor.name))
  const above = { id: folderId, name: target.row.name } as Access['path'][number]
  const root: Access = { ...target, row: { ...target.row, ...row, name: top.free }, path: [...target.path, above] }
  const left = [...holds.left]
  const isDeep = (path: string, folder: string): boolean => {
    const isLeft = isTooDeep(root.path.length + partsOf(folder).length)
    if (isLeft) left.push({ path, code: 'tooDeep' })
    return isLeft
  }
  const folders = holds.folders.filter((folder) => !isDeep(`${folder}/`, folder))
  const files = holds.files.filter(({ path, folder }) => !isDeep(path, folder))
  const paths = [...new Set([...folders, ...files.map(({ folder }) => folder)])]
  const made = await makeFolders(context, root, paths, true)
  const idOf = new Map(made.map(({ path, folderId: id }) => [path, id]))
  const tree = await placeTree(
    context,
    target,
    files.map((file): TreeFile & Pick<PendingFile, 'path'> => ({
      ...file,
      parentId: idOf.get(file.folder) ?? top.id,
      below: 1 + partsOf(file.folder).length,
    })),
    fileId,
  )
  left.push(...tree.left.map(({ file, code }) => ({ path: file.path, code })))
  const [first] = left
  if (tree.placed === 0 && first !== undefined) return fail(first.code)
  const named = left.slice(0, mostNamed).map(({ path, code }) => ({ path, result: codes[code].code }))
  return {
    made: {
      folderId: top.id,
      ...newlyStored(top.free, folderId, 0, now),
      files: tree.placed,
      leftOut: left.length,
      left: named,
    },
    keys: tree.keys,
  }
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')

/**
 * The names in a path if all of them are valid item names, or the code that refuses one. Paths that lead outside are
 * refused.
 */
function namesOf(path: string): string[] | CodeName {
  const parts = partsOf(path)
  for (const part of parts) {
    const checked = itemName(part)
    if ('code' in checked) return checked.code
  }
  return parts
}

/** The archive's name without its extension. */
function nameOf(name: string): string {
  const bare = name.replace(/\.(?:tar\.)?[^.]+$/i, '')
  return bare.trim() === '' ? name : bare
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
