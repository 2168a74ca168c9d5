import type { CallAnswer, CallInput, CallName } from '@cloudoc/contract'
import type { RightsGroup } from '@cloudoc/domain'
import { type DemoLibrary, demoCompany, demoPassword } from './company.ts'
import { datesOf } from './dates.ts'
import { demoFiles } from './files.ts'
import type { EmptyDocument } from './office.ts'

/** Makes calls as one user or as a link visitor. */
export type Calling = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallAnswer<N>>

/**
 * The operations needed to fill an installation. Each is one real call of the server, so that the demo passes the same
 * rules as the work of real users. Operations with an `account` run as that user, the others as `admin`.
 */
export interface DemoCalls {
  readonly emptyDocument: EmptyDocument
  /** Whether the administrator is the only user and no library has items. */
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
  /**
   * Returns the root folder of a library: of the company, of a department (by its group) or of a user (by the account).
   */
  libraryRoot(
    library: { kind: 'company' } | { kind: 'department'; groupId: number } | { kind: 'personal'; account: string },
  ): Promise<number>
  createFolder(parentId: number, folderName: string, account?: string): Promise<number>
  /** Uploads a document or its next version, with its modification time on disk. */
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

/** Additional fields of a demo upload. */
export interface UploadAbout {
  readonly lastModified: number
  readonly isNext: boolean
}

/** The installation already contains data; nothing was changed. */
export class NotEmptyError extends Error {
  override name = 'NotEmptyError'
  constructor() {
    super(
      'the demo fills only an empty installation, and this one has accounts or files: start it with a new --data folder',
    )
  }
}

/** Ids of the created objects, by the keys and accounts of the demo. */
export interface Loaded {
  readonly ids: Readonly<Record<'group' | 'role' | 'user', ReadonlyMap<string, number>>>
  readonly libraryRoot: (library: DemoLibrary) => Promise<number>
}

/** Job title for each role; a user has the title of their first role. */
const titles = [
  ['manager', '部门经理'],
  ['project', '项目经理'],
  ['librarian', '文档管理员'],
] as const

/** Number of concurrent uploads: enough to use the disk fully, few enough to limit memory. */
const parallel = 8

/**
 * Fills an empty installation with the demo company; refuses any other with {@link NotEmptyError}. `progress` reports
 * the current step and, during uploads, the number of uploaded files.
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

  // Each folder is created once, by the first upload that needs it, although uploads run concurrently.
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
    // One generator feeds all workers, so that only the files in progress are in memory. It ends for all workers when
    // one fails.
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

/** Returns the id of the demo object with a key. */
export function known(ids: ReadonlyMap<string, number>, key: string): number {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`the demo names ${key}, which it does not define`)
  return id
}
