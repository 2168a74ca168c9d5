/*
 * Computes access: loads an item with its ancestors in one statement and evaluates the rights down to it.
 *
 * The order is that of decisions "Rights evaluation": entries down the tree, then union and deny, then owner or
 * manager, then conditions (the gates). A restricted folder ([R210]) hides items created by others, unless the actor
 * manages the library.
 */
import type { ItemRef } from '@cloudoc/contract'
import {
  blockedDocument,
  closedToLinks,
  type EntryInForce,
  type Facts,
  hasRight,
  hasStatus,
  type ItemStatus,
  isInProcess,
  isVirtualFolder,
  itemStatus,
  mayApply,
  mayAssociate,
  mayClassify,
  Right,
  rights,
  rightsOf,
  rightsStateBelow,
  secretLevelNow,
  uninspectedDocument,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Access, FolderLimit, ItemRow, Library, PathLink } from '../../core/access.ts'
import { type Account, type AccountActor, everywhere } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Invalidations } from '../../core/db/invalidations.ts'
import type { Gatekeeper } from '../../core/loaders.ts'
import {
  type CachedItem,
  type ChainRow,
  chainFor,
  createChains,
  loadChains,
  readChains,
  type StoredEntry,
  unpackEntries,
} from './chains.ts'
import { processOf, storedStatus } from './records.ts'

/** The bit of docFlag for restricted documents ([R206]). */
const restrictedDocument = 1

/** Whether the installation restricts all documents from this secret level on. */
function byLevel(secretLevel: number, { settings }: Account): boolean {
  const from = settings.inner.restricted_from_level
  return from > 0 && secretLevel >= from
}

/**
 * Whether the content is held back from the actor: a reviewer has not released it. Whoever is not signed in, such as
 * the visitor of a link, gets no content in which something sensitive was found.
 */
function isHeldFrom({ held_for: heldFor, status }: ItemRow, { accountId, sessionId }: Account): boolean {
  if (heldFor !== null && !heldFor.includes(accountId)) return true
  return sessionId === undefined && hasStatus(itemStatus(status), 'fileAudit')
}

/** Whether the content waits for its inspection, and the actor is not who brought it. */
function isUninspectedFor({ uninspected_by: uploader }: ItemRow, { accountId, sessionId }: Account): boolean {
  return uploader !== null && (sessionId === undefined || uploader !== accountId)
}

/** The inherited state from which a child is evaluated. */
export interface Above {
  readonly inForce: readonly EntryInForce[]
  readonly restricted: boolean
  /** Document flags inherited from ancestor folders ([R206]). */
  readonly docFlag: number
  /** An ancestor is an associated folder ([R248]). */
  readonly associated: boolean
  /** Rules at an ancestor make operations of the actor need an application ([R145], [R231]). */
  readonly byApplication: { readonly download: boolean; readonly link: boolean }
  readonly isManager: boolean
  readonly library: Library
  readonly path: readonly PathLink[]
}

const isAssociated = (row: ItemRow): boolean => hasStatus(itemStatus(row.status), 'associateFolder')
const isPlainFolder = (row: ItemRow): boolean => row.f_type === 2 && row.link_to === null && !isAssociated(row)
/** Whether items in a folder with this status inherit the association. */
const bindsBelow = (status: ItemStatus): boolean =>
  hasStatus(status, 'associateFolder') || hasStatus(status, 'inheritAssociationFolder')

/**
 * Whether the user holds the edit lock of a file: in the session that took it, or in any session after that one has
 * ended.
 */
export function isEditor(
  { editor_id: editor, editor_session: session }: Pick<ItemRow, 'editor_id' | 'editor_session'>,
  actor: Pick<Account, 'accountId' | 'sessionId'>,
): boolean {
  return editor === actor.accountId && (session === null || session === actor.sessionId)
}

