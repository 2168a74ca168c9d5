// The editor of Word documents.
import { bodyOf } from '@cloudoc/office/document'
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import type { EditorInstance, OpenedEditor } from '../editor/editor-frame.tsx'
import { createOfficeEditor } from '../editor/office-editor.tsx'
import { FindBar } from '../shared/find-bar.tsx'
import { printFrame } from '../shared/print.ts'
import { FormattingBar } from './formatting-bar.tsx'
import { LinkBar } from './insert-buttons.tsx'
import { openPageEditor, type PageEditor, type PageSharing } from './page-editor.ts'
import { printedCss, printedPage } from './printed-page.ts'
import { showPageMenu } from './table-button.tsx'
import '../shared/document-editor.css'

interface State {
  readonly isEditable: boolean
  readonly isFinding: boolean
  readonly isLinking: boolean
  /** Increases with each editing step. */
  readonly step: number
}

export interface DocumentEditorInstance extends EditorInstance {
  readonly store: StoreApi<State>
  readonly page: PageEditor
}

/** Opens a document; with `sharing`, a co-edited one. */
export function openDocumentEditor(
  bytes: Uint8Array,
  name: string,
  onChange: () => void,
  sharing?: PageSharing,
): OpenedEditor<DocumentEditorInstance> {
  const store = createStore<State>(() => ({ isEditable: false, isFinding: false, isLinking: false, step: 0 }))
  const page = openPageEditor(
    bytes,
    {
      label: name,
      isEditable: () => store.getState().isEditable,
      onChange,
      onLink: () => store.setState({ isLinking: true }),
      onFailed: notifyFailure,
      onMenu: (event) => showPageMenu(page, event),
      onMove: () => store.setState(({ step }) => ({ step: step + 1 })),
    },
    sharing,
  )
  const paper: DocumentEditorInstance = {
    store,
    page,
    draft: page.draft,
    bytes: page.bytes,
    restore: page.restore,
    setReadOnly(is) {
      store.setState({ isEditable: !is })
      page.refresh()
    },
    undo: page.undo,
    redo: page.redo,
    focus: () => requestAnimationFrame(() => page.view.focus()),
    find: () => store.setState({ isFinding: true }),
    print: () =>
      printFrame(name, printedCss, (paged) => {
        paged.documentElement.style.setProperty('--z', '1')
        paged.body.append(printedPage(paged, page.view.dom))
      }),
    close: page.close,
  }
  const { kept, isSigned, isProtected } = page.document()
  const readOnly = isSigned ? say('editor.office.signed') : isProtected ? say('editor.doc.protected') : ''
  const n = [...kept.values()].reduce((sum, one) => sum + one, 0)
  return {
    editor: paper,
    readOnly,
    notice: n > 0 ? say('editor.doc.keeps', { n }) : '',
    keeps: [...kept].map(([kind, count]) => `${say(`editor.doc.kept.${kind}`)} × ${count}`),
  }
}

const useStateOf = ({ store }: DocumentEditorInstance): State => useSyncExternalStore(store.subscribe, store.getState)

export function DocumentBody({
  paper,
  zoom,
}: {
  readonly paper: DocumentEditorInstance
  readonly zoom: number
}): ReactNode {
  const { isFinding, isLinking, isEditable } = useStateOf(paper)
  const { page } = paper
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.append(page.view.dom)
  }, [page])
  const size = page.document().page
  const scaled = (pixels: number): string => `${(pixels * zoom) / 100}px`
  return (
    <div className="dc">
      {isEditable && <FormattingBar page={page} link={() => paper.store.setState({ isLinking: true })} />}
      {isEditable && isLinking && (
        <LinkBar
          page={page}
          close={() => {
            paper.store.setState({ isLinking: false })
            paper.focus()
          }}
        />
      )}
      {isFinding && (
        <FindBar
          isEditable={isEditable}
          find={page.find}
          replace={page.replace}
          replaceAll={page.replaceAll}
          close={() => {
            paper.store.setState({ isFinding: false })
            paper.focus()
          }}
        />
      )}
      <div className="dc-room">
        <div
          className="dc-page"
          ref={place}
          style={{
            ['--z' as string]: zoom / 100,
            width: scaled(size.width),
            maxWidth: '100%',
            padding: `${scaled(Math.min(size.top, 96))} ${scaled(size.right)} ${scaled(Math.min(size.top, 96))} ${scaled(size.left)}`,
          }}
        />
      </div>
    </div>
  )
}

export function DocumentFoot({ paper }: { readonly paper: DocumentEditorInstance }): ReactNode {
  const t = useT()
  useStateOf(paper)
  const words = bodyOf(paper.page.state().doc).textBetween(0, bodyOf(paper.page.state().doc).size)
  return <span>{t('editor.doc.count', { n: words.replace(/\s/g, '').length })}</span>
}

export const DocumentEditor = createOfficeEditor({ open: openDocumentEditor, Body: DocumentBody, Foot: DocumentFoot })
