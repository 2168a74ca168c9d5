// Co-editing a presentation: its text frames and notes; all else stays byte-identical.
import { fetchContent } from '../shared/edit-transfers.ts'
import { notEditableError } from '../shared/not-editable.ts'
import { openSlidesEditor, SlidesBody, type SlidesEditorInstance, SlidesFoot } from '../slides/slides-editor.tsx'
import type { CoeditAdapter } from './coedit-adapter.ts'
import { bindSlides } from './slides-binding.ts'

export const slidesAdapter: CoeditAdapter = {
  merges: true,
  async open({ item, joined, session, onChange }) {
    const bytes = await fetchContent({ fileId: item.fId, fileName: item.fName }, joined.version)
    let paper: SlidesEditorInstance
    try {
      const bind = bindSlides.bind(undefined, session)
      paper = openSlidesEditor(bytes, item.fName, onChange, bind).editor
    } catch (error) {
      throw notEditableError(error)
    }
    return {
      ...paper,
      Body: ({ zoom }) => <SlidesBody paper={paper} zoom={zoom} />,
      Foot: () => <SlidesFoot paper={paper} />,
    }
  },
}
