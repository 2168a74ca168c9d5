/*
 * What office packages (docx, xlsx, pptx) contain and do not show, for the check of sensitive content. Every part of the
 * package is looked at: of one that the reader has shown only what it leaves out, of any other one the whole text.
 */
import { posix } from 'node:path'
import type { HiddenContentKind } from '@cloudoc/domain'
import {
  alternativeText,
  cachedValues,
  hiddenStyles,
  partLines,
  propertiesText,
  unshownText,
  wholeText,
} from '@cloudoc/office/package'
import type { TextSection } from '../extracted-text.ts'
import { Refused } from '../refusal.ts'
import type { OfficePackage } from './package.ts'
import type { Hidden } from './reader.ts'
import { type Element, parseXml } from './xml.ts'

/** The page of a text: a slide or a sheet, or the whole document. */
export type Owner = Pick<TextSection, 'kind' | 'name'>

const mostPartBytes = 64 * 1024 * 1024

/** Parts that contain no text of the document, or whose text the reader has told cell by cell. */
const withoutText =
  /(^|\/)(\[Content_Types\]\.xml|_rels\/.*|theme\/.*|(styles|settings|webSettings|fontTable|numbering|stylesWithEffects|calcChain|sharedStrings|presProps|viewProps|tableStyles|metadata|sheetMetadata|persons?|people|commentsIds|commentsExtended|commentsExtensible)\d*\.xml|worksheets\/[^/]+\.xml|printerSettings\/.*|media\/.*|thumbnail\.[a-z]+|richData\/.*|revisions\/.*)$/i

const placeOf = (path: string): HiddenContentKind => {
  if (/comment/i.test(path)) return 'comment'
  if (/^docProps\//i.test(path)) return 'property'
  return 'hidden'
}

/** The owners of parts: each given part, and what only it refers to. */
export function ownersOf(
  office: OfficePackage,
  given: readonly (readonly [path: string, owner: Owner])[],
): ReadonlyMap<string, Owner> {
  const owners = new Map(given)
  const follow = (path: string, owner: Owner, depth: number): void => {
    for (const { type, target } of office.relations(path).values()) {
      if (target === '' || owners.has(target) || type === 'slideLayout' || type === 'notesMaster') continue
      owners.set(target, owner)
      if (depth < 3) follow(target, owner, depth + 1)
    }
  }
  for (const [path, owner] of given) follow(path, owner, 0)
  return owners
}

/** Tells what a package contains beside what its reader has shown, by the parts that the reader has read. */
export function reportHidden(
  office: OfficePackage,
  hidden: Hidden,
  {
    usual,
    owners,
    told = new Set(),
    notes = new Set(),
  }: {
    readonly usual: Owner
    readonly owners?: ReadonlyMap<string, Owner>
    /** The lines of speaker notes, which are shown with their slides. */
    readonly notes?: ReadonlySet<string>
    /** Parts that the reader has told already. */
    readonly told?: ReadonlySet<string>
  },
): void {
  const shown = new Set(office.read)
  const styles = hiddenStyles(office.xml('word/styles.xml'))
  for (const { path, size } of office.zip.entries) {
    if (path.endsWith('/') || told.has(path)) continue
    const owner = owners?.get(path) ?? usual
    try {
      if (/\.(xml|vml)$/i.test(path)) {
        if (withoutText.test(path)) continue
        if (size > mostPartBytes) hidden.leave(posix.basename(path), 'archiveTooLarge')
        else reportPart(path, office, { hidden, owner, styles, notes, isShown: shown.has(path) })
      } else if (isEmbedded(path)) {
        const bytes = office.zip.bytes(path)
        if (bytes !== undefined) hidden.enclose(posix.basename(path), bytes)
      }
    } catch (error) {
      hidden.leave(posix.basename(path), error instanceof Refused ? error.code : 'conversionFailed')
    }
  }
}

/** Files of other formats in the package: objects, and documents that Word inserts when it opens this one. */
const isEmbedded = (path: string): boolean =>
  !withoutText.test(path) &&
  (/(^|\/)embeddings\//i.test(path) || /\.(docx|xlsx|pptx|doc|xls|ppt|pdf|rtf|html?|mht|txt)$/i.test(path))

interface Reporting {
  readonly hidden: Hidden
  readonly owner: Owner
  readonly styles: ReadonlySet<string>
  readonly notes: ReadonlySet<string>
  readonly isShown: boolean
}

function reportPart(path: string, office: OfficePackage, { hidden, owner, styles, notes, isShown }: Reporting): void {
  const root = /\.vml$/i.test(path) ? drawingOf(office.zip.bytes(path)) : office.xml(path)
  if (root === undefined) return
  const add = (place: HiddenContentKind, text: string): void => {
    if (text !== '') hidden.add({ ...owner, place, text })
  }
  add('alternative', alternativeText(root))
  if (/pivotCache\//i.test(path)) return add('hidden', cachedValues(root))
  const place = placeOf(path)
  if (place === 'property') return add(place, propertiesText(root))
  if (/^word\//i.test(path) && isShown) {
    const { revision, hidden: unseen } = unshownText(root, styles)
    add('revision', revision)
    return add('hidden', unseen)
  }
  // The reader shows slides and charts; of notes, layouts and drawings of sheets only parts.
  if (isShown && /\/(slides|charts|diagrams)\/[^/]+$/i.test(path)) return
  const text = isShown ? partLines(root).filter((line) => !notes.has(line.trim())) : [wholeText(root)]
  add(place, text.join('\n'))
}

/** An old drawing. Excel writes some that are no XML; of those the text between the tags is read. */
function drawingOf(bytes: Buffer | undefined): Element | undefined {
  if (bytes === undefined) return undefined
  try {
    return parseXml(bytes)
  } catch {
    const text = bytes.toString().replace(/<x:ClientData[\s\S]*?<\/x:ClientData>/g, '')
    return { name: 'text', attributes: {}, children: [text.replace(/<[^>]*>/g, '\n')] }
  }
}
