// The editor of each format, and the conversion of a draft to a file.
import { extNameOf, readText, writeText } from '@cloudoc/domain'

/** The windows of the editors. */
export type EditorWindow =
  | 'cloudoc-edit-text'
  | 'cloudoc-edit-table'
  | 'cloudoc-edit-sheet'
  | 'cloudoc-edit-doc'
  | 'cloudoc-edit-slides'

const office: Readonly<Record<string, EditorWindow>> = {
  docx: 'cloudoc-edit-doc',
  docm: 'cloudoc-edit-doc',
  xlsx: 'cloudoc-edit-sheet',
  xlsm: 'cloudoc-edit-sheet',
  pptx: 'cloudoc-edit-slides',
  pptm: 'cloudoc-edit-slides',
}

/** Returns the editor of an office format. */
export const officeEditorWindow = (ext: string): EditorWindow | undefined => office[ext]

/** Converts a draft to the file that its editor would upload; `base` is the content that it is based on. */
export async function draftAsFile(fileName: string, draft: string, base: Uint8Array): Promise<Uint8Array> {
  switch (officeEditorWindow(extNameOf(fileName).toLowerCase())) {
    case 'cloudoc-edit-sheet':
      return (await import('./workbook-draft.ts')).withSheetDraft(base, draft)
    case 'cloudoc-edit-doc':
      return (await import('./document-draft.ts')).withDocumentDraft(base, draft)
    case 'cloudoc-edit-slides':
      return (await import('./slides-draft.ts')).withSlidesDraft(base, draft)
    default:
      // In the encoding of the base content.
      return writeText(draft, readText(base))
  }
}
