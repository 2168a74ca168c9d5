// The text editor, for pages that are not part of the product's main page.
export { openSurface, type Surface } from './editors/surface.ts'

import './editors/edit.css'
