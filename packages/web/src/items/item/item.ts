// Helpers for item records that the screens of the drive share.
import type { ItemRecord } from '@cloudoc/contract'
import {
  extNameOf,
  formatItemIdStr,
  type ItemIdParts,
  mainServerId,
  parseCompositeId,
  parseItemIdStr,
  splitName,
} from '@cloudoc/domain'

/**
 * Identifies an item across servers: `f12` is a file, `d12` a folder, `l12` a link on the main server, `s2f12` a file on
 * server 2. Items of the main server have no prefix, so that stored keys stay valid.
 */
export type ItemKey = string

/** The identity of an item: server, kind, id. A link is identified by its own id ([R121]). */
export type ItemRef = Pick<ItemRecord, 'serverId' | 'fId' | 'fType'> & { readonly linkId?: number | undefined }

/** The identity of a file. */
export type FileRef = Pick<ItemRecord, 'serverId' | 'fId'>

/** The identity of a folder. */
export type FolderRef = Pick<ItemRecord, 'serverId' | 'fId'>

/** Returns the key that identifies an item in selections, rows and lists. */
export function keyOf({ serverId, fId, fType, linkId }: ItemRef): ItemKey {
  const key = linkId ? `l${linkId}` : `${fType === 2 ? 'd' : 'f'}${fId}`
  return serverId === mainServerId ? key : `s${serverId}${key}`
}

/** Whether the row is a link to an item rather than the item itself. */
export function isLink(item: { readonly linkId?: number | undefined }): boolean {
  return (item.linkId ?? 0) !== 0
}

export function isFolder(item: Pick<ItemRecord, 'fType'>): boolean {
  return item.fType === 2
}

/** Returns the address of a folder in the files view, optionally with items to select and scroll to. */
export function folderPath(folder: FolderRef, ...focus: readonly ItemRef[]): string {
  const query = new URLSearchParams({ itemIdStr: itemIdStr(asFolder(folder)) })
  if (focus.length > 0) query.set('focusItemIdStr', focus.map(itemIdStr).join(','))
  return `/doc/folder/files?${query}`
}

/** Returns the address that opens an item: a folder itself, a file or a link in its folder. */
export function itemPath(item: ItemRef): string {
  return `/doc/folder/files?${new URLSearchParams({ itemIdStr: itemIdStr(item) })}`
}

/** The query parameter of a files view address that opens the side panel of the item at a tab. */
export const panelQuery = 'panel'

/** The content of a files view address. */
export interface FilesAddress {
  /** The folder. Undefined if the address names none, or names items whose folder must be looked up. */
  readonly folder: FolderRef | undefined
  /** Items whose folder is opened with them selected. */
  readonly items: readonly ItemIdParts[]
  /** Items in the folder to select and scroll to: item ids as text, separated by commas. */
  readonly focus: string
  /** True if the address opens the comments of the item. */
  readonly comments: boolean
}

/** Parses an address of the files view ([R062]). Ids are item ids, or composite ids ([R112]). */
export function readFilesAddress(query: URLSearchParams): FilesAddress {
  const ids = (query.get('itemIdStr') ?? '').split(',')
  const items = ids.flatMap((id) => parseItemIdStr(id) ?? parseCompositeId(id) ?? [])
  const [only] = items
  const isFolder = items.length === 1 && only?.fType === 2
  return {
    folder: isFolder ? { serverId: only.serverId, fId: only.fId } : undefined,
    items: isFolder ? [] : items,
    focus: query.get('focusItemIdStr') ?? '',
    comments: query.get(panelQuery) === 'comments',
  }
}

/** Returns the id of an item as text ([R113]). */
export function itemIdStr({ serverId, fType, fId, linkId }: ItemRef): string {
  return formatItemIdStr({ serverId, fType, fId: linkId || fId })
}

/** Returns a folder as an item. */
export function asFolder({ serverId, fId }: FolderRef): ItemRef {
  return { serverId, fId, fType: 2 }
}

/** Returns the folder that contains an item. It is on the server of the item. */
export function parentOf({ serverId, parentFolderId }: Pick<ItemRecord, 'serverId' | 'parentFolderId'>): FolderRef {
  return { serverId, fId: parentFolderId }
}

/** Returns the ids of a selection as arguments of batch calls. */
export function idArrays(items: readonly ItemRef[]): {
  fileIdArray: number[]
  folderIdArray: number[]
  linkIdArray: number[]
} {
  const own = items.filter((item) => !isLink(item))
  return {
    fileIdArray: own.filter((item) => item.fType === 1).map((item) => item.fId),
    folderIdArray: own.filter((item) => item.fType === 2).map((item) => item.fId),
    linkIdArray: items.flatMap((item) => item.linkId || []),
  }
}

/** The number of characters at the end of a shortened name, so that the extension stays readable. */
const keptTail = 4

/**
 * Splits a file name into the two parts between which it may be shortened. The name of a folder is never shortened in
 * the middle.
 */
export function nameParts(name: string, folder: boolean): { head: string; tail: string } {
  const { base, ext } = folder ? { base: name, ext: '' } : splitName(name)
  if (ext === '') return { head: name, tail: '' }
  const characters = [...base]
  const head = characters.slice(0, Math.max(0, characters.length - keptTail)).join('')
  return { head, tail: name.slice(head.length) }
}

/** Returns the extension that determines the icon and the preview. */
export function extOf(item: Pick<ItemRecord, 'fName' | 'fType'>): string {
  return isFolder(item) ? '' : extNameOf(item.fName)
}