/** What the items in a folder inherit of its evaluation. */
export function inheritedBy({
  inForce,
  restricted,
  byApplication,
}: ReturnType<typeof factsBelow>): Omit<ReturnType<typeof factsBelow>, 'facts'> {
  return { inForce, restricted, byApplication }
}

/** What the items in a folder inherit of its state for operations that need an application. */
function operationsBelow(facts: Facts): Pick<Above, 'byApplication'> {
  return {
    byApplication: { download: facts.downloadByApplication, link: facts.linkByApplication },
  }
}

/** The state at the root of a library: whether rules apply everywhere. */
function everywhereFor({ controls }: Account): Above['byApplication'] {
  return { download: controls.download.has(everywhere), link: controls.link.has(everywhere) }
}

/** Whether the entry is an application's grant of downloads to the actor that has not ended. */
function isGrantFor(entry: StoredEntry, actor: Account, now: number): boolean {
  return (
    entry.kind === 'download' &&
    entry.subjectId === actor.accountId &&
    (entry.expireTime === null || entry.expireTime > now)
  )
}

/** The facts of a child, given the state at its parent. Lists call it for each row. */
export function factsBelow(
  above: Above,
  row: ItemRow,
  own: readonly StoredEntry[],
  actor: Account,
  now: number,
): { facts: Facts } & Pick<Above, 'inForce' | 'restricted' | 'byApplication'> {
  const { id: itemId, inherit, restricted, created_by: createdBy } = row
  const entries = own.filter((entry) => entry.kind !== 'download')
  const state = rightsStateBelow(above, { itemId, inherit, restricted, createdBy, entries }, now)
  const { rights: mask } = rightsOf(state, actor.subjects, {
    printRights: actor.settings.setting.print_rights,
    isManager: above.isManager,
  })
  const secretLevel = secretLevelNow(row.secret_level, row.secret_until, now)
  const mayBeLinked = actor.capabilities.has('createLinks') && ((row.doc_flag | above.docFlag) & closedToLinks) === 0
  const byApplication = {
    download: above.byApplication.download || actor.controls.download.has(row.id),
    link: above.byApplication.link || actor.controls.link.has(row.id),
  }
  const facts: Facts = {
    rights: mask,
    status: itemStatus(
      storedStatus(row),
      ...(row.own_rules ? (['authorized'] as const) : []),
      ...(secretLevel > 0 ? (['secret'] as const) : []),
      ...(row.space_limit !== null || (row.parent_id === null && above.library.quota > 0)
        ? (['spaceLimit'] as const)
        : []),
      ...(row.link_to !== null ? (['shortcut'] as const) : []),
      ...(row.editor_id !== null ? (['editAlone'] as const) : []),
      ...(mayBeLinked ? [] : (['externalLinkCreationDisabled'] as const)),
      ...(row.deleted_at !== null ? (['deleted'] as const) : []),
      ...(above.isManager ? (['documentManager'] as const) : []),
      ...(above.associated && isPlainFolder(row) ? (['inheritAssociationFolder'] as const) : []),
    ),
    isFolder: row.f_type === 2,
    isLibraryRoot: row.parent_id === null,
    isVirtual: false,
    extName: row.ext,
    docFlag:
      row.doc_flag |
      above.docFlag |
      (byLevel(secretLevel, actor) ? restrictedDocument : 0) |
      (isUninspectedFor(row, actor) ? uninspectedDocument : 0) |
      (isHeldFrom(row, actor) ? blockedDocument : 0),
    secretLevel,
    inReadOnlyLibrary: above.library.readOnly,
    inColleagueFiles: above.library.kind === 'personal' && !above.isManager,
    downloadByApplication: byApplication.download,
    downloadGranted: own.some((entry) => isGrantFor(entry, actor, now)),
    linkByApplication: byApplication.link,
    isHeld:
      (row.editor_id !== null && !isEditor(row, actor)) ||
      (hasStatus(itemStatus(row.status), 'editMulti') && actor.joined !== row.id),
    inProcess: isInProcess(processOf(row) ?? 0, itemStatus(row.status)),
    actor: {
      isGuest: actor.isGuest,
      isManager: above.isManager,
      isOwner: above.library.ownerId === actor.accountId,
      secretLevel: actor.secretLevel,
      capabilities: actor.capabilities,
    },
    settings: {
      print_rights: actor.settings.setting.print_rights,
      export_sub_file: actor.settings.setting.export_sub_file,
      pdf_compression: actor.settings.setting.pdf_compression,
      download_watermark: actor.settings.setting.download_watermark,
      secret_manage: actor.settings.setting.secret_manage,
      authorization_menu: actor.settings.setting.authorization_menu,
      file_folder_comment: actor.settings.setting.file_folder_comment,
      temp_file_folder_notify: actor.settings.setting.temp_file_folder_notify,
      tag: actor.settings.setting.tag,
      useGL: actor.settings.setting.useGL,
      colleague_files: actor.settings.setting.colleague_files,
      show_shared_links: actor.settings.setting.show_shared_links,
      online_edit: actor.settings.setting.online_edit,
      force_unlock_file: actor.settings.setting.force_unlock_file,
      process_level: actor.settings.setting.process_level,
      signing: actor.settings.setting.signing,
      email: actor.settings.setting.email,
      operation_application: actor.settings.setting.operation_application,
      exchange_file_enabled: actor.settings.setting.exchange_file_enabled,
    },
  }
  const offers = itemStatus(
    facts.status,
    ...(mayClassify(facts) ? (['modifySecretLevelAllowed'] as const) : []),
    ...(mayApply(facts) ? (['applyAuthorization'] as const) : []),
    ...(isAssociated(row) && mayAssociate(facts) ? (['modifyAssociateFolder'] as const) : []),
  )
  return {
    facts: { ...facts, status: offers },
    ...{ inForce: state.inForce, restricted: state.restricted },
    ...operationsBelow(facts),
  }
}

