// The kinds of documents whose structure can be changed while several edit them: workbooks and presentations.
import { coeditRoot } from '@cloudoc/contract'
import {
  type FrameWords,
  frameKey,
  parseSlideChange,
  rebasedFrames,
  removesFrames,
  type SlideChange,
} from '@cloudoc/office/presentation'
import {
  type CoeditCell,
  cellKey,
  coeditCells,
  parseStructureOperation,
  rebasedCells,
  removesCells,
  type SheetRebase,
  type StructureOperation,
} from '@cloudoc/office/workbook'
import * as Y from 'yjs'
import { restructureDeck, restructureSheet } from './office-files.ts'
import { frameWordsOf } from './slides-codec.ts'

/** A file with a structural change. */
export interface Built<Entry> {
  readonly bytes: Uint8Array
  /** What the pages are told of it, so that they move what they have not sent. */
  readonly turn: unknown
  /** The new document, with what was written meanwhile; undefined if that would be deleted. */
  readonly stateWith: (late: readonly Entry[]) => Uint8Array | undefined
}

export interface StructureKind<Change, Entry> {
  /** The name of the codec. */
  readonly shape: string
  readonly parse: (text: string) => Change | undefined
  /** Whether a change deletes what people have written. */
  readonly removes: (change: Change) => boolean
  /** What the document has over its file. */
  readonly entriesOf: (doc: Y.Doc) => Entry[]
  /** Makes the file, or tells why not; undefined if that is impossible. */
  readonly build: (
    entries: readonly Entry[],
    change: Change,
    file: Uint8Array,
  ) => Promise<Built<Entry> | { readonly why: string } | undefined>
}

export const sheetStructure: StructureKind<StructureOperation, CoeditCell> = {
  shape: 'sheet',
  parse: parseStructureOperation,
  removes: removesCells,
  entriesOf: (doc) => coeditCells(doc.getMap(coeditRoot).entries()),
  async build(cells, change, file) {
    const built = await restructureSheet(cells, change, file)
    if (built === undefined || !('bytes' in built)) return built
    const turn: SheetRebase = { change, names: built.names }
    return {
      bytes: built.bytes,
      turn,
      stateWith(late) {
        const written = rebasedCells([turn], late)
        if (written.gone.length > 0) return undefined
        return stateOf((doc) => {
          const map = doc.getMap(coeditRoot)
          for (const [part, ref, cell] of written.cells) map.set(cellKey(part, ref), cell)
        })
      },
    }
  },
}

export const slidesStructure: StructureKind<SlideChange, FrameWords> = {
  shape: 'slides',
  parse: parseSlideChange,
  removes: removesFrames,
  entriesOf: frameWordsOf,
  async build(words, change, file) {
    const built = await restructureDeck(words, change, file)
    if (built === undefined || !('bytes' in built)) return built
    const { bytes, frames, rebase } = built
    return {
      bytes,
      turn: rebase,
      stateWith(late) {
        const written = rebasedFrames([rebase], late)
        if (written.gone.length > 0) return undefined
        return stateOf((doc) => {
          for (const [name, text] of new Map([...frames, ...written.frames]))
            if (text !== '') doc.getText(frameKey(name)).insert(0, text)
        })
      },
    }
  },
}

/** The state of a document whose content belongs to no editor. */
function stateOf(fill: (doc: Y.Doc) => void): Uint8Array {
  const doc = new Y.Doc()
  doc.clientID = 0
  doc.transact(() => fill(doc))
  const state = Y.encodeStateAsUpdate(doc)
  doc.destroy()
  return state
}
