// Workbooks: a map of the edited cells, by part and address. The last write to a cell wins.
import { coeditRoot } from '@cloudoc/contract'
import { maxEditedOfficeBytes } from '@cloudoc/domain'
import { coeditCells, isCellWrite, lengthOfCell, parseCellKey } from '@cloudoc/office/workbook'
import * as Y from 'yjs'
import type { Codec } from './codec.ts'
import { isSheet, writeOffice } from './office-files.ts'

const lengths = new WeakMap<Y.Doc, { all: number }>()
const lengthOf = (written: unknown): number => (isCellWrite(written) ? lengthOfCell(written) : 0)

export const sheetCodec: Codec = {
  name: 'sheet',
  takes: (ext) => ext === 'xlsx' || ext === 'xlsm',
  mostBytes: maxEditedOfficeBytes,
  seed: async (_, bytes) => ((await isSheet(bytes)) ? {} : undefined),
  written(doc) {
    const cells = coeditCells(doc.getMap(coeditRoot).entries())
    return async ({ content }) => writeOffice({ kind: 'sheet', cells }, await content())
  },
  admits({ content, parent, parentSub }) {
    if (content instanceof Y.ContentDeleted) return true
    // A replacement carries neither parent nor key: it takes those of the item it replaces.
    const isCell = parent === null ? parentSub === null : (parent as unknown) === coeditRoot
    if (!isCell || !(content instanceof Y.ContentAny) || !content.arr.every(isCellWrite)) return false
    return parent === null || parseCellKey(parentSub ?? '') !== undefined
  },
  lengthOf(doc) {
    const found = lengths.get(doc)
    if (found !== undefined) return found.all
    const cells = doc.getMap(coeditRoot)
    const length = { all: 0 }
    for (const written of cells.values()) length.all += lengthOf(written)
    cells.observe(({ changes, keysChanged }) => {
      for (const name of keysChanged as ReadonlySet<string>)
        length.all += lengthOf(cells.get(name)) - lengthOf(changes.keys.get(name)?.oldValue)
    })
    lengths.set(doc, length)
    return length.all
  },
}
