// Co-editing a Word document: unchanged content stays byte-identical.
import {
  DocumentBody,
  type DocumentEditorInstance,
  DocumentFoot,
  openDocumentEditor,
} from '../document/document-editor.tsx'
import { fetchContent } from '../shared/edit-transfers.ts'
import { notEditableError } from '../shared/not-editable.ts'
import type { CoeditAdapter } from './coedit-adapter.ts'
import { baseMainPartOf, bindDocument } from './document-binding.ts'

export const documentAdapter: CoeditAdapter = {
  merges: true,
  async open({ item, joined, session, onChange }) {
    const bytes = await fetchContent({ fileId: item.fId, fileName: item.fName }, joined.version)
    let paper: DocumentEditorInstance
    try {
      const bind = bindDocument.bind(undefined, session)
      paper = openDocumentEditor(bytes, item.fName, onChange, { main: baseMainPartOf(session), bind }).editor
    } catch (error) {
      throw notEditableError(error)
    }
    return {
      ...paper,
      find: () => paper.store.setState({ isFinding: true }),
      Body: ({ zoom }) => <DocumentBody paper={paper} zoom={zoom} />,
      Foot: () => <DocumentFoot paper={paper} />,
    }
  },
}
