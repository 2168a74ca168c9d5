/*
 * The whole text of a document for the check of its content: also what it does not show (comments, tracked changes,
 * hidden sheets, properties), of the files in an archive or a document and of the attachments of a mail, at any depth up
 * to a limit, and of sheets cell by cell. What cannot be read is listed with the reason.
 */
import type { SheetBody, Sheets } from '@cloudoc/contract'
import { decodeText, documentKind, extNameOf, type HiddenContentKind } from '@cloudoc/domain'
import PostalMime from 'postal-mime'
import { type TextSection, textParts, textSectionsOf } from './extracted-text.ts'
import { unpack } from './readers/archive.ts'
import { embeddedIn } from './readers/ole.ts'
import type { Hidden, HiddenSection, TextCells } from './readers/reader.ts'
import { readers } from './readers/readers.ts'
import { type Refusal, Refused } from './refusal.ts'

/** A section of a content or of a file in it. */
export interface InspectedSection extends TextSection {
  /** The file inside the archive, mail or document, with one `/` between levels; empty for the content itself. */
  readonly path: string
  /** What it is of the document, if pages, sheets and slides do not show it. */
  readonly place?: HiddenContentKind
  /** The cells of a sheet, instead of the text. */
  readonly cells?: TextCells
}

/** Why a file inside was not read. */
export type NotRead = Refusal | 'tooDeep' | 'picture'

export interface Inspection {
  readonly sections: readonly InspectedSection[]
  /** Files inside that were not read; an empty path stands for the content itself. */
  readonly left: readonly { readonly path: string; readonly reason: NotRead }[]
  /** There is more text than fits. */
  readonly isCut: boolean
}

const mostDepth = 5
/** Maximum number of characters of all sections. */
const mostLetters = 4_000_000
const mostCells = 500_000
/** Files in documents that are read. */
const mostEmbedded = 500
const mostEmbeddedBytes = 256 * 1024 * 1024
/** Entries that are listed as not read. */
const mostLeft = 200

