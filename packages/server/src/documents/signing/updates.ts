/*
 * Reads what was appended to a signed PDF. Only updates in the very form that increment.ts writes are recognized: the
 * signature of a field that the base revision holds empty, and the evidence of signatures. Everything else is a change
 * of the document, whatever a reader would show of it: that is how files with a valid signature are given another content
 * (incremental saving, shadow and certification attacks). So nothing is allowed because it looks harmless.
 */
import { type Before, endingOf, evidenceMark, type Trailer } from './increment.ts'

/** One object of an update: its number, where it begins, its dictionary, and the content of a short stream. */
interface Part {
  readonly number: number
  readonly at: number
  readonly text: string
  readonly content: string | undefined
}

const longestDictionary = 1024 * 1024
const longestDrawing = 200
const latin1 = (pdf: Buffer, from: number, to: number): string => pdf.toString('latin1', from, to)

/** The trailer of an update that we wrote, which ends there. */
function trailerAt(pdf: Buffer, end: number): (Trailer & Before) | undefined {
  const found =
    /trailer\n<< \/Size (\d+) \/Root (\d+) 0 R(?: \/Info (\d+) 0 R)? \/Prev \d+ >>\nstartxref\n(\d+)\n%%EOF$/.exec(
      latin1(pdf, Math.max(0, end - 256), end),
    )
  if (found === null) return undefined
  const [, size, root, info, xref] = found
  return { size: Number(size), root: Number(root), info: info === undefined ? null : Number(info), xref: Number(xref) }
}

/** Where an object begins, by the cross-reference tables of the revision whose table is at `xref`. */
function offsetOf(pdf: Buffer, xref: number, wanted: number): number | undefined {
  for (let table = xref; latin1(pdf, table, table + 5) === 'xref\n'; ) {
    let at = table + 5
    for (;;) {
      const section = /^(\d+) (\d+) ?\n/.exec(latin1(pdf, at, at + 32))
      if (section === null) break
      at += section[0].length
      const [first, count] = [Number(section[1]), Number(section[2])]
      if (wanted >= first && wanted < first + count) {
        const entry = latin1(pdf, at + 20 * (wanted - first), at + 20 * (wanted - first) + 18)
        return /^\d{10} \d{5} n$/.test(entry) ? Number(entry.slice(0, 10)) : undefined
      }
      at += 20 * count
    }
    const trailer = latin1(pdf, at, Math.min(at + 4096, pdf.indexOf('startxref', at, 'latin1')))
    const previous = /\/Prev (\d+)/.exec(trailer)
    // Tables point back, so there is an end.
    if (previous === null || Number(previous[1]) >= table) return undefined
    table = Number(previous[1])
  }
  return undefined
}

/** The dictionary of an object as it stands in a revision. */
function dictionaryOf(pdf: Buffer, xref: number, number: number): string | undefined {
  const at = offsetOf(pdf, xref, number)
  const head = `${number} 0 obj\n`
  if (at === undefined || latin1(pdf, at, at + head.length) !== head) return undefined
  const end = pdf.indexOf('\nendobj', at, 'latin1')
  return end < 0 || end - at > longestDictionary ? undefined : latin1(pdf, at + head.length, end)
}

/** The objects from a position on, and where they end. */
function partsAt(pdf: Buffer, start: number): { readonly parts: readonly Part[]; readonly end: number } | undefined {
  const parts: Part[] = []
  for (let at = start; ; ) {
    const head = /^(\d+) 0 obj\n/.exec(latin1(pdf, at, at + 32))
    if (head === null) return { parts, end: at }
    const from = at + head[0].length
    const stream = /^<< (.*) \/Length (\d+) >>\nstream\n/.exec(latin1(pdf, from, from + 1024))
    const inside = from + (stream?.[0].length ?? 0)
    const end = stream === null ? pdf.indexOf('\nendobj\n', from, 'latin1') : inside + Number(stream[2])
    const close = stream === null ? '\nendobj\n' : '\nendstream\nendobj\n'
    if (end < 0 || latin1(pdf, end, end + close.length) !== close) return undefined
    if (stream === null && end - from > longestDictionary) return undefined
    parts.push({
      ...{ number: Number(head[1]), at, text: stream?.[1] ?? latin1(pdf, from, end) },
      content: stream === null ? undefined : end - inside > longestDrawing ? '' : latin1(pdf, inside, end),
    })
    at = end + close.length
  }
}

