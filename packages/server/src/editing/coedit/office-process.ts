/*
 * Opens one co-edited office file, in a process of its own (core/confined/confined.ts). The input is the length of the
 * task in four bytes, the task as JSON, and the file. It answers 0 and the result, or 1 if the file cannot be written
 * back.
 */
import { buffer } from 'node:stream/consumers'
import { coeditDocument, openDocument, packBase, unpackBase } from '@cloudoc/office/document'
import { NotEditable } from '@cloudoc/office/package'
import { frameWords, type RestructuredSlides, restructuredSlides, withFrameWords } from '@cloudoc/office/presentation'
import {
  matchesFile,
  openWorkbook,
  type SheetRebase,
  StructureRefused,
  sheetNames,
  workbookAfter,
} from '@cloudoc/office/workbook'
import type { OfficeTask } from './office-files.ts'

/** Joins two byte arrays: the length of the first, the first, and the second. */
function inTwo(first: Uint8Array, other: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(first.length)
  return Buffer.concat([head, first, other])
}

const structureAnswer = (
  what: { why: string; names?: SheetRebase['names'] } | ({ why: '' } & Omit<RestructuredSlides, 'bytes'>),
  bytes: Uint8Array = Buffer.of(),
): Uint8Array => inTwo(Buffer.from(JSON.stringify(what)), bytes)

function made(task: OfficeTask, file: Uint8Array): Uint8Array | undefined {
  switch (task.kind) {
    case 'check': {
      const book = openWorkbook(file)
      // A signature would become invalid. Sheets that cannot be opened are detected now.
      for (const { part, hasCells } of book.sheets) if (hasCells) book.sheet(part)
      return book.isSigned || book.sheets.length === 0 ? undefined : new Uint8Array()
    }
    case 'sheet': {
      const book = openWorkbook(file)
      book.takeIn(task.cells)
      return book.bytes()
    }
    case 'build': {
      const { cells, change } = task
      const book = openWorkbook(file)
      if (![...book.sheets, ...book.hidden].some(({ part }) => part === change.part))
        return structureAnswer({ why: 'other' })
      if (!matchesFile(book, change)) return undefined
      book.takeIn(cells)
      const before = book.bytes()
      try {
        return structureAnswer({ why: '', names: sheetNames(before) }, workbookAfter(before, change).bytes())
      } catch (error) {
        if (error instanceof StructureRefused) return structureAnswer({ why: error.why })
        throw error
      }
    }
    case 'read': {
      const document = openDocument(file)
      if (document.isSigned || document.isProtected) return undefined
      const shared = coeditDocument(document)
      const ops = Buffer.from(JSON.stringify(shared.ops(document.doc.children)))
      return inTwo(packBase(shared.beginning()), ops)
    }
    case 'doc': {
      const beginning = unpackBase(Buffer.from(task.beginning, 'base64'))
      const document = openDocument(file, beginning.main)
      return document.bytes(coeditDocument(document, beginning).read(task.ops))
    }
    case 'frames': {
      const frames = frameWords(file)
      return frames && Buffer.from(JSON.stringify(frames))
    }
    case 'deck': {
      const made = restructuredSlides(file, task.words, task.change)
      if (made === undefined) return structureAnswer({ why: 'other' })
      const { bytes, ...said } = made
      return structureAnswer({ why: '', ...said }, bytes)
    }
    case 'slides':
      return withFrameWords(file, task.words)
  }
}

function answer(whole: Buffer): Buffer {
  const end = 4 + whole.readUInt32LE(0)
  try {
    const found = made(JSON.parse(whole.toString('utf8', 4, end)) as OfficeTask, whole.subarray(end))
    return found === undefined ? Buffer.of(1) : Buffer.concat([Buffer.of(0), found])
  } catch (error) {
    if (error instanceof NotEditable) return Buffer.of(1)
    throw error
  }
}

process.stdout.write(answer(await buffer(process.stdin)), () => process.exit(0))