/**
 * The item with the actor's access. A deleted item carries the status `deleted`, which only the gates of the recycle
 * bin accept. Items below a deleted one and purged items do not exist.
 */
export async function accessTo(db: Db, actor: Account, item: ItemRef, now: number): Promise<Access | undefined> {
  if (isVirtualFolder(item.fId)) return item.fType === 2 ? virtualFolder(item.fId, actor) : undefined
  return ofKind((await accessToMany(db, actor, [item.fId], now, 'both')).get(item.fId), item)
}

/** A link does not exist for a caller that asks for an item, and vice versa. */
function ofKind(access: Access | undefined, { fType }: ItemRef): Access | undefined {
  if (access === undefined || (access.row.link_to !== null) !== (fType === 0)) return undefined
  return fType === 0 || access.row.f_type === fType ? access : undefined
}

/**
 * The same for many ids of any type; missing ones are omitted. Links are omitted unless requested, so a call for files
 * or folders never treats a link as one.
 */
export async function accessToMany(
  db: Db,
  actor: Account,
  ids: readonly number[],
  now: number,
  which: 'items' | 'both' = 'items',
): Promise<Map<number, Access>> {
  const found = new Map<number, Access>()
  if (ids.length === 0) return found
  for (const [id, chain] of await loadChains(db, actor, ids, { people: true })) {
    const access = accessOf(chain, actor, now)
    if (access === undefined) continue
    if (which === 'both' || access.row.link_to === null) found.set(id, access)
  }
  return found
}