const kinds = {
  evidence: /^$/,
  mask: /^\/Type \/XObject \/Subtype \/Image \/Width \d+ \/Height \d+ \/BitsPerComponent 8 \/Filter \/FlateDecode \/ColorSpace \/DeviceGray$/,
  picture:
    /^\/Type \/XObject \/Subtype \/Image \/Width \d+ \/Height \d+ \/BitsPerComponent 8 \/Filter \/FlateDecode \/ColorSpace \/DeviceRGB \/SMask (?<mask>\d+) 0 R$/,
  stamp:
    /^\/Type \/XObject \/Subtype \/Form \/BBox \[0 0 [\d.]+ [\d.]+\] \/Matrix \[[-01 ]+\] \/Resources << \/XObject << \/Im0 (?<picture>\d+) 0 R >> >>$/,
  signature:
    /^<< \/Type \/Sig \/Filter \/Adobe\.PPKLite \/SubFilter \/ETSI\.CAdES\.detached \/ByteRange \[0 \d+ (?<second>\d+) (?<rest>\d+)\] *\/Contents <[\da-fA-F]+> \/M \(D:\d{14}\+00'00'\) \/Name <[\da-f]*>(?: \/Reason <[\da-f]*>)? >>$/,
  field:
    /^<< (?<fixed>\/Type \/Annot \/Subtype \/Widget \/FT \/(?:Sig|Tx|Btn)(?: \/Ff \d+)?(?: \/DA \(\/Helv 0 Tf 0 g\))? \/F 132 \/T <[\da-f]+> \/Rect \[[-\d. ]+\] \/P \d+ 0 R)(?: \/V (?:(?<signature>\d+) 0 R|<[\da-f]*>))? \/AP << \/N (?<stamp>\d+) 0 R >>(?: \/MK << \/R (?:90|180|270) >>)? >>$/,
  list: /^<< \/Type \/DSS (?:\/(?:Certs|OCSPs|CRLs) \[(?:\d+ 0 R ?)+\] )+>>$/,
} as const
type Kind = keyof typeof kinds
const streams: readonly Kind[] = ['evidence', 'mask', 'picture', 'stamp']
const drawing = /^q [\d.]+ 0 0 [\d.]+ 0 0 cm \/Im0 Do Q$/

interface Known {
  readonly kind: Kind | 'catalog'
  readonly names: Readonly<Record<string, string | undefined>>
}

function kindOf({ text, content }: Part, isNew: boolean): Known | undefined {
  for (const [kind, form] of Object.entries(kinds) as [Kind, RegExp][]) {
    if (streams.includes(kind) !== (content !== undefined) || isNew !== (kind !== 'field')) continue
    const found = form.exec(text)
    if (found !== null && (kind !== 'stamp' || drawing.test(content ?? ''))) return { kind, names: found.groups ?? {} }
  }
  return undefined
}

