/*
 * The written forms of an item's identity:
 * - fid: {serverId}-{fId}, the key of the item record
 * - composite: {serverId}|{fid}|{fType}|{ownerId}; with two parts: server and id; a plain value: a file on the main server
 * - itemIdStr: s{serverId}f{n} for a file, s{serverId}f-{n} for a folder
 * - batch id: f{n} for a file, f-{n} for a folder, l{n} for a link; used in batch answers
 *
 * Numbers have no leading zeros, so each identity has exactly one form. Parsing is strict.
 */

/** The main server's id. [X28] */
export const mainServerId = 0

/**
 * Virtual folders, which list items but do not exist: company and department libraries, my files, colleagues' files.
 * [R110]
 */
export const VirtualFolder = { company: -1, mine: -2, colleagues: -3 } as const

/** Returns whether a folder id is a virtual folder; virtual folders are not writable. */
export function isVirtualFolder(folderId: number): boolean {
  return folderId <= VirtualFolder.company && folderId >= VirtualFolder.colleagues
}

/** 1 is a file, 2 a folder. */
export const FType = { file: 1, folder: 2 } as const

/** The type of an item: 1 a file, 2 a folder. */
export type FType = (typeof FType)[keyof typeof FType]

/** An item on a server. */
export interface ItemIdParts {
  readonly serverId: number
  readonly fType: FType
  readonly fId: number
}

/** Returns the key of an item, unique across all servers. [R109] */
export function fid(serverId: number, fId: number): string {
  return `${serverId}-${fId}`
}

/** The parts of a composite id; the short forms have no owner. */
export interface CompositeId extends ItemIdParts {
  readonly ownerId?: number
}

const natural = '(?:0|[1-9]\\d{0,14})'
const integer = `(?:-?[1-9]\\d{0,14}|0)`
const compositeForm = new RegExp(`^(${natural})\\|(?:(${natural})-)?(${integer})\\|([12])\\|(${integer})$`)
const twoPartForm = new RegExp(`^(${natural})\\|(?:(${natural})-)?(${integer})$`)
const plainForm = new RegExp(`^${integer}$`)

/** Formats a composite id in its full form. [R112] */
export function formatCompositeId(id: Required<CompositeId>): string {
  return `${id.serverId}|${fid(id.serverId, id.fId)}|${id.fType}|${id.ownerId}`
}

/** Parses a composite id, whose fid may be the item's number alone; undefined for invalid text. [R112] */
export function parseCompositeId(text: string): CompositeId | undefined {
  if (plainForm.test(text)) return { serverId: mainServerId, fType: FType.file, fId: Number(text) }
  const parts = compositeForm.exec(text) ?? twoPartForm.exec(text)
  if (parts === null) return undefined
  const [, serverId, fidServerId = serverId, fId, fType, ownerId] = parts
  if (fidServerId !== serverId) return undefined
  return {
    serverId: Number(serverId),
    fType: Number(fType) === FType.folder ? FType.folder : FType.file,
    fId: Number(fId),
    ...(ownerId === undefined ? {} : { ownerId: Number(ownerId) }),
  }
}

/** The written id of an item, branded so that no other string can be used in its place. [R113] */
export type ItemIdStr = string & { readonly __brand: 'itemIdStr' }

const itemIdForm = new RegExp(`^s(${natural})f(?:(${natural})|-(${integer}))$`)

/** Formats an item id string. [R113] */
export function formatItemIdStr({ serverId, fType, fId }: ItemIdParts): ItemIdStr {
  return `s${serverId}f${fType === FType.folder ? '-' : ''}${fId}` as ItemIdStr
}

/** Parses an item id string; undefined for invalid text. [R113] */
export function parseItemIdStr(text: string): ItemIdParts | undefined {
  const parts = itemIdForm.exec(text)
  if (parts === null) return undefined
  const [, serverId, fileId, folderId] = parts
  return fileId === undefined
    ? { serverId: Number(serverId), fType: FType.folder, fId: Number(folderId) }
    : { serverId: Number(serverId), fType: FType.file, fId: Number(fileId) }
}

/** The parts of a batch id; `fType` 0 is a link, with the link's own id. */
export interface BatchIdParts {
  readonly fType: 0 | FType
  readonly fId: number
}

const batchForm = new RegExp(`^(l|f|f-)(${natural})$`)
const batchTypes = { l: 0, f: FType.file, 'f-': FType.folder } as const

/** Formats the id of an item in a batch answer (decisions, "Batch answer"). */
export function formatBatchId({ fType, fId }: BatchIdParts): string {
  return `${{ 0: 'l', 1: 'f', 2: 'f-' }[fType]}${fId}`
}

/** Parses the id of an item in a batch answer; undefined for invalid text. */
export function parseBatchId(text: string): BatchIdParts | undefined {
  const [, type, number] = batchForm.exec(text) ?? []
  return type === undefined ? undefined : { fType: batchTypes[type as keyof typeof batchTypes], fId: Number(number) }
}

/** Returns the address of an item in the page: a folder opens, a file is shown in its folder. */
export function itemAddress(item: { readonly fType: 1 | 2; readonly fId: number; readonly serverId?: number }): string {
  const { fType, fId, serverId = 0 } = item
  return `/doc/folder/files?itemIdStr=${formatItemIdStr({ serverId: fType === 2 ? 0 : serverId, fType, fId })}`
}