function accessOf(chain: readonly ChainRow[], actor: Account, now: number): Access | undefined {
  const root = chain[0]
  const own = chain.at(-1)
  if (root === undefined || own === undefined) return undefined
  if (root.library_kind === null) throw new Error(`item ${root.id} has no parent and is no library`)
  const library: Library = {
    id: root.id,
    kind: root.library_kind,
    ownerId: root.owner_id,
    quota: root.quota ?? 0,
    fileLimit: root.file_limit ?? 0,
    readOnly: hasStatus(itemStatus(root.status), 'folderReadOnly'),
  }
  const isManager = root.managed === true || library.ownerId === actor.accountId
  const limits: FolderLimit[] = []
  let above: Above = {
    ...{ inForce: [], restricted: false, docFlag: 0, associated: false, isManager, library, path: [] },
    byApplication: everywhereFor(actor),
  }
  for (const row of chain) {
    if (row.purged) return undefined
    // Items below a deleted one do not exist, except those that were deleted before it and are still in the bin.
    if (row !== own && row.deleted_at !== null && own.deleted_at === null) return undefined
    const step = factsBelow(above, row, unpackEntries(row.entries), actor, now)
    if (row.space_limit !== null) limits.push({ folderId: row.id, most: row.space_limit })
    if (row === own) {
      const { facts, inForce, restricted } = step
      return inOwnBin(own, actor, isManager)
        ? { row: own, library, limits, path: above.path, facts, inForce, restricted }
        : undefined
    }
    above = {
      ...above,
      inForce: step.inForce,
      restricted: step.restricted,
      docFlag: above.docFlag | row.doc_flag,
      associated: above.associated || isAssociated(row),
      byApplication: step.byApplication,
      path: [...above.path, { id: row.id, name: row.name, visible: hasRight(step.facts.rights, 'display') }],
    }
  }
  return undefined
}

/** Existing items, and deleted ones that the actor deleted or manages. Others are in another user's bin. */
function inOwnBin(row: ItemRow, actor: Account, isManager: boolean): boolean {
  return row.deleted_at === null || row.deleted_by === actor.accountId || isManager
}

/** A folder with the inherited state of its children. The names of its creator and modifier are omitted. */
export interface Parent {
  readonly folder: Access
  readonly above: Above
}