const inside = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`)

class Inspector {
  readonly sections: InspectedSection[] = []
  readonly left: { path: string; reason: NotRead }[] = []
  isCut = false
  #room = mostLetters
  #embedded = 0
  #embeddedBytes = 0
  /** How many embedded files the one that is read stands in. */
  #within = 0

  add(path: string, read: Omit<InspectedSection, 'path'>): void {
    const section = this.#within > 0 ? { place: 'embedded' as const, ...read } : read
    if (this.#room <= 0) {
      this.isCut = true
      return
    }
    const { text, cells } = section
    if (cells === undefined) {
      this.isCut ||= text.length > this.#room
      this.sections.push({ ...section, path, text: text.slice(0, this.#room) })
      this.#room -= text.length
      return
    }
    const kept = []
    for (const cell of cells) {
      if (this.#room <= 0) break
      this.#room -= cell[2].length + 1
      kept.push(cell)
    }
    this.isCut ||= kept.length < cells.length
    this.sections.push({ ...section, path, cells: kept })
  }

  leave(path: string, reason: NotRead): void {
    if (this.left.length < mostLeft) this.left.push({ path, reason })
  }

  /** Collects what a document contains and does not show; `after` adds it and visits embedded files. */
  #hiddenOf(path: string, depth: number): { readonly hidden: Hidden; readonly after: () => Promise<void> } {
    const sections: HiddenSection[] = []
    const enclosed: { readonly name: string; readonly bytes: Buffer }[] = []
    return {
      hidden: {
        add: (section) => void sections.push(section),
        enclose: (name, bytes) => void enclosed.push({ name, bytes }),
        leave: (name, reason) => this.leave(inside(path, name), reason),
      },
      // Behind what is shown.
      after: async () => {
        for (const section of sections) this.add(path, section)
        for (const { name, bytes } of enclosed) await this.#visitEmbedded(bytes, name, path, depth)
      },
    }
  }

  async #visitEmbedded(bytes: Buffer, name: string, path: string, depth: number): Promise<void> {
    this.#embedded += 1
    this.#embeddedBytes += bytes.length
    if (this.#embedded > mostEmbedded || this.#embeddedBytes > mostEmbeddedBytes)
      return this.leave(inside(path, name), 'archiveTooLarge')
    this.#within += 1
    try {
      const known = documentKind(extNameOf(name)) === undefined ? embeddedIn(bytes) : undefined
      const file = known ?? { name: '', ext: extNameOf(name).toLowerCase(), bytes }
      await this.visit(file.bytes, file.ext, inside(path, file.name === '' ? name : file.name), depth + 1)
    } catch (error) {
      this.leave(inside(path, name), error instanceof Refused ? error.code : 'conversionFailed')
    } finally {
      this.#within -= 1
    }
  }

  async visit(bytes: Buffer, ext: string, path: string, depth: number): Promise<void> {
    if (bytes.length === 0) return
    if (depth > mostDepth) return this.leave(path, 'tooDeep')
    try {
      await this.#read(bytes, ext, path, depth)
    } catch (error) {
      this.leave(path, error instanceof Refused ? error.code : 'conversionFailed')
    }
  }

  async #read(bytes: Buffer, ext: string, path: string, depth: number): Promise<void> {
    switch (documentKind(ext)) {
      case undefined:
        return this.leave(path, 'conversionUnsupported')
      case 'picture':
        return this.leave(path, 'picture')
      case 'text':
      case 'markdown':
      case 'table':
        return this.add(path, { kind: 'whole', name: '', text: decodeText(bytes, false).text })
      case 'archive':
        for await (const file of unpack(bytes, ext)) {
          if (file.path.endsWith('/')) continue
          this.add(inside(path, file.path), { kind: 'whole', name: 'path', text: file.path })
          if (typeof file.bytes === 'string') this.leave(inside(path, file.path), file.bytes)
          else await this.visit(file.bytes, extNameOf(file.path).toLowerCase(), inside(path, file.path), depth + 1)
        }
        return
      case 'pdf': {
        const { hidden, after } = this.#hiddenOf(path, depth)
        const pages = await (await import('./readers/pdf.ts')).pdfTexts(bytes, () => {}, hidden)
        for (const [n, text] of pages.entries()) this.add(path, { kind: 'page', name: String(n + 1), text })
        return after()
      }
      case 'mail':
        await this.#document(bytes, ext, path, depth)
        for (const { filename, mimeType, content } of (await PostalMime.parse(bytes)).attachments) {
          const name = filename ?? (mimeType === 'message/rfc822' ? 'mail.eml' : 'attachment')
          const isMail = mimeType === 'message/rfc822' && documentKind(extNameOf(name)) !== 'mail'
          const body = typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))
          await this.visit(body, isMail ? 'eml' : extNameOf(name).toLowerCase(), inside(path, name), depth + 1)
        }
        return
      default:
        return this.#document(bytes, ext, path, depth)
    }
  }

  async #document(bytes: Buffer, ext: string, path: string, depth: number): Promise<void> {
    const kind = documentKind(ext)
    if (kind === undefined) return
    const reader = await readers[kind]()
    const parts = textParts()
    const { hidden, after } = this.#hiddenOf(path, depth)
    const rendition = await reader({ bytes, ext, parts, mostCells, progress: () => {}, hidden })
    if (rendition.kind === 'sheets') this.#addSheets(path, rendition, parts.values)
    else for (const section of textSectionsOf(rendition, parts.values)) this.add(path, section)
    await after()
  }

  #addSheets(path: string, rendition: Sheets, values: readonly unknown[]): void {
    for (const { name, part } of rendition.sheets) {
      const { rows } = values[part] as SheetBody
      const cells = rows.flatMap(([row, all]) => all.map(([column, text]) => [row, column, text] as const))
      this.add(path, { kind: 'sheet', name, text: '', cells: cells.filter(([, , text]) => text !== '') })
    }
    // Texts of charts and drawings.
    for (const { name, part } of rendition.sheets) {
      const drawn = textSectionsOf({ ...rendition, sheets: rendition.sheets.filter((one) => one.part === part) }, [
        ...values.slice(0, part),
        { ...(values[part] as SheetBody), rows: [] },
      ])
      for (const { text } of drawn) if (text !== '') this.add(path, { kind: 'sheet', name, text })
    }
  }
}

/** Reads everything in a document. */
export async function inspect(bytes: Buffer, ext: string): Promise<Inspection> {
  const inspector = new Inspector()
  await inspector.visit(bytes, ext, '', 0)
  const { sections, left, isCut } = inspector
  return { sections, left, isCut }
}
