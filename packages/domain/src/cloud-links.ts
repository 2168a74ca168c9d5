/*
 * Link files (.dmcd, [R131]): what a drag of items out of a list puts on the disk, or hands to another window. A link
 * file names items and contains nothing of them; whoever opens it sees what their own rights show.
 *
 * A dragged link file counts as a link to its items only while it is young. Later it is a file like any other, because
 * nobody can tell any more that a drag has made it.
 */
import type { ItemIdParts } from './ids.ts'
import { limits } from './limits.ts'
import { extNameOf } from './names.ts'

/** The extension of link files. */
export const cloudLinkExt = 'dmcd'

const format = 'cloudoc-dmcd'
/** At most so many items are in a link file, and the file is no longer. */
const mostItems = 500
const longestFile = 256 * 1024
/** File systems round times, up to two seconds (FAT). */
const roundedMs = 2000

/** An item of a link file. */
export interface CloudLinkItem extends ItemIdParts {
  readonly fName: string
}

/** The content of a link file. */
export interface CloudLink {
  /** Origin of the server. */
  readonly server: string
  readonly items: readonly CloudLinkItem[]
}

/** Returns the text of a link file. Items beyond the 500th are left out. */
export function writeCloudLink({ server, items }: CloudLink): string {
  const listed = items.slice(0, mostItems).map(({ serverId, fType, fId, fName }) => ({ serverId, fType, fId, fName }))
  return JSON.stringify({ format, server, items: listed })
}

/** Reads the text of a link file; undefined if it is none. */
export function readCloudLink(text: string): CloudLink | undefined {
  if (text.length > longestFile) return undefined
  let told: unknown
  try {
    told = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof told !== 'object' || told === null) return undefined
  const { format: kind, server, items } = told as Readonly<Record<string, unknown>>
  if (kind !== format || typeof server !== 'string' || !Array.isArray(items)) return undefined
  const isRead = items.length > 0 && items.length <= mostItems && items.every(isItem)
  return isRead ? { server, items } : undefined
}

function isItem(value: unknown): value is CloudLinkItem {
  if (typeof value !== 'object' || value === null) return false
  const { serverId, fType, fId, fName } = value as Readonly<Record<string, unknown>>
  return (
    Number.isSafeInteger(serverId) &&
    (fType === 1 || fType === 2) &&
    Number.isSafeInteger(fId) &&
    typeof fName === 'string'
  )
}

/** Whether a dragged file is a link to items: a link file that is younger than 20 s. */
export function isCloudLink(file: { readonly name: string; readonly lastModified: number }, now: number): boolean {
  const age = now - file.lastModified
  return extNameOf(file.name) === cloudLinkExt && age < limits.cloudLinkMs && age >= -roundedMs
}

/** The name of the link file of these items: that of the first one. */
export const cloudLinkName = ([first]: readonly { readonly fName: string }[]): string =>
  `${first?.fName ?? ''}.${cloudLinkExt}`
