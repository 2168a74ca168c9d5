// Item records as returned to callers ([R109]). Paths start below the last folder hidden from the caller, so the
// children of a hidden folder do not disclose its name.
import type { ItemRecord, StoredItem } from '@cloudoc/contract'
import {
  type Facts,
  fid,
  formatItemIdStr,
  hasStatus,
  ItemStatusBit,
  mainServerId,
  OperationBit,
  sensitiveBadge,
  VirtualFolder,
} from '@cloudoc/domain'
import type { Access, ItemRow, Library, PathLink } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'

/** The virtual folder that lists a library. */
export function virtualParentOf(library: Library, actor: Account): number {
  if (library.kind !== 'personal') return VirtualFolder.company
  return library.ownerId === actor.accountId ? VirtualFolder.mine : VirtualFolder.colleagues
}

/** The part of a path that the caller may know: everything below the last hidden folder. */
export function visiblePath(path: readonly PathLink[]): readonly PathLink[] {
  return path.slice(path.findLastIndex((link) => !link.visible) + 1)
}

const folderIdStr = (fId: number): string => formatItemIdStr({ serverId: mainServerId, fType: 2, fId })

function secretName(level: number, { settings }: Account): string {
  return level === 0 ? '' : (settings.secret_names[level - 1] ?? `${level}`)
}

const resultOfProcess = ItemStatusBit.approved | ItemStatusBit.rejected

/**
 * The process of a file: the one that it is in, or whose result holds for its current version. Undefined after a later
 * version: what was approved are bytes, not a name.
 */
export function processOf({
  process_id: id,
  process_version: version,
  status,
  ...row
}: Pick<ItemRow, 'process_id' | 'process_version' | 'status' | 'version'>): number | undefined {
  if (id === null) return undefined
  return (status & resultOfProcess) === 0 || version === row.version ? id : undefined
}

/** The stored status bits of an item, without the result of a process on an earlier version. */
export const storedStatus = (row: Parameters<typeof processOf>[0]): number =>
  row.process_id === null || processOf(row) !== undefined ? row.status : row.status & ~resultOfProcess

/**
 * The record of one item for the caller. For a link it contains the link itself and its unchecked target: see
 * followLinks. Fields that other features know are added by record-fields.ts.
 */
export function toRecord(
  row: ItemRow,
  facts: Facts,
  path: readonly PathLink[],
  library: Library,
  actor: Account,
): ItemRecord {
  const shown = visiblePath(path)
  const parent = shown.at(-1)
  const fId = row.link_to ?? row.id
  const parentFolderId = row.parent_id === null ? virtualParentOf(library, actor) : (parent?.id ?? 0)
  return {
    fId,
    fid: fid(mainServerId, fId),
    fName: row.name,
    fType: row.f_type,
    extName: row.ext,
    version: row.version,
    rights: row.link_to === null ? facts.rights : 0,
    itemStatus: facts.status,
    itemIdStr: formatItemIdStr({ serverId: mainServerId, fType: row.f_type, fId }),
    pathItemIdStr: shown.map((link) => folderIdStr(link.id)).join('/'),
    path: shown.map((link) => link.id).join('/'),
    pathString: shown.map((link) => link.name).join('/'),
    ownerId: library.ownerId ?? 0,
    serverId: mainServerId,
    secretLevel: facts.secretLevel,
    secretName: secretName(facts.secretLevel, actor),
    secretInfo: { secretLevel: facts.secretLevel },
    processId: processOf(row) ?? 0,
    externalId: 0,
    // The number of external links, as far as the item knows it: none, one, more ([R133]).
    externalNum: hasStatus(facts.status, 'externalLinkMulti')
      ? 2
      : hasStatus(facts.status, 'externalLinkSingle')
        ? 1
        : 0,
    linkId: row.link_to === null ? 0 : row.id,
    ...(row.link_to === null ? {} : { linkRights: facts.rights }),
    // Whoever saved it from a mail has that mail; record-fields.ts checks that it still exists.
    emailId: row.created_by === actor.accountId ? (row.mail_id ?? 0) : 0,
    sensitive: sensitiveBadge(facts.status),
    docFlag: facts.docFlag,
    editorId: row.editor_id ?? -1,
    editorName: row.editor ?? '',
    editorNames: row.editor ?? '',
    editorList: row.editor_id === null ? [] : [{ userId: row.editor_id, name: row.editor ?? '' }],
    parentFolderId,
    parentFolderName: parent?.name ?? '',
    parentItemIdStr: parentFolderId === 0 ? '' : folderIdStr(parentFolderId),
    fileSize: row.size,
    lastOperatorName: row.modifier,
    createTime: row.created_at,
    modifyTime: row.modified_at,
    diskTime: row.disk_time ?? 0,
    creatorName: row.creator,
    nameSort: row.name_sort,
    ...(facts.inReadOnlyLibrary && { libraryReadOnly: true as const }),
    ...(facts.inColleagueFiles && { colleague: true as const }),
    ...operationsOf(facts),
  }
}

function operationsOf({ downloadByApplication, downloadGranted, linkByApplication }: Facts): { operations?: number } {
  const operations =
    (downloadByApplication ? OperationBit.downloadByApplication : 0) |
    (downloadGranted ? OperationBit.downloadGranted : 0) |
    (linkByApplication ? OperationBit.linkByApplication : 0)
  return operations === 0 ? {} : { operations }
}

/** The record of an item that has passed a gate. */
export function recordOf(access: Access, actor: Account): ItemRecord {
  return toRecord(access.row, access.facts, access.path, access.library, actor)
}

/** The response of a write that has changed an item. */
export function storedItem(access: Access, actor: Account, changed: Partial<StoredItem>): StoredItem {
  const { fName, parentFolderId, version, createTime, modifyTime } = recordOf(access, actor)
  return { fName, parentFolderId, version, createTime, modifyTime, ...changed }
}

/** The response of a write that has created an item. */
export function newlyStored(fName: string, parentFolderId: number, version: 0 | 1, now: number): StoredItem {
  return { fName, parentFolderId, version, createTime: now, modifyTime: now }
}
