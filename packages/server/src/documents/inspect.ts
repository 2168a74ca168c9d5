/*
 * The whole text of a document for the check of its content: also of the files in an archive and of the attachments of
 * a mail, at any depth up to a limit, and of sheets cell by cell. What cannot be read is listed with the reason.
 */
import type { SheetBody } from '@cloudoc/contract'
import { decodeText, documentKind, extNameOf } from '@cloudoc/domain'
import PostalMime from 'postal-mime'
import { type TextSection, textParts, textSectionsOf } from './extracted-text.ts'
import { unpack } from './readers/archive.ts'
import { readers } from './readers/readers.ts'
import { type Refusal, Refused } from './refusal.ts'

/** A section of a content or of a file in it. */
export interface InspectedSection extends TextSection {
  /** The file inside the archive or mail, with one `/` between levels; empty for the content itself. */
  readonly path: string
  /** The cells of a sheet, instead of the text. */
  readonly cells?: readonly (readonly [row: number, column: number, text: string])[]
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
/** Entries that are listed as not read. */
const mostLeft = 200

class Inspector {
  readonly sections: InspectedSection[] = []
  readonly left: { path: string; reason: NotRead }[] = []
  isCut = false
  #room = mostLetters

  add(path: string, section: TextSection & Pick<InspectedSection, 'cells'>): void {
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
    const kind = documentKind(ext)
    const inside = (name: string): string => (path === '' ? name : `${path}/${name}`)
    switch (kind) {
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
          this.add(inside(file.path), { kind: 'whole', name: 'path', text: file.path })
          if (typeof file.bytes === 'string') this.leave(inside(file.path), file.bytes)
          else await this.visit(file.bytes, extNameOf(file.path).toLowerCase(), inside(file.path), depth + 1)
        }
        return
      case 'pdf': {
        const pages = await (await import('./readers/pdf.ts')).pdfTexts(bytes, () => {})
        for (const [n, text] of pages.entries()) this.add(path, { kind: 'page', name: String(n + 1), text })
        return
      }
      case 'mail':
        await this.#document(bytes, ext, path)
        for (const { filename, mimeType, content } of (await PostalMime.parse(bytes)).attachments) {
          const name = filename ?? (mimeType === 'message/rfc822' ? 'mail.eml' : 'attachment')
          const isMail = mimeType === 'message/rfc822' && documentKind(extNameOf(name)) !== 'mail'
          const body = typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))
          await this.visit(body, isMail ? 'eml' : extNameOf(name).toLowerCase(), inside(name), depth + 1)
        }
        return
      default:
        return this.#document(bytes, ext, path)
    }
  }

  async #document(bytes: Buffer, ext: string, path: string): Promise<void> {
    const kind = documentKind(ext)
    if (kind === undefined) return
    const reader = await readers[kind]()
    const parts = textParts()
    const rendition = await reader({ bytes, ext, parts, mostCells, progress: () => {} })
    if (rendition.kind !== 'sheets') {
      for (const section of textSectionsOf(rendition, parts.values)) this.add(path, section)
      return
    }
    for (const { name, part } of rendition.sheets) {
      const { rows } = parts.values[part] as SheetBody
      const cells = rows.flatMap(([row, all]) => all.map(([column, text]) => [row, column, text] as const))
      this.add(path, { kind: 'sheet', name, text: '', cells: cells.filter(([, , text]) => text !== '') })
    }
    // Texts of charts and drawings.
    for (const { name, part } of rendition.sheets) {
      const drawn = textSectionsOf({ ...rendition, sheets: rendition.sheets.filter((one) => one.part === part) }, [
        ...parts.values.slice(0, part),
        { ...(parts.values[part] as SheetBody), rows: [] },
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
