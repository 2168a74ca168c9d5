// A Word document that several people write in at once: what nobody has touched is as it was, byte for byte.
import { DocBody, DocFoot, type DocPaper, docPaper } from '../document/document-editor.tsx'
import { contentOf } from '../shared/edit-transfers.ts'
import { sayNotEditable } from '../shared/not-editable.ts'
import type { HereKind } from './coedit-adapter.ts'
import { bindDocument, mainOf } from './document-binding.ts'

export const hereDoc: HereKind = {
  merges: true,
  async open({ item, joined, here, onChange }) {
    const bytes = await contentOf({ fileId: item.fId, fileName: item.fName }, joined.version)
    let paper: DocPaper
    try {
      const bind = bindDocument.bind(undefined, here)
      paper = docPaper(bytes, item.fName, onChange, { main: mainOf(here), bind }).paper
    } catch (error) {
      throw sayNotEditable(error)
    }
    return {
      ...paper,
      find: () => paper.store.setState({ isFinding: true }),
      Body: ({ zoom }) => <DocBody paper={paper} zoom={zoom} />,
      Foot: () => <DocFoot paper={paper} />,
    }
  },
}
