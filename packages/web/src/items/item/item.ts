// What the drive's screens ask of an item record.
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

/** Names an item within one server: `f12` a file, `d12` a folder, `l12` a link. */
export type ItemKey = string

/** What every screen needs to know of an item to show and act on it. A link is known by its own id ([R121]). */
export type ItemRef = Pick<ItemRecord, 'fId' | 'fType'> & { readonly linkId?: number | undefined }

/** The key that selections, rows and lists know an item by. */
export function keyOf(item: ItemRef): ItemKey {
  if (isLink(item)) return `l${item.linkId}`
  return `${item.fType === 2 ? 'd' : 'f'}${item.fId}`
}

/** Whether the row is a link to an item, not the item. */
export function isLink(item: { readonly linkId?: number | undefined }): boolean {
  return (item.linkId ?? 0) !== 0
}

/** Whether the item is a folder. */
export function isFolder(item: Pick<ItemRecord, 'fType'>): boolean {
  return item.fType === 2
}

/** The address of a folder in the files view, with items in it to select and scroll to. */
export function folderPath(folderId: number, ...focus: readonly ItemRef[]): string {
  const query = new URLSearchParams({ itemIdStr: folderIdStr(folderId) })
  if (focus.length > 0) query.set('focusItemIdStr', focus.map(itemIdStr).join(','))
  return `/doc/folder/files?${query}`
}

/** What an address of the files view names. */
export interface FilesAddress {
  /** The folder; undefined where the address names none, or items whose folder has to be asked for. */
  readonly folderId: number | undefined
  /** Items, as their folder is to be opened at them. */
  readonly items: readonly ItemIdParts[]
  /** Items in the folder to select and scroll to, written ids with commas. */
  readonly focus: string
}

/** Reads an address of the files view ([R062]): ids are written as item ids, or as composite ones ([R112]). */
export function readFilesAddress(query: URLSearchParams): FilesAddress {
  const ids = (query.get('itemIdStr') ?? '').split(',')
  const items = ids.flatMap((id) => parseItemIdStr(id) ?? parseCompositeId(id) ?? [])
  const [only] = items
  const isFolder = items.length === 1 && only?.fType === 2 && only.serverId === mainServerId
  return {
    folderId: isFolder ? only.fId : undefined,
    items: isFolder ? [] : items,
    focus: query.get('focusItemIdStr') ?? '',
  }
}

/** The written id of an item on the main server ([R113]). */
export function itemIdStr(item: ItemRef): string {
  return formatItemIdStr({ serverId: mainServerId, fType: item.fType, fId: item.linkId || item.fId })
}

/** The written id of a folder on the main server ([R113]). */
export function folderIdStr(folderId: number): string {
  return itemIdStr({ fType: 2, fId: folderId })
}

/** The ids of a selection as batch calls take them. */
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

/** How many characters at the end of a name stay when its middle is left out, so that the extension can be read. */
const keptTail = 4

/** A file name in the two parts it may be cut between; a folder's name is never cut in the middle. */
export function nameParts(name: string, folder: boolean): { head: string; tail: string } {
  const { base, ext } = folder ? { base: name, ext: '' } : splitName(name)
  if (ext === '') return { head: name, tail: '' }
  const characters = [...base]
  const head = characters.slice(0, Math.max(0, characters.length - keptTail)).join('')
  return { head, tail: name.slice(head.length) }
}

/** A name within a sentence: of a very long one the beginning and the end, with its number and extension. */
export function nameInText(name: string): string {
  const characters = [...name]
  return characters.length <= 40 ? name : `${characters.slice(0, 26).join('')}…${characters.slice(-12).join('')}`
}

/** The extension an icon or a preview is chosen by. */
export function extOf(item: Pick<ItemRecord, 'fName' | 'fType'>): string {
  return isFolder(item) ? '' : extNameOf(item.fName)
}
