// What the editors of office files share: a file that cannot be edited here is opened by none of them, and says why in words.
import type { ComponentType, ReactNode } from 'react'
import type { WindowProps } from '../../core/windows/index.ts'
import { sayNotEditable } from '../shared/not-editable.ts'
import { EditorFrame, type EditorProps, type OpenedPaper, type Paper } from './editor-frame.tsx'
import '../shared/office-texts.ts'

interface Parts<P extends Paper> {
  readonly open: (bytes: Uint8Array, name: string, onChange: () => void) => OpenedPaper<P>
  readonly Body: ComponentType<{ readonly paper: P; readonly zoom: number }>
  readonly Foot: ComponentType<{ readonly paper: P }>
}

/** The window of an editor, of how it opens a file and what it shows of it. */
export function officeEditor<P extends Paper>({ open, Body, Foot }: Parts<P>) {
  return function OfficeEditor(props: WindowProps<EditorProps>): ReactNode {
    const openHere = (bytes: Uint8Array, _: HTMLElement, onChange: () => void): OpenedPaper<P> => {
      try {
        return open(bytes, props.item.fName, onChange)
      } catch (error) {
        throw sayNotEditable(error)
      }
    }
    return (
      <EditorFrame
        {...props}
        open={openHere}
        renderBody={(paper, zoom) => <Body paper={paper} zoom={zoom} />}
        renderFoot={(paper) => <Foot paper={paper} />}
      />
    )
  }
}
