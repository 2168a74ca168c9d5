// The text editor.
import { commonLineEnd, extNameOf, readText, splitLines, writeText } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { previewKind } from '../../viewing/shared/preview-kind.ts'
import { EditorFrame, type EditorInstance, type EditorProps, type OpenedEditor } from '../editor/editor-frame.tsx'
import { EncodingFoot, type ShownEncoding, showEncodings } from '../shared/encoding-foot.tsx'
import { printText } from '../shared/print.ts'
import { openCodeMirror } from './code-mirror.ts'
import '../shared/office-texts.ts'

interface TextEditorInstance extends EditorInstance {
  readonly about: { readonly end: string }
  readonly encoding: ShownEncoding
}

export function TextEditor(props: WindowProps<EditorProps>): ReactNode {
  const t = useT()
  const { fName: name } = props.item
  const [at, setAt] = useState({ line: 1, column: 1 })
  const open = (bytes: Uint8Array, parent: HTMLElement, onChange: () => void): OpenedEditor<TextEditorInstance> => {
    const file = readText(bytes)
    let isEditable = false
    const surface = openCodeMirror({
      parent,
      text: file.text,
      ext: extNameOf(name),
      label: name,
      onMove: (line, column) => setAt({ line, column }),
      onChange: () => encoding.isOwn() && onChange(),
    })
    const encoding = showEncodings(bytes, file, (shown) => {
      surface.show(shown.text)
      surface.setReadOnly(shown.encoding !== file.encoding || !isEditable)
    })
    const draft = (): string => (encoding.isOwn() ? surface.text() : file.text)
    const paper: TextEditorInstance = {
      ...surface,
      about: { end: endOf(file.text) },
      encoding,
      setReadOnly(is) {
        isEditable = !is
        surface.setReadOnly(is)
      },
      draft,
      bytes: () => writeText(draft(), file),
      restore(text) {
        encoding.reset()
        surface.replace(text)
      },
      print: () => printText(name, surface.text()),
    }
    // A text that cannot be decoded without loss would be corrupted by the first edit ([R185]).
    const notice = previewKind(extNameOf(name).toLowerCase()) === 'table' ? say('editor.table.asText') : ''
    return { editor: paper, notice, readOnly: file.isFaithful ? '' : say('editor.readOnly.notFaithful') }
  }
  return (
    <EditorFrame
      {...props}
      open={open}
      renderFoot={({ about, encoding, draft }) => (
        <>
          <span>{t('editor.at', at)}</span>
          <EncodingFoot of={encoding} text={draft} />
          <span>{about.end}</span>
        </>
      )}
    />
  )
}

function endOf(text: string): string {
  return { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' }[commonLineEnd(splitLines(text).ends)] ?? 'LF'
}
