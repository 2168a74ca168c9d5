// Item records as callers get them ([R109]). Paths start at the first folder above which nothing is hidden from the
// caller: the name of a folder that somebody may not see is not told by its children.
import type { ItemRecord, StoredItem } from '@cloudoc/contract'
import {
  type Facts,
  fid,
  formatItemIdStr,
  hasStatus,
  mainServerId,
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

/** The part of a path that the caller may know: from the last hidden folder on. */
export function visiblePath(path: readonly PathLink[]): readonly PathLink[] {
  return path.slice(path.findLastIndex((link) => !link.visible) + 1)
}

const folderIdStr = (fId: number): string => formatItemIdStr({ serverId: mainServerId, fType: 2, fId })

function secretName(level: number, { settings }: Account): string {
  return level === 0 ? '' : (settings.secret_names[level - 1] ?? `${level}`)
}

/** One item as the caller may see it. Of a link it tells the place and what it refers to, unchecked: see followLinks. */
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
    processId: 0,
    externalId: 0,
    // How many are told apart as far as an item says it: none, one, more ([R133]).
    externalNum: hasStatus(facts.status, 'externalLinkMulti')
      ? 2
      : hasStatus(facts.status, 'externalLinkSingle')
        ? 1
        : 0,
    linkId: row.link_to === null ? 0 : row.id,
    ...(row.link_to === null ? {} : { linkRights: facts.rights }),
    emailId: 0,
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
  }
}

/** The record of an item that a gate has passed. */
export function recordOf(access: Access, actor: Account): ItemRecord {
  return toRecord(access.row, access.facts, access.path, access.library, actor)
}

/** What a write answers of an item that it has changed so. */
export function storedItem(access: Access, actor: Account, changed: Partial<StoredItem>): StoredItem {
  const { fName, parentFolderId, version, createTime, modifyTime } = recordOf(access, actor)
  return { fName, parentFolderId, version, createTime, modifyTime, ...changed }
}

/** The same of an item that a write has just put into a folder. */
export function newlyStored(fName: string, parentFolderId: number, version: 0 | 1, now: number): StoredItem {
  return { fName, parentFolderId, version, createTime: now, modifyTime: now }
}