/** The parent folders of many items, if they exist. */
export async function parentsOf(
  db: Db,
  actor: Account,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Parent>> {
  const found = new Map<number, Parent>()
  if (ids.length === 0) return found
  for (const [id, chain] of await loadChains(db, actor, ids, { people: false })) {
    const folder = accessOf(chain, actor, now)
    if (folder === undefined || folder.row.link_to !== null || folder.row.deleted_at !== null) continue
    found.set(id, { folder, above: aboveChildrenOf(folder) })
  }
  return found
}

/** The inherited state of a folder's children. */
export function aboveChildrenOf(folder: Access): Above {
  return {
    inForce: folder.inForce,
    restricted: folder.restricted,
    docFlag: folder.facts.docFlag,
    associated: bindsBelow(folder.facts.status),
    ...operationsBelow(folder.facts),
    isManager: folder.facts.actor.isManager,
    library: folder.library,
    path: [
      ...folder.path,
      { id: folder.row.id, name: folder.row.name, visible: hasRight(folder.facts.rights, 'display') },
    ],
  }
}

/**
 * The virtual folders -1, -2 and -3 list libraries and contain no items. Everybody sees them, nobody may write to them
 * ([R110]).
 */
function virtualFolder(id: number, actor: Account): Access {
  const row: ItemRow = {
    id,
    library_id: id,
    parent_id: null,
    f_type: 2,
    name: '',
    name_sort: '',
    ext: '',
    created_by: 0,
    created_at: 0,
    creator_outsider: null,
    modified_by: 0,
    modified_at: 0,
    modifier_outsider: null,
    disk_time: null,
    version: 0,
    size: 0,
    status: 0,
    doc_flag: 0,
    held_for: null,
    uninspected_by: null,
    secret_level: 0,
    secret_until: null,
    link_to: null,
    space_limit: null,
    editor_id: null,
    editor_session: null,
    process_id: null,
    process_version: null,
    mail_id: null,
    inherit: false,
    restricted: false,
    own_rules: false,
    granted: false,
    deleted_at: null,
    deleted_by: null,
    purged: false,
    modifier: '',
    creator: '',
    editor: null,
  }
  const library: Library = { id, kind: 'company', ownerId: null, quota: 0, fileLimit: 0, readOnly: false }
  const above: Above = {
    inForce: [],
    restricted: false,
    docFlag: 0,
    associated: false,
    byApplication: { download: false, link: false },
    isManager: false,
    library,
    path: [],
  }
  const { facts } = factsBelow(above, row, [], actor, 0)
  return {
    row,
    library,
    limits: [],
    path: [],
    inForce: [],
    restricted: false,
    facts: { ...facts, isVirtual: true, rights: rights(Right.display) },
  }
}

/** Cached access of an actor to an item, with everything it depends on. */
interface CachedAccess {
  readonly access: Access | undefined
  readonly actor: AccountActor
  readonly items: readonly CachedItem[]
  readonly from: number
  readonly until: number
}

/** Size of the cache: it serves users who return to the same folders, among files that are read once. */
const maxCached = 5000

function isCurrent(met: CachedAccess, actor: AccountActor, items: readonly CachedItem[], now: number): boolean {
  return (
    met.actor === actor &&
    met.items.length === items.length &&
    items.every((item, n) => met.items[n] === item) &&
    now >= met.from &&
    now < met.until
  )
}

/** The first time at which an expiry changes the result for the same rows. */
function nextEnd(chain: readonly ChainRow[], now: number): number {
  const ends = chain.flatMap((row) => [
    row.secret_until,
    ...unpackEntries(row.entries).map(({ expireTime }) => expireTime),
  ])
  return Math.min(Number.POSITIVE_INFINITY, ...ends.filter((end) => end !== null && end > now).map(Number))
}

/** The dispatcher's gatekeeper. */
export function createGatekeeper(own: Db, now: () => number, invalidations: Invalidations): Gatekeeper {
  const chains = createChains(own, invalidations)
  const met = new LRUCache<string, CachedAccess>({ max: maxCached })
  /** Returns the cached access of the actor, or evaluates the cached items again. */
  const meet = (actor: AccountActor, items: readonly CachedItem[], id: number): Access | undefined => {
    const at = now()
    const key = `${actor.sessionId} ${id}`
    const known = met.get(key)
    if (known !== undefined && isCurrent(known, actor, items, at)) return known.access
    const chain = chainFor(actor, items)
    const access = accessOf(chain, actor, at)
    met.set(key, { access, actor, items, from: at, until: nextEnd(chain, at) })
    return access
  }
  return {
    async access(db, actor, item) {
      if (db !== own || isVirtualFolder(item.fId)) return accessTo(db, actor, item, now())
      const items = chains.cached(item.fId)
      if (items !== undefined) return ofKind(meet(actor, items, item.fId), item)
      return ofKind(accessOf(await chains.read(actor, item.fId), actor, now()), item)
    },
    async accessEach(db, asked) {
      const chains = await readChains(
        db,
        asked.map(({ actor, item }) => ({ actor, id: item.fId })),
      )
      return asked.map(({ actor, item }, n) =>
        ofKind(
          isVirtualFolder(item.fId) ? virtualFolder(item.fId, actor) : accessOf(chains[n] ?? [], actor, now()),
          item,
        ),
      )
    },
    async lock(tx, items) {
      // All statements are sent at once and in order, so the caller's next statement runs when all rows are locked.
      await Promise.all([...items].sort((a, b) => a.fId - b.fId).map(({ fId, lock }) => lockItem(tx, fId, lock)))
    },
    async tryLock(tx, ids) {
      const { rows } = await sql<{ id: number }>`
        select id from item where id = any(${[...ids]}) order by id for share skip locked`.execute(tx)
      return new Set(rows.map(({ id }) => id))
    },
  }
}

/** Locks one row: `change` for an item to be altered, `hold` for one that must not change. */
export async function lockItem(tx: Tx, id: number, lock: 'change' | 'hold'): Promise<void> {
  const strength = lock === 'change' ? sql.raw('for no key update') : sql.raw('for share')
  await sql`select 1 from item where id = ${id} ${strength}`.execute(tx)
}
