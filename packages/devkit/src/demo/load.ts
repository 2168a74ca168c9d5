import type { RightsGroup } from '@cloudoc/domain'
import { type DemoLibrary, demoCompany, demoPassword } from './company.ts'
import { datesOf } from './dates.ts'
import { demoFiles } from './files.ts'
import type { EmptyDocument } from './office.ts'

/**
 * The few things that filling an installation needs, each of them one real call of the server, so that the demo goes
 * through the same rules as everybody's work. What carries an `account` is done as that person; the rest as `admin`.
 */
export interface DemoCalls {
  readonly emptyDocument: EmptyDocument
  /** Whether there is nobody but the administrator and no item in any library. */
  isEmpty(): Promise<boolean>
  /** Without a parent: directly below the company. */
  createGroup(group: { groupName: string; parentId?: number }): Promise<number>
  createAccount(person: {
    account: string
    accountName: string
    password: string
    groupId: number
    secretLevel: number
    title: string
    email: string
  }): Promise<number>
  createRole(roleName: string): Promise<number>
  addRoleAccount(roleId: number, userId: number): Promise<void>
  /** The root folder of the company's, a department's (by its group) or a person's (by the account) library. */
  libraryRoot(
    library: { kind: 'company' } | { kind: 'department'; groupId: number } | { kind: 'personal'; account: string },
  ): Promise<number>
  createFolder(parentId: number, folderName: string, account?: string): Promise<number>
  /** Uploads a document, or the next version of it, with the time that it has on the disk. */
  upload(folderId: number, fileName: string, bytes: Uint8Array, account: string, about: UploadAbout): Promise<void>
  /** Replaces the folder's own entries. */
  setShareList(
    folderId: number,
    share: {
      inherit: boolean
      entries: { subjectType: 'user' | 'group' | 'role'; subjectId: number; rights: RightsGroup }[]
    },
  ): Promise<void>
}

/** What an upload of the demo says beside the document. */
export interface UploadAbout {
  readonly lastModified: number
  readonly isNext: boolean
}

/** The installation holds somebody's work already; nothing was changed. */
export class NotEmptyError extends Error {
  override name = 'NotEmptyError'
  constructor() {
    super(
      'the demo fills only an empty installation, and this one has accounts or files: start it with a new --data folder',
    )
  }
}

/** What was made, by the keys and accounts of the demo. */
export interface Loaded {
  readonly ids: Readonly<Record<'group' | 'role' | 'user', ReadonlyMap<string, number>>>
  readonly libraryRoot: (library: DemoLibrary) => Promise<number>
}

/** What a role is on somebody's card; the first that they have. */
const titles = [
  ['manager', '部门经理'],
  ['project', '项目经理'],
  ['librarian', '文档管理员'],
] as const

/** How many uploads are under way at once: enough to keep the disk busy, few enough to stay small. */
const parallel = 8

/**
 * Fills an empty installation with the demo company; refuses any other with {@link NotEmptyError}. `progress` hears what
 * is going on and, once files are uploaded, how many are.
 */
export async function loadDemo(
  calls: DemoCalls,
  progress: (step: string, done: number) => void,
  now = Date.now(),
): Promise<Loaded> {
  if (!(await calls.isEmpty())) throw new NotEmptyError()

  progress('organisation', 0)
  const ids = { group: new Map<string, number>(), role: new Map<string, number>(), user: new Map<string, number>() }
  for (const { key, name, parent } of demoCompany.groups) {
    const above = parent === undefined ? {} : { parentId: known(ids.group, parent) }
    ids.group.set(key, await calls.createGroup({ groupName: name, ...above }))
  }
  for (const { key, name } of demoCompany.roles) ids.role.set(key, await calls.createRole(name))
  for (const { account, name, group, secretLevel = 0, roles = [] } of demoCompany.people) {
    const groupId = known(ids.group, group)
    const userId = await calls.createAccount({
      account,
      accountName: name,
      password: demoPassword,
      groupId,
      secretLevel,
      title: titles.find(([role]) => roles.includes(role))?.[1] ?? '',
      email: `${account}@huaxin.example`,
    })
    ids.user.set(account, userId)
    for (const role of roles) await calls.addRoleAccount(known(ids.role, role), userId)
  }

  // Each folder is made once, by whoever comes first, even though several uploads are under way.
  const folders = new Map<string, Promise<number>>()
  const folder = (library: DemoLibrary, path: string[], account?: string): Promise<number> => {
    const at = [library.kind, library.key, ...path].join('/')
    const made = folders.get(at) ?? make(library, path, account)
    folders.set(at, made)
    return made
  }
  const make = async (library: DemoLibrary, path: string[], account?: string): Promise<number> => {
    const { kind, key = '' } = library
    const name = path.at(-1)
    if (name !== undefined) return calls.createFolder(await folder(library, path.slice(0, -1), account), name, account)
    if (kind === 'company') return calls.libraryRoot({ kind })
    if (kind === 'personal') return calls.libraryRoot({ kind, account: key })
    return calls.libraryRoot({ kind, groupId: known(ids.group, key) })
  }

  progress('rights', 0)
  for (const { library, path, inherit, entries } of demoCompany.shares) {
    await calls.setShareList(await folder(library, path), {
      inherit,
      entries: entries.map(({ type, key, rights }) => ({
        subjectType: type,
        subjectId: known(ids[type], key),
        rights,
      })),
    })
  }

  const waiting = demoFiles(calls.emptyDocument)
  let done = 0
  const uploadRest = async () => {
    // One generator feeds all the workers, so that only the files under way are in memory, and ends for all when one fails.
    try {
      for (let next = waiting.next(); !next.done; next = waiting.next()) {
        const file = next.value
        const folderId = await folder(file.library, file.path, file.by)
        const versions = [...(file.drafts ?? []), file]
        const dates = datesOf(
          [file.library.kind, file.library.key, ...file.path, file.name].join('/'),
          versions.length,
          now,
        )
        for (const [n, { by, bytes }] of versions.entries()) {
          const about = { lastModified: dates[n] ?? now, isNext: n > 0 }
          await calls.upload(folderId, file.name, await bytes(), by, about)
        }
        progress('files', ++done)
      }
    } finally {
      waiting.return(undefined)
    }
  }
  await Promise.all(Array.from({ length: parallel }, uploadRest))
  return { ids, libraryRoot: (library) => folder(library, []) }
}

/** The id of what the demo defines under a key. */
export function known(ids: ReadonlyMap<string, number>, key: string): number {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`the demo names ${key}, which it does not define`)
  return id
}
