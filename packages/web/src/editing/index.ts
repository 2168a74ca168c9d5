// The text editor, for pages that are not part of the product's main page.
export { type CodeMirrorEditor, openCodeMirror } from './text/code-mirror.ts'

import './shared/editor-frame.css'
