// The package parts that a document needs besides its main part, with their relationships and content types.
import { escape, type Package, relationsOf } from './package.ts'

/** Changed parts of a package, by name. */
export type PartChanges = Map<string, string | Uint8Array>

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships'

export interface Relation {
  readonly id: string
  /** The last segment of the relationship type. */
  readonly kind: string
  readonly target: string
  readonly isExternal?: boolean
}

/** The relationships part of a part. */
const relationsFile = (part: string): string => part.replace(/([^/]*)$/, '_rels/$1.rels')

/** Adds relationships to a part, except those that it already has. */
export function addRelations(
  packed: Package,
  changes: PartChanges,
  part: string,
  relations: readonly Relation[],
): void {
  const file = relationsFile(part)
  const kept = changes.get(file)
  const old =
    typeof kept === 'string'
      ? kept
      : packed.has(file)
        ? packed.text(file)
        : `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${relationships}"></Relationships>`
  const fresh = relations.filter(({ id }) => !old.includes(`"${id}"`))
  if (fresh.length === 0) return
  const lines = fresh.map(({ id, kind, target, isExternal = false }) => {
    const mode = isExternal ? ' TargetMode="External"' : ''
    return `Relationship Id="${id}" Type="${office}/${kind}" Target="${escape(target)}"${mode}/>`
  })
  changes.set(file, within(old, 'Relationships', lines))
}

/** Declares the content type of all parts with an extension, or of one part. */
export function addContentType(
  packed: Package,
  changes: PartChanges,
  what: { readonly ending: string } | { readonly part: string },
  type: string,
): void {
  const file = '[Content_Types].xml'
  const kept = changes.get(file)
  const old = typeof kept === 'string' ? kept : packed.text(file)
  const [known, line] =
    'ending' in what
      ? [`Extension="${what.ending}"`, `Default Extension="${what.ending}" ContentType="${type}"/>`]
      : [`PartName="/${what.part}"`, `Override PartName="/${what.part}" ContentType="${type}"/>`]
  if (!old.toLowerCase().includes(known.toLowerCase())) changes.set(file, within(old, 'Types', [line]))
}

/** Appends elements to the root of a part. Each is passed without the opening `<` and its prefix. */
function within(xml: string, root: string, lines: readonly string[]): string {
  const prefix = new RegExp(`<((?:[\\w.-]+:)?)${root}[\\s/>]`).exec(xml)?.[1] ?? ''
  const inside = lines.map((line) => `<${prefix}${line}`).join('')
  const end = `</${prefix}${root}>`
  if (xml.includes(end)) return xml.replace(end, () => inside + end)
  return xml.replace(
    new RegExp(`(<${prefix}${root}(?:\\s[^>]*?)?)\\s*/>`),
    (_, open: string) => `${open}>${inside}${end}`,
  )
}

/** Sets the numbering part of a document; adds it if there is none. */
export function setNumbering(packed: Package, changes: PartChanges, main: string, xml: string): void {
  const found = [...relationsOf(packed, main).values()].find(({ kind }) => kind === 'numbering')?.part
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const part = found ?? `${folder}numbering.xml`
  changes.set(part, xml)
  if (found !== undefined) return
  addRelations(packed, changes, main, [{ id: 'rIdCdNumbering', kind: 'numbering', target: 'numbering.xml' }])
  addContentType(
    packed,
    changes,
    { part },
    'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml',
  )
}

// A draft as JSON: the main part and the other changed parts. A draft that changes only the main part is its plain XML.

interface Draft {
  readonly texts: Readonly<Record<string, string>>
  readonly bytes: Readonly<Record<string, string>>
}

/** Serializes changes as a draft. */
export function draftOf(main: string, xml: string, changes: PartChanges): string {
  const beside = [...changes].filter(([name]) => name !== main)
  if (beside.length === 0) return xml
  const texts: Record<string, string> = { [main]: xml }
  const bytes: Record<string, string> = {}
  for (const [name, content] of beside) {
    if (typeof content === 'string') texts[name] = content
    else bytes[name] = toBase64(content)
  }
  return JSON.stringify({ texts, bytes } satisfies Draft)
}

export function changesOf(main: string, draft: string): PartChanges {
  if (!draft.startsWith('{')) return new Map([[main, draft]])
  const { texts, bytes } = JSON.parse(draft) as Draft
  const packed = Object.entries(bytes).map(([name, content]): [string, Uint8Array] => [name, fromBase64(content)])
  return new Map<string, string | Uint8Array>([...Object.entries(texts), ...packed])
}

const piece = 0x8000

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += piece) text += String.fromCharCode(...bytes.subarray(at, at + piece))
  return btoa(text)
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
}
