/*
 * Link files (.dmcd) of drags ([R131]). Items that are dragged out of a list are handed over twice: as a link file, which
 * browsers that can (Chromium) put onto the desktop or into a program, and as data for other windows of the same server.
 */
import {
  type CloudLink,
  type CloudLinkItem,
  cloudLinkName,
  isCloudLink,
  readCloudLink,
  writeCloudLink,
} from '@cloudoc/domain'

/** The type of the drag data. Only pages of this server read it. */
const linkType = 'application/x-cloudoc-links'

/** Adds the link file of these items to the data of a drag. */
export function offerCloudLink(data: DataTransfer, items: readonly CloudLinkItem[]): void {
  if (items.length === 0) return
  const text = writeCloudLink({ server: location.origin, items })
  const type = 'application/octet-stream'
  data.setData(linkType, text)
  // A colon would end the name.
  const name = cloudLinkName(items).replaceAll(':', '_')
  data.setData('DownloadURL', `${type}:${name}:data:${type};base64,${base64Of(text)}`)
}

function base64Of(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Whether a drag comes from a list in another window of this server. */
export const carriesCloudLink = (data: DataTransfer): boolean => data.types.includes(linkType)

/** Returns the items of a drag from another window; undefined if it is none. */
export function linkOfDrag(data: DataTransfer): CloudLink | undefined {
  const text = data.getData(linkType)
  return text === '' ? undefined : ownLink(readCloudLink(text))
}

/** A dropped link file. */
export interface DroppedLink extends CloudLink {
  readonly name: string
}

/**
 * Returns the link file among dropped files. Undefined if there is none, if it is no longer young, if it is of another
 * server, or if other files were dropped with it: then all of them are local files.
 */
export async function linkOfFiles(files: readonly File[], now = Date.now()): Promise<DroppedLink | undefined> {
  const [file] = files
  if (file === undefined || files.length > 1 || !isCloudLink(file, now)) return undefined
  const link = ownLink(readCloudLink(await file.text()))
  return link && { ...link, name: file.name }
}

const ownLink = (link: CloudLink | undefined): CloudLink | undefined =>
  link?.server === location.origin ? link : undefined
