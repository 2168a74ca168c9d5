// The text editor, for pages that are not part of the product's main page.
export { openSurface, type Surface } from './text/code-mirror.ts'

import './shared/editor-frame.css'
