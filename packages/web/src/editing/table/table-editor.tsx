// The editor of CSV files, in a grid.
import { extNameOf, readText, type TextFile, writeText } from '@cloudoc/domain'
import { type ReactNode, useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { type EditorInstance, type OpenedEditor } from '../editor/editor-frame.tsx'
import { createOfficeEditor } from '../editor/office-editor.tsx'
import { Grid } from '../grid/grid.tsx'
import { GridFind } from '../grid/grid-find.tsx'
import { cellSelection, type Selection } from '../grid/grid-model.ts'
import { GridSum } from '../grid/grid-sum.tsx'
import type { GridHandle } from '../grid/use-grid-handle.ts'
import { EncodingFoot, type ShownEncoding, showEncodings } from '../shared/encoding-foot.tsx'
import { printTable } from '../shared/print.ts'
import { openTable, type TableModel } from './table-model.ts'

interface State {
  readonly model: TableModel
  readonly isEditable: boolean
  readonly selection: Selection
  readonly isFinding: boolean
}

interface TableEditorInstance extends EditorInstance {
  readonly store: StoreApi<State>
  readonly handle: { current: GridHandle | null }
  readonly encoding: () => ShownEncoding
}

function openTableEditor(bytes: Uint8Array, name: string, onChange: () => void): OpenedEditor<TableEditorInstance> {
  let file = readText(bytes)
  const ext = extNameOf(name).toLowerCase()
  const opened = (text: string): TableModel => {
    const model = openTable(text, ext)
    model.subscribe(() => encoding.isOwn() && onChange())
    return model
  }
  let isEditable = false
  /** Shows the table in other encodings; in them it is another model, which is never saved. */
  const encodingsOf = (read: TextFile, from: Uint8Array): ShownEncoding =>
    showEncodings(from, read, (shown) =>
      store.setState({
        model: shown === read ? ownModel : opened(shown.text),
        isEditable: shown === read && isEditable,
        selection: cellSelection(0, 0),
      }),
    )
  let encoding = encodingsOf(file, bytes)
  let ownModel = opened(file.text)
  const handle: { current: GridHandle | null } = { current: null }
  const store = createStore<State>(() => ({
    model: ownModel,
    isEditable: false,
    selection: cellSelection(0, 0),
    isFinding: false,
  }))
  const now = (): TableModel => store.getState().model
  const back = (row: number | undefined): void => {
    if (row !== undefined)
      requestAnimationFrame(() => handle.current?.go({ ...cellSelection(row, store.getState().selection.column) }))
  }
  const paper: TableEditorInstance = {
    store,
    handle,
    encoding: () => encoding,
    draft: () => ownModel.text(),
    bytes() {
      handle.current?.commit()
      return writeText(ownModel.text(), file)
    },
    restore(draft, base) {
      if (base !== undefined) {
        file = readText(base)
        encoding = encodingsOf(file, base)
        ownModel = opened(file.text)
      }
      encoding.reset()
      store.setState({ model: ownModel })
      ownModel.restore(draft)
    },
    setReadOnly(is) {
      isEditable = !is
      store.setState({ isEditable: !is && encoding.isOwn() })
    },
    undo: () => back(now().undo()),
    redo: () => back(now().redo()),
    find: () => store.setState({ isFinding: true }),
    print() {
      const { rows, columns } = now().extent()
      printTable(
        name,
        Array.from({ length: rows }, (_, row) =>
          Array.from({ length: columns }, (__, column) => now().displayed(row, column)),
        ),
      )
    },
    focus: () => requestAnimationFrame(() => handle.current?.focus()),
    close: () => undefined,
  }
  // A file that cannot be decoded without loss would be corrupted by the first edit ([R185]).
  return { editor: paper, readOnly: file.isFaithful ? '' : say('editor.readOnly.notFaithful') }
}

const useStateOf = ({ store }: TableEditorInstance): State => useSyncExternalStore(store.subscribe, store.getState)

function Body({ paper, zoom }: { readonly paper: TableEditorInstance; readonly zoom: number }): ReactNode {
  const t = useT()
  const { model, isEditable, isFinding } = useStateOf(paper)
  return (
    <div className="gr-frame">
      {isFinding && (
        <GridFind
          model={model}
          handle={paper.handle}
          isEditable={isEditable}
          close={() => {
            paper.store.setState({ isFinding: false })
            paper.focus()
          }}
        />
      )}
      <Grid
        model={model}
        isEditable={isEditable}
        zoom={zoom}
        label={t('editor.table')}
        handle={paper.handle}
        onSelect={(selection) => paper.store.setState({ selection })}
        onRefused={notifyFailure}
        undo={paper.undo}
        redo={paper.redo}
      />
    </div>
  )
}

function Foot({ paper }: { readonly paper: TableEditorInstance }): ReactNode {
  const t = useT()
  const { model, selection } = useStateOf(paper)
  useSyncExternalStore(model.subscribe, model.revision)
  const { rows, columns } = model.extent()
  return (
    <>
      <span>{t('editor.table.size', { rows, columns })}</span>
      <EncodingFoot of={paper.encoding()} text={paper.draft} />
      <GridSum model={model} selection={selection} />
    </>
  )
}

export const TableEditor = createOfficeEditor({ open: openTableEditor, Body, Foot })