/** The entries of a dictionary of simple values, or undefined if it holds others. */
function entriesOf(text: string): string | undefined {
  const found = new Map<string, string>()
  const entry = /\s*\/(\w+)\s*(\/\w+|\[[^\]]*\]|<[\da-fA-F]*>|\([^()\\]*\)|\d+ 0 R|-?[\d.]+)\s*/y
  for (entry.lastIndex = 0; entry.lastIndex < text.length; ) {
    const next = entry.exec(text)
    if (next === null) return undefined
    const [, name = '', value = ''] = next
    const numbers = value.startsWith('[') ? value.slice(1, -1).trim().split(/\s+/).map(Number).join(' ') : undefined
    found.set(name, numbers ?? (value.startsWith('<') ? value.toLowerCase() : value))
  }
  return JSON.stringify([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether a field is the one that the earlier revision holds, and holds empty. */
function isSameField(pdf: Buffer, { xref }: Before, number: number, fixed: string): boolean {
  const before = /^<<([^]*)>>$/.exec(dictionaryOf(pdf, xref, number) ?? '')?.[1]
  const [was, is] = [entriesOf(before ?? ''), entriesOf(fixed)]
  return before !== undefined && was !== undefined && was === is
}

/** Whether a catalog is that of the earlier revision, and names the evidence of this one. */
function isSameCatalog(pdf: Buffer, { xref, root }: Before & Trailer, text: string, list: number): boolean {
  const before = dictionaryOf(pdf, xref, root)
  const mark = `${evidenceMark(list)}>>`
  if (before === undefined || !text.endsWith(mark)) return false
  return `${text.slice(0, -mark.length)}>>` === before.replace(/ \/DSS \d+ 0 R >>$/, '>>')
}

/** Where an update ends that is in the form that we write, or undefined. `isSigned`: a valid signature ends there. */
function updateEnd(pdf: Buffer, start: number, isSigned: (end: number) => boolean): number | undefined {
  const before = trailerAt(pdf, start)
  const found = latin1(pdf, start, start + 1) === '\n' ? partsAt(pdf, start + 1) : undefined
  if (before === undefined || found === undefined || found.parts.length === 0) return undefined
  const { parts, end } = found
  const fresh = parts.filter(({ number }) => number >= before.size).map(({ number }) => number)
  const size = before.size + fresh.length
  // Each object once, and new ones numbered on: none stands for another one of the signed revision.
  if (new Set(parts.map(({ number }) => number)).size < parts.length || fresh.some((n) => n >= size)) return undefined
  const ending = endingOf(
    parts.map((part) => [part.number, part.at]),
    { ...before, at: end, size },
  )
  if (latin1(pdf, end, end + ending.length) !== ending) return undefined
  const known = new Map<number, Known>()
  for (const part of parts) {
    const kind =
      part.number === before.root && part.content === undefined
        ? { kind: 'catalog' as const, names: { text: part.text } }
        : kindOf(part, part.number >= before.size)
    if (kind === undefined) return undefined
    known.set(part.number, kind)
  }
  const of = (kind: Known['kind']) => [...known].filter(([, one]) => one.kind === kind)
  const isA = (number: string | undefined, kind: Known['kind']): boolean => known.get(Number(number))?.kind === kind
  const next = end + ending.length
  const [signatures, lists, catalogs] = [of('signature'), of('list'), of('catalog')]
  const isEvidence =
    signatures.length === 0 &&
    lists.length === 1 &&
    catalogs.length === 1 &&
    known.size === 2 + of('evidence').length &&
    isSameCatalog(pdf, before, catalogs[0]?.[1].names['text'] ?? '', lists[0]?.[0] ?? 0)
  if (isEvidence) return next
  const fields = of('field')
  const isSignature =
    signatures.length === 1 &&
    lists.length + catalogs.length + of('evidence').length === 0 &&
    signatures.every(([, { names }]) => Number(names['second']) + Number(names['rest']) === next) &&
    isSigned(next) &&
    fields.filter(([, { names }]) => names['signature'] !== undefined).length === 1 &&
    fields.every(
      ([number, { names }]) =>
        (names['signature'] === undefined || isA(names['signature'], 'signature')) &&
        names['fixed']?.includes('/FT /Sig ') === (names['signature'] !== undefined) &&
        isA(names['stamp'], 'stamp') &&
        isSameField(pdf, before, number, names['fixed'] ?? ''),
    ) &&
    of('stamp').every(([, { names }]) => isA(names['picture'], 'picture')) &&
    of('picture').every(([, { names }]) => isA(names['mask'], 'mask'))
  return isSignature ? next : undefined
}

function isBlank(pdf: Buffer, start: number): boolean {
  for (let at = start; at < pdf.length; at += 1) if (![0x09, 0x0a, 0x0d, 0x20].includes(pdf[at] ?? 0)) return false
  return true
}

/**
 * Tells, for the end of a signed revision, whether only signatures and evidence follow. `signedEnds`: where the revisions
 * with a valid signature end.
 */
export function onlySignedAfter(pdf: Buffer, signedEnds: ReadonlySet<number>): (end: number) => boolean {
  const known = new Map<number, boolean>()
  return (start) => {
    const passed: number[] = []
    let at: number | undefined = start
    while (at !== undefined && !known.has(at) && !isBlank(pdf, at)) {
      passed.push(at)
      at = updateEnd(pdf, at, (end) => signedEnds.has(end))
    }
    const answer = at !== undefined && (known.get(at) ?? true)
    for (const one of passed) known.set(one, answer)
    return answer
  }
}
