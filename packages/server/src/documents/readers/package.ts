// Office documents: zip archives of XML parts connected by relationships. External relationships are not followed.
import { posix } from 'node:path'
import type { PartNumber } from '@cloudoc/contract'
import type { Parts } from '../container.ts'
import { Refused } from '../refusal.ts'
import { children, type Element, parseXml } from './xml.ts'
import { readZip, type Zip } from './zip.ts'

export { colorOf, fromEmu, fromPoints, fromTwips } from '@cloudoc/office/package'

export interface OfficePackage {
  readonly zip: Zip
  /** The XML files that have been read. */
  readonly read: ReadonlySet<string>
  xml(path: string): Element | undefined
  /** The relationships of a file, by id. */
  relations(path: string): ReadonlyMap<string, Relation>
  /** Adds a picture of the package as a part, once; undefined if browsers do not show it. */
  picture(path: string): PartNumber | undefined
  /** Width by height of a picture, if its first bytes say it. */
  pictureRatio(path: string): number | undefined
}

interface Relation {
  /** The last segment of the relationship type. */
  readonly type: string
  /** The target in the package; empty if it is external. */
  readonly target: string
  /** The external address. */
  readonly address: string
}

type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** Detects the type of a picture by its first bytes, among those that browsers show and that contain only pixels. */
export function pictureType(bytes: Buffer): PictureType | undefined {
  if (bytes.length < 12) return undefined
  if (bytes.readUInt32BE(0) === 0x89504e47) return 'image/png'
  if (bytes.readUInt16BE(0) === 0xffd8) return 'image/jpeg'
  if (bytes.toString('latin1', 0, 4) === 'GIF8') return 'image/gif'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp'
  return undefined
}

/** Width by height of a picture by its first bytes. */
function ratioOf(bytes: Buffer): number | undefined {
  const ratio = (width: number, height: number): number | undefined =>
    width > 0 && height > 0 ? width / height : undefined
  const type = pictureType(bytes)
  if (type === 'image/png' && bytes.length >= 24) return ratio(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
  if (type === 'image/gif') return ratio(bytes.readUInt16LE(6), bytes.readUInt16LE(8))
  if (type !== 'image/jpeg') return undefined
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    // The frame headers; C4, C8 and CC are others.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return ratio(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
  }
  return undefined
}

export function openPackage(bytes: Buffer, parts: Parts): OfficePackage {
  const zip = readZip(bytes)
  const pictures = new Map<string, PartNumber | undefined>()
  const read = new Set<string>()
  const xml = (path: string): Element | undefined => {
    const found = zip.bytes(path)
    read.add(path)
    return found && parseXml(found)
  }
  return {
    zip,
    read,
    xml,
    relations(path) {
      const file = posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`)
      return new Map(
        children(xml(file), 'Relationship').flatMap(({ attributes }) => {
          const { Id: id, Target: target, Type: type = '', TargetMode: mode } = attributes
          if (id === undefined || target === undefined) return []
          const about = { type: posix.basename(type) }
          if (mode === 'External') return [[id, { ...about, target: '', address: target }]]
          const inside = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(path), target)
          return [[id, { ...about, target: inside, address: '' }]]
        }),
      )
    },
    picture(path) {
      if (pictures.has(path)) return pictures.get(path)
      const found = zip.bytes(path)
      const type = found && pictureType(found)
      const part = found && type && parts.bytes(type, found)
      pictures.set(path, part)
      return part
    },
    pictureRatio(path) {
      const found = zip.bytes(path)
      return found && ratioOf(found)
    },
  }
}

/** The main file of the package. */
export function mainFile(office: OfficePackage, usual: string): { path: string; root: Element } {
  const found = [...office.relations('').values()].find(({ type }) => type === 'officeDocument')
  const path = found?.target || usual
  const root = office.xml(path)
  if (root === undefined) throw new Refused('conversionFailed', 'no document in it')
  return { path, root }
}
