// A Word document that several people write in at once: what nobody has touched is as it was, byte for byte.
import { DocBody, DocFoot, type DocPaper, docPaper } from '../doc-editor.tsx'
import { sayNotEditable } from '../not-editable.ts'
import { contentOf } from '../wire.ts'
import { bindDocument, mainOf } from './doc-binding.ts'
import type { HereKind } from './here-paper.ts'

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
