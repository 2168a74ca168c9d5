// The common part of the office editors: a file that cannot be edited shows the reason.
import type { ComponentType, ReactNode } from 'react'
import type { WindowProps } from '../../core/windows/index.ts'
import { notEditableError } from '../shared/not-editable.ts'
import { EditorFrame, type EditorInstance, type EditorProps, type OpenedEditor } from './editor-frame.tsx'
import '../shared/office-texts.ts'

interface Parts<P extends EditorInstance> {
  readonly open: (bytes: Uint8Array, name: string, onChange: () => void) => OpenedEditor<P>
  readonly Body: ComponentType<{ readonly paper: P; readonly zoom: number }>
  readonly Foot: ComponentType<{ readonly paper: P }>
}

/** Creates the window component of an editor from its `open` function and its components. */
export function createOfficeEditor<P extends EditorInstance>({ open, Body, Foot }: Parts<P>) {
  return function OfficeEditor(props: WindowProps<EditorProps>): ReactNode {
    const openHere = (bytes: Uint8Array, _: HTMLElement, onChange: () => void): OpenedEditor<P> => {
      try {
        return open(bytes, props.item.fName, onChange)
      } catch (error) {
        throw notEditableError(error)
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
