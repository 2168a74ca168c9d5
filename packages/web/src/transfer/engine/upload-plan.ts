/*
 * Plans an upload from the provided files: names are validated by the general name rule before anything is sent,
 * folders are created by path lists (existing ones are reused), and taken names are found first, so that the user
 * decides once, before the first byte.
 */
import { type CodeName, itemName } from '@cloudoc/domain'
import { groupBy } from '../../core/page/group-by.ts'
import type { UploadSelection } from './dropped-files.ts'
import type { NewFile } from './live-task.ts'
import type { UploadPolicy } from './task.ts'

/** The target of an upload. */
export interface UploadTarget {
  /** Default: the main server. */
  readonly serverId?: number
  readonly folderId: number
  readonly folderName: string
}

/** A name that is already taken in the target. */
export interface Clash {
  readonly name: string
  /** The folder below the target, separated by slashes, empty at the top level. */
  readonly folder: string
  readonly size: number
  readonly modified: number
  /** The content to send, if available. */
  readonly content?: Blob
  readonly existing: Existing
}

/** The item that has the name, as far as the caller may see it. */
export interface Existing {
  readonly fType: 1 | 2
  readonly fileSize: number
  readonly modifyTime: number
  readonly version: number
  readonly lastOperatorName: string
  /** The other user who edits it. In that case it accepts no new version. */
  readonly editorName: string
  readonly sha256: string
}

/** The user's choice for taken names: one per name in order, and optionally one for all later names ([R196]). */
export interface Decision {
  readonly ways: readonly UploadPolicy[]
  readonly sameWay: UploadPolicy | undefined
}

/** Asks what to do with taken names. Undefined cancels the whole upload. */
export type Decide = (clashes: readonly Clash[]) => Promise<Decision | undefined>

/** The files to send, and the choice for names that turn out to be taken later. */
export interface UploadPlan {
  readonly files: readonly NewFile[]
  readonly sameWay: UploadPolicy | undefined
}

/** The calls that planning needs. */
export interface PlanCalls {
  makeFolders(folderId: number, paths: string[]): Promise<{ path: string; folderId: number }[]>
  taken(folderId: number, names: string[]): Promise<(Existing & { readonly fileName: string })[]>
}

/** The number of folders that are checked concurrently for taken names. */
const foldersAtOnce = 4
/** The maximum number of paths and names per call. */
const perCall = 5000

interface Planned {
  readonly file: File
  readonly folder: string
  readonly name: string
  readonly key: string
}

/** Plans an upload. Undefined if the user cancels. */
export async function planUpload(
  handed: UploadSelection,
  target: UploadTarget,
  calls: PlanCalls,
  decide: Decide,
): Promise<UploadPlan | undefined> {
  const refused: NewFile[] = []
  const planned: Planned[] = []
  for (const { file, folder } of handed.files) {
    const code = refusal(folder, file.name)
    if (code === undefined) planned.push({ file, folder: cleanPath(folder), ...nameOf(file.name) })
    else refused.push({ file, path: pathOf(folder, file), name: file.name, ...target, conflict: 'refuse', error: code })
  }
  const folders = handed.folders.filter((path) => refusal(path) === undefined).map(cleanPath)

  const existingTop = await topFoldersThatExist(folders, target, calls)
  const ids = new Map<string, number>([['', target.folderId]])
  const checked = new Map<string, number>([['', target.folderId]])
  for (const paths of slices(folders, perCall)) {
    for (const made of await calls.makeFolders(target.folderId, paths)) {
      ids.set(made.path, made.folderId)
      if (existingTop.has(topOf(made.path))) checked.set(made.path, made.folderId)
    }
  }

  const clashes = await findClashes(planned, checked, calls)
  const decision = clashes.size === 0 ? { ways: [], sameWay: undefined } : await decide([...clashes.values()])
  if (decision === undefined) return undefined
  const policies = new Map([...clashes.keys()].map((file, i) => [file, decision.ways[i] ?? 'skip'] as const))

  const files = planned.flatMap(({ file, folder, name }): NewFile[] => {
    const conflict = policies.get(file) ?? 'refuse'
    const folderId = ids.get(folder)
    if (conflict === 'skip') return []
    const folderName = folder === '' ? target.folderName : folder.slice(folder.lastIndexOf('/') + 1)
    const path = pathOf(folder, file)
    if (folderId === undefined) return [{ file, path, name, ...target, conflict, error: 'notFound' }]
    return [{ file, path, name, folderId, folderName, conflict }]
  })
  return { files: [...refused, ...files], sameWay: decision.sameWay }
}

function pathOf(folder: string, file: File): string {
  return folder === '' ? file.name : `${folder}/${file.name}`
}

/** Returns the code of the first invalid part of the path, if any. */
function refusal(...paths: string[]): CodeName | undefined {
  for (const part of paths.flatMap((path) => (path === '' ? [] : path.split('/')))) {
    const checked = itemName(part)
    if ('code' in checked) return checked.code
  }
  return undefined
}

function nameOf(raw: string): { name: string; key: string } {
  const checked = itemName(raw)
  return 'name' in checked ? checked : { name: raw, key: raw }
}

function cleanPath(path: string): string {
  return path === ''
    ? ''
    : path
        .split('/')
        .map((part) => nameOf(part).name)
        .join('/')
}

function topOf(path: string): string {
  return path.split('/', 1)[0] ?? ''
}

/** Returns the top folders that already exist: only below them can a name be taken. */
async function topFoldersThatExist(
  folders: readonly string[],
  target: UploadTarget,
  calls: PlanCalls,
): Promise<ReadonlySet<string>> {
  const tops = [...new Set(folders.map(topOf))]
  if (tops.length === 0) return new Set()
  const taken = new Set((await calls.taken(target.folderId, tops)).map((found) => nameOf(found.fileName).key))
  return new Set(tops.filter((top) => taken.has(nameOf(top).key)))
}

async function findClashes(
  planned: readonly Planned[],
  checked: ReadonlyMap<string, number>,
  calls: PlanCalls,
): Promise<Map<File, Clash>> {
  const byFolder = groupBy(planned, (one) => one.folder)
  const jobs = [...byFolder].flatMap(([folder, files]) => {
    const folderId = checked.get(folder)
    return folderId === undefined ? [] : slices(files, perCall).map((some) => ({ folder, folderId, some }))
  })
  const clashes = new Map<File, Clash>()
  const worker = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const { folder, folderId, some } = job
      const answer = await calls.taken(
        folderId,
        some.map((one) => one.name),
      )
      const existing = new Map(answer.map((found) => [nameOf(found.fileName).key, found]))
      for (const { file, name, key } of some) {
        const found = existing.get(key)
        if (found === undefined) continue
        const { size, lastModified: modified } = file
        clashes.set(file, { name, folder, size, modified, content: file, existing: found })
      }
    }
  }
  await Promise.all(Array.from({ length: foldersAtOnce }, worker))
  return clashes
}

function slices<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))
}
